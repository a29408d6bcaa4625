"""Check all matches of a server or of a backup; nothing is changed, and the server may be running.

The exit status is 1 if something is wrong.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from roundel.cli.copying import data_folder, interrupted_when_terminated
from roundel.cli.record import say
from roundel.core.lang import _, thousands


def arguments(parser: argparse.ArgumentParser) -> None:
    data = _("the server's folder, or a backup (default: your data folder)")
    parser.add_argument("data", nargs="?", metavar=_("DATA"), help=data)


def run(options: argparse.Namespace) -> int:
    from roundel.web.store.checking import check
    from roundel.web.store.opening import FILE

    place = data_folder(options.data)
    file = place / FILE if place.is_dir() else place
    with interrupted_when_terminated():
        report = check(file, followed)
    if report.wrong:
        say(_("{file} is damaged: {reason}").format(file=file, reason=report.wrong))
    for id, reason in report.damaged.items():
        say(_("match {id} is damaged: {reason}").format(id=id, reason=reason))
    text = _(
        "{file}: version {version}; matches: {matches}; finished: {finished}; events: {events};"
        " damaged: {damaged}"
    )
    print(
        text.format(
            file=file,
            version=report.version or "?",
            matches=thousands(report.matches),
            finished=thousands(report.finished),
            events=thousands(report.events),
            damaged=thousands(len(report.damaged)),
        )
    )
    return 0 if report.is_sound else 1


def followed(ids: list[str]) -> Iterable[str]:
    from tqdm import tqdm

    return tqdm(ids, disable=None, delay=1, unit=_(" matches"))
