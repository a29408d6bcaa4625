"""Each test is named after the rule it holds us to."""

import random
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from roundel import games
from roundel.core import hexes
from roundel.core.errors import IllegalAction, InvalidText, MatchOver
from roundel.core.position import Position
from roundel.games.hexaequo import rules
from roundel.games.hexaequo.naive import Naive
from roundel.games.hexaequo.positions import CELL_OF, NAMES
from roundel.kernel.engine import TALLY_SIZE
from roundel.kernel.jit import JIT
from roundel.kernel.randoms import generator

HEXAEQUO = games.load("hexaequo")
START = {
    "phase": "turn",
    "turn": "p1",
    "black_tiles": "i8,j8",
    "white_tiles": "h9,i9",
    "black_discs": "j8",
    "white_discs": "h9",
    "black_rings": "",
    "white_rings": "",
    "black_held": "",
    "white_held": "",
}


def text_of(**parts: str) -> str:
    return ";".join(["hexaequo", *(f"{key}={value}" for key, value in {**START, **parts}.items())])


def position(**parts: str) -> Position:
    """The starting position but for what is told."""
    return games.from_fen(text_of(**parts))


def texts(position: Position) -> set[str]:
    return {position.write(action) for action in position.legal()}


def on(position: Position, kind: str) -> set[str]:
    return {spot for spot, pieces in position.view["pieces"].items() if kind in pieces}


def moves(position: Position, start: str) -> set[str]:
    return {t.partition("-")[2] for t in texts(position) if t.startswith(f"{start}-")}


def strip() -> list[str]:
    """Fourteen tiles that make the start longer to the right, as far as it goes."""
    cells = [cell for q in range(1, 8) for cell in ((q, 1), (q + 1, 0))]
    return [NAMES[cell] for cell in cells]


STRIP = {  # all 18 tiles in two rows, i8 to q8 and h9 to p9
    "black_tiles": ",".join(["i8", "j8", *strip()[0::2]]),
    "white_tiles": ",".join(["h9", "i9", *strip()[1::2]]),
}

# -- Material and preparation ---------------------------------------------------


def test_rule_1_each_player_has_9_tiles_6_discs_and_3_rings_and_black_starts() -> None:
    start = HEXAEQUO.start()
    assert start.player == 0
    trays = start.view["trays"]
    for player, colour in enumerate(("black", "white")):
        spots = start.view["pieces"].values()
        pieces = Counter(trays[f"reserve-{player}"] + [p for spot in spots for p in spot])
        assert pieces[f"tile-{colour}"] == 9
        assert pieces[f"disc-{colour}"] == 6
        assert pieces[f"ring-{colour}"] == 3
    assert not {text for text in texts(position(**STRIP)) if text.startswith("t@")}


def test_rule_2_cells_are_named_after_their_axial_coordinates() -> None:
    assert [NAMES[cell] for cell in ((0, 0), (1, 0), (-1, 1))] == ["i8", "j8", "h9"]
    middle = position(black_tiles="i8,j8,h8,i7", white_tiles="h9,i9,j7", black_discs="i8")
    assert moves(middle, "i8") == {"j8", "h8", "i9", "i7", "j7"}, "h9 is taken"


@pytest.mark.parametrize(
    "outwards", [(1, 0), (0, 1), (1, 1), (-1, 0), (0, -1), (-1, -1), (1, -1), (-1, 2), (2, -1)]
)
def test_rule_2_eighteen_tiles_have_room_in_every_direction(outwards: tuple[int, int]) -> None:
    def farness(text: str) -> tuple[int, str]:
        q, r = CELL_OF[text[2:]]
        return outwards[0] * q + outwards[1] * r, text

    match, naive = HEXAEQUO.start(), Naive({})
    for _ in range(14):
        assert texts(match) == naive.legal()
        tile = max((text for text in naive.legal() if text[0] == "t"), key=farness)
        match = match.play(tile)
        naive.play(tile)
        assert games.from_fen(match.fen()) == match
    assert len(on(match, "tile-black") | on(match, "tile-white")) == 18


