"""The parts of a picture, each as a piece of SVG."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from math import hypot
from xml.sax.saxutils import escape

from roundel.picture.plan import UNIT, Plan, Point, at, number

LABEL = 27  # font sizes
SMALL = 15
CAPTION = 24
COUNT = 20
LETTER = 0.54  # how wide a letter is on average, for its size
MIDDLE = ' text-anchor="middle"'
OUTSIDE = 0.7 * UNIT  # from the last spot to the coordinate beyond it
TRAY = 124  # from a tray to the one below it
SLOT = 66  # the height of where its pieces lie
TRAY_SCALE = 0.52
STEP = 0.6 * UNIT  # between pieces in a tray, if there is room


def use(plan: Plan, name: str, point: Point, scale: float = 1) -> str:
    if scale == 1:
        return f'<use href="#{plan.prefix}{name}" {at(point)}/>'
    moved = f"translate({number(point[0])} {number(point[1])})scale({scale:g})"
    return f'<use href="#{plan.prefix}{name}" transform="{moved}"/>'


def text(content: str, point: Point, size: float, more: str = "") -> str:
    return f'<text {at(point)} font-size="{number(size)}"{more}>{escape(content)}</text>'


@functools.lru_cache(maxsize=64)  # positions of a match mostly show the same spots
def spots(plan: Plan, shown: tuple[str, ...]) -> str:
    drawn = [name for name in shown if plan.style.look_of_spot(plan.kinds[name])]
    return "".join(use(plan, f"spot-{plan.kinds[name]}", plan.place[name]) for name in drawn)


def looks(plan: Plan, stack: Sequence[str]) -> list[tuple[str, int]]:
    """The names of what is drawn on one spot, from below, and how many of each."""
    counted = []
    for i, (name, same) in enumerate(groups := [(n, len([*g])) for n, g in groupby(stack)]):
        under = f"{name}-under"
        hidden = i + 1 < len(groups) and under in plan.style.pieces
        counted.append((under if hidden else name, same))
    return counted


def stack(plan: Plan, name: str, counted: Sequence[tuple[str, int]]) -> str:
    """The pieces on a spot; several of the same are one with a count."""
    (x, y), scale = plan.place[name], plan.style.scale.get(plan.kinds[name], 1)
    drawn = [use(plan, piece, (x, y), scale) for piece, _ in counted]
    for _, count in counted:
        if count > 1:
            beside = (x + 62 * scale, y + 56 * scale)  # not below: rows may be close
            drawn.append(text(f"×{count}", beside, COUNT, MIDDLE))
    return "".join(drawn)


def edge_labels(plan: Plan, shown: Iterable[str]) -> list[tuple[str, Point]]:
    """Letters beyond the first spot of each column, numbers beyond the first of each row."""
    columns: dict[str, list[tuple[float, Point]]] = {}
    rows: dict[str, list[tuple[float, Point]]] = {}
    for name in shown:
        if name in plan.gridded:
            letters, digits = plan.gridded[name].groups()
            columns.setdefault(letters, []).append((int(digits), plan.place[name]))
            rows.setdefault(digits, []).append((plan.place[name][0], plan.place[name]))
    labels = []
    for content, group in [*columns.items(), *rows.items()]:
        ends = sorted(group)[:2]
        if len(ends) == 2:
            labels.append((content, beyond(ends[0][1], ends[1][1])))
    return labels


def beyond(first: Point, second: Point) -> Point:
    dx, dy = first[0] - second[0], first[1] - second[1]
    far = OUTSIDE / hypot(dx, dy)
    return first[0] + far * dx, first[1] + far * dy


def labels(plan: Plan) -> str:
    """What the layout itself wants written."""
    say = plan.game.manifest.translate
    return "".join(
        text(say(label["text"]), (UNIT * label["x"], UNIT * label["y"] + 8), CAPTION)
        for label in plan.game.layout.get("labels", ())
    )


@functools.lru_cache(maxsize=64)
def coordinates(plan: Plan, shown: tuple[str, ...]) -> str:
    """Around the board, unless they stand inside the spots."""
    labels = edge_labels(plan, shown) if plan.style.labels != "inside" else []
    return "".join(text(n, (x, y + 9), LABEL, MIDDLE) for n, (x, y) in labels)


def names(plan: Plan, shown: Iterable[str], pieces: Mapping[str, Sequence[str]]) -> str:
    """The name of each spot inside it, in a colour that can be read on what lies there."""
    if plan.style.labels != "inside":
        return ""
    drawn = []
    for name in shown:
        if name in plan.gridded:
            x, y = plan.place[name]
            ground = f"name-{pieces[name][0]}" if name in pieces else "name"
            fill = plan.palette.get(ground, plan.palette["name"])
            drawn.append(text(name, (x, y + 43), SMALL, f'{MIDDLE} fill="{fill}"'))
    return "".join(drawn)


def arrow(plan: Plan, start: Point, end: Point, colour: str, head: bool = True) -> str:
    """From spot to spot: a band, with a head if something went along it."""
    length = hypot(end[0] - start[0], end[1] - start[1])
    if not length:
        return ""
    dx, dy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    side = [(0.0, 4.5), (length, 4.5)]  # one side of its outline: (along, across)
    if head:  # shorter than the way, so that what stands at its ends stays visible
        tip = length - 26
        side = [(20, 4.5), (tip - 34, 4.5), (tip - 40, 20), (tip, 0)]
    both = [*side, *((a, -b) for a, b in reversed(side))]
    points = " ".join(
        f"{number(start[0] + a * dx - b * dy)},{number(start[1] + a * dy + b * dx)}"
        for a, b in both
    )
    return (
        f'<polygon points="{points}" fill="{colour}" stroke="{plan.palette["panel"]}" '
        'stroke-width="5" stroke-linejoin="round" paint-order="stroke" opacity=".88"/>'
    )


def tray(plan: Plan, caption: str, pieces: Sequence[str], place: tuple[Point, float]) -> str:
    """A caption with a count, and under it the pieces, closer together if they are many."""
    (left, top), width = place
    count = f" · {len(pieces)}" if max(Counter(pieces).values(), default=0) > 1 else ""
    slot = (
        f'<rect {at((left, top + CAPTION + 12))} width="{number(width)}" height="{SLOT}" '
        f'rx="{SLOT / 2:g}" fill="{plan.palette["edge"]}" fill-opacity=".45"/>'
    )
    room = width - SLOT
    step = min(STEP, room / max(len(pieces) - 1, 1))
    y = top + CAPTION + 12 + SLOT / 2
    drawn = [
        use(plan, name, (left + SLOT / 2 + i * step, y), TRAY_SCALE)
        for i, name in enumerate(pieces)
    ]
    caption += count
    size = min(CAPTION, width / (LETTER * len(caption)))
    return text(caption, (left + 8, top + CAPTION), size) + slot + "".join(drawn)
