"""What a board is, as plain data: what never changes in a match, what lies there now, and how a
finished match is counted. Everybody who draws reads this; no pixels and no colours are in it.
"""

from __future__ import annotations

from typing import NotRequired, TypedDict


class Spot(TypedDict):
    x: float  # to the right, about 1 between neighbours
    y: float  # downwards
    kind: str
    label: NotRequired[str]  # of a button


class Label(TypedDict):
    text: str
    x: float
    y: float


class BoardLayout(TypedDict):
    spots: dict[str, Spot]  # everything that can be clicked, by name
    lines: NotRequired[list[list[str]]]  # pairs of spots with a line between them
    labels: NotRequired[list[Label]]
    trays: NotRequired[dict[str, str]]  # captions of what lies beside the board, by name


class BoardView(TypedDict):
    pieces: dict[str, list[str]]  # on each spot that is not empty, from below
    trays: NotRequired[dict[str, list[str]]]  # in each tray that is needed now


class AccountItem(TypedDict):
    text: str  # in the language spoken when it was made
    spots: list[str]  # that it is about
    seat: int | None  # that gains by it; None: nobody does
    points: int | None  # added up, these are `Position.points`
