"""How a finished match of Hexaequo is counted."""

from roundel.core.board import AccountItem
from roundel.core.game import State
from roundel.games.hexaequo import rules
from roundel.games.hexaequo.positions import NAMES, SEATS, SIGNS, _, can_act, pieces_of
from roundel.games.hexaequo.rules import FACTS, HELD


def account(state: State) -> list[AccountItem]:
    if state[FACTS, rules.PHASE] != rules.OVER:
        return []
    return [*captured(state), verdict(state)]


def item(text: str, spots: list[str], seat: int | None, points: int | None) -> AccountItem:
    return {"text": text, "spots": spots, "seat": seat, "points": points}


def held(state: State, kind: int, player: int) -> int:
    return int(state[HELD, kind + player])


def captured(state: State) -> list[AccountItem]:
    """A point for each piece that is held, Black's and then White's."""
    counts = [count(state, player) for player in range(2) for count in (discs, rings)]
    return [counted for counted in counts if counted["points"]]


def discs(state: State, player: int) -> AccountItem:
    count = held(state, rules.DISC, player)
    text = _.plural(
        "{player} holds {many} captured disc.", "{player} holds {many} captured discs.", count
    )
    return item(text.format(player=_(SEATS[player]), many=count), [], player, count)


def rings(state: State, player: int) -> AccountItem:
    count = held(state, rules.RING, player)
    text = _.plural(
        "{player} holds {many} captured ring.", "{player} holds {many} captured rings.", count
    )
    return item(text.format(player=_(SEATS[player]), many=count), [], player, count)


def verdict(state: State) -> AccountItem:
    """Rules 11 to 13: it was the turn of the player who lost, or has no action."""
    you = int(state[FACTS, rules.PLAYER])
    if state[FACTS, rules.WINNERS] == 3:
        return drawn_item(state, you)
    me = 1 - you
    if held(state, rules.DISC, me) == 6:
        text = _("{winner} holds all six discs of {loser} and wins.")
    elif held(state, rules.RING, me) == 3:
        text = _("{winner} holds all three rings of {loser} and wins.")
    else:
        text = _("{loser} has no piece left on the board: {winner} wins.")
    return item(text.format(winner=_(SEATS[me]), loser=_(SEATS[you])), spots(state, me), me, None)


def drawn_item(state: State, you: int) -> AccountItem:
    if can_act(state):
        text = _("The same position has occurred for the third time: ex aequo.")
    else:
        text = _("{player} has no legal action: ex aequo.").format(player=_(SEATS[you]))
    return item(text, [] if can_act(state) else spots(state, you), None, None)


def spots(state: State, player: int) -> list[str]:
    """Where a player's pieces stand."""
    return [NAMES[c] for c, sign in pieces_of(state).items() if SIGNS.index(sign) % 2 == player]
