"""The texts of the account pages, by the keys that templates use."""

from __future__ import annotations

from typing import Final

from omnibus.kernel.i18n import mark

ACCOUNT: Final = {
    "account": mark("Your account"),
    "no_account": mark(
        "You do not have an account yet. Choose a name or join a table, and this browser will remember you. "
        "There are no passwords."
    ),
    "name_help": mark("Other players see it at your tables, including games in progress."),
    "save_name": mark("Save name"),
    "claim_name": mark("Claim this name"),
    "claim_help": mark(
        "If you claim your name, nobody else on this server can use it, or one that looks like it, and you can play "
        "rated games. You also get a recovery link, so that the name is not lost with this device."
    ),
    "name_claimed": mark("This name is yours alone."),
    "your_profile": mark("Your profile"),
    "unnamed": mark("an unnamed player"),
    "devices": mark("Your devices"),
    "devices_help": mark(
        "There are no passwords: your browser keeps a secret key that identifies you. A recovery link signs "
        "you in on another device, with all your tables, and lets you back in if you lose this one. Anyone "
        "who has the link can play as you, so keep it to yourself."
    ),
    "link_exists": mark("You already have a recovery link. If you create a new one, the old one stops working."),
    "link_unused": mark("It was created on {created} and has not been used."),
    "link_used": mark(
        "It was created on {created} and last used on {used}. If that was not you, sign out your other devices."
    ),
    "played_before": mark("I have played here before"),
    "played_before_help": mark("Enter your recovery link to get your name and your tables back."),
    "keep_account": mark("Come back from any device: create a recovery link for your name and your games."),
    "create_link": mark("Create recovery link"),
    "create_new_link": mark("Create new recovery link"),
    "revoke_link": mark("Revoke recovery link"),
    "recovery_link": mark("Your recovery link"),
    "link_once": mark("This link is shown only once. Copy it to a safe place, or scan it with your other device."),
    "link_as_qr": mark("Recovery link as a QR code"),
    "sign_out": mark("Sign out my other devices"),
    "sign_out_help": mark(
        "You will be signed out in all other browsers, programs can no longer play in your seats, and your recovery "
        "link stops working. You can create a new one afterwards."
    ),
    "confirm_sign_out": mark("Sign out all your other devices?"),
    "statistics": mark("Statistics"),
    "statistics_help": mark("Finished games in which you had one seat."),
    "game": mark("Game"),
    "seats_number": mark("Seats"),
    "games_played": mark("Games"),
    "games_won": mark("Won"),
    "wins_shared": mark("Shared"),
    "win_rate": mark("Win rate"),
    "vacation": mark("Vacation"),
    "vacation_help": mark(
        "While you are on vacation, your clocks in correspondence games are paused, and the other players see until "
        "when. You have {days} days in any 365; days you do not use are not lost."
    ),
    "vacation_left": mark("Days left: {days}"),
    "vacation_days": mark("Days"),
    "start_vacation": mark("Start vacation now"),
    "vacation_until": mark("You are on vacation until {date}."),
    "end_vacation": mark("End vacation now"),
    "open_data": mark("Open data"),
    "open_data_help": mark(
        "Researchers study how people play. If everyone at a table agrees, the finished game may be published in this "
        "server’s open archive: the moves and the result, without names or chat. Your games are left out unless you "
        "share them."
    ),
    "games_shared": mark(
        "You share your finished games. You can stop at any time; archives made before stay as they are."
    ),
    "share_games": mark("Share my finished games"),
    "stop_sharing_games": mark("Stop sharing my games"),
    "own_data": mark("Your data"),
    "own_data_help": mark(
        "Everything this server has stored about you, with the records of your finished games, as a zip archive."
    ),
    "download_data": mark("Download my data"),
    "erase_account": mark("Erase my account"),
    "erase_what": mark(
        "Your name, your messages, uploaded records, boards, addresses and devices are erased for good, and recovery "
        "links stop working. Nobody, including you, can use this account again, and its claimed name becomes free."
    ),
    "erase_games": mark(
        "Games in progress are resigned; tables that wait for players are left, or deleted if you set them up. "
        "Finished games stay for those who played with you, without your name."
    ),
    "erase_sure": mark("Yes, erase my account. I know that this cannot be undone."),
    "erase_tick": mark("Tick the box to confirm."),
    "erase_not": mark("Keep my account"),
    "muted_players": mark("Muted players"),
    "unmute_button": mark("Unmute"),
    "unmute_name": mark("Unmute {name}"),
    "when_your_turn": mark("When it is your turn"),
    "in_browser": mark("In this browser"),
    "sound": mark("Play a sound"),
    "allow_notifications": mark("Allow notifications"),
    "notifications_on": mark("Notifications are on. You will see them while an Omnibus page is open."),
    "notifications_blocked": mark("Notifications are blocked in this browser’s settings."),
    "notifications_unavailable": mark("This browser shows notifications only for pages with an https address."),
    "when_away": mark("When you are away"),
    "when_away_help": mark(
        "If a table has been waiting for you for a minute and you have no Omnibus page open, we send you a "
        "message, at most once every ten minutes."
    ),
    "push": mark("On this device"),
    "push_help": mark(
        "Your browser shows a message even when no Omnibus page is open. Switch it on once on every device. Only this "
        "server and your browser can read the messages."
    ),
    "push_switch": mark("Notify me on this device"),
    "push_on": mark("On. You will get a message here when a table waits for you."),
    "push_off": mark("Off."),
    "push_empty": mark("A table may be waiting for you."),
    "push_failed": mark("Your browser could not be registered."),
    "push_unavailable": mark("This browser cannot receive such messages here. It needs a page with an https address."),
    "webhook": mark("Webhook"),
    "webhook_help": mark(
        "The URL of an incoming webhook, for example from Slack, Mattermost or Discord. Leave empty for none."
    ),
    "save_webhook": mark("Save webhook"),
    "mail": mark("Email address"),
    "mail_help": mark(
        "We will send you a link to confirm it, and nothing else until you do. Leave empty for no emails."
    ),
    "mail_confirmed": mark("Confirmed. We send emails to this address."),
    "mail_unconfirmed": mark("Not confirmed yet. Open the link in the email we sent you."),
    "save_mail": mark("Save email address"),
    "send_test": mark("Send test message"),
    "delivered": mark("Delivered."),
    "accepted": mark("Accepted by the mail server. It should arrive soon."),
    "recovery": mark("Recovery link"),
    "continue_here": mark("Continue as {name} on this device"),
    "continue_help": mark("All your tables will be here. Nothing changes on your other devices."),
    "continue_as": mark("Continue as {name}"),
    "other_account": mark(
        "You are currently signed in as {other} in this browser (tables: {number}). If you continue, you lose"
        " access to those tables here, unless you create a recovery link first."
    ),
    "create_link_first": mark("Create a recovery link first"),
    "continue_anyway": mark("Continue as {name} anyway"),
    "already_signed_in": mark("You are already signed in as {name} in this browser."),
    "bad_link": mark("This recovery link does not work"),
    "bad_link_why": mark("It was revoked or replaced by a newer one, or part of the address is missing."),
    "bad_link_help": mark("Create a new one on a device where you are still signed in."),
    "emails": mark("Emails from Omnibus"),
    "emails_question": mark("{name} wants to get an email at {mail} when it is their turn. Is that you?"),
    "emails_on": mark("{name} gets an email at {mail} when it is their turn."),
    "emails_yes": mark("Yes, send me emails"),
    "emails_no": mark("No, do not send me emails"),
    "emails_stop": mark("Stop emails"),
    "emails_confirmed": mark("Thank you. Your address is confirmed."),
    "emails_stopped": mark("No more emails will be sent to this address."),
    "emails_bad_link": mark("This link is no longer valid."),
    "emails_bad_link_why": mark("The email address has been changed or removed."),
}

DONE: Final = {
    "name": mark("Name saved."),
    "claimed": mark("The name is yours alone now."),
    "revoked": mark("Recovery link revoked."),
    "signed-out": mark(
        "You are now signed in on this device only. If you had a recovery link, it no longer works; you can create a "
        "new one."
    ),
    "unmuted": mark("Unmuted. You will see their messages again."),
    "vacation": mark("Your vacation has begun. Your clocks in correspondence games are paused."),
    "no-vacation": mark("Your vacation is over. Your clocks run again."),
    "open-data": mark("Thank you. Your finished games may be published, without your name."),
    "no-open-data": mark("Your games will be left out of future archives."),
    "webhook": mark("Webhook saved."),
    "no-webhook": mark("Webhook removed."),
    "mail": mark("We sent you an email. Open the link in it to confirm your address."),
    "no-mail": mark("You will get no more emails."),
}
