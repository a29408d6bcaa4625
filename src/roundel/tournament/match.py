"""One match, from its opening to its record. The rules are the referee."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from roundel import games
from roundel.core.position import Position
from roundel.record import Record, record_of
from roundel.record.match import OUTCOME
from roundel.tournament.engine import EngineFault
from roundel.tournament.players import Chooser, Contestant, chooser
from roundel.tournament.schedule import Fixture, opening

FAULT = "Termination"  # the tag that says what ended a match that the rules did not end


class MatchRunner:
    """Where one match after the other is played; the players stay for the next one."""

    def __init__(self, margin: float, log: Path) -> None:
        self.margin, self.log = margin, log
        self.players: dict[Contestant, Chooser] = {}

    def seated(self, contestant: Contestant) -> Chooser:
        if contestant not in self.players:
            self.players[contestant] = chooser(contestant, self.margin, self.log)
        return self.players[contestant]

    def play(self, fixture: Fixture) -> Record:
        game = games.load(fixture.spec)
        position = opening(game, fixture.seed, fixture.plies, fixture.opening)
        tags = tags_of(fixture)
        seats = [self.seated(contestant) for contestant in fixture.seats]
        seat = 0
        try:
            for seat, player in enumerate(seats):
                player.begin(game, fixture.seat_seed(seat))
            while position.player is not None:
                seat = position.player
                position = position.play(seats[seat].choose(position))
        except EngineFault as fault:
            seats[seat].close()
            tags |= forfeit(position, seat, str(fault))
        return record_of(position, tags)

    def close(self) -> None:
        for player in list(self.players.values()):
            player.close()


def tags_of(fixture: Fixture) -> dict[str, str]:
    names = {f"P{number}": name for number, name in enumerate(fixture.names, 1)}
    tags = {"Round": fixture.opening + 1, "Seed": fixture.seed, "Opening": fixture.plies}
    return {"Event": "Tournament", **names, **{name: str(value) for name, value in tags.items()}}


def forfeit(position: Position, loser: int, reason: str) -> dict[str, str]:
    """All others win; the record says who lost and why."""
    winners = [player for player in range(position.game.players) if player != loser]
    printable = "".join(c if c.isprintable() else " " for c in reason)
    fault = f"p{loser + 1} {' '.join(printable.split())}"
    return {OUTCOME: result_of(winners), FAULT: fault}


def result_of(winners: Iterable[int]) -> str:
    return "".join(f"p{player + 1}" for player in winners) + "win"
