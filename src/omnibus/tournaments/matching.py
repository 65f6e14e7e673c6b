"""Matchings in a graph where everybody may be matched with all but a few: Edmonds' blossom algorithm.

A matching is built vertex by vertex. Where a vertex finds no free partner, a path is looked for along which the
partners of others can be exchanged; so a matching is found whenever there is one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Set


class Matching:
    """A matching of some vertices; `barred` are those a vertex must not be matched with."""

    def __init__(self, vertices: Iterable[int], barred: Mapping[int, Set[int]]) -> None:
        self.mates: dict[int, int] = {}
        self.barred = barred
        self._vertices = dict.fromkeys(vertices)
        self._free = dict(self._vertices)
        for vertex in list(self._vertices):
            if vertex in self._free:
                self._cover(vertex)

    @property
    def free(self) -> list[int]:
        """The vertices without a mate: as few as there can be."""
        return list(self._free)

    def drop(self, vertex: int) -> bool:
        """Take a vertex out if no other one loses its mate by that; tell whether it was."""
        self._vertices.pop(vertex)
        mate = self.mates.pop(vertex, None)
        if mate is None:
            self._free.pop(vertex)
            return True
        del self.mates[mate]
        self._free[mate] = None
        if self._cover(mate):
            return True
        del self._free[mate]
        self._vertices[vertex] = None
        self.mates[vertex], self.mates[mate] = mate, vertex
        return False

    def fix(self, one: int, two: int) -> bool:
        """Take a pair out if all others keep a mate; tell whether it was. Nobody may be free before."""
        if two in self.barred[one]:
            return False
        others = [self.mates.pop(one), self.mates.pop(two)]
        del self._vertices[one], self._vertices[two]
        if others == [two, one]:
            return True
        for other in others:
            del self.mates[other]
            self._free[other] = None
        if self._cover(others[0]):
            return True
        for vertex, other in zip((one, two), others, strict=True):
            del self._free[other]
            self._vertices[vertex] = None
            self.mates[vertex], self.mates[other] = other, vertex
        return False

    def _cover(self, vertex: int) -> bool:
        """Find a mate for a free vertex; those who have one keep one, though perhaps another."""
        barred = self.barred[vertex]
        for other in self._free:
            if other != vertex and other not in barred:
                self._match(vertex, other)
                return True
        search = _Search(vertex, self._vertices, self.barred, self.mates)
        end = search.free_vertex()
        if end is None:
            return False
        del self._free[vertex], self._free[end]
        search.exchange(end)
        return True

    def _match(self, one: int, two: int) -> None:
        self.mates[one], self.mates[two] = two, one
        del self._free[one], self._free[two]


class _Search:
    """The search for a path from a free vertex to another, along which every second edge is in the matching.

    Outer vertices are an even number of edges from the root. An edge between two of them closes a cycle of odd length,
    a blossom: all its vertices are outer then, and have the same base.
    """

    def __init__(
        self, root: int, vertices: Iterable[int], barred: Mapping[int, Set[int]], mates: dict[int, int]
    ) -> None:
        self.root = root
        self.vertices = list(vertices)
        self.barred = barred
        self.mates = mates
        self.parents: dict[int, int] = {}
        self.base = {vertex: vertex for vertex in self.vertices}
        self.outer = {root}
        self.queue = deque([root])

    def free_vertex(self) -> int | None:
        """Return the free vertex at the end of a path; None if there is no such path."""
        while self.queue:
            vertex = self.queue.popleft()
            barred, mate = self.barred[vertex], self.mates.get(vertex)
            for other in self.vertices:
                if other == mate or other in barred or self.base[other] == self.base[vertex]:
                    continue
                if other in self.outer:
                    self._contract(vertex, other)
                elif other not in self.parents:
                    self.parents[other] = vertex
                    if other not in self.mates:
                        return other
                    self._reach(self.mates[other])
        return None

    def exchange(self, end: int) -> None:
        """Exchange the edges of the path that are in the matching for those that are not."""
        vertex: int | None = end
        while vertex is not None:
            parent = self.parents[vertex]
            following = self.mates.get(parent)
            self.mates[vertex], self.mates[parent] = parent, vertex
            vertex = following

    def _reach(self, vertex: int) -> None:
        self.outer.add(vertex)
        self.queue.append(vertex)

    def _contract(self, one: int, two: int) -> None:
        base = self._common_base(one, two)
        blossom = self._bases(one, base, two) | self._bases(two, base, one)
        for vertex in self.vertices:
            if self.base[vertex] in blossom:
                self.base[vertex] = base
                if vertex not in self.outer:
                    self._reach(vertex)

    def _common_base(self, one: int, two: int) -> int:
        seen = set()
        while True:
            one = self.base[one]
            seen.add(one)
            if one == self.root:
                break
            one = self.parents[self.mates[one]]
        while True:
            two = self.base[two]
            if two in seen:
                return two
            two = self.parents[self.mates[two]]

    def _bases(self, vertex: int, base: int, child: int) -> set[int]:
        """Return the bases on the way from a vertex to a base, and note the way round the blossom."""
        found = set()
        while self.base[vertex] != base:
            mate = self.mates[vertex]
            found |= {self.base[vertex], self.base[mate]}
            self.parents[vertex] = child
            child, vertex = mate, self.parents[mate]
        return found
