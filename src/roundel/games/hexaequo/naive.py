"""The rules of Hexaequo again, as slowly and plainly as possible: the oracle of the tests."""

from roundel.core.game import Options

Cell = tuple[int, int]
Piece = tuple[int, str]  # owner, "disc" or "ring"
Position = tuple[frozenset[tuple[Cell, int]], frozenset[tuple[Cell, Piece]], int | None, object]

NEIGHBOURS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)]
SECOND = [
    (q, r) for q in range(-2, 3) for r in range(-2, 3) if (abs(q) + abs(r) + abs(q + r)) // 2 == 2
]


def name(cell: Cell) -> str:
    return f"{'abcdefghijklmnopq'[cell[0] + 8]}{cell[1] + 8}"


def cell_of(text: str) -> Cell:
    return "abcdefghijklmnopq".index(text[0]) - 8, int(text[1:]) - 8


def plus(a: Cell, b: Cell) -> Cell:
    return a[0] + b[0], a[1] + b[1]


class Naive:
    def __init__(self, options: Options) -> None:
        self.tiles: dict[Cell, int] = {(0, 0): 0, (1, 0): 0, (-1, 1): 1, (0, 1): 1}
        self.pieces: dict[Cell, Piece] = {(1, 0): (0, "disc"), (-1, 1): (1, "disc")}
        self.held: list[list[str]] = [[], []]  # what each player has captured
        self.player: int | None = 0
        self.result: str | None = None
        self.jumper: Cell | None = None  # the disc in the middle of its chain
        self.visited: set[Cell] = set()
        self.history = [self.position()]

    @property
    def points(self) -> tuple[int, ...]:
        return len(self.held[0]), len(self.held[1])

    def position(self) -> Position:
        """Rule 12: all that makes two positions the same."""
        held = tuple(tuple(sorted(held)) for held in self.held)
        return frozenset(self.tiles.items()), frozenset(self.pieces.items()), self.player, held

    def reserve(self, player: int, kind: str) -> int:
        """Rule 1: what is neither on the board nor captured."""
        on_board = list(self.pieces.values()).count((player, kind))
        return {"disc": 6, "ring": 3}[kind] - on_board - self.held[1 - player].count(kind)

    def room_for_tiles(self, player: int) -> list[Cell]:
        """Rule 4."""
        if list(self.tiles.values()).count(player) == 9:
            return []
        cells = {plus(tile, step) for tile in self.tiles for step in NEIGHBOURS} - set(self.tiles)
        return [c for c in cells if sum(plus(c, step) in self.tiles for step in NEIGHBOURS) >= 2]

    def is_empty_tile(self, cell: Cell) -> bool:
        return cell in self.tiles and cell not in self.pieces

    def jumps(self, start: Cell) -> list[Cell]:
        """Rules 8 and 9: where the disc can jump to from `start`."""
        ends = []
        for step in NEIGHBOURS:
            over = plus(start, step)
            landing = plus(over, step)
            if over in self.pieces and self.is_empty_tile(landing) and landing not in self.visited:
                ends.append(landing)
        return ends

    def landings(self, start: Cell) -> list[Cell]:
        """Rules 7, 8 and 10: where a piece can go in a new turn."""
        owner, kind = self.pieces[start]
        if kind == "disc":
            steps = [plus(start, step) for step in NEIGHBOURS]
            return [cell for cell in steps if self.is_empty_tile(cell)] + self.jumps(start)
        ends = [plus(start, leap) for leap in SECOND]
        return [c for c in ends if c in self.tiles and self.pieces.get(c, (None,))[0] != owner]

    def legal(self) -> set[str]:
        me = self.player
        if me is None:
            return set()
        if self.jumper is not None:
            jumps = {f"{name(self.jumper)}-{name(end)}" for end in self.jumps(self.jumper)}
            return jumps | {"stop"}
        actions = {f"t@{name(cell)}" for cell in self.room_for_tiles(me)}
        own = [
            cell for cell, owner in self.tiles.items() if owner == me and cell not in self.pieces
        ]
        if self.reserve(me, "disc"):
            actions |= {f"d@{name(cell)}" for cell in own}
        if self.reserve(me, "ring") and "disc" in self.held[me]:
            actions |= {f"r@{name(cell)}" for cell in own}
        mine = [cell for cell, (owner, _) in self.pieces.items() if owner == me]
        actions |= {f"{name(cell)}-{name(end)}" for cell in mine for end in self.landings(cell)}
        return actions

    def rare(self) -> set[str]:
        """Ring placements, jumps and captures; if there are none, ways back to where we were."""
        legal = self.legal()
        eventful = {text for text in legal if text.startswith("r@") or self.is_eventful(text)}
        return eventful or {text for text in legal if "-" in text and self.leads_back(text)}

    def is_eventful(self, text: str) -> bool:
        if "-" not in text:
            return False
        start, end = map(cell_of, text.split("-"))
        step = end[0] - start[0], end[1] - start[1]
        return end in self.pieces or (self.pieces[start][1] == "disc" and step not in NEIGHBOURS)

    def leads_back(self, text: str) -> bool:
        start, end = map(cell_of, text.split("-"))
        after = dict(self.pieces)
        after[end] = after.pop(start)
        return any(pieces == after.items() for _, pieces, _, _ in self.history[-20:])

    def play(self, text: str) -> None:
        assert text in self.legal()
        assert self.player is not None
        if text == "stop":
            self.end_turn()
        elif "@" in text:
            self.place(text[0], cell_of(text[2:]))
            self.end_turn()
        else:
            start, end = map(cell_of, text.split("-"))
            if not self.move(start, end):
                self.end_turn()

    def place(self, kind: str, cell: Cell) -> None:
        """Rules 4 to 6."""
        assert self.player is not None
        if kind == "t":
            self.tiles[cell] = self.player
        elif kind == "d":
            self.pieces[cell] = self.player, "disc"
        else:
            self.pieces[cell] = self.player, "ring"
            self.held[self.player].remove("disc")

    def move(self, start: Cell, end: Cell) -> bool:
        """Rules 7 to 10; returns whether the chain goes on."""
        assert self.player is not None
        owner, kind = self.pieces.pop(start)
        over = (start[0] + end[0]) // 2, (start[1] + end[1]) // 2
        is_step = (end[0] - start[0], end[1] - start[1]) in NEIGHBOURS
        target = end if kind == "ring" else over
        captured = not is_step and self.pieces.get(target, (owner,))[0] != owner
        if captured:
            self.held[self.player].append(self.pieces.pop(target)[1])
        self.pieces[end] = owner, kind
        if kind == "ring" or is_step:
            return False
        self.visited = {end} if captured else self.visited | {start, end}
        self.jumper = end
        return bool(self.jumps(end))

    def end_turn(self) -> None:
        """Rules 11 to 13, in this order."""
        me = self.player
        assert me is not None
        you = 1 - me
        self.jumper, self.visited, self.player = None, set(), you
        self.history.append(self.position())
        bare = all(owner == me for owner, _ in self.pieces.values())
        if bare or self.held[me].count("disc") == 6 or self.held[me].count("ring") == 3:
            self.player, self.result = None, f"p{me + 1}win"
        elif self.history.count(self.history[-1]) == 3 or not self.legal():
            self.player, self.result = None, "draw"
