"""Links for people: as text and as a QR code that a phone can read."""

from __future__ import annotations

import io
import socket

from fastapi import Request
from msgspec import Struct

from roundel.web.http.hosts import is_local
from roundel.web.http.rest.common import server_of

EVERYWHERE = ("0.0.0.0", "::")
ELSEWHERE = ("192.0.2.1", 9)  # an address for documentation: nothing is sent to it


class Link(Struct, frozen=True):
    url: str
    qr: str  # address of a picture of it


def own_address() -> str:
    """The address that other machines in the same network see."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def base_url(request: Request) -> str:
    """Where this server is for others: a link to `localhost` is of no use to a friend."""
    url = request.base_url
    if server_of(request).settings.host in EVERYWHERE and is_local(url.hostname or ""):
        url = url.replace(hostname=own_address())
    return str(url)


def join_url(request: Request, token: str) -> str:
    return f"{base_url(request)}join/{token}"


def link(request: Request, token: str) -> Link:
    return Link(join_url(request, token), f"/api/invitations/{token}/qr")


def qr_code(url: str) -> bytes:
    """As SVG. It takes some milliseconds, so only when somebody looks at it."""
    import segno

    out = io.BytesIO()
    segno.make(url, micro=False).save(out, kind="svg", border=2, omitsize=True)
    return out.getvalue()
