"""The ten levels of the computer as people meet them at a table: by name."""

import functools

from roundel.core.lang import N_, _
from roundel.search.ratings import ratings

NAMES = {
    1: N_("Newcomer"),
    2: N_("Beginner"),
    3: N_("Casual"),
    4: N_("Regular"),
    5: N_("Club player"),
    6: N_("Strong club player"),
    7: N_("Expert"),
    8: N_("Candidate master"),
    9: N_("Master"),
    10: N_("Grandmaster"),
}


def level_name(level: int) -> str:
    return _(NAMES[level]) if level in NAMES else ""


@functools.lru_cache(maxsize=256)
def elo(name: str, players: int, level: int) -> float | None:
    """How strong a level was measured to be, if it was."""
    return next((row.elo for row in ratings(name, players) if row.level == level), None)
