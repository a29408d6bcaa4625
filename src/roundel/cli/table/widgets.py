"""The parts of the screen: the board with its cursor, and the line that is typed into."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.containers import ScrollableContainer
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.suggester import Suggester
from textual.widget import Widget
from textual.widgets import Input

from roundel.cli.table.board import Drawing, TerminalMarks, neighbour
from roundel.core.lang import _
from roundel.play.partial_action import PartialAction

AROUND = 2  # columns and rows beside the cursor that stay in sight


class BoardFrame(ScrollableContainer):
    """What is seen of a board that may be larger than the window."""

    def __init__(self, board: Board) -> None:
        super().__init__(board, id="frame", can_focus=False)


class Board(Widget):
    """The board with its cursor. Keys come to it through the line, which always has the focus."""

    class Chosen(Message):
        """A spot was chosen, by key or by mouse."""

        def __init__(self, spot: str) -> None:
            super().__init__()
            self.spot = spot

    def __init__(self, choice: PartialAction) -> None:
        super().__init__(id="board")
        self.choice, self.marks = choice, TerminalMarks()
        self.cursor = ""
        self.line: tuple[float, float] | None = None  # the column and row that arrows follow
        self.drawing = Drawing(choice.position, choice.wanted, TerminalMarks())
        self.strips: list[Strip] = []

    def show(self, choice: PartialAction, marks: TerminalMarks) -> None:
        """Draw anew; the cursor stays where it is if that place is still there."""
        self.choice, self.marks = choice, marks
        self.draw()

    def draw(self) -> None:
        choice, marks = self.choice, self.marks
        if self.cursor not in self.drawing.places:
            targets = choice.targets & self.drawing.places.keys()
            self.cursor = min(targets) if targets else next(iter(self.drawing.places))
            self.line = None
        shown = TerminalMarks(self.cursor, choice.targets, choice.path, marks.last, marks.hint)
        self.drawing = Drawing(choice.position, {*choice.wanted, *marks.last}, shown)
        if self.cursor not in self.drawing.places:  # the board was cropped anew
            self.draw()
            return
        self.strips = [Strip(line) for line in self.drawing.lines()]
        self.refresh(layout=True)
        self.call_after_refresh(self.follow)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return self.drawing.columns

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self.drawing.height

    def render_line(self, y: int) -> Strip:
        return self.strips[y] if y < len(self.strips) else Strip.blank(self.size.width)

    def follow(self) -> None:
        """Keep the cursor in sight."""
        place, frame = self.drawing.places[self.cursor], self.parent
        if isinstance(frame, BoardFrame):
            column, row = place.column - AROUND, place.row - AROUND
            region = Region(column, row, place.width + 2 * AROUND, 1 + 2 * AROUND)
            whole = Region(0, 0, self.drawing.columns, self.drawing.height)
            frame.scroll_to_region(region.intersection(whole), animate=False, force=True)

    def go(self, across: int, down: int) -> None:
        """To the next spot; on a board of hexagons the line that is followed zigzags."""
        place = self.drawing.places[self.cursor]
        column, row = self.line or (place.middle, place.row)
        goal = row if across else column
        self.cursor = neighbour(self.drawing.places, self.cursor, (across, down), goal)
        place = self.drawing.places[self.cursor]
        self.line = (place.middle, row) if across else (column, place.row)
        self.draw()

    def jump(self, step: int) -> None:
        """To the next spot that can be chosen, in reading order; to any if targets are hidden."""
        places = self.drawing.places
        targets = self.choice.targets & places.keys()
        spots = sorted(targets or places, key=lambda spot: (places[spot].row, places[spot].column))
        at = spots.index(self.cursor) if self.cursor in spots else min(-step, 0)
        self.cursor, self.line = spots[(at + step) % len(spots)], None
        self.draw()

    def choose(self) -> None:
        self.post_message(self.Chosen(self.cursor))

    def on_click(self, event: events.Click) -> None:
        for spot, place in self.drawing.places.items():
            if event.y == place.row and -1 <= event.x - place.column <= place.width:
                self.cursor, self.line = spot, None
                self.post_message(self.Chosen(spot))
                return


class Completions(Suggester):
    """Completes what is typed to the first thing that can be said."""

    def __init__(self) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self.words: list[str] = []

    def matching(self, value: str) -> list[str]:
        return [word for word in self.words if word.startswith(value)]

    async def get_suggestion(self, value: str) -> str | None:
        return next(iter(self.matching(value)), None)


class CommandLine(Input):
    """Where people type; as long as nothing is typed, its keys are the board's.

    So all keys go to one place, and a whole line that arrives at once keeps its order.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "go(0, -1)"),
        Binding("down", "go(0, 1)"),
        Binding("tab", "jump(1)"),
        Binding("shift+tab", "jump(-1)"),
    ]

    def __init__(self, words: Completions, board: Board) -> None:
        super().__init__(id="line", suggester=words, placeholder=_("type here"), compact=True)
        self.board, self.cursor_blink = board, False

    def action_go(self, across: int, down: int) -> None:
        self.board.go(across, down)

    def action_jump(self, step: int) -> None:
        """To the next spot, or take the completion."""
        if self.value:
            super().action_cursor_right()
        else:
            self.board.jump(step)

    def action_cursor_left(self, select: bool = False) -> None:
        if self.value:
            super().action_cursor_left(select)
        else:
            self.board.go(-1, 0)

    def action_cursor_right(self, select: bool = False) -> None:
        if self.value:
            super().action_cursor_right(select)
        else:
            self.board.go(1, 0)

    async def action_submit(self) -> None:
        if self.value:
            await super().action_submit()
        else:
            self.board.choose()
