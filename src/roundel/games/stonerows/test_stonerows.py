"""Each test is named after the rule it holds us to."""

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roundel import games
from roundel.core.errors import IllegalAction, InvalidOption, InvalidText, MatchOver
from roundel.core.position import Position
from roundel.games.stonerows import material, rules, view
from roundel.games.stonerows.pair import pair_result, second_game
from roundel.kernel.cache import Entries
from roundel.kernel.randoms import generator

RECTANGLE = [f"{letter}{number}" for letter in "ghijklmn" for number in range(7, 14)]
LONG = "WWWWWWWW BBBBBBB. WWWWWW.. BBBBB.BB WWWWBBB. BBBWWW.. BBBBWWW."  # runs of 4 to 8
UPRIGHT = "WBWBWBBB WBWBWBB. WBWBWBBW WBWB.WW. WBW.WW.B WB.BWWBW W.WBBBB."
RISING = "..BBWW.. WBBWWBBW BBWWBBWW BWWBBWWB WWBBWWBB WBBWWBBW ..WWBB.."
FALLING = "..BBWW.. BWWBBWWB BBWWBBWW WBBWWBBW WWBBWWBB BWWBBWWB ..WWBB.."
CHECKERED = "..WBWBWB ..BWBWBW WBWBWBWB BWBWBWBW WBWBWBWB BWBWBW.. WBWBWB.."


def start(options: str = "") -> Position:
    return games.load(f"stonerows:{options}" if options else "stonerows").start()


def position(options: str = "build=0", **parts: str) -> Position:
    """A position of the filling; nobody has points unless told."""
    first = 1 if "first=2" in options else 0
    placed = sum(len(parts[c].split(",")) for c in ("white", "black") if parts.get(c))
    given = {"phase": "fill", "turn": f"p{(placed + first) % 2 + 1}", "points": "0-0"}
    given |= {"moved": "", "white": "", "black": ""} | ({"named": ""} if "claim" in options else {})
    texts = (f"{key}={value}" for key, value in {**given, **parts}.items())
    return games.from_fen(";".join([f"stonerows:{options}", *texts]))


def texts(position: Position) -> set[str]:
    return {position.write(action) for action in position.legal()}


def cells_with(picture: str, sign: str) -> list[str]:
    """The tiles of the rectangle with that sign, row by row from above."""
    return [
        f"{'ghijklmn'[x]}{13 - row}"
        for row, line in enumerate(picture.split())
        for x, letter in enumerate(line)
        if letter == sign
    ]


def fill(match: Position, picture: str) -> Position:
    """Place all stones in turn, claiming nothing."""
    for white, black in zip(cells_with(picture, "W"), cells_with(picture, "B"), strict=True):
        match = match.play(f"{white} {black}")
    return match


def parts_of(position: Position) -> dict[str, str]:
    return dict(part.split("=", 1) for part in position.fen().split(";")[1:])


def pieces(position: Position, kind: str) -> set[str]:
    return {spot for spot, kinds in position.view["pieces"].items() if kind in kinds}


def play_at_random(match: Position, seed: int) -> Position:
    rng = random.Random(seed)
    while not match.over:
        match = match.play(rng.choice(match.legal()))
    return match


# -- Material -------------------------------------------------------------------


def test_rule_1_there_are_56_tiles_and_25_stones_less_the_one_that_marks_the_score() -> None:
    match = start()
    assert len(pieces(match, "tile")) == 56
    trays = match.view["trays"]
    assert trays["stones-0"] == ["stone-white"] * 24
    assert trays["stones-1"] == ["stone-black"] * 24


@pytest.mark.parametrize(
    ("points", "shown"),
    [
        (0, ["field-0"]),
        (49, ["field-49"]),
        (50, ["score-50", "field-0"]),
        (123, ["score-100", "field-23"]),
        (150, ["score-100", "score-50", "field-0"]),
        (207, ["score-100", "score-100", "field-7"]),
    ],
)
def test_rule_1_track_and_score_tiles_show_the_points(points: int, shown: list[str]) -> None:
    assert view.score(points) == shown


