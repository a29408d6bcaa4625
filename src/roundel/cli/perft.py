"""Count all move sequences of a given length, to check the rules against other programs."""

import argparse

from tqdm import tqdm

from roundel import games
from roundel.cli.types import whole_number
from roundel.core.lang import _


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("spec", help=_("the game, as NAME[:OPTION[=VALUE],...]"))
    depth = _("length of the sequences")
    parser.add_argument("depth", type=whole_number, metavar=_("depth"), help=depth)
    before = _("moves to play first")
    parser.add_argument("--moves", nargs="*", default=[], metavar=_("MOVE"), help=before)
    each = _("also print the count for each first move")
    parser.add_argument("--divide", action="store_true", help=each)


def run(options: argparse.Namespace) -> None:
    position = games.load(options.spec).start(" ".join(options.moves))
    from roundel.core.perft import divide, perft

    if options.depth < 2 and not options.divide:
        print(f"nodes {perft(position, options.depth)}")
        return
    total = 0
    first = len(position.legal())
    with tqdm(divide(position, options.depth), total=first, disable=None, delay=1) as progress:
        for action, leaves in progress:
            total += leaves
            if options.divide:
                progress.write(f"{position.write(action)}: {leaves}")
    print(f"nodes {total}")
