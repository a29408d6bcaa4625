"""What is answered when something cannot be done: a code for programs, a reason for people."""

from __future__ import annotations

import math

from msgspec import Struct, json
from starlette.responses import Response

from roundel.core.errors import RoundelError
from roundel.core.lang import _
from roundel.play.submit import Refusal

STATUS = {
    "invalid": 422,
    "missing": 404,
    "seat": 403,
    "origin": 403,
    "host": 421,
    "stale": 409,
    "turn": 409,
    "illegal": 409,
    "over": 409,
    "not_now": 409,
    "used": 410,
    "expired": 410,
    "reload": 426,
    "size": 413,
    "type": 415,
    "rate": 429,
    "full": 507,
    "busy": 503,
    "damaged": 500,
    "error": 500,
}
RETRY = 1.0  # seconds after which it is worth to ask a busy server again


class Problem(RoundelError):
    """Something that the gate or a route refuses; tables raise `Refusal`s."""

    def __init__(self, code: str, reason: str, retry: float = 0) -> None:
        super().__init__(code, reason)
        self.code, self.reason, self.retry = code, reason, retry

    def __str__(self) -> str:
        return self.reason


class Overloaded(RoundelError):
    """Too much to do just now: it is worth asking again. The text is one of the catalogue."""


class ProblemView(Struct, frozen=True):
    """As it goes over the wire."""

    code: str
    reason: str
    retry: float = 0


def problem_of(error: Exception) -> Problem:
    """Any error as something that can be answered; what we did not expect stays unexplained."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, Refusal):
        return Problem(error.code, error.text, RETRY if error.code == "busy" else 0)
    if isinstance(error, Overloaded):
        return Problem("busy", _(str(error)), RETRY)
    if isinstance(error, RoundelError):
        return Problem("invalid", str(error))
    return Problem("error", _("something went wrong on the server; this has been logged"))


def problem_response(problem: Problem) -> Response:
    body = json.encode(ProblemView(problem.code, problem.reason, problem.retry))
    headers = {"Retry-After": str(math.ceil(problem.retry))} if problem.retry else {}
    return Response(body, STATUS.get(problem.code, 400), headers, "application/json")
