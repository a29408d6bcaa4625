"""What a search is asked for, and what it answers."""

from dataclasses import dataclass

from roundel.core.game import Action


@dataclass(frozen=True)
class Budget:
    """What a search may use; it ends with whatever is used up first, or when it is stopped."""

    seconds: float | None = None
    nodes: int | None = None  # positions that are looked at, or simulations
    level: int | None = None  # 1 to 10: how well it may play (`search/levels.py`)


@dataclass(frozen=True)
class Choice:
    """What a search has found: its action, and why."""

    action: Action
    values: tuple[float, ...]  # what each player can expect: 1 to win, 0 as an equal has it
    visits: dict[Action, int]  # how many nodes each action took
    worths: dict[Action, float]  # what each action promises to the player who acts
    line: tuple[Action, ...]  # how the match would go on
    nodes: int
    depth: int
    seconds: float
