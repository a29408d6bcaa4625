"""What is wrong with a body or a message that cannot be read, in the sender's language."""

from __future__ import annotations

import re

import msgspec

from roundel.core.lang import N_, _

ERRORS = (msgspec.DecodeError, UnicodeError)  # what reading JSON can raise
# What msgspec says, and how we do. Its words for kinds, like `array`, stay as they are.
SENTENCES = (
    (r"Input data was truncated", N_("this is not JSON: it breaks off")),
    (r"JSON is malformed: .*\(byte (?P<byte>\d+)\)", N_("this is not JSON from byte {byte} on")),
    (r"Object missing required field (?P<name>`.+`)", N_("{name} is missing")),
    (r"Expected (?P<wanted>`.+`), got (?P<found>`.+`)", N_("expected {wanted}, got {found}")),
    (
        r"Expected (?P<wanted>`.+`) of length (?P<size>.+)",
        N_("expected {wanted}, its length {size}"),
    ),
    (r"Expected (?P<wanted>`.+`.*)", N_("expected {wanted}")),
    (r"Invalid (?:enum )?value (?P<found>.+)", N_("there is no choice {found}")),
    (r"(?:Number|Integer value) out of range", N_("the number is too large")),
)


def malformed(error: Exception) -> str:
    """A sentence that names the part that is wrong, like `$.seats[0]`."""
    if isinstance(error, UnicodeError):
        return _("this is not UTF-8")
    message, _at, path = str(error).rstrip("`").partition(" - at `")
    reason = translated(message if path else str(error))
    return _("{part}: {reason}").format(part=path, reason=reason) if path else reason


def translated(message: str) -> str:
    for pattern, text in SENTENCES:
        if found := re.fullmatch(pattern, message):
            return _(text).format(**found.groupdict())
    return message  # better in English than not at all
