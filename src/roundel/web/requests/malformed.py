"""What is wrong with a body or a message that cannot be read, in the sender's language."""

from __future__ import annotations

import re

import msgspec
from pydantic_core import ErrorDetails

from roundel.core.lang import N_, _

ERRORS = (msgspec.DecodeError, UnicodeError, RecursionError)  # what reading JSON can raise
# What msgspec says, and how we do. Its words for kinds, like `array`, stay as they are.
SENTENCES = (
    (r"Input data was truncated", N_("this is not JSON: it ends too early")),
    (r"JSON is malformed: .*\(byte (?P<byte>\d+)\)", N_("this is not JSON: error at byte {byte}")),
    (r"Object missing required field (?P<name>`.+`)", N_("{name} is missing")),
    (r"Expected (?P<wanted>`.+`), got (?P<found>`.+`)", N_("expected {wanted}, got {found}")),
    (
        r"Expected (?P<wanted>`.+`) of length (?P<size>.+)",
        N_("expected {wanted} of length {size}"),
    ),
    (r"Expected (?P<wanted>`.+`.*)", N_("expected {wanted}")),
    (r"Invalid (?:enum )?value (?P<found>.+)", N_("{found} is not one of the choices")),
    (r"(?:Number|Integer value) out of range", N_("the number is too large")),
)
# The types of pydantic's errors, in msgspec's words: so a body is refused like a message.
MISMATCHES = {
    "bool_type": "Expected `bool`, got `{found}`",
    "int_type": "Expected `int`, got `{found}`",
    "int_parsing": "Expected `int`",
    "int_parsing_size": "Integer value out of range",
    "string_type": "Expected `str`, got `{found}`",
    "list_type": "Expected `array`, got `{found}`",
    "model_type": "Expected `object`, got `{found}`",
    "model_attributes_type": "Expected `object`, got `{found}`",
    "literal_error": "Invalid enum value {value!r}",
    "greater_than_equal": "Expected `int` >= {ge}",
    "less_than_equal": "Expected `int` <= {le}",
    "string_too_long": "Expected `str` of length <= {max_length}",
    "too_long": "Expected `array` of length <= {max_length}",
    "too_short": "Expected `array` of length >= {min_length}",
    "missing": "Object missing required field `{name}`",
}
KINDS = {"NoneType": "null", "list": "array", "dict": "object"}  # others are called as in Python


def malformed(error: Exception) -> str:
    """A sentence that names the part that is wrong, like `$.seats[0]`."""
    if isinstance(error, UnicodeError):
        return _("this is not UTF-8")
    if isinstance(error, RecursionError):
        return _("this is nested too deeply")
    message, _at, path = str(error).rstrip("`").partition(" - at `")
    return at(path, translated(message if path else str(error)))


def mismatch(error: ErrorDetails) -> str:
    """The same about a request that FastAPI has read."""
    (place, *path), kind, value = error["loc"], error["type"], error["input"]
    if kind == "json_invalid":  # was said in our words when it was read
        return str(error["ctx"]["error"])
    if kind == "missing" and not path:  # there is no body at all
        return translated("Input data was truncated")
    if kind == "literal_error" and not isinstance(value, str):
        kind = "string_type"
    name = path.pop() if kind == "missing" else ""
    given = KINDS.get(type(value).__name__, type(value).__name__)
    words = {**error.get("ctx", {}), "name": name, "found": given, "value": value}
    message = MISMATCHES[kind].format(**words) if kind in MISMATCHES else error["msg"]
    root = "$" if place == "body" else str(place)
    steps = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return at(root + steps if steps else "", translated(message))


def at(path: str, reason: str) -> str:
    return _("{part}: {reason}").format(part=path, reason=reason) if path else reason


def translated(message: str) -> str:
    for pattern, text in SENTENCES:
        if matched := re.fullmatch(pattern, message):
            return _(text).format(**matched.groupdict())
    return message  # better in English than not at all
