"""A match before its first event: what is drawn by lot, and who holds its seats."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from typing import TYPE_CHECKING

from msgspec.structs import replace

from roundel.core.game import Game
from roundel.play.setup import Setup, game_of, rematch_of
from roundel.web.requests.devices import new_match_id
from roundel.web.store.interface import NewMatch
from roundel.web.tables.messages import encode

if TYPE_CHECKING:
    from roundel.web.tables.table import Table


def with_lots(game: Game, named: Collection[str] = ()) -> str:
    """The game's spec with a value drawn for each option that nobody is asked for."""
    options = dict(game.options)
    for option in game.manifest.options:
        if option.by_lot and option.name not in named:
            options[option.name] = secrets.choice(option.values or (False, True))
    return Game(game.manifest, options).spec


def new_match(
    setup: Setup,
    owner: str,
    created: float,
    keys: dict[int, str] | None = None,
    holders: dict[int, frozenset[str]] | None = None,
    invitations: dict[str, int] | None = None,
) -> NewMatch:
    text, shared = encode(setup).decode(), (keys or {}, holders or {}, invitations or {})
    return NewMatch(new_match_id(), text, owner, setup.clock is not None, created, *shared)


def new_rematch(table: Table) -> NewMatch:
    """The same people once more, with their devices and keys."""
    setup, before = rematch_of(table.match)
    keys, holders = table.seating.keys, table.seating.holders
    return new_match(
        replace(setup, spec=with_lots(game_of(setup))),
        table.owner,
        table.server.time.calendar(),
        keys={new: keys[old] for new, old in enumerate(before) if old in keys},
        holders={new: frozenset(holders.get(old, ())) for new, old in enumerate(before)},
    )
