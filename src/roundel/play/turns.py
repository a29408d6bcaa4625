"""The actions of a match one after the other, and whose they are."""

from __future__ import annotations

from msgspec import Struct, field

from roundel.core.position import Position


class PlayedAction(Struct, frozen=True):
    """One action of the live line."""

    ply: int  # how many actions there are with this one
    seat: int
    text: str
    passed: tuple[int, ...] = ()  # the seats that were passed over before it
    clock_ms: int = field(name="left", default=-1)  # on the seat's clock afterwards; -1 without one
    game_index: int = field(name="game", default=0)  # 1 in the second game of a pair


def passed_over(before: Position, after: Position) -> tuple[int, ...]:
    """The seats that the rules skip between two actions."""
    return before.passed(after)


def shared(winners: list[int], players: int) -> str:
    """The result if these win together."""
    if len(winners) == players == 2:
        return "draw"
    return "".join(f"p{seat + 1}" for seat in winners) + "win"
