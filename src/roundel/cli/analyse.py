"""Analyse a match or a position: winning chances, better moves, mistakes, accuracy.

Ctrl-C stops early and prints the results so far; with --json, the same command resumes later.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from roundel import games
from roundel.cli.types import positive, whole_number
from roundel.core.errors import RoundelError
from roundel.core.lang import _

if TYPE_CHECKING:
    from roundel.analysis import Analysis, Study
    from roundel.bots import Budget
    from roundel.core.position import Position

STANDARD = "-"  # the name of standard output
INTERRUPTED = 130


class CannotAnalyse(RoundelError):
    """There is no such match or position, or the file for the answer holds something else."""


def arguments(parser: argparse.ArgumentParser) -> None:
    what = _("a game as NAME[:OPTION[=VALUE],...], a position text, or a record file")
    parser.add_argument("match_or_position", metavar=_("MATCH"), help=what)
    before = _("moves to play from there")
    parser.add_argument("--moves", nargs="*", default=[], metavar=_("MOVE"), help=before)
    which = _("which match in the file (default: 1)")
    parser.add_argument("--match", type=positive, default=1, metavar=_("NUMBER"), help=which)
    seconds, nodes = (
        _("seconds per position (default: 1, or no limit with --nodes)"),
        _("search nodes per position"),
    )
    parser.add_argument("--seconds", type=duration, metavar=_("SECONDS"), help=seconds)
    parser.add_argument("--nodes", type=whole_number, metavar=_("NODES"), help=nodes)
    at_once, seed = _("number of threads (default: 1)"), _("random seed of the search (default: 0)")
    parser.add_argument("--threads", type=positive, default=1, metavar=_("THREADS"), help=at_once)
    parser.add_argument("--seed", type=whole_number, default=0, metavar=_("SEED"), help=seed)
    as_json, as_svg = (
        _("write the whole analysis to a JSON file (- for standard output)"),
        _("write a graph of the winning chances to an SVG file"),
    )
    parser.add_argument("--json", metavar=_("FILE"), help=as_json)
    parser.add_argument("--svg", metavar=_("FILE"), help=as_svg)


def duration(text: str) -> float:
    """Seconds, more than none."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        wrong = _("expected a number of seconds, got {text!r}")
        raise argparse.ArgumentTypeError(wrong.format(text=text))
    return seconds


def run(options: argparse.Namespace) -> int:
    from roundel.analysis import Study
    from roundel.analysis.words import lines

    positions, names = match_asked(options)
    study = Study(positions, budget_of(options), options.seed, options.threads)
    take_up(study, options.json)
    status = work(study, options, names)
    if options.json == STANDARD:
        print(as_text(study.analysis()), end="")
    else:
        print(*lines(study.analysis(), names), sep="\n")
    return status


def budget_of(options: argparse.Namespace) -> Budget:
    from roundel.analysis.study import A_SECOND
    from roundel.bots import Budget

    if options.seconds is None and options.nodes is None:
        return A_SECOND
    return Budget(seconds=options.seconds, nodes=options.nodes)


# -- What is analysed -----------------------------------------------------------


def match_asked(options: argparse.Namespace) -> tuple[list[Position], list[str]]:
    """All positions, and the names of the players."""
    text = options.match_or_position
    if re.split("[:;]", text)[0] in games.names():
        line = [games.from_fen(text) if ";" in text else games.load(text).start()]
        tags: dict[str, str] = {}
    elif Path(text).exists():
        line, tags = recorded(text, options.match)
    else:
        wrong = _("{text} is not a file, a position text or a game; the games are: {games}")
        raise CannotAnalyse(wrong.format(text=text, games=", ".join(games.names())))
    for action in " ".join(options.moves).split():
        line.append(line[-1].play(action))
    return line, names_of(tags, line[0].game.players)


def recorded(path: str, number: int) -> tuple[list[Position], dict[str, str]]:
    from roundel.record import files, positions

    record = files.read_match(path, number)
    return list(positions(record)), record.tags


def names_of(tags: dict[str, str], players: int) -> list[str]:
    from roundel.cli.table.seats import default_name

    return [tags.get(f"P{i}", "") or default_name(i) for i in range(1, players + 1)]


# -- Step by step, and kept -----------------------------------------------------


def work(study: Study, options: argparse.Namespace, names: list[str]) -> int:
    """Search what is left; every step is on the disk before the next begins."""
    from tqdm import tqdm

    keep(study.analysis(), options, names)  # a file that cannot be written is told at once
    total, done = len(study.line), len(study.thoughts)
    try:
        for _thought in tqdm(study.steps(), total=total, initial=done, disable=None, delay=1):
            keep(study.analysis(), options, names)
    except KeyboardInterrupt:
        text = _("interrupted after {done} of {total} positions")
        print("\n" + text.format(done=len(study.thoughts), total=total), file=sys.stderr)
        return INTERRUPTED
    return 0


def take_up(study: Study, path: str | None) -> None:
    """Go on with what the file already has; anything else in it is not written over."""
    if path in (None, STANDARD) or not Path(path or "").exists():
        return
    from roundel.record import files

    with files.opened(str(path)) as file:
        try:
            study.resume(json.load(file))
        except (ValueError, OSError, RecursionError, RoundelError) as error:
            reason = error if isinstance(error, RoundelError) else _("this is not an analysis")
            text = _("{file}: {reason}; the file was not changed")
            raise CannotAnalyse(text.format(file=path, reason=reason)) from None


def keep(analysis: Analysis, options: argparse.Namespace, names: list[str]) -> None:
    from roundel.analysis import graph
    from roundel.cli.table.saving import replace

    if options.json not in (None, STANDARD):
        replace(Path(options.json), as_text(analysis))
    if options.svg:
        replace(Path(options.svg), graph(analysis, names))


def as_text(analysis: Analysis) -> str:
    return json.dumps(analysis.data(), ensure_ascii=False, indent=1) + "\n"
