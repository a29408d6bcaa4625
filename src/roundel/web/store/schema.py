"""The tables of the store. Secrets are kept as hashes only; a time is in seconds.

`migrations/` makes these tables in a file. `HEAD` is the newest of them: a store that has it needs
no migration, and then Alembic is not even imported.
"""

from __future__ import annotations

import time

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    text,
)

HEAD = "0002"

metadata = MetaData()


def noted_since_0002(name: str) -> Column[float]:
    """A time of the calendar that older files do not have; what comes from one has today's."""
    return Column(name, Float, nullable=False, default=time.time, server_default="0")


def match_key(is_primary: bool = True) -> Column[str]:
    """The match that a row belongs to, and with which it goes."""
    return Column(
        "match",
        String,
        ForeignKey("matches.id", ondelete="CASCADE"),
        primary_key=is_primary,
        nullable=False,
    )


matches = Table(
    "matches",
    metadata,
    Column("id", String, primary_key=True),
    Column("setup", Text, nullable=False),
    Column("owner", String, nullable=False),  # the device that made it; empty: a script
    Column("clocked", Boolean, nullable=False),
    Column("created", Float, nullable=False),  # of the calendar, like `finished`
    Column("finished", Float),
    Column("result", String, nullable=False, server_default=""),
    noted_since_0002("opened"),  # when somebody last came to it, give or take a day
    Index("owned", "owner"),
    Index("unopened", "opened"),
)

events = Table(
    "events",
    metadata,
    match_key(),
    Column("seq", Integer, primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("id", String, nullable=False),  # the sender's own; empty: none
    Column("at", Float, nullable=False),  # of the server's clock
    Column("body", Text, nullable=False),
    Index("once", "match", "seat", "id", unique=True, sqlite_where=text("id != ''")),
    sqlite_with_rowid=False,
)

keys = Table(
    "keys",
    metadata,
    match_key(),
    Column("seat", Integer, primary_key=True),
    Column("key", String, nullable=False),
    sqlite_with_rowid=False,
)

holders = Table(
    "holders",
    metadata,
    match_key(),
    Column("seat", Integer, primary_key=True),
    Column("device", String, primary_key=True),
    Index("held", "device"),
    sqlite_with_rowid=False,
)

invitations = Table(
    "invitations",
    metadata,
    Column("token", String, primary_key=True),
    match_key(is_primary=False),
    Column("seat", Integer, nullable=False),
    Column("is_friend", Boolean, nullable=False),  # for an open seat; else for my own device
    Column("used", Boolean, nullable=False, server_default="0"),
    noted_since_0002("created"),
    Index("invited", "match"),
    sqlite_with_rowid=False,
)

archived = Table(  # matches that went into files, so that whoever comes to one is told
    "archived",
    metadata,
    Column("match", String, primary_key=True),
    sqlite_with_rowid=False,
)

alive = Table(
    "alive",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Float, nullable=False),
)
