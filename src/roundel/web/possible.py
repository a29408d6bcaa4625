"""What somebody may ask for now: exactly that which the heart of the table would not refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roundel.play.can import UNDO, can
from roundel.play.commands import TAKEBACK

if TYPE_CHECKING:
    from roundel.web.table import Table


def possible(table: Table, seats: frozenset[int]) -> list[str]:
    """The names of what any of these seats can do."""
    found = dict.fromkeys(["hint"] if can_have_hint(table, seats) else [])
    away = [seat for seat in table.absent if table.is_away(seat)]
    for seat in sorted(seats):
        names = can(table.match, seat, table.now(), free=table.is_solo, away=away)
        found |= dict.fromkeys(names)
    return [name for name in found if name != TAKEBACK or UNDO not in found]


def can_have_hint(table: Table, seats: frozenset[int]) -> bool:
    return table.match.turn in seats and table.hint_refusal() is None
