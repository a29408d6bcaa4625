"""Boards in characters, paths of spots, and matches on the disk: what a table is made of."""

import os
import shlex
from dataclasses import replace
from itertools import combinations
from math import cos, pi, sin
from pathlib import Path

import pytest

from roundel import games, record
from roundel.cli.table.board import EMPTY, Drawing, TerminalMarks, glyph, nearest, neighbour, scale
from roundel.cli.table.commands import TerminalTable
from roundel.cli.table.history import History
from roundel.cli.table.opening import TableRequest, opened
from roundel.cli.table.saving import CannotKeep, Shelf
from roundel.cli.table.seats import WrongSeats, seated
from roundel.core.board import Spot
from roundel.core.game import Game, Manifest
from roundel.core.playthrough import random_match
from roundel.core.position import Position
from roundel.core.style import Style
from roundel.picture.plan import plan_of
from roundel.play.match import OVER
from roundel.play.partial_action import PartialAction
from roundel.play.setup import Setup

STEPS = [(1, 0), (-1, 0), (0, 1), (0, -1)]


def drawn(position: Position, marks: TerminalMarks | None = None) -> Drawing:
    return Drawing(position, PartialAction(position).wanted, marks or TerminalMarks())


def test_every_piece_is_told_without_colour(game: Game) -> None:
    """Two stacks that differ are drawn differently, and no spot lies on another."""
    seen: dict[tuple[str, ...], str] = {}
    for position in [*random_match(game, seed=3)][::9]:
        drawing, pieces = drawn(position), position.view["pieces"]
        cells = [(p.row, p.column + i) for p in drawing.places.values() for i in range(p.width)]
        assert len(cells) == len(set(cells))
        for spot, stack in pieces.items():
            place = drawing.places[spot]
            text = "".join(
                drawing.cells.get((place.row, place.column + i), (" ",))[0]
                for i in range(place.width)
            )
            kind = game.layout["spots"][spot]["kind"]
            text = text.replace(spot, " " * len(spot))  # its name may stand on it
            assert seen.setdefault((kind, *stack), text).split() == text.split()
    kinds = {key[0] for key in seen}
    for kind in kinds:
        texts = [tuple(text.split()) for key, text in seen.items() if key[0] == kind]
        assert len(texts) == len(set(texts))


def test_every_piece_has_a_glyph(game: Game) -> None:
    for position in [*random_match(game, seed=3)][::9]:
        stacks = [*position.view["pieces"].values(), *position.view.get("trays", {}).values()]
        for piece in {piece for stack in stacks for piece in stack}:
            assert piece in game.manifest.style.letters.pieces
            assert len(glyph(game, piece).text) > 0


def test_marks_and_the_cursor_are_told_without_colour(manifest: Manifest) -> None:
    position = manifest.with_options().start()
    targets = PartialAction(position).targets
    bare = str(drawn(position))
    assert "›" not in bare
    assert str(drawn(position, TerminalMarks(targets=targets))).count("›") == len(targets)
    pointed = str(drawn(position, TerminalMarks(min(targets))))
    assert pointed.count("[") == bare.count("[") + 1
    assert pointed.count("]") == bare.count("]") + 1


def test_arrows_reach_every_spot(game: Game) -> None:
    for position in [*random_match(game, seed=1)][::20]:
        places = drawn(position).places
        first = next(iter(places))
        reached, new = {first}, [first]
        while new:
            spot = new.pop()
            for step in STEPS:
                here = places[spot]
                goal = here.row if step[0] else here.middle
                found = neighbour(places, spot, step, goal)
                if found not in reached:
                    reached.add(found)
                    new.append(found)
        assert reached == places.keys()


def test_every_action_can_be_chosen_by_its_spots(game: Game) -> None:
    for position in [*random_match(game, seed=2)][:-1:7]:
        places = drawn(position).places
        for action in position.legal()[::11]:
            choice, found = PartialAction(position), None
            for spot in position.clicks(action):
                assert spot in places
                assert found is None
                found = choice.choose(spot)
            assert found == action


