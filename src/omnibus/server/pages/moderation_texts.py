"""The texts of the page for moderators, by the keys that templates use."""

from __future__ import annotations

from typing import Final

from omnibus.kernel.i18n import mark

MODERATION: Final = {
    "moderation": mark("Moderation"),
    "moderation_reports": mark("Reports"),
    "moderation_waiting": mark("Open reports: {number}"),
    "moderation_none": mark("There are no open reports."),
    "moderation_by": mark("reported by {name}"),
    "moderation_table": mark("Table"),
    "moderation_dismiss": mark("Dismiss"),
    "moderation_ban": mark("Ban"),
    "moderation_days": mark("For how long"),
    "moderation_forever": mark("forever"),
    "moderation_reason": mark("Reason, for other moderators"),
    "moderation_ban_help": mark(
        "A banned account can finish its games, but neither sit down at other tables, nor enter tournaments, nor chat."
    ),
    "moderation_confirm_ban": mark("Ban this account?"),
    "moderation_remove_name": mark("Remove name"),
    "moderation_confirm_name": mark("Remove this name permanently? Nobody can take it again."),
    "moderation_bans": mark("Banned accounts"),
    "moderation_no_bans": mark("Nobody is banned."),
    "moderation_until": mark("until"),
    "moderation_unban": mark("Lift ban"),
    "moderation_is_banned": mark("banned"),
}