def test_rule_2_the_eighteenth_tile_reaches_the_last_letter() -> None:
    match = HEXAEQUO.start(" ".join(f"t@{cell}" for cell in strip()))
    assert "q8" in on(match, "tile-white")
    assert "d@p9" in texts(match)
    assert moves(match.play("d@p9 h9-i9"), "p9") == {"o9", "p8", "q8"}


def test_rule_2_the_roll_is_wide_enough() -> None:
    """Cells that share a number are farther apart than any that the rules compare."""
    cells = [(q, r) for q in range(-13, 14) for r in range(-13, 14)]
    same = [cell for cell in cells if cell != (0, 0) and rules.number(*cell) == 0]
    assert min(hexes.distance((0, 0), cell) for cell in same) == 12


def test_rule_3_the_start() -> None:
    start = HEXAEQUO.start()
    assert start.fen() == text_of()
    assert on(start, "tile-black") == {"i8", "j8"}
    assert on(start, "tile-white") == {"h9", "i9"}
    assert (on(start, "disc-black"), on(start, "disc-white")) == ({"j8"}, {"h9"})
    reserve = Counter(start.view["trays"]["reserve-1"])
    assert reserve == {"tile-white": 7, "disc-white": 5, "ring-white": 3}
    assert texts(start) == {"t@h8", "t@j7", "t@j9", "t@h10", "d@i8", "j8-i8", "j8-i9"}


# -- Placing --------------------------------------------------------------------


def test_rule_4_a_tile_needs_two_neighbours_of_any_colour_occupied_or_not() -> None:
    start = HEXAEQUO.start()
    for cell in ("g9", "k8", "i7", "g10", "i8"):
        with pytest.raises(IllegalAction):
            start.play(f"t@{cell}")
    after = start.play("t@j9")
    assert on(after, "tile-black") == {"i8", "j8", "j9"}
    assert after.player == 1
    assert {"t@k8", "t@i10"} <= texts(after), "next to the new tile and an old one"
    assert "t@k9" not in texts(after)


def test_rule_5_a_disc_comes_on_an_empty_tile_of_its_colour() -> None:
    start = HEXAEQUO.start()
    for cell in ("j8", "h9", "i9", "h8"):
        with pytest.raises(IllegalAction):
            start.play(f"d@{cell}")
    after = start.play("d@i8")
    assert on(after, "disc-black") == {"i8", "j8"}
    assert Counter(after.view["trays"]["reserve-0"])["disc-black"] == 4
    crowd = {**STRIP, "black_discs": "i8,j8,j9,k9,l9,m9"}
    assert not {text for text in texts(position(**crowd)) if text.startswith("d@")}


def test_rule_6_a_ring_costs_a_captured_disc() -> None:
    assert "r@i8" not in texts(HEXAEQUO.start())
    assert "r@i8" not in texts(position(black_held="r"))
    board = position(black_held="dd")
    assert {t for t in texts(board) if t.startswith("r@")} == {"r@i8"}
    after = board.play("r@i8")
    assert on(after, "ring-black") == {"i8"}
    assert after.points == (1, 0)
    assert Counter(after.view["trays"]["reserve-1"])["disc-white"] == 4, "3, and 1 came back"
    assert Counter(after.view["trays"]["reserve-0"])["ring-black"] == 2
    none_left = position(**STRIP, black_held="d", black_rings="j9,k9", white_held="r")
    assert "r@i8" not in texts(none_left)


# -- Moving ---------------------------------------------------------------------


def test_rule_7_a_disc_steps_to_a_neighbouring_empty_tile_of_either_colour() -> None:
    start = HEXAEQUO.start()
    assert moves(start, "j8") == {"i8", "i9"}
    after = start.play("j8-i9")
    assert (on(after, "disc-black"), after.player) == ({"i9"}, 1)
    assert moves(after, "h9") == {"i8"}, "there is no tile on j9 to jump to"


LINE = {"black_tiles": "i8,j8,k8,l8,m8", "white_tiles": "h9,i9,j9,k9,l9"}


def test_rule_8_a_disc_jumps_over_one_piece_of_either_kind_and_colour() -> None:
    board = position(**LINE, black_discs="i8", white_discs="j8", black_rings="i9", white_held="")
    assert moves(board, "i8") == {"k8", "h9"}
    assert moves(position(**LINE, black_discs="i8", white_discs="j8,k8"), "i8") == {"h9", "i9"}
    assert "k8" not in moves(position(**LINE, black_discs="i8", white_discs="h9"), "i8")


