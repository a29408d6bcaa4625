"""The position text of Hexaequo."""

import re
from collections import Counter
from collections.abc import Iterable

import numpy as np

from roundel.core.fen import Fields
from roundel.core.game import Options, State
from roundel.core.hexes import DIRECTIONS, Hex, add
from roundel.games.hexaequo import rules
from roundel.games.hexaequo.positions import (
    CELL_OF,
    COLOURS,
    HOME,
    NAMES,
    RANGE,
    SIGNS,
    _,
    can_act,
    cells,
    jumps,
    pieces_of,
    tiles_of,
)
from roundel.games.hexaequo.rules import FACTS, HELD, HISTORY, PIECES, STOCK, TILES

PHASES = ("turn", "chain", "over")

# -- Writing --------------------------------------------------------------------


def names(cells: Iterable[Hex]) -> str:
    return ",".join(NAMES[cell] for cell in cells)


def write_fen(state: State) -> dict[str, str]:
    tiles, pieces, facts = tiles_of(state), pieces_of(state), state[FACTS]
    parts = {"phase": PHASES[facts[rules.PHASE]], "turn": f"p{facts[rules.PLAYER] + 1}"}
    for player, colour in enumerate(COLOURS):
        parts[f"{colour}_tiles"] = names(cells(state, TILES, 2 * player))
    for number, kind in enumerate(("discs", "rings")):
        for player, colour in enumerate(COLOURS):
            sign = SIGNS[player + 2 * number]
            parts[f"{colour}_{kind}"] = names(cell for cell in tiles if pieces.get(cell) == sign)
    for player, colour in enumerate(COLOURS):
        held = int(state[HELD, rules.DISC + player]), int(state[HELD, rules.RING + player])
        parts[f"{colour}_held"] = "d" * held[0] + "r" * held[1]
    if facts[rules.PHASE] == rules.CHAIN:
        jumper = cells(state, FACTS, rules.JUMPER)
        visited = cells(state, FACTS, rules.VISITED)
        parts["chain"] = names(jumper + [cell for cell in visited if cell not in jumper])
    if facts[rules.SEEN]:
        rows = range(HISTORY, HISTORY + int(facts[rules.SEEN]))
        earlier = [pieces_of(state, row) for row in rows]
        parts["seen"] = ",".join("".join(p.get(cell, ".") for cell in tiles) for p in earlier)
    return parts


# -- Reading --------------------------------------------------------------------


def read_fen(options: Options, fields: Fields) -> State:
    state = np.zeros((HISTORY, rules.COLUMNS), np.int64)
    state[FACTS, rules.PHASE] = fields.choice("phase", PHASES)
    state[FACTS, rules.PLAYER] = fields.choice("turn", ("p1", "p2"))
    read_tiles(state, fields)
    read_pieces(state, fields)
    if state[FACTS, rules.PHASE] == rules.CHAIN:
        read_chain(state, fields)
    state = read_seen(state, fields)
    check_phase(state, fields)
    return state


def read_tiles(state: State, fields: Fields) -> None:
    colours = [fields.named(f"{colour}_tiles", CELL_OF) for colour in COLOURS]
    placed = [cell for colour in colours for cell in colour]
    fields.distinct("tiles", [NAMES[cell] for cell in placed])
    for player, colour in enumerate(colours):
        if len(colour) > 9:
            wrong = _("{part}: expected at most 9, got {many}")
            raise fields.error(wrong.format(part=f"{COLOURS[player]}_tiles", many=len(colour)))
        state[STOCK, rules.TILE + player] = 9 - len(colour)
    if HOME not in placed:
        raise fields.error(_("tiles: expected one on i8, where every match begins"))
    if len(connected(set(placed))) < len(placed):
        raise fields.error(_("tiles: expected every tile to be connected to i8"))
    check_reach(placed, fields)
    for player, colour in enumerate(colours):
        for cell in colour:
            rules.lay(state, player, rules.number(*cell))


def connected(tiles: set[Hex]) -> set[Hex]:
    """The tiles that a walk from i8 reaches."""
    reached, front = {HOME}, [HOME]
    while front:
        cell = front.pop()
        new = {add(cell, step) for step in DIRECTIONS} & tiles - reached
        reached |= new
        front += new
    return reached


def check_reach(placed: list[Hex], fields: Fields) -> None:
    """No match can lead beyond a0 to q16, nor spread tiles more than 9 apart: every further line
    of cells takes two more tiles, the first only one if there are two side by side to lean on."""
    for axis in ((1, 0), (0, 1), (1, 1)):
        lines = Counter(axis[0] * q + axis[1] * r for q, r in placed)
        low, high, unplaced = min(lines), max(lines), 18 - len(placed)
        lean = [int(leans(placed, axis, line)) for line in (low, high)]
        span = high - low + (unplaced + sum(lean)) // 2
        ends = low - (unplaced + lean[0]) // 2, high + (unplaced + lean[1]) // 2
        if span > 9 or (axis != (1, 1) and not (ends[0] in RANGE and ends[1] in RANGE)):
            raise fields.error(_("tiles: they lie so far out that the match could leave a0 to q16"))


def leans(placed: list[Hex], axis: Hex, line: int) -> bool:
    """Whether two neighbours lie on a line of cells."""
    on = {(q, r) for q, r in placed if axis[0] * q + axis[1] * r == line}
    return any(add(cell, step) in on for cell in on for step in DIRECTIONS)


