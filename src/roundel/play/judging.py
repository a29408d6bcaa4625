"""Who may ask for something, and when; and how it is refused."""

from __future__ import annotations

from roundel.core.errors import RoundelError
from roundel.core.lang import N_, _
from roundel.play.events import Event
from roundel.play.match import OVER, PLAYING, Match
from roundel.play.setup import COMPUTER, OPEN, PERSON

Events = list[Event]
STALE, TURN, ILLEGAL, OVER_CODE = "stale", "turn", "illegal", "over"
SEAT, NOT_NOW, INVALID = "seat", "not_now", "invalid"
NOBODY = {
    PERSON: N_("the player on seat {seat} has left"),
    COMPUTER: N_("the computer plays on seat {seat}"),
    OPEN: N_("nobody has taken seat {seat} yet"),
}


class Refusal(RoundelError):
    """Why something is not done: a code for programs, a text for people."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(code, text)
        self.code, self.text = code, text

    def __str__(self) -> str:
        return self.text


def refuse_strangers(match: Match, seat: int) -> None:
    """Only people who have not left ask for something."""
    sitting = match.seats[seat]
    if sitting.is_out or sitting.kind != PERSON:
        raise Refusal(SEAT, _(NOBODY[sitting.kind]).format(seat=seat + 1))


def refuse_over(match: Match) -> None:
    if match.status == OVER:
        raise Refusal(OVER_CODE, _("the match is over"))


def refuse_unless_playing(match: Match, now: float) -> None:
    refuse_over(match)
    if match.status != PLAYING:
        raise Refusal(NOT_NOW, _("the match begins when all seats are taken"))
    if fallen(match, now) is not None:
        raise Refusal(NOT_NOW, _("time is up"))


def fallen(match: Match, now: float) -> int | None:
    """The seat whose time is up."""
    clocks = match.clocks
    if clocks is None or clocks.running is None or clocks.remaining(clocks.running, now):
        return None
    return clocks.running
