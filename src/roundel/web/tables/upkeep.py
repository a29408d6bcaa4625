"""What goes on for as long as the server runs; a part that fails is begun anew, and counted."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING

from msgspec import MsgspecError

from roundel.web.store.interface import Clocked, StoreBusy, read_setup
from roundel.web.tables.supervision import AGAIN, restart_on_failure
from roundel.web.tables.timing import LOADING

if TYPE_CHECKING:
    from roundel.web.tables.server_state import ServerState

HEARTBEAT = 0.5  # seconds between two notes of the time: what a crash can cost
ARCHIVE_PERIOD = 3600.0  # seconds between two looks for matches that nobody opens
WATCH_PERIOD = 0.25  # seconds between two looks at what may have died

log = logging.getLogger(__name__)


class Upkeep:
    def __init__(self, server: ServerState) -> None:
        self.server = server
        self.foreign_writes = 0  # those that were heeded

    def start(self) -> None:
        restarts = self.server.metrics.restarts
        parts = {
            "beat": self.beat,
            "look": self.watch,
            "clocks": self.resume_clocks,
            "archive": self.archive,
        }
        for part, work in parts.items():
            self.server.spawn(restart_on_failure(part, work, restarts))

    async def beat(self) -> None:
        """A crash costs no more time than between two of these notes."""
        while True:
            with contextlib.suppress(StoreBusy):
                await self.server.store.beat(self.server.time.now())
            await asyncio.sleep(HEARTBEAT)

    async def watch(self) -> None:
        while True:
            self.server.store.revive()
            self.server.pause(bool(self.server.store.trouble))
            self.server.close_idle_tables()
            self.heed_foreign_writes()
            await asyncio.sleep(WATCH_PERIOD)

    def heed_foreign_writes(self) -> None:
        """If another process has changed something (`roundel forget`), what is on disk counts."""
        count = self.server.store.foreign_writes
        if count != self.foreign_writes:
            self.foreign_writes = count
            for table in tuple(self.server.tables.values()):
                self.server.reload(table)

    async def archive(self) -> None:
        while True:
            await self.server.quota.count()
            await self.server.archive.sweep()
            await asyncio.sleep(ARCHIVE_PERIOD)

    async def resume_clocks(self) -> None:
        """Clocks run while the server runs, whether somebody looks at them or not.

        Nobody can act before the games are loaded, so time stands still until then. It does not
        wait for the matches: whoever comes to one of them finds it.
        """
        clocked = await self.server.store.ticking()
        for name in {name for match in clocked if (name := game_of(match))}:
            with contextlib.suppress(Exception):  # was noted
                await self.server.library.ready(name)
        self.server.time.release(LOADING)
        for match in clocked:
            await self.resume_clock(match.id)

    async def resume_clock(self, id: str) -> None:
        """Open the table of a match whose clock may run; if the disk fails, as soon as it can."""
        while True:
            try:
                await self.server.live_table(id)
                return
            except StoreBusy:
                await asyncio.sleep(AGAIN)
            except Exception as error:
                log.warning("the clock of match %s cannot run: %s", id, error)
                return


def game_of(match: Clocked) -> str:
    """Empty if its setup cannot be read."""
    try:
        return read_setup(match.setup).spec.partition(":")[0]
    except MsgspecError:
        return ""
