"""One live match: whatever happens at it is judged, stored, and only then told."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from roundel.core.game import Game
from roundel.core.lang import N_, _
from roundel.play import commands as c
from roundel.play.events import Acted, Event
from roundel.play.match import OVER, fold
from roundel.play.setup import OPEN
from roundel.play.submit import Refusal, flag, submit
from roundel.web.requests.visitors import HOUSE, Visitor
from roundel.web.store.interface import (
    Change,
    Conflict,
    Finish,
    Hold,
    NewMatch,
    Row,
    StoreBusy,
    Stored,
    is_shared,
    read_event,
    read_setup,
)
from roundel.web.tables.broadcast import broadcast, broadcast_event, broadcast_snapshots, send_pause
from roundel.web.tables.computer_player import AGAIN, ComputerPlayer
from roundel.web.tables.messages import encode, packed
from roundel.web.tables.rendering import RenderCache, snapshot
from roundel.web.tables.seating import Seating

if TYPE_CHECKING:
    from roundel.web.sockets.clients import Client
    from roundel.web.tables.server_state import ServerState

FEW = 20  # clients who are told at once who comes and goes
PRESENCE_PERIOD = 0.5  # seconds; where there are more

ENDS = (c.Resign, c.Abort, c.Claim, c.Rematch)


class Table:
    def __init__(self, server: ServerState, stored: Stored) -> None:
        self.server, self.id, self.owner = server, stored.id, stored.owner
        self.created, self.finished = stored.created, stored.finished
        self.opened = stored.opened  # when somebody last came here, give or take a day
        self.match = fold(read_setup(stored.setup), (read_event(row.body) for row in stored.rows))
        self.seq_by_id = {(row.seat, row.id): row.seq for row in stored.rows if row.id}
        self.lock = asyncio.Lock()
        self.seating = Seating(server, self.match, stored)
        self.timer: asyncio.TimerHandle | None = None
        self.presence_timer: asyncio.TimerHandle | None = None
        self.away_timers: dict[frozenset[int], asyncio.TimerHandle] = {}  # for seats left alone
        self.last_used = self.now()  # when somebody last asked for this table
        self.visitor: Visitor | None = None  # who did, if not through a socket
        self.rendered = RenderCache(self.match, self.seating)
        self.computer = ComputerPlayer(self)

    # -- State now ---------------------------------------------------------------

    def now(self) -> float:
        return self.server.time.now()

    @property
    def seq(self) -> int:
        return self.match.seq

    @property
    def game(self) -> Game:
        """With the options of the game that is played now, which may be the second of a pair."""
        return self.match.position.game

    @property
    def is_watched(self) -> bool:
        """Whether a computer is to act: it waits where nobody would see it, unless a clock runs.

        Computers alone wait for somebody who stays.
        """
        runs = self.match.clocks and self.match.clocks.running is not None
        was_here = self.visitor and self.now() - self.last_used < self.server.settings.away
        return bool(self.seating.clients or (self.match.people and (runs or was_here)))

    @property
    def charged_visitor(self) -> Visitor:
        """To whom the computer's time is charged: best to somebody who sits here."""
        seated = [client for client in self.seating.clients if client.audience.seats]
        return next(
            (client.visitor for client in (*seated, *self.seating.clients)), self.visitor or HOUSE
        )

    @property
    def is_idle(self) -> bool:
        """Whether nothing is lost if the table is put away until somebody comes."""
        runs = self.match.clocks and self.match.clocks.running is not None
        return not (self.seating.clients or runs or self.computer.is_busy or self.lock.locked())

    def is_shared(self, who: str) -> bool:
        """Whether the match is not this device's or key's alone."""
        return is_shared(self.owner, self.seating.keys, self.seating.holders, who)

    # -- What happens -----------------------------------------------------------

    async def perform(
        self,
        command: c.Command,
        id: str = "",
        new: NewMatch | None = None,
    ) -> int:
        """Judge, store, tell. Returns the number of the event; the same for a repeated id."""
        seat = command.seat
        async with self.lock:
            if (seat, id) in self.seq_by_id:
                return self.seq_by_id[seat, id]
            if fallen := flag(self.match, self.now()):
                await self.store_and_broadcast(fallen)
            if self.seq >= self.server.settings.events and not isinstance(command, ENDS):
                raise Refusal("full", _("this match is too long to go on; it can only be ended"))
            events = submit(self.match, command, self.now())
            if not events:
                return self.seq
            first = self.seq + 1
            await self.store_and_broadcast(events, (seat, id), new=new)
        return first

    def has_answered(self, seat: int, id: str, since: int) -> bool:
        """Whether an event after that one has answered a message."""
        return self.seq_by_id.get((seat, id), 0) > since

    async def sit(self, hold: Hold, name: str) -> None:
        """By an invitation: an open seat is taken, or its holder comes with another device."""
        async with self.lock:
            is_open = self.match.seats[hold.seat].kind == OPEN
            if is_open != hold.is_friend:
                raise Refusal("not_now", _("somebody else has taken this seat"))
            command = c.Sit(hold.seat, name)
            events = submit(self.match, command, self.now()) if is_open else []
            await self.store_and_broadcast(events, (hold.seat, ""), hold)

    async def check_clock(self) -> None:
        """Perhaps somebody's time is up."""
        async with self.lock:
            if fallen := flag(self.match, self.now()):
                try:
                    await self.store_and_broadcast(fallen)
                except Refusal as error:
                    if error.code == "busy":
                        self.set_timer(AGAIN)
            else:
                self.set_timer()

    async def store_and_broadcast(
        self,
        events: Sequence[Event],
        sent: tuple[int, str] = (-1, ""),
        hold: Hold | None = None,
        new: NewMatch | None = None,
    ) -> None:
        """Store events, then tell them. If that fails, nobody has heard of them."""
        rows = self.rows(events, sent)
        await self.store(Change(self.id, rows, hold=hold, new=new))
        if hold:
            self.seating.give(hold)
        if sent[1] and rows:
            self.seq_by_id[sent] = rows[0].seq
        for event, row in zip(events, rows, strict=True):
            self.apply(event, row)
        await self.finish()
        self.schedule()

    def rows(self, events: Sequence[Event], sent: tuple[int, str]) -> list[Row]:
        seat, id = sent
        return [
            Row(self.id, seq, seat, "" if number else id, event.at, encode(event).decode())
            for number, (seq, event) in enumerate(enumerate(events, self.seq + 1))
        ]

    async def store(self, change: Change) -> None:
        try:
            await self.server.store.write(change)
        except StoreBusy as error:
            raise Refusal("busy", _(str(error))) from None
        except Conflict as error:
            self.server.reload(self)
            raise Refusal("stale", _("the match was continued elsewhere")) from error
        except BaseException:  # nobody knows what is on disk: the match is read again from there
            self.server.reload(self)
            raise

    def apply(self, event: Event, row: Row) -> None:
        before = self.match.ply
        self.match.apply(event)
        if not isinstance(event, Acted):
            self.seating.update()
        self.server.metrics.count_event(type(event))
        broadcast_event(self, row, min(before, self.match.ply))

    async def finish(self) -> None:
        """Note the end beside the log, for lists; if that is lost, it follows from the log."""
        if self.match.status == OVER and self.finished is None:
            self.finished = self.server.time.calendar()
            finish = Finish(self.finished, self.match.result)
            await self.store(Change(self.id, finish=finish))

    def schedule(self) -> None:
        """What goes on by itself: clocks and computers."""
        self.set_timer()
        self.computer.update()

    def set_timer(self, later: float = 0.005) -> None:
        """Look again when the clock that runs should have run out."""
        if self.timer:
            self.timer.cancel()
            self.timer = None
        clocks = self.match.clocks
        if clocks and clocks.running is not None:
            seconds = clocks.remaining(clocks.running, self.now()) / 1000
            check = lambda: self.server.spawn(self.check_clock())  # noqa: E731
            self.timer = asyncio.get_running_loop().call_later(seconds + later, check)

    def close(self) -> None:
        """Nothing goes on here any more."""
        self.computer.close()
        for timer in (self.timer, self.presence_timer):
            if timer:
                timer.cancel()
        self.cancel_away_timers()
        for client in tuple(self.seating.clients):
            client.drop()

    # -- Who comes and goes -----------------------------------------------------

    def enter(self, client: Client) -> None:
        self.seating.add(client)
        client.push(packed(snapshot(self, client.audience)))
        if self.server.is_paused:
            send_pause(self, client)
        if self.computer.announced.seat is not None:
            client.push(packed(self.computer.announced))
        self.tell_presence()
        self.computer.update()

    def note_visitor(self, visitor: Visitor) -> None:
        """Somebody asked without a socket."""
        self.visitor = visitor
        self.computer.update()

    def leave(self, client: Client) -> None:
        gone = self.seating.remove(client)
        self.last_used, self.visitor = self.now(), client.visitor
        self.tell_presence()
        if gone:  # then it can be claimed that they do not come back
            delay, later = self.server.settings.away + 0.1, asyncio.get_running_loop().call_later
            if before := self.away_timers.get(gone):
                before.cancel()  # they came back meanwhile
            self.away_timers[gone] = later(delay, broadcast_snapshots, self)
        if not self.seating.clients:
            self.cancel_away_timers()

    def tell_presence(self) -> None:
        """At once where few are. Where many are, they may all come or go in a moment, and each of
        them would cost a message to each: there, everybody is told after that moment."""
        if len(self.seating.clients) <= FEW:
            broadcast(self, self.seating.presence())
        elif self.presence_timer is None:
            later = asyncio.get_running_loop().call_later
            self.presence_timer = later(PRESENCE_PERIOD, self.broadcast_presence)

    def broadcast_presence(self) -> None:
        self.presence_timer = None
        broadcast(self, self.seating.presence())

    def cancel_away_timers(self) -> None:
        """A timer would keep the whole table in memory."""
        for timer in self.away_timers.values():
            timer.cancel()
        self.away_timers.clear()

    def hint_refusal(self) -> str | None:
        """Why the computer does not help here; None if it does."""
        if self.game.unaided:
            return N_("in this match players find the legal moves themselves")
        if not self.seating.is_solo:
            return N_("there are no hints in a match against people")
        return None