def test_rule_8_an_enemy_is_captured_at_once_and_an_own_piece_stays() -> None:
    board = position(**LINE, black_discs="i8,l8", white_discs="h9", white_rings="j8")
    inside = board.play("i8-k8")
    assert (inside.player, inside.points) == (0, (1, 0))
    assert on(inside, "ring-white") == set()
    assert texts(inside) == {"k8-m8", "stop"}
    assert inside.view["trays"]["held-0"] == ["ring-white"]
    after = inside.play("k8-m8")
    assert (after.player, after.points, after.over) == (1, (1, 0), False)
    assert on(after, "disc-black") == {"l8", "m8"}


def test_rule_8_a_chain_may_be_stopped_and_no_capture_is_compulsory() -> None:
    board = position(**LINE, black_discs="i8", white_discs="j8,l8,h9")
    assert {"i8-i9", "d@k8", "i8-k8"} <= texts(board)
    inside = board.play("i8-k8")
    assert texts(inside) == {"k8-m8", "stop"}, "no step after a jump"
    after = inside.play("stop")
    assert (after.player, after.points) == (1, (1, 0))
    with pytest.raises(IllegalAction):
        board.play("stop")


def test_rule_8_a_step_is_never_followed_by_a_jump() -> None:
    board = position(**LINE, black_discs="i8", white_discs="k8,h9")
    assert board.play("i8-j8").player == 1


TRIANGLE = {"black_tiles": "i8,j8,k8,i9,j9,i10", "white_tiles": "l8"}  # corners i8, k8, i10


def test_rule_9_a_disc_does_not_come_back_without_a_capture() -> None:
    own = position(**TRIANGLE, black_discs="i8,j8,j9,i9", white_discs="l8")
    assert texts(own.play("i8-k8")) == {"k8-i10", "stop"}
    after = own.play("i8-k8 k8-i10")
    assert after.player == 1, "i8 was the start, k8 was visited: the chain has ended by itself"


def test_rule_9_the_list_starts_anew_after_a_capture() -> None:
    board = position(**TRIANGLE, black_discs="i8,j9,i9", white_discs="j8,l8")
    inside = board.play("i8-k8 k8-i10")
    assert texts(inside) == {"i10-i8", "stop"}, "the start is free again, k8 is not"
    after = inside.play("i10-i8")
    assert (after.player, on(after, "disc-black")) == (1, {"i8", "j9", "i9"})


def test_rule_9_landing_is_judged_before_the_jumps_own_capture() -> None:
    board = position(**TRIANGLE, black_discs="i8,j8,j9", white_discs="i9,l8")
    after = board.play("i8-k8 k8-i10")
    assert after.player == 1, "i10-i8 would capture, but i8 was visited before that"
    assert on(after, "disc-white") == {"i9", "l8"}


def test_rule_9_a_captured_piece_is_not_jumped_over_again() -> None:
    board = position(**TRIANGLE, black_discs="i8,j9", white_discs="j8,l8")
    inside = board.play("i8-k8")
    assert texts(inside) == {"k8-i10", "stop"}, "i8 may be landed on again, but j8 is empty now"


CHAIN_FIGURE = {
    "black_tiles": "k8,h9,j9,g10,i10",
    "white_tiles": "i8,j8,i9,h10,j10",
    "black_discs": "j9,h10,i10",
    "white_discs": "j8,j10",
    "white_rings": "i9",
}


def test_rule_9_the_chain_of_the_printed_figure() -> None:
    match = position(**CHAIN_FIGURE)
    for jump, points in (("i10-i8", 1), ("i8-k8", 2), ("k8-i10", 2), ("i10-g10", 2)):
        assert match.player == 0
        match = match.play(jump)
        assert match.points == (points, 0)
        assert games.from_fen(match.fen()) == match
    assert (match.player, match.over) == (1, False)
    assert on(match, "disc-black") == {"j9", "h10", "g10"}
    assert (on(match, "ring-white"), on(match, "disc-white")) == (set(), {"j10"})


