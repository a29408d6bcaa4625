"""Yinsh as text: actions, position texts and diagrams."""

import functools
import re

import numpy as np

from roundel.core.errors import InvalidText
from roundel.core.fen import Fields
from roundel.core.game import NO_ACTION, Action, ClickPath, Options, State
from roundel.core.lang import N_, Translator
from roundel.games.yinsh import rules
from roundel.games.yinsh.rules import BIT, FACTS, MARKERS, NUMBER, POINT, POINTS, RINGS

_ = Translator("roundel.games.yinsh")
NAMES = [f"{'abcdefghijk'[x]}{y}" for x, y in POINTS]
POINT_OF = {name: point for point, name in enumerate(NAMES)}
PHASES = ("place", "move", "row", "ring", "over")
COLOURS = ("white", "black")
SEATS = (N_("White"), N_("Black"))
POINT_AT: list[int] = POINT.ravel().tolist()  # by 64 * word + bit: plain lists are quick to read
BELOW = [(1 << bit) - 1 for bit in range(64)]
ACTION = re.compile(r"(x?)([a-k][0-9]+)(?:-([a-k][0-9]+))?", re.ASCII)

# -- Actions --------------------------------------------------------------------


def rings_of(state: State) -> list[int]:
    """Where the rings of the player to act are: a word for each orientation and half."""
    rings: list[int] = state[RINGS + state.item(FACTS, rules.PLAYER)].tolist()
    return rings


def start_of(rings: list[int], action: Action) -> int:
    """The point of the ring that a ring move moves; -1 if there is none."""
    under = rings[action >> 6] & BELOW[action & 63]
    return POINT_AT[(action & -64) + under.bit_length() - 1] if under else -1


@functools.cache
def ring_move_path(start: int, end: int) -> ClickPath:
    """The clicks and the text of a ring move."""
    return (NAMES[start], NAMES[end]), f"{NAMES[start]}-{NAMES[end]}"


def ends_of(action: Action) -> tuple[int, int]:
    """The two end points of the row that an action removes."""
    return POINT_AT[action], POINT_AT[action + 4]


def write(state: State, action: Action) -> str:
    phase, point = state.item(FACTS, rules.PHASE), POINT_AT[action]
    if phase == rules.MOVE:
        return ring_move_path(start_of(rings_of(state), action), point)[1]
    if phase == rules.ROW:
        first, last = ends_of(action)
        return f"x{NAMES[first]}-{NAMES[last]}"
    return f"x{NAMES[point]}" if phase == rules.RING else NAMES[point]


def action_at(point: int, orientation: int) -> Action:
    words = (2 * orientation, 2 * orientation + 1)
    return next(64 * w + int(BIT[point, w]).bit_length() - 1 for w in words if BIT[point, w])


def orientation_of(start: int, end: int) -> int | None:
    """The orientation in which a line leads from one point up to another."""
    (x, y), (to_x, to_y) = POINTS[start], POINTS[end]
    dx, dy = int(np.sign(to_x - x)), int(np.sign(to_y - y))
    length = max(abs(to_x - x), abs(to_y - y))
    if (x + length * dx, y + length * dy) != (to_x, to_y):
        return None
    steps = [*rules.AXES, *((-dx, -dy) for dx, dy in rules.AXES)]
    return steps.index((dx, dy)) if (dx, dy) in steps else None


@functools.lru_cache(maxsize=1 << 13)
def parts_of(text: str) -> tuple[int, Action, int]:
    """The phase that a text belongs to, its action, and the point that a ring starts from."""
    match = ACTION.fullmatch(text)
    if not match:
        wrong = _("yinsh: cannot read {text!r}; expected a text like e5, e5-e9, xb3-b7 or xe5")
        raise InvalidText(wrong.format(text=text))
    for name in match.groups()[1:]:
        if name and name not in POINT_OF:
            wrong = _("yinsh: {name} is not a point of the board (a2 to k10)")
            raise InvalidText(wrong.format(name=name))
    removes, start, end = bool(match[1]), POINT_OF[match[2]], POINT_OF.get(match[3] or "")
    if end is None:
        return rules.RING if removes else rules.PLACE, action_at(start, 0), start
    phase, orientation = rules.ROW if removes else rules.MOVE, orientation_of(start, end)
    if orientation is None or (removes and orientation >= 3):
        return phase, NO_ACTION, start
    action = action_at(start if removes else end, orientation)
    if removes and ends_of(action)[1] != end:
        action = NO_ACTION
    return phase, action, start


