"""Draw a position: an SVG, a PNG, or a GIF of all positions that lead to it."""

from __future__ import annotations

import argparse
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from roundel import games
from roundel.cli.types import positive, whole_number
from roundel.core.errors import RoundelError
from roundel.core.style import THEMES

if TYPE_CHECKING:
    from roundel.core.position import Position

WIDTH = 900  # pixels of a PNG or GIF
KINDS = (".svg", ".png", ".gif")


class CannotShow(RoundelError):
    """There is no such position to draw, or no such file to draw it into."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("spec", nargs="?", help="NAME[:OPTION[=VALUE],...] or a position text")
    played = parser.add_mutually_exclusive_group()
    played.add_argument("--moves", nargs="*", default=[], metavar="ACTION", help="played before")
    played.add_argument("--record", metavar="FILE", help="a match from a file")
    parser.add_argument("--match", type=positive, default=1, help="which match of the file (1)")
    parser.add_argument("--ply", type=whole_number, help="after so many actions (all)")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help=".svg, .png or .gif")
    parser.add_argument("--theme", choices=THEMES, default="light", help="(light)")
    parser.add_argument("--width", type=pixels, default=WIDTH, help=f"of PNG and GIF ({WIDTH})")
    targets = "highlight what can be clicked next, or next after these spots"
    parser.add_argument("--targets", nargs="*", metavar="SPOT", help=targets)
    parser.add_argument("--arrow", nargs=2, action="append", default=[], metavar="SPOT")
    parser.add_argument("--plain", action="store_true", help="do not mark the last action")


def pixels(text: str) -> int:
    number = whole_number(text)
    if not 16 <= number <= 8192:
        raise argparse.ArgumentTypeError(f"expected a number from 16 to 8192, got {text!r}")
    return number


def run(options: argparse.Namespace) -> None:
    kind = options.output.suffix.lower() if options.output else ".svg"
    if kind not in KINDS:
        raise CannotShow(f"{options.output}: expected a file that ends in {' or '.join(KINDS)}")
    line = line_of(options)
    if options.ply is not None:
        if options.ply >= len(line):
            raise CannotShow(f"there are {len(line) - 1} actions, not {options.ply}")
        line = line[: options.ply + 1]
    data = draw(line, kind, options)
    if options.output is None:
        print(data.decode(), end="")
        return
    try:
        options.output.write_bytes(data)
    except OSError as error:
        raise CannotShow(f"{options.output}: {error.strerror}") from None


def line_of(options: argparse.Namespace) -> list[Position]:
    """Every position from the beginning of the match to where it stands."""
    if options.record:
        return recorded(options)
    if not options.spec:
        raise CannotShow("expected a game, a position text or --record")
    spec = options.spec
    line = [games.from_fen(spec) if ";" in spec else games.load(spec).start()]
    for action in " ".join(options.moves).split():
        line.append(line[-1].play(action))
    return line


def recorded(options: argparse.Namespace) -> list[Position]:
    """The positions of one match of a file; a pair of games is one line of positions."""
    from roundel.record import files, positions

    found = next(islice(files.read(options.record), options.match - 1, None), None)
    if found is None:
        raise CannotShow(f"{options.record}: there is no match {options.match}")
    if isinstance(found, RoundelError):
        raise found
    line = list(positions(found))
    if options.spec and games.load(options.spec) != line[0].game:
        raise CannotShow(f"{options.record}: a match of {line[0].game.spec}, not {options.spec}")
    return line


def draw(line: list[Position], kind: str, options: argparse.Namespace) -> bytes:
    from roundel import picture

    last, marks = line[-1], {"theme": options.theme, "last": not options.plain}
    if kind == ".gif":
        befores = [None, *line[:-1]]
        pairs = zip(line, befores, strict=True)
        frames = [picture.svg(p, before=before, among=line, **marks) for p, before in pairs]
        return picture.gif(frames, options.width)
    targets = () if options.targets is None else picture.next_spots(last, *options.targets)
    before = line[-2] if len(line) > 1 else None
    text = picture.svg(last, before=before, targets=targets, arrows=options.arrow, **marks)
    return text.encode() if kind == ".svg" else picture.png(text, options.width)
