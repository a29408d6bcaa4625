"""How the tables of a store became what they are: `migrate` brings any store up to date."""

from __future__ import annotations

from pathlib import Path

from alembic.util import CommandError as CannotMigrate
from sqlalchemy import Connection

__all__ = ["CannotMigrate", "migrate"]


def migrate(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
