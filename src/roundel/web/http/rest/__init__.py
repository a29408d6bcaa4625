"""The interface for scripts and for the page: JSON over HTTP, everything under `/api`."""

from fastapi import FastAPI

from roundel.web.http.rest import games, invitations, matches, mine, records


def add_routes(app: FastAPI) -> None:
    for module in (games, matches, records, invitations, mine):
        app.include_router(module.router, prefix="/api")
