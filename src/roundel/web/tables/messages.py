"""The messages of the socket, as they go over the wire. The field `t` tells them apart.

What is sent to an audience is made in `rendering.py`; here is only what it is made of.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType
from pydantic import Field

from roundel.core.board import AccountItem, BoardView
from roundel.play.setup import Clock
from roundel.play.turns import PlayedAction


def no_longer_than(most: int) -> tuple[object, object]:
    """For both who read what clients send: msgspec messages, pydantic the bodies of requests."""
    return Meta(max_length=most), Field(max_length=most)


def between(low: int, high: int) -> tuple[object, object]:
    return Meta(ge=low, le=high), Field(ge=low, le=high)


PROTOCOL = 1  # of these messages; raised when pages from before it cannot cope any more
Id = Annotated[str, *no_longer_than(64)]
SeatNumber = Annotated[int, *between(0, 3)]
Ply = Annotated[int, *between(0, 100_000)]
Text = Annotated[str, *no_longer_than(256)]
Name = Annotated[str, *no_longer_than(80)]
Clicks = Annotated[list[Annotated[str, *no_longer_than(16)]], *no_longer_than(32)]
Phrase = Annotated[int, *between(0, 255)]
CommandName = Literal[
    "undo", "resign", "offer", "answer", "abort", "claim", "rematch", "hint", "say"
]
OfferKind = Literal["draw", "takeback"]

# -- From a client --------------------------------------------------------------


class Incoming(Struct, frozen=True, tag_field="t", tag=str.lower):
    pass


class PlayAction(Incoming, frozen=True, tag="act"):
    """An action as text, or the clicks of one where players must see for themselves."""

    match: Id
    seat: SeatNumber
    ply: Ply
    action: Text = ""
    path: Clicks = []
    id: Id = ""


class Demand(Incoming, frozen=True, tag="do"):
    match: Id
    seat: SeatNumber
    what: CommandName
    id: Id = ""
    offer: OfferKind = "draw"
    yes: bool = False
    phrase: Phrase = 0
    against: SeatNumber = 0


class Preview(Incoming, frozen=True):
    """What the board would look like after an action."""

    match: Id
    seat: SeatNumber
    ply: Ply
    action: Text
    id: Id = ""


class Sync(Incoming, frozen=True):
    pass


class Ping(Incoming, frozen=True):
    pass


Message = PlayAction | Demand | Preview | Sync | Ping
decode = msgspec.json.Decoder(Message).decode

# -- To a client ----------------------------------------------------------------


class SeatView(Struct, frozen=True):
    name: str
    kind: str
    level: int
    level_name: str
    elo: float | None
    role: str
    piece: str
    mine: bool
    out: bool
    present: bool


class TableView(Struct, frozen=True):
    """What never changes, but for the seats."""

    id: str
    spec: str
    game: str
    title: str
    options: list[str]
    clock: Clock | None
    leaver: str
    pair: bool
    seats: list[SeatView]
    layout: Raw
    look: str
    created: float
    phrases: list[str]


class Offering(Struct, frozen=True):
    what: str
    seat: int


class Now(Struct):
    """What is so now: first for everybody, then for one audience after the other.

    Scripts can do without what is to be drawn.
    """

    status: str
    result: str
    reason: str
    ply: int
    turn: int | None
    clocks: list[int] | None
    running: int | None
    offers: list[Offering]
    game: int
    rematch: str | None
    unaided: bool
    points: tuple[int, ...]
    seats: list[SeatView] = []
    outcome: str = ""
    account: list[AccountItem] | None = None
    can: list[str] | UnsetType = UNSET
    prompt: str | UnsetType = UNSET
    view: Raw | UnsetType = UNSET
    last: Raw | UnsetType = UNSET
    paths: Raw | UnsetType | None = UNSET


class Outgoing(Struct, frozen=True, tag_field="t", tag=str.lower):
    pass


class Snapshot(Outgoing, frozen=True):
    seq: int
    table: TableView
    now: Now
    history: list[PlayedAction]
    page: str  # the version of the page that the server has


class EventMessage(Outgoing, frozen=True, tag="event"):
    seq: int
    id: str  # of the message that it answers
    event: Raw  # as it is stored
    now: Now
    kept: int  # entries that are as they were; those behind them follow
    history: list[PlayedAction]


class Ack(Outgoing, frozen=True):
    """Where no event with the same id is told: to scripts, and who asks a second time."""

    id: str
    seq: int


class Refused(Outgoing, frozen=True):
    id: str
    code: str
    reason: str
    retry: float = 0


class More(Outgoing, frozen=True):
    id: str
    path: list[str]


class Previewed(Outgoing, frozen=True, tag="preview"):
    id: str
    view: BoardView


class Hint(Outgoing, frozen=True):
    id: str
    action: str
    spots: list[str]
    line: str
    value: float


class Presence(Outgoing, frozen=True):
    seats: list[bool]
    watching: int


class Thinking(Outgoing, frozen=True):
    """The computer at a seat thinks; at no seat: it has done so."""

    seat: int | None
    seconds: float = 0
    depth: int = 0
    value: float = 0
    preparing: bool = False  # a game that nobody played here before is compiled first


class Paused(Outgoing, frozen=True):
    """Nothing can be saved, so clocks stand still and nothing is acknowledged."""

    reason: str  # empty: play goes on


class Notice(Outgoing, frozen=True):
    text: str


class Pong(Outgoing, frozen=True):
    pass


encode = msgspec.json.Encoder().encode


def packed(message: Outgoing) -> str:
    return encode(message).decode()
