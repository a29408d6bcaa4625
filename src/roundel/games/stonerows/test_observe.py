"""The planes of Stone Rows show what its view tells, with each layout, backs and claims."""

import numpy as np
import pytest

from roundel import games
from roundel.batch import Batch, planes_of
from roundel.core.playthrough import random_match
from roundel.core.position import Position
from roundel.games.stonerows import board, observe, rules
from roundel.games.stonerows.rules import HOME, LAYOUT, MOVES_LEFT, NAMED, PHASE


def at(cell: int) -> tuple[int, int]:
    return cell >> 5, cell & 31


def expected(position: Position) -> np.ndarray:
    size = observe.grid(position.game.options)
    out = np.zeros((len(observe.PLANES), *size), np.int8)
    me, state = position.player or 0, position.state
    pieces = position.view["pieces"]
    for spot, cell in board.grid(position.game.options["layout"]).items():
        names = pieces.get(spot, [])
        out[0][at(cell)] = bool(names) and not any(name.startswith("stone") for name in names)
        out[1][at(cell)] = f"stone-{board.COLOURS[me]}" in names
        out[2][at(cell)] = f"stone-{board.COLOURS[1 - me]}" in names
        out[observe.LEFT_HOMES][at(cell)] = cell in HOME[state[0, LAYOUT]] and not names
        for back in (name[5:] for name in names if name.startswith("back")):
            if back == "star":
                out[observe.STARS][at(cell)] = 1
            else:
                out[observe.NUMBERS][at(cell)] = int(back[1]) * (1 if back[0] == "wb"[me] else -1)
    cells = board.cells(state)
    for tile, cell in enumerate(cells):
        building = state[0, PHASE] == rules.BUILD
        out[observe.MOVABLE][at(cell)] = building and cell == HOME[state[0, LAYOUT], tile]
        for direction in range(4):
            named = int(state[0, NAMED + direction]) >> tile & 1
            out[observe.ENDS + direction][at(cell)] = named
    out[observe.MOVES], out[observe.SECOND] = state[0, MOVES_LEFT], me
    out[observe.NAMING] = "name a whole run" in position.prompt
    lead = position.points[me] - position.points[1 - me]
    out[observe.LEAD] = min(max(lead, -127), 127)
    return out


SETS = games.manifest("stonerows").option_sets


@pytest.mark.parametrize("options", SETS)
def test_planes_show_what_the_view_tells(options: str) -> None:
    *positions, _ = random_match(games.load(f"stonerows:{options}".strip(":")), seed=1)
    for position in positions:
        assert np.array_equal(planes_of(position), expected(position))


@pytest.mark.parametrize("options", SETS)
def test_every_layout_has_its_mirrors(options: str) -> None:
    batch = Batch(f"stonerows:{options}".strip(":"), 1)
    assert len(batch.symmetries) == (1 if "claim" in options else 4)
