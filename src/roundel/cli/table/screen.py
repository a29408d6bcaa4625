"""The table on the screen: the board, what to do next, and a line to type into."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, Static

from roundel.cli.table.board import TerminalMarks
from roundel.cli.table.commands import SLOW, TerminalTable
from roundel.cli.table.panel import panel
from roundel.cli.table.widgets import Board, BoardFrame, CommandLine, Completions
from roundel.core.errors import RoundelError
from roundel.core.lang import _
from roundel.play.partial_action import PartialAction

NARROWEST, WIDEST = 26, 40  # columns of the panel; with less room it is under the board
LIST = 60  # completions that are listed


class TableScreen(Screen[None]):
    """Every key says a command of `TerminalTable`; after each the whole screen is drawn anew."""

    AUTO_FOCUS = "#line"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+z", "say('undo')"),
        Binding("ctrl+y", "say('redo')"),
        Binding("f1", "say('help')"),
        Binding("f2", "say('hint')"),
        Binding("f3", "say('thoughts')"),
        Binding("f4", "say('thoughts last')"),
        Binding("ctrl+s", "begin('save ')"),
        Binding("pageup", "step(-1)"),
        Binding("pagedown", "step(1)"),
        Binding("ctrl+home", "step(-1000000)"),
        Binding("ctrl+end", "step(1000000)"),
        Binding("escape", "give_up"),
    ]

    def __init__(self, table: TerminalTable) -> None:
        super().__init__()
        self.table, self.words = table, Completions()
        self.choice = PartialAction(table.position)
        self.board = Board(self.choice)

    def compose(self) -> ComposeResult:
        with Container(id="main"):
            yield BoardFrame(self.board)
            yield VerticalScroll(
                Static(id="panel"), Static(id="message"), id="side", can_focus=False
            )
        yield CommandLine(self.words, self.board)
        yield Static(keys(), id="keys", markup=False)

    def on_mount(self) -> None:
        self.words.words = self.table.words()
        self.show(self.table.verdict())
        self.go_on()

    def on_resize(self) -> None:
        self.fit()

    # -- Showing ----------------------------------------------------------------

    def show(self, answer: str = "", wrong: bool = False) -> None:
        """Draw what is so now."""
        position, last = self.table.position, self.table.last_action
        if self.choice.position is not position:
            self.choice = PartialAction(position)
            self.words.words = self.table.words()
        clicks = last[0].clicks(last[1]) if last else ()
        self.board.show(self.choice, TerminalMarks(last=clicks, hint=self.table.hint_path))
        self.query_one("#panel", Static).update(panel(self.table, self.choice.path))
        self.tell(answer, wrong)
        self.fit()

    def tell(self, answer: str, wrong: bool = False) -> None:
        message = self.query_one("#message", Static)
        message.update(Content(answer))
        message.display = bool(answer)
        message.set_class(wrong, "wrong")
        seen = message if answer else self.query_one("#panel", Static)
        seen.call_after_refresh(seen.scroll_visible, animate=False, top=not answer)

    def fit(self) -> None:
        """The panel beside the board if both fit, otherwise under it."""
        room = self.size.width - self.board.drawing.columns
        self.query_one("#main").set_class(room < NARROWEST, "narrow")
        self.query_one("#side").styles.width = "1fr" if room < NARROWEST else min(room, WIDEST)
        self.board.call_after_refresh(self.board.follow)

    # -- Doing ------------------------------------------------------------------

    def action_say(self, line: str) -> None:
        self.choice.path = ()
        if line.split()[:1] and line.split()[0] in SLOW:
            self.run_worker(self.think(line), exclusive=True)
            return
        try:
            answer = self.table.do(line)
        except RoundelError as error:
            self.show(str(error), wrong=True)
        else:
            self.show(answer)
            self.go_on()

    def go_on(self) -> None:
        """Leave if that was said, and let a bot act if it is its turn."""
        if self.table.has_quit:
            self.app.exit()
        elif self.table.waits_for_bot:
            self.run_worker(self.bots(), exclusive=True)

    def action_step(self, plies: int) -> None:
        history = self.table.history
        self.action_say(f"replay {min(max(history.at + plies, 0), history.last)}")

    def action_begin(self, text: str) -> None:
        line = self.query_one(CommandLine)
        line.value, line.cursor_position = text, len(text)

    def action_give_up(self) -> None:
        """Forget what was typed and chosen."""
        self.query_one(CommandLine).value = ""
        self.choice.path, self.table.hint_path = (), ()
        self.show()

    def on_board_chosen(self, event: Board.Chosen) -> None:
        self.query_one(CommandLine).focus()  # a click may have taken it away
        try:
            action = self.choice.choose(event.spot)
        except RoundelError as error:
            self.show(str(error), wrong=True)
            return
        if action is None:
            self.show()
        else:
            self.action_say(self.choice.position.write(action))

    def on_input_changed(self, event: Input.Changed) -> None:
        """List what the line could become."""
        completions = self.words.matching(event.value) if event.value else []
        more = " …" if len(completions) > LIST else ""
        self.tell("  ".join(completions[:LIST]) + more)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        with event.input.prevent(Input.Changed):
            event.input.value = ""
        self.action_say(event.value)

    async def think(self, line: str) -> None:
        """What takes a while, in which people can go on; a bot that was thinking begins anew."""
        self.tell(_("thinking ..."))
        position = self.table.position
        try:
            answer, wrong = await asyncio.to_thread(self.table.do, line), False
        except RoundelError as error:
            answer, wrong = str(error), True
        if self.table.position is position:
            self.show(answer, wrong)
            self.go_on()
        else:
            self.table.hint_path = ()  # it came too late

    async def bots(self) -> None:
        """Let bots act one after the other; an answer that comes too late is not played."""
        table = self.table
        while table.waits_for_bot:
            position = table.position
            action = await asyncio.to_thread(table.bot_action)
            if table.position is not position:
                return
            self.show(table.add(action))


def keys() -> str:
    """The keys, the most important ones first: a narrow window leaves the others out."""
    return _(
        "Enter choose  Tab next  ^Z undo  ^Y redo  F2 hint  F3 thoughts  F1 help  PgUp/PgDn replay"
    )
