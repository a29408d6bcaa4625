"""Each test is named after the rule it holds us to."""

import pytest

from roundel import games
from roundel.core.errors import IllegalAction, InvalidText

GAME = games.load("tictactoe")


def test_rule_1_the_board_is_empty() -> None:
    assert len(GAME.start().legal()) == 9
    assert GAME.start().player == 0


def test_rule_2_signs_in_turn_on_empty_squares() -> None:
    position = GAME.start("b2")
    assert position.player == 1
    with pytest.raises(IllegalAction, match="b2 is not legal here"):
        position.play("b2")


@pytest.mark.parametrize("line", ["a1 b1 c1", "a1 a2 a3", "a1 b2 c3", "a3 b2 c1"])
def test_rule_3_three_in_a_row_win(line: str) -> None:
    mine = line.split()
    theirs = [square for square in ("b3", "c2", "a2", "b1") if square not in mine]
    position = GAME.start(f"{mine[0]} {theirs[0]} {mine[1]} {theirs[1]} {mine[2]}")
    assert position.result == "p1win"
    assert position.points == (1, 0)


def test_rule_4_a_full_board_is_a_draw() -> None:
    assert GAME.start("a1 b1 c1 a2 c2 b2 a3 c3 b3").result == "draw"


def test_rule_5_the_wrong_way_round() -> None:
    assert games.load("tictactoe:misere").start("a1 b1 a2 b2 a3").result == "p2win"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("crosses=a1,b1;noughts=", "come in turn"),
        ("crosses=a1;noughts=a1", "named twice"),
        ("crosses=a1,a2,a3;noughts=b1,b2,c3", "over before the last sign"),
        ("crosses=d4;noughts=", "not a place"),
    ],
)
def test_impossible_positions_are_refused(text: str, told: str) -> None:
    with pytest.raises(InvalidText, match=told):
        games.from_fen(f"tictactoe;{text}")
