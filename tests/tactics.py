"""Positions that need one certain answer, and what certain means: the games' `tactics.txt`.

A line is `kind depth | position | the good actions`:

    win 2      these actions force a win within two turns of the player, no others do
    hold 1     these do not lose within one turn of the opponent, all others do
    chain 2    these lead to the largest lead in points after two turns, all others to 2 less
    endgame 9  these keep the best result with best play to the end, at most 9 plies away
"""

from __future__ import annotations

from dataclasses import dataclass

from roundel import games
from roundel.core.game import Action, Manifest
from roundel.core.position import Position
from roundel.search.exact import LEAD, WIN, Prover

FAR = 9  # points: how far a lead can grow in a few turns


@dataclass(frozen=True)
class Tactic:
    kind: str
    depth: int
    position: Position
    good: frozenset[Action]

    def __str__(self) -> str:
        texts = " ".join(self.position.write(action) for action in sorted(self.good))
        return f"{self.kind} {self.depth} | {self.position.fen()} | {texts}"


def read(manifest: Manifest) -> list[Tactic]:
    """The positions of a game, in the order of its file."""
    lines = (manifest.folder / "tactics.txt").read_text().splitlines()
    return [parse(line) for line in lines if line and not line.startswith("#")]


def parse(line: str) -> Tactic:
    head, fen, actions = (part.strip() for part in line.split("|"))
    kind, depth = head.split()
    position = games.from_fen(fen)
    good = frozenset(position.read(text) for text in actions.split())
    return Tactic(kind, int(depth), position, good)


# -- Proofs: the good actions, or None if that takes too many nodes ----------------


def winning(prover: Prover, position: Position, depth: int) -> set[Action] | None:
    """The actions that force a win within so many turns of the player who acts."""
    me, turns = position.player, position.game.players * (depth - 1)
    assert me is not None
    return _where(prover, position, (me, WIN, turns, 0), True)


def holding(prover: Prover, position: Position, depth: int) -> set[Action] | None:
    """The actions after which the opponent (of two) cannot force a win within so many turns."""
    me, turns = position.player, 2 * depth - 1
    assert me is not None
    return _where(prover, position, (1 - me, WIN, turns, 0), False)


def leading(prover: Prover, position: Position, turns: int) -> set[Action] | None:
    """The actions with the largest lead after so many turns, if all others get 2 points less."""
    me = position.player
    assert me is not None
    now = position.points[me] - position.points[1 - me]
    for points in range(now + FAR, now - FAR, -1):
        best = _where(prover, position, (me, LEAD, turns - 1, points), True)
        if best is None or best:
            others = _where(prover, position, (me, LEAD, turns - 1, points - 1), True)
            return best if best == others else None
    return None


def keeping(prover: Prover, position: Position, plies: int) -> set[Action] | None:
    found = prover.best(position)
    return found and found[1]


def _where(
    prover: Prover, position: Position, question: tuple[int, int, int, int], answer: bool
) -> set[Action] | None:
    """The actions after which a question (player, goal, turns, points) has that answer."""
    me, goal, turns, points = question
    found = set()
    for action in position.legal():
        child = position.play(action)
        left = turns - (child.player != position.player)
        forced = prover.forces(child, me, goal, left, points)
        if forced is None:
            return None
        if forced == answer:
            found.add(action)
    return found


PROOFS = {"win": winning, "hold": holding, "chain": leading, "endgame": keeping}


def proved(prover: Prover, tactic: Tactic) -> bool:
    """Whether trying everything gives the same actions again."""
    again = PROOFS[tactic.kind](prover, tactic.position, tactic.depth)
    return again is not None and tactic.good == again
