"""What people can say at a table. Keys and clicks of a screen say the same words.

`TerminalTable.do` takes a line and answers with a text; what is wrong is a `RoundelError` and
changes nothing. Every change is on the disk before it is answered.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from threading import Lock
from typing import TYPE_CHECKING

from roundel.bots import BOTS, Bot, Budget, choose
from roundel.cli.table import saving
from roundel.cli.table.history import History
from roundel.core.errors import RoundelError
from roundel.core.lang import N_, _
from roundel.play.match import OVER, Match
from roundel.play.outcome import winners_of
from roundel.play.setup import COMPUTER

if TYPE_CHECKING:
    from roundel.core.game import Action
    from roundel.core.position import Position
    from roundel.record import Record

HELP = {  # command: what it does
    "help": N_("list the commands"),
    "undo": N_("take back your last move"),
    "redo": N_("play the moves again that you took back"),
    "hint": N_("show what the computer would play"),
    "thoughts": N_(
        "show what the computer thinks of this position (thoughts last: of the last move)"
    ),
    "legal": N_("list the legal moves, or only those that begin with a word"),
    "replay": N_("show the match after a number of moves: replay 0, replay 1 ..."),
    "fen": N_("print the position as one line of text"),
    "save": N_("save a copy of the match: save FILE, or save! FILE to overwrite"),
    "quit": N_("quit; the match is saved"),
}


SLOW = ("hint", "thoughts")  # commands that take as long as a search
THINKING = Budget(seconds=1.0)  # for one of them
LAST = "last"


class CannotSay(RoundelError):
    """The word is a command, but it cannot be obeyed here or as it is said."""


class TerminalTable:
    """A match with its history, the bots that play it, and where it is kept."""

    def __init__(self, history: History, shelf: saving.Shelf, seed: int = 0) -> None:
        self.history, self.shelf = history, shelf
        seats = history.setup.seats
        self.names = [seat.name for seat in seats]
        bots = {seat.name: BOTS[seat.name](seed) for seat in seats if seat.kind == COMPUTER}
        self.bots: list[Bot | None] = [bots.get(seat.name) for seat in seats]
        self.tags = {"Date": date.today().isoformat()}
        self.kept: saving.Kept | None = None  # from the first action on
        self.hint_path: tuple[str, ...] = ()
        self.has_quit = False
        self.seed, self.at_work = seed, Lock()
        self.commands: dict[str, Callable[[str], str]] = {
            "help": self.help,
            "undo": self.undo,
            "redo": self.redo,
            "hint": self.hint,
            "thoughts": self.thoughts,
            "legal": self.legal,
            "replay": self.replay,
            "fen": self.fen,
            "save": self.save,
            "save!": self.save_over,
            "quit": self.quit,
        }

    @property
    def match(self) -> Match:
        """As it is looked at, which may be after fewer actions than were played."""
        return self.history.match

    @property
    def position(self) -> Position:
        return self.history.match.position

    def do(self, line: str) -> str:
        """Obey a command or play an action."""
        word, _space, rest = line.strip().partition(" ")
        self.hint_path = ()
        if word in self.commands:
            return self.commands[word](rest.strip())
        if rest:
            raise CannotSay(_("one move at a time, not {text}").format(text=line.strip()))
        return self.play(word) if word else ""

    def words(self) -> list[str]:
        """What can be typed now: actions, if the players may be told, and commands."""
        position = self.position
        actions = [] if position.game.unaided else sorted(map(position.write, position.legal()))
        return [*actions, *HELP]

    # -- Playing ----------------------------------------------------------------

    def play(self, action: str | Action) -> str:
        """An action of a person."""
        if self.bot is not None:
            raise CannotSay(_("it is {name}'s turn").format(name=self.turn()))
        return self.add(action)

    def add(self, action: str | Action) -> str:
        text = action if isinstance(action, str) else self.position.write(action)
        self.history.play(text)
        return " ".join(filter(None, (self.keep(), self.verdict())))

    @property
    def waits_for_bot(self) -> bool:
        return self.history.at == self.history.last and self.bot is not None

    @property
    def bot(self) -> Bot | None:
        """The bot whose action it is."""
        return None if self.match.turn is None else self.bots[self.match.turn]

    def bot_action(self) -> Action:
        position, bot = self.position, self.bot
        if bot is None:
            raise CannotSay(_("it is {name}'s turn").format(name=self.turn()))
        with self.at_work:  # a search whose answer is not wanted any more may still use its memory
            return bot(position)

    def keep(self) -> str:
        """Write the match; a full disk must not stop it, but it must be told."""
        try:
            if self.kept is None:
                self.kept = self.shelf.new(self.history.setup.spec)
            self.kept.write(self.record())
        except saving.CannotKeep as error:
            return _("Not saved! {reason}.").format(reason=error)
        return ""

    def record(self) -> Record:
        return self.history.record(self.tags)

    # -- Commands ---------------------------------------------------------------

    def help(self, rest: str) -> str:
        lines = [f"  {word:8} {_(text)}" for word, text in HELP.items()]
        return "\n".join(
            [_("Type a move in the notation of the rules, or one of these commands:"), *lines]
        )

    def undo(self, rest: str) -> str:
        self.history.undo()
        return self.moved()

    def redo(self, rest: str) -> str:
        self.history.redo()
        return self.moved()

    def replay(self, rest: str) -> str:
        if rest and not (rest.isascii() and rest.isdigit() and len(rest) < 10):
            raise CannotSay(_("expected a number of moves, got {text!r}").format(text=rest))
        self.history.go(int(rest or 0))
        return self.moved()

    def moved(self) -> str:
        wrong = self.keep() if self.kept else ""
        text = _("after {ply} of {last} moves")
        return f"{wrong} {text.format(ply=self.history.at, last=self.history.last)}".strip()

    def hint(self, rest: str) -> str:
        self.refuse_if_unaided()
        position = self.position
        action = choose(position, THINKING, self.seed).action
        self.hint_path = position.clicks(action)
        return _("for example {action}").format(action=position.write(action))

    def thoughts(self, rest: str) -> str:
        """Chances, best actions and main line, here or before the last action."""
        from roundel.analysis import think
        from roundel.analysis.words import thought_text

        position, title = self.thought_of(rest)
        thought = think(position, lambda position: choose(position, THINKING, self.seed))
        return "\n".join([*title, thought_text(thought, self.names)])

    def thought_of(self, rest: str) -> tuple[Position, list[str]]:
        if rest not in ("", LAST):
            raise CannotSay(_("expected thoughts or thoughts last, not {text!r}").format(text=rest))
        if not (rest and self.position.over):
            self.refuse_if_unaided()
        if not rest:
            return self.position, []
        if self.last_action is None:
            raise CannotSay(_("no move has been played yet"))
        position, action = self.last_action
        text, name = _("Before {name} played {action}:"), self.names[position.player or 0]
        return position, [text.format(action=position.write(action), name=name)]

    def legal(self, rest: str) -> str:
        self.refuse_if_unaided()
        position = self.position
        texts = [text for text in map(position.write, position.legal()) if text.startswith(rest)]
        return " ".join(sorted(texts)) or _("no legal move begins with {text}").format(text=rest)

    def refuse_if_unaided(self) -> None:
        """Players who must see for themselves are not told what can be played."""
        if self.position.over:
            raise CannotSay(_("the match is over"))
        if self.position.game.unaided:
            raise CannotSay(
                _("this game does not list its legal moves: finding them is part of it")
            )

    def fen(self, rest: str) -> str:
        return self.position.fen()

    def save(self, rest: str) -> str:
        return self.copied(rest, over=False)

    def save_over(self, rest: str) -> str:
        return self.copied(rest, over=True)

    def copied(self, name: str, over: bool) -> str:
        if not name:
            raise CannotSay(_("expected a file name: save FILE"))
        return _("saved as {file}").format(file=saving.copy(self.record(), name, over))

    def quit(self, rest: str) -> str:
        self.has_quit = True
        return ""

    # -- In words ---------------------------------------------------------------

    def turn(self) -> str:
        return "" if self.match.turn is None else self.names[self.match.turn]

    @property
    def last_action(self) -> tuple[Position, Action] | None:
        """The action that led here and the position before it; None at a game's beginning."""
        *before, here = self.match.positions
        return None if here.last is None or not before else (before[-1], here.last)

    def verdict(self) -> str:
        """What is to be told beside the board: a game has ended, or the second one begins."""
        match = self.match
        if match.status == OVER:
            return f"{self.winners(match.result)} {self.score()}"
        if match.game_index and len(match.positions) == 1:
            text = _("First game: {points}. The other player begins the second, on the same board.")
            return text.format(points=_(" to ").join(map(str, match.points)))
        return ""

    def winners(self, result: str) -> str:
        names = [self.names[seat] for seat in winners_of(result)]
        if not names:
            return _("A draw.")
        if len(names) == 1:
            return _("{name} wins.").format(name=names[0])
        return _("{names} share the win.").format(names=_(" and ").join(names))

    def score(self) -> str:
        points = _(" to ").join(map(str, self.match.points))
        text = (
            _("Both games together: {points}.") if self.match.setup.pair else _("Points: {points}.")
        )
        return text.format(points=points)

    def farewell(self) -> str:
        """How to go on, said when the table is left."""
        if self.kept is None:
            return _("Goodbye.")
        lines = [_("The match is saved in {file}.").format(file=self.kept.path)]
        if self.history.whole.status != OVER:
            command = f"roundel play --resume{self.shelf.option}"
            lines.append(_("To resume it: {command}").format(command=command))
        self.kept.close()
        return "\n".join(lines)
