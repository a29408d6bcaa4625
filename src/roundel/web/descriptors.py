"""Descriptors: each connection takes one of the process, and who has none left serves nobody."""

from __future__ import annotations

import logging
import resource

from msgspec.structs import replace

from roundel.core.errors import RoundelError
from roundel.core.lang import _
from roundel.web.settings import Settings

OWN = 200  # for everything but visitors: the store, processes, what is just being closed
FEWEST = 100  # with which it is worth to start
HTTP_SHARE = 4  # of so few descriptors, one in so many is for requests

log = logging.getLogger(__name__)


class TooFewDescriptors(RoundelError):
    """The system lets us open so few files that hardly anybody could be served."""


def fit_descriptors(settings: Settings) -> Settings:
    """Asks for as many as the settings need; if there are fewer, the settings are lowered."""
    wanted = settings.connections + settings.sockets + OWN
    limit = raise_limit(wanted)
    room = limit - OWN
    if limit >= wanted:
        return settings
    if room < FEWEST:
        text = _("the system allows {limit} open files, a server needs {least} (ulimit -n)")
        raise TooFewDescriptors(text.format(limit=limit, least=OWN + FEWEST))
    connections = min(settings.connections, room // HTTP_SHARE)
    sockets = min(settings.sockets, room - connections)
    text = _(
        "the system allows {limit} open files, but {wanted} are needed (ulimit -n): "
        "at most {sockets} sockets and {connections} connections are open at a time"
    )
    numbers = {"sockets": sockets, "connections": connections}
    log.warning(text.format(limit=limit, wanted=wanted, **numbers))
    return replace(settings, **numbers)


def raise_limit(wanted: int) -> int:
    """Returns how many there are now."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft >= wanted:
        return soft
    possible = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (possible, hard))
    except (OSError, ValueError):  # some systems allow less than they say
        return soft
    return possible
