"""A position in characters: spots where the layout has them, pieces as the game's style has them.

Everything can be read without colour. One column before each spot is kept for a mark.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from math import floor, hypot
from typing import NamedTuple

from rich.segment import Segment
from rich.style import Style as Look

from roundel.core.game import Game
from roundel.core.position import Position
from roundel.core.style import Glyph, Letters
from roundel.picture.parts import edge_labels
from roundel.picture.plan import UNIT, plan_of

THEME = "dark"
COVER = "\N{NO-BREAK SPACE}"
HIGHEST = 3  # rows from a spot to the closest one, if the style does not say
EMPTY = " · "  # a spot of a game that does not say how it looks
CURSOR = "[]"
TARGET, PATH, LAST, HINT = "›", "»", "•", "?"  # the marks before a spot


class Place(NamedTuple):
    """Where a spot is drawn; the mark stands one column before it."""

    column: int
    row: int
    width: int

    @property
    def middle(self) -> float:
        return self.column + self.width / 2


@dataclass(frozen=True)
class TerminalMarks:
    """What is laid over a board."""

    cursor: str = ""
    targets: frozenset[str] = frozenset()
    path: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    hint: tuple[str, ...] = ()

    def sign(self, spot: str) -> str:
        """The most important mark of a spot."""
        signs = ((self.path, PATH), (self.hint, HINT), (self.targets, TARGET), (self.last, LAST))
        return next((sign for spots, sign in signs if spot in spots), "")


def width(letters: Letters, kind: str) -> int:
    return len(letters.spots.get(kind, EMPTY))


@functools.lru_cache(maxsize=64)
def scale(game: Game) -> tuple[float, float]:
    """Characters for a distance of 1: as the style says, or so that spots do not overlap."""
    letters, plan = game.manifest.style.letters, plan_of(game, THEME)
    if letters.columns and letters.rows:
        return letters.columns, letters.rows
    apart = [
        (abs(x - other_x) / UNIT, abs(y - other_y) / UNIT)
        for (x, y), (other_x, other_y) in combinations([plan.place[s] for s in plan.kinds], 2)
    ]
    wide = 1 + max(width(letters, kind) for kind in plan.kinds.values())
    closest = min((hypot(*each) for each in apart), default=1)
    columns = letters.columns or wide / closest
    steps = [down for across, down in apart if down and nearest(across * columns) < wide]
    return columns, letters.rows or min(1 / min(steps, default=1), HIGHEST / closest)


def nearest(value: float) -> int:
    """Halves go up, also those that are not quite one: what is 1 apart must stay so."""
    return floor(value + 0.5 + 1e-6)


class Drawing:
    """Characters with their colours by row and column, and where each spot is among them."""

    def __init__(self, position: Position, wanted: Iterable[str], marks: TerminalMarks) -> None:
        self.game, self.plan = position.game, plan_of(position.game, THEME)
        self.letters = self.game.manifest.style.letters
        self.marks, self.cells = marks, dict[tuple[int, int], tuple[str, Look]]()
        view = position.view
        shown = self.plan.crop({*view["pieces"], *wanted})
        self.left = self.top = 0
        self.scale = scale(self.game)
        self.places = {spot: self.place(spot) for spot in shown if not self.is_button(spot)}
        labels = self.label_cells(shown)
        self.shift(labels)
        for text, column, row in labels:
            self.put(text, column - self.left, row - self.top, self.look("ink", dim=True))
        for spot, place in self.places.items():
            self.spot(spot, place, view["pieces"].get(spot, ()))
        self.buttons()
        for spot, place in self.places.items():
            self.mark(spot, place)
        if marks.cursor in self.places:
            self.bracket(self.places[marks.cursor])
        self.height = self.bottom
        ends = [place.column + place.width + 1 for place in self.places.values()]
        self.columns = max(*ends, *(column + 1 for _, column in self.cells))

    # -- Where things are -------------------------------------------------------

    def is_button(self, spot: str) -> bool:
        return spot in self.plan.buttons

    def point(self, x: float, y: float) -> tuple[int, int]:
        return nearest(x * self.scale[0]), nearest(y * self.scale[1])

    def place(self, spot: str) -> Place:
        x, y = self.plan.place[spot]
        column, row = self.point(x / UNIT, y / UNIT)
        return Place(column, row, width(self.letters, self.plan.kinds[spot]))

    def label_cells(self, shown: Sequence[str]) -> list[tuple[str, int, int]]:
        """Coordinates at the edges, and what the layout itself wants written."""
        say, own = self.game.manifest.translate, self.game.layout.get("labels", ())
        cells = [(say(label["text"]), *self.point(label["x"], label["y"])) for label in own]
        if self.plan.style.labels != "edges":
            return cells
        widest = max(place.width for place in self.places.values())
        on_board = [spot for spot in shown if not self.is_button(spot)]
        for text, (x, y) in edge_labels(self.plan, on_board):
            column, row = self.point(x / UNIT, y / UNIT)
            cells.append((text, column + (widest + 1) // 2 - len(text), row))
        return cells

    def shift(self, labels: list[tuple[str, int, int]]) -> None:
        """Let the drawing begin at row 0, and at column 1: marks stand before it."""
        corners = [*self.places.values(), *(Place(c, r, 0) for _, c, r in labels)]
        self.left = min(place.column for place in corners) - 1
        self.top = min(place.row for place in corners)
        self.places = {
            spot: Place(place.column - self.left, place.row - self.top, place.width)
            for spot, place in self.places.items()
        }

    # -- What is there ----------------------------------------------------------

    def look(self, ink: str, ground: str = "", dim: bool = False) -> Look:
        colours = self.plan.palette
        bold = bool(ground)
        return Look(color=colours[ink], bgcolor=colours.get(ground), dim=dim, bold=bold)

    def put(self, text: str, column: int, row: int, look: Look) -> None:
        """Write over what is there; a space lets it stay."""
        inside = range(len(text) - len(text.lstrip(" ")), len(text.rstrip(" ")))
        for i, character in enumerate(text):
            at = (row, column + i)
            below, ground = self.cells.get(at, (" ", Look()))
            if character != " ":
                self.cells[at] = character.replace(COVER, " "), ground + look
            elif i in inside and look.bgcolor:
                self.cells[at] = below, ground + Look(bgcolor=look.bgcolor)

    def spot(self, spot: str, place: Place, stack: Sequence[str]) -> None:
        kind = self.game.layout["spots"][spot]["kind"]
        if kind in self.letters.counted:
            text = tally(self.game, stack) or "-"
            first = glyph(self.game, stack[0]) if stack else Glyph("", "line")
            ink = first.ground or first.ink
            self.put(text.ljust(place.width), place.column, place.row, self.look(ink))
            return
        self.put(self.letters.spots.get(kind, EMPTY), place.column, place.row, self.look("line"))
        for piece in stack:
            sign = glyph(self.game, piece)
            self.put(sign.text, place.column, place.row, self.look(sign.ink, sign.ground))
        if self.plan.style.labels == "inside":
            self.inside(spot, place, stack)

    def inside(self, spot: str, place: Place, stack: Sequence[str]) -> None:
        """The name of a spot, where nothing hides it."""
        inner = [(place.row, place.column + i) for i in range(1, place.width - 1)]
        if all(self.cells.get(at, (" ",))[0] == " " for at in inner):
            ink = f"name-{stack[0]}" if stack else "name"
            ink = ink if ink in self.plan.palette else "name"
            self.put(spot.center(place.width), place.column, place.row, self.look(ink))

    def buttons(self) -> None:
        """In a row under the board, wherever the layout has them."""
        row, column = self.bottom + 1, 2
        for spot in self.game.layout["spots"]:
            if self.is_button(spot):
                self.places[spot] = Place(column, row, len(spot))
                self.put(spot, column, row, self.look("ink"))
                column += len(spot) + 3

    def mark(self, spot: str, place: Place) -> None:
        sign = self.marks.sign(spot)
        accent = "target" if sign == TARGET else "accent"
        if sign:
            self.put(sign, place.column - 1, place.row, self.look(accent) + Look(bold=True))

    def bracket(self, place: Place) -> None:
        """The cursor; the piece inside keeps its colours."""
        look = self.look("panel", "accent")
        self.put(CURSOR[0], place.column - 1, place.row, look)
        self.put(CURSOR[1], place.column + place.width, place.row, look)

    # -- As a whole -------------------------------------------------------------

    @property
    def bottom(self) -> int:
        return max(row for row, _ in self.cells) + 1

    def lines(self) -> list[list[Segment]]:
        """All rows, with one segment for each run of the same look."""
        ground = Look(bgcolor=self.plan.palette["panel"])
        empty, rows = (" ", Look()), []
        for row in range(self.height):
            cells = [self.cells.get((row, column), empty) for column in range(self.columns)]
            runs = groupby(cells, key=lambda cell: cell[1])
            rows.append([Segment("".join(c for c, _ in run), ground + look) for look, run in runs])
        return rows

    def __str__(self) -> str:
        return "\n".join("".join(part.text for part in row).rstrip() for row in self.lines())


# -- Pieces ---------------------------------------------------------------------


def glyph(game: Game, piece: str) -> Glyph:
    """How a piece is written; one that the style does not know by its first letters."""
    letters = "".join(word[0] for word in piece.split("-"))[:3]
    return game.manifest.style.letters.pieces.get(piece) or Glyph(letters)


def tally(game: Game, pieces: Iterable[str]) -> str:
    """`b3×2 g1`: what there is and how many of it."""
    counted = Counter(glyph(game, piece) for piece in pieces)
    shorts = ((sign.short or sign.text.strip(), count) for sign, count in counted.items())
    return " ".join(f"{short}×{count}" if count > 1 else short for short, count in shorts)


def neighbour(places: Mapping[str, Place], spot: str, step: tuple[int, int], goal: float) -> str:
    """The next spot in a direction, as near as possible to the line `goal` that is followed.

    On a board of hexagons a line zigzags; with the goal it comes back to itself.
    """
    here, (across, down) = places[spot], step
    candidates = []
    for name, place in places.items():
        x, y = (place.middle - here.middle) / 2, place.row - here.row  # a character is 1 by 2
        ahead = x * across + y * down
        aside = abs(place.row - goal) if across else abs(place.middle - goal) / 2
        if ahead > 0:
            candidates.append((ahead + aside, aside, name))
    return min(candidates)[2] if candidates else spot
