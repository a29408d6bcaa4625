"""List the games and their options."""

import argparse
import sys

from roundel import games
from roundel.core.lang import _


def arguments(parser: argparse.ArgumentParser) -> None:
    pass


def run(options: argparse.Namespace) -> None:
    for name in games.names():
        manifest = games.manifest(name)
        print(_("{name}: {title}").format(name=name, title=manifest.title))
        for option in manifest.options:
            text = _("{option}: {help} ({expected}; default: {default})").format(
                option=option.name,
                help=manifest.translate(option.help),
                expected=option.expected,
                default=str(option.default).lower(),
            )
            print(f"    {text}")
    for name, reason in games.broken().items():
        print(_("{game}: {reason}").format(game=name, reason=reason), file=sys.stderr)
