"""Each test is named after the rule it holds us to."""

import numpy as np
import pytest

from roundel import games
from roundel.core import squares
from roundel.core.errors import IllegalAction, InvalidText, MatchOver
from roundel.core.game import Game
from roundel.core.position import Position
from roundel.kernel.engine import ACTIONS, TALLY_SIZE, TIES
from roundel.kernel.randoms import generator

TWO, THREE, FOUR = (games.load(f"ringgz:players={n}") for n in (2, 3, 4))
COLOURS = ("blue", "green", "yellow", "red")


def position(spec: str = "ringgz", **parts: str) -> Position:
    """A position with the starting base on c3, player 1 to place unless told."""
    given = {"turn": "p1", "start": "c3", **dict.fromkeys(COLOURS, ""), **parts}
    return games.from_fen(";".join([spec, *(f"{key}={value}" for key, value in given.items())]))


def texts(position: Position, piece: str = "") -> set[str]:
    """The legal actions; with a piece given, the territories where it can go."""
    legal = {position.write(action) for action in position.legal()}
    return {text[3:] for text in legal if text.startswith(f"{piece}@")} if piece else legal


def waiting(position: Position, player: int) -> int:
    """How many pieces a player has left."""
    pieces = position.view["pieces"]
    return sum(len(kinds) for spot, kinds in pieces.items() if spot.startswith(f"p{player}-"))


def count(position: Position, depth: int) -> int:
    if depth == 1:
        return len(position.legal())
    return sum(count(position.play(action), depth - 1) for action in position.legal())


# -- Material and players -------------------------------------------------------


def test_rule_1_territories_are_linked_horizontally_and_vertically_only() -> None:
    match = TWO.start("s@c3")
    assert texts(match, "b1") == {"c4", "c2", "b3", "d3"}
    corner = position(blue="1@a1")
    assert texts(corner, "b2") == {"c4", "c2", "b3", "d3", "a1", "a2", "b1"}
    edge = position(blue="1@e2")
    assert texts(edge, "b2") == {"c4", "c2", "b3", "d3", "e2", "e1", "e3", "d2"}


def test_rule_1_a1_is_the_lower_left() -> None:
    spots = TWO.layout["spots"]
    assert len([spot for spot in spots.values() if spot["kind"] == "territory"]) == 25
    assert (spots["a1"]["x"], spots["a1"]["y"]) == (0, 4)
    assert (spots["e5"]["x"], spots["e5"]["y"]) == (4, 0)
    lines = str(position(blue="1@a1,4@e5")).splitlines()
    assert lines[0] == "5  ....   ....   ....   ....   ...b"
    assert lines[4] == "1  b...   ....   ....   ....   ...."


def test_rule_2_three_rings_of_each_size_and_three_bases_of_each_colour() -> None:
    pieces = FOUR.start().view["pieces"]
    for player, colour in enumerate(COLOURS, 1):
        for size in "1234":
            assert pieces[f"p{player}-{colour}-{size}"] == [f"ring-{size}-{colour}"] * 3
        assert pieces[f"p{player}-{colour}-base"] == [f"base-{colour}"] * 3
    used_up = position(blue="2@c4,2@b4,2@a4,b@a1,b@c1,b@e1")
    assert texts(used_up, "b2") == texts(used_up, "bb") == set()
    assert all(texts(used_up, piece) for piece in ("b1", "g2", "gb"))


def test_rule_3_the_starting_base_shows_all_four_colours() -> None:
    match = FOUR.start("s@c3")
    for piece in ("b4", "g4", "y4", "r4"):
        assert texts(match, piece), piece
        match = match.play(f"{piece}@{min(texts(match, piece))}")


