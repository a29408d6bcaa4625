"""From what people ask for to a table: a new match, or one that goes on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from roundel import games
from roundel.cli.table.commands import TerminalTable
from roundel.cli.table.history import History
from roundel.cli.table.saving import Kept, Shelf, read
from roundel.cli.table.seats import seated, seated_again
from roundel.core.errors import RoundelError
from roundel.core.lang import _
from roundel.play.setup import Setup


@dataclass(frozen=True)
class TableRequest:
    """What is asked for; `resume` is None for a new match and empty for the newest one."""

    spec: str = ""
    pair: bool = False
    seats: str = ""
    resume: str | None = None
    data: Path | None = None
    seed: int = 0
    against: int | None = None  # the level of the computer at all seats that nobody has

    @property
    def open(self) -> bool:
        """Whether it still has to be asked what to play."""
        return not self.spec and self.resume is None


def opened(request: TableRequest) -> TerminalTable:
    if request.resume is None:
        game = games.load(request.spec)
        seats = seated(game, request.seats, request.against)
        history = History(Setup(game.spec, seats, pair=request.pair))
        return TerminalTable(history, Shelf(request.data), request.seed)
    if request.spec or request.pair:
        raise RoundelError(_("a match that is resumed knows its game: expected only --resume"))
    return resumed(request, request.resume)


def resumed(request: TableRequest, name: str) -> TerminalTable:
    """The newest unfinished match, or that of a file; one from elsewhere gets a file of its own."""
    shelf, path = Shelf(request.data), Path(name).expanduser()
    kept: Kept | None = None
    if not name:
        record, kept = shelf.newest()
    elif shelf.owns(path):
        record, kept = shelf.take(path)
    else:
        record = read(path)
    game = games.load(record.spec)
    if request.seats or request.against is not None:
        seats = seated(game, request.seats, request.against)
    else:
        seats = seated_again(game, record.tags)
    table = TerminalTable(History.from_record(record, seats), shelf, request.seed)
    table.tags, table.kept = dict(record.tags), kept
    return table
