"""Who sits where: people by their names, bots by theirs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from roundel.bots import BOTS
from roundel.core.errors import RoundelError
from roundel.core.lang import _
from roundel.play.setup import COMPUTER, PERSON, Seat, can_be_seen
from roundel.record.match import tidy

if TYPE_CHECKING:
    from roundel.core.game import Game


LEVEL = "level"  # the computer is called so, with a number behind it


class WrongSeats(RoundelError):
    """There are not that many seats, or a name cannot be written."""


def default_name(number: int) -> str:
    return _("Player {number}").format(number=number)


def levels() -> list[int]:
    """The levels at which the computer plays."""
    return sorted(int(name[len(LEVEL) :]) for name in BOTS if re.fullmatch(f"{LEVEL}[0-9]+", name))


def level_name(level: int) -> str:
    """What the computer is called at a level."""
    if level not in levels():
        known = ", ".join(map(str, levels())) or _("none")
        raise WrongSeats(_("no level {level}; there are: {known}").format(level=level, known=known))
    return f"{LEVEL}{level}"


def filled(game: Game, names: list[str], level: int) -> list[str]:
    """The computer at all seats that nobody has; one person at least is there."""
    names, computer = names or [""], level_name(level)
    if len(names) >= game.players:
        raise WrongSeats(_("{game} has no seat left for the computer").format(game=game.spec))
    return names + [computer] * (game.players - len(names))


def seat(name: str, number: int) -> Seat:
    """A bot if it is called like one."""
    return Seat(COMPUTER if name in BOTS else PERSON, name or default_name(number))


def seated(game: Game, text: str, against: int | None = None) -> tuple[Seat, ...]:
    """`Anna,random` as seats; nobody named: people at all of them, or one against a level."""
    names = [tidy(name) for name in text.split(",")] if text else []
    if against is not None:
        names = filled(game, names, against)
    names = names or [""] * game.players
    if len(names) != game.players:
        wrong = _("{game} has {players} seats, not {found}")
        raise WrongSeats(wrong.format(game=game.spec, players=game.players, found=len(names)))
    for name in names:
        if name and not can_be_seen(name):
            raise WrongSeats(_("{name!r} is not a valid name").format(name=name))
    return tuple(map(seat, names, range(1, game.players + 1)))


def seated_again(game: Game, tags: Mapping[str, str]) -> tuple[Seat, ...]:
    """The seats that a record names."""
    players = range(1, game.players + 1)
    return tuple(seat(tags.get(f"P{number}", ""), number) for number in players)
