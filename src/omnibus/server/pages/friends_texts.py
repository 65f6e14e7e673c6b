"""The texts of the pages about friends, invitations and blocked players, by the keys that templates use."""

from __future__ import annotations

from typing import Final

from omnibus.kernel.i18n import mark

FRIENDS: Final = {
    "friends": mark("Friends"),
    "inbox": mark("Invitations and friend requests"),
    "invitations": mark("Invitations"),
    "invited_by": mark("{name} invites you to a game of {game}."),
    "invited_here": mark("You are invited to this table."),
    "friend_requests": mark("Friend requests"),
    "asks_friend": mark("{name} would like to be your friend."),
    "no_friends": mark("Your list is empty."),
    "friend_asked": mark("asked, no answer yet"),
    "add_friend": mark("Add friend"),
    "add_friend_help": mark("Only players who have claimed their name can be found."),
    "remove_friend": mark("Remove"),
    "withdraw": mark("Withdraw request"),
    "block": mark("Block"),
    "unblock": mark("Unblock"),
    "blocked_players": mark("Blocked players"),
    "block_help": mark(
        "Somebody you block cannot join your tables, invite you or ask to be your friend, and you do not read what "
        "they write in chats. The same holds the other way round, except for chats."
    ),
    "invite_by_name": mark("Invite by name"),
    "invite_name_help": mark("They see the invitation on every page, and get a message if they are away."),
    "invited_so_far": mark("Invited: {names}"),
    "players_here": mark("Players at this table"),
    "offline": mark("offline"),
    "report": mark("Report"),
    "report_reason": mark("What is wrong?"),
    "report_help": mark("Reports go to the person who runs this server."),
    "reported": mark("Thank you. The person who runs this server will see your report."),
    "result_corrected": mark("The person who runs this server has changed the result of this game, or voided it."),
}
