"""What the commands that copy a store share: its folder, a progress bar, and a tidy end."""

from __future__ import annotations

import argparse
import contextlib
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from roundel.core.lang import _

if TYPE_CHECKING:
    from roundel.web.store.copying import OnPages


def data_argument(parser: argparse.ArgumentParser) -> None:
    data = _("the folder of the server's matches (default: your data folder)")
    parser.add_argument("--data", metavar=_("FOLDER"), help=data)


def data_folder(given: str | None) -> Path:
    """As the server would find it."""
    from roundel.web.settings import settings

    return settings(data=given).folder


@contextlib.contextmanager
def page_bar() -> Iterator[OnPages]:
    """Shown if it takes longer than a moment."""
    from tqdm import tqdm

    with tqdm(disable=None, delay=1, unit=_(" pages")) as progress:

        def on_pages(done: int, total: int) -> None:
            progress.total = total
            progress.update(done - progress.n)

        yield on_pages


@contextlib.contextmanager
def interrupted_when_terminated() -> Iterator[None]:
    """SIGTERM, which timers send, leaves no more behind than Ctrl-C."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
