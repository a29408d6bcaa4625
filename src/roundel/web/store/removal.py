"""How matches leave the store."""

from __future__ import annotations

from sqlalchemy import Connection, delete, func, insert, select

from roundel.core.lang import _
from roundel.web.store.interface import Conflict, Stored
from roundel.web.store.schema import archived, events, matches


def archive_match(read: Stored, has_record: bool, connection: Connection) -> None:
    """Remove a match; `Conflict` if somebody came or something happened since it was read."""
    newest = select(func.count()).where(events.c.match == read.id).scalar_subquery()
    query = select(matches.c.opened, newest).where(matches.c.id == read.id)
    if connection.execute(query).first() != (read.opened, len(read.rows)):
        raise Conflict(_("the match was continued elsewhere"))
    connection.execute(delete(matches).where(matches.c.id == read.id))
    if has_record:
        connection.execute(insert(archived).prefix_with("OR IGNORE").values(match=read.id))
