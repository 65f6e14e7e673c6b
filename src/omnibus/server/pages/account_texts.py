"""The words on the pages about oneself, by the names under which templates and scripts know them."""

from __future__ import annotations

from typing import Final

from omnibus.kernel.i18n import mark

ACCOUNT: Final = {
    "stranger": mark(
        "You do not have an account yet. Choose a name or join a table, and this browser will remember you. "
        "There are no passwords."
    ),
    "your_name": mark("Your name"),
    "name_help": mark("Other players see it at your tables, including games in progress."),
    "keep_name": mark("Save name"),
    "nameless": mark("an unnamed player"),
    "devices": mark("Your devices"),
    "devices_help": mark(
        "There are no passwords: your browser keeps a secret key that identifies you. A recovery link signs "
        "you in on another device, with all your tables, and lets you back in if you lose this one. Anyone "
        "who has the link can play as you, so keep it to yourself."
    ),
    "link_exists": mark("You already have a recovery link. If you create a new one, the old one stops working."),
    "make_link": mark("Create recovery link"),
    "make_new_link": mark("Create new recovery link"),
    "withdraw_link": mark("Revoke recovery link"),
    "link": mark("Your recovery link"),
    "link_once": mark("This link is shown only once. Copy it to a safe place, or scan it with your other device."),
    "link_local": mark("This link only works on this computer. Other devices cannot open it."),
    "copy_link": mark("Copy"),
    "copied": mark("Copied"),
    "qr": mark("Recovery link as a QR code"),
    "sign_out": mark("Sign out my other devices"),
    "sign_out_help": mark("Every other browser signs you out. Your recovery link stays valid."),
    "sure_sign_out": mark("Sign out all your other devices?"),
    "muted": mark("Muted players"),
    "hear": mark("Unmute"),
    "hear_whom": mark("Unmute {name}"),
    "told": mark("When it is your turn"),
    "in_browser": mark("In this browser"),
    "sound": mark("Play a sound"),
    "allow": mark("Allow notifications"),
    "allowed": mark("Notifications are on. You will see them while an Omnibus page is open."),
    "blocked": mark("Notifications are blocked in this browser’s settings."),
    "unable": mark("This browser shows notifications only for pages with an https address."),
    "elsewhere": mark("When you are away"),
    "elsewhere_help": mark(
        "If a table has been waiting for you for a minute and you have no Omnibus page open, we send you a "
        "message, at most once every ten minutes."
    ),
    "webhook": mark("Webhook"),
    "webhook_help": mark(
        "The URL of an incoming webhook, for example from Slack, Mattermost or Discord. Leave empty for none."
    ),
    "keep_webhook": mark("Save webhook"),
    "mail": mark("Email address"),
    "mail_help": mark(
        "We will send you a link to confirm it, and nothing else until you do. Leave empty for no emails."
    ),
    "mail_confirmed": mark("Confirmed. We send emails to this address."),
    "mail_unconfirmed": mark("Not confirmed yet. Open the link in the email we sent you."),
    "keep_mail": mark("Save email address"),
    "try_out": mark("Send test message"),
    "arrived": mark("Delivered."),
    "taken": mark("Accepted by the mail server. It should arrive soon."),
    "recover": mark("Recovery link"),
    "recover_who": mark("Continue as {name} on this device"),
    "recover_how": mark("All your tables will be here. Nothing changes on your other devices."),
    "recover_as": mark("Continue as {name}"),
    "recover_other": mark(
        "You are currently signed in as {other} in this browser (tables: {number}). If you continue, you lose"
        " access to those tables here, unless you create a recovery link first."
    ),
    "recover_first": mark("Create a recovery link first"),
    "recover_leave": mark("Continue as {name} anyway"),
    "recover_same": mark("You are already signed in as {name} in this browser."),
    "recover_bad": mark("This recovery link does not work"),
    "recover_bad_why": mark("It was revoked or replaced by a newer one, or part of the address is missing."),
    "recover_bad_how": mark("Create a new one on a device where you are still signed in."),
    "mails": mark("Emails from Omnibus"),
    "mails_asked": mark("{name} wants to get an email at {mail} when it is their turn. Is that you?"),
    "mails_sent": mark("{name} gets an email at {mail} when it is their turn."),
    "mails_yes": mark("Yes, send me emails"),
    "mails_no": mark("No, do not send me emails"),
    "mails_stop": mark("Stop emails"),
    "mails_confirmed": mark("Thank you. Your address is confirmed."),
    "mails_stopped": mark("No more emails will be sent to this address."),
    "mails_bad": mark("This link is no longer valid."),
    "mails_bad_why": mark("The email address has been changed or removed."),
}

SAID: Final = {
    "name": mark("Name saved."),
    "withdrawn": mark("Recovery link revoked."),
    "alone": mark("You are now signed in on this device only."),
    "heard": mark("Unmuted. You will see their messages again."),
    "webhook": mark("Webhook saved."),
    "no-webhook": mark("Webhook removed."),
    "mail": mark("We sent you an email. Open the link in it to confirm your address."),
    "no-mail": mark("You will get no more emails."),
}
