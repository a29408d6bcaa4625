"""Each test is named after the rule it holds us to."""

from collections.abc import Iterable

import pytest

from roundel import games
from roundel.core import hexes
from roundel.core.errors import IllegalAction, InvalidText
from roundel.core.playthrough import random_match
from roundel.core.position import Position
from roundel.games.yinsh.notation import NAMES
from roundel.games.yinsh.rules import NUMBER, POINTS

YINSH = games.load("yinsh")
FAR_RINGS = {"white_rings": "a2,a3,a4,b1,b2", "black_rings": "k7,k8,k9,j6,j7"}


PLACING = {"phase": "place", "white_rings": "a2", "black_rings": "k7"}
WHITE_ROW = "f2,f3,f4,f5,f6"
BOTH_ROWS = {"white_markers": WHITE_ROW, "black_markers": "g2,g3,g4,g5,g6"}


def position(spec: str = "yinsh", **parts: str) -> Position:
    """A position of the middle of a match, white to move unless told."""
    given = {
        "phase": "move",
        "turn": "p1",
        "mover": "p1",
        "taken": "0-0",
        **FAR_RINGS,
        "white_markers": "",
        "black_markers": "",
        **parts,
    }
    return games.from_fen(";".join([spec, *(f"{key}={value}" for key, value in given.items())]))


def without_rows(count: int) -> dict[str, str]:
    """So many markers, of which no five in a line have one colour."""
    taken = ",".join(FAR_RINGS.values()).split(",")
    free = [point for point, name in enumerate(NAMES) if name not in taken][:count]
    is_white = {point: (POINTS[point][0] + 2 * POINTS[point][1]) % 4 < 2 for point in free}
    return {
        f"{colour}_markers": ",".join(NAMES[p] for p in free if is_white[p] == (colour == "white"))
        for colour in ("white", "black")
    }


def texts(position: Position) -> set[str]:
    return {position.write(action) for action in position.legal()}


def on(position: Position, kind: str) -> set[str]:
    return {spot for spot, pieces in position.view["pieces"].items() if pieces == [kind]}


def test_rule_1_the_board_has_85_points_and_six_directions() -> None:
    assert len(texts(YINSH.start())) == 85
    ring = position(white_rings="f6,a2,a3,a4,b1", black_rings="k7,k8,k9,k10,j11")
    ends = {text.partition("-")[2] for text in texts(ring) if text.startswith("f6-")}
    assert {"f10", "f2", "j6", "b6", "j10", "b2"} <= ends
    assert "g8" not in ends, "not on a line with f6"


def test_rule_2_white_is_player_1_and_starts_with_51_markers_in_the_pool() -> None:
    start = YINSH.start()
    assert start.player == 0
    assert len(start.view["trays"]["pool"]) == 51


def test_rule_3_ten_rings_are_placed_in_turn() -> None:
    match = YINSH.start()
    players = []
    for text in ["f6", "e5", "g7", "d4", "h8", "f4", "e8", "g5", "d7", "h6"]:
        players.append(match.player)
        match = match.play(text)
        with pytest.raises(IllegalAction):
            match.play(text)
    assert players == [0, 1] * 5
    assert match.player == 0
    assert all("-" in text for text in texts(match))


def test_rule_4_the_marker_stays_behind() -> None:
    after = position(white_rings="f6,a2,a3,a4,b1").play("f6-f8")
    assert on(after, "marker-white") == {"f6"}
    assert "f8" in on(after, "ring-white")
    assert len(after.view["trays"]["pool"]) == 50


def test_rule_5_a_ring_jumps_one_run_of_markers_and_stops_right_behind_it() -> None:
    board = position(
        white_rings="f2,a2,a3,a4,b1", white_markers="f5,f6", black_markers="f7,f9", turn="p1"
    )
    up = {text for text in texts(board) if text.startswith("f2-f")}
    assert up == {"f2-f3", "f2-f4", "f2-f8"}


def test_rule_5_a_ring_never_passes_a_ring_nor_leaves_the_board() -> None:
    rings = {"white_rings": "f2,a2,a3,a4,b1"}
    blocked = position(**rings, black_rings="f5,k7,k8,k9,j6")
    assert {t for t in texts(blocked) if t.startswith("f2-f")} == {"f2-f3", "f2-f4"}
    behind = position(**rings, black_markers="f4", black_rings="f5,k7,k8,k9,j6")
    assert {t for t in texts(behind) if t.startswith("f2-f")} == {"f2-f3"}
    edge = position(**rings, black_markers="f9,f10")
    assert "f2-f8" in texts(edge)
    assert "f2-f11" not in texts(edge)


