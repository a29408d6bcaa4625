"""Whether matches can be played and saved, for whoever watches over a server."""

from __future__ import annotations

import time
from typing import Literal

from msgspec import Struct

from roundel.core.lang import _
from roundel.web.tables.server_state import ServerState

LATELY = 5.0  # seconds; a commit is made twice a second


class Health(Struct, frozen=True):
    status: Literal["ok", "failing"]
    wrong: list[str]
    damaged: list[str]  # matches that cannot be played; the others can
    sockets: int
    tables: int


def health_of(server: ServerState) -> Health:
    wrong = faults(server)
    status: Literal["ok", "failing"] = "failing" if wrong else "ok"
    return Health(status, wrong, server.damaged, server.sockets.count, len(server.tables))


def faults(server: ServerState) -> list[str]:
    ago = time.monotonic() - server.store.committed
    if trouble := server.store.trouble:
        return [_("nothing can be saved: {reason}").format(reason=trouble)]
    if ago > LATELY:
        return [_("nothing was saved in the last {seconds} seconds").format(seconds=round(LATELY))]
    return []
