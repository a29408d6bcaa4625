"""Matches that nobody opens become files: records like any other, but without people's names.

Names are private, and in a file nobody would find them to delete them.
"""

from __future__ import annotations

import asyncio
import logging
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from roundel.core.lang import speaking
from roundel.play.match import Match, fold
from roundel.play.recording import record_of_match
from roundel.record import writing
from roundel.web.computer.levels import level_name
from roundel.web.store.copying import sync_folder
from roundel.web.store.interface import (
    Conflict,
    StoreBusy,
    Stored,
    Unopened,
    read_event,
    read_setup,
)
from roundel.web.tables.timing import DAY

if TYPE_CHECKING:
    from roundel.web.tables.server_state import ServerState
    from roundel.web.tables.table import Table

FOLDER = "archive"
PORTION = 100  # matches that are looked up at once
PAUSE = 0.05  # seconds between two of them: the disk is for those who play
ENGLISH = "en"

log = logging.getLogger(__name__)


class Archive:
    def __init__(self, server: ServerState) -> None:
        self.server, self.folder = server, server.settings.folder / FOLDER
        self.unreadable: set[str] = set()  # damaged, or of a game that is not installed

    async def sweep(self) -> None:
        """Put away what nobody has opened for as long as settings say."""
        if not self.server.settings.archive:
            return
        settings = self.server.settings
        try:
            await self.put_away_all(settings.archive, is_unplayed=False)
            await self.put_away_all(min(settings.expiry, settings.archive), is_unplayed=True)
        except (OSError, StoreBusy) as error:
            log.error("nothing can be archived at the moment: %s", error)

    async def put_away_all(self, days: float, is_unplayed: bool) -> None:
        """Nothing is lost with a match that never began: no invitation to it is valid any more."""
        before, last = self.server.time.calendar() - days * DAY, Unopened(-1.0, "")
        store = self.server.store
        while portion := await store.unopened(before, last, PORTION, is_unplayed):
            for match in portion:
                await self.put_away(match.id, before)
                await asyncio.sleep(PAUSE)
            last = portion[-1]

    def is_in_use(self, id: str) -> bool:
        return id in self.server.tables or id in self.server.loading

    async def put_away(self, id: str, before: float) -> None:
        """A match that somebody comes to meanwhile stays, also if they have left again."""
        if id in self.unreadable or self.is_in_use(id):
            return
        stored = await self.server.store.match(id)
        if stored is None or stored.opened >= before:
            return
        match = await self.replay(stored)
        if match is None or (match.clocks and match.clocks.running is not None):
            return
        file = self.folder / file_name(stored, match)
        if match.entries:
            await asyncio.to_thread(write_record, file, stored, match)
        if self.is_in_use(id):
            await asyncio.to_thread(file.unlink, missing_ok=True)
            return
        removal = self.remove(stored, file, bool(match.entries))
        task = self.server.begin_loading(id, removal)
        await asyncio.wait([task])
        if isinstance(error := task.exception(), StoreBusy):
            raise error

    async def replay(self, stored: Stored) -> Match | None:
        """None for a match that cannot be read: it stays as it is."""
        try:
            setup = read_setup(stored.setup)
            await self.server.library.ready(setup.spec)
            log_of = (read_event(row.body) for row in stored.rows)
            return await asyncio.to_thread(fold, setup, log_of)
        except Exception as error:  # what is damaged can fail anywhere
            log.warning("match %s cannot be archived: %s", stored.id, error)
            self.unreadable.add(stored.id)
            return None

    async def remove(self, stored: Stored, file: Path, has_record: bool) -> Table:
        """Whoever comes meanwhile is told what is on disk afterwards."""
        try:
            await self.server.store.archive(stored, has_record)
        except (Conflict, StoreBusy) as error:
            await asyncio.to_thread(file.unlink, missing_ok=True)
            if isinstance(error, StoreBusy):
                raise
        return await self.server.load(stored.id)


def date_of(created: float) -> str:
    return f"{datetime.fromtimestamp(created, UTC):%Y-%m-%d}"


def file_name(stored: Stored, match: Match) -> str:
    return f"{date_of(stored.created)}-{match.position.game.name}-{stored.id}.record"


def write_record(file: Path, stored: Stored, match: Match) -> None:
    with speaking(ENGLISH):
        names = [level_name(seat.level) for seat in match.seats]
        record = record_of_match(match, names, date_of(stored.created))
        write_whole(file, "".join(writing.write_all([record])))


def write_whole(file: Path, text: str) -> None:
    """All of it is on disk under its name before this returns, or there is no such file."""
    file.parent.mkdir(mode=0o700, exist_ok=True)
    new = file.with_name(f"{file.name}.new")
    private = lambda path, flags: os.open(path, flags, 0o600)  # noqa: E731
    with open(new, "w", encoding="utf-8", newline="\n", opener=private) as opened:
        opened.write(text)
        opened.flush()
        os.fsync(opened.fileno())
    os.replace(new, file)
    for folder in (file.parent, file.parent.parent):
        sync_folder(folder)
