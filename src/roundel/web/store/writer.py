"""One thread that writes, and many who wait for it: all who wait share one commit."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import itertools
import logging
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from typing import cast

from msgspec.structs import astuple
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import IntegrityError

from roundel.core.lang import N_, _
from roundel.web.metrics import Metrics
from roundel.web.store.interface import Conflict, Row, StoreBusy

MOST = 500  # jobs in one commit, so that the first of them does not wait for ever
PAUSE = 0.003  # seconds between two commits of many: the larger the groups, the fewer are needed
LOCKED = 250  # milliseconds to wait for somebody else who writes; then the tables are told
SLOW = 1.0  # seconds for a commit; after that clocks stand still until it is done
CONFLICTS = (IntegrityError, sqlite3.IntegrityError)  # as SQLAlchemy says it, and SQLite

Work = Callable[[Connection], None]
log = logging.getLogger(__name__)


@functools.cache
def insertion(rows: int) -> str:
    """One statement for many events: between two, the thread would have to wait for its turn."""
    values = ", ".join(["(?, ?, ?, ?, ?, ?)"] * rows)
    return f"INSERT INTO events (match, seq, seat, id, at, body) VALUES {values}"


def insert(driver: sqlite3.Connection, rows: list[Row]) -> None:
    """In powers of two, so that few different statements are prepared, and all of them kept."""
    while rows:
        size = 1 << len(rows).bit_length() - 1
        values = itertools.chain.from_iterable(astuple(row) for row in rows[:size])
        driver.execute(insertion(size), tuple(values))
        rows = rows[size:]


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
        self.held: list[Job] = []  # those that the thread is about to write
        self.is_ending = False
        self.failing = ""  # why the last attempt to write failed
        self.begun: float | None = None  # since when it has been writing; of the monotonic clock
        self.committed = time.monotonic()  # when something was written last
        self.foreign_writes = 0  # how often another process was seen to have written

    def start(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.begin()

    def begin(self) -> None:
        self.thread = threading.Thread(target=self.run, name="writer", daemon=True)
        self.thread.start()

    def revive(self) -> None:
        """Called a few times a second: a thread that has died is replaced."""
        if not self.thread.is_alive() and not self.is_ending:
            self.metrics.restarts.labels("writer").inc()
            self.begin()

    @property
    def trouble(self) -> str:
        """Why nothing can be written now; empty if it can."""
        begun = self.begun
        is_slow = begun is not None and time.monotonic() - begun > SLOW
        return self.failing or (_("the disk does not respond") if is_slow else "")

    async def stop(self) -> None:
        """Writes what waits, and ends."""
        self.is_ending = True
        self.jobs.put(None)
        await asyncio.to_thread(self.thread.join)

    def write(self, work: Work | None, rows: Sequence[Row] = ()) -> asyncio.Future[None]:
        """Done when it is on disk. Events are written behind everything else of a group.

        If the disk fails that is `StoreBusy`: nothing of it was written, and it can be tried again.
        """
        if self.jobs.qsize() >= self.most:
            raise StoreBusy(_("the server is busy; please try again"))
        job = Job(work, rows, self.loop.create_future())
        self.jobs.put(job)
        return job.future

    # -- In the thread ----------------------------------------------------------

    def run(self) -> None:
        try:
            with self.engine.connect() as connection:
                connection.exec_driver_sql(f"PRAGMA busy_timeout = {LOCKED}")
                version = data_version(connection)
                while self.collect():
                    self.commit(connection)
                    before, version = version, data_version(connection)
                    self.foreign_writes += version != before
        except BaseException as error:  # whoever waits is told, and another thread goes on
            log.exception("the thread that writes has died")
            self.failing, self.begun = reason_of(error), None
            self.answer(RuntimeError(self.failing), len(self.held))

    def collect(self) -> bool:
        """All jobs that wait now, at least one; none when it is time to end."""
        while not self.held or not (self.jobs.empty() or len(self.held) == MOST):
            job = self.jobs.get()
            if job is None:
                self.jobs.put(None)
                break
            self.held.append(job)
        return bool(self.held)

    def commit(self, connection: Connection) -> None:
        count, begun = len(self.held), time.perf_counter()
        self.begun = time.monotonic()
        error = attempt(connection, self.held)
        if error is None or count == 1 or may_pass(error):
            self.finish(error, count)
        else:  # one of them is wrong: find out which
            for job in tuple(self.held):
                self.finish(attempt(connection, [job]), 1)
        self.begun = None
        self.metrics.commit(count, time.perf_counter() - begun)
        if count > 1:
            time.sleep(PAUSE)

    def finish(self, error: Exception | None, count: int) -> None:
        """The first of those in hand were written, or were not."""
        if error is None:
            self.failing, self.committed = "", time.monotonic()
        elif may_pass(error):
            self.failing = reason_of(error)
            log.error("nothing can be saved: %s", self.failing)
            error = StoreBusy(N_("nothing can be saved at the moment; please try again"))
        self.answer(error, count)

    def answer(self, error: Exception | None, count: int) -> None:
        jobs, self.held = self.held[:count], self.held[count:]
        with contextlib.suppress(RuntimeError):  # the loop has ended, with everyone who waited
            self.loop.call_soon_threadsafe(resolve, jobs, error)


def data_version(connection: Connection) -> int:
    """Another one after something was committed by any other connection."""
    driver = cast(sqlite3.Connection, connection.connection.driver_connection)
    (version,) = driver.execute("PRAGMA data_version").fetchone()
    return int(version)


def reason_of(error: BaseException) -> str:
    """In the words of SQLite, without the statement."""
    return str(getattr(error, "orig", None) or error) or type(error).__name__


def may_pass(error: Exception) -> bool:
    """Whether the disk fails (full, locked, read-only, an error), not what is to be written."""
    cause = getattr(error, "orig", error)
    is_ours = getattr(cause, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR  # a wrong statement
    return isinstance(cause, OSError | sqlite3.OperationalError) and not is_ours


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