def test_rule_2_each_player_places_24_stones_and_8_tiles_stay_empty() -> None:
    end = play_at_random(start("build=0"), 2)
    assert end.ply == 48
    assert len(pieces(end, "stone-white")) == len(pieces(end, "stone-black")) == 24
    assert end.view["trays"]["stones-0"] == end.view["trays"]["stones-1"] == []


@pytest.mark.parametrize(
    ("layout", "last"),
    [("rectangle", "t19"), ("sieve", "u19"), ("octagon", "v20"), ("strip", "z16")],
)
def test_rule_3_the_grid_is_the_box_and_six_cells_on_each_side(layout: str, last: str) -> None:
    match = start(f"layout={layout}")
    spots = match.game.layout["spots"]
    assert next(iter(spots)) == "a1"
    assert [*spots][-1] == last
    outside = chr(ord(last[0]) + 1) if last[0] != "z" else "a"
    with pytest.raises(InvalidText):
        match.play(f"g7-{outside}{int(last[1:]) + (outside == 'a')}")


# -- Building -------------------------------------------------------------------


def test_rule_4_the_rectangle_is_g7_to_n13() -> None:
    assert pieces(start(), "tile") == set(RECTANGLE)


@pytest.mark.parametrize("layout", material.NAMES)
def test_rule_4_layouts_are_data_of_56_tiles_each_touching_another(layout: str) -> None:
    cells = material.LAYOUTS[layout]
    columns, rows = material.size(layout)
    assert len(set(cells)) == 56
    assert columns <= 26
    assert rows <= 20
    for x, y in cells:
        assert any(max(abs(x - a), abs(y - b)) == 1 for a, b in cells)
    with pytest.raises(InvalidOption):
        start("layout=circle")


@pytest.mark.parametrize(("options", "first"), [("", 0), ("first=2", 1)])
def test_rule_5_three_tile_moves_each_in_turn_then_the_same_player_begins(
    options: str, first: int
) -> None:
    match = start(options)
    players = []
    for text in ["g7-o14", "n7-f13", "h7-o8", "m7-f8", "i7-g14", "l7-n14"]:
        players.append(match.player)
        match = match.play(text)
    assert players == [first, 1 - first] * 3
    assert match.player == first
    assert "o14" in texts(match), "the building is over: stones"


def test_rule_6_a_tile_is_moved_once_only() -> None:
    match = start().play("h7-f6")
    assert "f6" in pieces(match, "tile")
    assert not any(text.startswith("f6-") for text in texts(match))


def test_rule_6_not_to_a_cell_where_a_tile_lies_or_has_ever_lain() -> None:
    match = start().play("h7-o14")
    for text in ("i7-h7", "g7-h7", "i7-i8", "i7-o14", "i7-i7"):
        with pytest.raises(IllegalAction):
            match.play(text)


def test_rule_6_the_moved_tile_must_touch_another_with_a_side_or_a_corner() -> None:
    actions = texts(start())
    assert "h7-f6" in actions, "a corner is enough"
    assert "g7-f6" not in actions, "it would touch only the place that it leaves"
    assert "h7-e5" not in actions


def test_rule_6_a_tile_that_hangs_on_one_other_keeps_a_neighbour() -> None:
    match = start().play("h7-f6")
    moves = {text for text in texts(match) if text.startswith("g7-")}
    assert moves == {f"g7-{cell}" for cell in ["e5", "e6", "e7", "f5", "f7", "g5", "g6"]}


def test_rule_6_two_that_hang_on_one_tile_both_keep_it() -> None:
    match = start().play("h7-f6 i7-h6")
    assert {text for text in texts(match) if text.startswith("g7-")} == {"g7-g5", "g7-g6"}


def test_rule_6_it_need_not_be_one_group() -> None:
    match = start().play("h7-f6 g7-e5")
    tiles = pieces(match, "tile")
    assert {"e5", "f6"} <= tiles
    assert not tiles & {"g7", "g6", "g5", "f7", "e7"}


@pytest.mark.parametrize("build", range(4))
def test_rule_6_option_build_is_the_number_of_tile_moves_of_each_player(build: int) -> None:
    match = start(f"build={build}")
    rng = random.Random(build)
    for _ in range(2 * build):
        assert all("-" in text for text in texts(match))
        match = match.play(rng.choice(match.legal()))
    assert len(texts(match)) == 56
    assert not any("-" in text for text in texts(match))


