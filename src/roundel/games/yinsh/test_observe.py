"""The planes of Yinsh show what its view tells; rows are mirrored rightly too."""

import numpy as np

from roundel import games
from roundel.batch import Batch, planes_of
from roundel.core.playthrough import random_match
from roundel.core.position import Position
from roundel.games.yinsh import observe


def expected(position: Position) -> np.ndarray:
    """The same from the view and the prompt."""
    out = np.zeros((len(observe.PLANES), 11, 11), np.int8)
    me = position.player
    mine = ("white", "black")[me or 0]
    for spot in position.game.layout["spots"]:
        out[observe.BOARD, "abcdefghijk".index(spot[0]), int(spot[1:]) - 1] = 1
    for spot, (piece,) in position.view["pieces"].items():
        kind, colour = piece.split("-")
        plane = 2 * (kind == "marker") + (colour != mine)
        out[plane, "abcdefghijk".index(spot[0]), int(spot[1:]) - 1] = 1
    words = ("put a ring", "where it goes", "a row of five", "to take off")
    out[5:9] = np.array([word in position.prompt for word in words])[:, None, None]
    out[observe.MOVER] = f"mover=p{(me or 0) + 1}" in position.fen()
    trays = position.view["trays"]
    off = [len(trays["off-0"]), len(trays["off-1"])]
    out[observe.OFF], out[observe.OFF + 1] = off if me == 0 else off[::-1]
    out[observe.POOL] = len(trays["pool"])
    return out


def test_planes_show_what_the_view_tells() -> None:
    *positions, last = random_match(games.load("yinsh"), seed=1)
    assert last.points != (0, 0), "rows are part of it"
    for position in positions:
        assert np.array_equal(planes_of(position), expected(position))


def test_every_kind_of_action_has_its_images() -> None:
    """In the last three phases too, which the first plies of a match do not reach."""
    *positions, _ = random_match(games.load("yinsh"), seed=1)
    one, other = Batch("yinsh", 1), Batch("yinsh", 1)
    kinds = set()
    for symmetry in one.symmetries[1::3]:
        one.reset()
        other.reset()
        for action in positions[-1].actions:
            one.observe()
            kind = int(one.kinds[0])
            kinds.add(kind)
            one.step([action])
            other.step([symmetry.action(kind, action)])
            assert np.array_equal(one.legal_mask().sum(), other.legal_mask().sum())
        one.observe()
        image = one.legal_mask()[0][symmetry.actions[one.kinds[0]]]
        assert np.array_equal(image, other.legal_mask()[0])
    assert kinds == {observe.AT_POINT, observe.LANDING, observe.FIVE}
