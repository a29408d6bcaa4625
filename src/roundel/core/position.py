"""A friendly, immutable face for a compiled state."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

from roundel.core import fen, hooks
from roundel.core.board import BoardView
from roundel.core.errors import IllegalAction, InvalidText, MatchOver, RoundelError
from roundel.core.game import Action, ClickPath, Game, Player, State
from roundel.core.lang import _
from roundel.kernel.engine import PLAYER, POINTS, STATUS_SIZE, WINNERS

History = tuple[Any, ...]  # () or (the history before, its last action): cheap to prolong


class Position:
    """A game and a state of it. Playing gives a new position and leaves this one as it is.

    Examples:
        >>> from roundel import games
        >>> start = games.load(games.names()[0]).start()
        >>> first = start.legal()[0]  # actions are numbers ...
        >>> after = start.play(start.write(first))  # ... and texts
        >>> (start.ply, after.ply, after.last == first)
        (0, 1, True)

        A match goes on exactly from the text of a position:

        >>> games.from_fen(after.fen()).legal() == after.legal()
        True
        >>> (after.over, after.outcome, after.result, after.returns)
        (False, None, None, (0.0, 0.0))

        What is wrong is refused with its reason:

        >>> after.play("nonsense")  # doctest: +IGNORE_EXCEPTION_DETAIL
        Traceback (most recent call last):
        roundel.core.errors.InvalidText: ...
    """

    __slots__ = ("_history", "_known_status", "_origin", "_state", "game", "ply")

    def __init__(
        self,
        game: Game,
        state: State,
        *,
        history: History = (),
        ply: int = 0,
        from_start: bool = True,
    ) -> None:
        self.game, self.ply = game, ply
        self._state, self._history = state, history
        self._origin = None if from_start else state  # what `_history` begins with
        self._known_status: list[int] | None = None

    @classmethod
    def from_fen(cls, game: Game, text: str) -> Position:
        """The position with that text. Options that it names take the place of the game's."""
        fields = fen.Fields(text)
        name, _colon, options = fields.spec.partition(":")
        if name != game.name:
            text = _("{game}: this is a position of {name!r}")
            raise InvalidText(text.format(game=game.name, name=name))
        game = game.manifest.with_options(options)
        position = cls(game, game.notation.read_fen(game.options, fields), from_start=False)
        fields.finish()
        if not position.over and not position.legal():
            raise fields.error(_("there is no legal move, but the match is not over"))
        return position

    # -- State ------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The compiled rules' own matrix, to look at only."""
        view = self._state.view()
        view.flags.writeable = False
        return view

    @property
    def _status(self) -> list[int]:
        if self._known_status is None:
            status = np.zeros(STATUS_SIZE, np.int64)
            self.game.engine.status(self._state, status)
            self._known_status = status.tolist()
        return self._known_status

    @property
    def over(self) -> bool:
        return self._status[WINNERS] != 0

    @property
    def player(self) -> Player | None:
        """Whose action it is, from 0; None when the match is over."""
        status = self._status
        return None if status[WINNERS] else status[PLAYER]

    @property
    def outcome(self) -> tuple[Player, ...] | None:
        """Who won or shares the win, all players in a draw; None while the match goes on."""
        winners = self._status[WINNERS]
        return tuple(p for p in range(self.game.players) if winners >> p & 1) if winners else None

    @property
    def result(self) -> str | None:
        """The outcome as a word: `p1win`, `draw` (two players only), `p1p3win`."""
        winners = self.outcome
        if winners is None:
            return None
        if winners == (0, 1) and self.game.players == 2:
            return "draw"
        return "".join(f"p{player + 1}" for player in winners) + "win"

    @property
    def returns(self) -> tuple[float, ...]:
        """Zero-sum: k winners 1/k each, the others -1/(n-k); 0 if all are tied or it goes on."""
        winners, n = self.outcome or (), self.game.players
        if len(winners) in (0, n):
            return (0.0,) * n
        k = len(winners)
        return tuple(1 / k if player in winners else -1 / (n - k) for player in range(n))

    @property
    def points(self) -> tuple[int, ...]:
        """What each player has, by the game's own count; also while the match goes on."""
        return tuple(self._status[POINTS : POINTS + self.game.players])

    @property
    def prompt(self) -> str:
        """What is to be done next, in words."""
        return self.game.manifest.view.prompt(self._state)

    @property
    def view(self) -> BoardView:
        """What stands where, as plain data for a board to draw."""
        return self.game.manifest.view.view(self._state)

    # -- Actions ----------------------------------------------------------------

    def legal(self) -> list[Action]:
        """All legal actions, ascending; empty exactly when the match is over."""
        buffer = np.empty(self.game.num_actions, np.int64)
        actions: list[int] = buffer[: self.game.engine.legal(self._state, buffer)].tolist()
        return actions

    def play(self, action: Action | str) -> Position:
        """The position after an action, or after several, written with spaces between them."""
        if isinstance(action, str):
            position = self
            for text in action.split():
                position = position._play(position.read(text), text)
            return position
        return self._play(index(action), action)

    def _play(self, action: Action, text: object) -> Position:
        game, state = self.game, self._state
        if 0 <= action < game.num_actions:
            child = np.empty((game.rules.rows_for(state, 1), state.shape[1]), np.int64)
            if game.engine.advance(state, action, child):
                history = (self._history, action)
                after = Position(game, child, history=history, ply=self.ply + 1)
                after._origin = self._origin
                return after
        raise self._refusal(text)

    def _refusal(self, text: object) -> RoundelError:
        if self.over:
            over = _("{game}: the match is over ({result}), not {text}")
            return MatchOver(over.format(game=self.game.name, result=self.result, text=text))
        reason = self.game.manifest.reason(self._state, str(text)) or self.prompt
        refused = _("{game}: {text} is not legal here. {reason}")
        return IllegalAction(refused.format(game=self.game.name, text=text, reason=reason))

    def write(self, action: Action) -> str:
        """The text of a legal action."""
        return self.game.notation.write(self._state, action)

    def read(self, text: str) -> Action:
        """The action that a text stands for here. Whether it is legal shows when it is played."""
        if self.over:
            raise self._refusal(text)
        return self.game.notation.read(self._state, text)

    def clicks(self, action: Action) -> tuple[str, ...]:
        """Which spots to click for an action, in order. No path is the beginning of another."""
        ((clicks, _text),) = self.game.manifest.click_paths(self._state, (action,))
        return clicks

    def click_paths(self) -> list[ClickPath]:
        """The clicks and the text of every legal action."""
        return self.game.manifest.click_paths(self._state, self.legal())

    def passed(self, after: Position) -> tuple[Player, ...]:
        """The players that the rules skip between this position and the one after an action."""
        return self.game.manifest.view.passed(self._state, after._state)

    @property
    def last(self) -> Action | None:
        """The action that led here, if it is known."""
        return self._history[1] if self._history else None

    @property
    def actions(self) -> list[Action]:
        """What was played since the start (or since the position text that this began with)."""
        actions, history = [], self._history
        while history:
            history, action = history
            actions.append(action)
        return actions[::-1]

    def actions_to(self, later: Position) -> list[Action] | None:
        """What was played from here to a later position; None if that is no later one."""
        ours, theirs = self.actions, later.actions
        is_same_match = self.game == later.game and self._begins_like(later)
        return theirs[len(ours) :] if is_same_match and theirs[: len(ours)] == ours else None

    def _begins_like(self, other: Position) -> bool:
        """Whether what was played of both goes back to the same position."""
        mine, theirs = self._origin, other._origin
        return mine is theirs or (
            mine is not None and theirs is not None and np.array_equal(mine, theirs)
        )

    @property
    def before(self) -> Position | None:
        """The position before the last action; None if that is not known from the start on."""
        if self._origin is not None or not self._history:
            return None
        return self.game.start(self.actions[:-1])

    # -- Texts ------------------------------------------------------------------

    def fen(self) -> str:
        """One line without spaces from which the match can go on exactly."""
        return fen.join(self.game.spec, self.game.notation.write_fen(self._state))

    def texts(self) -> list[str]:
        """The texts of `actions`; only for a position that goes back to the start of its match."""
        position, texts = self.game.start(), []
        for action in self.actions:
            texts.append(position.write(action))
            position = position.play(action)
        return texts

    def __repr__(self) -> str:
        if self._origin is not None:
            return f"games.from_fen({self.fen()!r})"
        return f"{self.game!r}.start({' '.join(self.texts())!r})"

    def __str__(self) -> str:
        return self.game.notation.show(self._state)

    def _repr_svg_(self) -> str:
        return hooks.svg(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.fen() == other.fen()

    def __hash__(self) -> int:
        return hash(self.fen())

    def __reduce__(self) -> tuple[object, ...]:
        if self._origin is None:
            return Game.start, (self.game, self.actions)
        return Position.from_fen, (self.game, self.fen())
