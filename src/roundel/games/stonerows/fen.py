"""The position text of Stone Rows."""

from collections.abc import Mapping

import numpy as np

from roundel.core.errors import InvalidText
from roundel.core.fen import Fields
from roundel.core.game import Options, State
from roundel.games.stonerows import board, lines, material, rules
from roundel.games.stonerows.board import COLOURS, Cell, _, cell_name
from roundel.games.stonerows.rules import BUILD, FILL, NAME, OVER, PHASE, PLAYER, POINTS

PHASES = ("build", "fill", "name", "over")
TURNS = ("p1", "p2", "none")
MOST_MOVES = 6  # of both players together (rule 5); MOVED_TO has room for no more
NEIGHBOURS = [32 * dx + dy for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


def write_fen(state: State) -> dict[str, str]:
    facts = state[0]
    cells, owner = board.cells(state), board.owners(state)
    homes = rules.HOME[facts[rules.LAYOUT]].tolist()
    moves = [(home, cell) for home, cell in zip(homes, cells, strict=True) if home != cell]
    parts = {
        "phase": PHASES[facts[PHASE]],
        "turn": "none" if facts[PHASE] == OVER else TURNS[facts[PLAYER]],
        "points": f"{facts[POINTS]}-{facts[POINTS + 1]}",
        "moved": ",".join(f"{cell_name(home)}-{cell_name(cell)}" for home, cell in moves),
    }
    for player, colour in enumerate(COLOURS):
        parts[colour] = ",".join(cell_name(c) for c in sorted(owner) if owner[c] == player)
    if not facts[rules.AUTOMATIC]:
        parts["named"] = ",".join(write_run(run) for run in named_runs(state))
    if facts[rules.BONUS]:
        back_on = {cells[tile]: back for tile, back in board.backs(state).items()}
        parts["backs"] = ",".join(f"{cell_name(c)}:{back}" for c, back in sorted(back_on.items()))
    return parts


def named_runs(state: State) -> list[list[Cell]]:
    """The runs that were claimed, by direction and first end."""
    tile_on = {cell: tile for tile, cell in enumerate(board.cells(state))}
    return [
        run
        for (direction, first), run in sorted(board.long_runs(state).items())
        if state[0, rules.NAMED + direction] >> tile_on[first] & 1
    ]


def write_run(run: list[Cell]) -> str:
    return f"{cell_name(run[0])}-{cell_name(run[-1])}"


def read_fen(options: Options, fields: Fields) -> State:
    state = rules.initial(options)
    facts = state[0]
    facts[PHASE] = fields.choice("phase", PHASES)
    turn = fields.choice("turn", TURNS)
    facts[PLAYER] = 0 if facts[PHASE] == OVER else turn
    read_points(state, fields)
    read_moves(state, options["build"], fields)
    read_stones(state, fields)
    check_turn(state, TURNS[turn], options["first"] - 1, fields)
    if options["claim"]:
        read_named(state, fields)
    if options["bonus"] != "none":
        read_backs(state, options["bonus"], fields)
    check_points(state, fields)
    return state


def read_points(state: State, fields: Fields) -> None:
    text = fields.take("points")
    numbers = text.split("-")
    if len(numbers) != 2 or not all(n.isascii() and n.isdigit() and len(n) < 4 for n in numbers):
        wrong = _("points: expected two numbers like 12-9, got {text!r}")
        raise fields.error(wrong.format(text=text))
    state[0, POINTS], state[0, POINTS + 1] = map(int, numbers)


def read_pairs(key: str, sign: str, fields: Fields) -> dict[str, str]:
    """A list like `g7-f6,h8-i9`; what stands before the sign stands there once."""
    pairs = [item.partition(sign) for item in fields.items(key)]
    fields.distinct(key, [first for first, _, _ in pairs])
    return {first: second for first, _, second in pairs}


def read_moves(state: State, build: int, fields: Fields) -> None:
    """Rules 5 and 6, as far as the tiles that were moved still show them."""
    layout = board.layout_name(state)
    homes = rules.HOME[state[0, rules.LAYOUT]].tolist()
    tile_of = {cell_name(home): tile for tile, home in enumerate(homes)}
    columns, rows = material.size(layout)
    moves = read_pairs("moved", "-", fields)
    if len(moves) > MOST_MOVES:
        raise wrong_count(len(moves), build, fields)
    reach = material.MARGIN - len(moves)  # each tile moved can reach one cell further out
    inside = {
        name: cell
        for name, cell in board.grid(layout).items()
        if reach <= cell >> 5 < columns - reach and reach <= cell & 31 < rows - reach
    }
    for start, target in moves.items():
        if start not in tile_of:
            wrong = _("moved: no tile lay on {cell!r} at the start")
            raise fields.error(wrong.format(cell=start))
        if target not in inside or inside[target] in homes:
            wrong = _("moved: no tile can have been moved to {cell!r}")
            raise fields.error(wrong.format(cell=target))
    fields.distinct("moved", moves.values())
    landed = sorted((tile_of[start], inside[target]) for start, target in moves.items())
    for place, (tile, cell) in enumerate(landed):
        lines.flip(state, homes[tile], lines.BOTH)
        lines.flip(state, cell, lines.BOTH)
        state[0, rules.MOVED] |= 1 << tile
        state[0, rules.MOVED_TO] |= cell << 10 * place
    check_building(state, len(moves), build, fields)


def check_building(state: State, made: int, build: int, fields: Fields) -> None:
    lying = set(board.cells(state))
    for cell in lying:
        if not any(cell + step in lying for step in NEIGHBOURS):
            wrong = _("moved: the tile on {cell} touches no other one")
            raise fields.error(wrong.format(cell=cell_name(cell)))
    if state[0, PHASE] == BUILD and made >= 2 * build:
        wrong = _("all {many} tile moves were made: expected phase=fill")
        raise fields.error(wrong.format(many=2 * build))
    finished = made == 2 * build if build else made in (0, 2, 4, 6)  # 0: perhaps a second game
    if state[0, PHASE] != BUILD and not finished:
        raise wrong_count(made, build, fields)
    state[0, rules.MOVES_LEFT] = 2 * build - made if build else 0


def wrong_count(made: int, build: int, fields: Fields) -> InvalidText:
    expected = 2 * build or _("0, 2, 4 or 6")
    wrong = _("expected {many} tiles moved, got {made}")
    return fields.error(wrong.format(many=expected, made=made))


def read_stones(state: State, fields: Fields) -> None:
    """Rules 2 and 7."""
    tile_on = {cell_name(cell): tile for tile, cell in enumerate(board.cells(state))}
    cells = board.cells(state)
    for player, colour in enumerate(COLOURS):
        for tile in fields.named(colour, tile_on):
            if not state[0, rules.FREE] >> tile & 1:
                wrong = _("two stones lie on {cell}")
                raise fields.error(wrong.format(cell=cell_name(cells[tile])))
            lines.flip(state, cells[tile], 1 << lines.FIELD * (1 - player))
            state[0, rules.FREE] ^= 1 << tile


def check_turn(state: State, turn: str, first: int, fields: Fields) -> None:
    """Rules 5, 7 and 12: players take turns, so the stones tell whose turn it is."""
    phase, owner = state[0, PHASE], list(board.owners(state).values())
    counts = [owner.count(0), owner.count(1)]
    placed, everything = sum(counts), 2 * material.STONES
    if counts[first] - counts[1 - first] not in (0, 1):
        wrong = _("stones are placed in turn: {white} white and {black} black")
        raise fields.error(wrong.format(white=counts[0], black=counts[1]))
    if {BUILD: placed > 0, FILL: placed >= everything}.get(phase, placed != everything):
        wrong = _("{placed} stones do not go with phase={phase}")
        raise fields.error(wrong.format(placed=placed, phase=PHASES[phase]))
    if phase == NAME and state[0, rules.AUTOMATIC]:
        raise fields.error(_("runs are named with option claim only: expected phase=over"))
    made = int(state[0, rules.MOVED]).bit_count()
    expected = {BUILD: TURNS[(first + made) % 2], FILL: TURNS[(first + placed) % 2], OVER: "none"}
    if turn != expected.get(phase, "p2" if turn == "p2" else "p1"):
        wrong = _("turn: expected {expected}, got {turn}")
        raise fields.error(wrong.format(expected=expected.get(phase, _("p1 or p2")), turn=turn))


def read_named(state: State, fields: Fields) -> None:
    """Rule 12."""
    runs = {write_run(run): key for key, run in board.long_runs(state).items()}
    tile_on = {cell: tile for tile, cell in enumerate(board.cells(state))}
    owner = board.owners(state)
    for direction, first in fields.named("named", runs):
        if state[0, PHASE] < NAME or (state[0, PHASE] == NAME and owner[first] > state[0, PLAYER]):
            raise fields.error(_("named: it is not yet time to name runs"))
        state[0, rules.NAMED + direction] |= 1 << tile_on[first]


def read_backs(state: State, bonus: str, fields: Fields) -> None:
    """Rule 13."""
    tile_on = {cell_name(cell): tile for tile, cell in enumerate(board.cells(state))}
    backs = read_pairs("backs", ":", fields)
    if sorted(backs.values()) != sorted(b for b in material.BACKS if material.counts(b, bonus)):
        wrong = _("backs: these are not the backs that count with bonus={bonus}")
        raise fields.error(wrong.format(bonus=bonus))
    state[0, rules.BACKS : rules.BACKS + 4] = np.zeros(4, np.int64)
    for name, back in backs.items():
        if name not in tile_on:
            raise fields.error(_("backs: no tile lies on {cell!r}").format(cell=name))
        rules.lay_back(state, tile_on[name], back)


def check_points(state: State, fields: Fields) -> None:
    """Both players' points together: exactly known without claims and backs."""
    owner = board.owners(state)
    closed = closed_tiles(owner)
    ended, automatic = state[0, PHASE] > FILL, state[0, rules.AUTOMATIC]
    runs = board.long_runs(state).values() if automatic else named_runs(state)
    lowest = (closed if automatic else 0) + ended * sum(map(board.run_value, runs))
    highest = lowest + (0 if automatic else closed) + ended * most_from_backs(state, owner)
    total = int(state[0, POINTS] + state[0, POINTS + 1])
    if not lowest <= total <= highest:
        exactly = _("points: expected {lowest} for both together, got {total}")
        between = _("points: expected {lowest} to {highest} for both together, got {total}")
        wrong = exactly if lowest == highest else between
        raise fields.error(wrong.format(lowest=lowest, highest=highest, total=total))


def closed_tiles(owner: Mapping[Cell, int]) -> int:
    """The points for all rows that are full (rules 8 and 9)."""
    rows = [row for _, row in board.lines_of(dict.fromkeys(owner, 0))]
    return sum(len(row) for row in rows if board.is_closed(row, owner))


def most_from_backs(state: State, owner: Mapping[Cell, int]) -> int:
    """Rules 14 and 15, if every star is worth something to somebody."""
    cells = board.cells(state)
    worth = 0
    for tile, back in board.backs(state).items():
        if back == material.STAR:
            worth += 10
        elif owner[cells[tile]] == board.NOBODY:
            worth += int(back[1])
    return worth
