"""The table in the terminal: whole matches, mistakes, and whatever shape the window has."""

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from roundel import games
from roundel.bots import Budget
from roundel.cli.table.app import TableApp
from roundel.cli.table.board import Place
from roundel.cli.table.opening import TableRequest
from roundel.cli.table.widgets import Board
from roundel.core.game import Manifest
from roundel.core.playthrough import random_match
from roundel.play.match import OVER
from tests.terminal import (
    NAME,
    SIZES,
    drive,
    first_text,
    message,
    panel,
    point,
    say,
    table,
    type_in,
)

# -- Whole matches --------------------------------------------------------------


def test_a_whole_match_by_cursor_and_by_typing(manifest: Manifest, tmp_path: Path) -> None:
    game = manifest.with_options()
    *positions, last = random_match(game, seed=0)

    async def people(app: TableApp, pilot: Pilot[None]) -> None:
        for position, text in zip(positions, last.texts(), strict=True):
            if position.ply % 8 == 0:
                for spot in position.clicks(position.read(text)):
                    await point(app, pilot, spot)
            elif position.ply % 8 == 1:
                await type_in(pilot, text)
            else:
                await say(pilot, text)
        assert table(app).verdict() in panel(app)

    app = drive(TableRequest(game.spec, data=tmp_path), people)
    assert table(app).position == last
    assert table(app).position.texts() == last.texts()
    assert table(app).farewell().endswith(".record.")


def test_every_option_set_can_be_looked_at(manifest: Manifest, tmp_path: Path) -> None:
    for options in manifest.option_sets:
        game = manifest.with_options(options)

        async def people(app: TableApp, pilot: Pilot[None]) -> None:
            await pilot.press("up", "down", "left", "right", "tab", "enter", "escape")
            board = app.screen.query_one(Board)
            assert board.cursor in board.drawing.places

        drive(TableRequest(game.spec, data=tmp_path), people)


def test_against_a_bot_and_back_over_its_actions(manifest: Manifest, tmp_path: Path) -> None:
    game = manifest.with_options()

    async def people(app: TableApp, pilot: Pilot[None]) -> None:
        played = table(app)
        for _ in range(6):
            if not played.position.over:
                await say(pilot, played.position.write(played.position.legal()[0]))
                await app.workers.wait_for_complete()
            assert played.position.over or played.position.player == 0
        there = played.history.at
        await pilot.press("ctrl+z")
        assert played.history.at < there
        assert played.position.player == 0
        await pilot.press("ctrl+y")
        assert played.history.at == there

    drive(TableRequest(game.spec, seats="me,random", data=tmp_path, seed=4), people)


def test_bots_alone_play_a_match_to_its_end(tmp_path: Path) -> None:
    async def people(app: TableApp, pilot: Pilot[None]) -> None:
        await app.workers.wait_for_complete()
        assert table(app).match.status == OVER
        await say(pilot, "replay 3")
        assert table(app).history.at == 3
        await say(pilot, first_text(NAME))
        assert "it is random's turn" in message(app)

    drive(TableRequest(NAME, seats="random,random", data=tmp_path, seed=1), people)


# -- Going back, hints, mistakes --------------------------------------------------


def test_undo_redo_and_replay_drop_nothing_until_something_is_played(tmp_path: Path) -> None:
    texts = list(random_match(games.load(NAME), seed=2))[6].texts()

    async def people(app: TableApp, pilot: Pilot[None]) -> None:
        played = table(app)
        await pilot.press("ctrl+z")
        assert "nothing to take back" in message(app)
        for text in texts:
            await say(pilot, text)
        await pilot.press("ctrl+z", "ctrl+z")
        assert (played.history.at, played.history.last) == (4, 6)
        await pilot.press("ctrl+y")
        assert played.history.at == 5
        await pilot.press("ctrl+home")
        assert played.history.at == 0
        await pilot.press("pagedown", "pagedown", "pageup")
        assert (played.history.at, played.history.last) == (1, 6)
        await pilot.press("ctrl+end")
        assert played.position.texts() == texts
        await say(pilot, "replay 99")
        assert "expected a number of moves from 0 to 6, got 99" in message(app)
        await say(pilot, "replay 2")
        other = next(
            t for t in map(played.position.write, played.position.legal()) if t != texts[2]
        )
        await say(pilot, other)
        assert played.position.texts() == [*texts[:2], other]
        assert (played.history.at, played.history.last) == (3, 3)

    drive(TableRequest(NAME, data=tmp_path), people)


