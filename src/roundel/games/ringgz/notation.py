"""Ringgz as text: actions, position texts and diagrams."""

import functools
import re
from collections.abc import Iterator

import numpy as np

from roundel.core import squares
from roundel.core.errors import InvalidText
from roundel.core.fen import Fields
from roundel.core.game import NO_ACTION, Action, Options, State
from roundel.core.lang import N_, Translator
from roundel.games.ringgz import rules
from roundel.games.ringgz.rules import (
    ALL,
    BASE,
    COLOURS,
    DEALT,
    FACTS,
    FREE,
    NEAR,
    OPEN,
    PAIR,
    PIECES,
    REACH,
    RED,
    SECOND,
    SHUT,
    STOCK,
)

_ = Translator("roundel.games.ringgz")
NAMES = [squares.name(territory) for territory in rules.TERRITORIES]
CENTRAL_NAMES = [name for at, name in enumerate(NAMES) if rules.CENTRAL >> at & 1]
LETTERS, KIND_SIGNS = "bgyr", "1234b"
PIECE_OF = {
    f"{sign}@{name}": (kind, at)
    for kind, sign in enumerate(KIND_SIGNS)
    for at, name in enumerate(NAMES)
}
ACTION = re.compile(r"(s|[bgyr][1-4b])@([a-e][1-5])", re.ASCII)
COLOUR_NAMES = (N_("blue"), N_("green"), N_("yellow"), N_("red"))

# -- Actions --------------------------------------------------------------------


