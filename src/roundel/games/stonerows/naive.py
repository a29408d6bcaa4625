"""The rules of Stone Rows again, as slowly and plainly as possible: the oracle of the tests."""

from itertools import combinations

from roundel.core.game import Options
from roundel.games.stonerows.material import LAYOUTS, backs

Cell = tuple[int, int]

STEPS = {"h": (1, 0), "v": (0, 1), "u": (1, 1), "d": (1, -1)}
AROUND = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
WORTH = {4: 10, 5: 20, 6: 30}
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def name(cell: Cell) -> str:
    return f"{LETTERS[cell[0]]}{cell[1] + 1}"


def cell_of(text: str) -> Cell:
    return LETTERS.index(text[0]), int(text[1:]) - 1


def neighbours(cell: Cell) -> set[Cell]:
    return {(cell[0] + dx, cell[1] + dy) for dx, dy in AROUND}


def runs(cells: set[Cell], letter: str) -> list[list[Cell]]:
    """All maximal straight runs in one direction, each from its first end to its last."""
    dx, dy = STEPS[letter]
    listed = []
    for x, y in sorted(cells):
        if (x - dx, y - dy) not in cells:
            run = [(x, y)]
            while (run[-1][0] + dx, run[-1][1] + dy) in cells:
                run.append((run[-1][0] + dx, run[-1][1] + dy))
            listed.append(run)
    return listed


class Naive:
    def __init__(self, options: Options) -> None:
        layout = LAYOUTS[str(options["layout"])]
        self.tiles = set(layout)
        self.back = {
            layout[t]: b for t, b in backs(int(options["seed"]), str(options["bonus"])).items()
        }
        self.ever = set(layout)  # where a tile lies or has ever lain
        self.moved: set[Cell] = set()
        self.moves_left = 2 * int(options["build"])
        self.claim = bool(options["claim"])
        self.stones: dict[Cell, int] = {}
        self.named: set[str] = set()
        self.player: int | None = int(options["first"]) - 1
        self.phase = "build"
        self.score = [0, 0]
        self.result: str | None = None
        self.rows: dict[Cell, dict[str, list[Cell]]] = {}
        if not self.moves_left:
            self.begin_filling()

    @property
    def points(self) -> tuple[int, ...]:
        return tuple(self.score)

    # -- Legal actions ----------------------------------------------------------

    def tile_moves(self) -> dict[str, int]:
        """Rule 6; each with the number of tiles that the moved tile then touches."""
        edge = {cell for tile in self.tiles for cell in neighbours(tile)} - self.ever
        touched = {target: neighbours(target) & self.tiles for target in edge}
        moves = {}
        for tile in self.tiles - self.moved:
            others = self.tiles - {tile}
            alone = [c for c in neighbours(tile) & others if not neighbours(c) & others]
            for target, near in touched.items():
                contacts = len(near) - (tile in near)
                if contacts and all(cell in near for cell in alone):
                    moves[f"{name(tile)}-{name(target)}"] = contacts
        return moves

    def closes(self, cell: Cell) -> list[str]:
        """Rules 8 and 9: the directions in which a stone here fills the last tile of a row."""
        return [
            letter
            for letter, row in self.rows[cell].items()
            if all(other in self.stones for other in row if other != cell)
        ]

    def stone_actions(self) -> set[str]:
        actions = set()
        for cell in self.tiles - set(self.stones):
            actions.add(name(cell))
            if self.claim:
                letters = self.closes(cell)
                for size in range(1, len(letters) + 1):
                    actions |= {
                        f"{name(cell)}!{''.join(some)}" for some in combinations(letters, size)
                    }
        return actions

    def own_runs(self, player: int) -> dict[str, int]:
        """Rule 10: the runs of four and more and what they are worth."""
        own = {cell for cell, owner in self.stones.items() if owner == player}
        return {
            f"!{name(run[0])}-{name(run[-1])}": WORTH.get(len(run), 40)
            for letter in STEPS
            for run in runs(own, letter)
            if len(run) >= 4
        }

    def legal(self) -> set[str]:
        if self.player is None:
            return set()
        if self.phase == "build":
            return set(self.tile_moves())
        if self.phase == "fill":
            return self.stone_actions()
        return (set(self.own_runs(self.player)) - self.named) | {"done"}

    def rare(self) -> set[str]:
        """Tiles that hang on one other tile; long runs of one colour; runs before `done`."""
        if self.phase == "build":
            moves = self.tile_moves()
            fewest = min(moves.values())
            return {text for text, touched in moves.items() if touched == fewest}
        if self.phase == "name":
            return self.legal() - {"done"}
        claims = {text for text in self.stone_actions() if "!" in text}
        return claims or self.longest_runs()

    def longest_runs(self) -> set[str]:
        """The stones that make the longest run of the player's own."""
        assert self.player is not None
        own = {cell for cell, owner in self.stones.items() if owner == self.player}
        best: dict[int, set[str]] = {}
        for cell in self.tiles - set(self.stones):
            length = 0
            for dx, dy in STEPS.values():
                run = 1
                for sign in (1, -1):
                    x, y = cell[0] + sign * dx, cell[1] + sign * dy
                    while (x, y) in own:
                        run, x, y = run + 1, x + sign * dx, y + sign * dy
                length = max(length, run)
            best.setdefault(length, set()).add(name(cell))
        return best[max(best)]

    # -- Playing ----------------------------------------------------------------

    def play(self, text: str) -> None:
        assert self.player is not None
        if self.phase == "build":
            self.move_tile(*map(cell_of, text.split("-")))
        elif self.phase == "fill":
            stone, _, claim = text.partition("!")
            self.place(cell_of(stone), claim)
        elif text != "done":
            self.score[self.player] += self.own_runs(self.player)[text]
            self.named.add(text)
        elif self.player == 0:
            self.player = 1
        else:
            self.finish()

    def move_tile(self, start: Cell, target: Cell) -> None:
        self.tiles = self.tiles - {start} | {target}
        self.moved.add(target)
        self.ever.add(target)
        if start in self.back:
            self.back[target] = self.back.pop(start)
        self.moves_left -= 1
        assert self.player is not None
        self.player = 1 - self.player
        if not self.moves_left:
            self.begin_filling()

    def begin_filling(self) -> None:
        self.phase = "fill"
        self.rows = {cell: {} for cell in self.tiles}
        for letter in STEPS:
            for row in runs(self.tiles, letter):
                for cell in row if len(row) >= 2 else []:
                    self.rows[cell][letter] = row

    def place(self, cell: Cell, claim: str) -> None:
        assert self.player is not None
        for letter in claim if self.claim else self.closes(cell):
            self.score[self.player] += len(self.rows[cell][letter])
        self.stones[cell] = self.player
        self.player = 1 - self.player
        if len(self.stones) == 48:
            self.count_backs()
            self.player, self.phase = 0, "name"
            if not self.claim:
                for player in (0, 1):
                    self.score[player] += sum(self.own_runs(player).values())
                self.finish()

    def count_backs(self) -> None:
        """Rules 14 and 15."""
        for cell, back in self.back.items():
            if back == "*":
                near = [self.stones[other] for other in neighbours(cell) if other in self.stones]
                white, black = near.count(0), near.count(1)
                if white != black:
                    self.score[0 if white > black else 1] += 10
                elif cell in self.stones:
                    self.score[self.stones[cell]] += 10
            elif cell not in self.stones:
                self.score["wb".index(back[0])] += int(back[1])

    def finish(self) -> None:
        self.player = None
        white, black = self.score
        self.result = "draw" if white == black else "p1win" if white > black else "p2win"
