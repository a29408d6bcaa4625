"""The features of Hexaequo see what can be captured, and neither colours nor directions."""

from collections.abc import Callable

import numpy as np
import pytest

from roundel import games
from roundel.core.hexes import Hex
from roundel.core.playthrough import random_match
from roundel.core.position import Position
from roundel.games.hexaequo.evaluate import ACTS, FEATURES, STAGES, TACTICS, WAITS
from roundel.games.hexaequo.positions import CELL_OF, NAMES
from roundel.games.hexaequo.test_hexaequo import CHAIN_FIGURE, LEAP_FIGURE, STRIP, position
from roundel.kernel.jit import JIT
from roundel.search.judge import extractor_entries

GAME = games.load("hexaequo")
DISCS, RINGS, JUMPED_DISCS, JUMPED_RINGS, ANY, SAFE, RING_SAFE, TWICE, WINS, MAY_WIN = range(10)
SEEDS = [1, 2, 3] if JIT else [1]


EXTRACT = extractor_entries(games.manifest("hexaequo")).extract


def judged(match: Position) -> tuple[int, np.ndarray]:
    """The stage and the features, in a matrix that held something else."""
    out = np.full((2, len(FEATURES)), np.nan)
    return EXTRACT(np.array(match.state), out), out


def tactics(match: Position, player: int) -> list[int]:
    """What a player can capture, whether acting or waiting; the other half must be empty."""
    out = judged(match)[1][player]
    mine, other = (ACTS, WAITS) if match.player == player else (WAITS, ACTS)
    assert not out[other : other + len(TACTICS)].any()
    return [int(value) for value in out[mine : mine + len(TACTICS)]]


def named(match: Position, player: int) -> dict[str, float]:
    return dict(zip(FEATURES, judged(match)[1][player].tolist(), strict=True))


@pytest.mark.parametrize("seed", SEEDS)
def test_every_feature_is_filled_in_every_position(seed: int) -> None:
    *positions, _ = random_match(GAME, seed)
    stages = []
    for match in positions:
        stage, out = judged(match)
        stages.append(stage)
        assert np.isfinite(out).all()
        assert (np.abs(out) <= 10).all()
        assert out[:, 0].tolist() == [match.player == 0, match.player == 1]
    assert stages == sorted(stages)
    assert set(stages) <= set(range(STAGES))
    assert judged(position(**STRIP))[0] == STAGES - 1


# -- Symmetry -------------------------------------------------------------------


def turned(cell: Hex) -> Hex:
    return -cell[1], cell[0] + cell[1]


def mirrored(cell: Hex) -> Hex:
    return cell[1], cell[0]


def image(match: Position, go: Callable[[Hex], Hex]) -> Position:
    """The position with every cell somewhere else; what was before is forgotten."""
    spec, *parts = match.fen().split(";")
    texts = dict(part.split("=") for part in parts)
    texts.pop("seen", None)
    for key, text in texts.items():
        if text and (key.endswith(("tiles", "discs", "rings")) or key == "chain"):
            texts[key] = ",".join(NAMES[go(CELL_OF[name])] for name in text.split(","))
    return games.from_fen(";".join([spec, *(f"{key}={text}" for key, text in texts.items())]))


def with_colours_swapped(match: Position) -> Position:
    text = image(match, lambda cell: cell).fen()
    for one, other in (("black", "white"), ("turn=p1", "turn=p2")):
        text = text.replace(one, "?").replace(other, one).replace("?", other)
    return games.from_fen(text)


@pytest.mark.parametrize("seed", SEEDS)
def test_directions_make_no_difference(seed: int) -> None:
    *positions, _ = random_match(GAME, seed)
    for match in positions[::3]:
        stage, out = judged(match)
        for go in (turned, mirrored):
            other_stage, other = judged(image(match, go))
            assert (stage, out.tolist()) == (other_stage, other.tolist())


@pytest.mark.parametrize("seed", SEEDS)
def test_colours_make_no_difference(seed: int) -> None:
    *positions, _ = random_match(GAME, seed)
    for match in positions[::3]:
        stage, out = judged(match)
        other_stage, other = judged(with_colours_swapped(match))
        assert (stage, out.tolist()) == (other_stage, other[::-1].tolist())