# -- Filling --------------------------------------------------------------------


def test_rule_7_stones_are_placed_in_turn_on_unoccupied_tiles() -> None:
    match = start("build=0")
    assert texts(match) == set(RECTANGLE)
    after = match.play("h8")
    assert (match.player, after.player) == (0, 1)
    assert pieces(after, "stone-white") == {"h8"}
    for text in ("h8", "f6"):
        with pytest.raises(IllegalAction):
            after.play(text)
    end = play_at_random(after, 7)
    with pytest.raises(MatchOver):
        end.play("h8")


def test_rule_8_a_row_has_two_or_more_tiles() -> None:
    assert start("build=0").play("g13").points == (0, 0), "alone on one diagonal"
    assert start("build=0").play("g12 h13").points == (0, 2)


def test_rule_8_rows_end_at_cells_without_a_tile() -> None:
    """With j7 gone, row 7 is g7-i7 and k7-n7; with h7 moved before it, i7-i7 is no row."""
    match = position("build=0", moved="j7-o14,j13-f6")
    assert match.play("g7 h7 i7").points == (3, 0)
    alone = position("build=0", moved="h7-o14,j7-f14")
    assert alone.play("i7").points == (0, 0)
    assert position("build=0,layout=sieve").play("g10").points == (0, 0), "beside a hole"


def test_rule_8_a_moved_tile_prolongs_a_row() -> None:
    match = position("build=0", moved="j7-o13,k7-f13")  # row 13 is f13-o13
    stones = ["f13", "g13", "h13", "i13", "j13", "k13", "l13", "m13", "n13"]
    for stone in stones:
        assert match.points == (0, 0)
        match = match.play(stone)
    assert match.play("o13").points == (0, 10)


def test_rule_9_who_fills_the_last_tile_scores_all_tiles_whatever_the_colours() -> None:
    match = start("build=0").play("g7 h7 i7 j7 k7 l7 m7")
    assert match.points == (0, 0)
    assert match.play("n7").points == (0, 8)


def test_rule_9_one_stone_can_close_four_rows() -> None:
    across = [f"{letter}10" for letter in "ghiklmn"] + [f"j{n}" for n in (7, 8, 9, 11, 12, 13)]
    diagonals = ["g7", "h8", "i9", "k11", "l12", "m13", "g13", "h12", "i11", "k9", "l8", "m7"]
    stones = sorted(across + diagonals)
    for options, text in (("build=0", "j10"), ("build=0,claim", "j10!hvud")):
        match = position(options, white=",".join(stones[::2]), black=",".join(stones[1::2]))
        assert match.play(text).points == (0, 8 + 7 + 7 + 7)


# -- End ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("picture", "white", "black"),
    [
        (LONG, "!g9-j9=10 !g11-l11=30 !g13-n13=40", "!g7-j7=10 !g10-k10=20 !g12-m12=40"),
        (UPRIGHT, "!g7-g13=40 !i9-i13=20 !k8-n11=10", "!h8-h13=30 !j10-j13=10 !j7-m7=10"),
        (
            RISING,
            "!g8-l13=30 !g9-k13=20 !i7-n12=30 !j7-n11=20",
            "!g10-j13=10 !h8-l12=20 !i8-m12=20 !k7-n10=10",
        ),
        (
            FALLING,
            "!g10-j7=10 !h12-l8=20 !i12-m8=20 !k13-n10=10",
            "!g11-k7=20 !g12-l7=30 !i13-n8=30 !j13-n9=20",
        ),
    ],
)
def test_rule_10_runs_of_own_stones_in_all_directions(picture: str, white: str, black: str) -> None:
    """By name with `claim`; without it, the same is counted by itself."""
    named = fill(start("build=0,claim"), picture)
    totals = []
    for player, runs in enumerate((white, black)):
        worth = dict(run.split("=") for run in runs.split())
        assert texts(named) == {*worth, "done"}
        for run, value in worth.items():
            after = named.play(run)
            assert after.points[player] - named.points[player] == int(value)
            named = after
        totals.append(named.points[player])
        named = named.play("done")
    counted = fill(start("build=0"), picture)
    rows = closed_rows(picture)
    assert counted.points == (totals[0] + rows[0], totals[1] + rows[1])


