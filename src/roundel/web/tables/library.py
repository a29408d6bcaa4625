"""The games, loaded in the background: importing compiled code takes a while, compiling it longer.

Whoever needs a game waits for that one only; everybody else is served meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading

from roundel import games

log = logging.getLogger(__name__)


def prepare(name: str) -> None:
    """Load or compile everything that a table needs to referee a match."""
    position = games.manifest(name).with_options().start()
    after = position.play(position.legal()[0])
    after.points, after.legal()


class Library:
    def __init__(self) -> None:
        self.lock = threading.Lock()  # one after the other: they share a cache
        self.loading: dict[str, asyncio.Future[None]] = {}

    def start(self) -> None:
        for name in games.names():
            self.load(name)

    async def ready(self, spec: str) -> None:
        """Returns when the game of that spec can be played; `UnknownGame` if there is none."""
        name = spec.partition(":")[0].partition(";")[0]
        if name not in games.claims():
            games.manifest(name)
        await asyncio.shield(self.load(name))

    def load(self, name: str) -> asyncio.Future[None]:
        known = self.loading.get(name)
        if known is None or (known.done() and known.exception()):  # perhaps it works by now
            loaded = self.loading[name] = asyncio.get_running_loop().create_future()
            # Not a pool: whoever stops the server does not wait until something is compiled.
            threading.Thread(target=self.run, args=(name, loaded), daemon=True).start()
        return self.loading[name]

    def run(self, name: str, loaded: asyncio.Future[None]) -> None:
        error = None
        with self.lock:
            try:
                prepare(name)
            except Exception as failure:  # told to whoever wants that game; the others still work
                error = failure
        with contextlib.suppress(RuntimeError):  # the server has stopped
            loaded.get_loop().call_soon_threadsafe(finish_loading, name, loaded, error)


def finish_loading(name: str, loaded: asyncio.Future[None], error: Exception | None) -> None:
    if error is None:
        loaded.set_result(None)
        return
    log.error("%s cannot be loaded: %s", name, error)
    loaded.set_exception(error)
    loaded.exception()  # perhaps nobody ever asks for that game
