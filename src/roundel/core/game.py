"""What a game is: a manifest that names its parts, and the game that its options make of it.

A game's folder offers three modules, described by the protocols below: `rules` (compiled: nothing
above them decides what is legal), `notation` (text) and `view` (data for a board to draw).
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from roundel.core import compiling  # noqa: F401 - people are told when something is compiled
from roundel.core.board import AccountItem, BoardLayout, BoardView
from roundel.core.errors import InvalidOption
from roundel.core.fen import Fields
from roundel.core.foreign import Foreign
from roundel.core.lang import Translator, _
from roundel.core.option import MOST_PLAYERS as MOST_PLAYERS
from roundel.core.option import PLAYERS as PLAYERS
from roundel.core.option import Option as Option
from roundel.core.option import Value as Value
from roundel.core.style import Style
from roundel.kernel.cache import Entries
from roundel.kernel.engine import engine

if TYPE_CHECKING:
    from roundel.core.position import Position

State = NDArray[np.int64]  # a matrix; what its rows mean is the game's own business
Action = int  # the smallest choice: `64 * word + bit` of `rules.targets`; may depend on the phase
Player = int  # 0 to n-1; "p1" to "p4" in texts
ClickPath = tuple[tuple[str, ...], str]  # which spots to click for an action, and its text
Way = ClickPath  # what games written for earlier versions import
Options = Mapping[str, Any]  # the value of every option of the game, by name

BUTTON = "button"  # spots of this kind are no places: they are buttons under the board
NO_ACTION = -1  # what `notation.read` gives for a text that can be read but never be played


class Rules(Protocol):
    """The kernels that `kernel/engine.py` lists, and these.

    Rules for more than two players may also offer `retire(state, player) -> State`: the position
    in which that player has left and is passed over from now on.
    """

    WORDS: int  # the most words that `targets` fills

    def initial(self, options: Options) -> State: ...
    def rows_for(self, state: State, plies: int) -> int: ...


class Notation(Protocol):
    def write(self, state: State, action: Action) -> str: ...
    def read(self, state: State, text: str) -> Action: ...
    def show(self, state: State) -> str: ...
    def write_fen(self, state: State) -> dict[str, str]: ...
    def read_fen(self, options: Options, fields: Fields) -> State: ...


class View(Protocol):
    def layout(self, options: Options) -> BoardLayout: ...
    def view(self, state: State) -> BoardView: ...
    def prompt(self, state: State) -> str: ...

    def click_paths(self, state: State, actions: Sequence[Action]) -> list[ClickPath]:
        """Of each action its clicks and its text; a board asks for all legal ones at once."""
        ...

    def seats(self, options: Options) -> list[dict[str, str]]:
        """Of each player the `role`, marked with `N_`, and the `piece` to draw beside it."""
        ...

    def account(self, state: State) -> list[AccountItem]:
        """How a finished match is counted, item by item in the order of the rule sheet.

        Each has a `text` in the language spoken now, the `spots` that it is about, the `seat` that
        gains by it and its `points`, or None; added up they are `Position.points`. Empty while the
        match goes on.
        """
        ...

    def passed(self, before: State, after: State) -> tuple[Player, ...]:
        """Who was passed over by the rules between an action and the next one."""
        ...


@dataclass(frozen=True)
class Manifest:
    """All that a game's folder tells the house about itself."""

    name: str
    title: str
    rules: Rules
    notation: Notation
    view: View
    naive: Callable[[Options], Any]  # the same rules, slow and plain: the oracle of the tests
    tagline: str = ""  # one sentence that makes one want to play
    options: tuple[Option, ...] = ()
    option_sets: tuple[str, ...] = ("",)  # what every generic test plays, as in a spec
    second_game: Callable[[Position], Position] | None = None  # for matches of a pair of games
    pair_result: Callable[[Position, Position], str] | None = None  # who won both games together
    rematch: Callable[[Game, str], str] | None = None
    """The spec of the next match after a result, for the same players in the same seats."""
    unaided: str = ""  # the flag under which players must see for themselves what they may do
    reason: Callable[[State, str], str] = lambda state, text: ""  # why a text is not legal now
    observe: Any = None  # a module: states as planes for learning programs (`kernel/batching.py`)
    evaluate: Any = None  # a module: what a position promises to each player (`search/judge.py`)
    patterns: Any = None  # a module instead of that: finer, and learnt
    style: Style = field(default_factory=Style)  # how pictures of it look
    foreign: Mapping[str, Foreign] = field(default_factory=dict)  # other sites' records, by ending

    def read_options(self, text: str) -> dict[str, Value]:
        """`blitz` or `players=3,opening=turn` as a value for each option of the game."""
        known = {option.name: option for option in self.options}
        values = {option.name: option.default for option in self.options}
        seen = set()
        for part in text.split(",") if text else ():
            name, equals, value = part.partition("=")
            if name not in known:
                text = _("{game}: no option {name!r}; there are: {known}")
                there_are = ", ".join(known) or _("none")
                raise InvalidOption(text.format(game=self.name, name=name, known=there_are))
            if name in seen:
                text = _("{game}: option {name} is given twice")
                raise InvalidOption(text.format(game=self.name, name=name))
            seen.add(name)
            try:
                values[name] = known[name].read(value if equals else None)
            except InvalidOption as error:
                text = _("{game}: {reason}")
                raise InvalidOption(text.format(game=self.name, reason=error)) from None
        return values

    def with_options(self, text: str = "") -> Game:
        return Game(self, self.read_options(text))

    def translate(self, text: str) -> str:
        """A text of the game's data (a layout, an option's help) in the language spoken now."""
        return Translator(cast(Any, self.rules).__package__)(text)

    def describe(self, option: Option, value: Value) -> str:
        """An option with its value, in plain words."""
        label = self.translate(option.label or option.name)
        if value is True:
            return label
        word = self.translate(option.labels.get(value, "")) or str(value).lower()
        return _("{label}: {value}").format(label=label, value=word)

    @functools.cached_property
    def click_paths(self) -> Callable[[State, Sequence[Action]], list[ClickPath]]:
        """The function of the view, which games written for earlier versions call `ways`."""
        written = getattr(self.view, "click_paths", None) or cast(Any, self.view).ways
        return cast(Callable[[State, Sequence[Action]], list[ClickPath]], written)

    @functools.cached_property
    def engine(self) -> Entries:
        return engine(self.name, cast(Any, self.rules))

    @property
    def folder(self) -> Path:
        """Where the game's sheets, counts and pictures lie."""
        return Path(cast(Any, self.rules).__file__).parent

    def __reduce__(self) -> tuple[object, ...]:
        return _manifest_of, (cast(Any, self.rules).__package__,)


