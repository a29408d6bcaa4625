"""`make tune`: fit what a game's features or patterns weigh to who wins its matches.

    python -m scripts.tune [GAME ...]             play matches, then write the game's weights
    python -m scripts.tune GAME --fit-only        fit to all matches that are kept

The full search plays against itself, with few nodes, and now and then anybody's action is random.
Positions are kept in `build/tune/GAME`, some matches to a file, under a digest of the weights they
were played with: what is interrupted goes on, and a run after new weights is the next round. A fit
takes the matches of all rounds; remove the folder to begin anew.

Weights are to foretell who won and, even more, what the search thought, which saw further. The fit
of features is in `scripts/fitting.py`, that of patterns in `scripts/studying.py`, where those of
before are made better. Every fifth match is held out to tell how good it is.
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
from tqdm import tqdm

from roundel import games
from roundel.bots import Budget, Searcher
from roundel.cli.types import between, positive, whole_number
from roundel.core.game import Game, Manifest, State
from roundel.core.position import Position
from roundel.search import features
from roundel.search.judge import Judge, extractor_entries, judge_of
from scripts import learn, studying
from scripts.fitting import Floats, Sample, fit_stages, report
from scripts.studying import KeptPositions

FOLDER = Path("build/tune")
MATCHES, CHUNK = 1000, 10  # of each option set, and those of a file
NODES, NODES_OF_MORE = 2000, 1000  # of an action: for two players, and for more
MEMORY = 4  # MiB of a search
OPENING, CARELESS = 15, 0.04  # random actions at the start at most; how often there is one later
LONGEST = 250  # plies; then nobody has won
TRUST = 0.75  # in what the search thought; the rest is in who won
HEAD = """\
# What each feature of evaluate.py weighs, a column for each stage; \
`python -m scripts.tune` wrote it.
"""


# -- Matches ------------------------------------------------------------------------


class MatchJob(NamedTuple):
    """Some matches, and the file that keeps them."""

    spec: str
    nodes: int
    seed: int
    first: int
    path: Path


def jobs(manifest: Manifest, options: argparse.Namespace) -> list[MatchJob]:
    found, folder = [], FOLDER / manifest.name
    weights = hashlib.sha256(weights_path(manifest).read_bytes()).hexdigest()[:8]
    for first in range(0, options.matches, CHUNK):
        for game in learn.aided(manifest):
            if options.players and game.players not in options.players:
                continue
            nodes = options.nodes or (NODES if game.players == 2 else NODES_OF_MORE)
            name = f"{game.spec}-{nodes}n-{weights}-{options.seed}-{first}.npz"
            found.append(MatchJob(game.spec, nodes, options.seed, first, folder / name))
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


def as_they_end(todo: list[MatchJob], workers: int) -> Iterator[None]:
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


def play_job(job: MatchJob) -> None:
    game, searcher = games.load(job.spec), Searcher(MEMORY)
    states: list[State] = []
    values: list[tuple[float, ...]] = []
    winners, matches = [], []
    for match in range(job.first, job.first + CHUNK):
        rng = random.Random(f"{job.spec} {job.seed} {match}")
        thoughts, end = play(game, searcher, Budget(nodes=job.nodes), rng)
        rows = game.start().state.shape[0]  # without what a state remembers of earlier positions
        states += [position.state[:rows] for position, _ in thoughts]
        values += [thought for _, thought in thoughts]
        who = end.outcome or range(game.players)
        winners += [sum(1 << player for player in who)] * len(thoughts)
        matches += [match] * len(thoughts)
    arrays = {"states": states, "winners": winners, "values": values, "match": matches}
    keep(job.path, {**arrays, "spec": job.spec})


def play(
    game: Game, searcher: Searcher, budget: Budget, rng: random.Random
) -> tuple[list[tuple[Position, tuple[float, ...]]], Position]:
    """The positions of a match after its random start where there was something to decide, each
    with what the search thought of it; and how it ended."""
    position, found, opening = game.start(), [], rng.randint(0, OPENING)
    while not position.over and position.ply < LONGEST:
        legal = position.legal()
        action = rng.choice(legal)
        if len(legal) > 1 and position.ply >= opening:
            choice = searcher.choose(position, budget, rng.getrandbits(32))
            found.append((position, choice.values))
            action = action if rng.random() < CARELESS else choice.action
        position = position.play(action)
    return found, position


def keep(path: Path, arrays: dict[str, Any]) -> None:
    """A file that is never seen half written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{os.getpid()}.npz")
    np.savez_compressed(temporary, **arrays)
    temporary.replace(path)


# -- Positions ----------------------------------------------------------------------


