"""How the tables of a store became what they are: `migrate` brings any store up to date."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from alembic.util import CommandError as CannotMigrate
from sqlalchemy import Connection

if TYPE_CHECKING:
    from alembic.config import Config

__all__ = ["CannotMigrate", "migrate", "revisions"]


def migrate(connection: Connection) -> None:
    from alembic import command

    config = configured()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def revisions() -> set[str]:
    """All from which `migrate` knows the way."""
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory.from_config(configured())
    return {script.revision for script in scripts.walk_revisions()}


def configured() -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    return config