def test_rule_4_four_players_have_a_colour_each() -> None:
    match = FOUR.start("s@c3")
    first_round = ("b1@c4", "g1@c2", "y1@b3", "rb@d3")
    for text in (*first_round, "b2@c5", "g2@c1", "y2@a3", "r2@e3"):
        assert match.player == "bgyr".index(text[0])
        assert {legal[0] for legal in texts(match)} == {text[0]}
        assert text != "r2@e3" or "e3" not in texts(match, "rb"), "beside red's base"
        match = match.play(text)


def test_rule_5_two_players_have_two_colours_each_that_stay_separate() -> None:
    match = TWO.start("s@c3")
    assert {text[0] for text in texts(match)} == {"b", "g"}
    assert {text[0] for text in texts(match.play("g1@c4"))} == {"y", "r"}
    assert waiting(match, 1) == waiting(match, 2) == 30
    blue = position(blue="1@c4")
    assert "c5" in texts(blue, "b2")
    assert "c5" not in texts(blue, "g2"), "green is not there, though it is the same player's"


def test_rule_6_three_players_hold_a_share_of_neutral_red() -> None:
    match = THREE.start("s@c3")
    pieces = match.view["pieces"]
    assert [waiting(match, player) for player in (1, 2, 3)] == [20, 20, 20]
    assert all(pieces[f"p2-red-{kind}"] == [pieces[f"p1-red-{kind}"][0]] for kind in "1234")
    after = match.play("r1@c4")
    assert texts(after, "r1"), "player 2 has an own red 1"
    third = after.play("g1@c2 y1@b3")
    assert {text[0] for text in texts(third)} == {"b", "r"}
    assert not texts(third, "r1"), "player 1 has used it"
    assert texts(third, "r2")


def test_rule_6_red_wins_nothing_but_blocks() -> None:
    red = position("ringgz:players=3", red="1@c4,2@c4", neutral="34b,1234b,1234b")
    assert red.points == (0, 0, 0)
    tied = position("ringgz:players=3", red="1@c4", blue="2@c4", neutral="234b,1234b,1234b")
    assert tied.points == (0, 0, 0)
    won = position("ringgz:players=3", red="1@c4", blue="2@c4,3@c4", neutral="234b,1234b,1234b")
    assert won.points == (1, 0, 0)


# -- Preparation ----------------------------------------------------------------


def test_rule_7_the_starting_base_goes_on_one_of_nine_territories() -> None:
    start = TWO.start()
    assert (start.player, texts(start)) == (0, {f"s@{c}{n}" for c in "bcd" for n in "234"})
    with pytest.raises(IllegalAction):
        start.play("s@a3")
    with pytest.raises(IllegalAction):
        start.play("b1@c3")
    assert start.play("s@d2").view["pieces"]["d2"] == ["base-start"]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_rule_7_who_has_the_first_turn(players: int) -> None:
    assert games.load(f"ringgz:players={players}").start("s@c3").player == 0
    assert games.load(f"ringgz:players={players},opening=turn").start("s@c3").player == 1


# -- Placing --------------------------------------------------------------------


def test_rule_8_one_ring_of_each_size_where_the_colour_is_present_or_linked() -> None:
    board = position(blue="1@c4", yellow="2@c5,1@b4", green="3@d4")
    assert texts(board, "b1") == {"c5", "d4", "c2", "b3", "d3"}, "not c4, b4: there is a size 1"
    assert texts(board, "b2") == {"c4", "b4", "d4", "c2", "b3", "d3"}, "not c5: there is a size 2"
    assert texts(board, "b4") == {"c4", "c5", "b4", "d4", "c2", "b3", "d3"}
    assert "e4" not in texts(board, "b4"), "not linked to blue"
    with pytest.raises(IllegalAction):
        board.play("b1@c4")


