"""Delete everything that a server keeps about one device."""

from __future__ import annotations

import argparse

from roundel.core.lang import _


def arguments(parser: argparse.ArgumentParser) -> None:
    device = _("the number of the device, which its settings page shows")
    parser.add_argument("device", metavar=_("DEVICE"), help=device)
    data = _("where the matches are (default: your data folder)")
    parser.add_argument("--data", metavar=_("FOLDER"), help=data)


def run(options: argparse.Namespace) -> int:
    from roundel.web.settings import settings
    from roundel.web.store.forgetting import forget_in

    given = {} if options.data is None else {"data": options.data}
    forgotten = forget_in(settings(**given).folder, options.device.strip().lower())
    text = _("matches deleted: {deleted}; left to others: {left}")
    print(text.format(deleted=len(forgotten.deleted), left=len(forgotten.left)))
    return 0
