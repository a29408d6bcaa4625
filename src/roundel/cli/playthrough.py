"""Print a whole random match: every position, its legal actions, and the result."""

import argparse

from roundel import games
from roundel.cli.types import whole_number


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("spec", help="the game, as NAME[:OPTION[=VALUE],...]")
    parser.add_argument("--seed", type=whole_number, default=1, help="which random match (1)")


def run(options: argparse.Namespace) -> None:
    game = games.load(options.spec)
    from roundel.core.playthrough import transcript

    print(transcript(game, options.seed), end="")
