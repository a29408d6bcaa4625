"""Who can sit at a table beside people."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from roundel.core.game import Action

if TYPE_CHECKING:
    from roundel.core.position import Position

Bot = Callable[["Position"], Action]


def random_bot(seed: int) -> Bot:
    """Any legal action; the same for the same seed and position."""
    return lambda position: random.Random(f"{seed} {position.fen()}").choice(position.legal())


BOTS: dict[str, Callable[[int], Bot]] = {"random": random_bot}
HINTS = "random"  # who is asked for a hint
