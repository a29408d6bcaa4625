"""What a seat may ask for now: exactly that which `submit` would not refuse.

This is asked with every event for everybody at a table, so nothing is tried out here: a test holds
these few lines to `submit`.
"""

from __future__ import annotations

from collections.abc import Collection

from roundel.play.commands import DRAW, TAKEBACK
from roundel.play.judging import fallen
from roundel.play.match import OVER, PLAYING, Match
from roundel.play.setup import PERSON

UNDO, RESIGN, CLAIM, ABORT, REMATCH = "undo", "resign", "claim", "abort", "rematch"


def permissions_of(
    match: Match, seat: int, now: float, *, free: bool = False, away: Collection[int] = ()
) -> list[str]:
    """`free`: all people share one screen; `away`: the seats of people who have gone away."""
    sitting = match.seats[seat]
    if sitting.is_out or sitting.kind != PERSON:
        return []
    if match.status == OVER:
        return [] if match.rematch else [REMATCH]
    allowed = []
    if match.status == PLAYING and fallen(match, now) is None:
        allowed = while_playing(match, seat, free)
        if away and any(other != seat and other in match.people for other in away):
            allowed.append(CLAIM)
    return allowed if match.entries else [*allowed, ABORT]


def while_playing(match: Match, seat: int, free: bool) -> list[str]:
    allowed = []
    is_own_turn = match.turn == seat and match.is_inside_turn
    is_free = is_own_turn or free or match.people == [seat]
    if is_free and has_acted(match, match.people if free else [seat]):
        allowed.append(UNDO)
    elif is_open(match, seat, TAKEBACK) and (TAKEBACK in match.offers or has_acted(match, [seat])):
        allowed.append(TAKEBACK)
    if is_open(match, seat, DRAW):
        allowed.append(DRAW)
    return [*allowed, RESIGN]


def has_acted(match: Match, seats: list[int]) -> bool:
    """Whether there is something of theirs to take back."""
    for entry in reversed(match.entries):
        if entry.ply <= match.floor:
            return False
        if entry.seat in seats:
            return True
    return False


def is_open(match: Match, seat: int, what: str) -> bool:
    """Whether a seat may offer something, or agree to what another one offers."""
    if what in match.offers:
        return (what, seat) not in match.agreed
    return (what, seat) not in match.declined
