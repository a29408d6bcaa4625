"""`python -m scripts.learn GAME`: learn what patterns are worth, from matches against itself.

    python -m scripts.learn GAME                  begin with what was learnt before
    python -m scripts.learn GAME --anew           forget that

Everybody takes the action with the best chances by what is known so far, now and then a random one.
After each match, what was expected in each position is drawn towards what was expected later on and
how it ended (temporal differences). A weight learns the slower the more often it was drawn this way
and that (temporal coherence). Thousands of matches a second would be too few for a search; for a
judge they are enough. `patterns.npz` is written after every round.
"""

from __future__ import annotations

import argparse
import time
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from roundel import games
from roundel.cli.types import between, whole_number
from roundel.core.game import Game, Manifest
from roundel.kernel import bits
from roundel.kernel.cache import Entries
from roundel.kernel.engine import STATE, copy
from roundel.kernel.jit import kernel
from roundel.kernel.randoms import below, generator
from roundel.search.features import write_end
from roundel.search.patterns import FILE, weigh

ROUNDS, MATCHES = 20, 10_000
OPENING = 9  # random actions at the start, at most
CARELESS = 50  # later, one action in so many is random
RATE, TRACE = 0.03, 0.8  # how fast it learns; how much of the end is seen one action before
LONGEST = 256  # plies
Floats = NDArray[np.float32]


@kernel
def draw(weights, pulls, seen, error):
    """Draw what a player expected towards what came of it. `pulls` has two rows: how far each
    weight was drawn in all, and how far this way less that way."""
    for i in range(seen.size if seen[0] >= 0 else 0):
        at = seen[i]
        rate = RATE * (abs(pulls[1, at]) + 1) / (pulls[0, at] + 1)
        weights[at] += rate * error
        pulls[0, at] += abs(error)
        pulls[1, at] += error


def make_learn(G: Any, S: Any) -> Any:  # noqa: C901, PLR0915 - one function, compiled as one
    def learn(start, state, child, rng, weights, pulls, matches, surprise):  # noqa: C901, PLR0915
        """Play matches and learn from each. The other states are room to play in; `surprise` gets
        the log loss of each stage, and how many positions that is of."""
        players = surprise.shape[2]
        words = np.empty(G.WORDS, np.int64)
        listed = np.empty(64 * G.WORDS, np.int64)
        sides = S.SIDES[players]
        room = np.empty((sides, S.PATTERNS_PER_SIDE), np.int64)
        seen = np.empty((LONGEST, sides, S.PATTERNS_PER_SIDE), np.int64)
        stages = np.empty(LONGEST, np.int64)
        expected = np.empty((LONGEST, players), np.float64)
        is_careless = np.empty(LONGEST, np.bool_)
        value, later = np.empty(players, np.float64), np.empty(players, np.float64)
        to_chance = (players - 1) / players
        for _ in range(matches):
            copy(state, start)
            for _ply in range(1 + below(rng, OPENING)):
                if not G.over(state):
                    G.play(state, G.pick(state, words, rng))
            plies = 0
            while not G.over(state) and plies < LONGEST:
                S.features(state, seen[plies])
                stages[plies] = S.stage(state)
                weigh(seen[plies], weights[stages[plies]], expected[plies])
                is_careless[plies] = below(rng, CARELESS) == 0
                best, highest = np.int64(G.pick(state, words, rng)), -2.0
                count = bits.list_all(words, G.targets(state, words), listed)
                for i in range(0 if is_careless[plies] else count):
                    copy(child, state)
                    G.play(child, listed[i])
                    if G.over(child):
                        write_end(G.winners(child), value)
                    else:
                        S.features(child, room)
                        weigh(room, weights[S.stage(child)], value)
                    if value[G.player(state)] > highest:
                        best, highest = listed[i], value[G.player(state)]
                G.play(state, best)
                plies += 1
            if not G.over(state):
                continue
            write_end(G.winners(state), value)
            for p in range(players):
                later[p] = value[p]
            for ply in range(plies - 1, -1, -1):
                stage = stages[ply]
                for p in range(players):
                    chance = expected[ply, p] * to_chance + 1 / players
                    won = value[p] * to_chance + 1 / players
                    surprise[stage, 0, p] -= won * np.log(max(chance, 1e-9))
                    surprise[stage, 1, p] += 1 / players
                    if is_careless[ply]:  # what came of it was not to be expected
                        later[p] = expected[ply, p]
                    error = to_chance * (later[p] - expected[ply, p])
                    for side in range(p, sides, players):
                        draw(weights[stage], pulls[stage], seen[ply, side], error)
                    later[p] = TRACE * later[p] + (1 - TRACE) * expected[ply, p]

    return learn


