"""How a finished match of Yinsh is counted."""

from roundel.core.board import AccountItem
from roundel.core.game import State
from roundel.games.yinsh import rules
from roundel.games.yinsh.notation import NAMES, POINT_AT, SEATS, _, bits_of
from roundel.games.yinsh.rules import FACTS, MARKERS


def account(state: State) -> list[AccountItem]:
    if state[FACTS, rules.PHASE] != rules.OVER:
        return []
    if state[FACTS, rules.BLITZ]:
        return [*rows(state), *([] if winner(state) is not None else [pool(state)])]
    return [*rings(state), last_ring(state) if 3 in taken(state) else pool(state)]


def item(text: str, spots: list[str], seat: int | None, points: int | None) -> AccountItem:
    return {"text": text, "spots": spots, "seat": seat, "points": points}


def winner(state: State) -> int | None:
    return {1: 0, 2: 1}.get(int(state[FACTS, rules.WINNERS]))


def taken(state: State) -> list[int]:
    return [int(state[FACTS, rules.TAKEN + player]) for player in range(2)]


def rings(state: State) -> list[AccountItem]:
    """A point for each ring that was taken off (rule 7)."""
    items = []
    for player, count in enumerate(taken(state)):
        text = _.plural(
            "{player} has taken off {many} ring.", "{player} has taken off {many} rings.", count
        )
        items.append(item(text.format(player=_(SEATS[player]), many=count), [], player, count))
    return items


def last_ring(state: State) -> AccountItem:
    """Rule 9."""
    seat = taken(state).index(3)
    text = _("{player} took off the third ring first and wins.")
    return item(text.format(player=_(SEATS[seat])), [], seat, None)


def rows(state: State) -> list[AccountItem]:
    """Rule 12: the rows on the board, those of the winner first."""
    items = []
    seat = winner(state)
    for player in [] if seat is None else [seat, 1 - seat]:
        wins = _("{player} has five in a row and wins.")
        late = _("{player} has five in a row too, but did not move.")
        text = (wins if player == seat else late).format(player=_(SEATS[player]))
        items += [
            item(text, row, seat if player == seat else None, None) for row in fives(state, player)
        ]
    return items


def fives(state: State, player: int) -> list[list[str]]:
    """The points of each five of a player's markers in a row."""
    rows = []
    for word in range(6):
        markers = int(state[MARKERS + player, word])
        first = markers & markers >> 1 & markers >> 2 & markers >> 3 & markers >> 4
        for at in bits_of(first):
            rows.append([NAMES[POINT_AT[64 * word + at + i]] for i in range(5)])
    return rows


def pool(state: State) -> AccountItem:
    """Rules 10 and 11: the match ended without a third ring, or a row in blitz."""
    seat = winner(state)
    if state[FACTS, rules.POOL]:
        why = _("No ring can be moved any more.")
    else:
        why = _("The pool is empty.")
    if seat is None:
        return item(_("{why} It is a draw.").format(why=why), [], None, None)
    text = _("{why} {player} has taken off more rings and wins.")
    return item(text.format(why=why, player=_(SEATS[seat])), [], seat, None)