def closed_rows(picture: str) -> tuple[int, ...]:
    """What the stones of a picture score in the filling: claim all that can be claimed."""
    match = start("build=0,claim")
    for pair in zip(cells_with(picture, "W"), cells_with(picture, "B"), strict=True):
        for stone in pair:
            choices = [text for text in texts(match) if text.partition("!")[0] == stone]
            match = match.play(max(choices, key=len))
    return match.points


def test_rule_11_most_points_wins_and_equal_points_are_a_draw() -> None:
    named = fill(start("build=0,claim"), LONG)
    assert named.points == (0, 0)
    assert named.play("done done").result == "draw"
    assert named.play("!g9-j9 done done").result == "p1win"
    assert named.play("!g9-j9 done !g10-k10 done").result == "p2win"
    assert named.play("!g9-j9 done !g7-j7 done").result == "draw"


# -- Claims ---------------------------------------------------------------------


def test_rule_12_exactly_the_subsets_of_the_closed_rows_are_legal() -> None:
    match = position("build=0,claim", white="h7,j7,l7,n7,g9,g11", black="i7,k7,m7,g8,g10,g12")
    match = match.play("g13 n13")  # both rows of g7 wait for it; its rising diagonal does not
    assert {t for t in texts(match) if t.startswith("g7")} == {"g7", "g7!h", "g7!v", "g7!hv"}
    assert match.play("g7").points == (0, 0)
    assert match.play("g7!h").points == (8, 0)
    assert match.play("g7!v").points == (7, 0)
    assert match.play("g7!hv").points == (15, 0)


def test_rule_12_a_wrong_claim_is_refused_and_nothing_is_lost() -> None:
    match = start("build=0,claim").play("g12")
    before = match.fen()
    for text in ("h13!h", "h13!ud", "g12!u", "!g12-h13", "done", "g7-f6"):
        with pytest.raises(IllegalAction, match="not legal here"):
            match.play(text)
    for text in ("h13!", "h13!vh", "h13!uu", "h13!x", "!h13", "h13-", "h013", "Done", ""):
        with pytest.raises(InvalidText):
            match.read(text)
    assert match.fen() == before
    assert match.play("h13!u").points == (0, 2)


@pytest.mark.parametrize(
    ("options", "played", "text", "why"),
    [
        ("build=0,claim", "g12", "h8!hd", "does not close its horizontal row nor its falling row"),
        ("build=0,claim", "g12", "h13!hu", "does not close its horizontal row."),
        ("build=0,claim", "g12", "g12!h", "no unoccupied tile on g12"),
        ("build=0,claim", "g12", "a1!h", "no unoccupied tile on a1"),
        ("build=0", "g12", "h13!u", "with option claim only"),
        ("build=0", "g12", "g12", "White: put a stone|Black: put a stone"),
    ],
)
def test_rule_12_a_wrong_claim_is_refused_with_a_reason(
    options: str, played: str, text: str, why: str
) -> None:
    with pytest.raises(IllegalAction, match=why):
        start(options).play(played).play(text)


def test_rule_12_a_wrong_name_is_refused_with_a_reason() -> None:
    with pytest.raises(IllegalAction, match="not one of your whole runs of four or more"):
        fill(start("build=0,claim"), LONG).play("!g9-i9")


def test_rule_12_the_terminal_gives_nothing_away() -> None:
    assert start("build=0,claim").game.unaided
    assert not start("build=0").game.unaided


def test_rule_12_without_the_option_there_is_nothing_to_claim() -> None:
    with pytest.raises(IllegalAction):
        start("build=0").play("g12 h13!u")


def test_rule_12_runs_are_named_whole_once_and_by_their_owner() -> None:
    match = fill(start("build=0,claim"), LONG)
    for wrong in (
        "!g13-m13",
        "!h13-n13",
        "!n13-g13",
        "!g12-m12",
        "!g8-i8",
        "!a1-a4",
        "g7",
        "g7-f6",
    ):
        with pytest.raises(IllegalAction):
            match.play(wrong)
    match = match.play("!g13-n13")
    assert (match.player, match.points) == (0, (40, 0))
    with pytest.raises(IllegalAction):
        match.play("!g13-n13")


