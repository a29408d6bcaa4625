"""The position that shows what a game is like, wherever games are chosen or described.

A game's `pictures/typical.txt` says which one, as `SPEC | ACTIONS`; without it, it is the start.
"""

from roundel.core.game import Manifest
from roundel.core.position import Position

FILE = "pictures/typical.txt"


def typical(manifest: Manifest) -> Position:
    path = manifest.folder / FILE
    if not path.is_file():
        return manifest.with_options().start()
    spec, actions = path.read_text(encoding="utf-8").split("|")
    return manifest.with_options(spec.strip().partition(":")[2]).start(actions)
