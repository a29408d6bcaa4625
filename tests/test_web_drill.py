"""The drill of the guide: back up under load, lose the server, restore, play on."""

import itertools
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from scripts.load.addresses import PLAIN, loopback
from scripts.load.server import ServerProcess

from roundel import games
from roundel.web.store.opening import FILE
from tests.ledger import read
from tests.web import ME, SAME, first

TABLES = 3
EACH = 20  # addresses of a table's players
ACTIONS = 60  # acknowledged before the backup begins, and again after it
PATIENT = 60.0


@dataclass
class Table:
    """A match over REST, by a script."""

    id: str
    keys: list[str]
    acknowledged: list[str] = field(default_factory=list)  # their ids, in order

    def act(self, client: httpx.Client) -> bool:
        """Play the first legal action; False when the match is over."""
        state = client.get(f"/api/matches/{self.id}", headers=self.headers(0)).json()
        now = state["now"]
        if now["status"] == "over":
            return False
        turn = now["turn"]
        state = client.get(f"/api/matches/{self.id}", headers=self.headers(turn)).json()
        id = f"{len(self.acknowledged)}"
        wish = {"seat": turn, "ply": now["ply"], "action": first(state["now"]["paths"]), "id": id}
        address = f"/api/matches/{self.id}/actions"
        answer = client.post(address, json=wish, headers=self.headers(turn))
        assert answer.status_code == 200, answer.text
        self.acknowledged.append(id)
        return True

    def headers(self, seat: int) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.keys[seat]}"}


class Players:
    """They act as fast as the server answers, until it does not.

    Nobody may ask so often from one address: each asks from several in turn.
    """

    def __init__(self, address: str) -> None:
        self.address, self.tables = address, list[Table]()
        self.changed = threading.Condition()
        self.is_over = False

    def client(self, number: int) -> httpx.Client:
        transport = httpx.HTTPTransport(local_address=loopback(number), verify=PLAIN)
        return httpx.Client(
            base_url=self.address, transport=transport, timeout=PATIENT, trust_env=False
        )

    def play(self, spec: str, numbers: range) -> None:
        with ExitStack() as stack:
            clients = [stack.enter_context(self.client(number)) for number in numbers]
            try:
                while not self.is_over:
                    self.play_match(itertools.cycle(clients), spec)
            except httpx.TransportError:
                assert self.is_over, "the server did not answer"

    def play_match(self, clients: Iterator[httpx.Client], spec: str) -> None:
        answer = next(clients).post("/api/matches", json={"spec": spec, "seats": [ME, SAME]})
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
        table = Table(made["id"], [seat["key"] for seat in made["seats"]])
        with self.changed:
            self.tables.append(table)
        while not self.is_over and table.act(next(clients)):
            with self.changed:
                self.changed.notify_all()

    def acknowledged(self) -> dict[str, list[str]]:
        with self.changed:
            return {table.id: list(table.acknowledged) for table in self.tables}

    def wait_for(self, more: int) -> None:
        """Until so many more actions are acknowledged."""
        with self.changed:
            begun = self.count()
            assert self.changed.wait_for(lambda: self.count() >= begun + more, PATIENT)

    def count(self) -> int:
        return sum(len(table.acknowledged) for table in self.tables)


@contextmanager
def playing(address: str) -> Iterator[Players]:
    players, specs = Players(address), games.ours()
    with ThreadPoolExecutor(TABLES) as pool:
        threads = [
            pool.submit(players.play, specs[n % len(specs)], range(n * EACH, (n + 1) * EACH))
            for n in range(TABLES)
        ]
        try:
            yield players
        finally:
            players.is_over = True
        for thread in threads:
            thread.result()


def roundel(*arguments: object) -> str:
    command = [sys.executable, "-m", "roundel.cli.main", "--lang", "en", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_was_acknowledged_before_a_backup_is_there_after_the_server_was_lost(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    server = ServerProcess(data, ROUNDEL_WORKERS="0")
    with server, playing(server.address) as players:
        players.wait_for(ACTIONS)
        before = players.acknowledged()
        backup = roundel("backup", "--data", data).strip()
        players.wait_for(ACTIONS)
        players.is_over = True
        server.kill()
    late = players.count()
    assert "damaged: 0" in roundel("check", backup)
    roundel("restore", backup, "--data", data)
    assert "damaged: 0" in roundel("check", data)
    found = {id: [sent.id for sent in rows] for id, rows in read(data).items()}
    for id, actions in before.items():
        assert found[id][: len(actions)] == actions
    assert sum(map(len, found.values())) < late  # it was restored, not just started again
    kept = Path(f"{data / FILE}.before-restore-1")
    assert "damaged: 0" in roundel("check", kept)
    with server, players.client(number=0) as client:
        for table in players.tables:
            if table.id in found:
                table.acknowledged = found[table.id]
                played = len(found[table.id])
                if table.act(client):
                    assert len(table.acknowledged) == played + 1
    assert "damaged: 0" in roundel("check", data)