def read_pieces(state: State, fields: Fields) -> None:
    held = []
    for player, colour in enumerate(COLOURS):
        text = fields.take(f"{colour}_held")
        if not re.fullmatch("d{0,6}r{0,3}", text):
            wrong = _("{part}: expected up to dddddd and rrr, got {text!r}")
            raise fields.error(wrong.format(part=f"{colour}_held", text=text))
        held.append({rules.DISC: text.count("d"), rules.RING: text.count("r")})
        for kind, number in held[player].items():
            state[HELD, kind + player] = number
    tiles = {NAMES[cell]: cell for cell in tiles_of(state)}
    placed = []
    for player, colour in enumerate(COLOURS):
        for kind, key, most in ((rules.DISC, "discs", 6), (rules.RING, "rings", 3)):
            placed_here = fields.named(f"{colour}_{key}", tiles)
            for cell in placed_here:
                put_piece(state, PIECES, cell, SIGNS[player + (kind == rules.RING) * 2])
            placed += placed_here
            stock = most - len(placed_here) - held[1 - player][kind]
            if stock < 0:
                wrong = _("{part}: there are {most}, on the board or captured")
                raise fields.error(wrong.format(part=f"{colour}_{key}", most=most))
            state[STOCK, kind + player] = stock
    fields.distinct("pieces", [NAMES[cell] for cell in placed])


def put_piece(state: State, row: int, cell: Hex, sign: str) -> None:
    is_ring, player = divmod(SIGNS.index(sign), 2)
    for column in (2 * player, rules.RINGS)[: 1 + is_ring]:
        state[row, column : column + 2] |= rules.BIT[rules.number(*cell)]


def read_chain(state: State, fields: Fields) -> None:
    """Rule 9: the jumping disc first, then where it has been since its last capture."""
    tiles, pieces = tiles_of(state), pieces_of(state)
    chain = fields.named("chain", {NAMES[cell]: cell for cell in tiles})
    if not chain or pieces.get(chain[0]) != SIGNS[state[FACTS, rules.PLAYER]]:
        raise fields.error(_("chain: expected a disc of the player to act in the first place"))
    if any(cell in pieces for cell in chain[1:]):
        raise fields.error(_("chain: expected empty tiles behind the disc"))
    free = set(tiles) - set(pieces) - set(chain)
    if not jumps(chain[0], pieces, free):
        raise fields.error(_("chain: the disc cannot jump on, so its turn is over"))
    state[FACTS, rules.JUMPER : rules.JUMPER + 2] = rules.BIT[rules.number(*chain[0])]
    for cell in chain:
        state[FACTS, rules.VISITED : rules.VISITED + 2] |= rules.BIT[rules.number(*cell)]


def read_seen(state: State, fields: Fields) -> State:
    """Rule 12: the positions since the last turn that cannot be undone, oldest first."""
    tiles, now = tiles_of(state), pieces_of(state)
    seen = fields.items("seen", "")
    signs = Counter(now.values())
    for text in seen:
        if len(text) != len(tiles) or Counter(text.replace(".", "")) != signs:
            wrong = _("seen: expected the pieces on all tiles, a0 first, got {text!r}")
            raise fields.error(wrong.format(text=text))
    current = "".join(now.get(cell, ".") for cell in tiles)
    check_returns([*seen, current] if state[FACTS, rules.PHASE] != rules.CHAIN else seen, fields)
    longer = np.zeros((HISTORY + len(seen), rules.COLUMNS), np.int64)
    longer[:HISTORY] = state
    longer[FACTS, rules.SEEN] = len(seen)
    for row, text in enumerate(seen, HISTORY):
        for cell, sign in zip(tiles, text, strict=True):
            if sign != ".":
                put_piece(longer, row, cell, sign)
    return longer


def check_returns(turns: list[str], fields: Fields) -> None:
    """No position comes back before four turns, and only the last may be there a third time."""
    times: Counter[tuple[str, int]] = Counter()
    for turn, text in enumerate(turns):
        if text in turns[max(turn - 3, 0) : turn]:
            raise fields.error(_("seen: {text} cannot come back so soon").format(text=text))
        if times[text, turn % 2] == 2 and turn + 1 < len(turns):
            wrong = _("seen: the match ended when {text} occurred a third time")
            raise fields.error(wrong.format(text=text))
        times[text, turn % 2] += 1


def check_phase(state: State, fields: Fields) -> None:
    """Rules 11 to 13: whether the match is over, and who has won it."""
    facts = state[FACTS]
    phase, player = int(facts[rules.PHASE]), int(facts[rules.PLAYER])
    ahead = [has_won(state, side) for side in range(2)]
    if ahead[player] and phase != rules.CHAIN:
        raise fields.error(_("turn: the player to act has won already"))
    if ahead[1 - player] and phase != rules.OVER:
        raise fields.error(_("the player who acted last has won: expected phase=over"))
    before = [(state[row] == state[PIECES]).all() for row in range(HISTORY, state.shape[0])]
    is_draw = phase != rules.CHAIN and (sum(before[-2::-2]) >= 2 or not can_act(state))
    if is_draw and phase != rules.OVER:
        raise fields.error(_("the match is drawn: expected phase=over"))
    if phase == rules.OVER and not (is_draw or ahead[1 - player]):
        raise fields.error(_("nobody has won and nothing makes it a draw: expected phase=turn"))
    if phase == rules.OVER:
        facts[rules.WINNERS] = 2 - player if ahead[1 - player] else 3


def has_won(state: State, player: int) -> bool:
    """Rule 11."""
    all_discs = state[HELD, rules.DISC + player] == 6
    all_rings = state[HELD, rules.RING + player] == 3
    theirs = state[PIECES, 2 - 2 * player : 4 - 2 * player]
    return bool(all_discs or all_rings or not theirs.any())
