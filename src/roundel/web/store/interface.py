"""What a server must be able to keep, whatever keeps it: `sqlite.py` does.

A change is written whole or not at all, and whoever awaits it goes on only when it is on disk.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from msgspec import Struct, json

from roundel.core.errors import RoundelError
from roundel.play.events import Event
from roundel.play.setup import Setup
from roundel.web.requests.problems import Overloaded

# What is kept of a setup and of an event, read.
read_setup = json.Decoder(Setup).decode
read_event = json.Decoder(Event).decode


class StoreBusy(Overloaded):
    """More changes wait for the disk than are allowed to."""


class Conflict(RoundelError):
    """The change does not fit to what is stored: it was written before, or something else was."""


class Row(Struct, frozen=True):
    """An event of a match as it is kept."""

    match: str
    seq: int
    seat: int  # of the sender
    id: str  # the sender's own for it; empty: none
    at: float
    body: str


@dataclass(frozen=True)
class NewMatch:
    """A match that did not exist before."""

    id: str
    setup: str
    owner: str
    clocked: bool
    created: float
    keys: dict[int, str] = field(default_factory=dict)  # the hash of each seat's key
    holders: dict[int, frozenset[str]] = field(default_factory=dict)
    invitations: dict[str, int] = field(default_factory=dict)  # friends' seats by the token's hash

    def stored(self) -> Stored:
        """As it is kept before anything has happened."""
        holders = {seat: set(devices) for seat, devices in self.holders.items() if devices}
        keys = dict(self.keys)
        return Stored(
            self.id,
            self.setup,
            self.owner,
            self.created,
            None,
            self.created,
            [],
            keys,
            holders,
        )


@dataclass(frozen=True)
class Finish:
    """How a match ended, and when by the calendar."""

    when: float
    result: str


@dataclass(frozen=True)
class Hold:
    """A device gets a seat; an invitation for it is used up."""

    seat: int
    device: str
    token: str
    is_friend: bool


class Change(Struct, frozen=True):
    """Events of one match, and what goes with them in the same step."""

    match: str
    rows: Sequence[Row] = ()
    finish: Finish | None = None
    hold: Hold | None = None
    new: NewMatch | None = None  # the rematch, or the match itself


@dataclass(frozen=True)
class Stored:
    """Everything about a match."""

    id: str
    setup: str
    owner: str
    created: float
    finished: float | None
    opened: float  # when somebody last came to it, give or take a day
    rows: list[Row]
    keys: dict[int, str]
    holders: dict[int, set[str]]


@dataclass(frozen=True)
class Invitation:
    match: str
    seat: int
    is_friend: bool  # for whoever takes an open seat; otherwise for another device of its holder
    used: bool
    created: float


@dataclass(frozen=True)
class ListedMatch:
    """A match in a device's list."""

    id: str
    setup: str
    created: float
    finished: float | None
    result: str
    seats: list[int]


class Clocked(NamedTuple):
    """An unfinished match with clocks."""

    id: str
    setup: str


class Forgotten(NamedTuple):
    """The matches of a device that went with it, and those that others still have."""

    deleted: list[str]
    left: list[str]


class Unopened(NamedTuple):
    """A match, and when somebody last came to it."""

    opened: float
    id: str


def is_shared(owner: str, keys: dict[int, str], holders: dict[int, set[str]], who: str) -> bool:
    """Whether a match is not this device's or key's alone: keys belong to whoever made it."""
    others = set[str]().union(*holders.values()) - {who}
    has_made_it = who == owner or who in keys.values()
    return bool(others) or bool(keys and not has_made_it)


class MatchStore(Protocol):
    @property
    def trouble(self) -> str:
        """Why nothing can be written now; empty if it can."""

    @property
    def committed(self) -> float:
        """When something was written last, by the monotonic clock."""

    @property
    def foreign_writes(self) -> int:
        """How often another process has changed something, as far as we have noticed."""

    def revive(self) -> None:
        """Called a few times a second: what has died inside is begun anew."""

    async def start(self) -> float:
        """Opens the store; returns how far the server's clock had come."""

    async def stop(self) -> None: ...
    async def write(self, change: Change) -> None: ...
    async def invite(self, token: str, invitation: Invitation) -> None: ...
    async def note_opened(self, match: str, when: float) -> None: ...
    async def release(self, match: str, device: str) -> None:
        """The device has no part in that match any more; its person's names go with it."""

    async def remove(self, match: str) -> None: ...
    async def forget(self, device: str) -> Forgotten: ...
    async def archive(self, read: Stored, has_record: bool) -> None:
        """Remove a match that has a record now, or is worth none.

        `Conflict` if it is not as it was read.
        """

    async def beat(self, at: float) -> None:
        """The server's clock has come so far."""

    async def match(self, id: str) -> Stored | None: ...
    async def is_archived(self, id: str) -> bool: ...
    async def unopened(
        self, before: float, after: Unopened, most: int, is_unplayed: bool
    ) -> list[Unopened]:
        """The next matches to which nobody came since then, the longest ago first; all of them, or
        those in which nothing has happened."""

    async def invitation(self, token: str) -> Invitation | None: ...
    async def open_invitations(self, match: str, since: float) -> int:
        """Those made since then that nobody has used."""

    async def count(self) -> int:
        """All matches."""

    async def owned(self, device: str) -> int:
        """The matches that a device has made."""

    async def mine(self, device: str) -> list[ListedMatch]: ...
    async def damaged(self) -> list[str]:
        """Matches of which a part was lost, because a part of the store was junk."""

    async def ticking(self) -> list[Clocked]: ...
