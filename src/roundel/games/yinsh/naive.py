"""The rules of Yinsh again, as slowly and plainly as possible: the oracle of the tests."""

from roundel.core.game import Options

Point = tuple[int, int]

ROWS_OF_COLUMN = {
    "a": (2, 5), "b": (1, 7), "c": (1, 8), "d": (1, 9), "e": (1, 10), "f": (2, 10),
    "g": (2, 11), "h": (3, 11), "i": (4, 11), "j": (5, 11), "k": (7, 10),
}  # fmt: skip
BOARD = [
    ("abcdefghijk".index(letter), number)
    for letter, (low, high) in ROWS_OF_COLUMN.items()
    for number in range(low, high + 1)
]
FORWARD = [(0, 1), (1, 0), (1, 1)]
DIRECTIONS = FORWARD + [(-dx, -dy) for dx, dy in FORWARD]


def name(point: Point) -> str:
    return f"{'abcdefghijk'[point[0]]}{point[1]}"


def point_of(text: str) -> Point:
    return "abcdefghijk".index(text[0]), int(text[1:])


def walk(start: Point, direction: Point) -> list[Point]:
    """All points from `start` (not included) to the edge."""
    x, y = start[0] + direction[0], start[1] + direction[1]
    return [(x, y), *walk((x, y), direction)] if (x, y) in BOARD else []


RAYS = {start: {direction: walk(start, direction) for direction in DIRECTIONS} for start in BOARD}


class Naive:
    def __init__(self, options: Options) -> None:
        self.blitz = options["blitz"]
        self.rings: dict[Point, int] = {}
        self.markers: dict[Point, int] = {}
        self.taken = [0, 0]
        self.player: int | None = 0
        self.mover = 0
        self.phase = "place"
        self.result: str | None = None

    @property
    def points(self) -> tuple[int, ...]:
        return tuple(self.taken)

    def landings(self, start: Point) -> list[Point]:
        """Rule 5."""
        ends = []
        for direction in DIRECTIONS:
            jumped = False
            for point in RAYS[start][direction]:
                if point in self.rings:
                    break
                if point in self.markers:
                    jumped = True
                    continue
                ends.append(point)
                if jumped:
                    break
        return ends

    def moves(self, player: int) -> list[tuple[Point, Point]]:
        rings = [point for point, owner in self.rings.items() if owner == player]
        return [(start, end) for start in rings for end in self.landings(start)]

    def rows(self, player: int) -> list[list[Point]]:
        """Rule 7: every five in a line."""
        own = [point for point, colour in self.markers.items() if colour == player]
        fives = [[start, *RAYS[start][step][:4]] for start in own for step in FORWARD]
        return [five for five in fives if len(five) == 5 and all(point in own for point in five)]

    def legal(self) -> set[str]:
        if self.player is None:
            return set()
        if self.phase == "place":
            return {name(point) for point in BOARD if point not in self.rings}
        if self.phase == "move":
            return {f"{name(start)}-{name(end)}" for start, end in self.moves(self.player)}
        if self.phase == "row":
            return {f"x{name(five[0])}-{name(five[4])}" for five in self.rows(self.player)}
        return {f"x{name(point)}" for point, owner in self.rings.items() if owner == self.player}

    def rare(self) -> set[str]:
        """The legal actions that lead towards rows: ring moves that make long runs of markers."""
        if self.phase != "move" or self.player is None:
            return set()
        best: dict[int, set[str]] = {}
        for start, end in self.moves(self.player):
            after = {**self.markers, start: self.player}
            for point in self.between(start, end):
                if point in self.markers:
                    after[point] = 1 - self.markers[point]
            best.setdefault(self.longest(after), set()).add(f"{name(start)}-{name(end)}")
        return best[max(best)]

    def longest(self, markers: dict[Point, int]) -> int:
        """The longest run of one colour, 7 at the most."""
        longest = 0
        for start, colour in markers.items():
            for direction in FORWARD:
                run = 1
                for point in RAYS[start][direction]:
                    if markers.get(point) != colour:
                        break
                    run += 1
                longest = max(longest, run)
        return min(longest, 7)

    def between(self, start: Point, end: Point) -> list[Point]:
        for direction in DIRECTIONS:
            points = RAYS[start][direction]
            if end in points:
                return points[: points.index(end)]
        raise AssertionError

    def play(self, text: str) -> None:
        assert text in self.legal()
        assert self.player is not None
        if self.phase == "place":
            self.rings[point_of(text)] = self.player
            self.player = 1 - self.player
            if len(self.rings) == 10:
                self.next_turn(self.player)
        elif self.phase == "move":
            start, end = map(point_of, text.split("-"))
            for point in self.between(start, end):
                if point in self.markers:
                    self.markers[point] = 1 - self.markers[point]
            self.markers[start] = self.rings[end] = self.rings.pop(start)
            self.mover = self.player
            self.after_markers()
        elif self.phase == "row":
            first, last = map(point_of, text[1:].split("-"))
            for point in [first, *self.between(first, last), last]:
                del self.markers[point]
            self.phase = "ring"
        else:
            del self.rings[point_of(text[1:])]
            self.taken[self.player] += 1
            if self.taken[self.player] == 3:
                self.end(f"p{self.player + 1}win")
            else:
                self.after_markers()

    def after_markers(self) -> None:
        """Rules 7, 8 and 12."""
        for player in (self.mover, 1 - self.mover):
            if self.rows(player):
                if self.blitz:
                    self.end(f"p{player + 1}win")
                else:
                    self.player, self.phase = player, "row"
                return
        self.next_turn(1 - self.mover)

    def next_turn(self, player: int) -> None:
        """Rules 10 and 11."""
        self.phase = "move"
        if len(self.markers) < 51:
            for candidate in (player, 1 - player):
                if self.moves(candidate):
                    self.player = candidate
                    return
        white, black = self.taken
        self.end("p1win" if white > black else "p2win" if black > white else "draw")

    def end(self, result: str) -> None:
        self.player, self.result = None, result