# -- Matches --------------------------------------------------------------------


def test_a_match_and_its_record(manifest: Manifest) -> None:
    last = [*random_match(manifest.with_options(), seed=1)][-1]
    seats = seated(last.game, "")
    history = History(Setup(last.game.spec, seats))
    for text in last.texts():
        history.play(text)
    history.go(3)
    tags = {"Event": "a club", "Termination": "resignation"}
    again = History.from_record(history.record(tags), seats)
    assert (again.at, again.whole.position) == (3, last)
    kept = history.record(tags).tags
    assert next(iter(kept)) == "Game"
    assert kept["Event"] == "a club"
    assert "Termination" not in kept


def test_pairs_are_kept_and_judged(manifest: Manifest, tmp_path: Path) -> None:
    if manifest.second_game is None:
        pytest.skip("no pairs of games")
    table = opened(TableRequest(manifest.name, pair=True, data=tmp_path))
    answers = []
    while table.match.status != OVER:
        answers.append(table.do(table.position.write(table.position.legal()[0])))
        if table.history.last in (5, 80):
            again = History.from_record(table.history.record({}), table.history.setup.seats)
            assert again.match.positions_by_ply == table.match.positions_by_ply
            assert again.setup.pair
    assert sum("begins the second" in answer for answer in answers) == 1
    assert "Both games together" in answers[-1]
    kept = table.history.record({})
    record.verify(kept)
    assert (len(kept.games), kept.result) == (2, table.match.result)
    table.do("undo")
    assert table.match.result == ""
    table.farewell()


# -- On the disk ----------------------------------------------------------------


@pytest.fixture
def table(tmp_path: Path) -> TerminalTable:
    return opened(TableRequest(games.ours()[0], data=tmp_path))


def act(table: TerminalTable) -> None:
    table.do(table.position.write(table.position.legal()[0]))


def test_two_tables_do_not_disturb_each_other(table: TerminalTable, tmp_path: Path) -> None:
    other = opened(TableRequest(games.ours()[0], data=tmp_path))
    act(table)
    act(other)
    assert table.kept is not None
    assert other.kept is not None
    assert table.kept.path != other.kept.path
    with pytest.raises(CannotKeep, match="no unfinished match"):
        opened(TableRequest(resume="", data=tmp_path))  # both are being played
    with pytest.raises(CannotKeep, match="being played at another table"):
        opened(TableRequest(resume=str(table.kept.path), data=tmp_path))
    table.farewell()
    again = opened(TableRequest(resume="", data=tmp_path))
    assert again.kept is not None
    assert again.kept.path == table.kept.path
    again.farewell()
    other.farewell()


def test_the_newest_unfinished_match_goes_on(table: TerminalTable, tmp_path: Path) -> None:
    act(table)
    table.farewell()
    assert table.kept is not None
    folder = Shelf(tmp_path).folder
    os.utime(table.kept.path, ns=(1, 1))
    (folder / "broken.record").write_text("no record")
    done = [*random_match(table.position.game, seed=1)][-1]
    (folder / "done.record").write_text(record.write(record.record_of(done)))
    again = opened(TableRequest(resume="", data=tmp_path))
    assert again.position == table.position
    again.farewell()


def test_the_way_back_can_be_copied_whatever_the_folder_is_called(tmp_path: Path) -> None:
    folder = tmp_path / "my matches"
    table = opened(TableRequest(games.ours()[0], data=folder))
    act(table)
    command = table.farewell().rpartition("To resume it: ")[2]
    assert shlex.split(command) == ["roundel", "play", "--resume", "--data", str(folder)]


