"""Leaving a match: by resigning, by time, or by going away. With two players that ends it."""

from __future__ import annotations

from roundel.core.lang import _
from roundel.play.commands import Abort, Claim, Resign
from roundel.play.events import Aborted, Claimed, Flagged, Passed, Replaced, Resigned
from roundel.play.judging import (
    NOT_NOW,
    Events,
    Refusal,
    fallen,
    refuse_over,
    refuse_strangers,
    refuse_unless_playing,
)
from roundel.play.match import Match
from roundel.play.setup import REPLACE

SUBSTITUTE = 5  # the level of a computer that plays on for somebody


def leave(match: Match, seat: int, now: float) -> Events:
    """What follows if the match goes on without that player."""
    if match.ends_without(seat):
        return []
    if match.setup.leaver == REPLACE:
        return [Replaced(seat, SUBSTITUTE, at=now)]
    return [Passed(seat, at=now)]


def flag(match: Match, now: float) -> Events:
    """What a clock that ran out brings; nothing while there is time."""
    seat = fallen(match, now)
    return [] if seat is None else [Flagged(seat, at=now), *leave(match, seat, now)]


def resign(match: Match, command: Resign, now: float) -> Events:
    refuse_strangers(match, command.seat)
    refuse_unless_playing(match, now)
    return [Resigned(command.seat, at=now), *leave(match, command.seat, now)]


def claim(match: Match, command: Claim, now: float) -> Events:
    refuse_strangers(match, command.seat)
    refuse_unless_playing(match, now)
    away = [seat for seat in match.people if seat != command.seat and command.is_away]
    if command.against not in away:
        raise Refusal(NOT_NOW, _("that player has not left"))
    return [
        Claimed(command.seat, command.against, at=now),
        *leave(match, command.against, now),
    ]


def abort(match: Match, command: Abort, now: float) -> Events:
    """A match that has not begun is nobody's loss."""
    refuse_strangers(match, command.seat)
    refuse_over(match)
    if match.entries:
        raise Refusal(NOT_NOW, _("the match has begun: you can only resign now"))
    return [Aborted(command.seat, at=now)]