def test_rule_8_a_base_goes_on_an_empty_territory_but_not_beside_one_of_its_colour() -> None:
    board = position(blue="b@c4,1@c2", green="1@d2")
    assert texts(board, "bb") == {"b2", "c1", "b3", "d3"}, "c5, b4, d4: beside c4; c2, d2: a ring"
    assert "c5" in texts(board, "b1")
    assert texts(board, "gb") == {"b3", "d3", "e2", "d1"}
    other = position(green="b@c4,1@b4")
    assert "b5" in texts(other, "gb"), "b5 and c4 touch only at a corner"
    assert "a4" in texts(other, "gb")
    assert "b3" in texts(position(green="b@b4"), "bb"), "beside a base of another colour"


def test_rule_8_colours_are_separate_unless_presence_is_by_player() -> None:
    parts = {"blue": "1@c4", "yellow": "1@c2"}
    by_colour, by_player = position(**parts), position("ringgz:presence=player", **parts)
    assert "c5" not in texts(by_colour, "g2") | texts(by_colour, "gb")
    assert "c5" in texts(by_player, "g2") & texts(by_player, "gb")
    assert texts(by_player, "b2") == texts(by_colour, "b2")
    assert "c1" not in texts(by_player, "g2"), "yellow is the other player's"


def test_rule_8_presence_by_player_with_the_neutral_colour() -> None:
    spec = "ringgz:players=3,presence=player"
    board = position(spec, blue="1@c4", red="1@c2", neutral="234b,1234b,1234b")
    assert {"c1", "c5"} <= texts(board, "b2") & texts(board, "r2")
    second = position(spec, turn="p2", blue="1@c4", red="1@c2", neutral="234b,1234b,1234b")
    assert "c1" in texts(second, "g2") & texts(second, "r2")
    assert "c5" not in texts(second, "g2") | texts(second, "r2"), "blue is player 1's"
    assert texts(position("ringgz:players=4,presence=player", blue="1@c4"), "b2") == texts(
        position("ringgz:players=4", blue="1@c4"), "b2"
    )


def test_rule_8_neighbouring_bases_stay_by_colour() -> None:
    board = position("ringgz:presence=player", blue="b@c4")
    assert "c5" not in texts(board, "bb")
    assert "c5" in texts(board, "gb")


FIGURE = {"green": "1@b4,b@c4", "red": "4@c2", "blue": "1@d3,3@d3", "yellow": "2@d3"}


def test_rule_9_the_printed_example() -> None:
    board = position(turn="p2", **FIGURE)
    assert board.points == (2, 1), "d3 and b4; red 4 alone on c2"
    assert "d3" in texts(board, "r4"), "linked only through the starting base"
    after = board.play("r4@d3")
    assert after.view["pieces"]["d3"] == [
        "ring-1-blue",
        "ring-3-blue",
        "ring-2-yellow",
        "ring-4-red",
    ]
    assert after.points == board.points, "blue wins d3 with 2-1-1"


def test_rule_9_the_starting_base_is_a_base_of_no_colour() -> None:
    assert texts(TWO.start("s@c3"), "gb") == {"c4", "c2", "b3", "d3"}
    assert "c4" in TWO.start("s@c3 gb@c4").view["pieces"]


def test_rule_9_a_base_makes_its_colour_present() -> None:
    board = position(green="b@c4")
    assert {"c5", "b4", "d4"} <= texts(board, "g1")
    assert "c5" not in texts(board, "b1")


def test_rule_10_nothing_goes_on_a_base_and_nothing_ever_leaves() -> None:
    board = position(blue="b@c4", green="1@b4", yellow="b@a4")
    for taken in ("c3", "c4", "a4"):
        assert not any(text.endswith(taken) for text in texts(board))
    match, before = TWO.start("s@b3"), {"b3": ["base-start"]}
    for text in ("b1@b4", "y2@b4", "gb@b2", "r4@c3", "b4@b4", "r3@c3"):
        match = match.play(text)
        lying = {spot: kinds for spot, kinds in match.view["pieces"].items() if "-" not in spot}
        assert all(set(kinds) <= set(lying[spot]) for spot, kinds in before.items())
        assert sum(map(len, lying.values())) == sum(map(len, before.values())) + 1
        before = lying


