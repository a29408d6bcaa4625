"""What a record holds: tags, and for each game of the match its actions, grouped by turn.

All texts are kept tidy (one space between words), so that writing and reading change nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

TAG_NAME = re.compile(r"[A-Z][A-Za-z0-9]{0,31}", re.ASCII)
ACTION = re.compile(r"(?![0-9]+\.|\[|---)[^\s{}()<>]+")
CLOCK = re.compile(r"[0-9]{1,5}:[0-5][0-9]:[0-5][0-9](\.[0-9]{1,3})?", re.ASCII)
RESULT = re.compile(r"\*|draw|p[1-9](p[1-9])*win", re.ASCII)
GAME, FEN, OUTCOME = "Game", "Fen", "Result"
UNFINISHED = "*"  # the result of a match that nobody has won yet
DEEPEST = 32  # variations in variations


class Entry(NamedTuple):
    """One action, with what is said about it; variations are played instead of it."""

    action: str
    clock: str = ""  # hours:minutes:seconds, as the clock showed it after the action
    comment: str = ""
    variations: tuple[Line, ...] = ()


class Line(NamedTuple):
    """Turns one after the other; the comment is said before the first of them."""

    turns: tuple[tuple[Entry, ...], ...] = ()
    comment: str = ""

    def entries(self) -> Iterator[Entry]:
        for turn in self.turns:
            yield from turn


@dataclass(frozen=True)
class Record:
    """A match: one game, or two for a pair. The tag `Game` is always there, and first."""

    tags: dict[str, str]
    games: tuple[Line, ...] = (Line(),)

    @property
    def spec(self) -> str:
        return self.tags[GAME]

    @property
    def result(self) -> str:
        return self.tags.get(OUTCOME, UNFINISHED)


def tidy(text: str) -> str:
    """One space between words, and none around them."""
    return " ".join(text.split())


def flaw(text: str) -> int:
    """The place of the first character that is half a character or no UTF-8; -1 if all is well."""
    if text.isascii():
        return -1
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return error.start
    return -1
