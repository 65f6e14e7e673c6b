"""Users and their own settings: push messages, vacations."""

from __future__ import annotations

from typing import Annotated

from msgspec import Struct
from pydantic import ConfigDict, Field

from omnibus.server.api.models.common import Body
from omnibus.server.people.vacations import DAYS_A_YEAR


class Me(Struct, frozen=True):
    """A user."""

    id: str
    name: str


class NewUser(Struct, frozen=True):
    """A new user, with the token to authenticate with. The token is shown only here."""

    id: str
    name: str
    token: str


class RecoveryInfo(Struct, frozen=True):
    """What is known of your recovery link, in seconds since 1970; both are null if you have none."""

    created: float | None
    used: float | None
    """When it was last used; null: never, or before that was noted."""


class NewRecovery(Struct, frozen=True):
    """A new recovery link. It is shown only here."""

    link: str
    """The page on which whoever has it can sign in as you."""


class Claimed(Struct, frozen=True):
    """A user with a claimed name."""

    id: str
    name: str
    recovery: NewRecovery | None
    """The recovery link that was made with it, if the user had none; it is shown only here."""


class PushKeys(Body):
    """The keys of a browser, in base64url."""

    p256dh: Annotated[str, Field(max_length=200)]
    auth: Annotated[str, Field(max_length=100)]


class PushRequest(Body):
    """A push subscription, as browsers write it with `JSON.stringify`."""

    model_config = ConfigDict(extra="ignore")

    endpoint: Annotated[str, Field(max_length=500, examples=["https://push.example.org/send/abc"])]
    keys: PushKeys


class PushInfo(Struct, frozen=True):
    """What is needed to subscribe to push messages."""

    key: str
    """The server's public key, in base64url (`applicationServerKey`)."""
    endpoints: list[str]
    """Your subscriptions, the latest first."""


class VacationRequest(Body):
    """How long a vacation is to last."""

    days: Annotated[int, Field(ge=1, le=DAYS_A_YEAR, description="So many days from now.")]


class VacationInfo(Struct, frozen=True):
    """Your vacation."""

    until: float | None
    """When it ends, in seconds since 1970; null: you are not on vacation."""
    days_left: int
    """How many more days you can take: 30 in any 365."""
