"""What all routes share: answers, and who is asking."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from roundel.web.requests.devices import who_is
from roundel.web.requests.problems import STATUS, ProblemView
from roundel.web.requests.visitors import visitor_of
from roundel.web.tables.messages import encode
from roundel.web.tables.server_state import ServerState
from roundel.web.tables.table import Table

JSON = "application/json"
Schema = dict[str, Any]  # JSON Schema and OpenAPI, typed as FastAPI does
SCHEMAS = "#/components/schemas/{name}"
described: Schema = {}  # kinds of answers, for the page that describes them


def server_of(request: Request) -> ServerState:
    server: ServerState = request.app.state.server
    return server


async def table_for(request: Request, id: str) -> Table:
    table = await server_of(request).table(id)
    table.note_visitor(visitor_of(request.scope, request.headers))
    return table


def seats_for(request: Request, table: Table) -> frozenset[int]:
    return table.seating.seats_of(who_is(request.headers))


def answer(content: object, status: int = 200) -> Response:
    return Response(encode(content), status, media_type=JSON)


# -- For the page that describes the interface ---------------------------------------


def schema_of(kind: object) -> Schema:
    (schema,), components = msgspec.json.schema_components([kind], ref_template=SCHEMAS)
    described.update(components)
    return schema


def gives(
    kind: object, *codes: str, status: int = 200, media: str = JSON
) -> dict[int | str, Schema]:
    """The answer, and how it can be refused."""
    refused = {JSON: {"schema": schema_of(ProblemView)}}
    responses: dict[int | str, Schema] = {status: {"description": "", "content": {}}}
    responses[status]["content"] = {media: {"schema": schema_of(kind)}}
    responses[status]["description"] = "The answer"
    for code in (*codes, "invalid", "rate", "busy"):
        number = STATUS[code]
        text = responses.get(number, {}).get("description", "Refused:")
        responses[number] = {"description": f"{text} {code}", "content": refused}
    return responses
