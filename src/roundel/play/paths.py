"""The legal actions of a position as a tree of clicks, for a board that knows no rules."""

from __future__ import annotations

from typing import Any

from roundel.core.position import Position

Tree = dict[str, Any]  # a spot -> a text, or a tree again: mypy cannot tell them apart in the loop


def paths(position: Position) -> Tree:
    """Spot by spot down to the action's text: `{"e3": {"e8": "e3-e8", "e4": "e3-e4"}}`."""
    tree: Tree = {}
    for spots, text in position.click_paths():  # there may be thousands, and most are of two clicks
        if len(spots) == 2:
            first, last = spots
            if first in tree:
                tree[first][last] = text
            else:
                tree[first] = {last: text}
            continue
        branch = tree
        for spot in spots[:-1]:
            branch = branch.setdefault(spot, {})
        branch[spots[-1]] = text
    return tree
