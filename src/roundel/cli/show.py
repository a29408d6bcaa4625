"""Draw a position as an SVG or PNG, or the moves that lead to it as a GIF."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from roundel import games
from roundel.cli.types import between, positive, whole_number
from roundel.core.errors import RoundelError
from roundel.core.lang import _, either
from roundel.core.style import THEMES

if TYPE_CHECKING:
    from roundel.core.position import Position

WIDTH = 900  # pixels of a PNG or GIF
KINDS = (".svg", ".png", ".gif")


class CannotShow(RoundelError):
    """There is no such position to draw, or no such file to draw it into."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "spec", nargs="?", help=_("a game as NAME[:OPTION[=VALUE],...], or a position text")
    )
    played = parser.add_mutually_exclusive_group()
    before = _("moves to play first")
    played.add_argument("--moves", nargs="*", default=[], metavar=_("MOVE"), help=before)
    played.add_argument("--record", metavar=_("FILE"), help=_("draw a match from a record file"))
    which, after = (
        _("which match in the file (default: 1)"),
        _("after this many moves (default: at the end)"),
    )
    parser.add_argument("--match", type=positive, default=1, metavar=_("MATCH"), help=which)
    parser.add_argument("--ply", type=whole_number, metavar=_("PLY"), help=after)
    kinds = _("the file to write: .svg, .png or .gif (default: SVG to standard output)")
    parser.add_argument("-o", "--output", type=Path, metavar=_("FILE"), help=kinds)
    parser.add_argument(
        "--theme", choices=THEMES, default="light", help=_("colours (default: light)")
    )
    width = _("width of a PNG or GIF in pixels (default: {width})").format(width=WIDTH)
    parser.add_argument("--width", type=pixels, default=WIDTH, metavar=_("WIDTH"), help=width)
    targets = _("highlight the spots that can be clicked next (after clicking these)")
    parser.add_argument("--targets", nargs="*", metavar=_("SPOT"), help=targets)
    parser.add_argument(
        "--arrow",
        nargs=2,
        action="append",
        default=[],
        metavar=_("SPOT"),
        help=_("draw an arrow between two spots; can be repeated"),
    )
    parser.add_argument("--plain", action="store_true", help=_("do not highlight the last move"))


def pixels(text: str) -> int:
    return between(16, 8192, text)


def run(options: argparse.Namespace) -> None:
    kind = options.output.suffix.lower() if options.output else ".svg"
    if kind not in KINDS:
        text = _("{file}: expected a file name ending in {kinds}")
        raise CannotShow(text.format(file=options.output, kinds=either(KINDS)))
    line = positions_asked(options)
    if options.ply is not None:
        if options.ply >= len(line):
            text = _("the match has {actions} moves, not {ply}")
            raise CannotShow(text.format(actions=len(line) - 1, ply=options.ply))
        line = line[: options.ply + 1]
    data = draw(line, kind, options)
    if options.output is None:
        print(data.decode(), end="")
        return
    try:
        options.output.write_bytes(data)
    except OSError as error:
        text, reason = _("{file}: {reason}"), _(error.strerror or str(error))
        raise CannotShow(text.format(file=options.output, reason=reason)) from None


def positions_asked(options: argparse.Namespace) -> list[Position]:
    """Every position from the beginning of the match to where it stands."""
    if options.record:
        return recorded(options)
    if not options.spec:
        raise CannotShow(_("expected a game, a position text or --record"))
    spec = options.spec
    line = [games.from_fen(spec) if ";" in spec else games.load(spec).start()]
    for action in " ".join(options.moves).split():
        line.append(line[-1].play(action))
    return line


def recorded(options: argparse.Namespace) -> list[Position]:
    """The positions of one match of a file; a pair of games is one line of positions."""
    from roundel.record import files, positions

    line = list(positions(files.read_match(options.record, options.match)))
    if options.spec and games.load(options.spec) != line[0].game:
        text = _("{file}: this is a match of {found}, not of {spec}")
        found_spec = line[0].game.spec
        raise CannotShow(text.format(file=options.record, found=found_spec, spec=options.spec))
    return line


def draw(line: list[Position], kind: str, options: argparse.Namespace) -> bytes:
    from roundel import picture

    last, marks = line[-1], {"theme": options.theme, "last": not options.plain}
    if kind == ".gif":
        return picture.gif([*picture.frames(line, **marks)], options.width)
    targets = () if options.targets is None else picture.next_spots(last, *options.targets)
    before = line[-2] if len(line) > 1 else None
    text = picture.svg(last, before=before, targets=targets, arrows=options.arrow, **marks)
    return text.encode() if kind == ".svg" else picture.png(text, options.width)
