"""The table in the terminal, driven as people drive it: by keys, by typing and by mouse."""

import asyncio
import os
import pty
import select
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from io import FileIO
from pathlib import Path
from threading import Event

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Select, Static

from roundel import games
from roundel.bots import BOTS, Bot, Budget
from roundel.cli.table.app import TableApp
from roundel.cli.table.board import Place
from roundel.cli.table.commands import Table
from roundel.cli.table.opening import Wish, opened
from roundel.cli.table.screen import TableScreen
from roundel.cli.table.seats import WrongSeats
from roundel.cli.table.widgets import Board
from roundel.core.game import Action, Game, Manifest
from roundel.core.playthrough import random_match
from roundel.core.position import Position

NAME = games.names()[0]
SIZES = [(80, 24), (40, 20), (12, 6), (200, 60)]

Drive = Callable[[TableApp, Pilot[None]], Awaitable[None]]


def drive(wish: Wish, people: Drive, size: tuple[int, int] = (80, 24)) -> TableApp:
    app = TableApp(wish)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await people(app, pilot)

    asyncio.run(run())
    return app


def table(app: TableApp) -> Table:
    assert app.table is not None
    return app.table


def message(app: TableApp) -> str:
    return str(app.screen.query_one("#message", Static).content)


def panel(app: TableApp) -> str:
    return str(app.screen.query_one("#panel", Static).content)


def first_text(name: str) -> str:
    start = games.load(name).start()
    return start.write(start.legal()[0])


async def type_in(pilot: Pilot[None], line: str) -> None:
    await pilot.press(*line, "enter")


async def say(pilot: Pilot[None], line: str) -> None:
    """As if it were typed, but quicker."""
    pilot.app.screen.query_one(Input).value = line
    await pilot.press("enter")


async def point(app: TableApp, pilot: Pilot[None], spot: str) -> None:
    """Go to a spot by Tab, the shorter way round, and choose it."""
    board = app.screen.query_one(Board)
    places = board.drawing.places
    spots = sorted(board.choice.targets, key=lambda s: (places[s].row, places[s].column))
    if board.cursor not in spots:
        await pilot.press("tab")
    ahead = (spots.index(spot) - spots.index(board.cursor)) % len(spots)
    back = len(spots) - ahead
    keys = ["tab"] * ahead if ahead <= back else ["shift+tab"] * back
    await pilot.press(*keys, "enter")


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

    app = drive(Wish(game.spec, data=tmp_path), people)
    assert table(app).match.here == last
    assert table(app).match.positions[-1].texts() == last.texts()
    assert table(app).farewell().endswith(".record.")


def test_every_option_set_can_be_looked_at(manifest: Manifest, tmp_path: Path) -> None:
    for options in manifest.option_sets:
        game = manifest.with_options(options)

        async def people(app: TableApp, pilot: Pilot[None]) -> None:
            await pilot.press("up", "down", "left", "right", "tab", "enter", "escape")
            board = app.screen.query_one(Board)
            assert board.cursor in board.drawing.places

        drive(Wish(game.spec, data=tmp_path), people)


def test_against_a_bot_and_back_over_its_actions(manifest: Manifest, tmp_path: Path) -> None:
    game = manifest.with_options()

    async def people(app: TableApp, pilot: Pilot[None]) -> None:
        match = table(app).match
        for _ in range(6):
            await say(pilot, match.here.write(match.here.legal()[0]))
            await app.workers.wait_for_complete()
            assert match.here.over or match.here.player == 0
        there = match.at
        await pilot.press("ctrl+z")
        assert match.at < there
        assert match.here.player == 0
        await pilot.press("ctrl+y")
        assert match.at == there

    drive(Wish(game.spec, seats="me,random", data=tmp_path, seed=4), people)


def test_bots_alone_play_a_match_to_its_end(tmp_path: Path) -> None:
    async def people(app: TableApp, pilot: Pilot[None]) -> None:
        await app.workers.wait_for_complete()
        assert table(app).match.over
        await say(pilot, "replay 3")
        assert table(app).match.at == 3
        await say(pilot, first_text(NAME))
        assert "it is the turn of random" in message(app)

    drive(Wish(NAME, seats="random,random", data=tmp_path, seed=1), people)


# -- Going back, hints, mistakes --------------------------------------------------


