"""`make soak`: what takes too long for `make test`. It can be interrupted and goes on where it was.

* every perft count that the games' files hold
* 2,000 random matches per option set against the naive rules, half of them steered to rare rules
* 1,000 random matches per option set to records, JSON and back, byte for byte
* a file of 100,000 matches of each game, checked in as little memory as one of 10,000
* thousands of matches through one engine process, whose memory must not grow
* 1,000 positions per option set, the ends of matches among them, answered legally within 50 ms
* 1,000 matches of a search against itself in one process, whose memory must not grow

Finished work is written to `.soak/`, under a digest of the sources: an edit begins anew.
"""

import argparse
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from os import getpid
from pathlib import Path

from tests import golden
from tests.conftest import specs
from tests.keeping import finished, match_survives
from tests.oracle import compare
from tests.robust import answers, bot_match, some_positions
from tqdm import tqdm

from roundel import games, record
from roundel.bots import Budget, Searcher
from roundel.core.perft import perft
from scripts.sources import digest

MATCHES, CHUNK = 2000, 50
KEPT = 1000  # matches per option set that go through records and back
FILE = 100_000  # matches
UGI_MATCHES = 2000
ASKED = 1000  # positions per option set
A_MOMENT = Budget(seconds=0.05)
BOT_MATCHES = 1000
ALLOWED_GROWTH = 8 << 20  # bytes: the allocator's slack, not a match's
FOLDER = Path(".soak")


def oracle(spec: str, first: str) -> int:
    """Some matches against the naive rules; returns how many actions were compared."""
    seeds = range(int(first), int(first) + CHUNK)
    return sum(compare(games.load(spec), seed) for seed in seeds)


def count(name: str, number: str) -> int:
    position, depth, leaves = golden.perft_cases(name)[int(number)]
    found = perft(position, depth)
    assert found == leaves, f"{name}: perft {depth} of {position!r} is {found}, not {leaves}"
    return leaves


def keep(spec: str, first: str) -> int:
    """Some matches through records, JSON and back; returns how many actions they had."""
    seeds = range(int(first), int(first) + CHUNK)
    return sum(match_survives(games.load(spec), seed) for seed in seeds)


def file_memory(spec: str, count: str) -> int:
    """Checking a large file needs no more memory than checking a tenth of it."""
    game = games.load(spec)
    matches = "".join(f"{record.write(record.record_of(finished(game, n)))}\n" for n in range(1000))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "many.record"
        for repeated in (int(count) // 10_000, int(count) // 1000):
            with path.open("w") as file:
                file.writelines(matches for _ in range(repeated))
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
            command = [sys.executable, "-m", "roundel.cli.main", "record", "check", str(path)]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    grown = 1024 * (resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss - before)
    assert grown < ALLOWED_GROWTH, f"{spec}: checking a larger file took {grown} bytes more"
    return int(count)


def engine_memory(spec: str, count: str) -> int:
    """Random matches through one process; its memory after the first tenth is its memory."""
    command = [sys.executable, "-m", "roundel.cli.main", "ugi"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as engine:
        assert engine.stdin
        assert engine.stdout
        settled = 0
        for match in range(int(count)):
            engine.stdin.write("".join(lines_of_match(spec, match)))
            engine.stdin.flush()
            while engine.stdout.readline().strip() != "readyok":
                pass
            if match == int(count) // 10:
                settled = resident(engine.pid)
        grown = resident(engine.pid) - settled
        engine.stdin.write("quit\n")
        engine.stdin.flush()
    assert grown < ALLOWED_GROWTH, f"{spec}: the engine grew by {grown} bytes in {count} matches"
    return int(count)


def lines_of_match(spec: str, seed: int) -> Iterator[str]:
    """A random match, asked about at every tenth ply."""
    yield f"uginewgame game {spec}\n"
    rng, position, texts = random.Random(seed), games.load(spec).start(), [""]
    while not position.over:
        action = rng.choice(position.legal())
        texts.append(position.write(action))
        position = position.play(action)
        if position.ply % 10 == 0 or position.over:
            yield f"position startpos moves{' '.join(texts)}\nquery legal\nquery fen\ngo nodes 1\n"
    yield "isready\n"


def resident(process: int) -> int:
    pages = Path(f"/proc/{process}/statm").read_text().split()[1]
    return int(pages) * 4096


def robust(spec: str, first: str) -> int:
    """Some positions of random matches, each answered legally."""
    positions = some_positions(games.load(spec), CHUNK, seed=int(first))
    return sum(answers(position, A_MOMENT) for position in positions)


def bots_memory(spec: str, count: str) -> int:
    """Matches of a search against itself, in a process of their own."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        grown = pool.submit(growth, spec, int(count)).result()
    assert grown < ALLOWED_GROWTH, f"{spec}: {count} matches of a search took {grown} bytes more"
    return int(count)


def growth(spec: str, count: int) -> int:
    """By how much this process grows in some matches, the first tenth left out."""
    game, searcher, settled = games.load(spec), Searcher(hash_mib=4), 0
    for match in range(count):
        bot_match(game, searcher, match)
        if match == count // 10:
            settled = resident(getpid())
    return resident(getpid()) - settled


WORK: dict[str, Callable[[str, str], int]] = {
    "perft": count,
    "oracle": oracle,
    "keep": keep,
    "file": file_memory,
    "engine": engine_memory,
    "robust": robust,
    "bots": bots_memory,
}


def jobs(matches: int) -> list[str]:
    """All work, as lines of three words."""
    found = [
        f"perft {name} {number}"
        for name in games.names()
        for number in range(len(golden.perft_cases(name)))
    ]
    found += [f"engine {name} {UGI_MATCHES}" for name in games.names()]
    found += [f"bots {name} {BOT_MATCHES}" for name in games.names()]
    found += [f"file {name} {FILE}" for name in games.names()]
    found += [f"keep {spec} {first}" for first in range(0, KEPT, CHUNK) for spec in specs()]
    found += [f"robust {spec} {first}" for first in range(0, ASKED, CHUNK) for spec in specs()]
    found += [f"oracle {spec} {first}" for first in range(0, matches, CHUNK) for spec in specs()]
    return found


def run_job(job: str) -> int:
    kind, what, number = job.split()
    return WORK[kind](what, number)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES, help="per option set")
    matches = parser.parse_args().matches
    FOLDER.mkdir(exist_ok=True)
    ledger = FOLDER / digest("core", "games", "record", "search")
    done = set(ledger.read_text().splitlines()) if ledger.exists() else set()
    todo = [job for job in jobs(matches) if job not in done]
    print(f"{len(done)} of {len(done) + len(todo)} pieces of work were done before")
    pool = ProcessPoolExecutor(2)
    try:
        futures = {pool.submit(run_job, job): job for job in todo}
        for future in tqdm(as_completed(futures), total=len(todo), unit="job"):
            future.result()
            with ledger.open("a") as file:
                file.write(futures[future] + "\n")
    finally:
        pool.shutdown(cancel_futures=True)
    print("everything agrees")


if __name__ == "__main__":
    main()