# -- What can be captured -------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_no_capture_and_no_win_by_one_action_is_overlooked(seed: int) -> None:
    *positions, _ = random_match(GAME, seed)
    captures = 0
    for match in positions:
        me = match.player or 0
        counts = tactics(match, me)
        after = [match.play(action) for action in match.legal()]
        gained = any(next_.points[me] > match.points[me] for next_ in after)
        won = any(next_.result == f"p{me + 1}win" for next_ in after)
        assert gained <= counts[ANY] == (counts[DISCS] + counts[RINGS] > 0)
        assert won <= counts[WINS] + counts[MAY_WIN]
        captures += gained
    assert captures


def test_the_chain_of_the_printed_figure() -> None:
    match = position(**CHAIN_FIGURE)
    counts = tactics(match, 0)
    assert counts[:4] == [1, 1, 1, 1], "the disc on j8 by the second jump; j10 has no tile behind"
    assert (counts[ANY], counts[SAFE], counts[RING_SAFE], counts[TWICE]) == (1, 1, 1, 1)
    assert (counts[WINS], counts[MAY_WIN]) == (0, 0)
    inside = match.play("i10-i8")
    assert tactics(inside, 0)[:4] == [1, 0, 1, 0]
    assert named(inside, 0)["acts, and is in the middle of a chain"] == 1


def test_the_leap_of_the_printed_figure() -> None:
    match = position(**LEAP_FIGURE)
    assert tactics(match, 1)[:4] == [3, 0, 1, 0], "j9 by the disc, too"
    assert named(match, 1)["cells that rings can leap to, by 2"] == 5 / 2
    assert tactics(match, 0)[:4] == [0, 0, 0, 0]


def test_a_capture_is_not_safe_where_it_is_taken_back() -> None:
    board: dict[str, str] = {**STRIP, "black_discs": "", "black_rings": "i8"}
    alone = position(**board, white_discs="k8,q8")
    assert tactics(alone, 0)[SAFE] == 1
    guarded = position(**board, white_discs="k8,q8", white_rings="m8")
    assert tactics(guarded, 0)[:6] == [1, 0, 0, 0, 1, 0]


@pytest.mark.parametrize(
    ("parts", "wins", "may_win"),
    [
        ({"white_discs": "k8,q8"}, 0, 0),
        ({"white_discs": "k8"}, 1, 0),  # nothing would be left
        ({"white_discs": "k8", "black_held": "ddddd"}, 1, 0),
        ({"white_discs": "q8", "white_rings": "k8", "black_held": "rr"}, 1, 0),
        ({"white_discs": "k8,q8", "black_held": "ddddr"}, 0, 0),
        ({"white_discs": "k8,m8"}, 0, 1),  # both in one chain
        ({"white_discs": "k8,m8,q8", "black_held": "ddd"}, 0, 0),
        ({"white_discs": "k8,m8", "white_rings": "q8", "black_held": "dddd"}, 0, 1),
    ],
)
def test_wins(parts: dict[str, str], wins: int, may_win: int) -> None:
    board: dict[str, str] = {**STRIP, "black_discs": "j8", **parts}
    for turn in ("p1", "p2"):
        counts = tactics(position(**board, turn=turn), 0)
        assert (counts[WINS], counts[MAY_WIN]) == (wins, may_win)


# -- What stands there ----------------------------------------------------------


def test_material_and_room_at_the_start() -> None:
    black, white = (named(GAME.start(), player) for player in range(2))
    assert black.pop("acts") == 1 - white.pop("acts") == 1
    assert black == white
    seen = {name: value for name, value in black.items() if value}
    assert seen == {
        "discs on the board": 1,
        "tiles in reserve": 7,
        "empty own tiles": 1,
        "empty own tiles where a piece is safe": 1,
        "cells that discs can step to, by 2": 1,
        "cells that discs can step to and be safe, by 2": 1,
    }


def test_material_that_is_held() -> None:
    held = {"black_held": "dddddrr", "white_held": "dddd"}
    match = position(**STRIP, **held, black_discs="i8", black_rings="k8,l8,m8")
    black, white = (named(match, player) for player in range(2))
    for name, one, other in (
        ("captured discs held", 5, 4),
        ("holds 4 captured discs or more", 1, 1),
        ("holds 5 captured discs or more", 1, 0),
        ("captured rings held", 2, 0),
        ("holds 2 captured rings", 1, 0),
        ("has no disc in reserve", 0, 1),
        ("tiles in reserve", 0, 0),
        ("may pay for a ring and has none on the board", 0, 1),
        ("may pay for a ring and has one on the board", 0, 0),
        ("holds 4 captured discs or more and may not pay for a ring", 1, 0),
        ("rings on the board, while the enemy has no disc in reserve", 3, 0),
    ):
        assert (black[name], white[name]) == (one, other), name