def test_who_goes_on_keeps_the_names_of_the_seats(tmp_path: Path) -> None:
    table = opened(TableRequest(games.ours()[0], seats="Anna,random", data=tmp_path))
    act(table)
    table.farewell()
    again = opened(TableRequest(resume="", data=tmp_path))
    assert again.names == ["Anna", "random"]
    assert [bot is not None for bot in again.bots] == [False, True]
    again.farewell()


def test_a_name_that_cannot_be_shown_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongSeats, match="not a valid name"):
        opened(TableRequest(games.ours()[0], seats="Anna\x1b[2J,Ben", data=tmp_path))


def test_of_two_unfinished_matches_the_one_played_last_goes_on(tmp_path: Path) -> None:
    paths = []
    for _number in range(2):
        table = opened(TableRequest(games.ours()[0], data=tmp_path))
        act(table)
        table.farewell()
        assert table.kept is not None
        paths.append(table.kept.path)
    for last in paths:
        for path in paths:
            os.utime(path, ns=(1, 2 if path == last else 1))
        again = opened(TableRequest(resume="", data=tmp_path))
        assert again.kept is not None
        assert again.kept.path == last
        again.farewell()


def test_a_match_goes_on_even_if_it_cannot_be_kept(table: TerminalTable, tmp_path: Path) -> None:
    (tmp_path / "matches").write_text("not a folder")
    answer = table.do(table.position.write(table.position.legal()[0]))
    assert "Not saved!" in answer
    assert table.history.last == 1
    assert table.farewell() == "Goodbye."


@pytest.mark.parametrize("text", ["", "rubbish", '[Game "chess"]\n', '[Game "x"]\n\n1. a1'])
def test_files_that_hold_no_match_are_named(text: str, tmp_path: Path) -> None:
    path = tmp_path / "some.record"
    path.write_text(text)
    with pytest.raises(CannotKeep, match=r"some\.record: "):
        opened(TableRequest(resume=str(path), data=tmp_path))


def test_a_file_that_holds_no_match_stays_free_for_other_tables(tmp_path: Path) -> None:
    folder = Shelf(tmp_path).folder
    folder.mkdir()
    path = folder / "some.record"
    path.write_text("rubbish")
    with pytest.raises(CannotKeep, match="line 1"):
        opened(TableRequest(resume=str(path), data=tmp_path))
    assert list(folder.iterdir()) == [path]


def scattered(points: list[tuple[float, float]]) -> Game:
    """A game with spots at some points, whose style says nothing."""
    spots: dict[str, Spot] = {
        f"s{i}": {"x": x, "y": y, "kind": "cell"} for i, (x, y) in enumerate(points)
    }
    manifest = replace(games.manifest(games.ours()[0]), style=Style())
    game = Game(manifest, manifest.read_options(""))
    game.layout = {"spots": spots}
    return game


@pytest.mark.parametrize(
    "points",
    [
        [(0, 0)],
        [(x, y) for x in range(3) for y in range(3)],
        [(x + 0.5, y + 0.5) for x in range(3) for y in range(3)],
        [(x / 4, y / 4) for x in range(4) for y in range(4)],
        [(x + y / 2, (y + 0.5) * 0.866) for x in range(5) for y in range(5)],
        [(x * 0.866, y + x / 2) for x in range(5) for y in range(5)],
        [(2 * cos(k * pi / 3), 2 * sin(k * pi / 3)) for k in range(6)],
    ],
)
def test_a_style_need_not_say_how_far_apart_spots_are(points: list[tuple[float, float]]) -> None:
    """Nor what they look like: on boards that are regular they do not overlap all the same."""
    scale.cache_clear()  # both are kept by spec, and this is the spec of the game with a style
    plan_of.cache_clear()
    try:
        columns, rows = scale(scattered(points))
    finally:
        scale.cache_clear()
        plan_of.cache_clear()
    places = [(nearest(x * columns), nearest(y * rows)) for x, y in points]
    for (column, row), (other, other_row) in combinations(places, 2):
        assert row != other_row or abs(column - other) > len(EMPTY)
