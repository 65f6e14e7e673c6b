"""Mails: to which addresses, through which server, over which lines."""

from __future__ import annotations

import ssl
from contextlib import closing
from pathlib import Path

import pytest
import trustme

from omnibus.server.notices.mailer import (
    REJECTED,
    UNREACHABLE,
    Email,
    Mailer,
    MailServer,
    is_address,
    mail_server,
    written,
)
from omnibus.server.notices.webhook import Undelivered
from support.receivers import mailbox

HERE = MailServer("127.0.0.1", 25, "games@example.org")
STOP = "https://games.example.org/mail/x"


async def posted(server: MailServer, to: str = "zoe@example.org") -> str:
    """Why a mail was not taken; nothing if it was."""
    with closing(Mailer(server)) as mailer:
        try:
            await mailer.deliver(Email(to, "About", "Text", STOP))
        except Undelivered as error:
            return error.why
        return ""


async def test_mail_over_an_encrypted_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As soon as the server offers it; with a password only then, whatever the address of the server."""
    authority = trustme.CA()
    security = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("127.0.0.2").configure_cert(security)
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")

    with mailbox("127.0.0.2", tls_context=security) as (box, port):
        server = MailServer("127.0.0.2", port, "games@example.org")
        assert await posted(server) == UNREACHABLE  # nobody vouches for its certificate
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
        assert await posted(server) == ""
        assert box.encrypted == [True]

    with mailbox("127.0.0.2") as (box, port):
        server = mail_server(f"smtp://me:se%2Fcret@127.0.0.2:{port}?from=games@example.org")
        assert await posted(server) == REJECTED
        assert await posted(MailServer("127.0.0.2", port, "games@example.org")) == ""
        assert box.encrypted == [False]

    with mailbox("127.0.0.2", tls_context=security) as (box, port):
        box_url = f"127.0.0.2:{port}?from=games@example.org"
        assert await posted(mail_server(f"smtp://me:se%2Fcret@{box_url}")) == ""
        assert await posted(mail_server(f"smtp://me:wrong@{box_url}")) == REJECTED
        assert set(box.users) == {"me"}
        assert box.encrypted == [True]


async def test_mail_that_is_not_taken() -> None:
    """A server that is not there; one that refuses the address."""
    with mailbox() as (_, port):
        here = MailServer("127.0.0.1", port, "games@example.org")
        assert await posted(here, "x" * 300 + "@example.org") in ("", REJECTED)
    assert await posted(here) == UNREACHABLE


ADDRESSES = ["a@example.org", "a.b+c@sub.example.org", "o'neill@localhost", "x" * 64 + "@a.b"]
NO_ADDRESSES = [
    *("", "a", "@b", "a@", "a@b@c", "a b@c.d", "a@c.d\r\nBcc: x@y.z", "a@c.d\n", "<a@c.d>", "a@c.d,b@c.d", "a@-b.c"),
    *("a..b@c.d", ".a@c.d", 'a"b@c.d', "ä@c.d", "a@[127.0.0.1]", "x" * 65 + "@a.b", "a@" + "b." * 130 + "c"),
]


@pytest.mark.parametrize("text", [*ADDRESSES, *NO_ADDRESSES])
def test_mail_addresses(text: str) -> None:
    """Ordinary ones, and those of a server without a domain; nothing with which a header could be smuggled in."""
    assert is_address(text) is (text in ADDRESSES)


@pytest.mark.parametrize("field", ["to", "subject", "unsubscribe"])
def test_no_header_can_be_smuggled_in(field: str) -> None:
    """Should anything ever get this far, it is refused here."""
    fields = {"to": "a@b.c", "subject": "About", "unsubscribe": "https://x/"} | {field: "a@b.c\r\nBcc: all@example.org"}
    with pytest.raises(ValueError, match=r"linefeed|newline|carriage"):
        written(Email(text="Text", **fields), HERE)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("mail.example.org", "must look like"),
        ("http://mail.example.org?from=a@b.c", "must look like"),
        ("smtp://?from=a@b.c", "must look like"),
        ("smtp://mail.example.org/path?from=a@b.c", "must look like"),
        ("smtp://mail.example.org", "name the sender"),
        ("smtp://mail.example.org?from=nobody", "name the sender"),
        ("smtp://mail.example.org:port?from=a@b.c", "not a number"),
    ],
)
def test_mail_servers_that_cannot_be(url: str, why: str) -> None:
    """One sentence says what is missing."""
    with pytest.raises(ValueError, match=why):
        mail_server(url)


def test_mail_servers() -> None:
    """With or without a password, encrypted from the first byte or from the second."""
    assert mail_server("smtp://mail.example.org?from=a@b.c") == MailServer("mail.example.org", 587, "a@b.c")
    whole = mail_server("smtps://me%40x:p%3Aw@mail.example.org:4650/?from=a@b.c")
    assert whole == MailServer("mail.example.org", 4650, "a@b.c", secure=True, user="me@x", password="p:w")
    assert mail_server("smtps://h?from=a@b.c").port == 465
