"""What an audience is told about a table: one place that decides who gets to see what.

Nobody gets keys or invitations from here. Paths go to whoever holds the seat to act; spectators
hold none, so they get no paths and no list of what can be done.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, NamedTuple

from msgspec import UNSET, Raw

from roundel.core.board import AccountItem
from roundel.core.game import Game
from roundel.core.lang import _, current, speaking
from roundel.play.commands import TAKEBACK
from roundel.play.match import OVER, PLAYING, RULES, Match
from roundel.play.outcome import outcome_text
from roundel.play.paths import paths
from roundel.play.permissions import UNDO, permissions_of
from roundel.play.phrases import PHRASES
from roundel.web.built_page import page_version
from roundel.web.computer.levels import elo, level_name
from roundel.web.store.interface import Row
from roundel.web.tables.messages import (
    EventMessage,
    Now,
    Offering,
    SeatView,
    Snapshot,
    TableView,
    encode,
    packed,
)

if TYPE_CHECKING:
    from roundel.web.tables.seating import Seating
    from roundel.web.tables.table import Table


NO_LAYOUT = Raw(b"{}")


class Audience(NamedTuple):
    """Clients that are told the same."""

    language: str
    seats: frozenset[int]
    views: bool = True  # whether they draw the board


def layout_of(game: Game) -> Raw:
    """The layout with its texts in the language spoken now."""
    return layout_in(game, current())


@functools.lru_cache(maxsize=256)
def layout_in(game: Game, language: str) -> Raw:
    layout, say = game.layout.copy(), game.manifest.translate
    if "trays" in layout:
        layout["trays"] = {name: say(text) for name, text in layout["trays"].items()}
    layout["spots"] = layout["spots"].copy()
    for name, spot in layout["spots"].items():
        if "label" in spot:
            layout["spots"][name] = {**spot, "label": say(spot["label"])}
    if "labels" in layout:
        layout["labels"] = [{**label, "text": say(label["text"])} for label in layout["labels"]]
    return Raw(encode(layout))


def last_spots(match: Match, ply: int) -> list[str]:
    """Where the action of that ply was clicked."""
    (before, after), text = match.around(ply), match.entries[ply - 1].text
    action = before.read(text) if after.last is None else after.last
    return list(before.clicks(action))


class RenderCache:
    """What is sent of a table: made when it is first wanted, and kept until it is no longer so."""

    def __init__(self, match: Match, seating: Seating) -> None:
        self.match, self.seating = match, seating
        self.seq, self.changes = match.seq, seating.changes  # of what is kept
        self._prompts: dict[str, str] = {}
        self._seats: dict[Audience, list[SeatView]] = {}
        self._board: tuple[Raw, Raw] | None = None
        self._paths: Raw | None = None

    def prompt(self) -> str:
        """In the language spoken now."""
        self._forget_the_past()
        language = current()
        if language not in self._prompts:
            self._prompts[language] = prompt(self.match)
        return self._prompts[language]

    def board(self) -> tuple[Raw, Raw]:
        """The view, and where the last action was clicked."""
        self._forget_the_past()
        if self._board is None:
            is_begun = len(self.match.positions) > 1  # in the second game of a pair again
            last = last_spots(self.match, self.match.ply) if is_begun else []
            self._board = Raw(encode(self.match.position.view)), Raw(encode(last))
        return self._board

    def paths(self) -> Raw:
        self._forget_the_past()
        if self._paths is None:
            self._paths = Raw(encode(paths(self.match.position)))
        return self._paths

    def seats(self, audience: Audience) -> list[SeatView]:
        """In the language spoken now, which is the audience's."""
        self._forget_the_past()
        if audience not in self._seats:
            self._seats[audience] = seat_views(self.match, self.seating, audience)
        return self._seats[audience]

    def _forget_the_past(self) -> None:
        """Every event may show in a prompt or on the board; who sits where changes seldom."""
        if self.seq != self.match.seq:
            self.seq = self.match.seq
            self._prompts, self._board, self._paths = {}, None, None
        if self.changes != self.seating.changes:
            self.changes, self._seats = self.seating.changes, {}


# -- Parts ----------------------------------------------------------------------


