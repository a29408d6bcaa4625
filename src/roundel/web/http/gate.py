"""The gate that every request passes before anybody answers it.

- A page of another site cannot talk to us: origins are compared, at sockets and wherever something
  could change. A script has no origin, and it has no cookie either: it shows keys.
- Nor can a page whose own name leads to our address: the name asked for must be one of ours.
- Bodies are JSON of bounded size; how often an address may ask is bounded, except for the files of
  the page, and how much of the server's time it may take from others.
- Every answer carries the headers that keep a browser from running or framing what is not ours.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from roundel.core.lang import ENGLISH, LANGUAGES, _, use
from roundel.web.built_page import page_version
from roundel.web.http.hosts import Hosts
from roundel.web.http.pages import ROUTES
from roundel.web.requests.devices import BEARER, COOKIE
from roundel.web.requests.problems import STATUS, Problem, problem_response
from roundel.web.requests.rates import Rates
from roundel.web.requests.visitors import address_of
from roundel.web.tables.server_state import ServerState

OVERHEAD = 0.0003  # seconds that a request costs before it comes to the gate
LONGEST_HOST = 253  # characters, of any name that exists
PAGES = ("/assets/", *(route.partition("{")[0] for route in ROUTES if "{" in route))
SAFE = ("GET", "HEAD", "OPTIONS")
RECORDS = "/api/records"  # where bodies may be longer than elsewhere
POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
DOCS = f"{POLICY}; style-src 'self' 'unsafe-inline'"  # the viewer of the interface needs it
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # an invitation's address is a secret
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def is_script(headers: Headers) -> bool:
    """Whoever shows a key acts by that key alone: no page can make a browser show one."""
    return headers.get("authorization", "").lower().startswith(BEARER)


def has_cookie(headers: Headers) -> bool:
    return COOKIE in headers.get("cookie", "")


def is_own(headers: Headers, allowed: frozenset[str]) -> bool:
    """Whether a request comes from one of our own pages, or from no page at all."""
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if origin is not None and origin.lower() in allowed:
        return True
    if site not in (None, "same-origin"):
        return False
    if origin is not None:
        host = headers.get("host", "").lower()
        return origin.lower() in (f"http://{host}", f"https://{host}")
    return site is not None or not has_cookie(headers) or is_script(headers)


def language_of(scope: Scope, headers: Headers) -> str:
    """As `lang=` says, or as the browser wants, or English."""
    if asked := re.search(rb"(?:^|&)lang=([^&]*)", scope["query_string"]):
        return asked[1].decode("latin-1")
    wanted = re.findall(r"[a-z]{2}", headers.get("accept-language", "").lower())
    return next((code for code in wanted if code in LANGUAGES), ENGLISH)


def is_page(scope: Scope) -> bool:
    """Whether it is a file of the page, of which a browser wants many at once: a class that opens
    it in the same minute behind one address needs all of them. They cost little."""
    if scope["type"] != "http" or scope["method"] not in SAFE:
        return False
    path: str = scope["path"]
    return path in ROUTES or path.startswith(PAGES)


class Gate:
    def __init__(
        self,
        app: ASGIApp,
        server: ServerState,
        sockets: ASGIApp,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.app, self.metrics, self.shares = app, server.metrics, server.shares
        self.sockets = sockets  # not inside the app: thousands of them would each go through it
        self.settings = settings = server.settings
        self.allowed, self.hosts = settings.allowed, Hosts(settings)
        self.rates = Rates(settings.requests, settings.burst, clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        address = address_of(scope)
        await self.shares.turn(address)
        self.shares.charge(address, OVERHEAD)
        await self.shares.metered(self.answer(scope, receive, send), address)

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            send = self.guarded(scope, send)
        try:
            self.check(scope, Headers(scope=scope))
        except Problem as problem:
            return await self.refuse(problem, scope, receive, send)
        if scope["type"] == "http" and scope["method"] not in SAFE:
            receive = self.bounded(scope, receive)
        await (self.sockets if scope["type"] == "websocket" else self.app)(scope, receive, send)

    def check(self, scope: Scope, headers: Headers) -> None:
        """Raises a problem if this must not come in."""
        language = language_of(scope, headers)
        use(language if language in LANGUAGES else ENGLISH)
        if not is_page(scope) and (wait := self.rates.take(address_of(scope))):
            raise Problem("rate", _("too many requests; please wait a moment"), wait)
        if language not in LANGUAGES:
            text = _("no language {name!r}; there are: {known}")
            known = ", ".join(LANGUAGES)
            raise Problem("invalid", text.format(name=language[:16], known=known))
        if host := self.hosts.refused(scope, headers):
            text = _("this server does not know the host {host!r}; ROUNDEL_HOSTS={host} allows it")
            raise Problem("host", text.format(host=host[:LONGEST_HOST]))
        is_unsafe = scope["type"] == "websocket" or scope["method"] not in SAFE
        if is_unsafe and not is_own(headers, self.allowed):
            raise Problem("origin", _("this request comes from a page of another site"))
        if scope["type"] == "http" and is_unsafe:
            self.check_body(headers)

    def check_body(self, headers: Headers) -> None:
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        has_body = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
        if has_body and kind != "application/json":
            raise Problem("type", _("expected a body of JSON (application/json)"))

    def bounded(self, scope: Scope, receive: Receive) -> Receive:
        """Receives bodies until they are longer than allowed: nobody inside reads on."""
        settings = self.settings
        most = settings.record if scope["path"].endswith(RECORDS) else settings.body
        received = 0

        async def receiving() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > most:
                self.metrics.refused.labels("size").inc()
                text = _("the body is too long; at most {most} bytes").format(most=most)
                raise HTTPException(STATUS["size"], text)  # FastAPI lets this one through
            return message

        return receiving

    async def refuse(self, problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
        self.metrics.refused.labels(problem.code).inc()
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": problem.code})
        else:
            await problem_response(problem)(scope, receive, send)

    def guarded(self, scope: Scope, send: Send) -> Send:
        """Sends answers with our headers on them."""

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                is_docs = scope["path"].startswith("/docs")
                headers["Content-Security-Policy"] = DOCS if is_docs else POLICY
                headers["Roundel-Page"] = page_version()
                self.metrics.requests.labels(str(message["status"])).inc()
            await send(message)

        return sending
