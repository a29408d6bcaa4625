"""Run the server until it is told to stop: nothing that was acknowledged is lost by that."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import webbrowser
from collections.abc import Iterator

import uvicorn
from uvicorn.server import HANDLED_SIGNALS

from roundel.core.lang import _
from roundel.web.app import make_app
from roundel.web.descriptors import fit_descriptors
from roundel.web.http.connections import Connections
from roundel.web.http.protocols import BoundedState, HttpConnection, SocketConnection
from roundel.web.http.rest.links import EVERYWHERE, own_address
from roundel.web.listening import be_quick_for_all, bind_socket, configured
from roundel.web.logs import write_logs
from roundel.web.settings import Settings
from roundel.web.store.opening import claim_folder
from roundel.web.tables.server_state import ServerState

TICKS = 10  # ten of uvicorn's ticks are a second


def addresses(settings: Settings, port: int) -> list[str]:
    """Where people find us, best for this machine first."""
    if settings.host in EVERYWHERE:
        return [f"http://127.0.0.1:{port}/", f"http://{own_address()}:{port}/"]
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return [f"http://{host}:{port}/"]


class Server(uvicorn.Server):
    """Tells where it is as soon as it can be reached."""

    addresses: list[str]
    is_opened = False
    connections: Connections

    async def on_tick(self, counter: int) -> bool:
        if counter % TICKS == 0:
            self.connections.cut_off_late()
        return await super().on_tick(counter)

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """`stopped_by_signals` does it: uvicorn would hear signals too late, and in the end send
        itself the signal again, as if to be told to stop were a reason to die of it."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for address in self.addresses:
            print(_("Roundel is at {address}").format(address=address), flush=True)
        if self.is_opened:
            await asyncio.to_thread(webbrowser.open, self.addresses[0])


def serve(settings: Settings, is_opened: bool = False) -> int:
    write_logs(settings.log)
    be_quick_for_all()
    settings = fit_descriptors(settings)
    listens, state = bind_socket(settings), ServerState(settings)
    server = Server(configured(make_app(settings, state), HttpConnection, SocketConnection))
    server.connections = Connections(settings, state.shares)
    server.server_state = BoundedState(server.connections)
    server.addresses = addresses(settings, listens.getsockname()[1])
    server.is_opened = is_opened
    with listens, claim_folder(settings.folder), stopped_by_signals(server):
        server.run([listens])
    return 0


@contextlib.contextmanager
def stopped_by_signals(server: Server) -> Iterator[None]:
    """Signals stop the server, also when it has yet to begin."""
    before = {number: signal.signal(number, server.handle_exit) for number in HANDLED_SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