def test_rule_12_done_is_asked_of_player_1_then_2_even_when_nothing_is_left() -> None:
    match = fill(start("build=0,claim"), LONG).play("!g9-j9 !g11-l11 !g13-n13")
    assert (match.player, texts(match)) == (0, {"done"})
    match = match.play("done")
    assert match.player == 1
    match = match.play("!g12-m12 !g7-j7 !g10-k10")
    assert (match.player, texts(match)) == (1, {"done"})
    assert match.play("done").result == "p1win"


def test_rule_12_player_1_names_first_whoever_began() -> None:
    match = start("build=0,claim,first=2")
    for white, black in zip(cells_with(LONG, "W"), cells_with(LONG, "B"), strict=True):
        match = match.play(f"{black} {white}")
    assert (match.player, "!g13-n13" in texts(match)) == (0, True)


def test_rule_12_the_page_gives_nothing_away() -> None:
    """Every direction and every pair of tiles can be clicked; nothing but the ints tells more."""
    match = position("build=0,claim", white="g12", black="g7").play("n10")
    other = position("build=0,claim", white="g12", black="g7").play("n9")
    spots = match.game.layout["spots"]
    assert {"h", "v", "u", "d", "ok", "done"} <= set(spots)
    assert "ok" not in start("build=0").game.layout["spots"]
    assert match.clicks(match.read("h13!u")) == ("h13", "u", "ok")
    assert match.clicks(match.read("h13")) == ("h13", "ok")
    assert match.prompt == other.prompt
    assert match.view.keys() == {"pieces", "trays"}
    ended = fill(start("build=0,claim"), LONG)
    assert ended.clicks(ended.read("!g13-n13")) == ("g13", "n13")
    assert ended.clicks(ended.read("done")) == ("done",)
    assert ended.prompt == ended.play("!g13-n13").prompt


# -- Bonus game -----------------------------------------------------------------


def test_rule_13_the_backs_and_what_shows_of_them() -> None:
    full = parts_of(start("bonus=full"))["backs"].split(",")
    numbers = [f"{c}{n}" for c in "wb" for n in range(1, 6)]
    assert Counter(b.split(":")[1] for b in full) == {**dict.fromkeys(numbers, 5), "*": 6}
    assert [b.split(":")[0] for b in full] == RECTANGLE
    stars = parts_of(start("bonus=stars"))["backs"].split(",")
    assert stars == [b for b in full if b.endswith("*")]
    numbered = parts_of(start("bonus=numbers"))["backs"].split(",")
    assert numbered == [b for b in full if b not in stars]
    assert "backs" not in parts_of(start())
    assert pieces(start("bonus=stars"), "back-star") == {b.split(":")[0] for b in stars}


def test_rule_13_the_seed_shuffles_and_0_is_meant_unless_told() -> None:
    backs = [parts_of(start(f"bonus=full,seed={s}"))["backs"] for s in (0, 1, 7, 2**32 - 1)]
    assert len(set(backs)) == 4
    assert parts_of(start("bonus=full"))["backs"] == backs[0]
    assert backs[0].startswith("g7:b4,g8:b4,g9:b2,g10:w2,"), "the same for ever"


def test_rule_13_a_tile_keeps_its_back_when_it_moves() -> None:
    match = start("bonus=full")
    back = dict(b.split(":") for b in parts_of(match)["backs"].split(","))
    moved = dict(b.split(":") for b in parts_of(match.play("h7-f6"))["backs"].split(","))
    assert moved.pop("f6") == back.pop("h7")
    assert moved == back


def test_rule_14_unoccupied_numbers_go_to_the_player_of_their_colour() -> None:
    whites = {"g13": "w5", "g12": "w3", "m7": "w1"}
    chosen = {**whites, "h13": "b4", "h12": "b2", "n7": "b1", "m8": "b5"}
    rest = sorted((Counter(material.BACKS) - Counter([*chosen.values(), *"******"])).elements())
    others = [tile for tile in RECTANGLE if tile not in {*chosen, "n8"}]
    backs = {**dict(zip(others, rest, strict=False)), **chosen}
    text = ",".join(f"{tile}:{back}" for tile, back in backs.items())
    match = fill(position("build=0,claim,bonus=numbers", backs=text), CHECKERED)
    assert match.points == (5 + 3 + 1, 4 + 2 + 1 + 5)