def seat_views(match: Match, seating: Seating, audience: Audience) -> list[SeatView]:
    game = match.position.game
    roles = game.manifest.view.seats(game.options)
    return [
        SeatView(
            name=seat.name,
            kind=seat.kind,
            level=seat.level,
            level_name=level_name(seat.level),
            elo=elo(game.name, game.players, seat.level),
            role=game.manifest.translate(role["role"]),
            piece=role["piece"],
            mine=number in audience.seats,
            out=seat.is_out,
            present=number not in seating.absent,
        )
        for number, (seat, role) in enumerate(zip(match.seats, roles, strict=True))
    ]


def table_view(table: Table, audience: Audience) -> TableView:
    game, setup = table.game, table.match.setup
    pair = [_("two games on one board")] if setup.pair else []
    return TableView(
        id=table.id,
        spec=setup.spec,
        game=game.name,
        title=game.title,
        options=[*game.chosen, *pair],
        clock=setup.clock,
        leaver=setup.leaver,
        pair=setup.pair,
        seats=table.rendered.seats(audience),
        layout=layout_of(game) if audience.views else NO_LAYOUT,
        look=f"/api/games/{game.name}/look",
        created=table.created,
        phrases=[_(phrase) for phrase in PHRASES],
    )


def account(match: Match) -> list[AccountItem] | None:
    if match.reason != RULES:
        return None
    lasts = [game[-1] for game in match.games]
    return [item for p in lasts for item in p.game.manifest.view.account(p.state)]


def prompt(match: Match) -> str:
    if match.status == OVER:
        return outcome_text(match)
    if match.status != PLAYING:
        return _("The match begins when all seats are taken.")
    return match.position.prompt


def permissions(table: Table, seats: frozenset[int]) -> list[str]:
    """The names of what any of these seats can do: exactly what `submit` would not refuse."""
    can_have_hint = table.match.turn in seats and table.hint_refusal() is None
    allowed = ["hint"] if can_have_hint else []
    seating, now = table.seating, table.now()
    away = [seat for seat in seating.absent if seating.is_away(seat)]
    for seat in sorted(seats):
        allowed += permissions_of(table.match, seat, now, free=seating.is_solo, away=away)
    if len(seats) < 2:  # nothing is there twice
        return allowed
    return [name for name in dict.fromkeys(allowed) if name != TAKEBACK or UNDO not in allowed]


# -- Whole messages -------------------------------------------------------------


def shared_now(table: Table) -> Now:
    """What is the same for everybody; `complete_now` adds what one audience is told besides."""
    match, position, clocks = table.match, table.match.position, table.match.clocks
    return Now(
        status=match.status,
        result=match.result,
        reason=match.reason,
        ply=match.ply,
        turn=match.turn,
        clocks=clocks.all_remaining(table.now()) if clocks else None,
        running=clocks.running if clocks else None,
        offers=[Offering(what, seat) for what, seat in match.offers.items()],
        game=match.game_index,
        rematch=match.rematch or None,
        unaided=position.game.unaided,
        points=position.points,
    )


def complete_now(now: Now, table: Table, audience: Audience) -> None:
    """In the language spoken now."""
    match, rendered = table.match, table.rendered
    now.seats = rendered.seats(audience)
    now.outcome = outcome_text(match) if match.status == OVER else ""
    now.account = account(match)
    if not audience.views:
        now.can = now.prompt = now.view = now.last = now.paths = UNSET
        return
    may_see = match.turn in audience.seats and not now.unaided
    now.can, now.prompt = permissions(table, audience.seats), rendered.prompt()
    now.view, now.last = rendered.board()
    now.paths = rendered.paths() if may_see else None


def snapshot(table: Table, audience: Audience) -> Snapshot:
    with speaking(audience.language):
        now = shared_now(table)
        complete_now(now, table, audience)
        view, entries = table_view(table, audience), table.match.entries
        return Snapshot(table.seq, view, now, entries, page_version())


def event_message(table: Table, row: Row, kept: int) -> EventMessage:
    """An event, with the state after it and the entries that it added."""
    new = table.match.entries[kept:]
    return EventMessage(table.seq, row.id, Raw(row.body.encode()), shared_now(table), kept, new)


def render_event_for(audience: Audience, table: Table, message: EventMessage) -> str:
    with speaking(audience.language):
        complete_now(message.now, table, audience)
        return packed(message)
