"""The features of Yinsh, counted again point by point."""

from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray

from roundel import games
from roundel.core.jit import JIT
from roundel.core.playthrough import random_match
from roundel.core.position import Position
from roundel.games.yinsh import evaluate, rules
from roundel.games.yinsh.rules import AXES, BIT, FACTS, MARKERS, PHASE, PLAYER, RINGS
from roundel.search.features import weights_of
from roundel.search.judge import judging

SEEDS = range(6 if JIT else 1)
LACKING = {  # what a window holds, own and the opponent's: markers and rings
    evaluate.FOUR_RING: lambda own, theirs, ring: own == 4 and ring,
    evaluate.FOUR_TURN: lambda own, theirs, ring: own == 4 and theirs == 1,
    evaluate.FOUR_EMPTY: lambda own, theirs, ring: own == 4 and theirs == 0 and not ring,
    evaluate.THREE_RING: lambda own, theirs, ring: own == 3 and ring,
    evaluate.THREE_TURN_TWO: lambda own, theirs, ring: own == 3 and theirs == 2,
    evaluate.THREE_TURN_ONE: lambda own, theirs, ring: own == 3 and theirs == 1 and not ring,
    evaluate.THREE_EMPTY: lambda own, theirs, ring: own == 3 and theirs == 0 and not ring,
    evaluate.TWO_RING: lambda own, theirs, ring: own == 2 and ring,
    evaluate.TWO_TURN_THREE: lambda own, theirs, ring: own == 2 and theirs == 3,
    evaluate.TWO_TURN_ONE: lambda own, theirs, ring: own == 2 and theirs == 1 and not ring,
    evaluate.TWO_EMPTY: lambda own, theirs, ring: own == 2 and theirs == 0 and not ring,
    evaluate.ONE_ALONE: lambda own, theirs, ring: own == 1 and theirs == 0,
}


def features(position: Position) -> NDArray[np.float64]:
    out = np.full((2, len(evaluate.FEATURES)), np.nan)
    judging("yinsh", rules, evaluate).features(position.state.copy(), out)
    return out


def points_of(state: NDArray[np.int64], row: int) -> set[int]:
    return {p for p in range(len(rules.POINTS)) if (state[row] & BIT[p]).any()}


def windows() -> list[tuple[int, ...]]:
    lines = [line for axis in AXES for line in rules.lines(axis)]
    return [tuple(line[i : i + 5]) for line in lines for i in range(len(line) - 4)]


def counted(state: NDArray[np.int64], me: int) -> Counter[int]:
    """The windows of one player by what they hold."""
    own, theirs = points_of(state, MARKERS + me), points_of(state, MARKERS + 1 - me)
    rings, their_rings = points_of(state, RINGS + me), points_of(state, RINGS + 1 - me)
    found: Counter[int] = Counter()
    for window in map(set, windows()):
        if window & their_rings:
            found[evaluate.BLOCKED] += len(window & own) in (3, 4)
            continue
        holds = len(window & own), len(window & theirs), bool(window & rings)
        for feature, matches in LACKING.items():
            found[feature] += matches(*holds)
    return found


@pytest.mark.parametrize("options", ["", "blitz"])
def test_windows_are_counted_right(options: str) -> None:
    game = games.load(f"yinsh:{options}" if options else "yinsh")
    for seed in SEEDS:
        for position in [*random_match(game, seed)][:-1:5]:
            out = features(position)
            assert not np.isnan(out).any()
            for me in range(2):
                expected = counted(position.state, me)
                assert {i: out[me, i] for i in expected} == expected, position.fen()


def test_who_moves_next_has_the_threats() -> None:
    for position in [*random_match(games.load("yinsh"), 3)][:-1]:
        out, state = features(position), position.state
        (mover,) = np.flatnonzero(out[:, evaluate.TO_MOVE])
        moving = state[FACTS, PHASE] <= rules.MOVE
        assert mover == (state[FACTS, PLAYER] if moving else 1 - state[FACTS, rules.MOVER])
        moves, waits = out[mover], out[1 - mover]
        assert (moves[9:12] == moves[6:9]).all()
        assert (waits[9:12] == 0).all()


def test_every_feature_has_weights_for_every_stage() -> None:
    assert weights_of("yinsh").shape == (evaluate.STAGES, len(evaluate.FEATURES))