LEAP_FIGURE = {
    "turn": "p2",
    "black_tiles": "k8,j9,g10,i10,g11",
    "white_tiles": "i8,j8,i9,h10,j10,h11",
    "black_discs": "j9,g10,h10",
    "white_discs": "j10",
    "white_rings": "i8",
}


def test_rule_10_the_leap_of_the_printed_figure() -> None:
    board = position(**LEAP_FIGURE)
    assert moves(board, "i8") == {"k8", "i10", "g10", "h10", "j9"}
    for end, points in (("k8", 0), ("i10", 0), ("g10", 1), ("h10", 1), ("j9", 1)):
        after = board.play(f"i8-{end}")
        assert (after.player, after.points, on(after, "ring-white")) == (0, (0, points), {end})


def test_rule_10_a_ring_does_not_leap_on_own_pieces_nor_step_nor_chain() -> None:
    board = position(**LINE, black_rings="i8", black_discs="k8", white_discs="j9,l8")
    assert moves(board, "i8") == {"j9"}
    after = board.play("i8-j9")
    assert (after.player, after.points) == (1, (1, 0))


def test_rule_10_all_twelve_leaps() -> None:
    ring = [cell for cell in NAMES if hexes.distance(cell, (0, 0)) == 2]
    near = [cell for cell in NAMES if hexes.distance(cell, (0, 0)) == 1]
    assert len(ring) == 12
    board = position(
        black_tiles=",".join(NAMES[c] for c in [(0, 0), *ring[:6], near[0], near[1]]),
        white_tiles=",".join(NAMES[c] for c in [*ring[6:], near[4]]),
        black_rings="i8",
        black_discs="",
        white_discs=NAMES[ring[11]],
    )
    assert moves(board, "i8") == {NAMES[cell] for cell in ring}


# -- The end --------------------------------------------------------------------


def test_rule_11_an_opponent_without_a_piece_on_the_board_has_lost() -> None:
    board = position(**LINE, black_discs="i8", white_discs="j8")
    after = board.play("i8-k8")
    assert (after.result, after.points, after.legal()) == ("p1win", (1, 0), [])
    assert Counter(after.view["trays"]["reserve-1"])["disc-white"] == 5
    with pytest.raises(MatchOver):
        after.play("k8-l8")


def test_rule_11_all_six_discs_at_once_win() -> None:
    board = position(
        **LINE, black_discs="i8", white_discs="j8", white_rings="h9", black_held="ddddd"
    )
    after = board.play("i8-k8")
    assert (after.result, after.points) == ("p1win", (6, 0))
    given_back = board.play("r@k8 h9-j9 i8-h9")
    assert (given_back.over, given_back.points) == (False, (4, 0))


def test_rule_11_all_three_rings_win() -> None:
    board = position(
        **LINE, turn="p2", black_discs="m8", white_rings="i8", black_rings="k8", white_held="rr"
    )
    assert board.play("i8-k8").result == "p2win"
    assert not board.play("i8-j9").over


def test_rule_11_is_judged_after_the_whole_turn() -> None:
    board = position(**LINE, black_discs="i8,l8", white_discs="j8", white_held="")
    inside = board.play("i8-k8")
    assert (inside.over, inside.player, inside.points) == (False, 0, (1, 0))
    assert games.from_fen(inside.fen()) == inside
    assert inside.play("stop").result == "p1win"
    assert inside.play("k8-m8").result == "p1win"


SHUFFLE = "j8-i8 h9-i9 i8-j8 i9-h9"  # back to where it began


def test_rule_12_the_third_occurrence_is_a_draw_and_the_start_is_the_first() -> None:
    match = HEXAEQUO.start(SHUFFLE)
    assert match.fen() != HEXAEQUO.start().fen(), "it has been here before"
    match = match.play("j8-i8 h9-i9 i8-j8")
    assert not match.over
    match = match.play("i9-h9")
    assert (match.result, match.outcome, match.legal()) == ("draw", (0, 1), [])
    assert games.from_fen(match.fen()).result == "draw"