# -- Passing and the end --------------------------------------------------------

CROWD = [f"{column}{row}" for row in "12" for column in "abcde"] + ["a3", "b3"]


def crowded(without: str = "", bases: str = "", swap: bool = False) -> dict[str, str]:
    """All 48 rings on twelve territories, each with all four colours, but for some.

    With `swap` green has two rings on a1 and blue two on b1, one each of them from the other.
    """
    parts: dict[str, list[str]] = {colour: [] for colour in COLOURS}
    for i, here in enumerate(CROWD):
        for size in range(4):
            turned = swap and size == 0 and i < 2
            colour = (1 - i if turned else i + size) % 4
            if f"{'bgyr'[colour]}{size + 1}@{here}" not in without.split():
                parts[COLOURS[colour]].append(f"{size + 1}@{here}")
    for text in bases.split():
        parts[COLOURS["bgyr".index(text[0])]].append(text[1:])
    return {colour: ",".join(items) for colour, items in parts.items()}


ALL_BASES = "bb@a4 bb@c5 bb@e5 gb@b5 gb@d5 gb@e3"


def test_rule_11_placing_is_compulsory_also_a_base() -> None:
    board = position(**crowded(without="y3@a1 y2@b1"), turn="p1")
    assert texts(board)
    assert {text[1] for text in texts(board)} == {"b"}, "only bases, and no way to pass"


def test_rule_11_who_can_place_nothing_is_passed_over() -> None:
    board = position(**crowded(without="y3@a1 y2@b1", bases=ALL_BASES), turn="p2")
    after = board.play("y3@a1")
    assert (after.player, after.over) == (1, False)
    with pytest.raises(InvalidText, match="is skipped"):
        position(**crowded(without="y3@a1", bases=ALL_BASES), turn="p1")


def test_rule_11_a_player_with_a_base_only_is_asked() -> None:
    board = position(**crowded(without="y3@a1 y2@b1"), turn="p2").play("y3@a1")
    assert board.player == 0
    later = board.play(min(texts(board)))
    assert (later.player, later.over) == (1, False)


def test_rule_11_a_neutral_piece_of_another_can_free_a_player() -> None:
    """Player 1 has only a red 1 left, and every territory that red reaches is closed to it."""
    board = position(
        "ringgz:players=3",
        turn="p3",
        blue="1@d3,2@d3,3@d3,4@d3,1@e3,2@e3,3@e3,4@e3,1@d4,2@d4,3@d4,4@d4,b@b2,b@a3,b@a5",
        green="1@c2,b@d2,b@b4",
        yellow="1@c4,b@c1",
        red="2@c2,3@c2,4@c2,b@b3",
        neutral="1,1234b,1234b",
    )
    board = board.play("y4@c4")
    assert board.player == 1, "player 1 is passed over"
    board = board.play("r2@c4 y3@c4")
    assert (board.player, texts(board)) == (0, {"r1@c5"}), "asked again, and free"


def test_rule_12_over_at_once_when_nobody_can_place_a_ring() -> None:
    board = position(**crowded(without="b1@a1"))
    assert {"b1@a1", "bb@c4"} <= texts(board)
    after = board.play("b1@a1")
    assert (after.over, after.player, after.legal()) == (True, None, [])
    assert after.view["pieces"]["p1-blue-base"] == ["base-blue"] * 3, "bases could still be placed"
    assert after.prompt == "The match is over."
    with pytest.raises(MatchOver):
        after.play("bb@c4")


def test_rule_12_not_while_anyone_at_all_can() -> None:
    board = position(**crowded(without="y3@a1"))
    after = board.play("bb@c4")
    assert (after.over, after.player) == (False, 1)
    assert after.play("y3@a1").over
    four = position("ringgz:players=4", **crowded(without="b1@a1"), turn="p2")
    for base in ("gb@c4", "yb@d3", "rb@e3"):
        four = four.play(base)
    assert (four.over, four.player) == (False, 0)


