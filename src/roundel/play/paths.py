"""The legal actions of a position as a tree of clicks, for a board that knows no rules."""

from __future__ import annotations

from typing import Any

from roundel.core.position import Position


def paths(position: Position) -> dict[str, Any]:
    """Spot by spot down to the action's text: `{"e3": {"e8": "e3-e8", "e4": "e3-e4"}}`."""
    tree: dict[str, Any] = {}
    state, game = position.state, position.game
    clicks, write = game.manifest.view.clicks, game.notation.write  # there may be thousands
    for action in position.legal():
        *spots, last = clicks(state, action)
        branch = tree
        for spot in spots:
            branch = branch.setdefault(spot, {})
        branch[last] = write(state, action)
    return tree
