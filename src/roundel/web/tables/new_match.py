"""What is drawn by lot before a match."""

from __future__ import annotations

import secrets
from collections.abc import Collection

from roundel.core.game import Game


def with_lots(game: Game, named: Collection[str] = ()) -> str:
    """The game's spec with a value drawn for each option that nobody is asked for."""
    options = dict(game.options)
    for option in game.manifest.options:
        if option.by_lot and option.name not in named:
            options[option.name] = secrets.choice(option.values or (False, True))
    return Game(game.manifest, options).spec
