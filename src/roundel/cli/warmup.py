"""Compile everything now, so that you do not have to wait later."""

import argparse

from roundel import games
from roundel.core.lang import _


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "game", nargs="*", metavar=_("game"), help=_("the games to compile (default: all)")
    )


def run(options: argparse.Namespace) -> None:
    from tqdm import tqdm

    from roundel import batch
    from roundel.kernel import cache
    from roundel.search import searcher

    manifests = [games.manifest(name) for name in options.game or games.names()]
    of_all = [(m.engine, batch.entries_of(m.name), *searcher.entries_of(m.name)) for m in manifests]
    work = [(entries, entry) for each in of_all for entries in each for entry in entries.names]
    for entries, entry in tqdm(work, unit=_("entry"), disable=None):
        getattr(entries, entry)
    text = _("ready: {games} (functions compiled: {count})")
    print(text.format(games=", ".join(m.name for m in manifests), count=len(cache.compiled_here)))