def load(manifest: Manifest, paths: list[Path]) -> list[KeptPositions]:
    """All positions of the game in the files, together for each set of options."""
    found: dict[str, list[KeptPositions]] = {}
    many = 0
    for path in tqdm(paths, desc=f"{manifest.name}: positions", unit="file", disable=None):
        kept = read(manifest, path)
        if kept is not None and len(kept.matches):
            matches = kept.matches - kept.matches.min() + many
            many = matches.max() + 1
            found.setdefault(kept.game.spec, []).append(kept._replace(matches=matches))
    if not found:
        raise SystemExit(f"{manifest.name}: there are no matches to fit to")
    return [
        KeptPositions(parts[0].game, *map(np.concatenate, [*zip(*parts, strict=True)][1:]))
        for parts in found.values()
    ]


def read(manifest: Manifest, path: Path) -> KeptPositions | None:
    """The positions of a file; None if they are of another game."""
    try:
        with np.load(path) as data:
            spec, states, values = str(data["spec"]), data["states"], data["values"]
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
    won = winners[:, None] >> np.arange(game.players) & 1
    thought = (values * (game.players - 1) + 1) / game.players
    shares = (1 - TRUST) * won / won.sum(axis=1, keepdims=True) + TRUST * thought
    return KeptPositions(game, states, shares, matches)


def sample_of(judge: Judge, everything: list[KeptPositions]) -> Sample:
    """The features of all positions; zeros where nobody sits."""
    found, seats = [], np.arange(max(kept.game.players for kept in everything))
    for game, states, shares, matches in everything:
        seen = np.zeros((len(states), *judge.buffer(game.players).shape))
        extract = extractor_entries(game.manifest).extract
        stages = np.array([extract(*pair) for pair in zip(states, seen, strict=True)], np.int64)
        absent = (0, 0), (0, seats.size - game.players)
        seated = np.broadcast_to(seats < game.players, (len(states), seats.size))
        padded = np.pad(seen, (*absent, (0, 0))), np.pad(shares, absent)
        found.append(Sample(*padded, seated, stages, matches))
    return Sample(*map(np.concatenate, zip(*found, strict=True)))


# -- Weights ------------------------------------------------------------------------


def weights_path(manifest: Manifest) -> Path:
    return manifest.folder / str(judge_for(manifest).weigher.FILE)


def judge_for(manifest: Manifest) -> Judge:
    return cast(Judge, judge_of(manifest))


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
    """The search needs weights that belong to what is seen; a new game begins with zeros."""
    evaluate, path = manifest.evaluate, weights_path(manifest)
    if judge_for(manifest).weigher is not features:
        weights = learn.load(manifest, is_anew=False)
        if not path.exists():
            learn.keep(manifest, weights)
        return
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
    files, judge = sorted((FOLDER / manifest.name).glob("[!.]*.npz")), judge_for(manifest)
    everything = load(manifest, [*files, *options.data])
    many = len(np.unique(np.concatenate([kept.matches for kept in everything])))
    positions = sum(len(kept.matches) for kept in everything)
    print(f"{manifest.name}: {positions:,} positions of {many:,} matches")
    if judge.weigher is features:
        sample = sample_of(judge, everything)
        print(report(sample, judge.extractor.STAGES))
        write(manifest, fit_stages(sample, judge.extractor.STAGES))
    else:
        before = learn.load(manifest, is_anew=False)
        print(studying.report(everything, before, options.seed))
        learn.keep(manifest, studying.study(everything, before, options.seed))


def read_arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    judged = [name for name in games.names() if judge_of(games.manifest(name)) is not None]
    parser.add_argument("game", nargs="*", metavar="GAME", help=f"of {', '.join(judged)} (all)")
    each = f"of each option set, rounded up to whole files of {CHUNK} ({MATCHES})"
    parser.add_argument("--matches", type=positive_count, default=MATCHES, help=each)
    nodes = f"for each action ({NODES}; for more than two players {NODES_OF_MORE})"
    parser.add_argument("--nodes", type=positive_count, help=nodes)
    only = "only sets with so many players are played"
    parser.add_argument("--players", nargs="+", type=positive, metavar="N", help=only)
    parser.add_argument("--workers", type=positive, default=2, help="matches at once (2)")
    parser.add_argument("--seed", type=whole_number, default=0, help="another makes other matches")
    parser.add_argument("--fit-only", action="store_true", help="play no matches")
    data = "files of other matches, to be fitted to as well"
    parser.add_argument("--data", nargs="+", type=Path, default=[], metavar="FILE", help=data)
    options = parser.parse_args(arguments)
    for name in options.game:
        if name not in judged:
            parser.error(f"no game {name!r} with a judge; there are: {', '.join(judged)}")
    options.game = options.game or judged
    return options


def positive_count(text: str) -> int:
    return between(1, 10**9, text)


def main(arguments: list[str] | None = None) -> None:
    options = read_arguments(arguments)
    for name in options.game:
        tune(games.manifest(name), options)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("interrupted; run the same command again to resume")
