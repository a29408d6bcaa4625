"""Print what the server reaches beside its bare limit, `bench/limit/server.py`.

    python -m bench.server                  # everything
    python -m bench.server boards restart   # some

Both serve the same load in turn, so that other work on the machine disturbs both; the middle round
counts, and behind it is the range of all. The load is the soak's: it comes from many addresses, and
the server has its default limits. It takes its own part of the machine, and with boards more than
the bare server does: then what a second of the server's processor is good for says more.

It can be interrupted and goes on where it was; `--again` measures what was measured before.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import platform
import time
from collections.abc import Callable
from concurrent.futures import wait
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median

from scripts.load.addresses import client_at, loopback
from scripts.load.crowd import CrowdPlan, crowd, processes, together
from scripts.load.rows import KIB, milliseconds, serving
from scripts.load.scores import some_score
from scripts.load.server import ServerProcess, many_files
from scripts.load.tables import PlayedTable, Tally
from scripts.sources import digest
from tqdm import tqdm

from bench.limit.server import Sizes
from roundel import games

FOLDER = Path(".soak")
ROUNDS = 5
SAMPLE = 100  # actions of each game, by which the length of messages is found
PLAYED = 0.8  # of the time: what is before it may belong to the opening of tables
RATE, WORTH = "actions a second", "actions for a second of processor"
P50, P99 = "p50, ms", "p99, ms"
MEMORY, SECONDS = "KiB a socket", "seconds"


@dataclass(frozen=True)
class Scale:
    tables: int = 500  # that play as quickly as they can: a socket's rate stays below its bound
    sockets: int = 1000
    idle_sockets: int = 5000
    seconds: float = 15.0


Figures = dict[str, float]
Kind = type[ServerProcess]


class Limit(ServerProcess):
    """The bare server in a process of its own."""

    sizes = Sizes(board=2400, script=720)  # until they are measured

    def __init__(self, folder: Path, **settings: str) -> None:
        super().__init__(folder, **settings)
        sizes = ("--board", str(self.sizes.board), "--script", str(self.sizes.script))
        self.program = ("bench.limit.server", *sizes)


SIDES: dict[str, Kind] = {"ours": ServerProcess, "limit": Limit}


def message_size(server: ServerProcess, is_script: bool) -> int:
    """Bytes that our server tells a socket of an action, on average over all games."""

    async def play(number: int) -> tuple[int, int]:
        table = PlayedTable(server.url, some_score(number), is_script, number)
        async with client_at(loopback(number)) as http:
            await table.make(http)
            await table.join()
            for _action in range(min(SAMPLE, len(table.score.steps))):
                await table.act()
        received = sum(line.received for line in table.lines)
        messages = table.acknowledged * len(table.lines)
        await table.leave()
        return received, messages

    async def play_all() -> list[tuple[int, int]]:
        return await asyncio.gather(*map(play, range(len(games.names()))))

    received, messages = map(sum, zip(*asyncio.run(play_all()), strict=True))
    return round(received / messages)


# -- One round of one of the two ----------------------------------------------------


@dataclass(frozen=True)
class Load:
    """What came of a crowd, and what it cost the server."""

    tally: Tally
    memory: int  # bytes for all sockets
    cores: float  # that the server kept busy


def under(server: ServerProcess, plan: CrowdPlan) -> Load:
    samples = [(time.perf_counter(), server.processor, server.memory)]
    with processes(1) as pool, tqdm(unit="s", leave=False, disable=None) as bar:
        playing = crowd(pool, plan, 1)
        while wait(playing, 0.5).not_done:
            samples.append((time.perf_counter(), server.processor, server.memory))
            bar.update(0.5)
        tally = together(playing)
    last = samples[-1]
    first = next(one for one in samples if last[0] - one[0] <= PLAYED * plan.seconds)
    cores = (last[1] - first[1]) / max(last[0] - first[0], 0.5)
    return Load(tally, last[2] - samples[0][2], cores)


def busy(kind: Kind, scale: Scale, is_script: bool) -> Figures:
    with serving(kind=kind) as server:
        plan = CrowdPlan(server.url, scale.tables, scale.seconds, is_script=is_script)
        load = under(server, plan)
    assert not load.tally.refused, "the server came to its limits, which are not what is measured"
    rate = len(load.tally.seconds) / scale.seconds
    return {RATE: rate, WORTH: rate / load.cores}


def thousand(kind: Kind, scale: Scale) -> Figures:
    """Every socket acts once a second."""
    with serving(kind=kind) as server:
        plan = CrowdPlan(server.url, scale.sockets // 2, scale.seconds, pace=0.5)
        load = under(server, plan)
    p50, p99 = milliseconds(load.tally, 50), milliseconds(load.tally, 99)
    return {P50: p50, P99: p99}


def thousands(kind: Kind, scale: Scale) -> Figures:
    """Every socket acts every ten seconds."""
    with serving(kind=kind) as server:
        plan = CrowdPlan(server.url, scale.idle_sockets // 2, scale.seconds, pace=5.0)
        load = under(server, plan)
    each = load.memory / scale.idle_sockets / KIB
    return {P99: milliseconds(load.tally, 99), MEMORY: each}


def restart(kind: Kind, scale: Scale) -> Figures:
    """From the start of the process to the first answer, on a store that has matches in it."""
    with serving(kind=kind) as server:
        server.kill()
        return {SECONDS: server.start()}


Measure = Callable[[Kind, Scale], Figures]
ROWS: dict[str, Measure] = {
    "scripts": partial(busy, is_script=True),
    "boards": partial(busy, is_script=False),
    "thousand": thousand,
    "thousands": thousands,
    "restart": restart,
}
TITLES = {
    "scripts": "{tables} tables of scripts, as quickly as they can",
    "boards": "{tables} tables with boards to draw, as quickly as they can",
    "thousand": "{sockets} sockets, an action a second each",
    "thousands": "{idle_sockets} sockets, an action in ten seconds each",
    "restart": "from the start of the process to its first answer",
}


# -- All of them --------------------------------------------------------------------


def with_range(values: list[float], unit: str = "") -> str:
    digits = 2 if median(values) < 10 and not unit else 0
    middle, low, high = (
        f"{value:,.{digits}f}" for value in (median(values), min(values), max(values))
    )
    return f"{middle}{unit} ({low} to {high})"


def print_row(name: str, scale: Scale, rounds: list[dict[str, Figures]]) -> None:
    """Ours, the limit's, and ours as a share of the limit's."""
    print(TITLES[name].format_map(vars(scale)))
    for figure in rounds[0]["ours"]:
        ours, limit = ([found[side][figure] for found in rounds] for side in SIDES)
        shares = [100 * mine / bare for mine, bare in zip(ours, limit, strict=True)]
        print(
            f"  {figure:34}{with_range(ours):>26}{with_range(limit):>26}"
            f"{with_range(shares, ' %'):>22}",
            flush=True,
        )


Job = tuple[str, int, str]  # a row, a round, and which of the two


def read(path: Path) -> dict[Job, Figures]:
    lines = path.read_text().splitlines() if path.exists() else []
    return {(row, number, side): found for row, number, side, found in map(json.loads, lines)}


def measure(rows: list[str], rounds: int, scale: Scale, path: Path) -> dict[Job, Figures]:
    """Every figure is written down as soon as it is known."""
    done = read(path)
    pairs = [list(SIDES), list(SIDES)[::-1]]  # neither is always the first
    jobs = [(row, i, side) for i in range(rounds) for row in rows for side in pairs[i % 2]]
    for row, number, side in tqdm([job for job in jobs if job not in done], disable=None):
        done[row, number, side] = found = ROWS[row](SIDES[side], scale)
        with path.open("a") as file:
            file.write(json.dumps([row, number, side, found]) + "\n")
    return done


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rows", nargs="*", metavar="ROW", choices=[[], *ROWS])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seconds", type=float, default=Scale.seconds, help="of each")
    parser.add_argument("--again", action="store_true", help="forget what was measured before")
    given = parser.parse_args()
    many_files()
    FOLDER.mkdir(exist_ok=True)
    scale, rows = Scale(seconds=given.seconds), given.rows or list(ROWS)
    path = FOLDER / f"server-{digest('core', 'games', 'play', 'web')}-{scale.seconds:g}"
    if given.again:
        path.unlink(missing_ok=True)
    with serving() as server:
        Limit.sizes = Sizes(message_size(server, False), message_size(server, True))
    done = measure(rows, given.rounds, scale, path)
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}")
    sizes = f"{Limit.sizes.board} bytes to a board, {Limit.sizes.script} to a script"
    print(f"{given.rounds} rounds; of an action, {sizes}\n")
    print(f"{'':36}{'ours':>26}{'limit':>26}{'ours / limit':>22}")
    for row in rows:
        found = [{side: done[row, i, side] for side in SIDES} for i in range(given.rounds)]
        print_row(row, scale, found)


if __name__ == "__main__":
    main()
