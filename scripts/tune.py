"""`make tune`: fit what the features of a game weigh to who wins its matches.

    python -m scripts.tune [GAME ...]             play matches, then write `weights.txt`
    python -m scripts.tune GAME --fit-only        fit to all matches that are kept

The full search plays against itself, with few nodes, and now and then anybody's action is random.
Positions are kept in `build/tune/GAME`, some matches to a file, under a digest of the weights they
were played with: what is interrupted goes on, and a run after new weights is the next round. A fit
takes the matches of all rounds; remove the folder to begin anew.

The fit is in `scripts/fitting.py`. Every fifth match is held out to tell how good it is.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from roundel import games
from roundel.bots import Budget, Searcher
from roundel.cli.types import between, positive, whole_number
from roundel.core.game import Game, Manifest, State
from roundel.core.position import Position
from roundel.search.features import FILE
from roundel.search.judge import judging
from scripts.fitting import Floats, Sample, fit_stages, report

FOLDER = Path("build/tune")
MATCHES, CHUNK = 1000, 10  # of each option set, and those of a file
NODES, NODES_OF_MORE = 2000, 400  # of an action: for two players, and for more
MEMORY = 4  # MiB of a search
OPENING, CARELESS = 15, 0.04  # random actions at the start at most; how often there is one later
LONGEST = 250  # plies; then nobody has won
HEAD = """\
# What each feature of evaluate.py weighs, a column for each stage; \
`python -m scripts.tune` wrote it.
"""


# -- Matches ------------------------------------------------------------------------


class Job(NamedTuple):
    """Some matches, and the file that keeps them."""

    spec: str
    nodes: int
    seed: int
    first: int
    path: Path


def jobs(manifest: Manifest, options: argparse.Namespace) -> list[Job]:
    """Matches about seeing are left out: what nobody has claimed would blur who won by what."""
    found, folder = [], FOLDER / manifest.name
    weights = hashlib.sha256(weights_path(manifest).read_bytes()).hexdigest()[:8]
    for first in range(0, options.matches, CHUNK):
        for game in map(manifest.with_options, manifest.option_sets):
            if not game.unaided:
                nodes = options.nodes or (NODES if game.players == 2 else NODES_OF_MORE)
                name = f"{game.spec}-{nodes}n-{weights}-{options.seed}-{first}.npz"
                found.append(Job(game.spec, nodes, options.seed, first, folder / name))
    return found


def play_missing(manifest: Manifest, options: argparse.Namespace) -> None:
    everything = jobs(manifest, options)
    todo = [job for job in everything if not job.path.exists()]
    for spec in {job.spec for job in todo}:  # compiled once, not in every process
        Searcher(MEMORY).choose(games.load(spec).start(), Budget(nodes=1))
    kept = CHUNK * (len(everything) - len(todo))
    total = CHUNK * len(everything)
    with tqdm(desc=manifest.name, total=total, initial=kept, unit="match", disable=None) as bar:
        for _job in as_they_end(todo, options.workers):
            bar.update(CHUNK)


def as_they_end(todo: list[Job], workers: int) -> Iterator[None]:
    """After Ctrl-C no more are begun, and those that are being played are kept."""
    if workers == 1:
        yield from map(play_job, todo)
        return
    ignoring = (signal.SIGINT, signal.SIG_IGN)
    pool = ProcessPoolExecutor(workers, get_context("spawn"), signal.signal, ignoring)
    try:
        for future in as_completed([pool.submit(play_job, job) for job in todo]):
            yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def play_job(job: Job) -> None:
    game, searcher = games.load(job.spec), Searcher(MEMORY)
    states: list[State] = []
    winners, matches = [], []
    for match in range(job.first, job.first + CHUNK):
        rng = random.Random(f"{job.spec} {job.seed} {match}")
        positions, end = play(game, searcher, Budget(nodes=job.nodes), rng)
        rows = game.start().state.shape[0]  # without what a state remembers of earlier positions
        states += [position.state[:rows] for position in positions]
        who = end.outcome or range(game.players)
        winners += [sum(1 << player for player in who)] * len(positions)
        matches += [match] * len(positions)
    keep(job.path, {"states": states, "winners": winners, "match": matches, "spec": job.spec})


def play(
    game: Game, searcher: Searcher, budget: Budget, rng: random.Random
) -> tuple[list[Position], Position]:
    """The positions of a match after its random start, and how it ended."""
    position, found, opening = game.start(), [], rng.randint(0, OPENING)
    while not position.over and position.ply < LONGEST:
        legal = position.legal()
        if position.ply >= opening:
            found.append(position)
        if len(legal) == 1 or position.ply < opening or rng.random() < CARELESS:
            position = position.play(rng.choice(legal))
        else:
            seed = rng.getrandbits(32)
            position = position.play(searcher.choose(position, budget, seed).action)
    return found, position


def keep(path: Path, facts: dict[str, Any]) -> None:
    """A file that is never seen half written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{os.getpid()}.npz")
    np.savez_compressed(temporary, **facts)
    temporary.replace(path)


# -- Positions ----------------------------------------------------------------------


