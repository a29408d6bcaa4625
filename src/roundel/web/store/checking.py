"""Is a store what it should be? All of its file is checked, and every match is played again."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import Connection, NullPool, Table, create_engine
from sqlalchemy.exc import DatabaseError

from roundel.core.errors import RoundelError
from roundel.core.lang import _
from roundel.play.events import Acted, Event
from roundel.play.match import Match
from roundel.play.setup import Setup
from roundel.web.store.copying import (
    code_of,
    copy_pages,
    missing_today,
    reading,
    snapshot,
    strangeness,
    words_of,
)
from roundel.web.store.damage import DAMAGED, Values, check_complete, contents, ids_in, rows_of
from roundel.web.store.interface import read_event, read_setup
from roundel.web.store.opening import FILE, CannotStore, bring_up_to_date, revision
from roundel.web.store.schema import HEAD, events, matches

CHECK = "PRAGMA integrity_check(1)"  # of all pages and indexes, up to the first thing wrong
DAMAGE = {
    sqlite3.SQLITE_ERROR,  # no such table
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
}

Follow = Callable[[list[str]], Iterable[str]]  # the same ids, and somebody sees how far we are


class WrongEvent(RoundelError):
    """An event that the rules do not allow there."""


@dataclass
class Report:
    version: str = ""  # of the tables; empty: unknown
    wrong: str = ""  # with the file as a whole; empty: nothing
    matches: int = 0
    finished: int = 0
    events: int = 0
    damaged: dict[str, str] = field(default_factory=dict)  # why, by the id of the match

    @property
    def is_sound(self) -> bool:
        return not (self.wrong or self.damaged)


def check(file: Path, follow: Follow) -> Report:
    """All that is wrong with it; `CannotStore` if it is nothing that can be checked."""
    report = Report()
    try:
        with reading(file) as connection:
            if wrong := strangeness(connection):
                raise CannotStore(_("{file}: {reason}").format(file=file, reason=wrong))
            report.version = revision(connection) or ""
            report.wrong = missing_today(connection)
            if report.wrong:
                return report
            report.wrong = damage(connection)
            with as_today(file, connection) as today:
                check_matches(today, follow, report)
    except (DatabaseError, sqlite3.Error) as error:
        if says_nothing(error):
            wrong = _("{file}: {reason}").format(file=file, reason=words_of(error))
            raise CannotStore(wrong) from None
        report.wrong = report.wrong or words_of(error)
    return report


def damage(connection: Connection) -> str:
    with snapshot(connection):
        found = str(connection.exec_driver_sql(CHECK).scalar())
    return "" if found == "ok" else found


def says_nothing(error: Exception) -> bool:
    """About the file: it is locked, may not be read, or there is no room for a copy."""
    return code_of(error) not in (0, *DAMAGE)


@contextmanager
def as_today(file: Path, connection: Connection) -> Iterator[Connection]:
    """With the tables of today: those of an older store are made in a copy."""
    if revision(connection) == HEAD:
        yield connection
        return
    with tempfile.TemporaryDirectory(prefix="roundel-") as folder:
        copy = Path(folder) / FILE
        copy.touch(mode=0o600)
        copy_pages(file, copy, lambda: None, lambda done, total: None)
        engine = create_engine(f"sqlite:///{copy}", poolclass=NullPool)
        with engine.connect() as upgraded:
            bring_up_to_date(upgraded)
            yield upgraded


# -- Matches --------------------------------------------------------------------


def check_matches(connection: Connection, follow: Follow, report: Report) -> None:
    """Each at a moment of its own: the log of a running server cannot be shortened meanwhile."""
    asked = contents(connection)
    for id in follow(ids_in(connection)):
        try:
            with snapshot(connection):
                rows = {table: rows_of(connection, table, asked[table], id) for table in asked}
                if not any(rows.values()):
                    continue  # deleted since
                count(rows, report)
                check_match(connection, id, rows)
        except Exception as error:  # junk can look like anything
            if says_nothing(error):
                raise
            report.damaged[id] = words_of(error) or type(error).__name__


def count(rows: dict[Table, list[Values]], report: Report) -> None:
    report.matches += 1
    report.events += len(rows[events])
    report.finished += any(match["finished"] is not None for match in rows[matches])


def check_match(connection: Connection, id: str, rows: dict[Table, list[Values]]) -> None:
    if not rows[matches]:
        raise CannotStore(_("only its events or seats are there"))
    if rows[matches][0]["setup"] == DAMAGED:
        raise CannotStore(_("parts of it were lost when the file was damaged"))
    check_complete(connection, id, rows)
    in_order = sorted(rows[events], key=lambda row: int(row["seq"]))
    replay(read_setup(rows[matches][0]["setup"]), (read_event(row["body"]) for row in in_order))


def replay(setup: Setup, log: Iterable[Event]) -> None:
    """Through the rules, which refuse what is illegal; whose turn it was is compared here."""
    match = Match(setup)
    for event in log:
        if isinstance(event, Acted) and (event.seat, event.ply) != (match.turn, match.ply):
            wrong = _("event {seq}: it was not the turn of seat {seat}")
            raise WrongEvent(wrong.format(seq=match.seq + 1, seat=event.seat + 1))
        try:
            match.apply(event)
        except RoundelError as error:
            reason = _("event {seq}: {reason}").format(seq=match.seq, reason=error)
            raise WrongEvent(reason) from None
