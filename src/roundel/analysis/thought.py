"""What a search says about one position, in texts and winning chances.

A value v from -1 to 1 among n players is the chance p to win with v = p - (1 - p) / (n - 1): even
chances are a value of 0, for two to four players alike.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from roundel.bots import Choice
from roundel.core.position import Position

Search = Callable[[Position], Choice]

CANDIDATES = 5  # the best actions, listed
LINE = 8  # actions of the main line that are shown: what follows was hardly looked at


@dataclass(frozen=True)
class Candidate:
    """An action that was considered, and the chance to win that it gives to who plays it."""

    action: str
    chance: float  # in percent
    visits: int


@dataclass(frozen=True)
class Thought:
    """A position as a search sees it."""

    fen: str
    player: int | None  # who acts; None when the match is over
    chances: tuple[float, ...]  # of each player to win, in percent
    forced: bool = False  # there is one legal action only
    candidates: tuple[Candidate, ...] = ()  # the search's own choice first
    line: tuple[str, ...] = ()  # how the match would go on

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Thought:  # JSON; what is wrong raises
        """From what `dataclasses.asdict` makes of it."""
        player = data["player"]
        candidates = [
            Candidate(
                str(candidate["action"]), float(candidate["chance"]), int(candidate["visits"])
            )
            for candidate in data["candidates"]
        ]
        return cls(
            fen=str(data["fen"]),
            player=None if player is None else int(player),
            chances=tuple(map(float, data["chances"])),
            forced=bool(data["forced"]),
            candidates=tuple(candidates),
            line=tuple(map(str, data["line"])),
        )


def chance(value: float, players: int) -> float:
    """The chance to win that a value stands for, in percent.

    Examples:
        >>> chance(0.0, 2), chance(-1.0, 2), chance(-0.5, 3), chance(0.0, 4)
        (50.0, 0.0, 0.0, 25.0)
    """
    percent = 100 * (value * (players - 1) + 1) / players
    return round(min(max(percent, 0.0), 100.0), 2)


def think(position: Position, search: Search) -> Thought:
    """Search a position; where there is nothing to choose, the next one in which there is."""
    ahead, line = position, []
    while len(legal := ahead.legal()) == 1:
        line.append(ahead.write(legal[0]))
        ahead = ahead.play(legal[0])
    choice = None if ahead.over else search(ahead)
    values = ahead.returns if choice is None else choice.values
    chances = tuple(chance(value, position.game.players) for value in values)
    if line and position.player is not None:
        candidates = [Candidate(line[0], chances[position.player], choice.nodes if choice else 0)]
    else:
        candidates = candidates_of(ahead, choice) if choice else []
    line += texts_of(ahead, choice.line) if choice else []
    fen, forced = position.fen(), ahead is not position
    return Thought(fen, position.player, chances, forced, tuple(candidates), tuple(line[:LINE]))


def candidates_of(position: Position, choice: Choice) -> list[Candidate]:
    """The search's own choice, and what it looked at most beside it."""
    tried = [
        action for action, visits in choice.visits.items() if visits or action == choice.action
    ]
    tried.sort(key=lambda action: (action != choice.action, -choice.visits[action]))
    n = position.game.players
    return [
        Candidate(position.write(a), chance(choice.worths[a], n), choice.visits[a])
        for a in tried[:CANDIDATES]
    ]


def texts_of(position: Position, actions: tuple[int, ...]) -> list[str]:
    texts = []
    for action in actions[:LINE]:
        texts.append(position.write(action))
        position = position.play(action)
    return texts
