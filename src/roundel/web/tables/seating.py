"""Who holds the seats of a table, and who is there."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from roundel.play.match import Match
from roundel.play.setup import COMPUTER, OPEN
from roundel.web.store.interface import Hold, Stored
from roundel.web.tables.messages import Presence

if TYPE_CHECKING:
    from roundel.web.sockets.clients import Client
    from roundel.web.tables.server_state import ServerState


class Seating:
    def __init__(self, server: ServerState, match: Match, stored: Stored) -> None:
        self.server, self.match = server, match
        self.keys, self.holders = stored.keys, stored.holders
        self.clients: set[Client] = set()
        self.seated: Counter[int] = Counter()  # how many of them hold each seat
        self.left_at = dict.fromkeys(range(len(match.seats)), self.now())  # when, if not there
        self.changes = 0  # whatever was made of it before the last one is out of date
        self.update()

    def now(self) -> float:
        return self.server.time.now()

    # -- Who holds which seat ---------------------------------------------------

    def held_by(self, seat: int) -> frozenset[str]:
        """The devices and keys that may act for a seat."""
        key = self.keys.get(seat)
        return frozenset(self.holders.get(seat, ())) | ({key} if key else set())

    def is_held(self, seat: int, who: frozenset[str]) -> bool:
        key, holders = self.keys.get(seat), self.holders.get(seat)
        return key in who or (holders is not None and not who.isdisjoint(holders))

    def seats_of(self, who: frozenset[str]) -> frozenset[int]:
        """The seats of somebody who has these devices or keys."""
        return frozenset(seat for seat in self.left_at if self.is_held(seat, who))

    def give(self, hold: Hold) -> None:
        """A device has got a seat; if it is watching already, it now sits there."""
        self.holders.setdefault(hold.seat, set()).add(hold.device)
        for client in self.clients:
            client.audience = client.audience._replace(seats=self.seats_of(client.who))
        self.seated = Counter(seat for client in self.clients for seat in client.audience.seats)
        self.update()

    # -- Who is there -----------------------------------------------------------

    def update(self) -> None:
        """Who has or is on which seat may be different now; every action asks for this."""
        seats = self.match.seats
        present = {seat for seat, count in self.seated.items() if count}
        present |= {seat for seat in self.left_at if seats[seat].kind == COMPUTER}
        self.absent = [seat for seat in self.left_at if seat not in present]
        # Whether one device holds the seats of all people: nobody is taken by surprise.
        held = [self.held_by(seat) for seat in self.match.people]
        waits = any(seat.kind == OPEN for seat in seats)
        self.is_solo = not waits and bool(held) and bool(frozenset.intersection(*held))
        self.changes += 1

    def add(self, client: Client) -> None:
        self.clients.add(client)
        self.seated.update(client.audience.seats)
        self.update()

    def remove(self, client: Client) -> frozenset[int]:
        """Returns the seats at which nobody is left by this."""
        self.clients.discard(client)
        self.seated.subtract(client.audience.seats)
        self.update()
        gone = client.audience.seats.intersection(self.absent)
        self.left_at.update(dict.fromkeys(gone, self.now()))
        return gone

    def is_away(self, seat: int) -> bool:
        """Whether nobody has been at a seat for so long that it can be claimed against."""
        return seat in self.absent and self.now() - self.left_at[seat] >= self.server.settings.away

    def presence(self) -> Presence:
        seats = [seat not in self.absent for seat in self.left_at]
        return Presence(seats, sum(not client.audience.seats for client in self.clients))
