"""Measure how many random matches are played per second, on one or more threads.

Absolute figures depend on the machine as much as on Roundel; `make bench` prints ratios.
"""

import argparse
import json
import time
from typing import NamedTuple

from roundel import games
from roundel.cli.types import positive
from roundel.core.lang import _, thousands

ROUNDS = 7  # the best of them counts: everything else on the machine only makes a round slower
FIRST = 1000  # matches in the round that finds out how many make a round
SECONDS = 0.4  # how long a round is made to last


def arguments(parser: argparse.ArgumentParser) -> None:
    as_spec = _("the game, as NAME[:OPTION[=VALUE],...]")
    parser.add_argument("spec", metavar=_("game"), help=as_spec)
    metavar, at_once = _("THREADS"), _("number of threads (default: 1)")
    parser.add_argument("--threads", type=positive, default=1, metavar=metavar, help=at_once)
    parser.add_argument("--json", action="store_true", help=_("print one JSON object"))


class BenchResult(NamedTuple):
    game: str
    threads: int
    playouts_per_s: int
    actions_per_s: int


def measure(spec: str, threads: int) -> BenchResult:
    """The best of some rounds of random matches from the start."""
    position = games.load(spec).start()
    from roundel.core.playouts import run_threads
    from roundel.kernel.engine import ACTIONS

    def round_of(count: int, seed: int) -> tuple[float, int]:
        begun = time.perf_counter()
        tally = run_threads(position, count, seed, threads)
        return time.perf_counter() - begun, int(tally[ACTIONS])

    round_of(1, 0)  # compiles
    seconds, _ = round_of(FIRST, 0)
    count = max(FIRST, int(FIRST * SECONDS / seconds))
    rounds = [round_of(count, seed) for seed in range(1, ROUNDS + 1)]
    return BenchResult(
        position.game.spec,
        threads,
        round(max(threads * count / seconds for seconds, _ in rounds)),
        round(max(actions / seconds for seconds, actions in rounds)),
    )


def run(options: argparse.Namespace) -> None:
    rates = measure(options.spec, options.threads)
    if options.json:
        print(json.dumps(rates._asdict()))
    else:
        text = _("{game}, {threads} thread(s): {matches} matches/s, {actions} actions/s")
        matches, actions = thousands(rates.playouts_per_s), thousands(rates.actions_per_s)
        print(text.format(game=rates.game, threads=rates.threads, matches=matches, actions=actions))
