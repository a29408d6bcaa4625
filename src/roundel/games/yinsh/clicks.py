"""From the clicks of a player at boardspace.net to actions: what was meant in the end."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from roundel.core.errors import IllegalAction, InvalidText
from roundel.games.yinsh import rules
from roundel.games.yinsh.notation import POINT_OF, _

if TYPE_CHECKING:
    from roundel.core.foreign import EntryData, LineData
    from roundel.core.position import Position

POINT = re.compile(r"([A-Ka-k])\s*([0-9]{1,2})(?![0-9])", re.ASCII)


class Played:
    """One action with the position before it, and what is said about it."""

    def __init__(self, before: Position, text: str, seat: int) -> None:
        self.before, self.text, self.seat = before, text, seat
        self.clock = ""
        self.comments: list[str] = []  # joined once, at the end: there may be very many

    def data(self) -> str | EntryData:
        data: EntryData = {"action": self.text}
        if self.clock:
            data["clock"] = self.clock
        if comment := " ".join(" ".join(self.comments).split()):
            data["comment"] = comment
        return data if len(data) > 1 else self.text


class Clicks:
    """A match in the making. A ring move is kept back until the next click shows that it stays."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.played: list[Played] = []
        self.seat = 0  # whose click was the last
        self.first = 0  # the seat that placed the first ring: player 1
        self.hand = ""  # "ring" or "marker" taken from beside the board
        self.start = self.end = ""  # the ring move that is being made
        self.lifted = ""  # the ring that is being taken off
        self.resigned: int | None = None
        self.agreed = False  # a draw
        self.time = ""

    def click(self, seat: int, verb: str, rest: str) -> None:
        """Take one click. Words that change nothing on the board (start, done, ...) end a turn."""
        if seat != self.seat:
            self.flush()
        self.seat = seat
        piece, points = words_of(rest)
        if verb in ("place", "drop", "pick", "remove", "move"):
            getattr(self, verb)(piece, points)
        elif verb == "resign":
            self.flush()
            self.resigned = seat
        elif verb == "acceptdraw":
            self.agreed = True
        elif verb == "done":
            self.flush()

    # -- What a click does ------------------------------------------------------

    def place(self, piece: str, points: list[str]) -> None:
        if piece.endswith("r"):
            self.put_ring(one(points))
        else:
            self.flush()
            self.start = one(points)

    def drop(self, piece: str, points: list[str]) -> None:
        if piece != "board":
            self.put_back()
        elif self.hand == "ring" and self.phase == rules.PLACE:
            self.put_ring(one(points))
        elif not self.start:
            self.start = one(points)
        else:  # a ring that is put down where it came from has not moved
            self.end = "" if one(points) == self.start else one(points)

    def put_back(self) -> None:
        """A piece goes back beside the board: a ring that is taken off, or a change of mind."""
        if self.lifted:
            self.play(f"x{self.lifted}")
        elif not self.end:
            self.start = ""
        self.hand = self.lifted = ""

    def pick(self, piece: str, points: list[str]) -> None:
        if piece != "board":
            self.hand = "ring" if piece.endswith("r") else "marker"
        elif self.start:
            self.end = ""  # the ring is in the hand again, wherever it is said to come from
        elif self.phase == rules.RING:
            self.lifted = one(points)
        elif self.was_mine(one(points)):
            self.undo()
            self.hand = "ring"

    def move(self, piece: str, points: list[str]) -> None:
        self.flush()
        if len(points) != 2:
            raise InvalidText(_("sgf: expected two points to move between"))
        self.start, self.end = points

    def remove(self, piece: str, points: list[str]) -> None:
        """A row by its two ends in either order, or a ring; done again, it replaces the first."""
        self.flush()
        first, last = min(points, key=order, default=""), max(points, key=order, default="")
        text = f"x{first}-{last}" if len(points) == 2 else f"x{one(points)}"
        asked = rules.ROW if len(points) == 2 else rules.RING
        if self.phase != asked and self.last_is(asked):
            self.undo()
        self.play(text)

    def put_ring(self, point: str) -> None:
        if not self.played:
            self.first = self.seat
        self.hand = ""
        self.play(point)

    # -- Actions ----------------------------------------------------------------

    @property
    def phase(self) -> int:
        return int(self.position.state[rules.FACTS, rules.PHASE])

    def last_is(self, phase: int) -> bool:
        """Whether the last action was this seat's and of that kind."""
        last = self.played[-1] if self.played else None
        return (
            last is not None
            and last.seat == self.seat
            and last.before.state[rules.FACTS, rules.PHASE] == phase
        )

    def was_mine(self, point: str) -> bool:
        """Whether the last action put this seat's ring there."""
        return self.last_is(rules.PLACE) and self.played[-1].text == point

    def play(self, text: str) -> None:
        before = self.position
        self.position = before.play(text)
        self.played.append(Played(before, text, self.seat))

    def undo(self) -> None:
        self.position = self.played.pop().before

    def flush(self) -> None:
        """The ring move stays. A marker without a ring move is taken back."""
        if self.start and self.end:
            self.play(f"{self.start}-{self.end}")
            self.played[-1].clock, self.time = self.time, ""
        self.start = self.end = self.hand = self.lifted = ""

    def finish(self) -> None:
        self.flush()

    # -- What is said -------------------------------------------------------------

    def clock(self, text: str) -> None:
        """Milliseconds, as they stood after the last click."""
        if not (text.isascii() and text.isdigit() and len(text) < 10):
            return
        seconds, milliseconds = divmod(int(text), 1000)
        shown = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}.{milliseconds:03}"
        if self.start:
            self.time = shown
        elif self.played:
            self.played[-1].clock = shown

    def comment(self, text: str) -> None:
        if self.end:
            self.flush()
        if self.played:
            self.played[-1].comments.append(text)

    def result(self) -> tuple[str, str]:
        """The result and, unless the rules made it, what did."""
        if self.position.result:
            return self.position.result, ""
        if self.resigned is not None:
            return ("p1win" if self.resigned != self.first else "p2win"), "resignation"
        return ("draw", "agreement") if self.agreed else ("*", "")

    def line(self) -> LineData:
        """The actions, grouped by turn."""
        turns: list[list[str | EntryData]] = []
        mover = None
        for played in self.played:
            if played.before.player != mover:
                turns.append([])
                mover = played.before.player
            turns[-1].append(played.data())
        return {"turns": turns}


def words_of(rest: str) -> tuple[str, list[str]]:
    """`wr  H 9` as the piece and the points that are named."""
    match = re.match(r"(board|[wb]r?)\b(?!\s*[0-9])", rest.strip(), re.IGNORECASE)
    piece = match[1].lower() if match else ""
    named = POINT.findall(rest.strip()[len(piece) :])
    return piece, [f"{letter.lower()}{int(number)}" for letter, number in named]


def one(points: list[str]) -> str:
    if len(points) != 1:
        raise InvalidText(_("sgf: expected one point"))
    return points[0]


def order(point: str) -> int:
    if point not in POINT_OF:
        raise IllegalAction(_("sgf: {point} is not a point of the board").format(point=point))
    return POINT_OF[point]
