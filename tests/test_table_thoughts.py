"""The computer's thoughts at the table in the terminal."""

import asyncio
from pathlib import Path
from threading import Event

import pytest
from textual.pilot import Pilot

from roundel import games
from roundel.bots import BOTS, Bot, Budget
from roundel.cli.table.app import TableApp
from roundel.cli.table.opening import TableRequest
from roundel.core.game import Action, Manifest
from roundel.core.playthrough import random_match
from roundel.core.position import Position
from tests.terminal import (
    NAME,
    drive,
    first_text,
    message,
    say,
    table,
)


def test_thoughts_only_where_players_may_be_told(
    manifest: Manifest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("roundel.cli.table.commands.THINKING", Budget(nodes=3))
    for options in manifest.option_sets:
        game = manifest.with_options(options)
        text = first_text(game.spec)

        async def people(app: TableApp, pilot: Pilot[None], text: str = text) -> None:
            told = not table(app).position.game.unaided
            await thoughts(app, pilot, "f4")
            assert ("no move has been played yet" in message(app)) == told
            await thoughts(app, pilot, "f3")
            assert ("Main line: " in message(app)) == ("To win: Player 1" in message(app)) == told
            await say(pilot, text)
            await thoughts(app, pilot, "f4")
            assert (f" played {text}:" in message(app)) == told
            await say(pilot, "thoughts x")
            await app.workers.wait_for_complete()
            assert "expected thoughts or thoughts last" in message(app)
            assert table(app).history.last == 1

        drive(TableRequest(game.spec, data=tmp_path), people)


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
        assert f" played {last.texts()[-1]}:" in message(app)

    drive(TableRequest(NAME, data=tmp_path), people)


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
        assert table(app).position.player == 0
        assert table(app).history.last >= 2

    drive(TableRequest(NAME, seats="me,slow", data=tmp_path), people)
