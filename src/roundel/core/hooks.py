"""What positions need from the packages above `core`.

The `__init__` of `roundel` fills these in, so that nothing in here imports upwards.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from roundel.core.position import Position

svg: Callable[[Position], str]  # a picture for notebooks
