"""What is said beside the board: what to do next, the players, and what lies beside the board."""

from __future__ import annotations

from rich.text import Text

from roundel.cli.table.board import HINT, LAST, PATH, tally
from roundel.cli.table.commands import TerminalTable
from roundel.core.lang import _
from roundel.play.match import OVER

NEXT = "▶"


def panel(table: TerminalTable, path: tuple[str, ...]) -> Text:
    parts = [title(table), asked(table), chosen(table, path), players(table), trays(table)]
    text = Text()
    for part in parts:
        if part:
            text.append("\n" if text else "")
            text.append(part)
    if table.history.at < table.history.last:
        text.append("\n" + _("PgDn or redo goes forward again."), "italic")
    return text


def title(table: TerminalTable) -> Text:
    at, last = table.history.at, table.history.last
    text = Text(table.position.game.title, "bold")
    text.append(" · " + _("ply {ply}").format(ply=f"{at}/{last}" if at < last else at), "not bold")
    if table.match.entries:
        text.append(f" {LAST}{table.match.entries[-1].text}", "not bold")
    return text


def asked(table: TerminalTable) -> Text:
    """The prompt; at the end who has won."""
    return Text(table.verdict() if table.match.status == OVER else table.position.prompt, "bold")


def chosen(table: TerminalTable, path: tuple[str, ...]) -> Text:
    hint = table.hint_path
    return Text(
        f"{PATH} {' '.join(path)} …" if path else f"{HINT} {' '.join(hint)}" if hint else ""
    )


def players(table: TerminalTable) -> Text:
    """Whose turn it is, and how many points everybody has."""
    match, lines = table.match, []
    won = table.position.outcome or ()
    for player, (name, points) in enumerate(zip(table.names, match.points, strict=True)):
        turn = NEXT if player == match.turn else "*" if player in won else " "
        score = _("{name}: {points}").format(name=name, points=points)
        lines.append(f"{turn} {score}")
    return Text("\n".join(lines))


def trays(table: TerminalTable) -> Text:
    """Those that the view has: one that is not needed any more is left out of it."""
    game, captions = table.position.game, table.position.game.layout.get("trays", {})
    lines = []
    for name, pieces in table.position.view.get("trays", {}).items():
        text, caption = tally(game, pieces) or "-", game.manifest.translate(captions[name])
        lines.append(_("{caption}: {pieces}").format(caption=caption, pieces=text))
    return Text("\n".join(lines), "dim")