def test_undo_redo_and_replay_drop_nothing_until_something_is_played(tmp_path: Path) -> None:
    texts = list(random_match(games.load(NAME), seed=2))[6].texts()

    async def people(app: TableApp, pilot: Pilot[None]) -> None:
        match = table(app).match
        await pilot.press("ctrl+z")
        assert "nothing to take back" in message(app)
        for text in texts:
            await say(pilot, text)
        await pilot.press("ctrl+z", "ctrl+z")
        assert (match.at, match.last) == (4, 6)
        await pilot.press("ctrl+y")
        assert match.at == 5
        await pilot.press("ctrl+home")
        assert match.at == 0
        await pilot.press("pagedown", "pagedown", "pageup")
        assert (match.at, match.last) == (1, 6)
        await pilot.press("ctrl+end")
        assert match.here.texts() == texts
        await say(pilot, "replay 99")
        assert "expected a ply from 0 to 6, got 99" in message(app)
        await say(pilot, "replay 2")
        other = next(t for t in map(match.here.write, match.here.legal()) if t != texts[2])
        await say(pilot, other)
        assert match.positions[-1].texts() == [*texts[:2], other]

    drive(Wish(NAME, data=tmp_path), people)


def test_wrong_input_is_named_and_changes_nothing(tmp_path: Path) -> None:
    async def people(app: TableApp, pilot: Pilot[None]) -> None:
        for line, reason in [
            ("nonsense", "nonsense"),
            ("replay x", "expected a ply"),
            ("replay 1", "from 0 to 0"),
            ("save", "expected a file name"),
            ("one two", "one action at a time"),
            ("redo", "nothing was taken back"),
            (f"save {tmp_path}/no/where", "No such file"),
        ]:
            await say(pilot, line)
            assert reason in message(app)
            assert app.screen.query_one("#message").has_class("wrong")
        assert table(app).match.last == 0
        assert app.screen.focused is app.screen.query_one(Input)

    drive(Wish(NAME, data=tmp_path), people)
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

        drive(Wish(game.spec, data=tmp_path), people)


