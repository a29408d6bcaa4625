"""One thread that writes, and many who wait for it: all who wait share one commit."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import itertools
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from typing import cast

from msgspec.structs import astuple
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import IntegrityError

from roundel.core.lang import _
from roundel.web.metrics import Metrics
from roundel.web.store import Conflict, Row, StoreBusy

MOST = 500  # jobs in one commit, so that the first of them does not wait for ever
PAUSE = 0.003  # seconds between two commits of many: the larger the groups, the fewer are needed
CONFLICTS = (IntegrityError, sqlite3.IntegrityError)  # as SQLAlchemy says it, and SQLite

Work = Callable[[Connection], None]


@functools.cache
def insertion(rows: int) -> str:
    """One statement for many events: between two, the thread would have to wait for its turn."""
    values = ", ".join(["(?, ?, ?, ?, ?, ?)"] * rows)
    return f"INSERT INTO events (match, seq, seat, id, at, body) VALUES {values}"


def insert(driver: sqlite3.Connection, rows: list[Row]) -> None:
    """In powers of two, so that few different statements are prepared, and all of them kept."""
    while rows:
        many = 1 << len(rows).bit_length() - 1
        values = itertools.chain.from_iterable(astuple(row) for row in rows[:many])
        driver.execute(insertion(many), tuple(values))
        rows = rows[many:]


class Job:
    """Something to write. Whoever wants it awaits the future in their own loop."""

    __slots__ = ("future", "rows", "work")

    def __init__(
        self, work: Work | None, rows: Sequence[Row], future: asyncio.Future[None]
    ) -> None:
        self.work, self.rows, self.future = work, rows, future


class Writer:
    def __init__(self, engine: Engine, most: int, metrics: Metrics) -> None:
        self.engine, self.most, self.metrics = engine, most, metrics
        self.jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self.thread = threading.Thread(target=self.run, name="writer", daemon=True)

    def start(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.thread.start()

    async def stop(self) -> None:
        """Writes what waits, and ends."""
        self.jobs.put(None)
        await asyncio.to_thread(self.thread.join)

    def write(self, work: Work | None, rows: Sequence[Row] = ()) -> asyncio.Future[None]:
        """Done when it is on disk. Events are written behind everything else of a group."""
        if self.jobs.qsize() >= self.most:
            raise StoreBusy(_("too much is going on here; please try again"))
        job = Job(work, rows, self.loop.create_future())
        self.jobs.put(job)
        return job.future

    # -- In the thread ----------------------------------------------------------

    def run(self) -> None:
        with self.engine.connect() as connection:
            while jobs := self.collect():
                self.commit(connection, jobs)
                if len(jobs) > 1:
                    time.sleep(PAUSE)

    def collect(self) -> list[Job]:
        """All jobs that wait now, at least one; none when it is time to end."""
        found: list[Job] = []
        job = self.jobs.get()
        while job is not None:
            found.append(job)
            if len(found) == MOST or self.jobs.empty():
                return found
            job = self.jobs.get()
        if found:
            self.jobs.put(None)
        return found

    def commit(self, connection: Connection, jobs: list[Job]) -> None:
        begun = time.perf_counter()
        error = attempt(connection, jobs)
        if error is not None and len(jobs) > 1:  # one of them is wrong: find out which
            for job in jobs:
                self.answer([job], attempt(connection, [job]))
        else:
            self.answer(jobs, error)
        self.metrics.commit(len(jobs), time.perf_counter() - begun)

    def answer(self, jobs: list[Job], error: Exception | None) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended, with everyone who waited
            self.loop.call_soon_threadsafe(resolve, jobs, error)


def attempt(connection: Connection, jobs: list[Job]) -> Exception | None:
    """All jobs in one transaction, or none of them.

    Events go past SQLAlchemy: it would cost as much of every commit as SQLite itself.
    """
    driver = cast(sqlite3.Connection, connection.connection.driver_connection)
    try:
        for job in jobs:
            if job.work:
                job.work(connection)
        insert(driver, [row for job in jobs for row in job.rows])
        driver.commit()
        connection.commit()
    except Exception as error:  # told to whoever waits: the thread must go on
        driver.rollback()
        connection.rollback()
        return Conflict(str(error)) if isinstance(error, CONFLICTS) else error
    return None


def resolve(jobs: list[Job], error: Exception | None) -> None:
    for job in jobs:
        if job.future.done():
            continue  # cancelled
        if error is None:
            job.future.set_result(None)
        else:
            job.future.set_exception(error)
