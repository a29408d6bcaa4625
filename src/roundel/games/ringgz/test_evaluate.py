"""The features of Ringgz: they see what lies on the board, and neither colours nor directions."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from roundel import games
from roundel.core.jit import Entries
from roundel.core.playthrough import random_match
from roundel.core.position import Position
from roundel.games.ringgz import evaluate, observe, rules
from roundel.games.ringgz.rules import COLOURS

OPTION_SETS = games.manifest("ringgz").option_sets


def make_judge(G: Any, E: Any) -> Any:
    def judge(state, out):  # type: ignore[no-untyped-def] # compiled
        """Fill the features; returns the stage."""
        E.features(state, out)
        return E.stage(state)

    return judge


JUDGE = {"judge": (make_judge, "int64(int64[:,::1], float64[:,::1])")}
ENTRIES = Entries("ringgz", rules, JUDGE, evaluate)


def judge(position: Position) -> tuple[int, np.ndarray]:
    """The stage, and the features in a matrix that held nothing."""
    out = np.full((position.game.players, len(evaluate.FEATURES)), np.nan)
    return ENTRIES.judge(np.array(position.state), out), out


def feature(board: Position, which: int) -> list[float]:
    return [float(value) for value in judge(board)[1][:, which]]


def position(spec: str = "ringgz", **parts: str) -> Position:
    given = {"turn": "p1", "start": "c3", **dict.fromkeys(COLOURS, ""), **parts}
    return games.from_fen(";".join([spec, *(f"{key}={value}" for key, value in given.items())]))


@pytest.mark.parametrize("options", OPTION_SETS)
def test_every_feature_is_filled_and_small_and_stages_only_rise(options: str) -> None:
    *positions, _ = random_match(games.load(f"ringgz:{options}"), seed=1)
    judged = [judge(position) for position in positions]
    assert all(np.abs(out).max() <= 15 for _, out in judged)
    stages = [stage for stage, _ in judged]
    first = evaluate.STEPS * (positions[0].game.players - 2)
    assert stages == sorted(stages)
    assert set(stages) <= set(range(first, first + evaluate.STEPS))
    assert len(set(stages)) > 2


@pytest.mark.parametrize("players", [2, 3, 4])
def test_features_count_what_position_tells(players: int) -> None:
    *positions, _ = random_match(games.load(f"ringgz:players={players}"), seed=2)
    for board in positions[1:]:
        _, out = judge(board)
        me = board.player
        assert me is not None
        assert tuple(out[:, evaluate.WON]) == board.points
        assert list(np.flatnonzero(out[:, evaluate.ACTS])) == [me]
        places = Counter(board.write(action)[:2] for action in board.legal())
        left = {spot: len(kinds) for spot, kinds in board.view["pieces"].items()}
        fits = [
            min(many, left[f"p{me + 1}-{COLOURS['bgyr'.index(piece[0])]}-{piece[1]}"])
            for piece, many in places.items()
            if piece[1] != "b"
        ]
        assert out[me, evaluate.FIT_NOW] == sum(fits) / 4
        assert out[me, evaluate.SIZES] == len(fits) / 2


@pytest.mark.parametrize("symmetry", range(1, 8))
def test_turned_and_mirrored_positions_are_alike(symmetry: int) -> None:
    game = games.load(f"ringgz:{OPTION_SETS[symmetry]}")
    image = observe.symmetries(game.options)[symmetry]
    *_, end = random_match(game, seed=symmetry)
    match = other = game.start()
    for action in end.actions[:-1]:
        match, other = match.play(action), other.play(image.action(0, action))
        assert judge(match)[0] == judge(other)[0]
        assert np.array_equal(judge(match)[1], judge(other)[1])


def renamed(board: Position, colours: str, turns: list[int]) -> Position:
    """The same position with other colours, "gb.." for green instead of blue; the player who was
    turns[i] is i now."""
    spec, *parts = board.fen().split(";")
    old = dict(part.split("=") for part in parts)
    new = {COLOURS[i]: old[COLOURS["bgyr".index(letter)]] for i, letter in enumerate(colours)}
    new["turn"] = f"p{turns.index(int(old['turn'][1]) - 1) + 1}"
    if "neutral" in old:
        shares = old["neutral"].split(",")
        new["neutral"] = ",".join(shares[player] for player in turns)
    return games.from_fen(";".join([spec, *(f"{k}={v}" for k, v in {**old, **new}.items())]))


@pytest.mark.parametrize(
    ("options", "colours", "turns"),
    [
        ("", "yrbg", [1, 0]),
        ("", "gbyr", [0, 1]),
        ("presence=player", "rygb", [1, 0]),
        ("players=3", "gybr", [1, 2, 0]),
        ("players=4,opening=turn,presence=player", "gyrb", [1, 2, 3, 0]),
    ],
)
def test_no_player_and_no_colour_is_special(options: str, colours: str, turns: list[int]) -> None:
    *positions, _ = random_match(games.load(f"ringgz:{options}"), seed=3)
    for board in positions[1:]:
        assert np.array_equal(judge(renamed(board, colours, turns))[1], judge(board)[1][turns])


# -- What one more ring does -------------------------------------------------------


def test_one_ring_can_be_tied_now_or_later() -> None:
    beside = position(blue="1@c4")
    assert feature(beside, evaluate.ONE_ACTING) == [1, 0]
    assert feature(position(blue="1@c4", turn="p2"), evaluate.ONE_WAITING) == [1, 0]
    away = position(blue="1@c4,1@c5,1@b5,2@a5")
    assert feature(away, evaluate.ONE_ACTING) == [1, 0], "c4; the others reach no more"
    assert feature(away, evaluate.ONE_LATER) == [3, 0]


def test_two_rings_and_two_plus_one() -> None:
    assert feature(position(blue="1@c4,2@c4"), evaluate.TWO) == [1, 0]
    at_risk = position(blue="1@c4,2@c4", yellow="3@c4")
    assert feature(at_risk, evaluate.TWO_ONE_ACTING) == [1, 0]
    assert feature(at_risk, evaluate.TWO) == [0, 0]
    safe = position(blue="1@c4,2@c4", green="3@c4")
    assert feature(safe, evaluate.TWO_ONE_ACTING) == [0, 0], "only I could tie it"
    spent = position(blue="1@c4,2@c4", yellow="3@c4,4@b3,4@c2,4@d3")
    assert feature(spent, evaluate.TWO_ONE_ACTING) == [0, 0], "yellow has no ring of size 4 left"


def test_ties_can_be_won_by_those_who_have_a_ring_there() -> None:
    tie = position(blue="1@c4", yellow="2@c4", turn="p2")
    assert feature(tie, evaluate.TIE_ACTING) == [0, 1]
    assert feature(tie, evaluate.TIE_WAITING) == [1, 0]
    three = position(blue="1@c4", yellow="2@c4", red="3@c4")
    assert feature(three, evaluate.TIE_3_ACTING) == [1, 0]
    assert feature(three, evaluate.TIE_3_WAITING) == [0, 2], "with either colour"


def test_neutral_rings_win_nothing_but_tie() -> None:
    red = position("ringgz:players=3", blue="1@c4,2@c4", red="3@c4", neutral="124b,1234b,1234b")
    assert feature(red, evaluate.WON) == [1, 0, 0]
    assert feature(red, evaluate.TWO_ONE_ACTING) == [1, 0, 0], "the others hold red too"
    tie = position("ringgz:players=3", blue="1@c4", red="3@c4", neutral="124b,1234b,1234b")
    assert feature(tie, evaluate.TIE_ACTING) == [1, 0, 0]
    assert feature(tie, evaluate.TIE_WAITING) == [0, 0, 0]


def test_where_nobody_else_can_place() -> None:
    four = position("ringgz:players=4", blue="1@c4", green="b@b4", yellow="b@d4", red="b@c5")
    assert feature(four, evaluate.PRIVATE) == [0, 0.25, 0.25, 0], "a4 and e4; b5 and d5 are shared"
    walled = position(blue="1@a5", green="b@a4,b@b5")
    assert feature(walled, evaluate.FIT_LATER_ALONE) == [1.5, 0], "sizes 2 to 4 of both, on a5"
    assert feature(walled, evaluate.ONE_LATER) == [0, 0], "won for good"
