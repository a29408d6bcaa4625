"""Players as text: `random`, `level3`, `full@200ms,threads=2`, `ugi@5000n,Level=3:COMMAND LINE`."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from roundel.bots import BOTS, LEVELS, Bot, Budget, Searcher, searching_bot
from roundel.core.errors import RoundelError
from roundel.core.game import Action, Game
from roundel.core.lang import _, either
from roundel.core.position import Position
from roundel.record.match import tidy
from roundel.tournament.engine import Engine

RANDOM, LEVEL, UCT, FULL, UGI = "random", "level", "uct", "full", "ugi"
SHAPES = ("random", "levelN", "uct@BUDGET", "full@BUDGET", "ugi@BUDGET:COMMAND")
UNITS: dict[str, Callable[[int], Budget]] = {
    "ms": lambda number: Budget(seconds=number / 1000),
    "n": lambda number: Budget(nodes=number),
}
BUDGET = re.compile(r"([1-9][0-9]{0,11})(ms|n)", re.ASCII)
DEFAULT = "1000ms"
SETTINGS = {"threads": range(1, 1025), "hash": range(1, 1 << 20)}  # of our own searches
MEMORY = 64  # MiB of a search that is not told otherwise


class WrongPlayer(RoundelError):
    """The text names no player."""


@dataclass(frozen=True)
class Contestant:
    """A player as it was named; `budget` is what it may use for each action."""

    name: str
    kind: str
    budget: Budget
    options: tuple[tuple[str, str], ...] = ()
    command: tuple[str, ...] = ()

    @property
    def threads(self) -> int:
        """How many cores it wants to itself."""
        named = {name.lower(): value for name, value in self.options}
        text = named.get("threads", "1")
        return int(text) if text.isascii() and text.isdigit() else 1


# -- From text --------------------------------------------------------------------


def read(text: str) -> Contestant:
    """`KIND[@BUDGET][,NAME=VALUE]...[:COMMAND]`."""
    head, colon, command = text.partition(":")
    named, *options = head.split(",")
    kind, at, budget = named.partition("@")
    name = tidy(text)
    if not name.isprintable():
        raise wrong(name, _("it contains unprintable characters"))
    if colon and kind != UGI:
        raise wrong(name, _("only ugi has a command line"))
    pairs = tuple(read_option(name, kind, option) for option in options)
    if len({key.lower() for key, _value in pairs}) < len(pairs):
        raise wrong(name, _("an option is given twice"))
    if kind in (UGI, UCT, FULL):
        limits = read_budget(name, budget if at else DEFAULT)
        program = read_command(name, command) if kind == UGI else ()
        return Contestant(name, kind, limits, pairs, program)
    if at or options:
        raise wrong(name, _("{kind} has no budget and no options").format(kind=kind))
    return Contestant(name, *read_plain(name, kind))


def wrong(name: str, reason: str) -> WrongPlayer:
    text = _("player {name!r}: {reason}")
    return WrongPlayer(text.format(name=name, reason=reason))


def read_plain(name: str, kind: str) -> tuple[str, Budget]:
    """The players that are nothing but a word."""
    if kind == RANDOM:
        return RANDOM, Budget()
    number = kind.removeprefix(LEVEL)
    if kind == number:
        raise wrong(name, _("expected {known}").format(known=either(SHAPES)))
    if number not in map(str, LEVELS):
        text = _("levels go from {low} to {high}")
        raise wrong(name, text.format(low=min(LEVELS), high=max(LEVELS)))
    return LEVEL, Budget(level=int(number))


def read_budget(name: str, text: str) -> Budget:
    match = BUDGET.fullmatch(text)
    if not match:
        reason = _("expected a budget like 200ms or 5000n, got {text!r}")
        raise wrong(name, reason.format(text=text))
    return UNITS[match[2]](int(match[1]))


def read_option(name: str, kind: str, text: str) -> tuple[str, str]:
    key, _equals, value = text.partition("=")
    if not (key and value) or len(value.split()) != 1 or len(key.split()) != 1:
        raise wrong(name, _("expected an option as NAME=VALUE, got {text!r}").format(text=text))
    if kind in (UCT, FULL):
        if key not in SETTINGS:
            reason = _("no option {name!r}; there are: {known}")
            raise wrong(name, reason.format(name=key, known=", ".join(SETTINGS)))
        allowed = SETTINGS[key]
        if not (value.isascii() and value.isdigit() and int(value[:20]) in allowed):
            reason = _("option {name}: expected a whole number from {low} to {high}")
            raise wrong(name, reason.format(name=key, low=allowed[0], high=allowed[-1]))
    return key, value


def read_command(name: str, text: str) -> tuple[str, ...]:
    try:
        words = tuple(shlex.split(text))
    except ValueError:
        raise wrong(name, _("the command line has an open quote")) from None
    if not words:
        raise wrong(name, _("expected a command line, as in ugi:COMMAND"))
    if shutil.which(words[0]) is None:
        raise wrong(name, _("there is no program {program!r}").format(program=words[0]))
    return words


# -- At the table -----------------------------------------------------------------


class Chooser(Protocol):
    """Sits at one table after the other."""

    def begin(self, game: Game, seed: int) -> None: ...
    def choose(self, position: Position) -> Action: ...
    def close(self) -> None: ...


class Own:
    """A bot of ours."""

    def __init__(self, make: Callable[[int], Bot]) -> None:
        self.make = make

    def begin(self, game: Game, seed: int) -> None:
        self.bot = self.make(seed)

    def choose(self, position: Position) -> Action:
        return self.bot(position)

    def close(self) -> None:
        pass


def searcher_of(contestant: Contestant) -> Searcher:
    memory = int(dict(contestant.options).get("hash", MEMORY))
    return Searcher(memory, contestant.threads, is_plain=contestant.kind == UCT)


def searching(contestant: Contestant) -> Callable[[int], Bot]:
    """Bots with the contestant's budget, one for each match: none knows what another found."""
    searcher = searcher_of(contestant)

    def bot_of(seed: int) -> Bot:
        searcher.forget()
        return searching_bot(searcher, contestant.budget, seed)

    return bot_of


def chooser(contestant: Contestant, margin: float, log: Path) -> Chooser:
    if contestant.kind == UGI:
        return Engine(contestant.command, contestant.budget, contestant.options, margin, log)
    return Own(BOTS[RANDOM] if contestant.kind == RANDOM else searching(contestant))


def prepare(game: Game, contestants: Iterable[Contestant]) -> None:
    """Compile what the searches need, once, before several processes would do it at once."""
    for contestant in contestants:
        if contestant.kind in (LEVEL, UCT, FULL):
            searcher_of(contestant).warm(game)
