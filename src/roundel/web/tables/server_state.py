"""All live tables of a server, and what they share: store, time, computers, games."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import OrderedDict
from collections.abc import Coroutine, Iterator
from typing import TypeVar

from roundel.core.errors import RoundelError
from roundel.core.lang import N_, _
from roundel.play.match import PLAYING
from roundel.play.setup import COMPUTER, Setup, check
from roundel.web.computer.computers import Computers
from roundel.web.computer.workshop import Workshop
from roundel.web.metrics import Metrics
from roundel.web.requests.places import Occupant, Places
from roundel.web.requests.problems import Problem
from roundel.web.requests.shares import Shares
from roundel.web.requests.visitors import Visitor
from roundel.web.settings import Settings
from roundel.web.store.interface import (
    Change,
    Forgotten,
    MatchStore,
    NewMatch,
    StoreBusy,
    Stored,
    read_setup,
)
from roundel.web.store.sqlite import SqliteStore
from roundel.web.tables.archive import Archive
from roundel.web.tables.broadcast import broadcast_pause
from roundel.web.tables.library import Library
from roundel.web.tables.quota import Quota
from roundel.web.tables.table import Table
from roundel.web.tables.timing import DAY, DISK, Time
from roundel.web.tables.upkeep import Upkeep

SOCKETS_SHARE = 4  # an address may have one in so many of all sockets
ARCHIVED = N_("match {id!r} was archived, since nobody had opened it for a long time")
STAY = 10.0  # seconds that a table stays after somebody asked for it

log = logging.getLogger(__name__)
Found = TypeVar("Found")


@contextlib.contextmanager
def damaged(id: str) -> Iterator[None]:
    """What is stored makes no match, whatever it fails at: that is said, and concerns no other."""
    try:
        yield
    except StoreBusy:
        raise
    except Exception as error:
        log.exception("match %s is damaged", id)
        text = _("the stored match is damaged; this has been logged")
        raise Problem("damaged", text) from error


class ServerState:
    def __init__(
        self,
        settings: Settings,
        store: MatchStore | None = None,
        time: Time | None = None,
        computers: Computers | None = None,
    ) -> None:
        self.settings, self.metrics, self.shares = settings, Metrics(), Shares()
        self.store = store or SqliteStore(settings.folder, settings.waiting, self.metrics)
        self.time, self.library = time or Time(), Library()
        self.computers = computers or Computers(settings.workers, settings.thoughts)
        self.workshop = Workshop()
        self.tables: OrderedDict[str, Table] = OrderedDict()
        self.loading: dict[str, asyncio.Task[Table]] = {}
        self.tasks: set[asyncio.Task[object]] = set()
        self.starting: asyncio.Task[None] | None = None
        share = max(1, settings.sockets // SOCKETS_SHARE)
        self.sockets: Places[Occupant] = Places(settings.sockets, share, lead=2)
        self.damaged: list[str] = []  # matches of which a part was lost
        self.is_paused = False  # nothing can be saved, so clocks stand still
        self.archive, self.quota = Archive(self), Quota(self)
        self.upkeep = Upkeep(self)

    # -- Opening and closing ----------------------------------------------------

    async def start(self) -> None:
        self.time.start(await self.store.start())
        self.damaged = await self.store.damaged()
        await self.quota.count()
        self.library.start()
        self.upkeep.start()

    async def stop(self) -> None:
        """What is not on disk by now was never acknowledged."""
        for table in tuple(self.tables.values()):
            self.close_table(table)
        for task in tuple(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await asyncio.gather(self.computers.stop(), self.workshop.stop())
        last = asyncio.create_task(self.store.beat(self.time.now()))
        await asyncio.sleep(0)  # it is in line now
        await self.store.stop()
        await asyncio.gather(last, return_exceptions=True)

    def spawn(self, work: Coroutine[object, None, Found]) -> asyncio.Task[Found]:
        """Something that goes on by itself until the server stops."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.note_end)
        return task

    def note_end(self, task: asyncio.Task[object]) -> None:
        self.tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error and not isinstance(error, RoundelError):
            self.metrics.errors.inc()
            log.error("a task failed", exc_info=error)

    def pause(self, is_paused: bool) -> None:
        """While nothing can be saved, clocks stand still and people are told."""
        if is_paused == self.is_paused:
            return
        self.is_paused = is_paused
        (self.time.hold if is_paused else self.time.release)(DISK)
        for table in tuple(self.tables.values()):
            broadcast_pause(table)

    async def start_computers(self) -> None:
        """The processes that think are started when somebody first wants them.

        Those that cannot be started now are tried again by whoever asks them.
        """
        if self.starting is None:
            self.starting = self.spawn(self.computers.start())
        with contextlib.suppress(OSError):
            await asyncio.shield(self.starting)

    async def warm(self, setup: Setup) -> None:
        """Let the computer load a game that it is about to play."""
        await self.start_computers()
        await self.computers.warm(setup.spec.partition(":")[0])

    # -- Matches ----------------------------------------------------------------

    async def table(self, id: str) -> Table:
        """The live table of a match for somebody who comes to it."""
        table = await self.live_table(id)
        if self.time.calendar() - table.opened >= DAY:
            self.spawn(self.note_opened(table))
        return table

    async def note_opened(self, table: Table) -> None:
        """Once a day. If that cannot be saved now, the next one who comes tries again."""
        before, table.opened = table.opened, self.time.calendar()
        try:
            await self.store.note_opened(table.id, table.opened)
        except StoreBusy:
            table.opened = before

    async def live_table(self, id: str) -> Table:
        """The live table of a match, read from the store if need be. This alone is no visit."""
        if id in self.tables:
            self.tables.move_to_end(id)
            self.tables[id].last_used = self.time.now()
            return self.tables[id]
        if id not in self.loading:
            self.begin_loading(id, self.load(id))
        return await asyncio.shield(self.loading[id])

    def begin_loading(self, id: str, work: Coroutine[object, None, Table]) -> asyncio.Task[Table]:
        """Whoever comes to that match meanwhile waits for this, and gets what it finds."""
        task = self.loading[id] = self.spawn(work)
        task.add_done_callback(lambda done: self.loading.pop(id, None))
        return task

    async def load(self, id: str) -> Table:
        with damaged(id):
            stored = await self.store.match(id)
        if stored is None:
            is_archived = await self.store.is_archived(id)
            wrong = _(ARCHIVED) if is_archived else _("there is no match {id!r}")
            raise Problem("missing", wrong.format(id=id[:64]))
        with damaged(id):
            setup = read_setup(stored.setup)
        await self.library.ready(setup.spec)
        with damaged(id):
            table = self.open_table(stored)
        await table.finish()
        return table

    def open_table(self, stored: Stored) -> Table:
        table = self.tables[stored.id] = Table(self, stored)
        table.schedule()
        self.metrics.tables.set(len(self.tables))
        return table

    def close_idle_tables(self) -> None:
        """Keep as many tables as settings allow; those at which something goes on always stay.

        So do those that were asked for a moment ago: whoever did has yet to sit down.
        """
        more, now = len(self.tables) - self.settings.tables, self.time.now()
        if more > 0:
            tables = self.tables.values()
            unused = [t for t in tables if t.is_idle and now - t.last_used > STAY]
            for table in unused[:more]:
                self.close_table(table)

    def close_table(self, table: Table) -> None:
        """Who is there is sent away, comes back and finds what is on disk."""
        if self.tables.get(table.id) is table:
            del self.tables[table.id]
            self.metrics.tables.set(len(self.tables))
        table.close()

    def reload(self, table: Table) -> None:
        """What is on disk counts. A clock goes on also if nobody comes back."""
        self.close_table(table)
        if table.match.clocks and table.match.status == PLAYING:
            self.spawn(self.upkeep.resume_clock(table.id))

    async def create(self, setup: Setup, new: NewMatch, visitor: Visitor) -> None:
        """Open a match for somebody who is about to come."""
        await self.library.ready(setup.spec)
        check(setup)
        await self.quota.take(visitor)
        await self.store.write(Change(new.id, new=new))
        self.open_table(new.stored()).note_visitor(visitor)  # it need not be read again
        if any(seat.kind == COMPUTER for seat in setup.seats):
            self.spawn(self.warm(setup))
        log.info("match made", extra={"match": new.id, "spec": setup.spec})

    async def remove(self, table: Table, device: str) -> None:
        """Delete a device's match: whole if nobody else is in it, otherwise from their list."""
        async with table.lock:
            if table.is_shared(device):
                await self.store.release(table.id, device)
                self.reload(table)
            else:
                await self.store.remove(table.id)
                self.close_table(table)

    async def forget(self, device: str) -> Forgotten:
        """Delete everything of a device; what others keep is read again without it."""
        forgotten = await self.store.forget(device)
        for id in (*forgotten.deleted, *forgotten.left):
            if id in self.loading:  # perhaps as it was before
                await asyncio.wait([self.loading[id]])
            if id in self.tables:
                (self.close_table if id in forgotten.deleted else self.reload)(self.tables[id])
        return forgotten
