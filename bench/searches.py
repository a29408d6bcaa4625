"""How many simulations a second the plain tree search makes from the start of each game.

Where there is a C program of the same search, it runs in turn with ours.
"""

import re
import subprocess
from pathlib import Path

from roundel import games
from roundel.bots import Budget, Searcher

ROUNDS, NODES = 7, 100_000


def our_rate(name: str, threads: int) -> float:
    searcher = Searcher(threads=threads, is_plain=True)
    position = games.load(name).start()
    found = searcher.choose(position, Budget(nodes=NODES), seed=1)
    return found.nodes / found.seconds


def limit_rate(program: Path) -> float:
    """Simulations a second of a C program, which finds its best round by itself."""
    out = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout
    found = re.search(r"([\d.]+) sims/s", out)
    assert found, f"{program.name} printed no rate: {out}"
    return float(found[1])


def bench_search(name: str, program: Path | None) -> None:
    our_rate(name, 1)
    ours, limit = {1: 0.0, 2: 0.0}, 0.0
    for _ in range(ROUNDS):
        for threads in ours:
            ours[threads] = max(ours[threads], our_rate(name, threads))
        if program:
            limit = max(limit, limit_rate(program))
    beside = f", {limit / 1e3:.0f} k in C: {ours[1] / limit:.0%} of it" if program else ""
    print(
        f"{name:12} {ours[1] / 1e3:6.0f} k simulations/s{beside}; "
        f"two threads {ours[2] / ours[1]:.2f} times one"
    )
