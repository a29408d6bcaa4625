"""The application: the gate, routes, sockets and pages put together around a server."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from starlette.exceptions import HTTPException
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

import roundel
from roundel.core.errors import RoundelError
from roundel.core.lang import _
from roundel.web.http.gate import Gate
from roundel.web.http.health import Health, health_of
from roundel.web.http.pages import add_pages
from roundel.web.http.rest import add_routes
from roundel.web.http.rest.common import Schema, answer, described, gives
from roundel.web.requests.malformed import mismatch
from roundel.web.requests.problems import Problem, problem_of, problem_response
from roundel.web.settings import Settings
from roundel.web.sockets.session import table_socket
from roundel.web.tables.server_state import ServerState

CODES = {404: "missing", 405: "method", 413: "size"}
log = logging.getLogger(__name__)


def make_app(settings: Settings, server: ServerState | None = None) -> FastAPI:
    server = server or ServerState(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await server.start()
        yield
        await server.stop()

    app = FastAPI(
        title="Roundel",
        version=roundel.__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
    )
    app.state.server = server
    app.add_middleware(Gate, server=server, sockets=table_socket)
    if settings.proxies:  # outside the gate, which then sees who really asks
        app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=settings.proxies)
    add_errors(app, server)
    add_routes(app)
    add_service(app, server)
    add_pages(app)
    app.openapi = lambda: described_by(app)  # type: ignore[method-assign]
    return app


def described_by(app: FastAPI) -> Schema:
    """The description of the interface, with the kinds of things that bodies and answers are."""
    if not app.openapi_schema:
        schema = get_openapi(title=app.title, version=app.version, routes=app.routes)
        schema.setdefault("components", {}).setdefault("schemas", {}).update(described)
        app.openapi_schema = schema
    return app.openapi_schema


def add_errors(app: FastAPI, server: ServerState) -> None:
    """Whatever is raised becomes an answer that says what was wrong."""

    async def refused(request: Request, error: Exception) -> Response:
        problem = problem_of(error)
        server.metrics.refused.labels(problem.code).inc()
        return problem_response(problem)

    async def failed(request: Request, error: Exception) -> Response:
        server.metrics.errors.inc()
        log.error("a request could not be answered", exc_info=error)
        return problem_response(problem_of(error))

    async def unknown(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        code = CODES.get(error.status_code, "invalid")
        response = problem_response(Problem(code, _(str(error.detail))))
        response.status_code = error.status_code
        response.headers.update(error.headers or {})
        return response

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return await refused(request, Problem("invalid", mismatch(error.errors()[0])))

    app.add_exception_handler(RoundelError, refused)
    app.add_exception_handler(HTTPException, unknown)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(Exception, failed)


def add_service(app: FastAPI, server: ServerState) -> None:
    """For those who run the server."""

    @app.get("/health", tags=["service"], responses=gives(Health, "busy"))
    async def health() -> Response:
        """Whether matches can be played and saved, and how much there is to do."""
        state = health_of(server)
        return answer(state, 200 if state.status == "ok" else 503)

    @app.get("/metrics", tags=["service"], response_class=Response)
    async def metrics() -> Response:
        """For Prometheus."""
        return Response(server.metrics.text(), media_type="text/plain; version=0.0.4")