def test_rule_6_passed_markers_are_turned_but_not_the_new_one() -> None:
    board = position(white_rings="f2,a2,a3,a4,b1", white_markers="f5,f6", black_markers="f7,f9")
    after = board.play("f2-f8")
    assert on(after, "marker-white") == {"f2", "f7"}
    assert on(after, "marker-black") == {"f5", "f6", "f9"}


def test_rule_7_a_row_is_removed_and_then_a_ring() -> None:
    board = position(white_rings="f6,a2,a3,a4,b1", white_markers="f2,f3,f4,f5")
    row = board.play("f6-f7")
    assert (row.player, texts(row)) == (0, {"xf2-f6"})
    ring = row.play("xf2-f6")
    assert on(ring, "marker-white") == set()
    assert (ring.player, texts(ring)) == (0, {"xf7", "xa2", "xa3", "xa4", "xb1"})
    after = ring.play("xf7")
    assert (after.player, after.points) == (1, (1, 0))
    assert len(after.view["trays"]["pool"]) == 51


def test_rule_7_a_run_of_six_and_more_holds_several_choices() -> None:
    six = position(white_rings="f6,a2,a3,a4,b1", white_markers="f2,f3,f4,f5,f7").play("f6-g6")
    assert texts(six) == {"xf2-f6", "xf3-f7"}
    seven = position(white_rings="f6,a2,a3,a4,b1", white_markers="f3,f4,f5,f7,f8,f9").play("f6-g6")
    assert texts(seven) == {"xf3-f7", "xf4-f8", "xf5-f9"}
    left = seven.play("xf4-f8")
    assert on(left, "marker-white") == {"f3", "f9"}


def test_rule_7_crossing_rows_are_chosen_one_after_the_other() -> None:
    crossing = {"white_rings": "f6,a2,a3,a4,b1", "white_markers": "f4,f5,f7,f8,d6,e6,g6,h6"}
    board = position(**crossing).play("f6-g7")
    assert texts(board) == {"xf4-f8", "xd6-h6"}
    after = board.play("xf4-f8 xa2")
    assert after.player == 1, "the removal destroyed the other row"


def test_rule_7_two_rows_apart_are_both_removed() -> None:
    board = position(
        white_rings="f6,a2,a3,a4,b1", white_markers="f2,f3,f4,f5,g2,g3,g4,g5", black_markers="g6"
    )
    after = board.play("f6-h6")
    assert texts(after) == {"xf2-f6", "xg2-g6"}
    after = after.play("xf2-f6 xa2")
    assert (after.player, texts(after)) == (0, {"xg2-g6"})
    after = after.play("xg2-g6 xa3")
    assert (after.player, after.points) == (1, (2, 0))


def test_rule_8_the_opponents_rows_come_after_the_movers() -> None:
    both = position(
        white_rings="f6,a2,a3,a4,b1",
        white_markers="f2,f3,f4,f5,g6",
        black_markers="g2,g3,g4,g5",
    ).play("f6-h6")
    assert (both.player, texts(both)) == (0, {"xf2-f6"})
    black = both.play("xf2-f6 xa2")
    assert (black.player, texts(black)) == (1, {"xg2-g6"})
    after = black.play("xg2-g6 xk7")
    assert after.player == 1, "and then black's own turn comes"
    assert after.points == (1, 1)
    assert "-" in after.write(after.legal()[0])


def test_rule_9_the_third_ring_wins_at_once() -> None:
    board = position(
        white_rings="f6,a2,a3",
        taken="2-0",
        white_markers="f2,f3,f4,f5,g6",
        black_markers="g2,g3,g4,g5",
    )
    after = board.play("f6-h6 xf2-f6 xa2")
    assert (after.result, after.points, after.legal()) == ("p1win", (3, 0), [])


