"""The winning chances of a match as a picture: one line for each player, a dot for each mistake."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape

from roundel.analysis.judging import VERDICTS
from roundel.analysis.study import Analysis, Ply, Side
from roundel.core.lang import _
from roundel.core.style import HOUSE
from roundel.picture.parts import text
from roundel.picture.plan import Point, number
from roundel.picture.scene import FONTS

WIDTH, HEIGHT = 900, 360
LEFT, RIGHT, TOP, BOTTOM = 52, 880, 20, 290  # of the field with the lines
SIZE = 15  # of letters
RADIUS = 3  # of the dot of an inaccuracy; worse ones are larger
# Without colours the dashes tell the players apart.
LINES = (("#2f6fb0", "none"), ("#c2502e", "9 5"), ("#3c8f4a", "2 5"), ("#8a5aa8", "12 4 2 4"))


def graph(analysis: Analysis, names: Sequence[str] = (), theme: str = "light") -> str:
    """The analysis as SVG; what was not searched yet stays free."""
    colours = HOUSE[theme]
    names = names or [f"p{player + 1}" for player in range(len(analysis.sides))]
    parts = [grid(analysis, colours["line"])]
    for player, name in enumerate(names):
        parts += [curve(analysis, player), caption(player, name, analysis.sides[player])]
    parts += [dot(analysis, ply) for ply in analysis.plies if ply.verdict]
    title = escape(_("Winning chances: {game}").format(game=analysis.game))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'font-family="{FONTS}" font-weight="500" fill="{colours["ink"]}"><title>{title}</title>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="16" fill="{colours["panel"]}"/>'
        f"{''.join(parts)}</svg>\n"
    )


def place(analysis: Analysis, ply: int, percent: float) -> Point:
    across = ply / max(analysis.positions - 1, 1)
    return LEFT + across * (RIGHT - LEFT), BOTTOM - percent / 100 * (BOTTOM - TOP)


def grid(analysis: Analysis, colour: str) -> str:
    """A line at every quarter of the chances, and the plies below."""
    parts, last = [], analysis.positions - 1
    for percent in range(0, 101, 25):
        y = number(place(analysis, 0, percent)[1])
        parts.append(f'<path d="M{LEFT} {y}H{RIGHT}" stroke="{colour}"/>')
        parts.append(text(f"{percent} %", (4, float(y) + SIZE / 3), SIZE))
    step = max(10 * round(last / 100), 5)
    for ply in range(0, last + 1, step):
        x = place(analysis, ply, 0)[0]
        parts.append(text(str(ply), (x, BOTTOM + SIZE + 4), SIZE, ' text-anchor="middle"'))
    return "".join(parts)


def curve(analysis: Analysis, player: int) -> str:
    colour, dash = LINES[player]
    points = [place(analysis, ply.ply, ply.thought.chances[player]) for ply in analysis.plies]
    listed = " ".join(f"{number(x)},{number(y)}" for x, y in points)
    look = f'fill="none" stroke="{colour}" stroke-width="2.5" stroke-dasharray="{dash}"'
    return f'<polyline points="{listed}" {look}/>'


def caption(player: int, name: str, side: Side) -> str:
    """A piece of the player's line, the name, and how accurately it was played."""
    (colour, dash), x, y = LINES[player], LEFT + player * (RIGHT - LEFT) / 4, HEIGHT - 22
    line = f'<path d="M{number(x)} {y}h36" stroke="{colour}" stroke-width="2.5"'
    accuracy = "" if side.accuracy is None else f" · {side.accuracy} %"
    label = text(f"{shortened(name)}{accuracy}", (x + 44, y + SIZE / 3), SIZE)
    return f'{line} stroke-dasharray="{dash}"/>{label}'


def shortened(name: str, most: int = 14) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"


def dot(analysis: Analysis, ply: Ply) -> str:
    """On the player's line after the action; looking at it longer tells more."""
    player = ply.thought.player or 0
    x, y = place(analysis, ply.ply + 1, analysis.plies[ply.ply + 1].thought.chances[player])
    radius = RADIUS + 2 * VERDICTS.index(ply.verdict)
    title = escape(f"{ply.ply + 1}. {ply.action}: {_(ply.verdict)} (−{ply.drop})")
    return (
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{radius}" fill="{LINES[player][0]}">'
        f"<title>{title}</title></circle>"
    )
