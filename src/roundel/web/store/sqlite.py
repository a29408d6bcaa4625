"""The store in one SQLite file: write-ahead log, every commit on disk before it is answered."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import TypeVar

from sqlalchemy import (
    Connection,
    Executable,
    delete,
    exists,
    func,
    insert,
    select,
    tuple_,
    update,
)
from sqlalchemy.exc import DatabaseError

from roundel.core.lang import N_
from roundel.web.metrics import Metrics
from roundel.web.store.changes import write_change
from roundel.web.store.damage import DAMAGED
from roundel.web.store.interface import (
    Change,
    Clocked,
    Forgotten,
    Invitation,
    ListedMatch,
    Row,
    StoreBusy,
    Stored,
    Unopened,
)
from roundel.web.store.opening import READERS, open_database
from roundel.web.store.removal import archive_match, forget_device, leave_match, people_of
from roundel.web.store.schema import (
    alive,
    archived,
    events,
    holders,
    invitations,
    matches,
)
from roundel.web.store.writer import Work, Writer, may_pass

MOST = 200  # matches in a list

TICKING = matches.c.clocked & matches.c.finished.is_(None)

Found = TypeVar("Found")


def load_match(connection: Connection, id: str) -> Stored | None:
    match_row = connection.execute(select(matches).where(matches.c.id == id)).first()
    if match_row is None:
        return None
    rows = connection.execute(select(events).where(events.c.match == id).order_by(events.c.seq))
    people = people_of(connection, id)
    return Stored(
        id,
        match_row.setup,
        match_row.owner,
        match_row.created,
        match_row.finished,
        match_row.opened,
        [Row(**row._mapping) for row in rows],
        people.keys,
        people.holders,
    )


def list_matches(connection: Connection, device: str) -> list[ListedMatch]:
    """The newest first."""
    held: dict[str, list[int]] = {}
    for row in connection.execute(select(holders).where(holders.c.device == device)):
        held.setdefault(row.match, []).append(row.seat)
    mine = matches.c.id.in_(select(holders.c.match).where(holders.c.device == device))
    which = mine | (matches.c.owner == device)
    query = select(matches).where(which).order_by(matches.c.created.desc()).limit(MOST)
    return [
        ListedMatch(m.id, m.setup, m.created, m.finished, m.result, sorted(held.get(m.id, [])))
        for m in connection.execute(query)
    ]


class SqliteStore:
    """See `MatchStore`."""

    def __init__(self, folder: Path, most: int, metrics: Metrics) -> None:
        self.folder, self.most, self.metrics = folder, most, metrics
        self.readers = ThreadPoolExecutor(READERS, "reader")

    @property
    def trouble(self) -> str:
        return self.writer.trouble

    @property
    def foreign_writes(self) -> int:
        return self.writer.foreign_writes

    @property
    def committed(self) -> float:
        return self.writer.committed

    def revive(self) -> None:
        self.writer.revive()

    async def start(self) -> float:
        self.engine = await asyncio.to_thread(open_database, self.folder)
        self.writer = Writer(self.engine, self.most, self.metrics)
        self.writer.start()
        return await self.read(last_clock)

    async def stop(self) -> None:
        await self.writer.stop()
        self.readers.shutdown()
        self.engine.dispose()

    async def read(self, function: Callable[..., Found], *arguments: object) -> Found:
        def answer() -> Found:
            try:
                with self.engine.connect() as connection:
                    return function(connection, *arguments)
            except DatabaseError as error:
                if not may_pass(error):
                    raise
                text = N_("nothing can be read at the moment; please try again")
                raise StoreBusy(text) from error

        return await asyncio.get_running_loop().run_in_executor(self.readers, answer)

    async def execute(self, *statements: Executable) -> None:
        def work(connection: Connection) -> None:
            for statement in statements:
                connection.execute(statement)

        await self.writer.write(work)

    async def write(self, change: Change) -> None:
        is_plain = not (change.new or change.finish or change.hold)
        work: Work | None = None if is_plain else functools.partial(write_change, change)
        await self.writer.write(work, change.rows)

    async def invite(self, token: str, invitation: Invitation) -> None:
        row = {"token": token, **asdict(invitation)}
        await self.execute(insert(invitations).values(row))

    async def note_opened(self, match: str, when: float) -> None:
        await self.execute(update(matches).where(matches.c.id == match).values(opened=when))

    async def release(self, match: str, device: str) -> None:
        def work(connection: Connection) -> None:
            leave_match(connection, people_of(connection, match), device)

        await self.writer.write(work)

    async def remove(self, match: str) -> None:
        await self.execute(delete(matches).where(matches.c.id == match))

    async def forget(self, device: str) -> Forgotten:
        results: list[Forgotten] = []  # of each attempt
        await self.writer.write(lambda c: results.append(forget_device(c, device)))
        return results[-1]

    async def archive(self, read: Stored, has_record: bool) -> None:
        await self.writer.write(functools.partial(archive_match, read, has_record))

    async def beat(self, at: float) -> None:
        row = insert(alive).prefix_with("OR REPLACE").values(id=1, at=at)
        await self.execute(row)

    async def match(self, id: str) -> Stored | None:
        return await self.read(load_match, id)

    async def is_archived(self, id: str) -> bool:
        query = select(archived).where(archived.c.match == id)
        return await self.read(lambda connection: connection.execute(query).first() is not None)

    async def unopened(
        self, before: float, after: Unopened, most: int, is_unplayed: bool
    ) -> list[Unopened]:
        opened, id = matches.c.opened, matches.c.id
        query = select(opened, id).where(opened < before, tuple_(opened, id) > tuple_(*after))
        if is_unplayed:
            query = query.where(~exists().where(events.c.match == id))
        ordered = query.order_by(opened, id).limit(most)
        return await self.read(
            lambda connection: [Unopened(*row) for row in connection.execute(ordered)]
        )

    async def invitation(self, token: str) -> Invitation | None:
        def find(connection: Connection) -> Invitation | None:
            rows = select(invitations).where(invitations.c.token == token)
            row = connection.execute(rows).first()
            if row is None:
                return None
            return Invitation(row.match, row.seat, row.is_friend, row.used, row.created)

        return await self.read(find)

    async def open_invitations(self, match: str, since: float) -> int:
        unused = (invitations.c.match == match) & ~invitations.c.used
        is_open = unused & (invitations.c.created > since)
        query = select(func.count()).select_from(invitations).where(is_open)
        return await self.read(lambda connection: int(connection.scalar(query) or 0))

    async def count(self) -> int:
        query = select(func.count()).select_from(matches)
        return await self.read(lambda connection: int(connection.scalar(query) or 0))

    async def owned(self, device: str) -> int:
        query = select(func.count()).where(matches.c.owner == device)
        return await self.read(lambda connection: int(connection.scalar(query) or 0))

    async def mine(self, device: str) -> list[ListedMatch]:
        return await self.read(list_matches, device)

    async def damaged(self) -> list[str]:
        ids = select(matches.c.id).where(matches.c.setup == DAMAGED)
        return await self.read(lambda connection: list(connection.scalars(ids)))

    async def ticking(self) -> list[Clocked]:
        query = select(matches.c.id, matches.c.setup).where(TICKING)
        return await self.read(
            lambda connection: [Clocked(*row) for row in connection.execute(query)]
        )


def last_clock(connection: Connection) -> float:
    """The last heartbeat, or the last event of a running clock if that came later."""
    beat = connection.scalar(select(func.max(alive.c.at))) or 0.0
    running = select(matches.c.id).where(TICKING)  # not all of them: there may be millions
    newest = select(func.max(events.c.at)).where(events.c.match.in_(running))
    acted = connection.scalar(newest) or 0.0
    return max(beat, acted)
