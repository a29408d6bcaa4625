"""What the server asks a process, and what that answers: one line of JSON each."""

from __future__ import annotations

from typing import TypeVar

import msgspec


class Warm(msgspec.Struct, frozen=True, tag=True):
    """Load what the search of a game needs. Answered by `Warmed` or `Failed`."""

    name: str


class Think(msgspec.Struct, frozen=True, tag=True):
    """Choose an action. Answered by `Ready`, `SearchProgress`, and a `ChosenAction` or `Failed`."""

    spec: str
    start: str  # a position's text; "" for the start of the game
    actions: list[str]  # what was played since: with it, a search can go on where it was
    level: int
    seed: int
    seconds: float = 0.0  # after that it answers with what it has; set by the pool
    match: str = ""  # what is found is kept for its next question


class Read(msgspec.Struct, frozen=True, tag=True):
    """Replay a record. Answered by `Ready`, and `MatchRead`, `RecordRefused` or `Failed`."""

    content: str
    language: str  # of what is said about it


class Draw(msgspec.Struct, frozen=True, tag=True):
    """Make pixels of a picture. Answered by `Ready`, and `Drawn` or `Failed`."""

    svg: str
    width: int  # pixels


class Forget(msgspec.Struct, frozen=True, tag=True):
    """What was found for a match is not needed any more. Not answered."""

    match: str


class Stop(msgspec.Struct, frozen=True, tag=True):
    """Answer now."""


class Alive(msgspec.Struct, frozen=True, tag=True):
    """Said a few times a second, whatever else goes on: a process that is silent has stopped."""


class Preparing(msgspec.Struct, frozen=True, tag=True):
    """A game must be compiled for this machine: that takes a minute, once."""


class Ready(msgspec.Struct, frozen=True, tag=True):
    """Everything is loaded: from here on, time counts."""


class SearchProgress(msgspec.Struct, frozen=True, tag="Thought"):
    """How far a search has come."""

    seconds: float
    depth: int
    value: float  # the chance to win of the player who acts, in percent


class ChosenAction(msgspec.Struct, frozen=True, tag="Answer"):
    action: str
    level: int
    seconds: float = 0.0
    depth: int = 0
    value: float = 50.0  # as in `SearchProgress`
    line: list[str] = []  # how the match would go on
    note: str = ""  # what went wrong, to be translated; empty if nothing did


class Warmed(msgspec.Struct, frozen=True, tag=True):
    """The game is loaded."""


class MatchRead(msgspec.Struct, frozen=True, tag=True):
    """What a record holds, as it is stored."""

    setup: str
    events: list[str]
    result: str


class RecordRefused(msgspec.Struct, frozen=True, tag="Refused"):
    """What is wrong with a record."""

    code: str
    reason: str


class Drawn(msgspec.Struct, frozen=True, tag=True):
    png: bytes


class Failed(msgspec.Struct, frozen=True, tag=True):
    reason: str


PULSE = 0.25  # seconds from one `Alive` to the next

Question = Warm | Think | Read | Draw | Forget | Stop
Progress = Preparing | Ready | SearchProgress
Final = ChosenAction | Warmed | MatchRead | RecordRefused | Drawn | Failed
Reply = Alive | Progress | Final
T = TypeVar("T")


def encode_line(message: Question | Reply) -> bytes:
    return msgspec.json.encode(message) + b"\n"


def decode_line(line: bytes, kind: type[T]) -> T:
    """The message in a line; `ValueError` if it is none of that kind."""
    return msgspec.json.decode(line, type=kind)
