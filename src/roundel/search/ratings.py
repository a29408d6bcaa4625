"""How strong each level is, as it was measured: `levels.json` in a game's folder."""

from __future__ import annotations

import json
from typing import NamedTuple

from roundel import games

FILE = "levels.json"  # `scripts/levels.py` writes it


class LevelRating(NamedTuple):
    """Elo above a player of random actions, who has 0; the error is half of a 95 % interval."""

    level: int
    elo: float
    error: float


def ratings(name: str, players: int) -> list[LevelRating]:
    """Of all levels of a game with so many players; empty if nobody has measured them."""
    path = games.manifest(name).folder / FILE
    if not path.is_file():
        return []
    tables = json.loads(path.read_text(encoding="utf-8"))
    return [LevelRating(**row) for row in tables.get(str(players), [])]
