"""The table line by line, for pipes, screen readers and terminals that cannot do more."""

from __future__ import annotations

from dataclasses import replace

from roundel import games
from roundel.cli.table.commands import TerminalTable
from roundel.cli.table.opening import TableRequest, opened
from roundel.core.errors import RoundelError
from roundel.core.lang import _
from roundel.play.match import OVER


def ask_game() -> str:
    print(_("Which game?") + "\n")
    for name in games.names():
        print(f"  {name:12} {games.manifest(name).title}")
    text = _("Options follow the name, as in NAME:OPTION=VALUE (`{command}` lists them).")
    print("\n" + text.format(command="roundel games"))
    while True:
        try:
            return games.load(input("\n" + _("game> ")).strip()).spec
        except RoundelError as error:
            print(error)


def table_for(request: TableRequest) -> TerminalTable | None:
    """None if nobody is there to say what to play."""
    try:
        return opened(replace(request, spec=ask_game()) if request.open else request)
    except EOFError:
        return None


def run(table: TerminalTable) -> None:
    """Ask for lines until the match is over or the players leave."""
    print(table.help(""))
    shown = None
    while not table.has_quit:
        if table.position is not shown:
            shown = table.position
            print(f"\n{shown}\n{shown.prompt}")
        if table.waits_for_bot:
            action = table.bot_action()
            print(f"{table.turn()}: {shown.write(action)}")
            tell(table.add(action))
        elif table.match.status == OVER:
            return
        else:
            answer(table)


def answer(table: TerminalTable) -> None:
    try:
        line = input(f"{table.turn()}> ")
    except EOFError:
        table.has_quit = True
        return
    try:
        tell(table.do(line))
    except RoundelError as error:
        print(_("{error}\n(`help` lists the commands.)").format(error=error))


def tell(text: str) -> None:
    if text:
        print(text)
