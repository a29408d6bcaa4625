"""A file of which some pages are junk: whole matches go into a new one, the others are named.

Nothing is written into a damaged file: that can fail anywhere, and spoil what is still whole. It
is kept under another name for whoever wants to get more out of it.
"""

from __future__ import annotations

import itertools
import logging
from collections.abc import Iterator
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    Table,
    insert,
    inspect,
    literal_column,
    select,
    text,
)
from sqlalchemy.exc import DatabaseError

from roundel.core.lang import _
from roundel.web.store.interface import read_event, read_setup
from roundel.web.store.schema import (
    alive,
    archived,
    events,
    holders,
    invitations,
    keys,
    matches,
    metadata,
)

# What goes from one file to the other is of any table and of any type.
AnySelect = Select[Any]
AnyColumn = ColumnElement[Any]
AnyRow = Row[Any]
Values = dict[str, Any]

CHECK = "PRAGMA quick_check(1)"  # of the structure of all pages, up to the first thing wrong
NUMBERED = "SELECT seq FROM events INDEXED BY once WHERE match = :match AND id != ''"
VERSION = "alembic_version"
ROW: AnyColumn = literal_column("rowid")  # the order in which rows were written
CONTENTS = (matches, events, keys, holders, invitations)  # of a match, in an order to write them
DAMAGED = ""  # the setup of a match of which not all could be read

log = logging.getLogger(__name__)


def missing_part(connection: Connection) -> str:
    """The table or column that is not there, in words; empty if all are."""
    inspector = inspect(connection)
    names = set(inspector.get_table_names())
    for name in (*metadata.tables, VERSION):
        if name not in names:
            return _("the table {table!r} is missing").format(table=name)
    for table in metadata.sorted_tables:
        columns = {column["name"] for column in inspector.get_columns(table.name)}
        for column in table.columns:
            if column.name not in columns:
                wrong = _("the table {table!r} has no column {column!r}")
                return wrong.format(table=table.name, column=column.name)
    return ""


def is_sound(connection: Connection) -> bool:
    try:
        return connection.exec_driver_sql(CHECK).scalar() == "ok"
    except DatabaseError:
        return False


def rescue(old: Connection, new: Connection) -> tuple[int, list[str]]:
    """Copies what is whole; returns how many matches there were, and which are damaged."""
    ids, asked = ids_in(old), contents(old)
    damaged = [id for id in ids if not copy_match(old, new, id, asked)]
    for id in damaged:
        row = {"id": id, "setup": DAMAGED, "owner": "", "clocked": False, "created": 0.0}
        new.execute(insert(matches), row)
    gone = {row.match for row in readable_rows(old, select(archived), archived.c.match)}
    if gone:
        new.execute(insert(archived), [{"match": id} for id in sorted(gone)])
    beats = [row.at for row in readable_rows(old, select(alive))]
    if beats:
        new.execute(insert(alive), {"id": 1, "at": max(beats)})
    new.commit()
    return len(ids), damaged


def ids_in(old: Connection) -> list[str]:
    """The matches that are mentioned anywhere, in the order of their ids."""
    id_rows = itertools.chain(
        readable_rows(old, select(matches.c.id), ROW),
        readable_rows(old, select(matches.c.id), matches.c.id),
        *(
            readable_rows(old, select(table.c.match).distinct(), table.c.match)
            for table in (events, keys, holders)
        ),
    )
    return sorted({id for (id,) in id_rows if isinstance(id, str)})


def readable_rows(old: Connection, statement: AnySelect, *order: AnyColumn) -> Iterator[AnyRow]:
    """The rows up to the first that is in a junk page, and those from the end up to the last."""
    backwards = [tuple(column.desc() for column in order)] if order else []
    for ordered in (order, *backwards):
        try:
            yield from old.execute(statement.order_by(*ordered))
            return
        except DatabaseError as error:
            log.info("a part of the file cannot be read: %s", error.orig)


def copy_match(old: Connection, new: Connection, id: str, asked: dict[Table, AnySelect]) -> bool:
    """Whether all of a match was there, and is in the new file now."""
    try:
        rows = {table: rows_of(old, table, query, id) for table, query in asked.items()}
        check_complete(old, id, rows)
        with new.begin_nested():
            for table, copied in rows.items():
                if copied:
                    new.execute(insert(table), copied)
    except Exception as error:  # junk can look like anything
        log.info("match %s: %s", id, error)
        return False
    return True


def contents(old: Connection) -> dict[Table, AnySelect]:
    """What to ask for of a match: a file of an earlier version has not all of today's columns."""
    inspector = inspect(old)
    asked = {}
    for table in CONTENTS:
        names = {column["name"] for column in inspector.get_columns(table.name)}
        asked[table] = select(*(column for column in table.c if column.name in names))
    return asked


def rows_of(old: Connection, table: Table, asked: AnySelect, id: str) -> list[Values]:
    key = table.c.id if table is matches else table.c.match
    return [dict(row._mapping) for row in old.execute(asked.where(key == id))]


def check_complete(old: Connection, id: str, rows: dict[Table, list[Values]]) -> None:
    """`ValueError` if a part is missing: a log that ends early looks like a whole one."""
    (match,) = rows[matches]
    read_setup(match["setup"])
    for row in rows[events]:
        read_event(row["body"])
    seqs = sorted(row["seq"] for row in rows[events])
    sent = {row["seq"] for row in rows[events] if row["id"]}
    if seqs != list(range(1, len(seqs) + 1)) or not indexed_seqs(old, id) <= sent:
        raise ValueError(_("a part of its events is missing"))


def indexed_seqs(old: Connection, id: str) -> set[int]:
    """The events that an index of them knows, as far as it can be read."""
    try:
        return {row.seq for row in old.execute(text(NUMBERED), {"match": id})}
    except DatabaseError:
        return set()