@pytest.mark.parametrize(
    ("star", "points"),
    [
        ("g13", (0, 0)),  # 0 to 0, no stone on it
        ("g12", (0, 0)),  # 1 to 1, no stone on it
        ("h12", (10, 0)),  # 3 to 2, no stone on it
        ("n13", (10, 0)),  # 2 to 1: the black stone on it does not count
        ("i13", (0, 10)),  # 1 to 2
        ("k10", (0, 10)),  # 4 to 4, a black stone on it
        ("j10", (10, 0)),  # 4 to 4, a white stone on it
        ("g7", (0, 10)),  # 1 to 2
    ],
)
def test_rule_15_a_star_goes_to_most_stones_around_it(star: str, points: tuple[int, int]) -> None:
    """The other five stars lie where nobody gets them."""
    others = [tile for tile in ("g12", "h13", "m7", "n7", "n8", "g13") if tile != star][:5]
    backs = ",".join(f"{tile}:*" for tile in (star, *others))
    end = fill(position("build=0,claim,bonus=stars", backs=backs), CHECKERED)
    assert end.points == points


def test_rule_15_nothing_around_a_star_leaves_it_to_the_stone_on_it() -> None:
    """g13 0 to 0 with a white stone on it, h12 3 to 2, the others worth nothing to anybody."""
    backs = "g13:*,h12:*,h13:*,m7:*,n7:*,n8:*"
    picture = CHECKERED.replace("..WB", "W..B", 1)
    end = fill(position("build=0,claim,bonus=stars", backs=backs), picture)
    assert end.points == (20, 0)


# -- A fair match ---------------------------------------------------------------


def test_rule_16_the_second_game_keeps_the_built_board_and_the_other_player_begins() -> None:
    building = start("build=1,bonus=full,seed=3").play("h7-f6 m13-o14")
    first = play_at_random(building, 16)
    second = second_game(first)
    assert second.game.spec == "stonerows:build=0,first=2,bonus=full,seed=3"
    assert (second.player, second.points, len(second.legal())) == (1, (0, 0), 56)
    assert parts_of(second)["backs"] == parts_of(building)["backs"]
    assert pieces(second, "tile") == pieces(building, "tile")
    assert games.from_fen(second.fen()) == second
    assert first.game.manifest.second_game is second_game
    with pytest.raises(IllegalAction):
        second_game(building)


def test_rule_16_with_claims() -> None:
    first = fill(start("build=0,claim"), LONG).play("!g9-j9 done done")
    assert second_game(first).fen().endswith("turn=p2;points=0-0;moved=;white=;black=;named=")


def test_rule_16_the_points_of_both_games_are_added() -> None:
    ended = fill(start("build=0,claim"), LONG)
    ten, none = ended.play("!g9-j9 done done"), ended.play("done done")
    twenty = ended.play("done !g10-k10 done")
    same = ended.play("!g9-j9 done !g7-j7 done")
    assert pair_result(ten, none) == "p1win"
    assert pair_result(ten, twenty) == "p2win"
    assert pair_result(none, same) == "draw"


# -- Texts, counts and chances --------------------------------------------------


def test_position_texts_show_everything() -> None:
    match = start("claim,bonus=stars").play("h7-f6")
    assert match.fen() == (
        "stonerows:claim,bonus=stars;phase=build;turn=p2;points=0-0;moved=h7-f6;white=;black=;named=;"
        "backs=i8:*,j12:*,k8:*,m9:*,m10:*,m12:*"
    )
    ended = fill(start("build=0,claim"), LONG).play("!g13-n13 !g9-j9")
    assert parts_of(ended)["named"] == "g9-j9,g13-n13"
    assert games.from_fen(ended.fen()) == ended
    other = ended.play("done")
    assert parts_of(other)["turn"] == "p2"
    assert games.from_fen(other.fen()) == other, "player 1 has named runs before"
    over = other.play("done")
    assert parts_of(over)["turn"] == "none"
    assert games.from_fen(over.fen()).result == "p1win"