def test_thoughts_only_where_players_may_be_told(
    manifest: Manifest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("roundel.cli.table.commands.THINKING", Budget(nodes=3))
    for options in manifest.option_sets:
        game = manifest.with_options(options)
        text = first_text(game.spec)

        async def people(app: TableApp, pilot: Pilot[None], text: str = text) -> None:
            told = not table(app).match.game.unaided
            await thoughts(app, pilot, "f4")
            assert ("nothing was played yet" in message(app)) == told
            await thoughts(app, pilot, "f3")
            assert ("Main line: " in message(app)) == ("To win: Player 1" in message(app)) == told
            await say(pilot, text)
            await thoughts(app, pilot, "f4")
            assert (f"Before {text} of Player" in message(app)) == told
            await say(pilot, "thoughts x")
            await app.workers.wait_for_complete()
            assert "expected thoughts or thoughts last" in message(app)
            assert table(app).match.last == 1

        drive(Wish(game.spec, data=tmp_path), people)


async def thoughts(app: TableApp, pilot: Pilot[None], key: str) -> None:
    await pilot.press(key)
    await app.workers.wait_for_complete()


def test_thoughts_of_the_last_action_when_the_match_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("roundel.cli.table.commands.THINKING", Budget(nodes=3))
    *_, last = random_match(games.load(NAME), seed=3)

    async def people(app: TableApp, pilot: Pilot[None]) -> None:
        await app.workers.wait_for_complete()
        for text in last.texts():
            await say(pilot, text)
        await thoughts(app, pilot, "f3")
        assert "the match is over" in message(app)
        await thoughts(app, pilot, "f4")
        assert f"Before {last.texts()[-1]} of" in message(app)

    drive(Wish(NAME, data=tmp_path), people)


def test_a_bot_still_acts_after_it_was_asked_for_its_thoughts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asking takes the place of its search, so that must begin anew."""
    monkeypatch.setattr("roundel.cli.table.commands.THINKING", Budget(nodes=3))
    asked, go_on = Event(), Event()

    def slow(seed: int) -> Bot:
        def bot(position: Position) -> Action:
            asked.set()
            assert go_on.wait(60)
            return position.legal()[0]

        return bot

    monkeypatch.setitem(BOTS, "slow", slow)

    async def people(app: TableApp, pilot: Pilot[None]) -> None:
        await say(pilot, first_text(NAME))
        assert await asyncio.to_thread(asked.wait, 60)
        await pilot.press("f3")
        go_on.set()
        await app.workers.wait_for_complete()
        assert table(app).match.here.player == 0
        assert table(app).match.last >= 2

    drive(Wish(NAME, seats="me,slow", data=tmp_path), people)


def test_typing_is_completed(tmp_path: Path) -> None:
    async def people(app: TableApp, pilot: Pilot[None]) -> None:
        await pilot.press("r", "e", "p")
        await app.workers.wait_for_complete()
        await pilot.pause()
        await pilot.press("tab")
        assert app.screen.query_one(Input).value == "replay"
        await pilot.press("escape")
        assert app.screen.query_one(Input).value == ""

    drive(Wish(NAME, data=tmp_path), people)


def test_the_mouse_chooses_spots(manifest: Manifest, tmp_path: Path) -> None:
    async def people(app: TableApp, pilot: Pilot[None]) -> None:
        board, here = app.screen.query_one(Board), table(app).match.here
        for spot in here.clicks(here.legal()[0]):
            place: Place = board.drawing.places[spot]
            await pilot.click(Board, offset=(place.column, place.row))
        assert table(app).match.here == here.play(here.legal()[0])

    drive(Wish(manifest.name, data=tmp_path), people)


@pytest.mark.parametrize("size", SIZES)
def test_any_window_is_wide_enough(
    size: tuple[int, int], manifest: Manifest, tmp_path: Path
) -> None:
    async def people(app: TableApp, pilot: Pilot[None]) -> None:
        await pilot.press("down", "right", "right", "f1", "f2", "tab", "enter")
        await pilot.resize_terminal(30, 10)
        await pilot.press("left", "up", "escape")
        await say(pilot, "undo")

    drive(Wish(manifest.name, data=tmp_path), people, size)


def test_the_whole_board_is_seen_at_80_by_24(manifest: Manifest, tmp_path: Path) -> None:
    async def people(app: TableApp, pilot: Pilot[None]) -> None:
        frame = app.screen.query_one("#frame")
        assert frame.max_scroll_x == frame.max_scroll_y == 0

    drive(Wish(manifest.name, data=tmp_path), people)


# -- Keeping matches ------------------------------------------------------------


def test_leaving_and_going_on(manifest: Manifest, tmp_path: Path) -> None:
    line = list(random_match(manifest.with_options(), seed=5))[:7]

    async def first(app: TableApp, pilot: Pilot[None]) -> None:
        for text in line[-1].texts():
            await say(pilot, text)
        await pilot.press("ctrl+z", "ctrl+c")

    left = drive(Wish(manifest.name, seats="Anna,Ben", data=tmp_path), first)
    assert left.return_code == 130
    assert "roundel play --resume" in table(left).farewell()

    async def second(app: TableApp, pilot: Pilot[None]) -> None:
        assert table(app).match.here == line[-2]
        await pilot.press("ctrl+end")
        assert table(app).match.here == line[-1]
        assert "Anna" in panel(app)
        await pilot.press("ctrl+q")

    again = drive(Wish(resume="", data=tmp_path), second)
    assert again.return_code == 0
    table(again).farewell()
    assert len(list((tmp_path / "matches").iterdir())) == 1, "the same file, and no lock"


def test_a_copy_is_saved_where_it_is_wanted_and_read_again(tmp_path: Path) -> None:
    copy = tmp_path / "copy.json"

    async def people(app: TableApp, pilot: Pilot[None]) -> None:
        await say(pilot, first_text(NAME))
        await pilot.press("ctrl+s", *str(copy), "enter")
        assert "saved as" in message(app)
        await say(pilot, f"save {copy}")
        assert "is there already" in message(app)
        await say(pilot, "undo")
        await say(pilot, f"save! {copy}")
        assert "saved as" in message(app)

    table(drive(Wish(NAME, data=tmp_path), people)).farewell()
    again = opened(Wish(resume=str(copy), data=tmp_path))
    assert (again.match.at, again.match.last, again.kept) == (0, 1, None)


# -- The first screen -----------------------------------------------------------


def test_the_first_screen_asks_for_everything(manifest: Manifest, tmp_path: Path) -> None:
    async def people(app: TableApp, pilot: Pilot[None]) -> None:
        app.screen.query_one("#game", Select).value = manifest.name
        await pilot.pause()
        app.screen.query_one("#seats", Input).value = "a,b,c,d,e"
        await pilot.pause()
        app.screen.query_one("#play").focus()
        await pilot.press("enter")
        assert "seats, not 5" in str(app.screen.query_one("#problem", Static).content)
        app.screen.query_one("#seats", Input).value = "Anna,random"
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, TableScreen)
        assert table(app).match.game == manifest.with_options()
        assert table(app).seats.names == ["Anna", "random"]

    drive(Wish(data=tmp_path), people)


def test_the_first_screen_offers_levels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "level3", BOTS["random"])

    async def people(app: TableApp, pilot: Pilot[None]) -> None:
        app.screen.query_one("#against", Select).value = "3"
        app.screen.query_one("#seats", Input).value = "Anna"
        app.screen.query_one("#play").focus()
        await pilot.press("enter")
        await pilot.pause()
        assert table(app).seats.names == ["Anna", "level3"]

    drive(Wish(data=tmp_path), people)


def test_against_a_level_all_other_seats_are_the_computer(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BOTS, "level3", BOTS["random"])
    seats = opened(Wish(game.spec, against=3, data=tmp_path)).seats
    assert seats.names == ["Player 1", *["level3"] * (game.players - 1)]
    assert [bot is None for bot in seats.bots] == [True, *[False] * (game.players - 1)]


def test_levels_that_cannot_be_played_against(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BOTS, "level3", BOTS["random"])
    for wish, reason in [
        (Wish(NAME, against=99), "no level 99; there are: .*3"),
        (Wish(NAME, seats="Anna,Ben", against=3), "no seat left"),
    ]:
        with pytest.raises(WrongSeats, match=reason):
            opened(replace(wish, data=tmp_path))


def test_who_goes_on_may_play_against_another_level(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BOTS, "level3", BOTS["random"])
    first = opened(Wish(NAME, seats="Anna,Ben", data=tmp_path))
    first.do(first_text(NAME))
    first.farewell()
    again = opened(Wish(resume="", seats="Anna", against=3, data=tmp_path))
    assert again.seats.names == ["Anna", "level3"]
    again.farewell()


# -- A real terminal ------------------------------------------------------------


def until(terminal: FileIO, wanted: bytes) -> None:
    """Read what a terminal shows until something is there."""
    seen = b""
    while wanted not in seen:
        assert select.select([terminal], [], [], 120)[0], f"no {wanted!r} in {seen[-400:]!r}"
        seen += terminal.read(65536)


@contextmanager
def started(folder: Path, *arguments: str) -> Iterator[tuple[subprocess.Popen[bytes], FileIO]]:
    """`roundel play` in a terminal of its own."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "roundel.cli.main", "play", "--data", str(folder), *arguments]
    environment = {**os.environ, "TERM": "xterm", "LANG": "C.UTF-8", "LANGUAGE": "en"}
    process = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
    )
    os.close(theirs)
    with FileIO(ours, "r+") as terminal:
        try:
            yield process, terminal
        finally:
            process.kill()
            process.wait()


def play_one(terminal: FileIO) -> None:
    until(terminal, b"F1 help")
    terminal.write(f"{first_text(NAME)}\r".encode())
    until(terminal, b"ply 1")


def test_a_killed_table_loses_nothing(tmp_path: Path) -> None:
    with started(tmp_path, NAME) as (process, terminal):
        play_one(terminal)
        process.send_signal(signal.SIGKILL)
    with started(tmp_path, "--resume") as (process, terminal):
        until(terminal, b"ply 1")
        terminal.write(b"\x03")
        until(terminal, b"roundel play --resume")
        assert process.wait() == 130


def test_a_table_whose_terminal_has_gone_ends_and_loses_nothing(tmp_path: Path) -> None:
    with started(tmp_path, NAME) as (process, terminal):
        play_one(terminal)
        terminal.close()
        assert process.wait(timeout=60) != 0
    assert opened(Wish(resume="", data=tmp_path)).match.at == 1
