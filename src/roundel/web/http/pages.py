"""The page and its files, as the build left them in `static/`; and the page of the interface."""

from __future__ import annotations

import os
from pathlib import Path

from fastapi import FastAPI, Request, Response
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, HTMLResponse
from starlette.staticfiles import NotModifiedResponse, PathLike, StaticFiles
from starlette.types import Scope

from roundel.core.lang import _
from roundel.web import built_page
from roundel.web.http.compressed import CompressedFile, CompressedFiles, file_of

ROUTES = (
    "/",
    "/new",
    "/m/{rest:path}",
    "/join/{rest:path}",
    "/rules/{rest:path}",
    "/settings",
    "/mine",
)
FOR_EVER, ALWAYS_ASK = "public, max-age=31536000, immutable", "no-cache"
MISSING = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Roundel</title>
<h1>Roundel</h1>
<p>{text}</p>
<pre>make page</pre>
"""
DOCS = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Roundel: interface for scripts</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<main id="swagger-ui"></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
"""
START = 'SwaggerUIBundle({url: "/openapi.json", dom_id: "#swagger-ui", deepLinking: true});\n'


class Files(StaticFiles):
    """Files whose names carry a digest of their content never change."""

    def __init__(self, directory: Path) -> None:
        super().__init__(directory=directory, check_dir=False)
        self.compressed = CompressedFiles()

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Who looks for a page where there is none gets the one that says so."""
        try:
            return await self.found(path, scope)
        except HTTPException as error:
            if error.status_code != 404:
                raise
            is_person = "text/html" in Headers(scope=scope).get("accept", "")
            if is_person and not is_hashed(scope):
                return index_page(404)
            # After an upgrade, old pages ask for files that may come back with the old version.
            raise HTTPException(404, headers={"Cache-Control": ALWAYS_ASK}) from None

    async def found(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        if isinstance(response, CompressedFile):
            try:
                await response.load(self.compressed)
            except FileNotFoundError:  # an upgrade took it away in this moment
                raise HTTPException(404) from None
        return response

    def file_response(
        self, full_path: PathLike, stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        asked = Headers(scope=scope)
        response = file_of(str(full_path), stat_result, asked)
        response.headers["Cache-Control"] = FOR_EVER if is_hashed(scope) else ALWAYS_ASK
        if self.is_not_modified(response.headers, asked):
            return NotModifiedResponse(response.headers)
        return response


def is_hashed(scope: Scope) -> bool:
    """Whether a file of that name would carry a digest of its content."""
    path: str = scope["path"]
    return path.startswith("/assets/")


async def page(request: Request) -> Response:
    return index_page()


def index_page(status: int = 200) -> Response:
    """One file for all pages: the script in it looks at the address."""
    file = built_page.STATIC / "index.html"
    if not file.is_file():
        text = _("The page has not been built yet. In the folder of the sources, run:")
        return HTMLResponse(MISSING.format(text=text), 503)
    return FileResponse(file, status, headers={"Cache-Control": ALWAYS_ASK})


async def docs(request: Request) -> Response:
    return HTMLResponse(DOCS)


async def start(request: Request) -> Response:
    return Response(START, media_type="text/javascript")


def add_pages(app: FastAPI) -> None:
    for route in ROUTES:
        app.add_route(route, page, include_in_schema=False)
    app.add_route("/docs", docs, include_in_schema=False)
    app.add_route("/docs/start.js", start, include_in_schema=False)
    app.mount("/", Files(built_page.STATIC))