def read(state: State, text: str) -> Action:
    phase, action, start = parts_of(text)
    if state[FACTS, rules.PHASE] != phase:
        return NO_ACTION
    if phase == rules.MOVE and action != NO_ACTION and start_of(rings_of(state), action) != start:
        return NO_ACTION
    return action


# -- Positions ------------------------------------------------------------------


def on_board(state: State, row: int) -> list[int]:
    """The points of one of the state's boards, ascending."""
    return [
        POINT_AT[64 * word + bit] for word in range(2) for bit in bits_of(state.item(row, word))
    ]


def bits_of(word: int) -> list[int]:
    bits = []
    while word:
        bits.append((word & -word).bit_length() - 1)
        word &= word - 1
    return bits


def write_fen(state: State) -> dict[str, str]:
    facts = state[FACTS]
    parts = {
        "phase": PHASES[facts[rules.PHASE]],
        "turn": f"p{facts[rules.PLAYER] + 1}",
        "mover": f"p{facts[rules.MOVER] + 1}",
        "taken": f"{facts[rules.TAKEN]}-{facts[rules.TAKEN + 1]}",
    }
    for row, kind in ((RINGS, "rings"), (MARKERS, "markers")):
        for player, colour in enumerate(COLOURS):
            parts[f"{colour}_{kind}"] = ",".join(NAMES[p] for p in on_board(state, row + player))
    return parts


def read_fen(options: Options, fields: Fields) -> State:
    state = rules.initial(options)
    facts = state[FACTS]
    facts[rules.PHASE] = fields.choice("phase", PHASES)
    facts[rules.PLAYER] = fields.choice("turn", ("p1", "p2"))
    facts[rules.MOVER] = fields.choice("mover", ("p1", "p2"))
    taken = fields.choice("taken", [f"{w}-{b}" for w in range(4) for b in range(4)])
    facts[rules.TAKEN], facts[rules.TAKEN + 1] = divmod(taken, 4)
    boards = []
    for row, kind in ((RINGS, "rings"), (MARKERS, "markers")):
        for player, colour in enumerate(COLOURS):
            boards.append(fields.named(f"{colour}_{kind}", POINT_OF))
            for point in boards[-1]:
                state[row + player] |= BIT[point]
    fields.distinct("points", [NAMES[p] for board in boards for p in board])
    rings, markers = [len(b) for b in boards[:2]], len(boards[2]) + len(boards[3])
    facts[rules.PLACED], facts[rules.POOL] = min(sum(rings), 10), 51 - markers
    check_counts(facts, rings, markers, fields)
    check_rows(facts, [set(board) for board in boards[2:]], fields)
    check_end(facts, [set(board) for board in boards], fields)
    return state


def check_counts(facts: State, rings: list[int], markers: int, fields: Fields) -> None:
    """Rules 2, 3 and 9: what must be on the board in each phase."""
    phase, player = facts[rules.PHASE], facts[rules.PLAYER]
    taken = [int(facts[rules.TAKEN]), int(facts[rules.TAKEN + 1])]
    if phase == rules.PLACE:
        turns = [player + rings[1], rings[1]]
        if rings != turns or sum(rings) > 9 or markers or sum(taken):
            raise fields.error(
                _("while rings are being placed, the board holds only rings, placed in turn")
            )
        return
    if rings != [5 - taken[0], 5 - taken[1]]:
        raise fields.error(_("each player has 5 rings, on the board or taken off"))
    facts[rules.PLACED] = 10
    if markers > 51:
        raise fields.error(_("there are 51 markers, not {markers}").format(markers=markers))
    if (facts[rules.BLITZ] and sum(taken)) or sum(taken) > 5:
        wrong = _("rings cannot be taken off like {white}-{black}")
        raise fields.error(wrong.format(white=taken[0], black=taken[1]))
    if (3 in taken) and phase != rules.OVER:
        raise fields.error(_("the match is over when three rings are off: expected phase=over"))
    if phase == rules.MOVE and markers == 51:
        raise fields.error(_("the pool is empty: expected phase=over"))
    if phase == rules.RING and markers > 51 - 5:
        raise fields.error(_("a ring is taken off for a row that is back in the pool"))