def test_rule_12_a_position_text_without_seen_is_a_first_occurrence() -> None:
    match = games.from_fen(text_of())
    assert not match.play(SHUFFLE).over
    assert match.play(SHUFFLE).play(SHUFFLE).result == "draw"
    again = games.from_fen(HEXAEQUO.start(SHUFFLE).fen())
    assert again.play(SHUFFLE).result == "draw", "and seen is not forgotten"


def test_rule_12_the_player_to_act_belongs_to_the_position() -> None:
    """White goes to and fro while a ring goes round three cells: then it is white's action."""
    tiles = {**TRIANGLE, "white_tiles": "l8,k9,l9,m8,m9"}
    board = position(**tiles, black_rings="i8", black_discs="", white_discs="m8")
    circle = "i8-k8 m8-m9 k8-i10 m9-m8 i10-i8 m8-m9 i8-k8 m9-m8 k8-i10 m8-m9 i10-i8 m9-m8"
    after = board.play(circle)
    assert after.view == board.view, "the third time with these pieces, the second time for black"
    assert not after.over
    later = after.play("i8-k8")
    assert games.from_fen(later.fen()) == later
    assert after.play(circle).result == "draw"


def test_rule_12_nothing_before_a_turn_that_cannot_be_undone_counts() -> None:
    match = HEXAEQUO.start(f"{SHUFFLE} t@j9 t@h8 {SHUFFLE}")
    assert not match.over
    assert match.fen().count(",") > 3
    assert match.play(SHUFFLE).result == "draw"
    assert "seen" not in HEXAEQUO.start(f"{SHUFFLE} t@j9").fen()


def test_rule_12_positions_inside_a_chain_do_not_count() -> None:
    """The disc passes i8-k8 on its way; only where its turns end is remembered."""
    tiles = {**TRIANGLE, "white_tiles": "l8,k9,l9"}
    board = position(**tiles, black_discs="i8,j8,j9", white_discs="l8")
    there, back = "i8-k8 k8-i10 l8-l9", "i10-k8 k8-i8 l9-l8"
    match = board.play(f"{there} {back} {there}")
    assert not match.over, "i8-k8 was passed through three times"
    inside = match.play("i10-k8")
    assert games.from_fen(inside.fen()) == inside
    assert inside.play("k8-i8 l9-l8").result == "draw"


def wander(sides: list[set[str]], turns: int) -> list[str]:
    """Steps of both players in turn, each in its own half of the strip, that are nowhere twice;
    nor is their way back, but for what lies on both."""
    rng, actions = random.Random(1), list[str]()
    tiles = [cell for part in ("black_tiles", "white_tiles") for cell in STRIP[part].split(",")]
    halves = [[cell for cell in tiles if (cell > "m") == bool(side)] for side in range(2)]
    pairs = [[(a, b) for a in half for b in half if is_next(a, b)] for half in halves]
    seen = {str((0, *map(sorted, sides)))}
    while len(actions) < 2 * turns:
        steps, after = list[str](), list[set[str]]()
        for side, own in zip(sides, pairs, strict=True):
            start, end = rng.choice([(a, b) for a, b in own if a in side and b not in side])
            steps.append(f"{start}-{end}")
            after.append(side - {start} | {end})
        passed = ((1, after[0], sides[1]), (0, after[0], after[1]), (1, sides[0], after[1]))
        new = {str((player, sorted(black), sorted(white))) for player, black, white in passed}
        if not new & seen:
            seen, sides, actions = seen | new, after, actions + steps
    return actions


def is_next(a: str, b: str) -> bool:
    return hexes.distance(CELL_OF[a], CELL_OF[b]) == 1


def test_rule_12_has_no_limit() -> None:
    """There and back again, and once more to and fro: the start is remembered all the time."""
    turns = 700 if JIT else 20
    board = position(**STRIP, black_discs="h9,i8,j8,k8", white_discs="n8,n9,o9,p9")
    there = wander([on(board, "disc-black"), on(board, "disc-white")], turns)
    back = ["-".join(reversed(text.split("-"))) for text in there]
    back = [back[i ^ 1] for i in reversed(range(2 * turns))]  # black first, here too
    match = board.play(" ".join(there + back)).play("k8-l8 p9-p8 l8-k8")
    assert (match.ply, match.over) == (4 * turns + 3, False)
    assert match.state[rules.FACTS, rules.SEEN] == match.ply
    assert games.from_fen(match.fen()) == match
    assert match.play("p8-p9").result == "draw"


