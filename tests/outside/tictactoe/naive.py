"""The rules of tic-tac-toe again, as slowly and plainly as possible: the oracle of the tests."""

from roundel.core.game import Options

BOARD = [column + row for column in "abc" for row in "123"]
LINES = [
    *({column + row for row in "123"} for column in "abc"),
    *({column + row for column in "abc"} for row in "123"),
    {"a1", "b2", "c3"},
    {"a3", "b2", "c1"},
]


class Naive:
    def __init__(self, options: Options) -> None:
        self.misere = options["misere"]
        self.signs: tuple[set[str], set[str]] = (set(), set())
        self.player: int | None = 0
        self.result: str | None = None

    def lines(self, player: int) -> int:
        return sum(line <= self.signs[player] for line in LINES)

    @property
    def points(self) -> tuple[int, ...]:
        return tuple(int(self.lines(player) > 0) for player in range(2))

    def legal(self) -> set[str]:
        return set() if self.result else set(BOARD) - self.signs[0] - self.signs[1]

    def rare(self) -> set[str]:
        """Full boards are rare: the squares that make no line."""
        return {text for text in self.legal() if not self.makes_a_line(text)}

    def makes_a_line(self, text: str) -> bool:
        return any(line <= self.signs[self.player or 0] | {text} for line in LINES)

    def play(self, text: str) -> None:
        assert text in self.legal()
        assert self.player is not None
        me, self.player = self.player, 1 - self.player
        self.signs[me].add(text)
        if self.lines(me):
            winner = 1 - me if self.misere else me
            self.result = f"p{winner + 1}win"
        elif not self.legal():
            self.result = "draw"
        if self.result:
            self.player = None
