"""What follows a game: the second one on the same built board (rule 16), or a rematch (rule 5)."""

from roundel.core import fen
from roundel.core.errors import IllegalAction
from roundel.core.game import Game
from roundel.core.position import Position
from roundel.games.stonerows.board import _


def second_game(first: Position) -> Position:
    """The other player begins on the tiles and backs as the first game's building left them."""
    if not first.over:
        raise IllegalAction(_("stonerows: the second game begins when the first one is over"))
    options = {**first.game.options, "build": 0, "first": 3 - first.game.options["first"]}
    game = Game(first.game.manifest, options)
    parts = game.notation.write_fen(first.state)
    emptied = {"white": "", "black": "", **({"named": ""} if "named" in parts else {})}
    start = {"phase": "fill", "turn": f"p{options['first']}", "points": "0-0"}
    return Position.from_fen(game, fen.join(game.spec, {**parts, **emptied, **start}))


def pair_result(first: Position, second: Position) -> str:
    """The points of both games are added; most wins, equal is a draw."""
    white, black = map(sum, zip(first.points, second.points, strict=True))
    return "draw" if white == black else "p1win" if white > black else "p2win"


def rematch(game: Game, result: str) -> str:
    """The same game, but whoever lost begins (rule 5); after a draw the one who did not.

    For the same players in the same seats: the loser has the same colour again.
    """
    first = {"p1win": 2, "p2win": 1, "draw": 3 - game.options["first"]}
    options = {**game.options, "first": first.get(result, game.options["first"])}
    return Game(game.manifest, options).spec
