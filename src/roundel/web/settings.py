"""What a server can be told: each field by an argument, or as `ROUNDEL_NAME` in the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from roundel.core.errors import RoundelError
from roundel.core.lang import _

PREFIX = "ROUNDEL_"
KIB = 1024

Many = Annotated[int, Meta(ge=1)]
Rate = Annotated[float, Meta(gt=0)]


class WrongSetting(RoundelError):
    """A setting has a value that it cannot have."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All bounds are for one process. Rates are per second; `burst` seconds may come at once."""

    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8000
    data: str = ""  # the folder of the store; empty: the user's data folder
    origins: str = ""  # others than the server's own from which pages may talk to it, with commas
    hosts: str = ""  # names besides the machine's own by which it may be asked for, with commas
    proxies: str = ""  # addresses whose forwarded headers are believed, with commas
    log: Literal["debug", "info", "warning", "error"] = "warning"

    workers: Annotated[int, Meta(ge=0)] = 2  # processes in which the computer thinks
    thoughts: Many = 64  # that may wait for a worker
    pace: Annotated[float, Meta(ge=0)] = 0.4  # seconds that its actions take if somebody looks on
    away: Annotated[float, Meta(ge=0)] = 60  # seconds until one who left may be claimed against
    sockets: Many = 10_000  # of them a quarter for one address
    connections: Many = 2_000  # besides sockets; of them a quarter for one address
    tables: Many = 200  # that stay in memory when nobody is there
    waiting: Many = 4_000  # changes that may wait for the disk
    unsent: Many = 64  # messages that may wait for a slow client before it is dropped

    messages: Rate = 30  # of a socket
    requests: Rate = 100  # of an address
    made: Many = 1_000  # new matches of an address in an hour
    owned: Many = 1_000  # matches that one device has made and not deleted
    matches: Many = 1_000_000  # that are kept in all
    burst: Rate = 4
    body: Many = 16 * KIB
    record: Many = 512 * KIB  # an uploaded record
    events: Many = 10_000  # of a match: many times what people need
    invitations: Many = 20  # that one match may have open
    expiry: Rate = 30  # days in which an invitation can be used
    archive: Annotated[float, Meta(ge=0)] = 365  # days until a match that nobody opens is archived

    @property
    def folder(self) -> Path:
        if self.data:
            return Path(self.data).expanduser()
        import platformdirs

        return Path(platformdirs.user_data_dir("roundel"))

    @property
    def allowed(self) -> frozenset[str]:
        return listed(self.origins)

    @property
    def known_hosts(self) -> frozenset[str]:
        return listed(self.hosts)


def listed(names: str) -> frozenset[str]:
    return frozenset(names.lower().replace(",", " ").split())


def settings(environment: Mapping[str, str] = os.environ, **arguments: object) -> Settings:
    """Arguments go before the environment, and that before the defaults."""
    known = Settings.__struct_fields__
    from_env = {name: environment.get(PREFIX + name.upper()) for name in known}
    given = {name: value for name, value in (from_env | arguments).items() if value is not None}
    try:
        return msgspec.convert(given, Settings, strict=False)
    except msgspec.ValidationError as error:
        reason, _at, name = str(error).rstrip("`").partition(" - at `$.")
        text = _("setting {name}: {reason}, got {found!r}")
        wrong = text.format(name=PREFIX + name.upper(), reason=reason, found=given[name])
        raise WrongSetting(wrong) from None
