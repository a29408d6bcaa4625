"""The first screen: which game, with which options, and who plays. Made from the manifests."""

from __future__ import annotations

from dataclasses import replace

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Button, Input, Label, Select, Static

from roundel import games
from roundel.cli.table.commands import TerminalTable
from roundel.cli.table.opening import TableRequest, opened
from roundel.cli.table.saving import Shelf
from roundel.cli.table.seats import level_name, levels
from roundel.core.errors import RoundelError
from roundel.core.game import Option
from roundel.core.lang import _

FEW = 12  # numbers that are offered in a list; more are typed
PAIR = "pair"


class StartScreen(Screen[TerminalTable]):
    """Asks until a table can be opened."""

    def __init__(self, request: TableRequest) -> None:
        super().__init__()
        self.request = request
        self.manifest = games.manifest(games.names()[0])

    def compose(self) -> ComposeResult:
        titles = [(games.manifest(name).title, name) for name in games.names()]
        low, *_others, high = map(level_name, levels())
        with VerticalScroll(id="start", can_focus=False):
            yield Label(_("Which game?"), classes="caption")
            yield Select(
                titles, value=self.manifest.name, allow_blank=False, id="game", compact=True
            )
            yield Vertical(id="options")
            yield Label(_("Against the computer?"), classes="caption")
            level = str(self.request.against or "")
            yield Select(opponents(), value=level, allow_blank=False, id="against", compact=True)
            text = _("Who plays? Separate names with commas; {low} to {high} are bots.")
            yield Label(text.format(low=low, high=high), classes="caption", markup=False)
            yield Input(
                self.request.seats, id="seats", compact=True, placeholder=_("people at all seats")
            )
            yield Static(id="problem", markup=False)
            with Horizontal():
                yield button(_("Play"), "play")
                resume = button(_("Resume the last match"), "resume")
                resume.disabled = next(Shelf(self.request.data).unfinished(), None) is None
                yield resume

    async def on_select_changed(self, event: Select.Changed) -> None:
        if event.select.id == "game":
            self.manifest = games.manifest(str(event.value))
            options = self.query_one("#options")
            await options.remove_children()
            await options.mount_all(self.asked())

    def asked(self) -> list[Widget]:
        """A caption and something to choose with, for each option of the game."""
        manifest, widgets = self.manifest, list[Widget]()
        for option in manifest.options:
            text = Content(f"{option.name}: {manifest.translate(option.help)}")
            widgets += [Label(text, classes="caption"), chooser(option)]
        if manifest.second_game is not None:
            text = Content(_("pair: two games on one board"))
            widgets += [Label(text, classes="caption"), chooser(Option(PAIR, "", None, False))]
        return widgets

    def chosen(self) -> dict[str, str]:
        """The value of each option as it stands there, by name."""
        widgets = [*self.query("#options Select"), *self.query("#options Input")]
        values = {str(w.name): str(w.value) for w in widgets if isinstance(w, Select | Input)}
        return {name: value.strip() for name, value in values.items()}

    def on_button_pressed(self, event: Button.Pressed) -> None:
        level = self.query_one("#against", Select).value
        against = int(str(level)) if level else None
        named = self.query_one("#seats", Input).value.strip()
        request = replace(self.request, seats=named, against=against)
        if event.button.id == "resume":
            request = replace(request, resume="")
        else:
            values = self.chosen()
            pair = values.pop(PAIR, "false") == "true"
            options = ",".join(f"{name}={value}" for name, value in values.items())
            request = replace(request, spec=f"{self.manifest.name}:{options}", pair=pair)
        try:
            self.dismiss(opened(request))
        except RoundelError as error:
            self.query_one("#problem", Static).update(str(error))


def button(text: str, name: str) -> Button:
    widget = Button(text, id=name, compact=True)
    widget.active_effect_duration = 0  # or a second press is lost while the first one glows
    return widget


def opponents() -> list[tuple[str, str]]:
    """Nobody, or the computer at one of its levels."""
    text = _("level {level}")
    return [(_("no"), ""), *((text.format(level=level), str(level)) for level in levels())]


def chooser(option: Option) -> Widget:
    """A list to choose from, or a line to type a large number into."""
    default, values = str(option.default).lower(), option.values
    if isinstance(values, range) and len(values) > FEW:
        return Input(default, name=option.name, compact=True)
    words = [(_("no"), "false"), (_("yes"), "true")]
    if values is not None:
        words = [(str(value), str(value)) for value in values]
    return Select(words, value=default, allow_blank=False, name=option.name, compact=True)