def test_wrong_input_is_named_and_changes_nothing(tmp_path: Path) -> None:
    async def people(app: TableApp, pilot: Pilot[None]) -> None:
        for line, reason in [
            ("nonsense", "nonsense"),
            ("replay x", "expected a number of moves"),
            ("replay 1", "from 0 to 0"),
            ("save", "expected a file name"),
            ("one two", "one move at a time"),
            ("redo", "there is nothing to play again"),
            (f"save {tmp_path}/no/where", "No such file"),
        ]:
            await say(pilot, line)
            assert reason in message(app)
            assert app.screen.query_one("#message").has_class("wrong")
        assert table(app).history.last == 0
        assert app.screen.focused is app.screen.query_one(Input)

    drive(TableRequest(NAME, data=tmp_path), people)
    assert not (tmp_path / "matches").exists()


def test_hints_and_targets_only_where_players_may_be_told(
    manifest: Manifest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("roundel.cli.table.commands.THINKING", Budget(nodes=2))
    for options in manifest.option_sets:
        game = manifest.with_options(options)
        text = first_text(game.spec)

        async def people(app: TableApp, pilot: Pilot[None], text: str = text) -> None:
            board = app.screen.query_one(Board)
            await pilot.press("f2")
            await app.workers.wait_for_complete()
            told = not board.choice.position.game.unaided
            assert bool(table(app).hint_path) == bool(board.choice.targets) == told
            await say(pilot, "legal")
            assert (text in message(app)) == told
            await pilot.press(text[0])
            texts = {*map(board.choice.position.write, board.choice.position.legal())}
            assert bool(texts & {*message(app).split()}) == told

        drive(TableRequest(game.spec, data=tmp_path), people)


def test_typing_is_completed(tmp_path: Path) -> None:
    async def people(app: TableApp, pilot: Pilot[None]) -> None:
        await pilot.press("r", "e", "p")
        await app.workers.wait_for_complete()
        await pilot.pause()
        await pilot.press("tab")
        assert app.screen.query_one(Input).value == "replay"
        await pilot.press("escape")
        assert app.screen.query_one(Input).value == ""

    drive(TableRequest(NAME, data=tmp_path), people)


def test_the_mouse_chooses_spots(manifest: Manifest, tmp_path: Path) -> None:
    async def people(app: TableApp, pilot: Pilot[None]) -> None:
        board, here = app.screen.query_one(Board), table(app).position
        for spot in here.clicks(here.legal()[0]):
            place: Place = board.drawing.places[spot]
            await pilot.click(Board, offset=(place.column, place.row))
        assert table(app).position == here.play(here.legal()[0])

    drive(TableRequest(manifest.name, data=tmp_path), people)


@pytest.mark.parametrize("size", SIZES)
def test_any_window_is_wide_enough(
    size: tuple[int, int], manifest: Manifest, tmp_path: Path
) -> None:
    async def people(app: TableApp, pilot: Pilot[None]) -> None:
        await pilot.press("down", "right", "right", "f1", "f2", "tab", "enter")
        await pilot.resize_terminal(30, 10)
        await pilot.press("left", "up", "escape")
        await say(pilot, "undo")

    drive(TableRequest(manifest.name, data=tmp_path), people, size)


def test_the_whole_board_is_seen_at_80_by_24(manifest: Manifest, tmp_path: Path) -> None:
    async def people(app: TableApp, pilot: Pilot[None]) -> None:
        frame = app.screen.query_one("#frame")
        assert frame.max_scroll_x == frame.max_scroll_y == 0

    drive(TableRequest(manifest.name, data=tmp_path), people)
