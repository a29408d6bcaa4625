"""Devices, seat keys and invitations: 128 random bits each, of which only hashes are kept."""

from __future__ import annotations

import hashlib
import secrets

from starlette.datastructures import Headers
from starlette.requests import Request, cookie_parser
from starlette.responses import Response

BYTES = 16
COOKIE = "roundel-device"
YEAR = 365 * 24 * 3600
BEARER = "bearer "
SHORTEST = 20  # characters of a secret that can be ours


def new_secret() -> str:
    return secrets.token_urlsafe(BYTES)


def new_match_id() -> str:
    """The address of a match for all who may watch it: hard to guess, and short to type."""
    return secrets.token_urlsafe(9)


def hash_secret(text: str) -> str:
    """Random bits cannot be guessed, so a quick hash is enough."""
    return hashlib.sha256(text.encode()).hexdigest()[: 2 * BYTES]


def who_is(headers: Headers) -> frozenset[str]:
    """The hash of the key or of the device that a request shows; a key goes before a cookie."""
    authorization = headers.get("authorization", "")
    if authorization.lower().startswith(BEARER):
        return frozenset([hash_secret(authorization[len(BEARER) :].strip())])
    device = device_of(headers)
    return frozenset([device]) if device else frozenset()


def device_of(headers: Headers) -> str:
    """The hash of the cookie's secret; empty without one."""
    cookie = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
    return hash_secret(cookie) if len(cookie) >= SHORTEST else ""


def drop_cookie(request: Request, response: Response) -> None:
    """The browser is a device that we do not know yet."""
    is_secure = request.url.scheme == "https"
    response.delete_cookie(COOKIE, httponly=True, samesite="lax", secure=is_secure)


def identify_device(request: Request, response: Response) -> str:
    """The device that asks; a browser that we do not know yet gets a cookie."""
    headers = request.headers
    known = device_of(headers)
    is_browser = "sec-fetch-site" in headers or "origin" in headers
    if known or not is_browser:
        return known
    token = new_secret()
    response.set_cookie(
        COOKIE,
        token,
        max_age=YEAR,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )
    return hash_secret(token)
