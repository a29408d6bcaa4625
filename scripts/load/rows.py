"""The table of figures that a server must reach, row by row: each is measured, not assumed."""

from __future__ import annotations

import asyncio
import itertools
import random
import statistics
import tempfile
from asyncio import FIRST_COMPLETED
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from tqdm import tqdm

from roundel import games
from scripts.load.addresses import client_at, loopback
from scripts.load.crowd import Crowd, CrowdPlan, crowd, processes, together
from scripts.load.scores import replays, some_score
from scripts.load.server import ServerProcess
from scripts.load.tables import PlayedTable, Tally, check

KIB, MIB = 1 << 10, 1 << 20
SLACK = 16 * MIB  # bytes: the allocator's and SQLite's, not a match's
PLAYERS = 8  # matches that are played while the server is killed
CLOCK = {"seconds": 3600, "increment": 0}


@dataclass(frozen=True)
class Scale:
    """How large everything is; a test is content with less."""

    kills: int = 20  # in one go
    restarts: int = 3
    sockets: int = 1000
    idle_sockets: int = 5000
    busy: int = 100  # tables at which people play, for memory
    eager: int = 400  # tables that play as quickly as they can; half of their sockets are let in
    scripts: int = 500  # the same without boards: at fewer, sockets would reach their limit
    seconds: float = 30.0
    long: float = 600.0
    downtime: float = 60.0
    processes: int = 1


@dataclass(frozen=True)
class Measured:
    text: str
    is_enough: bool


@dataclass(frozen=True)
class SoakRow:
    what: str
    wanted: str
    measure: Callable[[Scale, int], Measured]
    parts: int = 1


@contextmanager
def serving(
    settings: dict[str, str] | None = None, kind: type[ServerProcess] = ServerProcess
) -> Iterator[ServerProcess]:
    """A server on an empty store that has loaded every game."""
    with tempfile.TemporaryDirectory() as folder, kind(Path(folder), **settings or {}) as server:
        asyncio.run(Crowd(CrowdPlan(server.url, len(games.names()), 0.1)).play())
        yield server


def milliseconds(tally: Tally, percent: int) -> float:
    """The time below which so many of the answers were."""
    return 1000 * statistics.quantiles(tally.seconds, n=100)[percent - 1]


def watched(server: ServerProcess, futures: list[Future[Tally]]) -> list[int]:
    """The server's memory, second by second, while a crowd is there."""
    found = []
    with tqdm(unit="s", leave=False) as bar:
        while wait(futures, 1.0).not_done:
            found.append(server.memory)
            bar.update()
            bar.set_postfix_str(f"{found[-1] / MIB:.0f} MiB")
    return found or [server.memory]


