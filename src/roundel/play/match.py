"""A match as it stands now: folded from its setup and its log, event by event."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from roundel.core.position import Position
from roundel.play import events
from roundel.play.clock import Clocks
from roundel.play.commands import DRAW
from roundel.play.setup import COMPUTER, OPEN, PERSON, Seat, Setup, start_of
from roundel.play.turns import PlayedAction as PlayedAction
from roundel.play.turns import passed_over, shared
from roundel.record.replay import second_start, sum_of

WAITING, PLAYING, OVER = "waiting", "playing", "over"
RULES, RESIGNED, TIME, AGREED = "rules", "resigned", "time", "agreed"  # reasons of an end
CLAIMED, ABORTED = "claimed", "aborted"


class Sitting(Seat, frozen=True):
    """Who is on a seat now."""

    is_out: bool = False  # has left and is passed over


class Match:
    """`apply` is the only way in which it changes."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.seats: list[Sitting] = []
        self.staying: list[int] = []  # the seats that have not left
        self.people: list[int] = []  # those of them that are people's
        self.games: list[list[Position]] = [[start_of(setup)]]
        self.entries: list[PlayedAction] = []
        self.passed: tuple[int, ...] = ()  # the seats that were passed over just now
        self.status = PLAYING
        self.result = self.reason = self.rematch = ""
        self.offers: dict[str, int] = {}  # what -> who offers it
        self.agreed: set[tuple[str, int]] = set()
        self.declined: set[tuple[str, int]] = set()  # is not offered again in this position
        self.clocks: Clocks | None = None
        if setup.clock:
            self.clocks = Clocks((1000 * setup.clock.seconds,) * len(setup.seats))
        self.turn: int | None = None  # the seat that is to act
        self.seq = 0  # events so far
        self.changed = 0  # the last event that changed whose turn it is, or in which position
        self.floor = 0  # nothing before this ply can be taken back
        self._tried: tuple[Position, str, Position] | None = None
        self._sit(Sitting(seat.kind, seat.name, seat.level) for seat in setup.seats)
        if self.position.over:  # a record may begin where nothing can be played
            self._end(self.position.result or "", RULES)
        self._hand_on()

    # -- State ------------------------------------------------------------------

    @property
    def positions(self) -> list[Position]:
        """Of the current game, one for each ply."""
        return self.games[-1]

    @property
    def position(self) -> Position:
        return self.games[-1][-1]

    @property
    def positions_by_ply(self) -> list[Position]:
        """Of the whole match: the position after so many actions."""
        return [*self.games[0], *(p for game in self.games[1:] for p in game[1:])]

    def around(self, ply: int) -> tuple[Position, Position]:
        """The position in which the action of that ply was chosen, and the one that it led to.

        The second game of a pair does not begin with the position that the first one ended in.
        """
        index = self.entries[ply - 1].game_index
        game, begun = self.games[index], sum(len(game) - 1 for game in self.games[:index])
        return game[ply - begun - 1], game[ply - begun]

    @property
    def game_index(self) -> int:
        """1 in the second game of a pair."""
        return len(self.games) - 1

    @property
    def ply(self) -> int:
        return len(self.entries)

    @property
    def points(self) -> tuple[int, ...]:
        """What each player has so far, in both games of a pair together."""
        return tuple(map(sum, zip(*(game[-1].points for game in self.games), strict=True)))

    @property
    def is_inside_turn(self) -> bool:
        """Whether the seat to act has already acted in this turn."""
        if not self.entries or self.passed or self.entries[-1].game_index != self.game_index:
            return False
        return self.entries[-1].seat == self.turn

    def ends_without(self, seat: int) -> bool:
        """Whether the match is over when that seat leaves: one is left, or only computers are."""
        others = [other for other in self.staying if other != seat]
        return len(others) < 2 or not {*others} & {*self.people}

    def after(self, text: str) -> Position:
        """Where an action leads. What was judged is mostly played next: that is remembered."""
        if not (self._tried and self._tried[0] is self.position and self._tried[1] == text):
            self._tried = self.position, text, self.position.play(text)
        return self._tried[2]

    # -- What happens -----------------------------------------------------------

    def apply(self, event: events.Event) -> None:
        self.seq += 1
        APPLY[type(event)](self, event)
        self._hand_on()
        if self.clocks:
            runs = self.turn if self.entries else None  # the first action takes no time
            self.clocks = self.clocks.hand_to(runs, event.at)

    def _hand_on(self) -> None:
        self.turn = self.position.player if self.status == PLAYING else None

    def _sit(self, sittings: Iterable[Sitting]) -> None:
        """Nobody acts while a seat is open."""
        self.seats = list(sittings)
        self.staying = [seat for seat, sitting in enumerate(self.seats) if not sitting.is_out]
        self.people = [seat for seat in self.staying if self.seats[seat].kind == PERSON]
        if self.status != OVER:
            waits = any(sitting.kind == OPEN for sitting in self.seats)
            self.status = WAITING if waits else PLAYING

    def _reseat(self, seat: int, changed: Sitting) -> None:
        self._sit(changed if at == seat else sitting for at, sitting in enumerate(self.seats))

    def _change(self) -> None:
        """The position is another one."""
        self.changed = self.seq
        self._lapse()

    def _lapse(self) -> None:
        """Nothing that was offered counts any more."""
        self.offers, self.agreed, self.declined = {}, set(), set()

    def _end(self, result: str, reason: str) -> None:
        self._change()
        self.status, self.result, self.reason = OVER, result, reason

    def _seated(self, event: events.Seated) -> None:
        self._reseat(event.seat, replace(self.seats[event.seat], kind=PERSON, name=event.name))

    def _acted(self, event: events.Acted) -> None:
        before, after = self.position, self.after(event.action)
        played = PlayedAction(
            self.ply + 1,
            event.seat,
            event.action,
            self.passed,
            event.clock_ms,
            self.game_index,
        )
        self.entries.append(played)
        self.positions.append(after)
        if self.clocks:
            self.clocks = self.clocks.show(event.seat, event.clock_ms, event.at)
        self.passed = passed_over(before, after)
        self._go_on()

    def _go_on(self) -> None:
        """In a new position: perhaps it is the last one, or the last one of the first game."""
        self._change()
        if not self.position.over:
            return
        if self.setup.pair and self.game_index == 0:
            self.games.append([second_start(self.position)])
            self.passed = ()
        else:
            lasts = [game[-1] for game in self.games]
            self._end(sum_of(*lasts) if self.game_index else lasts[0].result or "", RULES)

    def _taken_back(self, event: events.TakenBack) -> None:
        gone, self.entries = self.entries[event.ply :], self.entries[: event.ply]
        is_own_turn = event.seat == self.turn and {entry.seat for entry in gone} == {event.seat}
        played = sum(entry.game_index == gone[0].game_index for entry in self.entries)
        self.games = self.games[: gone[0].game_index + 1]
        del self.positions[played + 1 :]
        self.passed = gone[0].passed
        self._change()
        if self.clocks and not is_own_turn:  # otherwise a turn could be thought over for ever
            self.clocks = Clocks(self._clocks_shown(), None, event.at)

    def _clocks_shown(self) -> tuple[int, ...]:
        """What the clocks showed, by the entries."""
        shown = [1000 * self.setup.clock.seconds if self.setup.clock else -1] * len(self.seats)
        for entry in self.entries:
            shown[entry.seat] = entry.clock_ms
        return tuple(shown)

    def _offered(self, event: events.Offered) -> None:
        self.offers[event.what] = event.seat
        self.agreed = {(what, seat) for what, seat in self.agreed if what != event.what}
        self.agreed.add((event.what, event.seat))

    def _answered(self, event: events.Answered) -> None:
        if not event.yes:
            self.declined.add((event.what, self.offers.pop(event.what)))
            return
        self.agreed.add((event.what, event.seat))
        if event.what == DRAW and self.is_agreed(DRAW):
            self._end(shared(self.staying, len(self.seats)), AGREED)

    def is_agreed(self, what: str, also: int = -1) -> bool:
        """Whether all people have said yes, or would if that seat does."""
        return all(seat == also or (what, seat) in self.agreed for seat in self.people)

    def _left(self, seat: int, reason: str) -> None:
        """Somebody leaves; if the match goes on, the next event says how."""
        if self.ends_without(seat):
            others = [other for other in self.staying if other != seat]
            self._end(shared(others, len(self.seats)), reason)

    def _resigned(self, event: events.Resigned) -> None:
        self._left(event.seat, RESIGNED)

    def _flagged(self, event: events.Flagged) -> None:
        self._left(event.seat, TIME)

    def _claimed(self, event: events.Claimed) -> None:
        self._left(event.against, CLAIMED)

    def _replaced(self, event: events.Replaced) -> None:
        self._reseat(event.seat, replace(self.seats[event.seat], kind=COMPUTER, level=event.level))
        self._lapse()
        if self.clocks and self.setup.clock:  # the computer shall not lose by what was used up
            full = 1000 * self.setup.clock.seconds
            self.clocks = self.clocks.show(event.seat, full, event.at)

    def _passed(self, event: events.Passed) -> None:
        """The rules go on without a player, so nothing before can be taken back."""
        self._reseat(event.seat, replace(self.seats[event.seat], is_out=True))
        here, rules = self.position, self.position.game.rules
        state = rules.retire(here.state, event.seat)  # type: ignore[attr-defined]
        self.positions[-1] = Position(here.game, state, ply=here.ply, from_start=False)
        self.floor = self.ply
        self.passed += (event.seat,) if here.player == event.seat else ()
        self._go_on()

    def _aborted(self, event: events.Aborted) -> None:
        self._end("", ABORTED)

    def _ended(self, event: events.Ended) -> None:
        self._end(event.result, event.reason)

    def _said(self, event: events.Said) -> None:
        """Words change nothing."""

    def _rematched(self, event: events.Rematched) -> None:
        self.rematch = event.match


APPLY: dict[type, Callable[[Match, Any], None]] = {
    events.Seated: Match._seated,
    events.Acted: Match._acted,
    events.TakenBack: Match._taken_back,
    events.Offered: Match._offered,
    events.Answered: Match._answered,
    events.Resigned: Match._resigned,
    events.Flagged: Match._flagged,
    events.Claimed: Match._claimed,
    events.Replaced: Match._replaced,
    events.Passed: Match._passed,
    events.Aborted: Match._aborted,
    events.Ended: Match._ended,
    events.Said: Match._said,
    events.Rematched: Match._rematched,
}


def fold(setup: Setup, log: Iterable[events.Event]) -> Match:
    """The match after all these events."""
    match = Match(setup)
    for event in log:
        match.apply(event)
    return match
