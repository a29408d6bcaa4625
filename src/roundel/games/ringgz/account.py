"""How a finished match of Ringgz is counted, and what players and colours are called."""

from collections import Counter
from operator import itemgetter

from roundel.core.board import AccountItem
from roundel.core.game import Player, State
from roundel.core.lang import N_
from roundel.games.ringgz import rules
from roundel.games.ringgz.notation import COLOUR_NAMES, NAMES, _, dealt, has_left, on_board, stock
from roundel.games.ringgz.rules import BASE, FACTS, NEUTRAL, OWNER

ROLES = {  # rules 4 to 6
    2: (N_("Blue & green"), N_("Yellow & red")),
    3: (N_("Blue"), N_("Green"), N_("Yellow")),
    4: (N_("Blue"), N_("Green"), N_("Yellow"), N_("Red")),
}


def colour_name(state: State, colour: int) -> str:
    is_neutral = OWNER[state.item(FACTS, rules.MODE), colour] == NEUTRAL
    return _("neutral red") if is_neutral else _(COLOUR_NAMES[colour])


def role(state: State, player: Player) -> str:
    return _(ROLES[len(dealt(state))][player])


def item(text: str, spots: list[str], seat: int | None, points: int | None) -> AccountItem:
    return {"text": text, "spots": spots, "seat": seat, "points": points}


def account(state: State) -> list[AccountItem]:
    if state[FACTS, rules.PHASE] != rules.OVER:
        return []
    territories = counted(state)
    points = [sum(i["points"] or 0 for i in territories if i["seat"] == p) for p in seats(state)]
    return [*territories, *totals(state, points), *tie_break(state, points)]


def seats(state: State) -> range:
    return range(len(dealt(state)))


# -- Territories (rule 13) --------------------------------------------------------


def counted(state: State) -> list[AccountItem]:
    """Colour by colour what it has won, then what is tied."""
    rings: dict[int, Counter[int]] = {}
    for colour, kind, at in on_board(state):
        if kind != BASE:
            rings.setdefault(at, Counter())[colour] += 1
    leading = {at: leaders(counts) for at, counts in rings.items()}
    won = sorted((colours, at) for at, colours in leading.items() if len(colours) == 1)
    tied = sorted(at for at, colours in leading.items() if len(colours) > 1)
    return [
        *(won_by(state, colour, at, rings[at]) for (colour,), at in won),
        *(tied_on(state, at, rings[at]) for at in tied),
    ]


def leaders(counts: Counter[int]) -> list[int]:
    """The colours with the most rings."""
    return sorted(colour for colour, n in counts.items() if n == max(counts.values()))


def won_by(state: State, colour: int, at: int, counts: Counter[int]) -> AccountItem:
    count = counts[colour]
    others = sorted((str(n) for c, n in counts.items() if c != colour), reverse=True)
    alone = _.plural(
        "{territory}: {colour}, {many} ring", "{territory}: {colour}, {many} rings", count
    )
    against = _("{territory}: {colour}, {many} rings against {others}")
    named = {"territory": NAMES[at], "colour": colour_name(state, colour), "many": count}
    text = (against if others else alone).format(**named, others=_(" and ").join(others))
    owner = int(OWNER[state[FACTS, rules.MODE], colour])
    return item(text, [NAMES[at]], *((None, None) if owner == NEUTRAL else (owner, 1)))


def tied_on(state: State, at: int, counts: Counter[int]) -> AccountItem:
    *first, last = (colour_name(state, colour) for colour in leaders(counts))
    count = max(counts.values())
    text = _.plural(
        "{territory}: {first} and {last} are tied, {many} ring each",
        "{territory}: {first} and {last} are tied, {many} rings each",
        count,
    )
    text = text.format(territory=NAMES[at], first=", ".join(first), last=last, many=count)
    return item(text, [NAMES[at]], None, None)


# -- Who wins (rule 14) -----------------------------------------------------------


def totals(state: State, points: list[int]) -> list[AccountItem]:
    items = []
    for player, count in enumerate(points):
        text = _.plural("{role}: {many} territory", "{role}: {many} territories", count)
        if player in has_left(state):
            text = _("{role} left the match and cannot win")
        items.append(item(text.format(role=role(state, player), many=count), [], player, None))
    return items


def tie_break(state: State, points: list[int]) -> list[AccountItem]:
    """The pieces left of those who have equally many territories, fewest first."""
    playing = [player for player in seats(state) if player not in has_left(state)]
    best = max(points[player] for player in playing)
    tied = [player for player in playing if points[player] == best]
    unplayed = {p: sum(stock(state, p, 0) + stock(state, p, 1)) for p in tied if len(tied) > 1}
    items = []
    for player, count in sorted(unplayed.items(), key=itemgetter(1)):
        text = _.plural(
            "Tied, so the fewest pieces left win: {role}, {many} piece",
            "Tied, so the fewest pieces left win: {role}, {many} pieces",
            count,
        )
        items.append(item(text.format(role=role(state, player), many=count), [], player, None))
    return items