def dealt(state: State) -> tuple[tuple[int, ...], ...]:
    """The colours of each player, first and second."""
    return DEALT[state.item(FACTS, rules.MODE) // 2 + 2]


@functools.cache
def parts_of(colours: tuple[int, ...], action: Action) -> tuple[int, int, int, str]:
    """The colour, kind and territory of a placing by who has these colours, and its text."""
    colour, kind, at = colours[action >> 5 & 1], action >> 6, action & 31
    return colour, kind, at, f"{LETTERS[colour]}{KIND_SIGNS[kind]}@{NAMES[at]}"


def write(state: State, action: Action) -> str:
    if state.item(FACTS, rules.PHASE) == rules.PREPARE:
        return f"s@{NAMES[action]}"
    return parts_of(dealt(state)[state.item(FACTS, rules.PLAYER)], action)[-1]


def read(state: State, text: str) -> Action:
    match = ACTION.fullmatch(text)
    if not match:
        wrong = _(
            "ringgz: cannot read {text!r}; expected a text like s@c3, r3@c2 or rb@c2 (a1 to e5)"
        )
        raise InvalidText(wrong.format(text=text))
    piece, at = match[1], NAMES.index(match[2])
    if (piece == "s") != (state[FACTS, rules.PHASE] == rules.PREPARE):
        return NO_ACTION
    if piece == "s":
        return at
    colour, kind = LETTERS.index(piece[0]), KIND_SIGNS.index(piece[1])
    mine = dealt(state)[state[FACTS, rules.PLAYER]]
    return 64 * kind + SECOND * mine.index(colour) + at if colour in mine else NO_ACTION


# -- Positions ------------------------------------------------------------------


def territories_of(board: int) -> list[int]:
    territories = []
    while board:
        territories.append((board & -board).bit_length() - 1)
        board &= board - 1
    return territories


def on_board(state: State) -> Iterator[tuple[int, int, int]]:
    """All pieces that lie somewhere, as colour, kind and territory."""
    for colour, boards in enumerate(state[PIECES : PIECES + len(COLOURS)].tolist()):
        for kind, board in enumerate(boards):
            for at in territories_of(board):
                yield colour, kind, at


def stock(state: State, player: int, second: int) -> list[int]:
    """How many pieces of each kind a player has left of the first or the second colour."""
    return [counts >> SECOND * second & 3 for counts in state[STOCK + player].tolist()]


def turn_of(state: State) -> str:
    over = state[FACTS, rules.PHASE] == rules.OVER
    return "none" if over else f"p{state[FACTS, rules.PLAYER] + 1}"


def write_fen(state: State) -> dict[str, str]:
    start = territories_of(int(state[FACTS, rules.START]))
    parts = {
        "turn": turn_of(state),
        "start": NAMES[start[0]] if start else "-",
    }
    pieces = list(on_board(state))
    for colour, word in enumerate(COLOURS):
        mine = [(kind, at) for c, kind, at in pieces if c == colour]
        parts[word] = ",".join(f"{KIND_SIGNS[kind]}@{NAMES[at]}" for kind, at in mine)
    if len(dealt(state)) == 3:
        parts["neutral"] = ",".join(share(stock(state, player, 1)) for player in range(3))
    if has_left(state):
        parts["out"] = ",".join(f"p{player + 1}" for player in has_left(state))
    return parts


def has_left(state: State) -> list[int]:
    """The players who have left the match."""
    return [player for player in range(4) if rules.has_left(state, player)]


def share(counts: list[int]) -> str:
    """The kinds of neutral pieces that a player still holds."""
    return "".join(sign for sign, n in zip(KIND_SIGNS, counts, strict=True) if n)


def read_fen(options: Options, fields: Fields) -> State:
    state = rules.initial(options)
    players = len(dealt(state))
    turn = fields.choice("turn", [*(f"p{player + 1}" for player in range(players)), "none"])
    start = fields.choice("start", ["-", *CENTRAL_NAMES])
    if start:
        put_start(state, NAMES.index(CENTRAL_NAMES[start - 1]))
    for colour, word in enumerate(COLOURS):
        for kind, at in fields.named(word, PIECE_OF):
            put(state, colour, kind, at, fields)
    count_stock(state, read_neutral(state, fields), fields)
    for leaver in read_out(players, fields):
        state = rules.retire(state, leaver)
    check_turn(state, turn, fields)
    return state


def put_start(state: State, at: int) -> None:
    state[FACTS, rules.START] = 1 << at
    state[FACTS, rules.PHASE] = rules.PLACE
    state[FREE] &= ~(PAIR << at)
    state[REACH, :4] = NEAR[at]


def put(state: State, colour: int, kind: int, at: int, fields: Fields) -> None:
    """Rules 8 to 10, but for the order in which the pieces came."""
    mode, near = state[FACTS, rules.MODE], NEAR[at]
    named = {"territory": NAMES[at], "colour": _(COLOUR_NAMES[colour])}
    if not state[FREE, kind] >> at & 1:
        wrong = _("{territory} has no room for {kind} of {colour}")
        raise fields.error(wrong.format(**named, kind=KIND_SIGNS[kind]))
    if kind == BASE and state[PIECES + colour, BASE] & near:
        raise fields.error(_("two {colour} bases are linked at {territory}").format(**named))
    state[PIECES + colour, kind] |= 1 << at
    state[FREE] &= ~((PAIR << at) & rules.BLOCKS[kind])
    state[REACH, :4] |= near & rules.LINKS[mode, colour]
    if kind == BASE:
        state[SHUT, :4] |= near & rules.HOLDS[mode, colour]


def read_neutral(state: State, fields: Fields) -> list[list[int]]:
    """What each player has left of the neutral share (rule 6); nothing unless there are three."""
    if len(dealt(state)) != 3:
        return []
    shares = fields.items("neutral")
    counts = [[int(sign in text) for sign in KIND_SIGNS] for text in shares]
    if len(counts) != 3 or [share(kinds) for kinds in counts] != shares:
        raise fields.error(_("neutral: expected what three players hold, like 1234b,34b,1"))
    for kind, (*held,) in enumerate(zip(*counts, strict=True)):
        if sum(held) + int(state[PIECES + RED, kind]).bit_count() != 3:
            wrong = _("neutral: the pieces {kind} held and placed are not 3")
            raise fields.error(wrong.format(kind=KIND_SIGNS[kind]))
    return counts


def read_out(players: int, fields: Fields) -> list[int]:
    """Who has left the match: nobody by default."""
    items = fields.items("out", "")
    fields.distinct("out", items)
    seats = [f"p{player + 1}" for player in range(players)]
    if not set(items) < set(seats):
        wrong = _("out: expected some of {players}, but not all, got {text!r}")
        raise fields.error(wrong.format(players=", ".join(seats), text=",".join(items)))
    return [seats.index(item) for item in items]


def count_stock(state: State, neutral: list[list[int]], fields: Fields) -> None:
    """Rule 2: what does not lie on the board is left."""
    counts = [[3 - int(board).bit_count() for board in state[PIECES + c]] for c in range(4)]
    for colour, kinds in enumerate(counts):
        if min(kinds) < 0:
            wrong = _("{colour}: there are 3 pieces of each kind, not more")
            raise fields.error(wrong.format(colour=COLOURS[colour]))
    for player, colours in enumerate(dealt(state)):
        state[STOCK + player] = state[OPEN + player] = 0
        for second, colour in enumerate(colours):
            mine = np.array(neutral[player] if neutral and second else counts[colour], np.int64)
            state[STOCK + player] += mine << SECOND * second
            state[OPEN + player] |= np.where(mine > 0, ALL << SECOND * second, 0)


def check_turn(state: State, turn: int, fields: Fields) -> None:
    """Rules 7, 11 and 12: who can be asked now."""
    players = len(dealt(state))
    if not state[FACTS, rules.START]:
        first = int(state[FACTS, rules.PLAYER])
        if turn != first or any(on_board(state)):
            wrong = _("player {number} puts the starting base before anything else")
            raise fields.error(wrong.format(number=first + 1))
        return
    open_to = [rules.placings(state, player) for player in range(players)]
    nobody = not any(kinds[:BASE].any() for kinds in open_to)
    if nobody and turn != players:
        raise fields.error(_("nobody can place a ring: expected turn=none"))
    if turn == players and not nobody:
        raise fields.error(_("a ring can be placed: expected turn=p1 or so"))
    if nobody:
        state[FACTS, rules.PHASE] = rules.OVER
        return
    if not open_to[turn].any():
        wrong = _("turn: {player} cannot place anything and is skipped")
        raise fields.error(wrong.format(player=f"p{turn + 1}"))
    state[FACTS, rules.PLAYER] = turn


def show(state: State) -> str:
    """A diagram: rings by size like b.y. (blue 1, yellow 3), bases like [g], [*] to start from."""
    cells = [["."] * BASE for _ in NAMES]
    for colour, kind, at in on_board(state):
        if kind == BASE:
            cells[at] = ["[", LETTERS[colour], "]", " "]
        else:
            cells[at][kind] = LETTERS[colour]
    for at in territories_of(int(state[FACTS, rules.START])):
        cells[at] = list("[*] ")
    lines = [
        f"{y + 1}  " + "   ".join("".join(cell) for cell in cells[5 * y : 5 * y + 5])
        for y in reversed(range(rules.SIZE))
    ]
    lines += [
        "   a      b      c      d      e",
        "",
        *stock_lines(state),
        _("turn: {player}").format(player=turn_of(state)),
        *(_("p{number} has left the match").format(number=p + 1) for p in has_left(state)),
    ]
    return "\n".join(line.rstrip() for line in lines)


def stock_lines(state: State) -> list[str]:
    lines = [_("left          1 2 3 4 base")]
    for player, colours in enumerate(dealt(state)):
        for second, colour in enumerate(colours):
            counts = " ".join(map(str, stock(state, player, second)))
            lines.append(f"  p{player + 1} {_(COLOUR_NAMES[colour]):7}  {counts}")
    return lines
