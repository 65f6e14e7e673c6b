"""The postman hands mails to the mail server the host has named."""

from __future__ import annotations

import asyncio
import re
import smtplib
import ssl
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid
from typing import Final
from urllib.parse import parse_qs, unquote, urlsplit

from msgspec import Struct

from omnibus.kernel.i18n import mark
from omnibus.server.config import is_loopback
from omnibus.server.notices.webhook import Undelivered

TIMEOUT_S: Final = 10.0
THREADS: Final = 2
LONGEST_ADDRESS: Final = 254  # characters
PORTS: Final = {"smtp": 587, "smtps": 465}

BAD_MAIL: Final = mark("This is not a valid email address.")
NOT_TAKEN: Final = mark("The mail server rejected the email.")
NOT_REACHED: Final = mark("The mail server could not be reached.")

_LOCAL: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS: Final = re.compile(rf"(?=.{{1,64}}@){_LOCAL}@(?:{_LABEL}\.)*{_LABEL}")


class MailServer(Struct, frozen=True):
    """The mail server of the host: where it is, as whom to speak to it, and from whom mails come."""

    host: str
    port: int
    sender: str
    secure: bool = False
    """Whether the line is encrypted from its first byte; else it is as soon as the server offers it."""
    user: str = ""
    password: str = ""

    @property
    def domain(self) -> str:
        """In whose name we speak."""
        return self.sender.rpartition("@")[2]


class Email(Struct, frozen=True):
    """A mail: to whom, about what, and the link with which its reader ends such mails."""

    to: str
    subject: str
    text: str
    stop: str


def is_address(text: str) -> bool:
    """Tell whether this can be a mail address."""
    return len(text) <= LONGEST_ADDRESS and _ADDRESS.fullmatch(text) is not None


def mail_server(url: str) -> MailServer:
    """Read which mail server to use; ValueError says what is wrong, without the password."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise ValueError("the mail server's port is not a port") from None
    if parts.scheme not in PORTS or not host or parts.path not in ("", "/"):
        raise ValueError("the mail server has to be named like smtp://user:password@host:587?from=games@example.org")
    sender = "".join(parse_qs(parts.query).get("from", []))
    if not is_address(sender):
        raise ValueError("the mail server's address has to say from whom mails come, with ?from=games@example.org")
    return MailServer(
        host=host,
        port=port or PORTS[parts.scheme],
        sender=sender,
        secure=parts.scheme == "smtps",
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
    )


class Mailer:
    """Sends mails in threads of its own, so that nobody waits for a mail server."""

    def __init__(self, server: MailServer) -> None:
        self._server = server
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="postman")

    async def deliver(self, letter: Email) -> None:
        """Send a mail; Undelivered says why the server did not take it."""
        sending = asyncio.get_running_loop().run_in_executor(self._threads, _send, self._server, letter)
        try:
            await sending
        except smtplib.SMTPConnectError:
            raise Undelivered(NOT_REACHED) from None
        except smtplib.SMTPException:
            raise Undelivered(NOT_TAKEN) from None
        except OSError:
            raise Undelivered(NOT_REACHED) from None

    def close(self) -> None:
        """Take no further mails; what is being sent may come to its end."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def written(letter: Email, server: MailServer) -> EmailMessage:
    """Write a mail down; no line of a header can be smuggled in: the policy refuses line breaks in them."""
    mail = EmailMessage(SMTP)
    mail["From"] = f"Omnibus <{server.sender}>"
    mail["To"] = letter.to
    mail["Subject"] = letter.subject
    mail["Date"] = formatdate()
    mail["Message-ID"] = make_msgid("omnibus", server.domain)
    mail["Auto-Submitted"] = "auto-generated"
    mail["List-Unsubscribe"] = f"<{letter.stop}>"
    mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    mail.set_content(letter.text)
    return mail


def _send(server: MailServer, letter: Email) -> None:
    """Speak with the mail server; a password goes over an encrypted line only, or stays on this machine."""
    security = ssl.create_default_context()
    line: smtplib.SMTP
    if server.secure:
        line = smtplib.SMTP_SSL(server.host, server.port, server.domain, timeout=TIMEOUT_S, context=security)
    else:
        line = smtplib.SMTP(server.host, server.port, server.domain, timeout=TIMEOUT_S)
    with closing(line):  # without a word: after a handshake that failed the server would not understand it
        line.ehlo()
        encrypted = server.secure
        if not encrypted and line.has_extn("starttls"):
            line.starttls(context=security)
            encrypted = True
        if server.user:
            if not encrypted and not is_loopback(server.host):
                raise smtplib.SMTPNotSupportedError("the mail server offers no encryption")
            line.login(server.user, server.password)
        line.send_message(written(letter, server))
        with suppress(smtplib.SMTPException, OSError):
            line.quit()
