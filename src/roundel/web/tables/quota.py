"""How many new matches there may be: of an address, of a device, and in all."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from roundel.core.lang import _
from roundel.web.requests.problems import Problem
from roundel.web.requests.rates import Rates
from roundel.web.requests.visitors import Visitor

if TYPE_CHECKING:
    from roundel.web.tables.server_state import ServerState

HOUR = 3600.0

log = logging.getLogger(__name__)


class Quota:
    def __init__(self, server: ServerState) -> None:
        self.server, self.settings = server, server.settings
        self.rates = Rates(self.settings.made / HOUR, HOUR, time.monotonic)
        self.kept = 0  # matches in the store, or a few more: what is deleted is seen at a count
        self.is_logged = False  # that there are as many as allowed

    async def count(self) -> None:
        self.kept, self.is_logged = await self.server.store.count(), False

    async def take(self, visitor: Visitor) -> None:
        """One more match, of an address and of the device that will own it; or a problem."""
        if wait := self.rates.take(visitor.address):
            raise Problem("rate", _("too many new matches; please wait a moment"), wait)
        if self.kept >= self.settings.matches:
            if not self.is_logged:  # once an hour is enough
                log.error("%s matches are kept: as many as ROUNDEL_MATCHES allows", self.kept)
                self.is_logged = True
            raise Problem("full", _("this server keeps as many matches as it may"))
        owned = await self.server.store.owned(visitor.device) if visitor.device else 0
        if owned >= self.settings.owned:
            text = _("you have made {count} matches; please delete some of them")
            raise Problem("full", text.format(count=owned))
        self.kept += 1
