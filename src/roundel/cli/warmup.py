"""Compile everything now, so that nothing has to wait later."""

import argparse

from tqdm import tqdm

from roundel import games


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="*", help="only these games (all)")


def run(options: argparse.Namespace) -> None:
    manifests = [games.manifest(name) for name in options.game or games.names()]
    from roundel.core import jit
    from roundel.core.engine import MAKERS

    work = [(manifest, entry) for manifest in manifests for entry in MAKERS]
    for manifest, entry in tqdm(work, unit="entry", disable=None):
        getattr(manifest.engine, entry)
    print(f"ready: {', '.join(m.name for m in manifests)} ({len(jit.compiled_here)} compiled now)")
