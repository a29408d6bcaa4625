"""The planes of Ringgz show what its view tells, for two, three and four players."""

import numpy as np
import pytest

from roundel import games
from roundel.batch import planes_of
from roundel.core.playthrough import random_match
from roundel.core.position import Position
from roundel.games.ringgz import observe, rules
from roundel.games.ringgz.rules import COLOURS, DEALT


def order(players: int, me: int) -> list[int]:
    """The colours as the player to act sees them; the neutral one is nobody's, so last."""
    hands = [DEALT[players][(me + i) % players] for i in range(players)]
    if players == 3:
        return [hand[0] for hand in hands] + [3]
    return [colour for hand in hands for colour in hand]


def expected(position: Position) -> np.ndarray:
    out = np.zeros((len(observe.PLANES), 5, 5), np.int8)
    players, me = position.game.players, position.player or 0
    for spot, pieces in position.view["pieces"].items():
        for piece in pieces:
            kind = 4 if piece.startswith("base") else int(piece.split("-")[1]) - 1
            colour = piece.split("-")[-1]
            if colour == "start":
                out[observe.START, int(spot[1]) - 1, "abcde".index(spot[0])] = 1
            elif spot[0] == "p":
                player, number = int(spot[1]) - 1, COLOURS.index(colour)
                second = DEALT[players][player].index(number)
                seat = (player - me) % players
                out[observe.STOCKS + 10 * seat + 5 * second + kind] = len(pieces)
            else:
                place = order(players, me).index(COLOURS.index(colour))
                out[5 * place + kind, int(spot[1]) - 1, "abcde".index(spot[0])] = 1
    out[observe.PREPARING] = position.ply == 0
    return out


@pytest.mark.parametrize("players", [2, 3, 4])
def test_planes_show_what_the_view_tells(players: int) -> None:
    *positions, _ = random_match(games.load(f"ringgz:players={players}"), seed=1)
    for position in positions:
        assert np.array_equal(planes_of(position), expected(position))


def test_who_has_left_still_shows_what_is_left() -> None:
    match = games.load("ringgz:players=3").start("s@c3 b1@c4")
    state = rules.retire(match.state, 1)
    after = Position(match.game, state, ply=match.ply, from_start=False)
    assert np.array_equal(planes_of(after), expected(after))
