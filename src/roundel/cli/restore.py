"""Put a backup in the place of a server's matches; the server must be stopped.

What was there is kept beside it, under another name.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from roundel.cli.copying import data_argument, data_folder, interrupted_when_terminated, page_bar
from roundel.core.lang import _


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar=_("FILE"), help=_("the backup"))
    data_argument(parser)


def run(options: argparse.Namespace) -> None:
    from roundel.web.store.backup import restore
    from roundel.web.store.opening import FILE

    folder = data_folder(options.data)
    with interrupted_when_terminated(), page_bar() as on_pages:
        kept = restore(folder, Path(options.file), on_pages)
    print(_("restored: {file}").format(file=folder / FILE))
    if kept:
        print(_("what was there before: {file}").format(file=kept))
