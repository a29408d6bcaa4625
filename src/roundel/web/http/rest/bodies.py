"""Bodies of requests: FastAPI reads and documents them, as strict as messages of the socket are."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec
from fastapi import Request, Response
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict

from roundel.web.requests.malformed import ERRORS, malformed

# A float too large for Python becomes infinite: pydantic then names the field, msgspec would not.
read = msgspec.json.Decoder(dict[str, Any], float_hook=float).decode


class Body(BaseModel):
    """A body. Nothing is converted (no "3" for 3), and unknown fields are ignored."""

    model_config = ConfigDict(strict=True, frozen=True)


class StrictRequest(Request):
    async def json(self) -> object:
        """Unlike Python's own reader, msgspec refuses NaN and lone surrogates, and says where."""
        try:
            return read(await self.body())
        except ERRORS as error:
            raise json.JSONDecodeError(malformed(error), "", 0) from None  # FastAPI knows this one


class StrictRoute(APIRoute):
    """The way that FastAPI has for requests of one's own."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[object, object, Response]]:
        handle = super().get_route_handler()

        async def handle_strictly(request: Request) -> Response:
            return await handle(StrictRequest(request.scope, request.receive))

        return handle_strictly
