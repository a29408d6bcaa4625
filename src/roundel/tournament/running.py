"""A tournament as it goes on: what is kept, what is missing, and when enough is known."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from typing import NamedTuple

from roundel.record import Record
from roundel.tournament.match import FAULT
from roundel.tournament.rating import Outcome
from roundel.tournament.schedule import Fixture, Schedule
from roundel.tournament.sprt import Sprt
from roundel.tournament.store import TournamentStore
from roundel.tournament.workers import play_all


class Result(NamedTuple):
    """What counts of a match; `fault` is what an engine did wrong in it, after its seat."""

    outcome: Outcome
    fault: str


def result_of(record: Record) -> Result:
    """As the tags tell it."""
    tags = record.tags
    players = tuple(tags[f"P{n}"] for n in range(1, 10) if f"P{n}" in tags)
    seats = [int(digit) - 1 for digit in record.result if digit.isdigit()]
    winners = tuple(seats or range(len(players)))
    return Result(Outcome(players, winners), tags.get(FAULT, ""))


class Tournament:
    """All matches of a schedule, those of earlier runs included."""

    def __init__(
        self, schedule: Schedule, store: TournamentStore, sprt: Sprt | None = None
    ) -> None:
        self.schedule, self.store, self.sprt = schedule, store, sprt
        self.fixtures = list(schedule.fixtures())
        self.results: dict[str, Result] = {}
        self.judged = 0  # matches that the test has seen, in the order of the schedule
        for fixture in self.fixtures:
            record = store.find(fixture)
            if record is not None:
                self.results[fixture.key] = result_of(record)
        self.judge()

    @property
    def decided(self) -> bool:
        return self.sprt is not None and bool(self.sprt.accepted)

    def missing(self) -> list[Fixture]:
        return [fixture for fixture in self.fixtures if fixture.key not in self.results]

    def played(self) -> Iterator[tuple[Fixture, Result]]:
        """In the order of the schedule."""
        for fixture in self.fixtures:
            if fixture.key in self.results:
                yield fixture, self.results[fixture.key]

    def play(self, workers: int, margin: float) -> Generator[Result, None, None]:
        """Play what is missing, and keep each match before it is told."""
        if self.decided:
            return
        with closing(play_all(self.missing(), workers, margin, self.store.log)) as matches:
            for fixture, record in matches:
                self.keep(fixture, record)
                self.judge()
                yield self.results[fixture.key]
                if self.decided:
                    return

    def keep(self, fixture: Fixture, record: Record) -> None:
        try:
            self.store.keep(fixture, record)
        except KeyboardInterrupt:  # the match has ended: it is not lost for that
            self.store.keep(fixture, record)
            raise
        finally:
            self.results[fixture.key] = result_of(record)

    def judge(self) -> None:
        """Tell the test about pairs as they are scheduled: quick matches must not count more."""
        while self.sprt and self.judged < len(self.fixtures):
            pair = self.fixtures[self.judged : self.judged + 2]
            if not all(fixture.key in self.results for fixture in pair):
                return
            first = self.schedule.contestants[0].name
            self.sprt.add(sum(self.share(fixture, first) for fixture in pair) / 2)
            self.judged += 2

    def share(self, fixture: Fixture, name: str) -> float:
        outcome = self.results[fixture.key].outcome
        return outcome.shares[outcome.players.index(name)]
