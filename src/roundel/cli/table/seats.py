"""Who sits where: people by their names, bots by theirs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from roundel.bots import BOTS, Bot
from roundel.core.errors import RoundelError
from roundel.core.lang import _
from roundel.record.match import tidy

if TYPE_CHECKING:
    from roundel.core.game import Game
    from roundel.core.position import Position


LEVEL = "level"  # the computer is called so, with a number behind it


class WrongSeats(RoundelError):
    """There are not that many seats, or a name cannot be written."""


class Seats:
    """The players' names, and the bots among them."""

    def __init__(self, names: list[str], seed: int) -> None:
        self.names = names
        made: dict[str, Bot] = {name: BOTS[name](seed) for name in names if name in BOTS}
        self.bots = [made.get(name) for name in names]

    def name(self, player: int) -> str:
        return self.names[player]

    def bot(self, position: Position) -> Bot | None:
        """The bot whose action it is."""
        return None if position.player is None else self.bots[position.player]

    def person(self, position: Position) -> bool:
        return not position.over and self.bot(position) is None

    def tags(self) -> dict[str, str]:
        return {f"P{number}": name for number, name in enumerate(self.names, 1)}


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


def seated(game: Game, text: str, seed: int, against: int | None = None) -> Seats:
    """`Anna,random` as seats; nobody named: people at all of them, or one against a level."""
    names = [tidy(name) for name in text.split(",")] if text else []
    if against is not None:
        names = filled(game, names, against)
    names = names or [""] * game.players
    if len(names) != game.players:
        wrong = _("{game} has {players} seats, not {found}")
        raise WrongSeats(wrong.format(game=game.spec, players=game.players, found=len(names)))
    for name in names:
        if not name.isprintable():
            raise WrongSeats(_("{name!r} is not a name that can be written").format(name=name))
    return Seats([name or default_name(i) for i, name in enumerate(names, 1)], seed)


def seated_again(game: Game, tags: Mapping[str, str], seed: int) -> Seats:
    """The seats that a record names."""
    players = range(1, game.players + 1)
    return Seats([tags.get(f"P{i}", "") or default_name(i) for i in players], seed)
