"""How a match ended, in words."""

from __future__ import annotations

from roundel.core.game import Game
from roundel.core.lang import N_, _
from roundel.play.match import ABORTED, AGREED, CLAIMED, RESIGNED, TIME, Match

DRAW, DRAWN = N_("Draw"), {AGREED: N_("Draw by agreement")}
ONE = {
    RESIGNED: N_("{who} wins by resignation"),
    TIME: N_("{who} wins on time"),
    CLAIMED: N_("{who} wins, as the other side has left"),
}
MANY = {
    RESIGNED: N_("{who} share the win by resignation"),
    TIME: N_("{who} share the win on time"),
    CLAIMED: N_("{who} share the win, as the other side has left"),
    AGREED: N_("{who} share the win by agreement"),
}


def roles(game: Game) -> list[str]:
    """What the players of a game are called, in the language spoken now."""
    seats = game.manifest.view.seats(game.options)
    return [game.manifest.translate(seat["role"]) for seat in seats]


def winners_of(result: str) -> list[int]:
    """The seats that a result names: `p1p3win` is 0 and 2, `draw` nobody."""
    return [int(digit) - 1 for digit in result if digit.isdigit()]


def outcome_text(match: Match) -> str:
    """Empty while the match goes on."""
    if match.reason == ABORTED:
        return _("Aborted")
    if match.result in ("", "draw"):
        return _(DRAWN.get(match.reason, DRAW)) if match.result else ""
    named = [roles(match.position.game)[seat] for seat in winners_of(match.result)]
    texts, usual = (MANY, N_("{who} share the win")) if named[1:] else (ONE, N_("{who} wins"))
    return _(texts.get(match.reason, usual)).format(who=_(" and ").join(named))
