"""How the tables of a store became what they are: `migrate` brings any store up to date."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection


def migrate(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
