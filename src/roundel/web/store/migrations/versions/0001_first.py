"""The first tables."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def match_key(**more: Any) -> sa.Column[str]:
    return sa.Column("match", sa.String, sa.ForeignKey("matches.id", ondelete="CASCADE"), **more)


def upgrade() -> None:
    op.create_table(
        "matches",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("setup", sa.Text, nullable=False),
        sa.Column("owner", sa.String, nullable=False),
        sa.Column("clocked", sa.Boolean, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("finished", sa.Float),
        sa.Column("result", sa.String, nullable=False, server_default=""),
    )
    op.create_table(
        "events",
        match_key(primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("id", sa.String, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    once = ["match", "seat", "id"]
    op.create_index("once", "events", once, unique=True, sqlite_where=sa.text("id != ''"))
    op.create_table(
        "keys",
        match_key(primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("key", sa.String, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "holders",
        match_key(primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("device", sa.String, primary_key=True),
        sqlite_with_rowid=False,
    )
    op.create_index("held", "holders", ["device"])
    op.create_table(
        "invitations",
        sa.Column("token", sa.String, primary_key=True),
        match_key(nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("is_friend", sa.Boolean, nullable=False),
        sa.Column("used", sa.Boolean, nullable=False, server_default="0"),
        sqlite_with_rowid=False,
    )
    op.create_index("invited", "invitations", ["match"])
    op.create_table(
        "alive",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
    )
