"""The rules of Ringgz again, as slowly and plainly as possible: the oracle of the tests."""

from collections import Counter

from roundel.core.game import Options

BOARD = [column + row for column in "abcde" for row in "12345"]
CENTRE = [column + row for column in "bcd" for row in "234"]
LINKED = {
    here: [
        there
        for there in BOARD
        if abs(ord(here[0]) - ord(there[0])) + abs(ord(here[1]) - ord(there[1])) == 1
    ]
    for here in BOARD
}
COLOURS = {2: ["bg", "yr"], 3: ["br", "gr", "yr"], 4: ["b", "g", "y", "r"]}  # rules 4 to 6


class Naive:
    def __init__(self, options: Options) -> None:
        self.dealt = COLOURS[options["players"]]
        self.by_player = options["presence"] == "player"
        self.opening = options["opening"]
        self.neutral = "r" if len(self.dealt) == 3 else ""
        self.stocks = [
            {
                colour + kind: 1 if colour == self.neutral else 3
                for colour in mine
                for kind in "1234b"
            }
            for mine in self.dealt
        ]
        self.pieces: dict[str, list[str]] = {here: [] for here in BOARD}
        self.start = ""
        self.out: set[int] = set()  # who has left the match
        self.choices = {f"s@{here}" for here in CENTRE}  # rule 7
        self.player: int | None = 0
        self.result: str | None = None

    def present(self, colours: str, here: str) -> bool:
        """Rule 9."""
        return here == self.start or any(piece[0] in colours for piece in self.pieces[here])

    def may(self, player: int, piece: str, here: str) -> bool:
        """Rules 8 to 10."""
        there = self.pieces[here]
        if here == self.start or any(other[1] == "b" for other in there):
            return False
        colours = self.dealt[player] if self.by_player else piece[0]
        linked = any(self.present(colours, place) for place in LINKED[here])
        if piece[1] == "b":
            beside = any(piece in self.pieces[place] for place in LINKED[here])
            return not there and linked and not beside
        size_taken = any(other[1] == piece[1] for other in there)
        return not size_taken and (linked or self.present(colours, here))

    def placings(self, player: int) -> set[str]:
        kept = [p for p, stock in self.stocks[player].items() if stock and player not in self.out]
        return {f"{p}@{here}" for p in kept for here in BOARD if self.may(player, p, here)}

    def legal(self) -> set[str]:
        return self.choices

    def rare(self) -> set[str]:
        """Bases, which shut players in; without these the largest piles, which fill up quickly."""
        bases = {text for text in self.choices if text[1] == "b"}
        piles: dict[int, set[str]] = {}
        for text in self.choices:
            piles.setdefault(len(self.pieces[text[-2:]]), set()).add(text)
        return bases or piles.get(max(piles, default=0), set())

    def play(self, text: str) -> None:
        assert text in self.choices
        assert self.player is not None
        piece, here = text.split("@")
        if piece == "s":
            self.start = here
            self.player = self.order(self.player + (self.opening == "turn"))[0]
            self.choices = self.placings(self.player)
            return
        self.stocks[self.player][piece] -= 1
        self.pieces[here].append(piece)
        self.next_turn(self.player)

    def order(self, first: int) -> list[int]:
        """Who has not left, from a player on."""
        count = len(self.dealt)
        order = [(first + step) % count for step in range(count)]
        return [someone for someone in order if someone not in self.out]

    def retire(self, player: int) -> None:
        """A player leaves: no placings any more, and no win."""
        assert self.player is not None
        self.out.add(player)
        if self.start:
            self.next_turn(self.player - 1)
        else:
            self.player = self.order(self.player)[0]

    def next_turn(self, player: int) -> None:
        """Rules 11 and 12."""
        order = self.order(player + 1)
        placings = {someone: self.placings(someone) for someone in order}
        if all(text[1] == "b" for texts in placings.values() for text in texts):
            self.player, self.result, self.choices = None, self.judge(), set()
        else:
            self.player = next(someone for someone in order if placings[someone])
            self.choices = placings[self.player]

    def winner_of(self, here: str) -> str:
        """Rule 13: the colour that has won a territory, or nothing."""
        counts = Counter(piece[0] for piece in self.pieces[here] if piece[1] != "b")
        most = [colour for colour, n in counts.items() if n == max(counts.values())]
        return most[0] if len(most) == 1 and most[0] != self.neutral else ""

    @property
    def points(self) -> tuple[int, ...]:
        won = [self.winner_of(here) for here in BOARD]
        return tuple(sum(c != "" and c in mine for c in won) for mine in self.dealt)

    def judge(self) -> str:
        """Rule 14."""
        pieces = [sum(stock.values()) for stock in self.stocks]
        scores = {p: (self.points[p], -pieces[p]) for p in range(len(pieces)) if p not in self.out}
        best = [player for player, score in scores.items() if score == max(scores.values())]
        if len(best) == len(pieces) == 2:
            return "draw"
        return "".join(f"p{player + 1}" for player in best) + "win"