def majority(rings: str) -> tuple[int, ...]:
    """Who wins b3, with rings of these colours on it, size 1 first."""
    parts = {
        colour: ",".join(f"{i + 1}@b3" for i, letter in enumerate(rings) if letter == colour[0])
        for colour in COLOURS
    }
    return position("ringgz:players=4", **parts).points


@pytest.mark.parametrize("rings", ["bbbb", "bbby", "rbbb", "bbgr", "gbyb", "bbb", "bbg", "bb", "b"])
def test_rule_13_the_printed_majorities_of_blue(rings: str) -> None:
    assert majority(rings) == (1, 0, 0, 0)


@pytest.mark.parametrize("rings", ["bbgg", "byby", "bg", "bgy", "bgyr", ""])
def test_rule_13_ties_win_nothing(rings: str) -> None:
    assert majority(rings) == (0, 0, 0, 0)


def test_rule_13_colours_of_one_player_are_not_added_up() -> None:
    assert position(blue="1@b3", green="2@b3", yellow="3@b3").points == (0, 0)
    assert position(blue="1@b3", green="2@b3").points == (0, 0), "nor is a tie between them won"
    assert position(blue="1@b3", green="2@b3", yellow="3@b3,4@b3").points == (0, 1)


def test_rule_13_bases_and_the_starting_base_do_not_count() -> None:
    assert TWO.start("s@c3 bb@c4 yb@c2").points == (0, 0)
    assert TWO.start("s@c3 bb@c4 y1@c2").points == (0, 1)


@pytest.mark.parametrize(
    ("parts", "points", "result"),
    [
        ({}, (0, 0), "draw"),
        ({"bases": "bb@c4"}, (0, 0), "p1win"),
        ({"bases": "bb@c4 yb@d3"}, (0, 0), "draw"),
        ({"bases": "bb@c4 yb@d3 rb@e3"}, (0, 0), "p2win"),
        ({"bases": "yb@d3 rb@e3", "swap": True}, (2, 0), "p1win"),
    ],
)
def test_rule_14_two_players(parts: dict[str, str], points: tuple[int, ...], result: str) -> None:
    board = position(turn="none", **crowded(**parts))  # type: ignore[arg-type]
    assert (board.points, board.result, board.over) == (points, result, True)


@pytest.mark.parametrize(
    ("parts", "neutral", "result"),
    [
        ({}, "b,b,b", "p1p2p3win"),
        ({"bases": "rb@c4"}, "b,,b", "p2win"),
        ({"bases": "rb@c4 yb@e3"}, "b,,b", "p2p3win"),
        ({"swap": True}, "b,b,b", "p1p2win"),
        ({"bases": "rb@c4 rb@e4", "swap": True}, "b,,", "p2win"),
    ],
)
def test_rule_14_three_players(parts: dict[str, str], neutral: str, result: str) -> None:
    spec = "ringgz:players=3"
    board = position(spec, turn="none", neutral=neutral, **crowded(**parts))  # type: ignore[arg-type]
    assert board.result == result


@pytest.mark.parametrize(
    ("parts", "result"),
    [
        ({}, "p1p2p3p4win"),
        ({"bases": "yb@c4 rb@d3"}, "p3p4win"),
        ({"bases": "yb@c4 rb@d3", "swap": True}, "p1p2win"),
        ({"bases": "yb@c4 gb@d3", "swap": True}, "p2win"),
    ],
)
def test_rule_14_four_players(parts: dict[str, str], result: str) -> None:
    board = position("ringgz:players=4", turn="none", **crowded(**parts))  # type: ignore[arg-type]
    assert board.result == result


# -- Texts, counts, symmetries --------------------------------------------------


