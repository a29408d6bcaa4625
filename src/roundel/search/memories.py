"""What a searcher keeps of several matches, within the memory that it was given.

The match that is searched has all the room that is left. The others rest, cut down to what is
likeliest to be needed again, and those that were asked for longest ago are dropped.
"""

from __future__ import annotations

from roundel.search.alphabeta_search import TranspositionTable
from roundel.search.options import MATCHES_KEPT
from roundel.search.tree_search import Tree

SHARE = 8  # a match at rest has at most this part of the memory, most need much less

Key = tuple[str, str]  # a game's name and a match; matches without a name are not kept apart


class Memories:
    def __init__(self, size: int) -> None:
        self.size = size  # bytes
        self.kept: dict[Key, Tree | TranspositionTable] = {}  # the last one asked for is the last

    @property
    def used(self) -> int:
        return sum(memory.bytes for memory in self.kept.values())

    def drop(self, match: str) -> None:
        """In all games."""
        self.kept = {key: memory for key, memory in self.kept.items() if key[1] != match}

    def make_room(self, key: Key | None, needed: int = 0) -> int:
        """The bytes that a match can have while all others rest; without a key, whatever is
        not kept. Others are dropped until they take no more than half of the memory, and there is
        as much as is needed."""
        mine = self.kept.pop(key, None) if key else None
        if key and not key[1]:
            self.kept.clear()
        for other, memory in self.kept.items():
            self.kept[other] = memory.at_rest(self.size // SHARE)
        most = min(self.size // 2, self.size - needed)
        while self.kept and (len(self.kept) >= MATCHES_KEPT or self.used > most):
            del self.kept[next(iter(self.kept))]
        room = self.size - self.used
        if key and mine is not None:
            self.kept[key] = mine
        return room
