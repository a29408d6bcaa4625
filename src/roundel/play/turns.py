"""The actions of a match one after the other, and whose they are."""

from __future__ import annotations

from msgspec import Struct

from roundel.core.position import Position


class Entry(Struct, frozen=True):
    """One action of the live line."""

    ply: int  # how many actions there are with this one: the position behind it is `line[ply]`
    seat: int
    text: str
    passed: tuple[int, ...] = ()  # the seats that were passed over before it
    left: int = -1  # milliseconds on the seat's clock behind it; -1 without a clock
    game: int = 0  # 1 in the second game of a pair


def passed_over(before: Position, after: Position) -> tuple[int, ...]:
    """The seats that the rules skip between two actions."""
    return before.passed(after)


def shared(winners: list[int], players: int) -> str:
    """The result if these win together."""
    if len(winners) == players == 2:
        return "draw"
    return "".join(f"p{seat + 1}" for seat in winners) + "win"
