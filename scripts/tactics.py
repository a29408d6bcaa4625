"""Positions that need one certain answer: find them, and see how many of them a search solves.

    python -m scripts.tactics find GAME ...            writes the games' `tactics.txt` anew
    python -m scripts.tactics check SPEC --seconds 1   solved and all, by kind
    python -m scripts.tactics endgames SPEC            the ends of new matches, against exact search

What a line says and what counts as proved is in `tests/tactics.py`. A spec without options means
all option sets of the game.
"""

import argparse
import random
from collections import Counter
from itertools import product

from tests import tactics
from tests.conftest import specs
from tests.tactics import Tactic
from tqdm import tqdm

from roundel import games
from roundel.bots import Budget, choose
from roundel.core.game import Action, Game
from roundel.core.playouts import run
from roundel.core.position import Position
from roundel.kernel.engine import WINS
from roundel.kernel.randoms import generator
from roundel.search.exact import LAST, WIN, Prover

WANTED, OF_A_KIND = 48, 16  # positions of each game, and of one kind among them
MATCHES = 400  # of each option set, at most
CANDIDATES, PLAYOUTS = 8, 16  # how hard a match's players think ...
CARELESS = 0.1  # ... and how often not at all
TAIL = 8  # plies before the end in which something is looked for, for each turn of depth
FEW = 3  # at most one action in so many is good
SHORT = 12  # plies: the longest line of an endgame
DISTANCES = (11, 9, 8, 7)  # plies from the end of a match to an endgame
NODES, LONG, LONGEST = 1 << 17, 1 << 20, 1 << 24  # for one answer; for one about endgames
KINDS = (
    ("win", 1), ("win", 2), ("win", 3), ("hold", 1), ("hold", 2), ("chain", 2), ("endgame", SHORT),
)  # fmt: skip

HEAD = """\
# kind depth | position | the good actions; `python -m scripts.tactics find` wrote it.
# Everything here is proved by trying all actions: see tests/tactics.py.
"""
AHEAD = {f"endgame {SHORT}": 8}  # so many more of a kind than of others


# -- Matches ------------------------------------------------------------------------


def worth(position: Position, action: Action, seed: int) -> float:
    """How many of some random matches the player wins after an action."""
    tally = run(position.play(action), PLAYOUTS, generator(seed, position.ply), room=256)
    return float(tally[WINS + (position.player or 0)])


def chosen(position: Position, rng: random.Random, seed: int) -> Action:
    legal = position.legal()
    if rng.random() < CARELESS:
        return rng.choice(legal)
    sample = rng.sample(legal, min(CANDIDATES, len(legal)))
    return max(sample, key=lambda action: worth(position, action, seed))


def sensible_match(game: Game, seed: int) -> list[Position]:
    """The positions of a match between players who look at random matches, without the end."""
    rng, position, found = random.Random(f"{game.spec} {seed}"), game.start(), []
    while not position.over:
        found.append(position)
        position = position.play(chosen(position, rng, seed))
    return found


# -- Finding ------------------------------------------------------------------------


def is_sharp(position: Position, good: set[Action] | None) -> bool:
    """Whether there are good actions, but few."""
    return bool(good) and FEW * len(good or ()) <= len(position.legal())


def win(prover: Prover, position: Position, depth: int) -> set[Action] | None:
    """A win that is not quicker, and that no other action reaches with one turn more."""
    if not prover.forces(position, position.player or 0, WIN, position.game.players * (depth - 1)):
        return None  # one question instead of one for each action
    if depth > 1 and tactics.winning(prover, position, depth - 1) != set():
        return None
    good = tactics.winning(prover, position, depth)
    if depth > 1 and is_sharp(position, good):
        return good if tactics.winning(prover, position, depth + 1) == good else None
    return good


def hold(prover: Prover, position: Position, depth: int) -> set[Action] | None:
    """A defence that is one: some action holds one turn longer, and nothing wins at once."""
    if position.game.players > 2 or tactics.winning(prover, position, 1) != set():
        return None
    if depth > 1 and is_sharp(position, tactics.holding(prover, position, depth - 1)):
        return None
    good = tactics.holding(prover, position, depth)
    lasts = is_sharp(position, good) and tactics.holding(prover, position, depth + 1)
    return good if lasts else None


def chain(prover: Prover, position: Position, turns: int) -> set[Action] | None:
    """A turn of several actions as few others are, and still best when looked at further."""
    me = position.player
    longer = {action for action in position.legal() if position.play(action).player == me}
    if position.game.players > 2 or not is_sharp(position, longer):
        return None
    if tactics.winning(prover, position, 2) != set():
        return None
    good = tactics.leading(prover, position, turns)
    if not good or not good <= longer or good != tactics.leading(prover, position, turns + 1):
        return None
    return good


def endgame(prover: Prover, position: Position, plies: int) -> set[Action] | None:
    """What keeps the best result of two players, unless some line is longer than that."""
    if position.game.players > 2 or prover.forces(position, 0, LAST, plies - 1):
        return None
    return tactics.keeping(Prover(position.game, LONG), position, plies)


