"""Positions that need one certain answer, for every game. No game is named here."""

import pytest

from roundel.bots import LEVELS, Budget, choose
from roundel.core.game import Manifest
from roundel.core.playthrough import random_match
from roundel.core.position import Position
from roundel.kernel.jit import JIT
from roundel.search.exact import DRAW, LAST, WIN, Prover
from tests import tactics
from tests.tactics import Tactic

A_SECOND = {2: 200_000, 3: 100_000, 4: 100_000}  # nodes by players: fewer than a second's
QUICKLY = dict.fromkeys(A_SECOND, 1_000)  # nodes, for a win in one turn
SOLVED = 0.95
PLIES, SHORT = 8, 12  # before the end of a match; and of the longest line, as far as it is known
PROVABLE = 8  # plies of an endgame that is proved again; `scripts.tactics check` plays all

pytestmark = pytest.mark.brings("tactics.txt")
compiled = pytest.mark.skipif(not JIT, reason="needs many nodes")


def quick_to_prove(found: list[Tactic]) -> list[Tactic]:
    if not JIT:
        return [tactic for tactic in found if tactic.kind == "win" and tactic.depth == 1][:2]
    return [tactic for tactic in found if tactic.kind != "endgame" or tactic.depth <= PROVABLE]


def unsolved(found: list[Tactic], nodes: dict[int, int]) -> list[str]:
    """The tactics that a search answers wrongly, with what it chose."""
    budgets = [Budget(nodes=nodes[tactic.position.game.players]) for tactic in found]
    answers = [(t, choose(t.position, b).action) for t, b in zip(found, budgets, strict=True)]
    return [f"{t.position.write(a)}, not {t}" for t, a in answers if a not in t.good]


def test_a_file_says_what_it_should(manifest: Manifest) -> None:
    found = tactics.read(manifest)
    lines = (manifest.folder / "tactics.txt").read_text().splitlines()
    assert [str(tactic) for tactic in found] == [line for line in lines if line[0] != "#"]
    assert 40 <= len({tactic.position.fen() for tactic in found}) == len(found) <= 60
    assert {tactic.kind for tactic in found} >= {"win", "hold"}
    specs = {manifest.with_options(options).spec for options in manifest.option_sets}
    assert {tactic.position.game.spec for tactic in found} == specs


def test_answers_are_legal_and_few(manifest: Manifest) -> None:
    for tactic in tactics.read(manifest):
        legal = tactic.position.legal()
        assert tactic.good <= set(legal), str(tactic)
        assert 0 < 3 * len(tactic.good) <= len(legal), str(tactic)


def test_answers_are_proved_again(manifest: Manifest) -> None:
    for tactic in quick_to_prove(tactics.read(manifest)):
        assert tactics.proved(Prover(tactic.position.game), tactic), str(tactic)


@compiled
def test_most_are_solved_in_a_second(manifest: Manifest) -> None:
    found = tactics.read(manifest)
    wrong = unsolved(found, A_SECOND)
    assert len(wrong) <= (1 - SOLVED) * len(found), "\n".join(wrong)


@compiled
def test_a_win_in_one_turn_is_never_missed(manifest: Manifest) -> None:
    found = [t for t in tactics.read(manifest) if (t.kind, t.depth) == ("win", 1)]
    wrong = unsolved(found, QUICKLY)
    assert not wrong, "\n".join(wrong)


@compiled
def test_no_level_above_three_misses_a_win_in_one_turn(manifest: Manifest) -> None:
    found = [t for t in tactics.read(manifest) if (t.kind, t.depth) == ("win", 1)]
    for level in range(4, max(LEVELS)):  # the last one is full strength, and slow
        for seed, tactic in enumerate(found):
            chosen = choose(tactic.position, Budget(level=level), seed).action
            assert chosen in tactic.good, f"level {level}: {tactic}"


@compiled
def test_ends_of_matches_are_played_perfectly(manifest: Manifest) -> None:
    found = [tactic for tactic in tactics.read(manifest) if tactic.kind == "endgame"]
    wrong = unsolved(found, A_SECOND)
    assert not wrong, "\n".join(wrong)


@compiled
def test_the_last_plies_of_other_matches_are_played_perfectly(manifest: Manifest) -> None:
    """Where everything can be tried: not in games that may go on for long, or for more players."""
    tried, expected = 0, any(tactic.kind == "endgame" for tactic in tactics.read(manifest))
    for game in map(manifest.with_options, manifest.option_sets):
        position = list(random_match(game, seed=5))[-1 - PLIES]
        prover = Prover(game)
        if game.players == 2 and not prover.forces(position, 0, LAST, SHORT - 1):
            best = prover.best(position)
            tried += best is not None
            chosen = choose(position, Budget(nodes=A_SECOND[2])).action
            assert best is None or chosen in best[1], position.fen()
    assert tried or not expected


# -- The exact search itself -----------------------------------------------------------


def plainly(position: Position, me: int, turns: int) -> bool:
    """The question of a win once more, in plain Python and with no memory."""
    if position.over or turns < 0:
        return position.outcome == (me,)
    children = map(position.play, position.legal())
    answers = (plainly(p, me, turns - (p.player != position.player)) for p in children)
    return any(answers) if position.player == me else all(answers)


@compiled
def test_exact_search_agrees_with_a_plain_one(manifest: Manifest) -> None:
    found = [t for t in tactics.read(manifest) if (t.kind, t.depth) == ("win", 2)]
    found = [t for t in found if t.position.game.players == 2]
    for tactic in sorted(found, key=lambda t: len(t.position.legal()))[:3]:
        me, children = tactic.position.player or 0, {}
        for action in tactic.position.legal():
            child = tactic.position.play(action)
            children[action] = plainly(child, me, 2 - (child.player != me))
        assert {action for action, won in children.items() if won} == tactic.good, str(tactic)


def test_what_takes_too_long_stays_unknown(manifest: Manifest) -> None:
    position = manifest.with_options().start()
    prover = Prover(position.game, nodes=1)
    assert prover.forces(position, 0, WIN) is None
    assert prover.best(position) is None
    assert prover.forces(position, 0, LAST, turns=0) is True, "one action does not end a match"


def test_the_end_of_a_match_needs_no_search(manifest: Manifest) -> None:
    tactic = next(t for t in tactics.read(manifest) if (t.kind, t.depth) == ("win", 1))
    position, me = tactic.position, tactic.position.player or 0
    while not position.over:  # the whole turn
        good = tactics.winning(Prover(position.game), position, 1)
        position = position.play(min(good or ()))
    prover = Prover(position.game, nodes=0)
    assert prover.worth(position, me) == 1
    assert prover.forces(position, me, DRAW) is True
    assert prover.forces(position, me, LAST) is False
