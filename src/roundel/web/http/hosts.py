"""The names by which a server may be asked for.

Anybody's domain can be made to lead to our address, and a page from there would then look like one
of ours to a browser. What gives it away is the name in `Host`.
"""

from __future__ import annotations

import ipaddress
import re
import socket

from starlette.datastructures import Headers
from starlette.types import Scope

from roundel.web.settings import Settings

LOCAL = ".local"  # only machines of the same network answer to such names


class Hosts:
    def __init__(self, settings: Settings) -> None:
        own = {socket.gethostname(), settings.host}
        self.names = {canonical(name) for name in own | settings.known_hosts}

    def refused(self, scope: Scope, headers: Headers) -> str | None:
        """The name that was asked for, if we do not know it. Browsers always send one."""
        name = canonical(re.sub(r":\d*$", "", headers.get("host", "")))
        address, _port = scope.get("server") or ("", 0)
        is_known = name in self.names or name.endswith(LOCAL) or name in ("", canonical(address))
        return None if is_known or is_local(name) or is_own(name) else name


def canonical(name: str) -> str:
    """The same text for all ways to write a name or an address.

    >>> canonical("Example.ORG."), canonical("[::1]"), canonical("::ffff:192.0.2.7")
    ('example.org', '::1', '192.0.2.7')
    """
    bare = name.strip("[]").partition("%")[0].rstrip(".").lower()
    try:
        address = ipaddress.ip_address(bare)
    except ValueError:
        return bare
    return str(getattr(address, "ipv4_mapped", None) or address)


def is_local(name: str) -> bool:
    """Whether a name or address leads nowhere but to the machine that asks."""
    try:
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def is_own(name: str) -> bool:
    """Whether this machine has that address: nothing can listen on those of others."""
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    if address.is_unspecified or address.is_multicast:
        return False
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((name, 0))
    except OSError:
        return False
    return True