def _manifest_of(package: str) -> Manifest:
    """Manifests travel between processes by the name of their game's folder."""
    manifest: Manifest = importlib.import_module(package).GAME
    return manifest


class Game:
    """The rules with all options chosen. One playing of it is a match.

    Examples:
        >>> from roundel import games
        >>> game = games.load(games.names()[0])
        >>> (game.players, game.spec == game.name, game.start().ply)
        (2, True, 0)
        >>> opening = [game.start().legal()[0]]
        >>> game.start(opening).actions == opening
        True

        It is written as the call that loads it, with the options that are not the defaults:

        >>> eval(repr(game)) == game
        True
    """

    def __init__(self, manifest: Manifest, options: Options) -> None:
        self.manifest, self.options = manifest, options
        self.name, self.title = manifest.name, manifest.title
        self.players = int(options.get(PLAYERS, 2))
        self.num_actions = 64 * manifest.rules.WORDS
        self.unaided = bool(options.get(manifest.unaided))
        self.engine, self.rules, self.notation = manifest.engine, manifest.rules, manifest.notation

    @functools.cached_property
    def spec(self) -> str:
        """The shortest text that `games.load` makes this game of."""
        options = [o for o in self.manifest.options if self.options[o.name] != o.default]
        texts = ",".join(option.write(self.options[option.name]) for option in options)
        return f"{self.name}:{texts}" if texts else self.name

    @property
    def chosen(self) -> list[str]:
        """The options that are not as usual, in plain words."""
        options = [(o, self.options[o.name]) for o in self.manifest.options if not o.by_lot]
        return [self.manifest.describe(o, value) for o, value in options if value != o.default]

    @functools.cached_property
    def layout(self) -> BoardLayout:
        """Where the spots of the board are, as plain data."""
        return self.manifest.view.layout(self.options)

    @functools.cached_property
    def _initial(self) -> State:
        """Shared by all matches: a position never changes its state."""
        return self.rules.initial(self.options)

    def start(self, actions: str | Iterable[Action] = "") -> Position:
        """The starting position, or the one that some actions lead to."""
        from roundel.core.position import Position

        position = Position(self, self._initial)
        for action in actions.split() if isinstance(actions, str) else actions:
            position = position.play(action)
        return position

    def __repr__(self) -> str:
        return f"games.load({self.spec!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.spec == other.spec

    def __hash__(self) -> int:
        return hash(self.spec)

    def __reduce__(self) -> tuple[object, ...]:
        return Game, (self.manifest, dict(self.options))
