"""Evenings at a server at which one thing after the other fails."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from typing import Any

from tests.disk import Disk, watched
from tests.ledger import Ledger
from tests.powercut import after_cut, rebuild
from tests.web import HOME, ME, SAME, House, Seated, at_table, browser_of, made

from roundel import games
from roundel.web.app import make_app
from roundel.web.settings import Settings
from roundel.web.store.opening import FILE
from roundel.web.store.sqlite import SqliteStore
from roundel.web.tables.server_state import ServerState

DISK, COMPUTERS = "disk", "computers"  # at whom an evening is aimed
FAULTS = 10  # in an evening
TEN_YEARS = 10 * 365 * 86_400.0  # seconds
PAUSE = 0.005  # seconds until what was refused is tried again
Wish = dict[str, object]  # who is to sit at a table
COMPUTER: Wish = {"who": "computer", "level": 3}

Fault = Callable[["Evening"], float]  # returns how long nothing was acknowledged after its end


class RealHouse(House):
    """With real time and real computers."""

    @contextmanager
    def opened(self) -> Iterator[Any]:
        data, much = str(self.folder), 1e6
        settings = Settings(data=data, requests=much, messages=much, pace=0.0, workers=1)
        self.server = ServerState(settings)
        self.app = make_app(settings, self.server)
        with browser_of(self.app) as self.client:
            self.client.headers["origin"] = HOME
            yield self.client


class Evening:
    """A server, somebody who plays there without pause, and what they were promised."""

    def __init__(self, disk: Disk, rng: random.Random, seats: list[Wish]) -> None:
        self.disk, self.rng, self.seats = disk, rng, seats
        self.house, self.ledger = RealHouse(disk.folder), Ledger(disk)
        self.at_table = ExitStack()
        self.acknowledged = 0.0  # when something was, last

    def sit_down(self) -> None:
        """At a new match, as soon as it can be saved."""
        self.at_table.close()
        client, wish = self.house.client, {"spec": self.rng.choice(games.names())}
        while (answer := client.post("/api/matches", json=wish | {"seats": self.seats})).is_error:
            assert answer.json()["code"] == "busy", answer.text
            time.sleep(PAUSE)
        self.played = self.ledger.made(answer.json()["id"])
        self.seated: Seated = self.at_table.enter_context(at_table(client, self.played.id))

    def act(self) -> None:
        """An action and what the computer answers; or an attempt."""
        if self.seated.now["turn"] is None:
            self.sit_down()
        if self.ledger.act(self.played, self.seated):
            if COMPUTER in self.seats:
                self.ledger.follow(self.played, self.seated, self.seats.index(COMPUTER))
            self.acknowledged = time.perf_counter()
        else:
            time.sleep(PAUSE)  # the thread that writes wants the processor as well

    def goes_on(self, ended: list[float]) -> float:
        """Seconds from the end of a fault, which may be yet to come, to the next that is done."""
        while not ended or self.acknowledged < ended[0]:
            self.act()
        return self.acknowledged - ended[0]

    def lasts(self, seconds: float, end: Callable[[], object]) -> float:
        ended = list[float]()

        def over() -> None:
            end()
            ended.append(time.perf_counter())

        Timer(seconds, over).start()
        return self.goes_on(ended)

    def suffer(self, fault: Fault) -> float:
        """A fault in the course of a match."""
        self.sit_down()
        for _action in range(self.rng.randrange(5)):
            self.act()
        return fault(self)


# -- The disk -----------------------------------------------------------------------


def once(kind: str, code: int) -> Fault:
    """One operation fails, among the next ones."""

    def fault(evening: Evening) -> float:
        evening.disk.fail(kind, code, evening.rng.randrange(20), many=1)
        while not evening.disk.struck.is_set():
            begun = time.perf_counter()
            evening.act()
        return evening.goes_on([begun])

    return fault


def lasting(kind: str, code: int) -> Fault:
    """All fail for a while."""

    def fault(evening: Evening) -> float:
        evening.disk.fail(kind, code, evening.rng.randrange(20))
        return evening.lasts(evening.rng.uniform(0, 1), evening.disk.repair)

    return fault


def slow(evening: Evening) -> float:
    """Long enough for some that people are told."""
    evening.disk.answers.clear()
    return evening.lasts(evening.rng.uniform(0, 2), evening.disk.answers.set)


def locked(evening: Evening) -> float:
    other = sqlite3.connect(
        evening.disk.folder / FILE, isolation_level=None, check_same_thread=False
    )
    other.execute("PRAGMA busy_timeout = 5000")
    other.execute("BEGIN IMMEDIATE")
    return evening.lasts(evening.rng.uniform(0, 1), other.close)


def power_cut(evening: Evening) -> float:
    """Another server is started on what may be left; then somebody plays there."""
    ledger, rng = evening.ledger, evening.rng
    cut = rng.randint(ledger.matches[0].at, len(ledger.disk.log))
    with TemporaryDirectory() as folder:
        after = Path(folder) / "after"
        rebuild(after, after_cut(ledger.disk.log, cut, rng))
        ledger.check(after, cut)
        begun, house = time.perf_counter(), RealHouse(after)
        with house.opened() as client:
            with at_table(client, made(client, ME, SAME)["id"]) as seated:
                seated.act(0)
            return time.perf_counter() - begun


# -- The server itself --------------------------------------------------------------


def writer_dies(evening: Evening) -> float:
    """The thread that writes, of something that should never happen."""
    store = evening.house.server.store

    def die(connection: object) -> None:
        raise SystemExit("the end")

    async def write() -> None:
        assert isinstance(store, SqliteStore)
        await store.writer.write(die)

    portal = evening.house.client.portal
    assert portal
    with contextlib.suppress(RuntimeError):
        portal.call(write)
    return evening.goes_on([time.perf_counter()])


def calendar_jumps(evening: Evening) -> float:
    """Back or forth, by as much as ten years."""
    seconds = evening.rng.uniform(-TEN_YEARS, TEN_YEARS)
    evening.house.server.time.calendar = lambda: time.time() + seconds
    return evening.goes_on([time.perf_counter()])


# -- Processes that think -----------------------------------------------------------


def signalled(number: signal.Signals) -> Fault:
    """At any moment: while it thinks, or has nothing to do."""

    def fault(evening: Evening) -> float:
        def strike() -> None:
            for worker in evening.house.server.computers.workers:
                if worker.process and worker.process.returncode is None:
                    os.kill(worker.process.pid, number)

        return evening.lasts(evening.rng.uniform(0, 0.5), strike)

    return fault


KINDS: dict[str, dict[str, Fault]] = {
    DISK: {
        "power cut": power_cut,
        "I/O error at one write": once("write", sqlite3.SQLITE_IOERR_WRITE),
        "disk full at one write": once("write", sqlite3.SQLITE_FULL),
        "one sync fails": once("sync", sqlite3.SQLITE_IOERR_FSYNC),
        "any one operation fails": once("any", sqlite3.SQLITE_IOERR),
        "I/O errors for a while": lasting("any", sqlite3.SQLITE_IOERR),
        "disk full for a while": lasting("write", sqlite3.SQLITE_FULL),
        "read-only for a while": lasting("write", sqlite3.SQLITE_READONLY),
        "locked by somebody else": locked,
        "slow disk": slow,
        "thread that writes dies": writer_dies,
        "calendar jumps": calendar_jumps,
    },
    COMPUTERS: {
        "computer: SIGKILL": signalled(signal.SIGKILL),
        "computer: SIGSTOP": signalled(signal.SIGSTOP),
    },
}


def evening(what: str, seed: int) -> Iterator[tuple[str, float]]:
    """Its faults, each with the seconds that nothing was acknowledged after its end."""
    rng = random.Random(f"{what} {seed}")
    seats: list[Wish] = [{**ME}, COMPUTER if what == COMPUTERS else {**SAME}]
    with TemporaryDirectory() as folder, watched(Path(folder) / "store") as disk:
        party = Evening(disk, rng, seats)
        with party.house.opened(), party.at_table:
            for _fault in range(FAULTS):
                kind = rng.choice(list(KINDS[what]))
                try:
                    yield kind, party.suffer(KINDS[what][kind])
                except Exception as error:
                    error.add_note(f"({kind})")
                    raise
        party.ledger.check(disk.folder)
