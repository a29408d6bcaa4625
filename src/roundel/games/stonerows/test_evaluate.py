"""The numbers that Stone Rows is judged by count what they say, for both players alike."""

from math import sqrt

import numpy as np
import pytest

from roundel import games
from roundel.core.game import Game
from roundel.core.playthrough import random_match
from roundel.core.position import Position
from roundel.games.stonerows import board, observe, rules
from roundel.games.stonerows.evaluate import (
    AROUND,
    FEATURES,
    GAIN,
    NUMBERS,
    ONE,
    RUNS,
    SCORED,
    STAGES,
    STARS,
    THREE,
    TWO,
)
from roundel.games.stonerows.rules import FREE, PHASE
from roundel.search.judge import extractor_entries

SETS = games.manifest("stonerows").option_sets
PICTURE = "WWWWWBBB BBBBBWWW WWWWWBBB BBBBBWWW WWWW.... BBBBBB.. WWWWBB.."
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


EXTRACT = extractor_entries(games.manifest("stonerows")).extract


def judged(position: Position) -> tuple[int, np.ndarray]:
    """The stage, and the features in points, fours and windows."""
    out = np.full((2, len(FEATURES)), np.nan)
    stage = EXTRACT(position.state.copy(), out)
    return stage, out * sqrt(to_come(position) + 1)


def to_come(position: Position) -> int:
    return int(position.state[0, FREE]).bit_count() - 8


def load(options: str) -> Game:
    return games.load(f"stonerows:{options}".strip(":"))


def owners(position: Position) -> dict[tuple[int, int], int]:
    """Who has a stone on each tile, or nobody."""
    grid = board.grid(position.game.options["layout"])
    owner_of = {}
    for spot, names in position.view["pieces"].items():
        if spot in grid:
            stones = [p for p in range(2) if f"stone-{board.COLOURS[p]}" in names]
            owner_of[grid[spot] >> 5, grid[spot] & 31] = stones[0] if stones else board.NOBODY
    return owner_of


def windows(position: Position, player: int) -> list[int]:
    """How many windows have no, one, two, three, four own stones."""
    tiles, counts = owners(position), [0] * 5
    for x, y in tiles:
        for dx, dy in DIRECTIONS:
            cells = [tiles.get((x + i * dx, y + i * dy)) for i in range(4)]
            if all(cell in (player, board.NOBODY) for cell in cells):
                counts[cells.count(player)] += 1
    return counts


