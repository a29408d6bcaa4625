"""Taking back and offering: what players settle between themselves."""

from __future__ import annotations

from roundel.core.lang import _, either
from roundel.play.commands import OFFERS, TAKEBACK, Answer, Offer, TakeBack
from roundel.play.events import Answered, Offered, TakenBack
from roundel.play.judging import (
    INVALID,
    NOT_NOW,
    Events,
    Refusal,
    refuse_strangers,
    refuse_unless_playing,
)
from roundel.play.match import Match


def take_back(match: Match, command: TakeBack, now: float) -> Events:
    """Freely inside one's own turn, and where no other person is concerned."""
    refuse_strangers(match, command.seat)
    refuse_unless_playing(match, now)
    is_own_turn = match.is_inside_turn and match.turn == command.seat
    if not (is_own_turn or command.free or match.people == [command.seat]):
        raise Refusal(NOT_NOW, _("the other players must agree to a take-back: ask them first"))
    ours = match.people if command.free else [command.seat]
    return [TakenBack(command.seat, ply_before(match, ours), at=now)]


def ply_before(match: Match, seats: list[int]) -> int:
    """The ply before the last action of one of these seats."""
    for entry in reversed(match.entries[match.floor :]):
        if entry.seat in seats:
            return entry.ply - 1
    raise Refusal(NOT_NOW, _("there is nothing to take back"))


def offer(match: Match, command: Offer, now: float) -> Events:
    """To all other people; who offers what is already offered agrees to it."""
    refuse_strangers(match, command.seat)
    refuse_unless_playing(match, now)
    check_what(command.what)
    if match.offers.get(command.what, command.seat) != command.seat:
        return answer(match, Answer(command.seat, command.what, True), now)
    if command.what in match.offers or (command.what, command.seat) in match.declined:
        raise Refusal(NOT_NOW, _("you have already offered that; wait for the next move"))
    if command.what == TAKEBACK:
        ply_before(match, [command.seat])
    if match.people == [command.seat]:
        return offer_to_computers(match, command, now)
    return [Offered(command.seat, command.what, at=now)]


def offer_to_computers(match: Match, command: Offer, now: float) -> Events:
    """They let anything be taken back, and play on."""
    if command.what == TAKEBACK:
        return take_back(match, TakeBack(command.seat), now)
    computer = next(seat for seat in match.staying if seat != command.seat)
    offered = Offered(command.seat, command.what, at=now)
    return [offered, Answered(computer, command.what, False, at=now)]


def answer(match: Match, command: Answer, now: float) -> Events:
    """The last yes brings it about. Who has offered may still say no."""
    refuse_strangers(match, command.seat)
    refuse_unless_playing(match, now)
    check_what(command.what)
    if command.what not in match.offers:
        raise Refusal(NOT_NOW, _("that offer no longer stands"))
    if command.yes and (command.what, command.seat) in match.agreed:
        raise Refusal(NOT_NOW, _("you have already agreed"))
    answered = Answered(command.seat, command.what, command.yes, at=now)
    is_settled = command.yes and match.is_agreed(command.what, also=command.seat)
    if command.what != TAKEBACK or not is_settled:
        return [answered]
    asker = match.offers[TAKEBACK]
    return [answered, TakenBack(asker, ply_before(match, [asker]), at=now)]


def check_what(what: str) -> None:
    if what not in OFFERS:
        text = _("expected {expected}, got {found!r}")
        raise Refusal(INVALID, text.format(expected=either(OFFERS), found=what))
