"""`make soak`, at the door: a server that is told to stop ends well, whatever it is doing.

    python -m scripts.starts_and_stops               # 200 starts, shared by all situations
    python -m scripts.starts_and_stops --starts 20   # fewer
    python -m scripts.starts_and_stops compiling     # some situations

It is stopped at random moments, every other time as Ctrl-C does it. The exit code must be 0, no
process may be left after two seconds, and nothing may crash, be it the server or what thinks for
it: that is seen in exit codes, on standard error, and in the kernel's log where we may read it. It
can be interrupted and goes on where it was (`.soak/`), until the sources change.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import astuple, dataclass
from pathlib import Path

import httpx
from tqdm import tqdm

from roundel import games
from scripts.load.addresses import loopback
from scripts.load.ending import PATIENCE, Started, StopResult
from scripts.load.scores import half_played
from scripts.load.tables import PlayedTable, SeatSocket, browser
from scripts.sources import digest

STARTS, TABLES = 200, 4
SIGNALS = (signal.SIGTERM, signal.SIGINT)
CLOCK = {"seconds": 3600, "increment": 0}
FOLDER = Path(".soak")

Ledger = dict[str, StopResult]
Reach = Callable[[str, int], Awaitable[list[PlayedTable]]]


@dataclass(frozen=True)
class Situation:
    longest: float  # seconds: some time until then it is told to stop
    reach: Reach | None = None  # what comes before; None: not even its start is awaited
    is_cold: bool = False  # nothing is compiled yet


async def idle(url: str, number: int) -> list[PlayedTable]:
    return []


async def sockets(url: str, number: int) -> list[PlayedTable]:
    """Some tables with a socket for each seat, at which something is played."""
    tables = [PlayedTable(url, half_played(number + i)) for i in range(TABLES)]
    async with httpx.AsyncClient(timeout=PATIENCE, trust_env=False) as http:
        for table in tables:
            await table.make(http)
            await table.join()
            await table.act()
    return tables


async def thinking(url: str, number: int) -> list[PlayedTable]:
    """The strongest computer has the first action, and somebody looks on."""
    names = games.names()
    seats = [{"who": "computer", "level": 10}, {"who": "me"}]
    wish = {"spec": names[number // 2 % len(names)], "seats": seats, "clock": CLOCK}
    table, holder = PlayedTable(url, half_played(number)), browser(url, str(number))
    async with httpx.AsyncClient(timeout=PATIENCE, trust_env=False) as http:
        made = await table.post(http, "matches", wish, holder)
    at = f"ws://{url}/ws?match={made['id']}"
    table.lines.append(await SeatSocket.to(at, holder, loopback(number)))
    return [table]


SITUATIONS = {
    "starting": Situation(1.2),
    "idle": Situation(2.0, idle),
    "sockets": Situation(0.5, sockets),
    "thinking": Situation(4.0, thinking),
    "compiling": Situation(7.0, idle, is_cold=True),
    "computer-compiling": Situation(7.0, thinking, is_cold=True),
}


def start_and_stop(name: str, number: int) -> StopResult:
    with tempfile.TemporaryDirectory() as folder:
        server = Started(Path(folder), SITUATIONS[name].is_cold)
        try:
            return asyncio.run(stopped(server, name, number))
        finally:
            server.kill()


async def stopped(server: Started, name: str, number: int) -> StopResult:
    """At a moment that depends on nothing but the number."""
    situation, rng = SITUATIONS[name], random.Random(f"{name} {number}")
    tables = await situation.reach(server.url(), number) if situation.reach else []
    await asyncio.sleep(rng.uniform(0, situation.longest))
    ended = await asyncio.to_thread(server.stop, SIGNALS[number % 2])
    await asyncio.gather(*(table.leave() for table in tables))
    return ended


def read(path: Path) -> Ledger:
    lines = path.read_text().splitlines() if path.exists() else []
    return {job: StopResult(*found) for job, found in map(json.loads, lines)}


def measure(jobs: list[str], path: Path) -> Ledger:
    """Each is written down as soon as it is known."""
    done = read(path)
    for job in tqdm([job for job in jobs if job not in done], unit="start"):
        name, number = job.split()
        done[job] = start_and_stop(name, int(number))
        if done[job].wrong:
            tqdm.write(f"! {job}: {done[job].wrong}")
        with path.open("a") as file:
            file.write(json.dumps([job, astuple(done[job])]) + "\n")
    return {job: done[job] for job in jobs}


def report(name: str, found: list[StopResult]) -> None:
    codes = Counter(ended.code for ended in found)
    text = ", ".join(f"{times} times {code}" for code, times in codes.most_common())
    wrong, slowest = sum(bool(ended.wrong) for ended in found), max(e.seconds for e in found)
    line = f"{name:20}{len(found):6}   {slowest:5.2f} s   {wrong:5}   {text}"
    print(f"{'! ' if wrong else '  '}{line}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("situations", nargs="*", metavar="SITUATION", help=", ".join(SITUATIONS))
    parser.add_argument("--starts", type=int, default=STARTS, help="of all situations together")
    arguments = parser.parse_args()
    names = arguments.situations or list(SITUATIONS)
    if unknown := set(names) - set(SITUATIONS):
        parser.error(f"no situation {', '.join(sorted(unknown))}; known: {', '.join(SITUATIONS)}")
    FOLDER.mkdir(exist_ok=True)
    jobs = [f"{names[i % len(names)]} {i // len(names)}" for i in range(arguments.starts)]
    ledger = measure(jobs, FOLDER / f"starts-{digest('cli', 'core', 'games', 'play', 'web')}")
    print(f"  {'situation':20}starts   slowest   wrong   exit codes")
    for name in dict.fromkeys(names):
        if found := [ended for job, ended in ledger.items() if job.split()[0] == name]:
            report(name, found)
    if any(ended.wrong for ended in ledger.values()):
        sys.exit("rows with a ! did not end as they should")


if __name__ == "__main__":
    main()
