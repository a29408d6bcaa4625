"""A match under study: one search for each position, in order, as far as there is time."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from roundel.analysis.judging import VERDICTS, Thresholds, drop, thresholds
from roundel.analysis.thought import Search, Thought, think
from roundel.bots import Budget, choose
from roundel.core.errors import RoundelError
from roundel.core.lang import _
from roundel.core.position import Position
from roundel.record import Record, positions

A_SECOND = Budget(seconds=1.0)


class BrokenAnalysis(RoundelError):
    """There is nothing to analyse, or what was kept is the analysis of something else."""


@dataclass(frozen=True)
class Ply:
    """A position and the action that was played in it."""

    ply: int  # counted from the first position of the analysis
    thought: Thought
    action: str = ""  # empty where nothing was played
    drop: float | None = None  # None until the position after it was searched too
    verdict: str = ""

    @property
    def judged(self) -> bool:
        """Whether it tells anything about its player."""
        return self.drop is not None and not self.thought.forced


@dataclass(frozen=True)
class Side:
    """How one player played; None if nothing was to be chosen."""

    accuracy: float | None
    inaccuracy: int
    mistake: int
    blunder: int


@dataclass(frozen=True)
class Analysis:
    """All that was found, as plain data."""

    game: str
    budget: Budget
    seed: int
    thresholds: Thresholds
    positions: int  # more than there are plies if the analysis was interrupted
    plies: tuple[Ply, ...]
    sides: tuple[Side, ...]

    @property
    def complete(self) -> bool:
        return len(self.plies) == self.positions

    def data(self) -> dict[str, Any]:  # JSON of the fields above
        """Ready for JSON."""
        return {**asdict(self), "complete": self.complete}


class Study:
    """Searches a line of positions one after the other; `thoughts` has what is known so far."""

    def __init__(
        self, line: Iterable[Position], budget: Budget = A_SECOND, seed: int = 0, threads: int = 1
    ) -> None:
        self.line, self.budget, self.seed = list(line), budget, seed
        if not self.line:
            raise BrokenAnalysis(_("there is no position to analyse"))
        self.game = self.line[0].game
        self.actions = [played(before, after) for before, after in pairwise(self.line)]
        self.thoughts: list[Thought] = []
        search = functools.partial(choose, budget=budget, seed=seed, threads=threads)
        # What is forced leads to the position that is searched next.
        self.search: Search = functools.lru_cache(maxsize=2)(search)

    def steps(self) -> Iterator[Thought]:
        """Search what is left to search."""
        for position in self.line[len(self.thoughts) :]:
            self.thoughts.append(think(position, self.search))
            yield self.thoughts[-1]

    def resume(self, data: Any) -> None:  # whatever a file held: it is checked here
        """Take over what an earlier analysis has found; it must be one of the same match."""
        try:
            known = [Thought.from_data(ply["thought"]) for ply in data["plies"]]
            asked = data["budget"], data["seed"]
        except (KeyError, TypeError, ValueError, AttributeError):
            raise BrokenAnalysis(_("this is not an analysis")) from None
        if asked != (asdict(self.budget), self.seed):
            raise BrokenAnalysis(_("this is an analysis with another budget or seed"))
        here = [(position.fen(), position.player) for position in self.line[: len(known)]]
        if [(thought.fen, thought.player) for thought in known] != here:
            raise BrokenAnalysis(_("this is the analysis of another match"))
        if not all(self.sound(thought) for thought in known):
            raise BrokenAnalysis(_("this is not an analysis"))
        self.thoughts = known

    def sound(self, thought: Thought) -> bool:
        """Whether chances are chances, one for each player."""
        percents = all(0 <= chance <= 100 for chance in thought.chances)
        return percents and len(thought.chances) == self.game.players

    def analysis(self) -> Analysis:
        """What is known so far."""
        limits = thresholds(self.game.manifest)
        plies = tuple(self.ply(i, limits) for i in range(len(self.thoughts)))
        sides = tuple(side(player, plies, limits) for player in range(self.game.players))
        return Analysis(
            self.game.spec, self.budget, self.seed, limits, len(self.line), plies, sides
        )

    def ply(self, i: int, limits: Thresholds) -> Ply:
        thought, action = self.thoughts[i], self.actions[i] if i < len(self.actions) else ""
        if not action or i + 1 == len(self.thoughts):
            return Ply(i, thought, action)
        cost = drop(thought, action, self.thoughts[i + 1])
        return Ply(i, thought, action, cost, limits.verdict(cost))


def played(before: Position, after: Position) -> str:
    """The text of the action between two positions; empty between the two games of a pair."""
    if before.over:
        return ""
    action = after.actions[-1] if after.actions else None
    if action not in before.legal() or before.play(action) != after:
        text = _("{after} does not follow {before}")
        raise BrokenAnalysis(text.format(after=after.fen(), before=before.fen()))
    return before.write(action)


def side(player: int, plies: Iterable[Ply], limits: Thresholds) -> Side:
    own = [ply for ply in plies if ply.judged and ply.thought.player == player]
    accuracy = limits.accuracy(ply.drop or 0 for ply in own)
    return Side(accuracy, *(sum(ply.verdict == word for ply in own) for word in VERDICTS))


def analyse(
    match: Record | Iterable[Position], budget: Budget = A_SECOND, seed: int = 0, threads: int = 1
) -> Analysis:
    """Search every position of a match with a budget for each, and judge what was played.

    With one thread and a budget of nodes the answer is the same on every run.
    """
    line = positions(match) if isinstance(match, Record) else match
    study = Study(line, budget, seed, threads)
    for _thought in study.steps():
        pass
    return study.analysis()
