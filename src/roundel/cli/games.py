"""List the games and their options."""

import argparse

from roundel import games


def arguments(parser: argparse.ArgumentParser) -> None:
    pass


def run(options: argparse.Namespace) -> None:
    for name in games.names():
        manifest = games.manifest(name)
        print(f"{name}: {manifest.title}")
        for option in manifest.options:
            default = str(option.default).lower()
            print(f"    {option.name}: {option.help} ({option.expected}; {default} unless told)")
