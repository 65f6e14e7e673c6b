"""The words on the pages about oneself, by the names under which templates and scripts know them."""

from __future__ import annotations

from typing import Final

from omnibus.kernel.i18n import mark

ACCOUNT: Final = {
    "stranger": mark(
        "You are not known here yet. As soon as you give yourself a name or sit down at a table, "
        "this browser remembers you; there are no passwords."
    ),
    "your_name": mark("Your name"),
    "name_help": mark("The others see it at your tables, also at those where the game is going on."),
    "keep_name": mark("Save the name"),
    "nameless": mark("a player without a name"),
    "devices": mark("Your devices"),
    "devices_help": mark(
        "There are no passwords: a browser is recognized by a secret key it keeps. A recovery link brings you and all "
        "your tables to another device, or back if this one gets lost. Whoever has the link can play as you: keep it "
        "to yourself."
    ),
    "link_exists": mark("You have a recovery link. A new one replaces it: the old one is worthless then."),
    "make_link": mark("Make a recovery link"),
    "make_new_link": mark("Make a new recovery link"),
    "withdraw_link": mark("Withdraw the recovery link"),
    "link": mark("Your recovery link"),
    "link_once": mark("It is shown only now. Copy it to a safe place, or scan it with the other device."),
    "link_local": mark("This address leads to this machine only: other devices cannot open it."),
    "copy_link": mark("Copy"),
    "copied": mark("Copied"),
    "qr": mark("The recovery link as a QR code"),
    "sign_out": mark("Sign out my other devices"),
    "sign_out_help": mark(
        "Every other browser in which you are recognized forgets you; your recovery link stays valid."
    ),
    "sure_sign_out": mark("Really sign out all your other devices?"),
    "muted": mark("People you have muted"),
    "hear": mark("Hear again"),
    "hear_whom": mark("Hear {name} again"),
    "told": mark("When it is your turn"),
    "in_browser": mark("In this browser"),
    "sound": mark("Play a sound"),
    "allow": mark("Allow notifications"),
    "allowed": mark("Notifications are allowed: you will see them while a page of Omnibus is open."),
    "blocked": mark("Notifications are blocked in the settings of this browser."),
    "unable": mark("This browser shows notifications only of pages with an https address."),
    "elsewhere": mark("When you are not here"),
    "elsewhere_help": mark(
        "If a table has been waiting for you for a minute and none of your pages is open, you are told, "
        "at most once in ten minutes."
    ),
    "webhook": mark("Webhook"),
    "webhook_help": mark(
        "An address to which a short message is sent, for instance one made by Slack, Mattermost or Discord. "
        "Empty: none."
    ),
    "keep_webhook": mark("Save the webhook"),
    "mail": mark("Mail address"),
    "mail_help": mark("You are sent a link to confirm it; before that nothing else is sent. Empty: no mails."),
    "mail_confirmed": mark("Confirmed: you get mails at this address."),
    "mail_unconfirmed": mark("Not confirmed yet: open the link in the mail we have sent you."),
    "keep_mail": mark("Save the mail address"),
    "try_out": mark("Send a test"),
    "arrived": mark("It has arrived."),
    "taken": mark("The mail server has taken it; it should arrive soon."),
    "recover": mark("Recovery link"),
    "recover_who": mark("Go on as {name} on this device"),
    "recover_how": mark("All your tables will be here; on your other devices nothing changes."),
    "recover_as": mark("Go on as {name}"),
    "recover_other": mark(
        "Until now you have been somebody else in this browser: {other}, with tables of your own ({number}). "
        "You lose them here, unless you make a recovery link for them first."
    ),
    "recover_first": mark("First make a recovery link"),
    "recover_leave": mark("Go on as {name} all the same"),
    "recover_same": mark("In this browser you are {name} already."),
    "recover_bad": mark("This recovery link does not work"),
    "recover_bad_why": mark("It was withdrawn, or a newer one has replaced it, or a part of the address is missing."),
    "recover_bad_how": mark("Make a new one on a device on which you are still recognized."),
    "mails": mark("Mails from Omnibus"),
    "mails_asked": mark("{name} would like to be told by mail, at {mail}, when it is their turn. Is that you?"),
    "mails_sent": mark("{name} is told by mail, at {mail}, when it is their turn."),
    "mails_yes": mark("Yes, send mails to me"),
    "mails_no": mark("No, send me no mails"),
    "mails_stop": mark("No more mails"),
    "mails_confirmed": mark("Thank you: the address is confirmed."),
    "mails_stopped": mark("No more mails will be sent to this address."),
    "mails_bad": mark("This link is not valid any more."),
    "mails_bad_why": mark("The address was changed or removed in the meantime."),
}

SAID: Final = {
    "name": mark("Your name is saved."),
    "withdrawn": mark("The recovery link is withdrawn."),
    "alone": mark("You are recognized in this browser only."),
    "heard": mark("You hear them again."),
    "webhook": mark("The webhook is saved."),
    "no-webhook": mark("There is no webhook any more."),
    "mail": mark("We have sent you a mail: open the link in it."),
    "no-mail": mark("You get no more mails."),
}
