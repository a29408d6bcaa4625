"""What a position can show of itself only with the help of floors above this one.

The package's `__init__` fills these in, so nothing in here imports upwards.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from roundel.core.position import Position

svg: Callable[[Position], str]  # a picture for notebooks