def test_rule_13_a_player_without_an_action_draws() -> None:
    board = position(
        **STRIP, black_discs="p8,p9,n8", white_discs="q8", black_held="ddddd", white_rings=""
    )
    after = board.play("n8-o8")
    assert (after.result, after.legal()) == ("draw", [])
    assert games.from_fen(after.fen()).result == "draw"
    jumping = board.play("n8-n9")
    assert texts(jumping) == {"q8-o8"}
    assert games.from_fen(jumping.fen()) == jumping


@pytest.mark.parametrize(
    ("parts", "last"),
    [
        ({"black_held": "dddd"}, "n8-o8"),  # white can place a disc
        ({"white_held": "d"}, "n8-o8"),  # white can place a ring
        ({"black_held": "dddd", "white_discs": "q8,h9"}, "n8-o8"),  # white can step
        ({"white_discs": "", "white_rings": "q8"}, "n8-o8"),  # white can leap on a black disc
        ({"white_rings": "h9"}, "n8-o8"),  # white can leap to an empty tile
        ({"white_rings": "h9", "black_rings": "j8,j9"}, "n8-o8"),  # or only on black rings
        ({"white_tiles": "i9,k8,l8,m8,n8,o8,p8,q8"}, "n8-o8"),  # white can place a tile
    ],
)
def test_rule_13_any_other_action_keeps_the_match_going(parts: dict[str, str], last: str) -> None:
    given = {"black_discs": "p8,p9,n8", "white_discs": "q8", "black_held": "ddddd"}
    after = position(**{**STRIP, **given, **parts}).play(last)
    assert not after.over
    assert after.legal()
    assert games.from_fen(after.fen()) == after


@pytest.mark.parametrize(
    "parts",
    [
        {  # a ring with only a white disc or nothing at all two cells away
            **STRIP,
            "black_discs": "m8,m9,n8,n9,p8,p9",
            "white_discs": "o8,o9",
            "white_rings": "q8",
            "black_held": "dddd",
            "turn": "p2",
        },
        {  # discs and rings in reserve, but no black tile for them
            "black_tiles": "i8,j8,k8,l8,m8,o8,p8,p9,q8",
            "white_tiles": "h9,i9,j9,k9,l9,m9,n8,n9,o9",
            "black_discs": "q8",
            "white_discs": "i8,j8,k8,o8,p8,p9",
            "white_rings": "l8,m8",
        },
    ],
)
def test_rule_13_the_text_of_a_draw_says_so(parts: dict[str, str]) -> None:
    assert position(phase="over", **parts).result == "draw"
    with pytest.raises(InvalidText, match="drawn: expected phase=over"):
        position(**parts)


# -- Counts ---------------------------------------------------------------------


def count(position: Position, depth: int) -> int:
    legal = position.legal()
    return len(legal) if depth == 1 else sum(count(position.play(a), depth - 1) for a in legal)


def test_counts_of_single_actions() -> None:
    assert [count(HEXAEQUO.start(), depth) for depth in (1, 2, 3)] == [7, 51, 461]


def turns(position: Position) -> dict[object, Position]:
    """The positions after a whole turn, chains told apart by end and order of captures."""
    by_path: dict[object, Position] = {}

    def go(now: Position, start: str, at: str, captured: tuple[str, ...]) -> None:
        for action in now.legal():
            text, after = now.write(action), now.play(action)
            begun, _, end = text.partition("-")
            gone = sorted(enemies(now, position) - enemies(after, position))
            path = start or begun, end or at, (*captured, *gone)
            if after.player == position.player:
                go(after, *path)
            else:
                by_path[path] = after

    go(position, "", "", ())
    return by_path


def enemies(now: Position, begun: Position) -> set[str]:
    colour = ("white", "black")[begun.player or 0]
    return on(now, f"disc-{colour}") | on(now, f"ring-{colour}")


def count_turns(position: Position, depth: int) -> int:
    after = turns(position).values()
    return len(after) if depth == 1 else sum(count_turns(p, depth - 1) for p in after)


