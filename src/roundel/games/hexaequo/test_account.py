"""What is said when a match of Hexaequo is counted."""

from roundel.core.position import Position
from roundel.games.hexaequo import view
from roundel.games.hexaequo.test_hexaequo import HEXAEQUO, LINE, SHUFFLE, position


def texts(position: Position) -> list[str]:
    return [item["text"] for item in view.account(position.state)]


def test_nothing_is_counted_before_the_end() -> None:
    assert texts(HEXAEQUO.start()) == []


def test_no_piece_left_on_the_board() -> None:
    after = position(**LINE, black_discs="i8", white_discs="j8").play("i8-k8")
    assert texts(after) == [
        "Black holds 1 captured disc.",
        "White has no piece left on the board: Black wins.",
    ]
    assert view.account(after.state)[-1]["spots"] == ["k8"]


def test_all_discs_and_all_rings() -> None:
    pieces = {"black_discs": "i8", "white_discs": "j8", "white_rings": "h9", "black_held": "ddddd"}
    assert texts(position(**LINE, **pieces).play("i8-k8")) == [
        "Black holds 6 captured discs.",
        "Black holds all six discs of White and wins.",
    ]
    pieces = {"black_discs": "m8", "white_rings": "i8", "black_rings": "k8", "white_held": "rr"}
    assert texts(position(**LINE, turn="p2", **pieces).play("i8-k8")) == [
        "White holds 3 captured rings.",
        "White holds all three rings of Black and wins.",
    ]


def test_a_position_for_the_third_time() -> None:
    again = "The same position has occurred for the third time: ex aequo."
    assert texts(HEXAEQUO.start(f"{SHUFFLE} {SHUFFLE}")) == [again]