def fifth(samples: list[int], number: int) -> int:
    """The most memory in one fifth of the time."""
    size = max(len(samples) // 5, 1)
    return max(samples[number * size : (number + 1) * size] or samples[-1:])


# -- Nothing is lost ----------------------------------------------------------------


def kills(scale: Scale, part: int) -> Measured:
    """`kill -9` at random moments under load; what was acknowledged must be there once."""
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(Path(folder))
        try:
            played = asyncio.run(killing(server, scale.kills, random.Random(part)))
        finally:
            server.kill()
    text = f"0 of {played} actions lost or doubled in {scale.kills} kills"
    return Measured(text, played >= scale.kills)


async def killing(server: ServerProcess, kills: int, rng: random.Random) -> int:
    server.start()
    async with AsyncExitStack() as stack:
        players = [Player(server.url, number, rng.randrange(1000)) for number in range(PLAYERS)]
        for player in players:
            await stack.enter_async_context(player.http)
        playing = [asyncio.create_task(player.play()) for player in players]
        for _kill in tqdm(range(kills), unit="kill", leave=False):
            more = rng.randint(1, 100)
            await asyncio.wait(
                [*playing, asyncio.create_task(progress(players, more))],
                return_when=FIRST_COMPLETED,
            )
            server.kill()
            await asyncio.to_thread(server.start)
        for player in players:
            player.is_content = True
        await asyncio.gather(*playing)
        for player in players:
            for table in player.tables:
                if table.id:
                    await examine(table, player.http)
    return sum(player.acknowledged for player in players)


async def progress(players: list[Player], more: int) -> None:
    """Returns when so many more actions were acknowledged, in the middle of the next ones."""
    target = more + sum(player.acknowledged for player in players)
    while sum(player.acknowledged for player in players) < target:
        await asyncio.sleep(0.001)


class Player:
    """Plays match after match, whatever happens to the server."""

    def __init__(self, url: str, place: int, first: int) -> None:
        self.url, self.place, self.numbers = url, place, itertools.count(first)
        self.http = client_at(loopback(place))
        self.tables: list[PlayedTable] = []
        self.is_content = False  # then it comes to an end

    @property
    def acknowledged(self) -> int:
        return sum(table.acknowledged for table in self.tables)

    async def play(self) -> None:
        while not self.is_content:
            table = PlayedTable(self.url, some_score(next(self.numbers)), place=self.place)
            self.tables.append(table)
            while not (table.is_over or self.is_content):
                await table.act_whatever_happens(self.http)
            await table.leave()


async def examine(table: PlayedTable, http: httpx.AsyncClient) -> None:
    """What is stored is what was acknowledged, and legal."""
    history = (await state_of(table, http))["history"]
    check(table, history)
    replays(table.score.spec, [entry["text"] for entry in history])


async def state_of(table: PlayedTable, http: httpx.AsyncClient) -> Any:
    address = f"http://{table.url}/api/matches/{table.id}"
    response = await http.get(address, headers=table.holders[0])
    response.raise_for_status()
    return response.json()


# -- Time ---------------------------------------------------------------------------


def restart(scale: Scale, part: int) -> Measured:
    """From the start of the process to the first answer, on a store that has matches in it."""
    with serving() as server:
        took = []
        for _ in range(scale.restarts):
            server.kill()
            took.append(server.start())
    return Measured(f"{max(took):.2f} s", max(took) <= 2)


def downtime(scale: Scale, part: int) -> Measured:
    with serving() as server:
        cost = asyncio.run(clock_cost(server, scale.downtime))
    return Measured(f"{cost:.2f} s", cost <= 1)


async def clock_cost(server: ServerProcess, seconds: float) -> float:
    """How much less a clock shows after the server was down."""
    async with httpx.AsyncClient(timeout=60, trust_env=False) as http:
        table = PlayedTable(server.url, some_score(0))
        await table.make(http, clock=CLOCK)
        await table.join()
        for _ in range(4):
            await table.act()
        before = await least_time(table, http)
        server.kill()
        await table.leave()
        for _ in tqdm(range(round(seconds)), unit="s", leave=False):
            await asyncio.sleep(1)
        server.start()
        return before - await least_time(table, http)


async def least_time(table: PlayedTable, http: httpx.AsyncClient) -> float:
    """What the clock that runs shows, in seconds."""
    return min(map(float, (await state_of(table, http))["now"]["clocks"])) / 1000


# -- Load ---------------------------------------------------------------------------


def durable(scale: Scale, part: int) -> Measured:
    """Scripts that act as soon as they are answered."""
    with serving() as server, processes(scale.processes) as pool:
        plan = CrowdPlan(server.url, scale.scripts, scale.seconds, is_script=True)
        tally = together(crowd(pool, plan, scale.processes))
    rate = len(tally.seconds) / scale.seconds
    return Measured(f"{rate:,.0f} /s", rate >= 3000)


def thousand(scale: Scale, part: int) -> Measured:
    with serving() as server, processes(scale.processes) as pool:
        plan = CrowdPlan(server.url, scale.sockets // 2, scale.seconds, pace=0.5)
        tally = together(crowd(pool, plan, scale.processes))
    middle, most = milliseconds(tally, 50), milliseconds(tally, 99)
    return Measured(f"p50 {middle:.1f} ms, p99 {most:.1f} ms", middle <= 10 and most <= 50)


def thousands(scale: Scale, part: int) -> Measured:
    """Every socket acts every ten seconds."""
    with serving() as server, processes(scale.processes) as pool:
        before = server.memory
        plan = CrowdPlan(server.url, scale.idle_sockets // 2, scale.seconds, pace=5.0)
        playing = crowd(pool, plan, scale.processes)
        memory = watched(server, playing)
        tally = together(playing)
    each, most = (fifth(memory, 4) - before) / scale.idle_sockets, milliseconds(tally, 99)
    is_enough = most <= 100 and each <= 60 * KIB
    return Measured(f"p99 {most:.1f} ms, {each / KIB:.0f} KiB each", is_enough)


def overload(scale: Scale, part: int) -> Measured:
    """Twice as many sockets as are let in, and of those twice as many actions at once."""
    sockets = 2 * scale.eager
    bounds = {"ROUNDEL_SOCKETS": str(sockets // 2), "ROUNDEL_WAITING": str(sockets // 8)}
    with serving(bounds) as server, processes(scale.processes) as pool:
        plan = CrowdPlan(server.url, sockets // 2, 2 * scale.seconds)  # tables stay for a while
        playing = crowd(pool, plan, scale.processes)
        memory = watched(server, playing)
        tally = together(playing)
    grown = fifth(memory, 4) - fifth(memory, 1)
    text = f"{tally.refused} refusals, {tally.retries} of them with a time to try again"
    is_enough = tally.refused == tally.retries > 0 and grown < SLACK
    return Measured(f"{text}; grown by {grown / MIB:.1f} MiB", is_enough)


def memory(scale: Scale, part: int) -> Measured:
    with serving() as server, processes(scale.processes) as pool:
        playing = crowd(
            pool, CrowdPlan(server.url, scale.busy, scale.long, pace=0.1), scale.processes
        )
        samples = watched(server, playing)
        tally = together(playing)
    grown = fifth(samples, 4) - fifth(samples, 1)
    text = f"grown by {grown / MIB:.1f} MiB in {len(tally.seconds):,} actions"
    return Measured(text, grown < SLACK)


ROWS = {
    "kills": SoakRow("`kill -9` under load", "0 lost or doubled, all legal", kills, parts=10),
    "restart": SoakRow("restart to first answer", "2 s", restart),
    "durable": SoakRow("durable, rule-checked actions", "3,000 /s", durable),
    "thousand": SoakRow("1,000 sockets, an action a second each", "p50 10 ms, p99 50 ms", thousand),
    "thousands": SoakRow("5,000 sockets", "p99 100 ms, 60 KiB each", thousands),
    "overload": SoakRow("twice the load it can bear", "Retry-After, memory flat", overload),
    "downtime": SoakRow("60 s of downtime", "1 s of clock", downtime),
    "memory": SoakRow("10 minutes of play", "memory flat", memory),
}
