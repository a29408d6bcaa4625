"""Print a complete random match: every position, its legal actions, and the result."""

import argparse

from roundel import games
from roundel.cli.types import whole_number
from roundel.core.lang import _


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("spec", help=_("the game, as NAME[:OPTION[=VALUE],...]"))
    which = _("random seed of the match (default: 1)")
    parser.add_argument("--seed", type=whole_number, default=1, metavar=_("SEED"), help=which)


def run(options: argparse.Namespace) -> None:
    game = games.load(options.spec)
    from roundel.core.playthrough import transcript

    print(transcript(game, options.seed), end="")
