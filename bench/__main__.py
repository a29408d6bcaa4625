"""Print ratios: machines differ and are noisy, so every figure stands beside another one.

Each game's random matches run in turn with a C program of the same algorithm (`bench/limit/`),
round by round, and the best round of each counts: other work on the machine only slows a round.
"""

import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
import timeit
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests import golden
from tqdm import tqdm

from bench.batches import bench_batch
from bench.beside import bench_pgx
from bench.searches import bench_search
from roundel import games
from roundel.core.perft import perft
from roundel.core.playouts import run_threads
from roundel.core.playthrough import random_match
from roundel.kernel.engine import ACTIONS

LIMITS = Path(__file__).parent / "limit"
ROUNDS = 9
SECONDS = 0.3
LEAVES = range(1_000_000, 500_000_000)  # perft counts that take neither no time nor for ever


def build(name: str, folder: Path) -> Path:
    """A C program, compiled for this machine."""
    binary = folder / name
    flags = ["-O3", "-march=native", "-pthread"]
    command = ["gcc", *flags, str(LIMITS / f"{name}.c"), "-o", str(binary), "-lm"]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    return binary


def limit_rate(binary: Path, matches: int, threads: int) -> float:
    """Actions a second of the C program, choosing by bit count as we do."""
    call = [str(binary), str(matches), "1", str(threads)]
    out = subprocess.run(call, check=True, capture_output=True, text=True).stdout
    found = re.search(r"popcount-pick.* ([\d.]+) moves/s", out)
    assert found, f"{binary.name} printed no rate: {out}"
    return float(found[1])


def our_rate(spec: str, matches: int, threads: int) -> float:
    begun = time.perf_counter()
    tally = run_threads(games.load(spec).start(), matches, seed=1, threads=threads)
    return float(tally[ACTIONS]) / (time.perf_counter() - begun)


def matches_for(spec: str) -> int:
    """How many matches make a round long enough."""
    our_rate(spec, 1, 1)
    begun = time.perf_counter()
    our_rate(spec, 500, 1)
    return max(500, int(500 * SECONDS / (time.perf_counter() - begun)))


def bench_game(name: str, folder: Path) -> None:
    binary, matches = build(f"{name}_limit", folder), matches_for(name)
    ours: dict[int, float] = {1: 0, 2: 0}  # the best rate by number of threads
    limit: dict[int, float] = {1: 0, 2: 0}
    for _ in tqdm(range(ROUNDS), desc=name, unit="round", leave=False, disable=None):
        for threads in (1, 2):
            limit[threads] = max(limit[threads], limit_rate(binary, matches, threads))
            ours[threads] = max(ours[threads], our_rate(name, matches, threads))
    print(
        f"{name:12} {ours[1] / 1e6:6.1f} M actions/s, {limit[1] / 1e6:6.1f} in C: "
        f"{ours[1] / limit[1]:4.0%} of the limit; "
        f"two threads {ours[2] / ours[1]:.2f} times one ({limit[2] / limit[1]:.2f} in C)"
    )


def bench_perft(name: str) -> None:
    cases = [case for case in golden.perft_cases(name) if case[2] in LEAVES]
    for position, depth, leaves in cases[-1:]:
        rate = leaves / best_of(3, partial(perft, position, depth))
        print(f"{name:12} perft {depth} after {position.ply} actions: {rate / 1e6:,.0f} M leaves/s")


def bench_position(name: str) -> None:
    positions = list(random_match(games.load(name), seed=1))
    for ply in (0, len(positions) // 2):
        play = partial(positions[ply].play, positions[ply].legal()[0])
        seconds = best_of(9, play, number=2000)
        print(f"{name:12} Position.play of an int at ply {ply}: {seconds * 1e6:.1f} microseconds")


def best_of(rounds: int, call: Callable[[], object], number: int = 1) -> float:
    return min(timeit.repeat(call, number=number, repeat=rounds)) / number


def bench_start(name: str) -> None:
    """Whole processes, beside one that does nothing."""
    command = [sys.executable, "-c"]
    calls = {
        "python -c pass": [*command, "pass"],
        "import roundel": [*command, "import roundel"],
        f"roundel perft {name} 2": [sys.executable, "-m", "roundel.cli.main", "perft", name, "2"],
    }
    for label, call in calls.items():
        run = partial(subprocess.run, call, check=True, capture_output=True)
        print(f"{label:28} {best_of(5, run):.2f} s")


def main() -> None:
    if not shutil.which("gcc"):
        sys.exit(
            "bench needs gcc, to build the C programs of bench/limit (Debian: apt install gcc)"
        )
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}\n")
    with tempfile.TemporaryDirectory() as folder:
        for name in games.names():
            bench_game(name, Path(folder))
        print()
        for name in games.names():
            known = (LIMITS / f"{name}_uct.c").exists()
            bench_search(name, build(f"{name}_uct", Path(folder)) if known else None)
    for bench in (bench_perft, bench_position, bench_batch):
        print()
        for name in games.names():
            bench(name)
    bench_pgx()
    print()
    bench_start(games.ours()[-1])


if __name__ == "__main__":
    main()
