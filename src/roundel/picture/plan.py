"""What all pictures of a game in a theme share: worked out once, then looked up."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from math import hypot
from string import Template

from roundel.core.game import BUTTON, Game

UNIT = 100  # from a spot to the next one
NEAR = 1.1  # how far the spots go that are shown around pieces
NAME = re.compile("([a-z]+)([0-9]+)", re.ASCII)

Point = tuple[float, float]


def number(value: float) -> str:
    """As short as it can be said, to a tenth."""
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")


def at(point: Point) -> str:
    return f'x="{number(point[0])}" y="{number(point[1])}"'


class Plan:
    """A game's style in one theme, with where things are."""

    def __init__(self, game: Game, theme: str) -> None:
        self.game, self.style = game, game.manifest.style
        self.prefix = f"{game.name}-{theme}-"
        self.palette = {**self.style.palette(theme), "id": self.prefix}
        kinds = {name: spot["kind"] for name, spot in game.layout["spots"].items()}
        self.kinds = {name: kind for name, kind in kinds.items() if kind != BUTTON}
        self.buttons = kinds.keys() - self.kinds.keys()  # nothing lies on them
        self.place = {
            name: (UNIT * spot["x"], UNIT * spot["y"])
            for name, spot in game.layout["spots"].items()
        }
        self.gridded = {name: match for name in self.kinds if (match := NAME.fullmatch(name))}
        self.defs = self.paint(self.style.defs)
        self.board = self.paint(self.style.board) + self.lines()
        self.looks = {
            **self.style.pieces,
            **{f"spot-{kind}": self.style.look_of_spot(kind) for kind in {*self.kinds.values()}},
            "mark": self.style.mark,
            "target": self.style.target,
        }
        self._near: dict[str, list[str]] = {}
        self._symbols: dict[str, str] = {}

    def paint(self, fragment: str) -> str:
        return Template(fragment).substitute(self.palette)

    def symbol(self, name: str) -> str:
        """The definition of a look; an unknown piece shows its first letters."""
        if name not in self._symbols:
            fragment = self.paint(self.looks.get(name) or unknown(name))
            self._symbols[name] = f'<g id="{self.prefix}{name}">{fragment}</g>'
        return self._symbols[name]

    def lines(self) -> str:
        ends = [[self.place[spot] for spot in line] for line in self.game.layout.get("lines", ())]
        path = "".join(
            f"M{number(x)} {number(y)}L{number(to_x)} {number(to_y)}"
            for (x, y), (to_x, to_y) in ends
        )
        line = f'<path d="{path}" stroke="$line" stroke-width="2.5" stroke-linecap="round"/>'
        return self.paint(line) if path else ""

    def around(self, spot: str) -> list[str]:
        """The spots next to a spot, and itself."""
        if spot not in self._near:
            x, y = self.place[spot]
            self._near[spot] = [
                other
                for other in self.gridded
                if hypot(self.place[other][0] - x, self.place[other][1] - y) <= NEAR * UNIT
            ]
        return self._near[spot]

    def crop(self, wanted: Iterable[str]) -> tuple[str, ...]:
        """Which spots are shown when those are wanted, in the order of the layout."""
        wanted = [spot for spot in wanted if spot in self.gridded]
        if not self.style.crop or not wanted:
            return tuple(self.kinds)
        if self.style.crop == "near":
            near = {spot for name in wanted for spot in self.around(name)}
            return tuple(spot for spot in self.kinds if spot in near)
        xs, ys = zip(*(self.place[spot] for spot in wanted), strict=True)
        left, right, top, bottom = min(xs) - UNIT, max(xs) + UNIT, min(ys) - UNIT, max(ys) + UNIT
        return tuple(
            spot
            for spot in self.kinds
            if left <= self.place[spot][0] <= right and top <= self.place[spot][1] <= bottom
        )


def unknown(name: str) -> str:
    letters = "".join(word[0] for word in name.split("-"))[:3]
    text = f'<text y="10" font-size="28" text-anchor="middle" fill="$ink">{letters}</text>'
    return f'<circle r="36" fill="$panel" stroke="$ink" stroke-width="4"/>{text}'


@functools.lru_cache(maxsize=64)
def plan_of(game: Game, theme: str) -> Plan:
    return Plan(game, theme)
