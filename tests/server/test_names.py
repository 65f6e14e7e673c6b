"""What those who sit at a table are called: people, bots, and people without a name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnibus.bots import names as bot_names
from omnibus.bots.nicknames import NICKNAMES, nickname
from omnibus.kernel.i18n import COMMON_TEXTS, ENGLISH, LANGUAGES, words
from omnibus.kernel.svg import SEATS, seat_name
from omnibus.server.store.models import Sitter, TableSetup
from omnibus.server.tables.names import names_of

WEAK = bot_names()[0]
FIGURES = {"sue", "hal", "deb", "charlie"}


def listed(language: str) -> list[str]:
    return words(language, COMMON_TEXTS).gettext(NICKNAMES).split(", ")


def setup(sitters: list[Sitter], table: str = "x0YKq3vD8nLJ5w2c") -> TableSetup:
    return TableSetup(table, "bus", 1, len(sitters), {}, 1, sitters, "ann", 0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_a_set_of_names(language: str) -> None:
    """As many in each, all different, none that a figure or a seat has; enough whoever else sits there."""
    names = listed(language)
    told = words(language, COMMON_TEXTS)
    assert len(names) == len(listed("en")) >= len(SEATS) ** 2
    assert len({name.casefold() for name in names}) == len(names)
    assert all(name and name == name.strip() for name in names)
    colours = {seat_name(seat, told).casefold() for seat in range(len(SEATS))}
    assert len(colours) == len(SEATS)
    assert not (FIGURES | colours) & {name.casefold() for name in names}


@given(st.data(), st.text(min_size=1), st.sampled_from(LANGUAGES))
def test_bots_of_a_table_have_different_names(data: st.DataObject, table: str, language: str) -> None:
    """In every seat another one, and always the same, unless a person is called so; the other bots keep theirs."""
    told = words(language, COMMON_TEXTS)
    undisturbed = [nickname(table, seat, (), told) for seat in range(len(SEATS))]
    assert len(set(undisturbed)) == len(SEATS)
    assert set(undisturbed) <= set(listed(language))
    assert names_of(setup([Sitter(bot=WEAK)] * len(SEATS), table), told) == undisturbed
    people = data.draw(st.lists(st.sampled_from(listed(language)), max_size=len(SEATS) - 1))
    bots = [Sitter(bot=WEAK)] * (len(SEATS) - len(people))
    names = names_of(setup([*(Sitter(user=name, name=name.upper()) for name in people), *bots], table), told)
    assert not {name.casefold() for name in names[: len(people)]} & {name.casefold() for name in names[len(people) :]}
    for name, other in list(zip(names, undisturbed, strict=True))[len(people) :]:
        assert name == other or other in people


def test_people_without_a_name_are_called_by_their_colour() -> None:
    """In the reader's language; no letters."""
    nameless = setup([Sitter(user="ann"), Sitter(user="bob", name="Bob"), Sitter()])
    assert names_of(nameless, ENGLISH) == ["Blue", "Bob", "Orange"]
    assert names_of(nameless, words("de", COMMON_TEXTS)) == ["Blau", "Bob", "Orange"]