def striped(points: Iterable[str]) -> dict[str, str]:
    """Markers on these points, coloured so that no five of a colour stand in a line."""
    white: list[str] = []
    black: list[str] = []
    for point in points:
        x, y = POINTS[NAMES.index(point)]
        (white if (x + 2 * y) // 2 % 2 else black).append(point)
    return {"white_markers": ",".join(white), "black_markers": ",".join(black)}


def nearly_empty_pool(white_rings: str, black_rings: str) -> dict[str, str]:
    """50 markers on the board; b3 stays free."""
    rings = {*white_rings.split(","), *black_rings.split(",")}
    free = [name for name in NAMES if name not in {*rings, "b3", "f6", "f7"}]
    return {"white_rings": white_rings, "black_rings": black_rings, **striped(free[:50])}


@pytest.mark.parametrize(
    ("taken", "result"), [("0-0", "draw"), ("1-0", "p1win"), ("0-1", "p2win"), ("2-2", "draw")]
)
def test_rule_10_an_empty_pool_ends_the_match(taken: str, result: str) -> None:
    white, black = (int(number) for number in taken.split("-"))
    white_rings = ",".join(["b2", "a2", "a3", "b1", "a4"][: 5 - white])
    black_rings = ",".join(["k7", "k8", "k9", "k10", "j11"][: 5 - black])
    board = position(taken=taken, **nearly_empty_pool(white_rings, black_rings))
    assert len(board.view["trays"]["pool"]) == 1
    after = board.play("b2-b3")
    assert (after.result, after.legal()) == (result, [])


def test_rule_10_not_when_a_row_refills_it() -> None:
    parts = nearly_empty_pool("b2,a2,a3,b1,f6", "k7,k8,k9,k10,j11")
    whites = {*parts["white_markers"].split(","), "f2", "f3", "f4", "f5"}
    blacks = [p for p in parts["black_markers"].split(",") if p not in whites]
    parts |= {"white_markers": ",".join(sorted(whites)), "black_markers": ",".join(blacks)}
    row = position(**parts).play("f6-f7")
    assert len(row.view["trays"]["pool"]) == 0
    after = row.play("xf2-f6 xa2")
    assert (after.over, after.player) == (False, 1)
    assert len(after.view["trays"]["pool"]) == 5


def test_rule_11_a_player_without_a_ring_move_is_passed_over() -> None:
    board = position(
        white_rings="a2,a3,a4", taken="2-0", black_rings="b2,b3,b4,b5,b6", turn="p2", mover="p1"
    )
    locked = board.play("b6-a5")
    assert locked.player == 1, "white's three rings are shut in"
    assert all(text.startswith(("b", "a5")) for text in texts(locked))
    assert locked.play("b2-d2").player == 0, "and let out again"


def test_rule_11_also_when_the_last_ring_is_placed() -> None:
    match = YINSH.start("a2 b1 a3 b2 a4 b3 a5 b4 b6 b5")
    assert match.player == 0
    shut_in = YINSH.start("a2 b2 a3 b3 a4 b4 a5 b5 b7 b6")
    assert {text.partition("-")[0] for text in texts(shut_in)} == {"b7"}


def lines_out(rings: list[str]) -> set[str]:
    """All points that a ring could reach if the board were empty but for the rings."""
    points = {POINTS[NAMES.index(ring)] for ring in rings}
    reached = set()
    for x, y in points:
        for dx, dy in [(0, 1), (1, 0), (1, 1), (0, -1), (-1, 0), (-1, -1)]:
            step = (x + dx, y + dy)
            while step in NUMBER and step not in points:
                reached.add(NAMES[NUMBER[step]])
                step = (step[0] + dx, step[1] + dy)
    return reached


@pytest.mark.parametrize(
    ("white", "black", "last", "taken", "result"),
    [
        ("a2,b1,b2", "b3,c2,c3", "d3-c3", "2-2", "draw"),
        ("b1,b2,c1,c2", "c3,d2,d3", "e3-d3", "1-2", "p2win"),
    ],
)
def test_rule_11_if_neither_can_move_the_match_ends_as_in_rule_10(
    white: str, black: str, last: str, taken: str, result: str
) -> None:
    """Black closes a corner: every line out of it is full of markers up to the edge."""
    start, end = last.split("-")
    walls = lines_out(f"{white},{black}".split(",")) - {start}
    board = position(
        white_rings=white,
        black_rings=black.replace(end, start),
        turn="p2",
        taken=taken,
        **striped(walls),
    )
    after = board.play(last)
    assert games.from_fen(after.fen()) == after
    assert len(after.view["trays"]["pool"]) > 0
    assert (after.result, after.legal()) == (result, [])
    with pytest.raises(InvalidText, match="no legal move, but the match is not over"):
        games.from_fen(after.fen().replace("phase=over", "phase=move"))


@pytest.mark.parametrize(
    ("white", "black"),
    [("a2,b1,b2", "b3,c2,c3"), ("b3,c2,c3", "a2,b1,b2"), ("j10,j11,k10", "i9,i10,j9")],
)
def test_rule_11_the_match_is_not_over_while_somebody_can_move(white: str, black: str) -> None:
    """A corner is closed but for one point, whichever it is."""
    walls = lines_out(f"{white},{black}".split(","))
    rings = {"white_rings": white, "black_rings": black}
    for gap in walls:
        with pytest.raises(InvalidText, match="not over"):
            position(phase="over", taken="2-2", **rings, **striped(walls - {gap}))


def test_rule_12_blitz_the_first_row_wins_for_its_colour() -> None:
    rings = {"white_rings": "f6,a2,a3,a4,b1"}
    own = position("yinsh:blitz", **rings, white_markers="f2,f3,f4,f5").play("f6-f7")
    assert (own.result, own.points, own.legal()) == ("p1win", (0, 0), [])
    theirs = position("yinsh:blitz", **rings, white_markers="g6", black_markers="g2,g3,g4,g5").play(
        "f6-h6"
    )
    assert theirs.result == "p2win"


def test_rule_12_blitz_rows_for_both_win_for_the_mover() -> None:
    for turn, result in (("p1", "p1win"), ("p2", "p2win")):
        rings = ("f6,a2,a3,a4,b1", "k7,k8,k9,j6,j7")
        white, black = rings if turn == "p1" else rings[::-1]
        lines = ("f2,f3,f4,f5,g6", "g2,g3,g4,g5")
        mine, yours = lines if turn == "p1" else lines[::-1]
        board = position(
            "yinsh:blitz", turn=turn, white_rings=white, black_rings=black,
            white_markers=mine, black_markers=yours,
        )  # fmt: skip
        assert board.play("f6-h6").result == result


def test_rule_12_blitz_an_empty_pool_is_a_draw() -> None:
    board = position("yinsh:blitz", **nearly_empty_pool("b2,a2,a3,b1,a4", "k7,k8,k9,k10,j11"))
    assert board.play("b2-b3").result == "draw"


def image(text: str, symmetry: int) -> str:
    """An action's text after one of the twelve symmetries of the board."""

    def turned(point: str) -> str:
        x, y = POINTS[NAMES.index(point)]
        q, r = hexes.symmetries((x - 5, y - x - 1))[symmetry]
        return NAMES[NUMBER[q + 5, q + r + 6]]

    removes, points = text.startswith("x"), text.removeprefix("x").split("-")
    images = [turned(point) for point in points]
    return ("x" if removes else "") + "-".join(
        sorted(images, key=NAMES.index) if removes else images
    )


@pytest.mark.parametrize("symmetry", range(12))
def test_turning_or_mirroring_the_board_turns_the_legal_actions(symmetry: int) -> None:
    other = YINSH.start()
    *positions, last = random_match(YINSH, seed=1)
    for position, text in zip(positions, last.texts(), strict=True):
        assert {image(text, symmetry) for text in texts(position)} == texts(other)
        other = other.play(image(text, symmetry))
    assert (other.result, other.points) == (last.result, last.points)
    assert last.points != (0, 0), "rows are part of it"


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"white_rings": "a2,a3,a4,b1"}, "5 rings"),
        ({"white_rings": "a2,a3,a4,b1,z9"}, "not a place"),
        ({"white_rings": "a2,a3,a4,b1,k7"}, "named twice"),
        ({"white_rings": "a2,a2,a4,b1,b2"}, "named twice"),
        ({"phase": "place"}, "placed in turn"),
        ({"phase": "row"}, "rows to remove"),
        ({"turn": "p3"}, "expected p1 or p2"),
        ({"taken": "3-0", "white_rings": "a2,a3"}, "expected phase=over"),
        ({"taken": "4-0"}, "taken"),
        ({"taken": "3-3", "white_rings": "a2,a3", "black_rings": "k7,k8"}, "cannot be taken off"),
        ({"white_markers": "f2,f3,f4,f5,f6"}, "expected phase=row"),
        ({"white_markers": ",".join(NAMES[10:62]), "phase": "over"}, "51 markers"),
        ({"black_markers": "f2,f3,f4,f5,f6"}, "expected phase=row"),
        ({"black_rings": "k7,k8,k9,j6"}, "5 rings"),
        ({"taken": "0-1"}, "5 rings"),
        ({"white_rings": "a2,a3,a4,b1,b2,b3", "black_rings": "k7,k8,k9,j6"}, "5 rings"),
        ({"phase": "place", "turn": "p2"}, "placed in turn"),
        ({**PLACING, "black_rings": ""}, "placed in turn"),
        ({**PLACING, "turn": "p2"}, "placed in turn"),
        ({**PLACING, "white_markers": "f6"}, "placed in turn"),
        ({**PLACING, "taken": "0-1"}, "placed in turn"),
        ({"phase": "row", "turn": "p2", "white_markers": WHITE_ROW}, "not this player"),
        ({"phase": "row", "turn": "p2", **BOTH_ROWS}, "not this player"),
        ({"phase": "row", "mover": "p2", **BOTH_ROWS}, "not this player"),
        ({"phase": "ring", "turn": "p2", "white_markers": WHITE_ROW}, "mover's rows"),
        ({"phase": "ring", **without_rows(47)}, "back in the pool"),
        (without_rows(51), "the pool is empty"),
        ({"taken": "0-3", "black_rings": "k7,k8"}, "three rings are off"),
        ({"phase": "over"}, "not over"),
        ({"phase": "over", **without_rows(50)}, "not over"),
        ({"phase": "over", "white_markers": WHITE_ROW}, "expected phase=row"),
        ({"spec": "yinsh:blitz", "phase": "over"}, "not over"),
        ({"spec": "yinsh:blitz", "phase": "row", "white_markers": WHITE_ROW}, "nothing is removed"),
        ({"spec": "yinsh:blitz", "phase": "ring"}, "nothing is removed"),
        ({"spec": "yinsh:blitz", "taken": "1-0", "white_rings": "a2,a3,a4,b1"}, "taken off"),
    ],
)
def test_impossible_positions_are_refused(parts: dict[str, str], reason: str) -> None:
    with pytest.raises(InvalidText, match=reason):
        position(**parts)


