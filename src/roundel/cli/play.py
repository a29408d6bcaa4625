"""Play at one keyboard: the board as text, actions typed as in the rules."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from roundel import games
from roundel.core.errors import RoundelError

if TYPE_CHECKING:
    from roundel.core.position import Position

HELP = """Type an action as the rules write it, or one of:
  legal   what can be played now     undo   take the last action back
  fen     this position as one line  quit   leave the table"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("spec", nargs="?", help="the game, as NAME[:OPTION[=VALUE],...] (asks)")
    parser.add_argument("--pair", action="store_true", help="a match of two games on one board")


def run(options: argparse.Namespace) -> None:
    try:
        table(options.spec or ask_game(), options.pair)
    except EOFError:
        print("\nGoodbye.")


def ask_game() -> str:
    print("Which game?\n")
    for name in games.names():
        print(f"  {name:12} {games.manifest(name).title}")
    print("\nOptions go behind the name (`roundel games` lists them), like NAME:OPTION=VALUE.")
    while True:
        try:
            return games.load(input("\ngame> ").strip()).spec
        except RoundelError as error:
            print(error)


def table(spec: str, pair: bool) -> None:
    game = games.load(spec)
    second_game = game.manifest.second_game
    if pair and second_game is None:
        raise RoundelError(f"{game.name} is not played in pairs of games")
    print(HELP)
    first = play_match(game.start())
    if not (pair and second_game and first.over):
        return
    print("\nThe second game, on the same board; the other player begins.")
    second = play_match(second_game(first))
    if second.over:
        total = [a + b for a, b in zip(first.points, second.points, strict=True)]
        print(f"Both games together: {' to '.join(map(str, total))}.")


def play_match(position: Position) -> Position:
    """Ask for actions until the match is over or the players leave; returns where it stands."""
    line = [position]
    while True:
        position = line[-1]
        print(f"\n{position}\n{position.prompt}")
        if position.over:
            print(f"Result: {position.result}, points {' to '.join(map(str, position.points))}.")
            return position
        command = input("> ").strip()
        if command == "quit":
            return position
        if command == "undo":
            line = line[:-1] or line
        elif command in SAY:
            print(SAY[command](position))
        else:
            line += answer(position, command)


def answer(position: Position, command: str) -> list[Position]:
    try:
        return [position.play(command)] if command else []
    except RoundelError as error:
        print(f"{error}\n(`help` tells what can be typed.)")
        return []


def legal(position: Position) -> str:
    if position.game.unaided:
        return "In this game you have to see for yourself what can be played."
    return " ".join(sorted(position.write(action) for action in position.legal()))


SAY: dict[str, Callable[[Position], str]] = {
    "help": lambda position: HELP,
    "legal": legal,
    "fen": lambda position: position.fen(),
}
