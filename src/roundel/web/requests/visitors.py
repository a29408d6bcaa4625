"""Whom a request comes from, as far as sharing goes: first an address, then a device behind it."""

from __future__ import annotations

import ipaddress
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.types import Scope

from roundel.web.requests.devices import who_is

NETWORK = 64  # bits of an IPv6 address that tell households apart: the others cost nothing


class Visitor(NamedTuple):
    address: str
    device: str


HOUSE = Visitor("", "")  # what the server does of its own accord


def network_of(address: str) -> str:
    """What counts as one address.

    >>> network_of("192.0.2.7"), network_of("::ffff:192.0.2.7"), network_of("2001:db8::1:2:3:4")
    ('192.0.2.7', '192.0.2.7', '2001:db8::')
    """
    if ":" not in address:
        return address
    try:
        parsed = ipaddress.IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.IPv6Network((parsed, NETWORK), strict=False).network_address)


def address_of(scope: Scope) -> str:
    client = scope.get("client")
    return network_of(client[0]) if client else ""


def visitor_of(scope: Scope, headers: Headers) -> Visitor:
    return Visitor(address_of(scope), next(iter(who_is(headers)), ""))