FINDERS = {"win": win, "hold": hold, "chain": chain, "endgame": endgame}


def longest_line(position: Position) -> int | None:
    """How many plies a match can go on at most; None if that is more than SHORT, or unknown."""
    prover = Prover(position.game, LONGEST, table_bits=22)
    for plies in range(1, SHORT + 1):
        longer = prover.forces(position, 0, LAST, plies - 1)
        if not longer:
            return None if longer is None else plies
    return None


def candidates(match: list[Position], kind: str, depth: int, seed: int) -> list[Position]:
    """Where to look: for most kinds near the end, for endgames at a certain distance from it."""
    if kind == "endgame":
        return match[-DISTANCES[seed % len(DISTANCES)] :][:4]
    tail = match[-TAIL * depth :]
    return random.Random(seed).sample(tail, len(tail))


def found_in(match: list[Position], kind: str, depth: int, seed: int) -> Tactic | None:
    """The first position of a match that needs an answer of that kind, as read from its text."""
    prover = Prover(match[0].game, NODES)
    for position in (games.from_fen(each.fen()) for each in candidates(match, kind, depth, seed)):
        good = FINDERS[kind](prover, position, depth)
        if not good or not is_sharp(position, good):
            continue
        if known := longest_line(position) if kind == "endgame" else depth:
            return Tactic(kind, known, position, frozenset(good))
    return None


def find(name: str) -> list[Tactic]:
    """One position of each match at most, of the kind that is rarest so far."""
    mine = [games.load(spec) for spec in specs() if spec.partition(":")[0] == name]
    found: dict[str, list[Tactic]] = {f"{kind} {depth}": [] for kind, depth in KINDS}
    bar = tqdm(total=WANTED, desc=name)
    for seed, game in product(range(MATCHES), mine):
        match = sensible_match(game, seed)
        for label in sorted(found, key=lambda label: len(found[label]) - AHEAD.get(label, 0)):
            kind, depth = label.split()
            if len(found[label]) < OF_A_KIND and (
                tactic := found_in(match, kind, int(depth), seed)
            ):
                found[label].append(tactic)
                bar.update()
                break
        if bar.n >= WANTED:
            break
    bar.close()
    return [tactic for each in found.values() for tactic in each]


def write(name: str) -> None:
    lines = "".join(f"{tactic}\n" for tactic in find(name))
    (games.manifest(name).folder / "tactics.txt").write_text(HEAD + lines)


# -- Solving ------------------------------------------------------------------------


def positions_of(spec: str) -> list[Tactic]:
    game = games.load(spec)
    found = tactics.read(game.manifest)
    return [tactic for tactic in found if ":" not in spec or tactic.position.game == game]


def check(spec: str, budget: Budget) -> None:
    """Print how many a search solves, by kind, and which it does not."""
    solved, total = Counter[str](), Counter[str]()
    for tactic in tqdm(positions_of(spec), desc=spec):
        label = tactic.kind if tactic.kind == "endgame" else f"{tactic.kind} {tactic.depth}"
        action = choose(tactic.position, budget).action
        total[label] += 1
        solved[label] += action in tactic.good
        if action not in tactic.good:
            tqdm.write(f"{tactic.position.write(action)} is no answer to: {tactic}")
    for label in total:
        print(f"{label:10} {solved[label]:3} of {total[label]:3}")
    print(f"{'all':10} {solved.total():3} of {total.total():3}")


def check_endgames(spec: str, budget: Budget, matches: int) -> None:
    """Print how many of the last positions of new matches a search plays as well as possible."""
    solved = total = 0
    for seed in tqdm(range(MATCHES, MATCHES + matches), desc=spec):
        match = sensible_match(games.load(spec), seed)
        prover = Prover(match[0].game, LONG)
        for position in match[-SHORT:]:
            good = endgame(prover, position, SHORT)
            if good and len(good) < len(position.legal()):
                action = choose(position, budget).action
                total += 1
                solved += action in good
                if action not in good:
                    tqdm.write(f"{position.write(action)} loses something: {position.fen()}")
    print(f"{spec}: {solved} of {total} played perfectly")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=("find", "check", "endgames"))
    parser.add_argument("spec", nargs="*", default=games.names(), help="games (all)")
    parser.add_argument("--seconds", type=float, help="per position (default: 1)")
    parser.add_argument("--nodes", type=int, help="for each position, instead of seconds")
    parser.add_argument("--matches", type=int, default=20, help="of `endgames`, for each spec")
    options = parser.parse_args()
    seconds = 1.0 if options.seconds is None and options.nodes is None else options.seconds
    budget = Budget(seconds=seconds, nodes=options.nodes)
    for spec in options.spec:
        if options.command == "find":
            write(spec)
        elif options.command == "check":
            check(spec, budget)
        else:
            check_endgames(spec, budget, options.matches)


if __name__ == "__main__":
    main()