def load(manifest: Manifest, paths: list[Path]) -> Sample:
    """All positions of the game in the files."""
    found: list[Sample] = []
    for path in tqdm(paths, desc=f"{manifest.name}: features", unit="file", disable=None):
        sample = read(manifest, path)
        if sample is not None and len(sample.matches):
            before = found[-1].matches.max() + 1 if found else 0
            found.append(sample._replace(matches=sample.matches + before))
    if not found:
        raise SystemExit(f"{manifest.name}: there are no matches to fit to")
    return Sample(*map(np.concatenate, zip(*found, strict=True)))


def read(manifest: Manifest, path: Path) -> Sample | None:
    """The positions of a file; None if they are of another game."""
    try:
        with np.load(path) as data:
            spec, states = str(data["spec"]), data["states"]
            winners, matches = data["winners"], data["match"]
    except (OSError, KeyError, ValueError, EOFError) as error:
        raise SystemExit(f"{path}: no positions of matches: {error}") from None
    if spec.partition(":")[0] != manifest.name:
        return None
    game = games.load(spec)
    if not len(states):
        return None
    if states.shape[1:] != game.start().state.shape:
        raise SystemExit(f"{path}: these are not states of {spec} as it is now")
    seats = np.arange(most_players(manifest))
    won = winners[:, None] >> seats & 1
    seated = np.broadcast_to(seats < game.players, won.shape)
    features, stages = look(game, states, seats.size)
    return Sample(features, won / won.sum(axis=1, keepdims=True), seated, stages, matches)


def most_players(manifest: Manifest) -> int:
    return max(manifest.with_options(options).players for options in manifest.option_sets)


def look(game: Game, states: NDArray[np.int64], seats: int) -> tuple[Floats, NDArray[np.int64]]:
    """The features of all seats (0 where nobody sits) and the stage of each state."""
    evaluate = game.manifest.evaluate
    find = judging(game.name, cast(Any, game.rules), evaluate).features
    found = np.zeros((len(states), game.players, len(evaluate.FEATURES)))
    stages = [find(state, out) for state, out in zip(states, found, strict=True)]
    absent = seats - game.players
    return np.pad(found, ((0, 0), (0, absent), (0, 0))), np.array(stages, np.int64)


# -- Weights ------------------------------------------------------------------------


def weights_path(manifest: Manifest) -> Path:
    return manifest.folder / FILE


def write(manifest: Manifest, weights: Floats) -> None:
    """A line for each feature; never a file that is half written."""
    lines = [
        " ".join(f"{round(float(weight), 3) + 0.0:7.3f}" for weight in row) + f"  # {name}\n"
        for row, name in zip(weights.T, manifest.evaluate.FEATURES, strict=True)
    ]
    path = weights_path(manifest)
    temporary = path.with_name(f".{path.name}")
    temporary.write_text(HEAD + "".join(lines), encoding="utf-8")
    temporary.replace(path)


def check(manifest: Manifest) -> None:
    """The search needs weights that belong to the features; a new game begins with zeros."""
    evaluate, path = manifest.evaluate, weights_path(manifest)
    wanted = len(evaluate.FEATURES), evaluate.STAGES
    if not path.exists():
        write(manifest, np.zeros(wanted[::-1]))
    found = np.loadtxt(path, ndmin=2).shape
    if found != wanted:
        text = f"{path}: {found[0]} features in {found[1]} stages, but evaluate.py has {wanted[0]}"
        raise SystemExit(f"{text} in {wanted[1]}; fit to other matches first, with --fit-only")


def tune(manifest: Manifest, options: argparse.Namespace) -> None:
    if not options.fit_only:
        check(manifest)
        play_missing(manifest, options)
    kept = sorted((FOLDER / manifest.name).glob("[!.]*.npz"))
    sample, stages = load(manifest, [*kept, *options.data]), manifest.evaluate.STAGES
    many = len(np.unique(sample.matches))
    print(f"{manifest.name}: {len(sample.matches):,} positions of {many:,} matches")
    print(report(sample, stages))
    write(manifest, fit_stages(sample, stages))


def read_arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    judged = [name for name in games.names() if games.manifest(name).evaluate is not None]
    parser.add_argument("game", nargs="*", metavar="GAME", help=f"of {', '.join(judged)} (all)")
    each = f"of each option set, rounded up to whole files of {CHUNK} ({MATCHES})"
    parser.add_argument("--matches", type=positive_many, default=MATCHES, help=each)
    nodes = f"for each action ({NODES}; for more than two players {NODES_OF_MORE})"
    parser.add_argument("--nodes", type=positive_many, help=nodes)
    parser.add_argument("--workers", type=positive, default=2, help="matches at once (2)")
    parser.add_argument("--seed", type=whole_number, default=0, help="another makes other matches")
    parser.add_argument("--fit-only", action="store_true", help="play no matches")
    data = "files of other matches, to be fitted to as well"
    parser.add_argument("--data", nargs="+", type=Path, default=[], metavar="FILE", help=data)
    options = parser.parse_args(arguments)
    for name in options.game:
        if name not in judged:
            parser.error(f"no game {name!r} with an evaluation; there are: {', '.join(judged)}")
    options.game = options.game or judged
    return options


def positive_many(text: str) -> int:
    return between(1, 10**9, text)


def main(arguments: list[str] | None = None) -> None:
    options = read_arguments(arguments)
    for name in options.game:
        tune(games.manifest(name), options)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("interrupted; the same command goes on where it stopped")
