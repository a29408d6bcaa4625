"""Many visitors on one machine: each has a loopback address of their own.

A server bounds what one address may do. Load from a single one would meet those bounds first; load
from many leaves all of them as they are.
"""

from __future__ import annotations

import ssl

import httpx

PATIENCE = 60.0  # seconds that an answer may take
KEPT = 2.0  # seconds that a connection waits for more requests: less than servers let it wait
SEATS = 4  # at most; each player has an address
OF_A_KIND = 250  # addresses that differ in their last number only
PLAIN = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # never used, but to make one each is slow


def loopback(place: int, seat: int = 0) -> str:
    """127.1.0.1 and on; after 15,625 places from the beginning."""
    number = SEATS * place + seat
    return f"127.1.{number // OF_A_KIND % OF_A_KIND}.{1 + number % OF_A_KIND}"


def client_at(address: str) -> httpx.AsyncClient:
    """Asks from that address."""
    limits = httpx.Limits(keepalive_expiry=KEPT)
    transport = httpx.AsyncHTTPTransport(local_address=address, limits=limits, verify=PLAIN)
    return httpx.AsyncClient(transport=transport, timeout=PATIENCE, trust_env=False)