@pytest.mark.parametrize(
    ("options", "parts", "reason"),
    [
        ("", {"phase": "fill"}, "tiles moved"),
        ("build=1", {"phase": "build", "moved": "h7-f6,i7-o14"}, "phase=fill"),
        ("build=0", {"moved": "h7-f6"}, "0, 2, 4 or 6"),
        ("build=1", {"moved": "h7-f6,a1-o14"}, "no tile lay"),
        ("build=1", {"moved": "h7-f6,i7-g8"}, "moved to 'g8'"),
        ("build=1", {"moved": "h7-f6,i7-d4"}, "moved to 'd4'"),
        ("build=1", {"moved": "h7-f6,i7-g4"}, "moved to 'g4'"),
        ("build=1", {"phase": "build", "moved": "h7-f6", "turn": "p1"}, "expected p2"),
        ("build=1", {"phase": "build", "white": "g7"}, "do not go with phase=build"),
        ("build=1", {"moved": "h7-f6,h7-o14"}, "named twice"),
        ("build=1", {"moved": "h7-f6,i7-f6"}, "named twice"),
        ("build=1", {"moved": "h7-f6,g7-o14"}, "f6 touches no other"),
        ("build=0", {"white": "g7", "black": "g7"}, "two stones"),
        ("build=0", {"white": "a1"}, "not a place"),
        ("build=0", {"white": "g7,g8"}, "in turn"),
        ("build=0", {"black": "g7"}, "in turn"),
        ("build=0", {"turn": "p2"}, "expected p1"),
        ("build=0", {"phase": "over", "turn": "none"}, "do not go with phase=over"),
        ("build=0", {"points": "3-1"}, "expected 0"),
        ("build=0", {"points": "3"}, "two numbers"),
        ("build=0,claim", {"points": "3-1"}, "expected 0"),
        ("build=0,claim", {"named": "g7-g10"}, "not a place"),
        ("build=0,bonus=stars", {"backs": "g7:*"}, "bonus=stars"),
        ("build=0", {"backs": "g7:*"}, "unknown part"),
    ],
)
def test_impossible_position_texts_are_refused(
    options: str, parts: dict[str, str], reason: str
) -> None:
    with pytest.raises(InvalidText, match=reason):
        position(options, **parts)


@pytest.mark.parametrize("phase", ["build", "fill"])
@pytest.mark.parametrize("build", range(4))
@pytest.mark.parametrize("count", [7, 8, 26])
def test_more_tiles_moved_than_a_match_can_move(phase: str, build: int, count: int) -> None:
    """Each goes to a cell where it touches others."""
    homes = [f"{x}{y}" for y in (7, 13) for x in "ghijklmn"]
    homes += [f"{x}{y}" for x in "gn" for y in range(8, 13)]
    around = [f"{x}{y}" for y in (5, 6, 14, 15) for x in "ghijklmn"]
    moves = [f"{home}-{cell}" for home, cell in zip(homes, around, strict=False)]
    moved = ",".join(moves[:count])
    expected = 2 * build or "0, 2, 4 or 6"
    with pytest.raises(InvalidText, match=f"expected {expected} tiles moved, got"):
        position(f"build={build}", phase=phase, moved=moved)


CELLS = st.builds("{}{}".format, st.sampled_from("abcfghmnopqtz"), st.integers(0, 30))
NUMBERS = st.integers() | st.sampled_from([2**31, 2**63, 2**64, 10**30])


@given(
    st.lists(st.builds("{}-{}".format, CELLS, CELLS), max_size=20),
    st.builds("{}-{}".format, NUMBERS, NUMBERS),
    st.sampled_from(["build", "fill", "name", "over"]),
)
def test_any_moves_and_points_are_refused_or_playable(
    moves: list[str], points: str, phase: str
) -> None:
    try:
        ending = position("build=3", phase=phase, moved=",".join(moves), points=points)
    except InvalidText:
        return
    assert games.from_fen(ending.fen()) == ending


def test_impossible_ends_are_refused() -> None:
    ended = fill(start("build=0,claim"), LONG)
    for right, wrong, reason in (
        ("turn=p1", "turn=none", "p1 or p2"),
        ("named=", "named=g12-m12", "not yet time"),
        ("points=0-0", "points=900-0", "both together"),
        (":build=0,claim", ":build=0", "option claim only"),
    ):
        with pytest.raises(InvalidText, match=reason):
            games.from_fen(ended.fen().replace(right, wrong, 1))
    stars = start("build=0,bonus=stars").fen()
    with pytest.raises(InvalidText, match="no tile lies on 'a1'"):
        games.from_fen(stars.replace("i8:", "a1:"))


