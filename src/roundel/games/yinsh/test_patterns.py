"""The patterns of Yinsh, read again point by point; they know neither colours nor directions."""

import numpy as np
import pytest
from numpy.typing import NDArray

from roundel import games
from roundel.core.playthrough import random_match
from roundel.core.position import Position
from roundel.games.yinsh import observe, patterns, rules
from roundel.games.yinsh.patterns import AT_COUNT, AT_POOL, AT_TURN, COUNTS, POOLS, TURNS
from roundel.games.yinsh.rules import AXES, BIT, FACTS, MARKERS, MOVER, PHASE, PLAYER, RINGS, TAKEN
from roundel.kernel.jit import JIT
from roundel.search.judge import extractor_entries

SEEDS = range(6 if JIT else 1)
EXTRACT = extractor_entries(games.manifest("yinsh")).extract
KINDS = {rules.MOVE: observe.LANDING, rules.ROW: observe.FIVE}
UNSEEN = -9


def look(position: Position) -> tuple[int, NDArray[np.int64]]:
    """The stage, and the patterns of both in a matrix that held something else."""
    out = np.full((2, patterns.PATTERNS_PER_SIDE), UNSEEN)
    return EXTRACT(position.state.copy(), out), out


def mover(position: Position) -> int:
    facts = position.state[FACTS]
    return int(facts[PLAYER] if facts[PHASE] <= rules.MOVE else 1 - facts[MOVER])


def see(position: Position) -> NDArray[np.int64]:
    _stage, out = look(position)
    seen: NDArray[np.int64] = out[mover(position)]
    return seen


def windows() -> list[list[int]]:
    lines = [line for axis in AXES for line in rules.lines(axis)]
    return [line[i : i + 5] for line in lines for i in range(len(line) - 4)]


def holds(position: Position, me: int, point: int) -> int:
    rows = MARKERS + me, MARKERS + 1 - me, RINGS + me, RINGS + 1 - me
    kinds = [i + 1 for i, row in enumerate(rows) if (position.state[row] & BIT[point]).any()]
    assert len(kinds) <= 1
    return sum(kinds)


def with_colours_swapped(position: Position) -> Position:
    """Not a position of a match, where white begins; the patterns do not mind."""
    state = position.state.copy()
    state[:4] = state[[1, 0, 3, 2]]
    state[FACTS, [PLAYER, MOVER]] ^= 1
    state[FACTS, [TAKEN, TAKEN + 1]] = state[FACTS, [TAKEN + 1, TAKEN]]
    return Position(position.game, state)


@pytest.mark.parametrize("options", ["", "blitz"])
def test_windows_are_read_right(options: str) -> None:
    for seed in SEEDS:
        for position in [*random_match(games.load(f"yinsh:{options}"), seed)][:-1:5]:
            me, seen = mover(position), see(position)
            for window, number in zip(windows(), seen, strict=False):
                digits = [holds(position, me, point) for point in window]
                assert number == sum(digit * 5**i for i, digit in enumerate(digits))
            assert len(windows()) == AT_TURN


def test_only_who_moves_next_is_looked_at() -> None:
    for position in [*random_match(games.load("yinsh"), 3)][:-1]:
        _, out = look(position)
        me = mover(position)
        assert (out[me] >= 0).all()
        assert out[1 - me, 0] == -1
        assert (out[1 - me, 1:] == UNSEEN).all()


def test_rings_and_markers_are_counted() -> None:
    for seed in SEEDS:
        for position in [*random_match(games.load("yinsh"), seed)][:-1:3]:
            me, seen, facts = mover(position), see(position), position.state[FACTS]
            taken, theirs = facts[TAKEN + me], facts[TAKEN + 1 - me]
            turn = seen[AT_TURN] - TURNS
            assert turn == 24 * taken + 8 * theirs + 2 * facts[PHASE] + (position.player == me)
            points = range(len(rules.POINTS))
            held = [holds(position, me, point) for point in points]
            assert seen[AT_COUNT] - COUNTS == 64 + held.count(1) - held.count(2)
            lead = 1 + int(np.sign(taken - theirs))
            assert seen[AT_POOL] - POOLS == 64 * lead + facts[rules.POOL]


@pytest.mark.parametrize("options", ["", "blitz"])
def test_colours_make_no_difference(options: str) -> None:
    for position in [*random_match(games.load(f"yinsh:{options}"), 1)][:-1]:
        stage, out = look(position)
        other_stage, other = look(with_colours_swapped(position))
        assert (stage, out.tolist()) == (other_stage, other[::-1].tolist())


def reversed_digits(number: int) -> int:
    return int(np.base_repr(number, 5).zfill(5)[::-1], 5)


@pytest.mark.parametrize("symmetry", range(1, 12))
def test_turned_and_mirrored_positions_are_alike(symmetry: int) -> None:
    """As many windows hold the same, from the one end or the other."""
    game = games.load("yinsh")
    image = observe.symmetries(game.options)[symmetry]
    *_, end = random_match(game, seed=symmetry)
    match = other = game.start()
    for action in end.actions[:-1]:
        kind = KINDS.get(int(match.state[FACTS, PHASE]), observe.AT_POINT)
        match, other = match.play(action), other.play(image.action(kind, action))
        one, two = see(match), see(other)
        assert one[AT_TURN:].tolist() == two[AT_TURN:].tolist()
        both = [
            sorted(min(number, reversed_digits(number)) for number in seen[:AT_TURN].tolist())
            for seen in (one, two)
        ]
        assert both[0] == both[1]


def stage_of(position: Position) -> int:
    facts, me = position.state[FACTS].tolist(), mover(position)
    is_placing = facts[PHASE] == rules.PLACE
    if position.game.options["blitz"]:
        return 10 if is_placing else 11
    return 0 if is_placing else 1 + 3 * facts[TAKEN + me] + facts[TAKEN + 1 - me]


@pytest.mark.parametrize("options", ["", "blitz"])
def test_stages(options: str) -> None:
    """A row is worth the more the fewer are missing, to who moves next and to the opponent."""
    matches = [[*random_match(games.load(f"yinsh:{options}"), seed)][:-1] for seed in SEEDS]
    stages = {(look(position)[0], stage_of(position)) for match in matches for position in match}
    assert all(stage == counted < patterns.STAGES for stage, counted in stages)
    assert len(stages) > (2 if JIT and not options else 1)
