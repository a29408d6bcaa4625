"""What a client may do now: exactly what `submit` would not refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roundel.play.commands import TAKEBACK
from roundel.play.permissions import UNDO, permissions_of

if TYPE_CHECKING:
    from roundel.web.tables.table import Table


def permissions(table: Table, seats: frozenset[int]) -> list[str]:
    """The names of what any of these seats can do."""
    allowed = ["hint"] if can_have_hint(table, seats) else []
    seating, now = table.seating, table.now()
    away = [seat for seat in seating.absent if seating.is_away(seat)]
    for seat in sorted(seats):
        allowed += permissions_of(table.match, seat, now, free=seating.is_solo, away=away)
    if len(seats) < 2:  # nothing is there twice
        return allowed
    return [name for name in dict.fromkeys(allowed) if name != TAKEBACK or UNDO not in allowed]


def can_have_hint(table: Table, seats: frozenset[int]) -> bool:
    return table.match.turn in seats and table.hint_refusal() is None
