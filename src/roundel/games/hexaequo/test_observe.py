"""The planes of Hexaequo show what its view tells; half a turn of them is half a turn."""

import numpy as np
import pytest

from roundel import games
from roundel.batch import Batch, planes_of
from roundel.core.playthrough import random_match
from roundel.core.position import Position
from roundel.games.hexaequo import observe, rules
from roundel.games.hexaequo.positions import CELL_OF, COLOURS
from roundel.games.hexaequo.rules import FACTS, PIECES, TILES

GAME = games.load("hexaequo")


def expected(position: Position) -> np.ndarray:
    """All but the last three things, which no view shows."""
    out = np.zeros((len(observe.PLANES), 114), np.int8)
    mine = COLOURS[position.player or 0]
    kinds = ("tile", "disc", "ring")
    for spot, pieces in position.view["pieces"].items():
        for piece in pieces:
            kind, colour = piece.split("-")
            out[2 * kinds.index(kind) + (colour != mine), rules.number(*CELL_OF[spot])] = 1
    for player, colour in enumerate(COLOURS):
        reserve, held = (position.view["trays"][f"{t}-{player}"] for t in ("reserve", "held"))
        for i, kind in enumerate(kinds):
            at = 2 * i + (colour != mine)
            out[observe.RESERVES + at] = [p.split("-")[0] for p in reserve].count(kind)
            if i:
                out[observe.CAPTURED + at - 2] = [p.split("-")[0] for p in held].count(kind)
    return out


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_planes_show_what_the_view_tells(seed: int) -> None:
    *positions, _ = random_match(GAME, seed)
    for position in positions:
        planes, wanted = planes_of(position), expected(position)
        wanted[6:8], wanted[observe.BEFORE] = planes[6:8], planes[observe.BEFORE]
        assert np.array_equal(planes, wanted)


def test_planes_show_the_chain_and_what_comes_back() -> None:
    *positions, _ = random_match(GAME, seed=1)
    chains = 0
    for position in positions:
        planes = planes_of(position)
        chained = "chain" in position.fen().split(";")[1]
        assert planes[6].sum() == chained
        assert bool(planes[7].any()) == chained
        chains += chained
    assert chains
    shuffled = GAME.start("j8-i8 h9-i9 i8-j8 i9-h9")
    assert planes_of(shuffled)[observe.BEFORE].tolist() == [1] * 114
    assert planes_of(GAME.start("j8-i8"))[observe.BEFORE].tolist() == [0] * 114


def turned(state: np.ndarray) -> np.ndarray:
    """A state after half a turn about i8, bit by bit."""
    image = state.copy()
    boards = [(TILES, 0), (TILES, 2), (TILES, 4), (TILES, 6), (FACTS, 4), (FACTS, 6)]
    rows = [PIECES, *range(rules.HISTORY, len(state))]
    for row, column in [*boards, *((row, column) for row in rows for column in (0, 2, 4))]:
        before = int(state[row, column]) | int(state[row, column + 1]) << rules.HALF
        after = sum(1 << -cell % 114 for cell in range(114) if before >> cell & 1)
        image[row, column], image[row, column + 1] = after & (1 << 57) - 1, after >> 57
    return image


def test_half_a_turn_is_a_symmetry() -> None:
    batch = Batch("hexaequo", 2, seed=3, threads=1)
    symmetry = batch.symmetries[1]
    for _ in range(60):
        batch.wander(3)
        position = batch.position(0)
        batch.put(1, Position(GAME, turned(position.state), from_start=False))
        one, other = batch.observe()
        assert np.array_equal(one[:, symmetry.cells], other)
        one, other = batch.legal_mask()
        assert np.array_equal(one[symmetry.actions[0]], other)
        action = int(batch.random_actions()[0])
        batch.step([action, symmetry.action(0, action)])
        if not batch.done.any():
            after = batch.observe()
            assert np.array_equal(after[0][:, symmetry.cells], after[1])
