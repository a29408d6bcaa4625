"""The log of a match: what happened, one row each. Everything else follows from it."""

from __future__ import annotations

from msgspec import Struct, field


class Happened(Struct, frozen=True, kw_only=True, tag_field="kind", tag=str.lower):
    at: float  # seconds of the match's own time, which stands still while nobody counts it


class Seated(Happened, frozen=True):
    """An open seat is taken, or a person is called otherwise."""

    seat: int
    name: str


class Acted(Happened, frozen=True):
    seat: int
    ply: int  # how many actions came before
    action: str
    id: str = ""  # the sender's own, so that a repeated message is known
    clock_ms: int = field(name="left", default=-1)  # on the seat's clock afterwards; -1 without one


class TakenBack(Happened, frozen=True):
    seat: int
    ply: int  # how many actions are left


class Offered(Happened, frozen=True):
    seat: int
    what: str  # "draw" or "takeback"


class Answered(Happened, frozen=True):
    seat: int
    what: str
    yes: bool


class Resigned(Happened, frozen=True):
    seat: int


class Flagged(Happened, frozen=True):
    """The seat's time ran out."""

    seat: int


class Claimed(Happened, frozen=True):
    """Somebody who went away is given up by another player."""

    seat: int
    against: int


class Replaced(Happened, frozen=True):
    """The computer plays on for a player who left."""

    seat: int
    level: int


class Passed(Happened, frozen=True):
    """A player who left is passed over from now on."""

    seat: int


class Aborted(Happened, frozen=True):
    seat: int


class Ended(Happened, frozen=True):
    """An uploaded record says how it ended, where the rules do not."""

    result: str
    reason: str


class Said(Happened, frozen=True):
    seat: int
    phrase: int  # its number in PHRASES


class Rematched(Happened, frozen=True):
    match: str  # where it goes on


Event = (
    Seated
    | Acted
    | TakenBack
    | Offered
    | Answered
    | Resigned
    | Flagged
    | Claimed
    | Replaced
    | Passed
    | Aborted
    | Ended
    | Said
    | Rematched
)
