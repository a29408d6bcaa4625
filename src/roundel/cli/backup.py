"""Copy all matches of a server into one file, also while it runs."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from roundel.cli.copying import data_argument, data_folder, interrupted_when_terminated, page_bar
from roundel.cli.types import positive
from roundel.core.errors import RoundelError
from roundel.core.lang import _

KEEP = 7


def arguments(parser: argparse.ArgumentParser) -> None:
    file = _(
        "the new file, or a folder for files named after date and time"
        " (default: the folder `backups` in the data folder)"
    )
    parser.add_argument("file", nargs="?", metavar=_("FILE"), help=file)
    data_argument(parser)
    keep = _("how many files named after date and time to keep in the folder (default: {number})")
    parser.add_argument("--keep", type=positive, metavar=_("NUMBER"), help=keep.format(number=KEEP))


def run(options: argparse.Namespace) -> None:
    from roundel.web.store.backup import FOLDER, back_up, dated_file, remove_oldest

    store = data_folder(options.data)
    is_dated = options.file is None or is_folder(options.file)
    if options.keep and not is_dated:
        wrong = _("--keep is for a folder, and {file} is a file")
        raise RoundelError(wrong.format(file=options.file))
    target = Path(options.file or store / FOLDER)
    target = dated_file(target) if is_dated else target
    with interrupted_when_terminated(), page_bar() as on_pages:
        back_up(store, target, on_pages)
    print(target)
    for path in remove_oldest(target, options.keep or KEEP) if is_dated else []:
        print(_("removed: {file}").format(file=path))


def is_folder(name: str) -> bool:
    return os.path.isdir(name) or name.endswith(os.sep)
