"""Run the web server: play in the browser with friends or against the computer."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
from collections.abc import Iterator

from roundel.cli.types import between
from roundel.core.lang import _


def arguments(parser: argparse.ArgumentParser) -> None:
    host = _("the address to listen on (default: 127.0.0.1, only this machine; 0.0.0.0: everyone)")
    parser.add_argument("--host", metavar=_("ADDRESS"), help=host)
    port = _("the port to listen on (default: 8000; 0: any free port)")
    parser.add_argument("--port", type=port_number, metavar=_("PORT"), help=port)
    data = _("where to keep matches (default: your data folder)")
    parser.add_argument("--data", metavar=_("FOLDER"), help=data)
    parser.add_argument("--open", action="store_true", help=_("open the page in your browser"))


def port_number(text: str) -> int:
    return between(0, 65535, text)


def run(options: argparse.Namespace) -> int:
    with stoppable():
        from roundel.web.settings import settings

        given = {"host": options.host, "port": options.port, "data": options.data}
        chosen = settings(**{name: value for name, value in given.items() if value is not None})
        from roundel.web.serving import serve

        return serve(chosen, options.open)


@contextlib.contextmanager
def stoppable() -> Iterator[None]:
    """To be told to stop is no error, also while everything is still being loaded.

    Nothing has begun then, so nothing must be ended. An exception would not do: one that is raised
    while a module is imported can get lost.
    """
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, lambda *_: os._exit(0)) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
