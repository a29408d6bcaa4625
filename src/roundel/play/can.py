"""What a seat may ask for now: exactly that which `submit` would not refuse."""

from __future__ import annotations

from collections.abc import Collection

from roundel.play import commands
from roundel.play.match import OVER, Match
from roundel.play.submit import Refusal, submit

UNDO = "undo"


def can(
    match: Match, seat: int, now: float, *, free: bool = False, away: Collection[int] = ()
) -> list[str]:
    """`free`: all people share one screen; `away`: the seats of people who have gone away."""
    asked: dict[str, list[commands.Command]] = {
        UNDO: [commands.TakeBack(seat, free)],
        commands.TAKEBACK: [commands.Offer(seat, commands.TAKEBACK)],
        commands.DRAW: [commands.Offer(seat, commands.DRAW)],
        "resign": [commands.Resign(seat)],
        "claim": [commands.Claim(seat, against, is_away=True) for against in away],
    }
    if not match.entries:  # this is asked with every event, so not what is plainly out of place
        asked["abort"] = [commands.Abort(seat)]
    if match.status == OVER:
        asked = {"rematch": [commands.Rematch(seat, "-")]}
    names = [name for name, ways in asked.items() if any(is_granted(match, w, now) for w in ways)]
    return [name for name in names if name != commands.TAKEBACK or UNDO not in names]


def is_granted(match: Match, command: commands.Command, now: float) -> bool:
    try:
        return bool(submit(match, command, now))
    except Refusal:
        return False
