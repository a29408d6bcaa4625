"""The situations of Ringgz: all in the table, and blind to colours and directions."""

from typing import Any

import numpy as np
import pytest

from roundel import games
from roundel.core.jit import Entries
from roundel.core.playthrough import random_match
from roundel.core.position import Position
from roundel.games.ringgz import observe, rules, situations
from roundel.games.ringgz.situations import (
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
from roundel.games.ringgz.test_evaluate import OPTION_SETS, position, renamed

OF_MORE = [options for options in OPTION_SETS if "players" in options]
C4 = 17


def make_see(G: Any, S: Any) -> Any:
    def see(state, out):  # type: ignore[no-untyped-def] # compiled
        S.situations(state, out)

    return see


SEE = {"see": (make_see, "void(int64[:,::1], int64[:,::1])")}
ENTRIES = Entries("ringgz", rules, SEE, situations)


def see(board: Position) -> np.ndarray:
    """The situations of all players, in a matrix that held nothing."""
    out = np.full((board.game.players, situations.LOOKS), -1)
    ENTRIES.see(np.array(board.state), out)
    return out


def bits_of(number: int) -> set[int]:
    return {bit for bit in range(15) if int(number) >> bit & 1}


@pytest.mark.parametrize("options", OF_MORE)
def test_every_situation_is_in_its_part_of_the_table(options: str) -> None:
    *positions, _ = random_match(games.load(f"ringgz:{options}"), seed=1)
    for board in positions:
        seen = see(board)
        parts = np.split(seen, [AT_SIZES, AT_BASES, AT_FITS, AT_TURN, AT_NEUTRALS], axis=1)
        ends = 0, SIZES, BASES, FITS, TURNS, NEUTRALS, situations.SITUATIONS
        for part, low, high in zip(parts, ends[:-1], ends[1:], strict=True):
            assert low <= part.min()
            assert part.max() < high
        acting = (seen[:, :AT_SIZES] & ACTS).all(axis=1)
        assert list(np.flatnonzero(acting)) == [board.player]
        assert sorted(seen[:, AT_TURN] - TURNS) == list(range(board.game.players))


@pytest.mark.parametrize("symmetry", range(1, 8))
def test_turned_and_mirrored_positions_are_alike(symmetry: int) -> None:
    game = games.load(f"ringgz:{OF_MORE[symmetry % len(OF_MORE)]}")
    image = observe.symmetries(game.options)[symmetry]
    *_, end = random_match(game, seed=symmetry)
    match = other = game.start()
    for action in end.actions[:-1]:
        match, other = match.play(action), other.play(image.action(0, action))
        one, two = see(match), see(other)
        assert np.array_equal(np.sort(one[:, :AT_SIZES]), np.sort(two[:, :AT_SIZES]))
        assert np.array_equal(one[:, AT_SIZES:], two[:, AT_SIZES:])


@pytest.mark.parametrize(
    ("options", "colours", "turns"),
    [
        ("players=3", "gybr", [1, 2, 0]),
        ("players=4,opening=turn,presence=player", "gyrb", [1, 2, 3, 0]),
    ],
)
def test_no_player_and_no_colour_is_special(options: str, colours: str, turns: list[int]) -> None:
    *positions, _ = random_match(games.load(f"ringgz:{options}"), seed=3)
    for board in positions[1:]:
        assert np.array_equal(see(renamed(board, colours, turns)), see(board)[turns])


def test_a_territory_by_its_bits() -> None:
    """Blue has one ring beside the starting base, where all can go on."""
    board = position("ringgz:players=4", blue="1@c4", turn="p2")
    blue, green = see(board)[:2, C4]
    assert bits_of(blue) == {0, 2, 3, 6, 7, 8, 9, 10, 11, 13}
    assert bits_of(green) == {2, 3, 6, 7, 8, 9, 10, 11, 12, 13, 14}
    board = position("ringgz:players=4", blue="1@c4,2@c4,3@c4", green="4@c4")
    blue, green, yellow, _ = see(board)[:, C4]
    assert bits_of(blue) == {0, 1, 8, 9, 14}
    assert bits_of(green) == {0, 5, 8, 9}
    assert bits_of(yellow) == {5, 8, 9}


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