LARGE = pytest.param(5, 48989, marks=pytest.mark.soak)


@pytest.mark.parametrize(("plies", "number"), [(1, 7), (2, 51), (3, 461), (4, 4442), LARGE])
def test_counts_of_whole_turns(plies: int, number: int) -> None:
    assert count_turns(HEXAEQUO.start(), plies) == number


# -- Texts and room -------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["", "x", "t@", "t@r8", "t@i17", "i8", "i8-", "d@i8-j8", "t@i08", "STOP"]
)
def test_texts_that_are_no_action(text: str) -> None:
    with pytest.raises(InvalidText, match="hexaequo"):
        HEXAEQUO.start().read(text)


@pytest.mark.parametrize(
    "text", ["t@a0", "t@q16", "d@p1", "j8-q16", "j8-j8", "i8-q8", "stop", "r@i8"]
)
def test_actions_that_can_be_read_but_not_played(text: str) -> None:
    with pytest.raises(IllegalAction):
        HEXAEQUO.start().play(text)


RIGHT = {"white_tiles": "i9,j9,k9,l9", "black_discs": "i8", "white_discs": "i9"}
LEFT = {"white_tiles": "i7,h7,g7,f7", "black_discs": "i8", "white_discs": "i7"}
ROW, COLUMN = "i8,j8,k8,l8,m8,n8,o8,p8,q8", "i8,i9,i10,i11,i12,i13,i14,i15,i16"
WIDE = "e8,f8,e9,f9,g9,h9,i9,j9,k9"  # with g8 to o8: eleven columns
JUMPED = {**LINE, "phase": "chain", "black_discs": "i8", "white_discs": "j8"}


def test_a_disc_jumps_on_to_where_it_has_not_been() -> None:
    assert "i8-k8" in texts(position(**JUMPED, chain="i8"))


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"phase": "chains"}, "expected turn or chain or over"),
        ({"black_tiles": "i8,j8,i8"}, "i8 is named twice"),
        ({"black_tiles": "i8,j8,i9"}, "tiles: i9 is named twice"),
        ({"black_tiles": "j8"}, "expected one on i8"),
        ({"black_tiles": "i8,j8,k8,l8,m8,n8,i7,j7,k7,l7"}, "at most 9, got 10"),
        ({"black_tiles": "i8,j8,l8"}, "connected to i8"),
        ({"black_tiles": "i8,j8,k8,l8,m8,n8,o8,p8,q8"}, "leave a0 to q16"),
        ({"black_tiles": "i8,j8,j9,k9,k10,l10,l11,m11,m12"}, "leave a0 to q16"),
        ({"black_tiles": "i8,j8,k7,l7,m6,n6,o5"}, "leave a0 to q16"),
        ({**RIGHT, "black_tiles": "i8,j8,k8,l8,m8,n8"}, "leave a0 to q16"),
        ({**LEFT, "black_tiles": "i8,h8,g8,f8,e8,d8"}, "leave a0 to q16"),
        ({"black_tiles": ROW, "white_tiles": "j9,k9,l9,m9,n9,o9,p9,q9"}, "leave a0 to q16"),
        (
            {"black_tiles": COLUMN, "white_tiles": "j9,j10,j11,j12,j13,j14,j15,j16"},
            "leave a0 to q16",
        ),
        ({"black_tiles": "g8,h8,i8,j8,k8,l8,m8,n8,o8", "white_tiles": WIDE}, "leave a0 to q16"),
        ({"black_discs": "k8"}, "'k8' is not a place"),
        ({"black_discs": "h9"}, "pieces: h9 is named twice"),
        ({"black_held": "rd"}, "expected up to dddddd and rrr"),
        ({"black_held": "rrrr"}, "expected up to dddddd and rrr"),
        ({"black_held": "ddddddd"}, "expected up to dddddd and rrr"),
        ({"black_held": "dddddd"}, "white_discs: there are 6"),
        ({"black_held": "rr", "white_discs": "", "white_rings": "h9,i9"}, "white_rings: there are"),
        ({"phase": "over"}, "nobody has won"),
        ({"black_held": "rrr"}, "player to act has won already"),
        ({"white_held": "rrr"}, "acted last has won"),
        ({"white_discs": "", "turn": "p2"}, "expected phase=over"),
        ({"phase": "chain"}, "part chain is missing"),
        ({"phase": "chain", "chain": ""}, "expected a disc of the player to act"),
        ({"phase": "chain", "chain": "h9"}, "expected a disc of the player to act"),
        (
            {"phase": "chain", "chain": "j8", "black_discs": "", "black_rings": "j8"},
            "expected a disc of the player to act",
        ),
        ({"phase": "chain", "chain": "j8,h9"}, "expected empty tiles"),
        ({"phase": "chain", "chain": "j8,i8"}, "cannot jump on"),
        ({**JUMPED, "chain": "i8,k8"}, "cannot jump on"),
        ({"chain": "j8"}, "unknown part 'chain'"),
        ({"seen": "w.b"}, "expected the pieces on all tiles"),
        ({"seen": "w..w"}, "expected the pieces on all tiles"),
        ({"seen": "w..b,.w.b"}, "cannot come back so soon"),
        ({"seen": "w..b,.w.b,.wb."}, "cannot come back so soon"),
        ({"seen": "w..b,wb..,.bw.,..wb,w..b,wb..,.bw.,..wb"}, "drawn: expected phase=over"),
        (
            {
                "seen": "w..b,wb..,.bw.,..wb,w..b,wb..,.bw.,..wb,w..b",
                "turn": "p2",
                "black_discs": "i8",
            },
            "the match ended when w..b",
        ),
    ],
)
def test_position_texts_that_make_no_sense(parts: dict[str, str], reason: str) -> None:
    with pytest.raises(InvalidText, match=reason):
        position(**parts)


