"""`make soak`: one visitor tries to stop the others; another plays meanwhile, and is timed.

    python -m scripts.attacks            # each attack for 20 seconds
    python -m scripts.attacks sockets    # only some

The server has its default limits; each visitor has an address of their own. An action must be
acknowledged within 100 ms (99 of 100), and level 1 must answer within 3 s, whatever is tried.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from tqdm import tqdm
from websockets.asyncio.client import ClientConnection, connect

from scripts.load.attacks import ATTACKS, GAME, begun
from scripts.load.server import ServerProcess

ADDRESS = "127.0.0.3"
QUIET = "nobody"
SECONDS = 20.0
PAUSE = 0.05  # seconds between two actions
MEET = 2.0  # seconds until an attack is under way
PATIENCE = 60.0
ACTION, LEVEL_1 = 0.1, 3.0  # seconds that are allowed


class Found(NamedTuple):
    name: str
    actions: list[float]
    levels: list[float]

    @property
    def p99(self) -> float:
        return statistics.quantiles(self.actions, n=100)[98]

    @property
    def is_enough(self) -> bool:
        return self.p99 <= ACTION and max(self.levels) <= LEVEL_1

    def __str__(self) -> str:
        p50 = statistics.median(self.actions)
        return (
            f"  {self.name:12}{len(self.actions):7,}{p50 * 1000:10.1f} ms{self.p99 * 1000:10.1f} ms"
            f"{max(self.actions) * 1000:10.1f} ms{max(self.levels):10.2f} s"
            f"{'' if self.is_enough else '   not enough'}"
        )


HEAD = f"  {'attack':12}{'actions':>7}{'p50':>13}{'p99':>13}{'longest':>13}{'level 1':>12}"


class Visitor:
    """Somebody who plays: against themselves, and against level 1."""

    def __init__(self, url: str) -> None:
        self.url = url
        transport = httpx.AsyncHTTPTransport(local_address=ADDRESS)
        self.http = httpx.AsyncClient(
            base_url=f"http://{url}", transport=transport, timeout=PATIENCE, trust_env=False
        )

    async def sit(self, *seats: dict[str, Any]) -> tuple[ClientConnection, dict[str, Any]]:
        """At a new table. Returns what it looks like."""
        answer = await self.http.post("/api/matches", json={"spec": GAME, "seats": list(seats)})
        made = answer.raise_for_status().json()
        (key,) = {seat["key"] for seat in made["seats"]} - {None}
        socket = await connect(
            f"ws://{self.url}/ws?match={made['id']}",
            local_addr=(ADDRESS, 0),
            additional_headers={"Authorization": f"Bearer {key}"},
            compression=None,
            proxy=None,
            open_timeout=PATIENCE,
        )
        return socket, {"match": made["id"], **await heard(socket)}

    async def act(self, socket: ClientConnection, state: dict[str, Any]) -> dict[str, Any]:
        """Play the first legal action; returns the state behind it."""
        now = state["now"]
        message = {"t": "act", "match": state["match"], "seat": now["turn"], "ply": now["ply"]}
        more = {"action": first(now["paths"]), "id": str(now["ply"])}
        await socket.send(json.dumps(message | more))
        return state | await heard(socket)

    async def play_alone(self, seconds: float) -> list[float]:
        """How long each action took to be acknowledged."""
        times: list[float] = []
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            socket, state = await self.sit({"who": "me"}, {"who": "same"})
            while state["now"]["turn"] is not None and time.perf_counter() < end:
                begun = time.perf_counter()
                state = await self.act(socket, state)
                times.append(time.perf_counter() - begun)
                await asyncio.sleep(PAUSE)
            await socket.close()
        return times

    async def play_the_computer(self, seconds: float) -> list[float]:
        """How long level 1 took to answer, from the action before it."""
        times: list[float] = []
        end = time.perf_counter() + seconds
        while time.perf_counter() < end or not times:
            socket, state = await self.sit({"who": "me"}, {"who": "computer", "level": 1})
            me = 0
            while state["now"]["turn"] is not None and (time.perf_counter() < end or not times):
                state = await self.act(socket, state)
                begun = time.perf_counter()
                while state["now"]["turn"] not in (me, None):
                    state = state | await heard(socket)
                    times.append(time.perf_counter() - begun)
            await socket.close()
        return times


async def heard(socket: ClientConnection) -> dict[str, Any]:
    """The next message with the state of the match."""
    while True:
        async with asyncio.timeout(PATIENCE):
            message: dict[str, Any] = json.loads(await socket.recv())
        assert message["t"] != "refused", message
        if "now" in message:
            return message


def first(paths: dict[str, Any] | str) -> str:
    while not isinstance(paths, str):
        paths = next(iter(paths.values()))
    return paths


async def measured(name: str, url: str, seconds: float) -> Found:
    visitor = Visitor(url)
    async with visitor.http:
        actions, levels = await asyncio.gather(
            visitor.play_alone(seconds), visitor.play_the_computer(seconds)
        )
    return Found(name, actions, levels)


def under_attack(name: str, seconds: float) -> Found:
    with tempfile.TemporaryDirectory() as folder, ServerProcess(Path(folder)) as server:
        asyncio.run(measured(name, server.url, 1.0))  # everything is loaded
        attacker = None if name == QUIET else begun(name, server.url)
        try:
            time.sleep(MEET)
            return asyncio.run(measured(name, server.url, seconds))
        finally:
            if attacker:
                attacker.kill()
                attacker.join()


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", choices=[[], QUIET, *ATTACKS])
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for each attack")
    options = parser.parse_args(arguments)
    names = options.names or [QUIET, *ATTACKS]
    found = []
    print(HEAD)
    for name in tqdm(names, unit="attack", disable=None):
        found.append(under_attack(name, options.seconds))
        tqdm.write(str(found[-1]))
    return 0 if all(one.is_enough for one in found) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