@pytest.mark.parametrize("bonus", ["stars", "numbers"])
def test_the_points_of_an_end_are_at_most_what_its_backs_are_worth(bonus: str) -> None:
    """All six stars, and the numbers on which no stone lies."""
    end = fill(start(f"build=0,bonus={bonus}"), CHECKERED)
    known = sum(fill(start("build=0"), CHECKERED).points)
    most = known + 60 if bonus == "stars" else sum(end.points)
    points = f"points={end.points[0]}-{end.points[1]}"
    assert games.from_fen(end.fen().replace(points, f"points={most}-0")).points == (most, 0)
    for wrong in (most + 1, known - 1):
        with pytest.raises(InvalidText, match=f"expected {known} to {most} for both together"):
            games.from_fen(end.fen().replace(points, f"points={wrong}-0"))


def test_diagrams() -> None:
    lines = str(fill(start("build=0"), LONG)).splitlines()
    assert lines[1] == "13   .  W  W  W  W  W  W  W  W  ."
    assert lines[9].split() == [*"fghijklmno"]
    assert lines[10] == "points: White 131, Black 127"
    assert "b1" in str(start("bonus=full"))
    assert max(map(len, str(start("layout=strip,bonus=full")).splitlines())) <= 78


def test_the_counts_of_the_sheet_that_are_small() -> None:
    assert len(start().legal()) == 1900
    assert len(start("build=0").legal()) == 56
    match = start("build=0,claim")
    assert sum(len(match.play(action).legal()) for action in match.legal()) == 3088


def image(text: str, symmetry: int) -> str:
    """A text after one of the four symmetries of the rectangle."""
    cells = []
    for cell in text.split("-"):
        x, y = ord(cell[0]) - ord("a"), int(cell[1:])
        x, y = 19 - x if symmetry & 1 else x, 20 - y if symmetry & 2 else y
        cells.append(f"{chr(x + ord('a'))}{y}")
    return "-".join(cells)


@pytest.mark.parametrize("symmetry", range(4))
def test_turning_or_mirroring_the_board_keeps_counts_and_points(symmetry: int) -> None:
    rng = random.Random(1)
    match, other = start(), start()
    while not match.over:
        text = match.write(rng.choice(match.legal()))
        match, other = match.play(text), other.play(image(text, symmetry))
        assert len(match.legal()) == len(other.legal())
        assert match.points == other.points
        if match.ply < 6:
            assert {image(t, symmetry) for t in texts(match)} == texts(other)
    assert match.result == other.result


def make_picks(G):  # type: ignore[no-untyped-def] # compiled
    def picks(state, words, rng, out):  # type: ignore[no-untyped-def]
        for i in range(out.shape[0]):
            out[i] = G.pick(state, words, rng)

    return picks


def picked(match: Position, count: int) -> list[str]:
    signature = "void(int64[:,::1], int64[::1], uint64[::1], int64[::1])"
    entries = Entries("stonerows-test", rules, {"picks": (make_picks, signature)})
    out = np.zeros(count, np.int64)
    entries.picks(match.state.copy(), np.zeros(rules.WORDS, np.int64), generator(5), out)
    return [match.write(action) for action in out.tolist()]


@pytest.mark.parametrize(
    ("options", "before"),
    [
        ("", "h7-f6 m13-o14 g7-e5"),  # many pairs of a tile and a cell are impossible
        ("build=0", "g7 n13 g8 n12"),
        ("build=0,claim", "g12 h13 n8 m7"),
    ],
)
def test_random_actions_are_picked_with_equal_chances(options: str, before: str) -> None:
    match, count = start(options).play(before), 2000
    legal, picks = texts(match), picked(match, count)
    assert set(picks) <= legal
    for part in (0, -1):  # the tile, and where it goes
        chances = Counter(text.split("-")[part] for text in legal)
        counts = Counter(text.split("-")[part] for text in picks)
        expected = {place: count * n / len(legal) for place, n in chances.items()}
        deviation = sum((counts[place] - n) ** 2 / n for place, n in expected.items())
        assert deviation < len(expected) + 4 * (2 * len(expected)) ** 0.5