def test_action_texts() -> None:
    board = position(turn="p2", red="1@d2")
    assert {"r3@c2", "rb@c2"} <= texts(board)
    assert all(board.read(board.write(action)) == action for action in board.legal())
    for wrong in ("r5@c2", "r3@f2", "R3@c2", "r3c2", "c3", "", "s@c3 ", "bs@c3"):
        with pytest.raises(InvalidText):
            board.read(wrong)
    for not_now in ("s@c3", "b1@c2"):
        with pytest.raises(IllegalAction):
            board.play(not_now)


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"turn": "p3"}, "turn: expected p1 or p2 or none"),
        ({"turn": "none"}, "a ring can be placed"),
        ({"start": "a3"}, "start: expected - or b2"),
        ({"start": "-", "blue": "1@c4"}, "before anything else"),
        ({"start": "-", "turn": "p2"}, "before anything else"),
        ({"blue": "1@c4,1@c4"}, "named twice"),
        ({"blue": "5@c4"}, "is not a place here"),
        ({"blue": "1@c4", "green": "1@c4"}, "c4 has no room for 1 of green"),
        ({"blue": "b@c4", "green": "1@c4"}, "c4 has no room for 1 of green"),
        ({"blue": "1@c3"}, "c3 has no room"),
        ({"blue": "b@c4,b@c5"}, "two blue bases are linked"),
        ({"blue": "1@a1,1@a2,1@a3,1@a4"}, "blue: there are 3 pieces of each kind"),
        ({**crowded(), "turn": "p1"}, "expected turn=none"),
        ({"neutral": "1234b,1234b,1234b"}, "unknown part 'neutral'"),
    ],
)
def test_wrong_position_texts_are_refused(parts: dict[str, str], reason: str) -> None:
    with pytest.raises(InvalidText, match=reason):
        position(**parts)


@pytest.mark.parametrize("neutral", ["", "1234b,1234b", "1234b,1234b,4321b", "1234b,1234b,234b"])
def test_wrong_neutral_shares_are_refused(neutral: str) -> None:
    with pytest.raises(InvalidText, match="neutral: "):
        position("ringgz:players=3", neutral=neutral)


@pytest.mark.parametrize(
    ("spec", "counts"),
    [
        ("ringgz", [40, 1392]),
        ("ringgz:players=3", [40, 1680]),
        ("ringgz:players=3,presence=player", [40, 1980]),
        ("ringgz:players=4", [20, 348, 5256]),
    ],
)
def test_counts_of_the_rules_sheet(spec: str, counts: list[int]) -> None:
    start = games.load(spec).start("s@c3")
    assert [count(start, depth + 1) for depth in range(len(counts))] == counts


@pytest.mark.parametrize("symmetry", range(8))
def test_turning_or_mirroring_the_board_keeps_the_counts(symmetry: int) -> None:
    image = {
        squares.name((x, y)): squares.name(squares.symmetries((x, y), 5)[symmetry])
        for x in range(5)
        for y in range(5)
    }
    match, other = TWO.start(), TWO.start()
    actions = "s@c2 bb@b2 y1@c1 g2@d2 r4@d2 b3@b3 yb@c3 b1@a3 y2@b1"
    for text in actions.split():
        piece, here = text.split("@")
        match, other = match.play(text), other.play(f"{piece}@{image[here]}")
        assert texts(other) == {f"{t[:-2]}{image[t[-2:]]}" for t in texts(match)}
    assert count(match, 2) == count(other, 2)


@pytest.mark.parametrize("game", [TWO, THREE, FOUR], ids=["two", "three", "four"])
def test_random_matches_end_within_61_actions(game: Game) -> None:
    start, tally = np.array(game.start().state), np.zeros(TALLY_SIZE, np.int64)
    words, count = np.empty(game.rules.WORDS, np.int64), 10
    assert game.engine.playouts(start, start.copy(), words, generator(1), count, tally) == count
    assert count * 13 < tally[ACTIONS] <= count * 61
    assert tally[TIES:].sum() == count
