"""Work that must not end at its first error."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from prometheus_client import Counter

AGAIN = 1.0  # seconds until what failed is begun anew

log = logging.getLogger(__name__)


async def restart_on_failure(
    part: str, work: Callable[[], Awaitable[None]], restarts: Counter
) -> None:
    """Do that work, from its beginning again whenever it fails."""
    while True:
        try:
            return await work()
        except Exception:
            restarts.labels(part).inc()
            log.exception("%s has failed and is begun anew", part)
        await asyncio.sleep(AGAIN)
