"""When a match was last opened, and when an invitation was made; which matches were archived.

Nobody knows the times of what is there already: they count from today, so that all links keep
working.
"""

import time

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

ADDED = (("matches", "opened"), ("invitations", "created"))


def upgrade() -> None:
    for table, name in ADDED:
        op.add_column(table, sa.Column(name, sa.Float, nullable=False, server_default="0"))
        op.execute(sa.update(sa.table(table, sa.column(name))).values({name: time.time()}))
    op.create_index("owned", "matches", ["owner"])
    op.create_index("unopened", "matches", ["opened"])
    op.create_table(
        "archived",
        sa.Column("match", sa.String, primary_key=True),
        sqlite_with_rowid=False,
    )
