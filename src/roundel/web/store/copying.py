"""A copy of a store as it is at one moment, also while a server writes to it."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import cast

from sqlalchemy import Connection, NullPool, create_engine
from sqlalchemy.exc import DatabaseError

from roundel.core.lang import _
from roundel.web.store.damage import is_sound, missing_part
from roundel.web.store.opening import (
    CannotStore,
    errors_named_after,
    has_tables,
    later_version,
    revision,
)
from roundel.web.store.schema import HEAD

STEP = 1000  # pages between two looks at the clock, the progress bar and the keyboard
STEPS = 4  # of them are written to disk at once: a disk that swallows more keeps the server waiting
WAL = "-wal"
LOGS = (WAL, "-journal")  # beside a file, with changes that have yet to go into it, or out of it
SHARED = "-shm"  # beside a file that is open

OnPages = Callable[[int, int], None]  # how many pages are copied, of how many


@contextmanager
def reading(file: Path) -> Iterator[Connection]:
    """The file as it is. Nothing is changed, and who writes to it need not wait.

    Whoever may only read leaves the files behind that SQLite needs beside it; whoever may write
    removes them, but also moves what a crashed server left in its log. So if there is such a log,
    only to read is asked for.
    """
    with errors_named_after(file):
        is_file = file.is_file()
        if not is_file and file.exists():
            raise CannotStore(_("{file} is not a file").format(file=file))
    if not is_file:
        raise CannotStore(_("{file} does not exist").format(file=file))
    mode = "ro" if file.with_name(file.name + WAL).exists() else "rw"

    def connect() -> sqlite3.Connection:
        address = f"{file.resolve().as_uri()}?mode={mode}"
        connection = sqlite3.connect(address, uri=True, isolation_level=None)
        connection.execute("PRAGMA query_only = ON")
        connection.execute("PRAGMA busy_timeout = 5000")
        return connection

    engine = create_engine("sqlite://", creator=connect, poolclass=NullPool)
    with engine.connect() as connection:
        yield connection


@contextmanager
def snapshot(connection: Connection) -> Iterator[None]:
    """Whatever is read meanwhile is of the same moment."""
    connection.exec_driver_sql("BEGIN")
    try:
        yield
    finally:
        connection.rollback()


@contextmanager
def checked_copy(source: Path, part: Path, on_pages: OnPages) -> Iterator[None]:
    """The copy is complete, sound and on disk: the caller gives it its name.

    If anything fails, nothing of it is left. What was left by somebody who was killed is replaced.
    """
    with errors_named_after(part), exclusive(part) as descriptor:
        try:
            os.ftruncate(descriptor, 0)  # SQLite removes the logs of an empty file
            with copy_errors(source):
                copy_pages(source, part, lambda: os.fsync(descriptor), on_pages)
                with reading(part) as copy:
                    wrong = wrong_with(copy)
            if wrong:
                raise CannotStore(_("{file}: {reason}").format(file=source, reason=wrong))
            os.fsync(descriptor)
            yield
        except BaseException:
            remove_logs(part)
            part.unlink(missing_ok=True)
            raise


@contextmanager
def exclusive(part: Path) -> Iterator[int]:
    """The file, new or not, for us alone; only its owner may read it."""
    descriptor = os.open(part, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        if not is_ours(descriptor, part):
            raise CannotStore(_("{file} is being written by somebody else").format(file=part))
        yield descriptor
    finally:
        os.close(descriptor)


def is_ours(descriptor: int, part: Path) -> bool:
    """Nobody else has it, and nobody has given it another name just now."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(descriptor), os.stat(part))
    except OSError:
        return False


@contextmanager
def copy_errors(source: Path) -> Iterator[None]:
    try:
        yield
    except (DatabaseError, sqlite3.Error) as error:
        raise CannotStore(
            _("{file}: {reason}").format(file=source, reason=words_of(error))
        ) from None


def words_of(error: Exception) -> str:
    """What SQLite says, without the statement."""
    return str(getattr(error, "orig", error))


def code_of(error: Exception) -> int:
    """Which of SQLite's errors it is, without the details."""
    return int(getattr(getattr(error, "orig", error), "sqlite_errorcode", 0)) & 0xFF


def copy_pages(source: Path, target: Path, sync: Callable[[], None], on_pages: OnPages) -> None:
    """Page by page into an empty file.

    All pages are of one moment, because a transaction is held: otherwise SQLite would begin again
    whenever somebody writes, and never end at a busy server. Nobody waits for this transaction:
    changes go on into the log.
    """
    steps = 0

    def on_step(status: int, left: int, total: int) -> None:
        nonlocal steps
        steps += 1
        if steps % STEPS == 0:
            sync()
        on_pages(total - left, total)

    with reading(source) as connection, snapshot(connection):
        connection.exec_driver_sql("SELECT count(*) FROM sqlite_master")  # now is the moment
        driver = cast(sqlite3.Connection, connection.connection.driver_connection)
        with closing(sqlite3.connect(target, isolation_level=None)) as new:
            new.execute("PRAGMA synchronous = OFF")  # whoever wants the file syncs it
            driver.backup(new, pages=STEP, progress=on_step)
            new.execute("PRAGMA journal_mode = DELETE")  # no other file belongs to it


def wrong_with(connection: Connection) -> str:
    """Why no server could go on with this file; empty if one can."""
    if wrong := strangeness(connection) or missing_today(connection):
        return wrong
    return "" if is_sound(connection) else _("parts of the file are damaged")


def strangeness(connection: Connection) -> str:
    """Why this is nothing that we could read, damaged or not."""
    if not has_tables(connection):
        return _("this is not a store of Roundel")
    return later_version(revision(connection))


def missing_today(connection: Connection) -> str:
    """An older store gets what it lacks when a server starts."""
    return missing_part(connection) if revision(connection) in (HEAD, None) else ""


def logs_of(file: Path) -> list[Path]:
    return [file.with_name(file.name + ending) for ending in LOGS]


def remove_logs(file: Path) -> None:
    for log in (*logs_of(file), file.with_name(file.name + SHARED)):
        log.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Names are on disk as well."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
