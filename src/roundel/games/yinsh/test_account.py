"""What is said when a match of Yinsh is counted, and who was passed over."""

from typing import Any

from roundel import games
from roundel.games.yinsh import view
from roundel.games.yinsh.test_yinsh import nearly_empty_pool, position


def counted(spec: str = "yinsh", play: str = "", **parts: str) -> list[tuple[Any, ...]]:
    """The account of a position after some actions: texts, seats and points."""
    items = view.account(position(spec, **parts).play(play).state)
    return [(item["text"], item["seat"], item["points"]) for item in items]


def test_three_rings_win() -> None:
    row = {"white_rings": "f6,a2,a3", "taken": "2-0", "white_markers": "f2,f3,f4,f5"}
    assert counted(play="f6-f7 xf2-f6 xa2", **row) == [
        ("White has taken off 3 rings.", 0, 3),
        ("Black has taken off 0 rings.", 1, 0),
        ("White took off the third ring first and wins.", 0, None),
    ]


def test_the_pool_is_empty() -> None:
    parts = nearly_empty_pool("b2,a2,a3,b1", "k7,k8,k9,k10,j11")
    assert counted(play="b2-b3", taken="1-0", **parts) == [
        ("White has taken off 1 ring.", 0, 1),
        ("Black has taken off 0 rings.", 1, 0),
        ("The pool is empty. White has taken off more rings and wins.", 0, None),
    ]
    parts = nearly_empty_pool("b2,a2,a3,b1,a4", "k7,k8,k9,k10,j11")
    assert counted(play="b2-b3", **parts)[-1] == ("The pool is empty. It is a draw.", None, None)
    blitz = counted("yinsh:blitz", "b2-b3", **parts)
    assert blitz == [("The pool is empty. It is a draw.", None, None)]


def test_blitz_shows_the_rows_of_both() -> None:
    rows = {"white_markers": "f2,f3,f4,f5,g6", "black_markers": "g2,g3,g4,g5"}
    board = position("yinsh:blitz", white_rings="f6,a2,a3,a4,b1", **rows).play("f6-h6")
    assert [(item["text"], item["spots"]) for item in view.account(board.state)] == [
        ("White has five in a row and wins.", ["f2", "f3", "f4", "f5", "f6"]),
        ("Black has five in a row too, but did not move.", ["g2", "g3", "g4", "g5", "g6"]),
    ]


def test_rule_11_tells_who_was_passed_over() -> None:
    board = position(
        white_rings="a2,a3,a4", taken="2-0", black_rings="b2,b3,b4,b5,b6", turn="p2", mover="p1"
    )
    locked = board.play("b6-a5")
    assert view.passed(board.state, locked.state) == (0,)
    free = locked.play("b2-d2")
    assert view.passed(locked.state, free.state) == ()
    last = games.load("yinsh").start("a2 b2 a3 b3 a4 b4 a5 b5 b7")
    assert view.passed(last.state, last.play("b6").state) == ()