def has_row(markers: set[int]) -> bool:
    """Rule 7, on point numbers."""
    for dx, dy in rules.AXES:
        for x, y in (POINTS[p] for p in markers):
            if all(NUMBER.get((x + i * dx, y + i * dy)) in markers for i in range(5)):
                return True
    return False


def check_rows(facts: State, markers: list[set[int]], fields: Fields) -> None:
    """Rows stand on the board exactly while they are being removed (rules 7, 8, 10 and 12)."""
    phase, player, mover = facts[rules.PHASE], int(facts[rules.PLAYER]), int(facts[rules.MOVER])
    rows = [has_row(colour) for colour in markers]
    if phase == rules.MOVE and any(rows):
        raise fields.error(_("there are rows of five to remove: expected phase=row"))
    if phase in (rules.ROW, rules.RING) and facts[rules.BLITZ]:
        raise fields.error(_("nothing is removed in blitz: expected phase=move or phase=over"))
    if phase == rules.ROW and (not rows[player] or (player != mover and rows[mover])):
        raise fields.error(_("it is not this player who has rows to remove now"))
    if phase == rules.RING and player != mover and rows[mover]:
        raise fields.error(_("the mover's rows are removed first"))
    if phase == rules.OVER and facts[rules.BLITZ] and any(rows):
        winner = mover if rows[mover] else 1 - mover
        facts[rules.WINNERS] = 1 << winner
    elif phase == rules.OVER:
        white, black = facts[rules.TAKEN], facts[rules.TAKEN + 1]
        facts[rules.WINNERS] = int(white >= black) | int(black >= white) << 1


def has_move(rings: set[int], taken: set[int], markers: set[int]) -> bool:
    """Rule 5, on point numbers: whether a ring has an empty point next to it or behind a run."""
    for x, y in (POINTS[p] for p in rings):
        for dx, dy in (*rules.AXES, *((-dx, -dy) for dx, dy in rules.AXES)):
            steps = (NUMBER.get((x + i * dx, y + i * dy)) for i in range(1, 12))
            first = next(point for point in steps if point not in markers)
            if first is not None and first not in taken:
                return True
    return False


def check_end(facts: State, boards: list[set[int]], fields: Fields) -> None:
    """Rules 9 to 12: a match is over for a reason."""
    rings, markers = boards[0] | boards[1], boards[2] | boards[3]
    rows = any(has_row(colour) for colour in boards[2:])
    if facts[rules.PHASE] != rules.OVER or 3 in facts[rules.TAKEN : rules.TAKEN + 2]:
        return
    if rows and not facts[rules.BLITZ]:
        raise fields.error(_("there are rows of five to remove: expected phase=row"))
    if not rows and facts[rules.POOL] > 0 and has_move(rings, rings, markers):
        raise fields.error(_("the match is not over: somebody can move a ring"))


def show(state: State) -> str:
    """A diagram: rings W and B, markers w and b; the ends of each column are named."""
    lines = [[" "] * 45 for _ in range(23)]
    signs = ((MARKERS, "w"), (MARKERS + 1, "b"), (RINGS, "W"), (RINGS + 1, "B"))
    sign_at = {p: sign for row, sign in signs for p in on_board(state, row)}
    for point, (x, y) in enumerate(POINTS):
        lines[18 - 2 * y + x][4 * x + 2] = sign_at.get(point, ".")
    for x, (low, high) in enumerate(rules.COLUMNS):
        for y, line in ((high, 16 - 2 * high + x), (low, 20 - 2 * low + x)):
            name = f"{'abcdefghijk'[x]}{y}"
            lines[line][4 * x + 1 : 4 * x + 1 + len(name)] = name
    facts = state[FACTS]
    status = _("rings off: White {white}, Black {black}; markers in the pool: {pool}").format(
        white=facts[rules.TAKEN], black=facts[rules.TAKEN + 1], pool=facts[rules.POOL]
    )
    return "\n".join([*("".join(line).rstrip() for line in lines), status])
