"""What somebody at the table asks for. Who may ask for a seat is known to the caller."""

from __future__ import annotations

from msgspec import Struct

DRAW, TAKEBACK = "draw", "takeback"
OFFERS = (DRAW, TAKEBACK)


class Asked(Struct, frozen=True, tag_field="kind", tag=str.lower):
    seat: int


class Act(Asked, frozen=True):
    ply: int  # how many actions the sender has seen
    action: str
    id: str = ""  # the sender's own; whoever stores the event knows which were done before
    after: int = -1  # of a computer: how many events it has seen; -1 for people
    path: tuple[str, ...] = ()  # the clicks that stand for the action, if it is empty


class TakeBack(Asked, frozen=True):
    free: bool = False  # all people share one screen


class Offer(Asked, frozen=True):
    what: str  # "draw" or "takeback"


class Answer(Asked, frozen=True):
    what: str
    yes: bool


class Resign(Asked, frozen=True):
    pass


class Abort(Asked, frozen=True):
    pass


class Claim(Asked, frozen=True):
    against: int
    is_away: bool = False  # the caller's judgement


class Say(Asked, frozen=True):
    phrase: int  # its number in PHRASES


class Sit(Asked, frozen=True):
    name: str = ""


class Rematch(Asked, frozen=True):
    match: str  # the id that the new match has got


Command = Act | TakeBack | Offer | Answer | Resign | Abort | Claim | Say | Sit | Rematch
