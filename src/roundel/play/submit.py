"""What becomes of what somebody asks for: events, or a refusal that says why. Nothing changes.

The events are then stored, applied to the match and told to everybody, in this order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from roundel.core.errors import IllegalAction, RoundelError
from roundel.core.lang import _
from roundel.core.position import Position
from roundel.play import commands
from roundel.play.events import Acted, Rematched, Said, Seated
from roundel.play.judging import (
    ILLEGAL,
    INVALID,
    NOT_NOW,
    SEAT,
    STALE,
    TURN,
    Events,
    Refusal,
    refuse_over,
    refuse_strangers,
    refuse_unless_playing,
)
from roundel.play.leaving import abort, claim, flag, resign
from roundel.play.match import OVER, Match
from roundel.play.offers import answer, offer, take_back
from roundel.play.partial_action import PartialAction
from roundel.play.phrases import PHRASES
from roundel.play.setup import OPEN, WrongSetup, check_name
from roundel.play.turns import passed_over
from roundel.record.match import tidy

__all__ = ["Refusal", "Unfinished", "flag", "submit"]


def submit(match: Match, command: commands.Command, now: float) -> Events:
    """The events that follow; none if there is a rematch already."""
    if not 0 <= command.seat < len(match.seats):
        text = _("there is no seat {seat}; there are {seats}")
        raise Refusal(SEAT, text.format(seat=command.seat + 1, seats=len(match.seats)))
    return HANDLERS[type(command)](match, command, now)


# -- Actions --------------------------------------------------------------------


def act(match: Match, command: commands.Act, now: float) -> Events:
    if command.after < 0:
        refuse_strangers(match, command.seat)
    refuse_unless_playing(match, now)
    if command.ply != match.ply or 0 <= command.after < match.changed:
        text = _("the match has moved on: this was for ply {ply}, but it is at ply {now}")
        raise Refusal(STALE, text.format(ply=command.ply, now=match.ply))
    if command.seat != match.turn:
        text = _("it is not your turn. {prompt}")
        raise Refusal(TURN, text.format(prompt=match.position.prompt))
    after = judged(match, command.action or clicked(match, command.path))
    assert after.last is not None
    action, clock_ms = match.position.write(after.last), clock_after(match, after, now)
    return [Acted(command.seat, match.ply, action, command.id, clock_ms, at=now)]


class Unfinished(RoundelError):
    """Clicks that more must follow before they are an action."""


def clicked(match: Match, path: tuple[str, ...]) -> str:
    """The action that clicks stand for."""
    if not path:
        return ""
    try:
        action = PartialAction(match.position).complete(path)
    except IllegalAction as error:
        raise Refusal(ILLEGAL, str(error)) from None
    if action is None:
        raise Unfinished
    return match.position.write(action)


def judged(match: Match, text: str) -> Position:
    """Where a legal action leads."""
    if text.split() != [text]:
        raise Refusal(INVALID, _("expected one action, got {text!r}").format(text=text))
    try:
        return match.after(text)
    except IllegalAction as error:
        raise Refusal(ILLEGAL, str(error)) from None
    except RoundelError as error:
        raise Refusal(INVALID, str(error)) from None


def clock_after(match: Match, after: Position, now: float) -> int:
    """What the clock shows behind an action; the increment comes when the turn has ended."""
    clocks, clock, seat = match.clocks, match.setup.clock, match.turn
    if clocks is None or clock is None or seat is None:
        return -1
    has_ended = after.player != seat or passed_over(match.position, after)
    earned = 1000 * clock.increment if has_ended and clocks.running == seat else 0
    return clocks.remaining(seat, now) + earned


# -- Around the board -----------------------------------------------------------


def say(match: Match, command: commands.Say, now: float) -> Events:
    refuse_strangers(match, command.seat)
    if not 0 <= command.phrase < len(PHRASES):
        text = _("there is no phrase {number}; there are 0 to {last}")
        raise Refusal(INVALID, text.format(number=command.phrase, last=len(PHRASES) - 1))
    return [Said(command.seat, command.phrase, at=now)]


def sit(match: Match, command: commands.Sit, now: float) -> Events:
    refuse_over(match)
    if match.seats[command.seat].kind != OPEN:
        refuse_strangers(match, command.seat)
    name = tidy(command.name)
    try:
        check_name(name)
    except WrongSetup as error:
        raise Refusal(INVALID, str(error)) from None
    return [Seated(command.seat, name, at=now)]


def rematch(match: Match, command: commands.Rematch, now: float) -> Events:
    refuse_strangers(match, command.seat)
    if match.status != OVER:
        raise Refusal(NOT_NOW, _("the match is not over yet"))
    return [] if match.rematch else [Rematched(command.match, at=now)]


HANDLERS: dict[type, Callable[[Match, Any, float], Events]] = {
    commands.Act: act,
    commands.TakeBack: take_back,
    commands.Offer: offer,
    commands.Answer: answer,
    commands.Resign: resign,
    commands.Abort: abort,
    commands.Claim: claim,
    commands.Say: say,
    commands.Sit: sit,
    commands.Rematch: rematch,
}
