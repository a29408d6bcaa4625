"""What a match is made of before anybody acts: game, seats, clock, and what happens to leavers."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec import Struct

from roundel.core.errors import RoundelError
from roundel.core.lang import _, either
from roundel.record.match import FEN, GAME, tidy
from roundel.record.replay import load, start
from roundel.search.levels import LEVELS

if TYPE_CHECKING:
    from roundel.core.game import Game
    from roundel.core.position import Position
    from roundel.play.match import Match

PERSON, COMPUTER, OPEN = "person", "computer", "open"
KINDS = (PERSON, COMPUTER, OPEN)
REPLACE, PASS_OVER = "computer", "passed"
LEAVERS = (REPLACE, PASS_OVER)
LONGEST_NAME = 40
# What counts as a letter or a sign, but shows nothing.
BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0\U0001d159")
LONGEST_CLOCK, LONGEST_INCREMENT = 24 * 3600, 3600  # seconds


class WrongSetup(RoundelError):
    """A match cannot be made like that."""


class Seat(Struct, frozen=True):
    """As the match was made; its index is the player of the rules."""

    kind: str  # an open seat waits for whoever has the invitation
    name: str = ""
    level: int = 0  # of a computer, 1 to 10


class Clock(Struct, frozen=True):
    """Fischer's: so much to begin with, and more after each turn. In seconds."""

    seconds: int
    increment: int = 0


class Setup(Struct, frozen=True):
    spec: str
    seats: tuple[Seat, ...]
    clock: Clock | None = None
    leaver: str = REPLACE  # with more than two players: replaced by the computer or passed over
    pair: bool = False  # two games on one board
    start: str = ""  # the position text to begin from


def game_of(setup: Setup) -> Game:
    return load(setup.spec)


def start_of(setup: Setup) -> Position:
    """Where the match begins."""
    return start({GAME: setup.spec, **({FEN: setup.start} if setup.start else {})})


def check(setup: Setup) -> None:
    """Raises an error that names what is wrong with a setup."""
    game = game_of(setup)
    if len(setup.seats) != game.players:
        text = _("{game} has {players} seats, not {found}")
        found = len(setup.seats)
        raise WrongSetup(text.format(game=game.spec, players=game.players, found=found))
    for number, seat in enumerate(setup.seats, 1):
        check_seat(number, seat)
    if setup.clock:
        check_clock(setup.clock)
    check_leaver(setup.leaver, game)
    check_pair(setup)
    if start_of(setup).over:
        raise WrongSetup(_("start: the match is over in this position"))


def check_pair(setup: Setup) -> None:
    game = game_of(setup)
    if setup.pair and game.manifest.second_game is None:
        raise WrongSetup(_("{game} is not played in pairs of games").format(game=game.name))


def check_seat(number: int, seat: Seat) -> None:
    if seat.kind not in KINDS:
        text = _("seat {number}: expected {expected}, got {found!r}")
        raise WrongSetup(text.format(number=number, expected=either(KINDS), found=seat.kind))
    check_name(seat.name)
    if seat.level not in (LEVELS if seat.kind == COMPUTER else (0,)):
        text = _("seat {number}: no level {level}; a computer has {low} to {high}, a person 0")
        low, high = min(LEVELS), max(LEVELS)
        raise WrongSetup(text.format(number=number, level=seat.level, low=low, high=high))


def can_be_seen(name: str) -> bool:
    """Whether every letter shows, and marks have a letter, sign or emoji to stand on."""
    has_ink = any(unicodedata.category(character)[0] in "LNPS" for character in name)
    return has_ink and name.isprintable() and not BLANK.intersection(name)


def check_name(name: str) -> None:
    if (name and not can_be_seen(name)) or name != tidy(name):
        raise WrongSetup(_("{name!r} is not a valid name").format(name=name))
    if len(name) > LONGEST_NAME:
        text = _("a name has at most {most} letters, not {found}")
        raise WrongSetup(text.format(most=LONGEST_NAME, found=len(name)))


def check_clock(clock: Clock) -> None:
    if not 1 <= clock.seconds <= LONGEST_CLOCK or not 0 <= clock.increment <= LONGEST_INCREMENT:
        text = _("clock: expected 1 to {most} seconds and an increment from 0 to {increment}")
        raise WrongSetup(text.format(most=LONGEST_CLOCK, increment=LONGEST_INCREMENT))


def check_leaver(leaver: str, game: Game) -> None:
    if leaver not in LEAVERS:
        text = _("leaver: expected {expected}, got {found!r}")
        raise WrongSetup(text.format(expected=either(LEAVERS), found=leaver))
    if leaver == PASS_OVER and game.players > 2 and not hasattr(game.rules, "retire"):
        text = _("leaver: {game} cannot go on without a player; expected {expected}")
        raise WrongSetup(text.format(game=game.name, expected=REPLACE))


class RematchPlan(NamedTuple):
    setup: Setup
    seats: tuple[int, ...]  # the seat that each of them had before


def rematch_of(match: Match) -> RematchPlan:
    """The same players once more, each one seat further, or as the game has it."""
    setup, game = match.setup, game_of(match.setup)
    players, again = len(match.seats), game.manifest.rematch
    before = tuple((seat - (again is None)) % players for seat in range(players))
    kept = [match.seats[seat] for seat in before]
    seats = tuple(Seat(seat.kind, seat.name, seat.level) for seat in kept)
    spec = again(game, match.result) if again else setup.spec
    return RematchPlan(msgspec.structs.replace(setup, spec=spec, seats=seats), before)
