"""The terminal application: asks what to play if nobody said, and opens the table."""

from __future__ import annotations

import select
import sys
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType

from roundel.cli.table.commands import TerminalTable
from roundel.cli.table.opening import TableRequest, opened
from roundel.cli.table.screen import TableScreen
from roundel.cli.table.start import StartScreen

INTERRUPTED = 130


class TableApp(App[None]):
    """One table in one terminal."""

    CSS_PATH = "table.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "leave(0)", priority=True),
        Binding("ctrl+c", f"leave({INTERRUPTED})", priority=True),
    ]

    def __init__(self, request: TableRequest) -> None:
        super().__init__()
        self.request = request
        self.table: TerminalTable | None = None if request.open else opened(request)

    def on_mount(self) -> None:
        if not self.is_headless:
            self.set_interval(1, self.leave_if_alone)
        if self.table is None:
            self.push_screen(StartScreen(self.request), self.begin)
        else:
            self.push_screen(TableScreen(self.table))

    def begin(self, table: TerminalTable | None) -> None:
        """What the first screen has opened."""
        self.table = table
        if table is None:
            self.exit()
        else:
            self.push_screen(TableScreen(table))

    def leave_if_alone(self) -> None:
        """Textual would wait for ever, and busily, at a terminal that has gone without a signal."""
        if hung_up(sys.stdin.fileno()):
            self.exit(return_code=INTERRUPTED)

    def action_leave(self, status: int) -> None:
        self.exit(return_code=status)


def hung_up(terminal: int) -> bool:
    look = select.poll()
    look.register(terminal, 0)  # a hang-up is always told
    return any(event & select.POLLHUP for _, event in look.poll(0))


def run(request: TableRequest) -> tuple[int, TerminalTable | None]:
    """Play until people leave; the exit status and the table that they left."""
    app = TableApp(request)
    app.run()
    return app.return_code or 0, app.table
