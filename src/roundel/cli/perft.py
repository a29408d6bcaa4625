"""Count the action sequences of some length: the test of rules against other programs."""

import argparse

from tqdm import tqdm

from roundel import games
from roundel.cli.types import whole_number


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("spec", help="the game, as NAME[:OPTION[=VALUE],...]")
    parser.add_argument("depth", type=whole_number, help="how many actions long")
    parser.add_argument("--moves", nargs="*", default=[], metavar="ACTION", help="played before")
    parser.add_argument("--divide", action="store_true", help="also print a count per first action")


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
