"""Abstract board games that were only ever printed rule sheets: complete rules, compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roundel import games as games
from roundel.core import hooks

if TYPE_CHECKING:
    from roundel.core.position import Position

__version__ = "0.1.0"


def _svg(position: Position) -> str:
    from roundel.picture import svg

    return svg(position)


hooks.svg = _svg