def star(tiles: dict[tuple[int, int], int], x: int, y: int) -> int:
    """Who would win a star (rule 15)."""
    near = [tiles.get((x + dx, y + dy)) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
    if near.count(0) == near.count(1):
        return tiles[x, y]
    return int(near.count(1) > near.count(0))


def backs(position: Position) -> tuple[list[int], list[int]]:
    """The numbers on unoccupied tiles and the stars that each player has."""
    tiles, grid = owners(position), board.grid(position.game.options["layout"])
    numbers, stars = [0, 0, 0], [0, 0, 0]  # the last ones are nobody's
    for spot, names in position.view["pieces"].items():
        for back in (name[5:] for name in names if name.startswith("back-")):
            x, y = grid[spot] >> 5, grid[spot] & 31
            if back == "star":
                stars[star(tiles, x, y)] += 1
            elif tiles[x, y] == board.NOBODY:
                numbers["wb".index(back[0])] += int(back[1])
    return numbers[:2], stars[:2]


@pytest.mark.parametrize("options", SETS)
def test_windows_are_counted_as_one_would_count_them(options: str) -> None:
    *positions, _ = random_match(load(options), seed=2)
    for position in (p for p in positions if p.state[0, PHASE] == rules.FILL):
        out = judged(position)[1]
        white, black = windows(position, 0), windows(position, 1)
        me = position.player or 0
        assert out[:, ONE] == pytest.approx([white[1] - black[1], black[1] - white[1]])
        assert out[:, TWO] == pytest.approx([white[2] - black[2], black[2] - white[2]])
        assert out[0, THREE + me] == pytest.approx(white[3])
        assert out[1, THREE + 1 - me] == pytest.approx(black[3])
        assert out[:, RUNS] == pytest.approx([white[4], black[4]])
        assert out[:, SCORED] == pytest.approx(np.array(position.points) / 10)


def test_the_last_stone_gains_what_was_told() -> None:
    for seed in range(6):
        *_, last, end = random_match(load("build=0"), seed)
        me = last.player or 0
        after = max(last.play(action).points[me] for action in last.legal())
        out = judged(last)[1]
        assert 10 * out[me, [SCORED, RUNS, GAIN]].sum() == pytest.approx(after)
        assert 10 * out[1 - me, [SCORED, RUNS]].sum() == pytest.approx(end.points[1 - me])


@pytest.mark.parametrize("options", SETS)
def test_every_number_is_written_and_of_moderate_size(options: str) -> None:
    *positions, _ = random_match(load(options), seed=3)
    stages = []
    for position in positions:
        stage, out = judged(position)
        stages.append(stage)
        assert np.abs(out / sqrt(to_come(position) + 1)).max() < 20
    assert stages == sorted(stages)
    assert set(stages) == set(range("build=0" in options, STAGES))


def filled() -> Position:
    """The stones of PICTURE, placed in turn; the runs are to be named."""
    position = load("build=0,claim").start()
    spots = {
        sign: [
            f"{'ghijklmn'[x]}{13 - row}"
            for row, signs in enumerate(PICTURE.split())
            for x, letter in enumerate(signs)
            if letter == sign
        ]
        for sign in "WB"
    }
    for white, black in zip(spots["W"], spots["B"], strict=True):
        position = position.play(f"{white} {black}")
    return position


def sums(position: Position) -> list[float]:
    return [round(total, 6) for total in judged(position)[1][:, [SCORED, RUNS]].sum(1).tolist()]


def test_rule_12_naming_a_run_changes_no_sum_but_finishing_gives_up_the_rest() -> None:
    position = filled()
    before = sums(position)
    assert before == [6, 7]
    *runs, done = position.legal()
    assert len(runs) == 4
    assert all(sums(position.play(run)) == before for run in runs)
    position = position.play(runs[0])
    assert sums(position.play(done)) == [position.points[0] / 10, 7]


def test_rules_14_and_15_numbers_and_stars_are_counted_as_they_lie() -> None:
    *positions, _ = random_match(load("build=1,bonus=full"), seed=1)
    for position in (p for p in positions if p.state[0, PHASE] == rules.FILL):
        out, (numbers, stars) = judged(position)[1], backs(position)
        assert out[:, NUMBERS] * 10 * (to_come(position) + 8) / 8 == pytest.approx(numbers)
        assert out[:, STARS] == pytest.approx(stars)
        assert out[0, AROUND] == pytest.approx(-out[1, AROUND])


@pytest.mark.parametrize("options", [o for o in SETS if "claim" not in o and "bonus" not in o])
def test_mirrored_matches_are_judged_alike(options: str) -> None:
    game = load(options)
    *positions, _ = random_match(game, seed=4)
    for symmetry in observe.symmetries(game.options)[1:]:
        image = game.start()
        for position, action in zip(positions, positions[-1].actions, strict=False):
            assert judged(image)[1] == pytest.approx(judged(position)[1])
            kind = int(position.state[0, PHASE] != rules.BUILD)  # observe.kind
            image = image.play(symmetry.action(kind, action))


@pytest.mark.parametrize("options", ["build=1", "build=0,layout=octagon"])
def test_with_colours_exchanged_the_numbers_are_too(options: str) -> None:
    *positions, last = random_match(load(options), seed=6)
    other = load(f"{options},first=2").start()
    for position, action in zip(positions, last.actions, strict=True):
        assert judged(other)[1][::-1] == pytest.approx(judged(position)[1])
        other = other.play(action)