@pytest.mark.parametrize(
    ("parts", "result"),
    [
        ({"phase": "over", **without_rows(51)}, "draw"),
        ({"spec": "yinsh:blitz", "phase": "over", **without_rows(51)}, "draw"),
        ({"spec": "yinsh:blitz", "phase": "over", "white_markers": WHITE_ROW}, "p1win"),
        ({"spec": "yinsh:blitz", "phase": "over", **BOTH_ROWS, "mover": "p2"}, "p2win"),
        ({"spec": "yinsh:blitz", "phase": "over", "black_markers": WHITE_ROW}, "p2win"),
        ({"phase": "over", "taken": "3-0", "white_rings": "a2,a3", **BOTH_ROWS}, "p1win"),
        (
            {"phase": "over", "taken": "2-3", "white_rings": "a2,a3,a4", "black_rings": "k7,k8"},
            "p2win",
        ),
        ({"phase": "ring", **without_rows(46)}, None),
        ({"phase": "row", "turn": "p2", "black_markers": WHITE_ROW}, None),
        ({"phase": "row", "mover": "p2", "white_markers": WHITE_ROW}, None),
        ({"phase": "ring", "turn": "p2", "black_markers": WHITE_ROW}, None),
        ({**PLACING, "turn": "p1"}, None),
    ],
)
def test_positions_that_can_arise_are_read(parts: dict[str, str], result: str | None) -> None:
    read = position(**parts)
    assert read.result == result
    assert games.from_fen(read.fen()) == read


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("e5-e5", IllegalAction), ("a2-c3", IllegalAction), ("xa2-a6", InvalidText),
        ("xa2", IllegalAction), ("a1", InvalidText), ("hello", InvalidText), ("a2-", InvalidText),
        ("xf2-f6", IllegalAction), ("e5", IllegalAction),
    ],
)  # fmt: skip
def test_what_cannot_be_read_and_what_cannot_be_played(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        position().play(text)


@pytest.mark.parametrize("text", ["xf6-f2", "xf2-f7", "xf2-f5", "xf3-f7", "xf2-g6"])
def test_a_row_is_named_by_its_two_ends(text: str) -> None:
    row = position(phase="row", white_markers=WHITE_ROW)
    assert texts(row) == {"xf2-f6"}
    with pytest.raises(IllegalAction):
        row.play(text)


def test_a_ring_move_names_the_point_of_its_ring() -> None:
    board = position(white_rings="f6,a2,a3,a4,b1", black_rings="k7,k8,k9,j6,f3")
    assert "f8" in on(board.play("f6-f8"), "ring-white")
    for start in ("f5", "f7", "f3", "f8"):
        with pytest.raises(IllegalAction):
            board.play(f"{start}-f8")
