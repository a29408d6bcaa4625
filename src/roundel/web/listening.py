"""How a process serves many at once: where it listens, and how uvicorn and Python are set."""

from __future__ import annotations

import asyncio
import gc
import socket
import sys

import uvicorn
from starlette.types import ASGIApp

from roundel.core.errors import RoundelError
from roundel.core.lang import _
from roundel.web.settings import Settings

LARGEST = 2048  # bytes of a message
UNREAD = 16 * 1024  # bytes that wait in the system, and are read at once: others wait meanwhile
WAITING = 2048  # connections that may wait to be accepted
SELDOM = (5_000, 2, 500)  # objects: few at a time, so that nobody waits long; old ones hardly ever
TURN = 0.001  # seconds that a thread works while another wants to: the writer's turns are short
GRACE = 5  # seconds that requests have to end


class CannotServe(RoundelError):
    """The address cannot be listened at."""


def bind_socket(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, UNREAD)  # connections inherit it
    try:
        listening.bind((settings.host, settings.port))
        listening.listen(WAITING)
    except (OSError, OverflowError) as error:
        listening.close()
        reason = _(getattr(error, "strerror", None) or str(error))
        text = _("cannot listen on {host}, port {port}: {reason}")
        wrong = text.format(host=settings.host, port=settings.port, reason=reason)
        raise CannotServe(wrong) from None
    return listening


def be_quick_for_all() -> None:
    """Nobody waits long for another thread, or for the collection of garbage."""
    sys.setswitchinterval(TURN)
    gc.freeze()
    gc.set_threshold(*SELDOM)


def configured(
    app: ASGIApp, http: type[asyncio.Protocol], sockets: type[asyncio.Protocol]
) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=http,
        ws=sockets,
        ws_per_message_deflate=False,
        ws_max_size=LARGEST,
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        backlog=WAITING,
        timeout_graceful_shutdown=GRACE,
    )
