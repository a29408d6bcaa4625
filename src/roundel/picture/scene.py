"""A whole picture of a position: what is shown, in which frame, and what is laid over it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from xml.sax.saxutils import escape

from roundel.core.board import BoardView
from roundel.core.errors import RoundelError
from roundel.core.lang import _
from roundel.core.position import Position
from roundel.core.style import THEMES
from roundel.picture import parts
from roundel.picture.plan import UNIT, Plan, Point, at, number, plan_of

FONTS = "Manrope, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"
MARGIN = 1.05 * UNIT  # around the outermost spots, coordinates included
NARROWEST = 8 * UNIT  # so that the trays have room under a small board
PADDING = 0.45 * UNIT  # around the trays
PIXELS = 0.52  # of an SVG that is shown as it is, for each of its units

Arrow = tuple[str, str]


class PictureError(RoundelError):
    """The picture cannot be drawn as asked: a theme, a spot or a kind of file is not known."""


@dataclass(frozen=True)
class Marks:
    """What is laid over a position: spots and arrows."""

    last: Sequence[str] = ()  # where the last action was
    trail: Sequence[str] = ()  # arrows between these spots, drawn
    targets: Sequence[str] = ()
    arrows: Sequence[Arrow] = ()

    @property
    def pointed(self) -> list[str]:
        return [*self.targets, *(spot for pair in self.arrows for spot in pair)]


def svg(
    position: Position,
    *,
    theme: str = "light",
    last: bool = True,
    before: Position | None = None,
    targets: Iterable[str] = (),
    arrows: Iterable[Arrow] = (),
) -> str:
    """A picture of a position, complete in itself.

    `last` marks the last action if it is known (`before`, the position before it, tells what the
    match itself may not), `targets` are spots to highlight, `arrows` go from spot to spot.
    """
    plan = themed(position, theme)
    marks = Marks(
        *(last_action(plan, position, before) if last else ([], [])),
        [spot for spot in targets if spot not in plan.buttons],
        list(arrows),
    )
    check_spots(plan, marks.pointed)
    return draw(plan, position, marks)


def frames(
    positions: Sequence[Position], *, theme: str = "light", last: bool = True
) -> Iterator[str]:
    """Pictures of consecutive positions for an animation, in one frame that fits all of them."""
    for before, position in zip((None, *positions), positions, strict=False):
        plan = themed(position, theme)
        marks = Marks(*last_action(plan, position, before)) if last else Marks()
        yield draw(plan, position, marks, positions)


def themed(position: Position, theme: str) -> Plan:
    if theme not in THEMES:
        text = _("no theme {name!r}; there are: {known}")
        raise PictureError(text.format(name=theme, known=", ".join(THEMES)))
    return plan_of(position.game, theme)


def draw(plan: Plan, position: Position, marks: Marks, neighbours: Iterable[Position] = ()) -> str:
    """The whole picture, in a frame that fits its neighbours too."""
    view = position.view
    views = [view, *(other.view for other in neighbours)]
    filled = (spot for one in views for spot in one["pieces"])
    shown = plan.crop({*marks.last, *marks.pointed, *filled})
    stacks = {n: parts.looks(plan, stack) for n, stack in view["pieces"].items() if n in plan.kinds}
    body = [
        plan.board,
        parts.spots(plan, shown),
        *(parts.stack(plan, name, counted) for name, counted in stacks.items()),
        parts.labels(plan),
        parts.coordinates(plan, shown),
        parts.names(plan, shown, view["pieces"]),
        *(parts.use(plan, "mark", plan.place[n], scale_at(plan, n)) for n in marks.last),
        *marks.trail,
        *(line(plan, pair, plan.palette["target"]) for pair in marks.arrows),
        *(parts.use(plan, "target", plan.place[n], scale_at(plan, n)) for n in marks.targets),
    ]
    (left, top), (right, bottom) = frame(plan, shown)
    tray, high = trays(plan, views, (left, bottom), right - left)
    title = f"{plan.game.title}. {position.prompt}"
    box = ((left, top), (right - left, bottom - top + high))
    return document(plan, title, box, "".join([*body, tray]))


def scale_at(plan: Plan, spot: str) -> float:
    return plan.style.scale.get(plan.kinds[spot], 1)


def check_spots(plan: Plan, names: Iterable[str]) -> None:
    for name in names:
        if name not in plan.kinds:
            text = _("{game}: {name!r} is not a spot in the picture")
            raise PictureError(text.format(game=plan.game.name, name=name))


def line(plan: Plan, pair: Arrow, colour: str, head: bool = True) -> str:
    return parts.arrow(plan, plan.place[pair[0]], plan.place[pair[1]], colour, head)


def last_action(
    plan: Plan, position: Position, before: Position | None
) -> tuple[list[str], list[str]]:
    """The spots of the last action, and arrows between those of the same kind.

    The arrow has a head if something changed where it ends, and otherwise only tells a row.
    """
    actions = position.actions
    before = before or position.before
    if before is None or not actions:
        return [], []
    spots = [spot for spot in before.clicks(actions[-1]) if spot in plan.kinds]
    then, now = before.view["pieces"], position.view["pieces"]
    trail = []
    for start, end in pairwise(spots):
        if plan.kinds[start] == plan.kinds[end]:
            came = end in now and now[end] != then.get(end)
            trail.append(line(plan, (start, end), plan.palette["accent"], came))
    return spots, trail


def next_spots(position: Position, *clicked: str) -> list[str]:
    """Where a click can go on from the spots clicked so far, if anywhere."""
    paths = (position.clicks(action) for action in position.legal())
    n = len(clicked)
    return sorted({path[n] for path in paths if path[:n] == clicked and len(path) > n})


# -- The frame ------------------------------------------------------------------


def frame(plan: Plan, shown: Sequence[str]) -> tuple[Point, Point]:
    """The corners of the board with its coordinates."""
    xs, ys = zip(*(plan.place[spot] for spot in shown), strict=True)
    own = plan.game.layout.get("labels", ())
    lefts, tops = [UNIT * label["x"] for label in own], [UNIT * label["y"] for label in own]
    left, right = min(*xs, *lefts) - MARGIN, max(xs) + MARGIN
    more = max(NARROWEST - (right - left), 0) / 2
    return (
        (left - more, min(*ys, *tops) - MARGIN),
        (right + more, max(*ys, *tops) + MARGIN),
    )


def trays(plan: Plan, views: list[BoardView], corner: Point, width: float) -> tuple[str, float]:
    """The first view's trays, under the board in columns; and how high those of all views are."""
    contents, *others = (view.get("trays", {}) for view in views)
    needed = set(contents).union(*others)
    captions = {n: c for n, c in plan.game.layout.get("trays", {}).items() if n in needed}
    columns = plan.style.tray_columns
    wide = (width - (columns + 1) * PADDING) / columns
    drawn = []
    for i, (name, caption) in enumerate(captions.items()):
        left = corner[0] + PADDING + i % columns * (wide + PADDING)
        top = corner[1] + i // columns * parts.TRAY
        caption = plan.game.manifest.translate(caption)
        if name in contents:
            drawn.append(parts.tray(plan, caption, contents[name], ((left, top), wide)))
    rows = -(-len(captions) // columns)
    return "".join(drawn), rows * parts.TRAY + PADDING / 2 if rows else 0


def document(plan: Plan, title: str, box: tuple[Point, Point], body: str) -> str:
    (left, top), (width, height) = box
    view_box = " ".join(number(value) for value in (left, top, width, height))
    size = f'width="{round(PIXELS * width)}" height="{round(PIXELS * height)}"'
    fill, edge = plan.palette["panel"], plan.palette["edge"]
    panel = (
        f'<rect {at((left + 2, top + 2))} width="{number(width - 4)}" height="{number(height - 4)}"'
        f' rx="36" fill="{fill}" stroke="{edge}" stroke-width="4"/>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view_box}" {size} role="img" '
        f'font-family="{FONTS}" font-weight="500" fill="{plan.palette["ink"]}">'
        f"<title>{escape(title)}</title><defs>{definitions(plan, body)}</defs>{panel}{body}</svg>\n"
    )


def definitions(plan: Plan, body: str) -> str:
    """What the picture uses, and nothing else."""
    start = f'href="#{plan.prefix}'
    used = sorted({part.partition('"')[0] for part in body.split(start)[1:]})
    return plan.defs + "".join(plan.symbol(name) for name in used)
