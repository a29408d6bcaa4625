"""Every folder in here is a game. Nothing else needs to be told about a new one."""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING

from roundel.core.errors import UnknownGame

if TYPE_CHECKING:
    from roundel.core.game import Game, Manifest
    from roundel.core.position import Position


def names() -> list[str]:
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)


def manifest(name: str) -> Manifest:
    if name not in names():
        raise UnknownGame(f"no game {name!r}; there are: {', '.join(names())}")
    found: Manifest = importlib.import_module(f"{__name__}.{name}").GAME
    return found


def load(spec: str) -> Game:
    """The game that a spec names: `NAME[:OPTION[=VALUE],...]`."""
    name, _, options = spec.partition(":")
    return manifest(name).with_options(options)


def from_fen(text: str) -> Position:
    """The position with that text, which names its game and options."""
    from roundel.core.position import Position

    return Position.from_fen(load(text.partition(";")[0]), text)
