"""Who gets a socket when there are many: nobody can take all of them.

An address has a share at most. If all are taken, somebody at an address that has fewer gets one of
the address that has most; behind an address, devices share in the same way.
"""

from __future__ import annotations

from roundel.core.lang import _
from roundel.web.requests.places import Occupant, Places
from roundel.web.requests.problems import Problem
from roundel.web.requests.visitors import Visitor

FULL_RETRY = 5.0  # seconds


def make_room(sockets: Places[Occupant], visitor: Visitor) -> None:
    """`Problem` if the visitor is to wait; otherwise somebody may have to leave."""
    address = sockets.crowded(visitor)
    if address is None:
        return
    rival = sockets.greediest(address) if address in sockets.members else visitor
    if address == visitor.address and sockets.of(rival) < sockets.of(visitor) + sockets.lead:
        raise Problem("busy", refusal(sockets, visitor), FULL_RETRY)
    occupant = sockets.oldest(rival)
    sockets.leave(rival, occupant)
    occupant.send_away()


def refusal(sockets: Places[Occupant], visitor: Visitor) -> str:
    if sockets.by_address[visitor.address] >= sockets.share:
        return _("too many tables are open at your address; please close some of them")
    return _("too many people are here; please try again in a moment")