MAKERS = {
    "learn": (
        make_learn,
        f"void({STATE}, {STATE}, {STATE}, uint64[::1], float32[:,::1], float32[:,:,::1], int64, "
        "float64[:,:,::1])",
    ),
}


class Lesson:
    """What is learnt from matches with one set of options; other stages stay as they are."""

    def __init__(self, game: Game, weights: Floats, seed: int) -> None:
        patterns, self.start = game.manifest.patterns, game.start().state.copy()
        entries = Entries(game.name, cast(Any, game.rules), MAKERS, patterns)
        self.learn, self.weights, self.rng = entries.learn, weights, generator(seed, game.players)
        self.pulls = np.zeros((patterns.STAGES, 2, patterns.PATTERNS), np.float32)
        self.surprise = np.zeros((patterns.STAGES, 2, game.players))

    def take(self, matches: int) -> NDArray[np.float64]:
        """Play matches; returns how surprising their ends were, in each stage."""
        self.surprise[:] = 0
        state, child = np.empty_like(self.start), np.empty_like(self.start)
        self.learn(
            self.start, state, child, self.rng, self.weights, self.pulls, matches, self.surprise
        )
        loss, positions = self.surprise.sum(axis=2).T
        return np.asarray(loss[positions > 0] / positions[positions > 0])


def load(manifest: Manifest, is_anew: bool) -> Floats:
    """What patterns weigh so far; zeros for a new game."""
    path, wanted = manifest.folder / FILE, manifest.patterns
    if is_anew or not path.exists():
        return np.zeros((wanted.STAGES, wanted.PATTERNS), np.float32)
    with np.load(path) as data:
        found = data["weights"].astype(np.float32)
    if found.shape != (wanted.STAGES, wanted.PATTERNS):
        raise SystemExit(f"{path}: not the patterns of {manifest.name} as they are now; --anew")
    return cast(Floats, found)


def keep(manifest: Manifest, weights: Floats) -> None:
    """Never a file that is half written; half the digits are enough."""
    path = manifest.folder / FILE
    temporary = path.with_name(f".{path.name}")
    np.savez_compressed(temporary, weights=weights.astype(np.float16))
    temporary.replace(path)


def aided(manifest: Manifest) -> list[Game]:
    """The game with each set of options, but for matches about seeing: what nobody has claimed
    would blur who won by what."""
    every = map(manifest.with_options, manifest.option_sets)
    return [game for game in every if not game.unaided]


def read_arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    known = [name for name in games.names() if games.manifest(name).patterns is not None]
    parser.add_argument("game", nargs="*", default=known, metavar="GAME", help=", ".join(known))
    parser.add_argument("--rounds", type=positive_count, default=ROUNDS, help=f"({ROUNDS})")
    each = f"of a round, for each set of options ({MATCHES})"
    parser.add_argument("--matches", type=positive_count, default=MATCHES, help=each)
    parser.add_argument("--seed", type=whole_number, default=0, help="another makes other matches")
    parser.add_argument("--anew", action="store_true", help="forget what was learnt before")
    options = parser.parse_args(arguments)
    for name in options.game:
        if name not in known:
            parser.error(f"no game {name!r} with patterns; there are: {', '.join(known)}")
    return options


def positive_count(text: str) -> int:
    return between(1, 10**9, text)


def main(arguments: list[str] | None = None) -> None:
    options = read_arguments(arguments)
    for manifest in map(games.manifest, options.game):
        sharpness = manifest.patterns.SHARPNESS[:, None]
        weights = load(manifest, options.anew) / sharpness
        lessons = {game.spec: Lesson(game, weights, options.seed) for game in aided(manifest)}
        for number in range(options.rounds):
            for spec, lesson in lessons.items():
                begun = time.perf_counter()
                loss = " ".join(f"{stage:.4f}" for stage in lesson.take(options.matches))
                print(f"{spec} {number + 1}: {loss}  {time.perf_counter() - begun:.1f} s")
            keep(manifest, sharpness * weights)


if __name__ == "__main__":
    main()
