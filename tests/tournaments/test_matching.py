"""Matchings, against all that there are in small graphs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnibus.tournaments.matching import Matching

pytestmark = pytest.mark.uncompiled

Barred = dict[int, set[int]]


@st.composite
def graphs(draw: st.DrawFn) -> Barred:
    """A graph of up to nine vertices, as the pairs that are not in it."""
    size = draw(st.integers(1, 9))
    pairs = [(one, two) for one in range(size) for two in range(one)]
    absent = draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    barred: Barred = {vertex: set() for vertex in range(size)}
    for one, two in absent:
        barred[one].add(two)
        barred[two].add(one)
    return barred


def fewest_free(vertices: frozenset[int], barred: Barred) -> int:
    """Return how many vertices stay free in the largest matching, by trying all."""
    if not vertices:
        return 0
    first = min(vertices)
    rest = vertices - {first}
    found = [1 + fewest_free(rest, barred)]
    found += [fewest_free(rest - {other}, barred) for other in rest - barred[first]]
    return min(found)


def check(matching: Matching, vertices: frozenset[int], barred: Barred) -> None:
    assert {*matching.mates, *matching.free} == vertices
    assert not set(matching.mates) & set(matching.free)
    for one, two in matching.mates.items():
        assert matching.mates[two] == one
        assert two not in barred[one]
    assert len(matching.free) == fewest_free(vertices, barred)


@given(graphs())
def test_a_matching_is_as_large_as_can_be(barred: Barred) -> None:
    """Only those stay free whom no matching could cover too."""
    check(Matching(barred, barred), frozenset(barred), barred)


@given(graphs(), st.data())
def test_a_vertex_is_dropped_only_where_the_others_keep_their_mates(barred: Barred, data: st.DataObject) -> None:
    """A vertex that leaves costs nobody else a mate; otherwise nothing changes."""
    matching, vertices = Matching(barred, barred), frozenset(barred)
    vertex = data.draw(st.sampled_from(sorted(vertices)))
    covered = len(vertices) - len(matching.free)
    most = len(vertices) - 1 - fewest_free(vertices - {vertex}, barred)
    free = vertex in matching.free
    assert matching.drop(vertex) == (free or most == covered)
    check(matching, vertices if vertex in matching.mates else vertices - {vertex}, barred)


@given(graphs(), st.data())
def test_a_pair_is_fixed_only_where_all_others_can_be_paired(barred: Barred, data: st.DataObject) -> None:
    """A pair is taken out exactly if the rest has a matching without anybody left over."""
    matching, vertices = Matching(barred, barred), frozenset(barred)
    if matching.free:
        return
    one = data.draw(st.sampled_from(sorted(vertices)))
    two = data.draw(st.sampled_from(sorted(vertices - {one})))
    rest = vertices - {one, two}
    possible = two not in barred[one] and fewest_free(rest, barred) == 0
    assert matching.fix(one, two) == possible
    check(matching, rest if possible else vertices, barred)
