"""The patterns of Ringgz: all in the table, and blind to colours and directions."""

import numpy as np
import pytest

from roundel import games
from roundel.core.playthrough import random_match
from roundel.core.position import Position
from roundel.games.ringgz import observe, patterns
from roundel.games.ringgz.patterns import (
    ACTS,
    AT_BASES,
    AT_FITS,
    AT_NEUTRALS,
    AT_SIZES,
    AT_TURN,
    BASES,
    FITS,
    NEUTRALS,
    SIZES,
    TURNS,
)
from roundel.games.ringgz.rules import COLOURS
from roundel.search.judge import extractor_entries

OPTION_SETS = games.manifest("ringgz").option_sets
C4, ACTING = 17, 16


EXTRACT = extractor_entries(games.manifest("ringgz")).extract


def judge(board: Position) -> tuple[int, np.ndarray]:
    """The stage, and the patterns of all sides in a matrix that held nothing."""
    out = np.full((patterns.SIDES[board.game.players], patterns.PATTERNS_PER_SIDE), -1)
    return EXTRACT(np.array(board.state), out), out


def see(board: Position) -> np.ndarray:
    return judge(board)[1]


def bits_of(number: int) -> set[int]:
    return {bit for bit in range(ACTING + 1) if int(number) >> bit & 1}


def position(spec: str = "ringgz", **parts: str) -> Position:
    given = {"turn": "p1", "start": "c3", **dict.fromkeys(COLOURS, ""), **parts}
    return games.from_fen(";".join([spec, *(f"{key}={value}" for key, value in given.items())]))


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


@pytest.mark.parametrize("options", OPTION_SETS)
def test_stages_only_rise(options: str) -> None:
    *positions, _ = random_match(games.load(f"ringgz:{options}"), seed=1)
    stages = [judge(board)[0] for board in positions]
    first = patterns.STEPS * (positions[0].game.players - 2)
    assert stages == sorted(stages)
    assert set(stages) <= set(range(first, first + patterns.STEPS))
    assert len(set(stages)) > 2


@pytest.mark.parametrize("options", OPTION_SETS)
def test_every_pattern_is_in_its_part_of_the_table(options: str) -> None:
    *positions, _ = random_match(games.load(f"ringgz:{options}"), seed=1)
    for board in positions:
        seen = see(board)
        parts = np.split(seen, [AT_SIZES, AT_BASES, AT_FITS, AT_TURN, AT_NEUTRALS], axis=1)
        ends = 0, SIZES, BASES, FITS, TURNS, NEUTRALS, patterns.PATTERNS
        for part, low, high in zip(parts, ends[:-1], ends[1:], strict=True):
            assert low <= part.min()
            assert part.max() < high
        acting, players = (seen[:, :AT_SIZES] & ACTS).all(axis=1), board.game.players
        assert {side % players for side in np.flatnonzero(acting)} == {board.player}
        assert acting.sum() == len(seen) // players
        assert set(seen[:, AT_TURN] - TURNS) == set(range(players))


@pytest.mark.parametrize("symmetry", range(1, 8))
def test_turned_and_mirrored_positions_are_alike(symmetry: int) -> None:
    game = games.load(f"ringgz:{OPTION_SETS[symmetry]}")
    image = observe.symmetries(game.options)[symmetry]
    *_, end = random_match(game, seed=symmetry)
    match = other = game.start()
    for action in end.actions[:-1]:
        match, other = match.play(action), other.play(image.action(0, action))
        one, two = see(match), see(other)
        assert np.array_equal(np.sort(one[:, :AT_SIZES]), np.sort(two[:, :AT_SIZES]))
        assert np.array_equal(one[:, AT_SIZES:], two[:, AT_SIZES:])


@pytest.mark.parametrize(
    ("options", "colours", "turns", "sides"),
    [
        ("", "yrbg", [1, 0], [1, 0, 3, 2]),
        ("", "gbyr", [0, 1], [2, 1, 0, 3]),
        ("presence=player", "rygb", [1, 0], [3, 2, 1, 0]),
        ("players=3", "gybr", [1, 2, 0], [1, 2, 0]),
        ("players=4,opening=turn,presence=player", "gyrb", [1, 2, 3, 0], [1, 2, 3, 0]),
    ],
)
def test_no_player_and_no_colour_is_special(
    options: str, colours: str, turns: list[int], sides: list[int]
) -> None:
    *positions, _ = random_match(games.load(f"ringgz:{options}"), seed=3)
    for board in positions[1:]:
        assert np.array_equal(see(renamed(board, colours, turns)), see(board)[sides])


def test_a_territory_by_its_bits() -> None:
    """Blue has one ring beside the starting base, where all can go on."""
    board = position("ringgz:players=4", blue="1@c4", turn="p2")
    blue, green = see(board)[:2, C4]
    assert bits_of(blue) == {0, 2, 3, 6, 7, 8, 9, 10, 11, 13}
    assert bits_of(green) == {2, 3, 6, 7, 8, 9, 10, 11, 12, 13, ACTING}
    board = position("ringgz:players=4", blue="1@c4,2@c4,3@c4", green="4@c4")
    blue, green, yellow, _ = see(board)[:, C4]
    assert bits_of(blue) == {0, 1, 8, 9, ACTING}
    assert bits_of(green) == {0, 5, 8, 9}
    assert bits_of(yellow) == {5, 8, 9}


def test_the_other_colour_of_a_player() -> None:
    """Green is no rival of blue, but it counts where majorities are compared."""
    board = position(blue="1@c4,2@c4", turn="p2")
    blue, yellow, green, _ = see(board)[:, C4]
    assert bits_of(blue) == {0, 1, 3, 6, 7, 8, 9, 10, 11, 13, 15}
    assert bits_of(green) == {3, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15}
    assert bits_of(yellow) == {3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, ACTING}
    walled = position(blue="1@a5", green="b@a4,b@b5")
    assert bits_of(see(walled)[0, 20]) == {0, 2, 3, 6, 7, 8, 9, 15, ACTING}, "a5 is theirs alone"


def test_stocks_and_places() -> None:
    seen = see(position("ringgz:players=4", blue="4@c4"))
    blue, green = seen[0], seen[1]
    places = 3 + 4  # beside the starting base, and beside c4 and on it, less what lies there
    assert blue[AT_SIZES] == SIZES + 64 * 3 + 8 * places + 7
    assert blue[AT_SIZES + 3] == SIZES + 64 * 2 + 8 * 6 + 7
    assert green[AT_SIZES + 3] == SIZES + 64 * 3 + 8 * 3 + 7
    assert blue[AT_FITS] == FITS + 16 * 11 + 11
    assert green[AT_BASES] == BASES + 64 * 3 + 8 * 3 + 3
    assert green[AT_NEUTRALS] == NEUTRALS
    shares = position("ringgz:players=3", red="3@b3", neutral="1234b,124b,1234b")
    assert list(see(shares)[:, AT_NEUTRALS] - NEUTRALS) == [4 * 4 + 3, 4 * 3 + 3, 4 * 4 + 3]
