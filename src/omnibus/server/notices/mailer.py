"""Sends emails through the mail server given with --smtp."""

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

BAD_ADDRESS: Final = mark("This is not a valid email address.")
REJECTED: Final = mark("The mail server rejected the email.")
UNREACHABLE: Final = mark("The mail server could not be reached.")

_LOCAL: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS: Final = re.compile(rf"(?=.{{1,64}}@){_LOCAL}@(?:{_LABEL}\.)*{_LABEL}")


class MailServer(Struct, frozen=True):
    """A mail server: where it is, how to sign in, and the sender of all emails."""

    host: str
    port: int
    sender: str
    secure: bool = False
    """Whether the connection is encrypted from the start; otherwise STARTTLS is used if offered."""
    user: str = ""
    password: str = ""

    @property
    def domain(self) -> str:
        """The domain of the sender."""
        return self.sender.rpartition("@")[2]


class Email(Struct, frozen=True):
    """An email, and the link with which its reader unsubscribes."""

    to: str
    subject: str
    text: str
    unsubscribe: str


def is_address(text: str) -> bool:
    """Tell whether a text can be an email address."""
    return len(text) <= LONGEST_ADDRESS and _ADDRESS.fullmatch(text) is not None


def mailbox(address: str) -> str:
    """Return the mailbox that an address most likely leads to: without a tag (`name+tag@`), and in lower case."""
    local, _, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0] or local}@{domain}"


def mail_server(url: str) -> MailServer:
    """Read the URL of a mail server; ValueError says what is wrong with it, without the password."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise ValueError("the port in --smtp is not a number") from None
    if parts.scheme not in PORTS or not host or parts.path not in ("", "/"):
        raise ValueError("--smtp must look like smtp://user:password@host:587?from=games@example.org")
    sender = "".join(parse_qs(parts.query).get("from", []))
    if not is_address(sender):
        raise ValueError("--smtp must name the sender, as in ?from=games@example.org")
    return MailServer(
        host=host,
        port=port or PORTS[parts.scheme],
        sender=sender,
        secure=parts.scheme == "smtps",
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
    )


class Mailer:
    """Sends emails in threads of its own, so that slow mail servers hold nobody up."""

    def __init__(self, server: MailServer) -> None:
        self._server = server
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="mailer")

    async def deliver(self, email: Email) -> None:
        """Send an email; Undelivered says why the server did not accept it."""
        sending = asyncio.get_running_loop().run_in_executor(self._threads, _send, self._server, email)
        try:
            await sending
        except smtplib.SMTPConnectError:
            raise Undelivered(UNREACHABLE) from None
        except smtplib.SMTPException:
            raise Undelivered(REJECTED) from None
        except OSError:
            raise Undelivered(UNREACHABLE) from None

    def close(self) -> None:
        """Accept no further emails; finish those being sent."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def written(email: Email, server: MailServer) -> EmailMessage:
    """Write an email as a message; the policy refuses line breaks in headers, so that none can be injected."""
    message = EmailMessage(SMTP)
    message["From"] = f"Omnibus <{server.sender}>"
    message["To"] = email.to
    message["Subject"] = email.subject
    message["Date"] = formatdate()
    message["Message-ID"] = make_msgid("omnibus", server.domain)
    message["Auto-Submitted"] = "auto-generated"
    message["List-Unsubscribe"] = f"<{email.unsubscribe}>"
    message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(email.text)
    return message


def _send(server: MailServer, email: Email) -> None:
    """Talk to the mail server; a password is sent only over an encrypted connection, or to this machine."""
    security = ssl.create_default_context()
    smtp: smtplib.SMTP
    if server.secure:
        smtp = smtplib.SMTP_SSL(server.host, server.port, server.domain, timeout=TIMEOUT_S, context=security)
    else:
        smtp = smtplib.SMTP(server.host, server.port, server.domain, timeout=TIMEOUT_S)
    with closing(smtp):  # without QUIT: after a failed handshake the server would not understand it
        smtp.ehlo()
        encrypted = server.secure
        if not encrypted and smtp.has_extn("starttls"):
            smtp.starttls(context=security)
            encrypted = True
        if server.user:
            if not encrypted and not is_loopback(server.host):
                raise smtplib.SMTPNotSupportedError("the mail server offers no encryption")
            smtp.login(server.user, server.password)
        smtp.send_message(written(email, server))
        with suppress(smtplib.SMTPException, OSError):
            smtp.quit()
