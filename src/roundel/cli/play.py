"""Play in the terminal: people at one keyboard, bots, or both."""

from __future__ import annotations

import argparse
import os
import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from roundel.cli.types import whole_number
from roundel.core.lang import _

if TYPE_CHECKING:
    from roundel.cli.table.commands import TerminalTable
    from roundel.cli.table.opening import TableRequest


def arguments(parser: argparse.ArgumentParser) -> None:
    match_arguments(parser)
    parser.add_argument(
        "--data",
        type=Path,
        metavar=_("FOLDER"),
        help=_("where to keep matches (default: your data folder)"),
    )
    seed = _("random seed of the bots (default: a new one each time)")
    parser.add_argument("--seed", type=whole_number, metavar=_("SEED"), help=seed)
    parser.add_argument(
        "--plain",
        action="store_true",
        help=_("print line by line instead of drawing a full screen"),
    )


def match_arguments(parser: argparse.ArgumentParser) -> None:
    """Which match, and who plays it."""
    parser.add_argument(
        "spec",
        nargs="?",
        default="",
        help=_("the game, as NAME[:OPTION[=VALUE],...] (default: ask)"),
    )
    parser.add_argument(
        "--pair", action="store_true", help=_("play a match of two games on one board")
    )
    parser.add_argument(
        "--seats",
        default="",
        metavar=_("NAMES"),
        help=_("names of people or bots, such as Anna,level3 (default: people at all seats)"),
    )
    parser.add_argument(
        "--against",
        type=whole_number,
        metavar=_("LEVEL"),
        help=_("give all free seats to the computer at this level, 1 to 10"),
    )
    parser.add_argument(
        "--resume",
        nargs="?",
        const="",
        metavar=_("FILE"),
        help=_("resume a match from a record file, or the last unfinished match"),
    )


def run(options: argparse.Namespace) -> int:
    from roundel.cli.table.opening import TableRequest
    from roundel.cli.table.seats import level_name

    if options.against is not None:
        level_name(options.against)  # refuse an unknown level before asking anything
    seed = random.randrange(1 << 32) if options.seed is None else options.seed
    request = TableRequest(
        options.spec,
        options.pair,
        options.seats,
        options.resume,
        options.data,
        seed,
        options.against,
    )
    return plain(request) if options.plain or not screen() else full_screen(request)


def screen() -> bool:
    """Whether there is a terminal that can be drawn on."""
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    return terminal and os.environ.get("TERM", "dumb") != "dumb"


def full_screen(request: TableRequest) -> int:
    from roundel.cli.table import app

    status, table = app.run(request)
    farewell(table)
    return status


def plain(request: TableRequest) -> int:
    from roundel.cli.table import plain

    table = plain.table_for(request)
    try:
        if table is not None:
            plain.run(table)
    finally:
        farewell(table)
    return 0


def farewell(table: TerminalTable | None) -> None:
    print(table.farewell() if table else _("Goodbye."))
