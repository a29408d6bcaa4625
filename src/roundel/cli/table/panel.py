"""What is said beside the board: what to do next, the players, and what lies beside the board."""

from __future__ import annotations

from rich.text import Text

from roundel.cli.table.board import HINT, LAST, PATH, tally
from roundel.cli.table.commands import Table
from roundel.core.lang import _

NEXT = "▶"


def panel(table: Table, path: tuple[str, ...]) -> Text:
    match = table.match
    parts = [title(table), asked(table), chosen(table, path), players(table), trays(table)]
    text = Text()
    for part in parts:
        if part:
            text.append("\n" if text else "")
            text.append(part)
    if match.at < match.last:
        text.append("\n" + _("PgDn or redo goes forward again."), "italic")
    return text


def title(table: Table) -> Text:
    match = table.match
    ply = f"{match.at}/{match.last}" if match.at < match.last else str(match.at)
    text = Text(match.game.title, "bold")
    text.append(" · " + _("ply {ply}").format(ply=ply), "not bold")
    last = match.last_text()
    text.append(f" {LAST}{last}" if last else "", "not bold")
    return text


def asked(table: Table) -> Text:
    """The prompt; at the end who has won."""
    return Text(table.verdict() if table.match.result() else table.match.here.prompt, "bold")


def chosen(table: Table, path: tuple[str, ...]) -> Text:
    hint = table.hint_path
    return Text(
        f"{PATH} {' '.join(path)} …" if path else f"{HINT} {' '.join(hint)}" if hint else ""
    )


def players(table: Table) -> Text:
    """Whose turn it is, and how many points everybody has."""
    match, lines = table.match, []
    won = match.here.outcome or ()
    for player, (name, points) in enumerate(zip(table.seats.names, match.points(), strict=True)):
        turn = NEXT if player == match.here.player else "*" if player in won else " "
        told = _("{name}: {points}").format(name=name, points=points)
        lines.append(f"{turn} {told}")
    return Text("\n".join(lines))


def trays(table: Table) -> Text:
    """Those that the view has: one that is not needed any more is left out of it."""
    game, captions = table.match.game, table.match.game.layout.get("trays", {})
    lines = []
    for name, pieces in table.match.here.view.get("trays", {}).items():
        text, caption = tally(game, pieces) or "-", game.manifest.translate(captions[name])
        lines.append(_("{caption}: {pieces}").format(caption=caption, pieces=text))
    return Text("\n".join(lines), "dim")
