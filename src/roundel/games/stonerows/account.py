"""How a finished game of Stone Rows is counted, in the order of the sheet."""

from roundel.core.board import AccountItem
from roundel.core.game import State
from roundel.games.stonerows import board, material, rules
from roundel.games.stonerows.board import NOBODY, SEATS, Cell, _, cell_name
from roundel.games.stonerows.fen import NEIGHBOURS, named_runs
from roundel.games.stonerows.rules import PHASE, POINTS


def account(state: State) -> list[AccountItem]:
    if state[0, PHASE] != rules.OVER:
        return []
    later = [*runs(state), *numbers(state), *stars(state)]
    return [*rows(state, later), *later, *totals(state)]


def item(text: str, spots: list[str], seat: int | None, points: int | None) -> AccountItem:
    return {"text": text, "spots": spots, "seat": seat, "points": points}


def rows(state: State, later: list[AccountItem]) -> list[AccountItem]:
    """Rule 9: what each player had before anything else was counted."""
    items = []
    for player, name in enumerate(SEATS):
        others = sum(i["points"] or 0 for i in later if i["seat"] == player)
        points = int(state[0, POINTS + player]) - others
        text = _("{player}: the rows that were closed").format(player=_(name))
        items.append(item(text, [], player, points))
    return items


def runs(state: State) -> list[AccountItem]:
    """Rules 10 and 12: horizontally, vertically, then along the diagonals."""
    every = [run for _key, run in sorted(board.long_runs(state).items())]
    owner, items = board.owners(state), []
    for run in every if state[0, rules.AUTOMATIC] else named_runs(state):
        spots, player = [cell_name(cell) for cell in run], owner[run[0]]
        text = _("{first} to {last}: {player}, {many} stones in a row")
        named = {"first": spots[0], "last": spots[-1], "player": _(SEATS[player])}
        text = text.format(**named, many=len(run))
        items.append(item(text, spots, player, board.run_value(run)))
    return items


def backs(state: State) -> list[tuple[Cell, str]]:
    cells = board.cells(state)
    return sorted((cells[tile], back) for tile, back in board.backs(state).items())


def numbers(state: State) -> list[AccountItem]:
    """Rule 14."""
    owner, items = board.owners(state), []
    for cell, back in backs(state):
        if back != material.STAR and owner[cell] == NOBODY:
            player = "wb".index(back[0])
            text = _("{cell}: unoccupied, so its number counts for {player}")
            text = text.format(cell=cell_name(cell), player=_(SEATS[player]))
            items.append(item(text, [cell_name(cell)], player, int(back[1])))
    return items


def stars(state: State) -> list[AccountItem]:
    """Rule 15."""
    owner = board.owners(state)
    return [star(cell, owner) for cell, back in backs(state) if back == material.STAR]


def star(cell: Cell, owner: dict[Cell, int]) -> AccountItem:
    near = [owner.get(cell + step, NOBODY) for step in NEIGHBOURS]
    white, black = near.count(0), near.count(1)
    player = owner[cell] if white == black else int(black > white)
    if player == NOBODY:
        text = _("{cell}: star, around it White {white}, Black {black}: for nobody")
    elif white == black:
        text = _("{cell}: star, around it White {white}, Black {black}, on it {player}")
    else:
        text = _("{cell}: star, around it White {white}, Black {black}: for {player}")
    named = {"cell": cell_name(cell), "white": white, "black": black, "player": _(SEATS[player])}
    worth = (None, None) if player == NOBODY else (player, 10)
    return item(text.format(**named), [cell_name(cell)], *worth)


def totals(state: State) -> list[AccountItem]:
    """Rule 11."""
    items = []
    for player, name in enumerate(SEATS):
        count = int(state[0, POINTS + player])
        text = _.plural("{player}: {many} point", "{player}: {many} points", count)
        items.append(item(text.format(player=_(name), many=count), [], player, None))
    return items
