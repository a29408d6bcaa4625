"""What players sent to a server and what it acknowledged, beside what is in its store later."""

from __future__ import annotations

import sqlite3
import sys
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from roundel.play.events import Acted, Event
from roundel.web.store.opening import FILE
from tests.disk import Disk
from tests.web import House, Seated, first

NEVER = sys.maxsize


@dataclass
class Sent:
    """An action, and how far the disk's log had come when it was acknowledged."""

    seat: int
    id: str
    action: str
    at: int = NEVER


@dataclass
class Played:
    """A match, since it was acknowledged."""

    id: str
    at: int
    actions: list[Sent] = field(default_factory=list)


class Ledger:
    """Keeps account of all matches of a server."""

    def __init__(self, disk: Disk) -> None:
        self.disk, self.matches = disk, list[Played]()

    def made(self, id: str) -> Played:
        self.matches.append(Played(id, len(self.disk.log)))
        return self.matches[-1]

    def act(self, played: Played, seated: Seated) -> bool:
        """Play the first legal action, or send again what was refused; whether it is done."""
        self.send(played, seated)
        return self.hear(played, seated)

    def send(self, played: Played, seated: Seated) -> None:
        ply = len(played.actions)
        if ply == 0 or played.actions[-1].at < NEVER:
            played.actions.append(Sent(seated.now["turn"], f"{ply}", first(seated.now["paths"])))
        sent = played.actions[-1]
        seated.say(t="act", seat=sent.seat, id=sent.id, ply=int(sent.id), action=sent.action)

    def hear(self, played: Played, seated: Seated) -> bool:
        sent = played.actions[-1]
        answer = seated.answer(sent.id, "ack", "refused")
        if answer["t"] == "refused":
            assert answer["code"] == "busy", answer
            return False
        sent.at = len(self.disk.log)
        return True

    def follow(self, played: Played, seated: Seated, computer: int) -> None:
        """What the computer on that seat does next."""
        while seated.now["turn"] == computer:
            event = seated.hear("event")["event"]
            if event["kind"] == "acted" and event["seat"] == computer:
                played.actions.append(Sent(computer, "", event["action"], len(self.disk.log)))

    def check(self, folder: Path, cut: int = NEVER - 1) -> None:
        """A server on that folder has what was acknowledged before the cut, and nothing else."""
        house = House(folder)
        with house.opened():
            rows = read(folder)
            assert rows.keys() <= {played.id for played in self.matches}, "a match never made"
            for played in self.matches:
                if played.id in rows:
                    self.compare(house, played, rows[played.id], cut)
                else:
                    assert played.at > cut, f"the match {played.id} is lost"

    def compare(self, house: House, played: Played, found: list[Sent], cut: int) -> None:
        sent = [(action.seat, action.id, action.action) for action in played.actions]
        there = [(action.seat, action.id, action.action) for action in found]
        assert there == sent[: len(there)], f"{played.id}: stored {there}, sent {sent}"
        acknowledged = [action.id for action in played.actions if action.at <= cut]
        lost = acknowledged[len(there) :]
        assert not lost, f"{played.id}: actions {lost} are lost"
        assert house.client.portal
        table = house.client.portal.call(house.server.table, played.id)
        assert table.match.ply == len(there)


def read(folder: Path) -> dict[str, list[Sent]]:
    """The actions of all matches as they are stored, and whether SQLite finds its file sound."""
    connection = sqlite3.connect(folder / FILE)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        ids = connection.execute("SELECT id FROM matches")
        found: dict[str, list[Sent]] = {id: [] for (id,) in ids}
        lines = "SELECT match, seat, id, body FROM events ORDER BY match, seq"
        for match, seat, id, body in connection.execute(lines):
            event = msgspec.json.decode(body, type=Event)
            if isinstance(event, Acted):
                found[match].append(Sent(seat, id, event.action))
    finally:
        connection.close()
    return found
