"""The table in the terminal: where matches begin, and that none is lost."""

import os
import pty
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from io import FileIO
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Select, Static

from roundel.bots import BOTS
from roundel.cli.table.app import TableApp
from roundel.cli.table.opening import TableRequest, opened
from roundel.cli.table.screen import TableScreen
from roundel.cli.table.seats import WrongSeats
from roundel.core.game import Game, Manifest
from roundel.core.playthrough import random_match
from tests.terminal import (
    NAME,
    drive,
    first_text,
    message,
    panel,
    say,
    table,
)

# -- Keeping matches ------------------------------------------------------------


def test_leaving_and_going_on(manifest: Manifest, tmp_path: Path) -> None:
    line = list(random_match(manifest.with_options(), seed=5))[:7]

    async def first(app: TableApp, pilot: Pilot[None]) -> None:
        for text in line[-1].texts():
            await say(pilot, text)
        await pilot.press("ctrl+z", "ctrl+c")

    left = drive(TableRequest(manifest.name, seats="Anna,Ben", data=tmp_path), first)
    assert left.return_code == 130
    assert "roundel play --resume" in table(left).farewell()

    async def second(app: TableApp, pilot: Pilot[None]) -> None:
        assert table(app).position == line[-2]
        await pilot.press("ctrl+end")
        assert table(app).position == line[-1]
        assert "Anna" in panel(app)
        await pilot.press("ctrl+q")

    again = drive(TableRequest(resume="", data=tmp_path), second)
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
        assert "already exists" in message(app)
        await say(pilot, "undo")
        await say(pilot, f"save! {copy}")
        assert "saved as" in message(app)

    table(drive(TableRequest(NAME, data=tmp_path), people)).farewell()
    again = opened(TableRequest(resume=str(copy), data=tmp_path))
    assert (again.history.at, again.history.last, again.kept) == (0, 1, None)


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
        assert table(app).position.game == manifest.with_options()
        assert table(app).names == ["Anna", "random"]

    drive(TableRequest(data=tmp_path), people)


def test_the_first_screen_offers_levels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "level3", BOTS["random"])

    async def people(app: TableApp, pilot: Pilot[None]) -> None:
        app.screen.query_one("#against", Select).value = "3"
        app.screen.query_one("#seats", Input).value = "Anna"
        app.screen.query_one("#play").focus()
        await pilot.press("enter")
        await pilot.pause()
        assert table(app).names == ["Anna", "level3"]

    drive(TableRequest(data=tmp_path), people)


def test_against_a_level_all_other_seats_are_the_computer(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BOTS, "level3", BOTS["random"])
    table = opened(TableRequest(game.spec, against=3, data=tmp_path))
    assert table.names == ["Player 1", *["level3"] * (game.players - 1)]
    assert [bot is None for bot in table.bots] == [True, *[False] * (game.players - 1)]


def test_levels_that_cannot_be_played_against(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BOTS, "level3", BOTS["random"])
    for request, reason in [
        (TableRequest(NAME, against=99), "no level 99; there are: .*3"),
        (TableRequest(NAME, seats="Anna,Ben", against=3), "no seat left"),
    ]:
        with pytest.raises(WrongSeats, match=reason):
            opened(replace(request, data=tmp_path))


def test_who_goes_on_may_play_against_another_level(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BOTS, "level3", BOTS["random"])
    first = opened(TableRequest(NAME, seats="Anna,Ben", data=tmp_path))
    first.do(first_text(NAME))
    first.farewell()
    again = opened(TableRequest(resume="", seats="Anna", against=3, data=tmp_path))
    assert again.names == ["Anna", "level3"]
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
    assert opened(TableRequest(resume="", data=tmp_path)).history.at == 1
