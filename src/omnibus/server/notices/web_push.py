"""Web Push: messages that reach a browser while no page is open.

The message is encrypted for the browser (RFC 8291) and handed to the push service of the browser's maker (RFC 8030),
signed with this server's own key (VAPID, RFC 8292). The service learns that there is a message, and nothing of it.
"""

from __future__ import annotations

import base64
import json
import os
import time
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from omnibus.kernel.i18n import mark
from omnibus.server.notices.webhook import BAD_STATUS, Undelivered, WebhookSender
from omnibus.server.notices.webhook_url import OWN_ADDRESS, BadAddress, read
from omnibus.server.store.push import PushStore, PushSubscription

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey, EllipticCurvePublicKey

AVAILABLE: Final = find_spec("cryptography") is not None
"""Whether the extra `push` is installed. It is imported late: a server without it starts as before."""

POINT_BYTES: Final = 65  # of an uncompressed public key
AUTH_BYTES: Final = 16
KEY_BYTES: Final = 32
RECORD_BYTES: Final = 4096  # what every push service takes
LONGEST: Final = RECORD_BYTES - 16 - 4 - 1 - POINT_BYTES - 1 - 16  # salt, size, length of the key, key; end, tag
LIFETIME_S: Final = 24 * 3600  # how long a push service keeps a message for a device that is off
SIGNED_FOR_S: Final = 12 * 3600  # the longest allowed is a day
GONE: Final = (404, 410)

NO_DEVICE: Final = mark("No device is registered any more.")
NOT_HTTPS: Final = mark("Push messages can only be sent to https addresses.")
TOO_LONG: Final = mark("The message is too long for push messages.")
BAD_SUBSCRIPTION: Final = mark("The browser sent a push subscription that is not valid.")


def encoded(value: bytes) -> str:
    """Write bytes in base64url without padding, as all of Web Push does."""
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """Read base64url; ValueError when it is not."""
    if not text.isascii() or any(not (letter.isalnum() or letter in "-_=") for letter in text):
        raise ValueError("not base64url")
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def new_key() -> str:
    """Return a new private key."""
    from cryptography.hazmat.primitives.asymmetric import ec

    return encoded(ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value.to_bytes(KEY_BYTES, "big"))


def public_key(key: str) -> str:
    """Return the public key of a private one, which browsers subscribe with."""
    return encoded(_point(_private(key).public_key()))


def _private(key: str) -> EllipticCurvePrivateKey:
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.derive_private_key(int.from_bytes(decoded(key), "big"), ec.SECP256R1())


def _point(key: EllipticCurvePublicKey) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def check(subscription: PushSubscription, here: str) -> None:
    """Raise Undelivered when nothing could be sent for a subscription; `here` is the address of this server."""
    try:
        encrypted(b"", subscription)
        service = read(subscription.endpoint)
    except BadAddress as error:
        raise Undelivered(str(error)) from None
    except ValueError:
        raise Undelivered(BAD_SUBSCRIPTION) from None
    if not service.secure:
        raise Undelivered(NOT_HTTPS)
    if service.site == urlsplit(here).netloc.lower():
        raise Undelivered(OWN_ADDRESS)


def encrypted(message: bytes, subscription: PushSubscription) -> bytes:
    """Encrypt a message for a browser, as one record of `aes128gcm`.

    ValueError when its keys are not valid, or the message does not fit into what every push service takes.
    """
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    if len(message) > LONGEST:
        raise ValueError(f"a message of {len(message)} bytes is too long")
    theirs, secret = decoded(subscription.p256dh), decoded(subscription.auth)
    if len(theirs) != POINT_BYTES or len(secret) != AUTH_BYTES:
        raise ValueError("the keys have another length")
    receiver = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs)
    sender, salt = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
    ours = _point(sender.public_key())
    shared = derived(secret, sender.exchange(ec.ECDH(), receiver), b"WebPush: info\0" + theirs + ours, KEY_BYTES)
    key = derived(salt, shared, b"Content-Encoding: aes128gcm\0", 16)
    nonce = derived(salt, shared, b"Content-Encoding: nonce\0", 12)
    head = salt + RECORD_BYTES.to_bytes(4, "big") + bytes([len(ours)]) + ours
    return head + AESGCM(key).encrypt(nonce, message + b"\x02", None)  # 2: the last record


def derived(salt: bytes, secret: bytes, purpose: bytes, length: int) -> bytes:
    """Derive a key from a secret (HKDF with SHA-256)."""
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(SHA256(), length, salt, purpose).derive(secret)


def authorization(key: str, endpoint: str, contact: str) -> str:
    """Return the header with which a push service knows this server: a signed statement for it alone (VAPID)."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
    from cryptography.hazmat.primitives.hashes import SHA256

    service = read(endpoint)
    scheme = "https" if service.secure else "http"
    claims = {"aud": f"{scheme}://{service.site}", "exp": int(time.time()) + SIGNED_FOR_S}
    if contact:
        claims["sub"] = contact
    parts = ({"typ": "JWT", "alg": "ES256"}, claims)
    said = ".".join(encoded(json.dumps(part, separators=(",", ":")).encode()) for part in parts)
    signature = decode_dss_signature(_private(key).sign(said.encode(), ec.ECDSA(SHA256())))
    signed = b"".join(number.to_bytes(KEY_BYTES, "big") for number in signature)
    return f"vapid t={said}.{encoded(signed)}, k={public_key(key)}"


class PushSender:
    """Sends push messages. `contact` is where the operator of a push service reaches the host of this server."""

    def __init__(self, store: PushStore, sender: WebhookSender, contact: str = "") -> None:
        self.store = store
        self._sender = sender
        self._contact = contact

    async def public_key(self) -> str:
        """Return the public key of this server."""
        return public_key(await self.store.key(new_key))

    async def deliver(self, user: str, message: bytes, topic: str = "") -> None:
        """Send a message to all devices of a user; Undelivered when it reached none of them.

        A message replaces one of the same topic that has not reached a device yet. Subscriptions that have ended are
        removed.
        """
        if len(message) > LONGEST:
            raise Undelivered(TOO_LONG)
        key = await self.store.key(new_key)
        reached, failure = False, Undelivered(NO_DEVICE)
        for subscription in await self.store.of(user):
            try:
                await self._deliver(key, subscription, message, topic)
                reached = True
            except Undelivered as error:
                failure = error
        if not reached:
            raise failure

    async def _deliver(self, key: str, subscription: PushSubscription, message: bytes, topic: str) -> None:
        headers = {
            "Authorization": authorization(key, subscription.endpoint, self._contact),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(LIFETIME_S),
            "Urgency": "high",
        }
        if topic:
            headers["Topic"] = topic
        status = await self._sender.post(subscription.endpoint, encrypted(message, subscription), headers)
        if status in GONE:
            await self.store.remove(subscription.endpoint)
            raise Undelivered(NO_DEVICE)
        if not 200 <= status < 300:
            raise Undelivered(BAD_STATUS, status=status)