@pytest.mark.parametrize(
    ("parts", "result"),
    [
        ({"turn": "p2", "black_held": "rrr"}, "p1win"),
        ({"turn": "p1", "white_held": "rrr"}, "p2win"),
        ({"turn": "p2", "black_held": "d" * 6, "white_discs": "", "white_rings": "h9"}, "p1win"),
        ({"turn": "p1", "black_discs": ""}, "p2win"),
    ],
)
def test_the_text_of_a_match_that_is_won_tells_by_whom(parts: dict[str, str], result: str) -> None:
    assert position(phase="over", **parts).result == result


def test_the_diagram_names_cells_and_tells_who_acts() -> None:
    lines = str(position(**LEAP_FIGURE)).splitlines()
    assert lines[2:4] == ["  8                 (W) ( ) [ ]", "  9                .  ( ) [b]  ."]
    assert lines[-1] == "White to act"
    assert "captured 0 discs, 0 rings" in lines[-2]
    inside = position(**CHAIN_FIGURE).play("i10-i8")
    assert str(inside).endswith("Black to jump on or stop")


def test_a_state_grows_with_what_must_be_remembered() -> None:
    match = HEXAEQUO.start()
    assert match.state.shape == (rules.HISTORY, rules.COLUMNS)
    assert match.state[: rules.HISTORY].nbytes <= 1024
    match = match.play(SHUFFLE)
    assert match.state.shape[0] == rules.HISTORY + 4
    assert rules.rows_for(match.state, 10) == rules.HISTORY + 14


def test_playouts_without_room_are_begun_anew_with_more() -> None:
    def run(rows: Callable[[int], int]) -> tuple[list[int], int]:
        tally, rng = np.zeros(TALLY_SIZE, np.int64), generator(3)
        words, done, tries = np.empty(rules.WORDS, np.int64), 0, 0
        while done < matches:
            state = np.zeros((rows(tries), rules.COLUMNS), np.int64)
            start = rules.initial({})
            done += HEXAEQUO.engine.playouts(start, state, words, rng, matches - done, tally)
            tries += 1
        return tally.tolist(), tries

    matches = 200 if JIT else 8
    at_once, once = run(lambda tries: 2000)
    bit_by_bit, often = run(lambda tries: rules.HISTORY + 2 + tries)
    assert at_once == bit_by_bit
    assert (once, often > 3) == (1, True)
    assert at_once[1] + at_once[2] + at_once[3] == matches
