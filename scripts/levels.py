"""`make levels`: how strong each level is, by matches between levels that are not far apart.

    python -m scripts.levels [GAME ...]    play, and write `levels.json` of every game
    python -m scripts.levels --markdown    print what is written there, as tables

A table of two is a level and one of the two above it, a table of more are as many levels in a row,
for every number of players of a game; a player of random actions sits below level 1 and has 0 Elo.
The highest level takes its time, so it plays fewer matches.

Matches are kept in `build/levels/SPEC`, under a digest of all that plays: what was interrupted goes
on, and an edit begins anew.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from roundel import games
from roundel.core.game import Game
from roundel.search.levels import LEVELS
from roundel.search.ratings import FILE, LevelRating, ratings
from roundel.tournament import players
from roundel.tournament.players import Contestant
from roundel.tournament.rating import rate
from roundel.tournament.schedule import ROUND_ROBIN, Schedule
from scripts.strength import by_players, digest, hold, matches_of, table

FOLDER = Path("build/levels")
MATCHES, OF_STRONGEST = 60, 12  # of each table
APART = 2  # levels between two who meet, at most
PLIES, SEED = 4, 0  # of openings
FIRST = players.RANDOM  # who has 0 Elo
STRONGEST = max(LEVELS)


@dataclass(frozen=True)
class Ladder(Schedule):
    """Whoever is about as strong meets."""

    def tables(self) -> list[tuple[Contestant, ...]]:
        seats, everyone = self.game.players, self.contestants
        apart = max(APART, seats - 1)
        rungs = combinations(range(len(everyone)), seats)
        return [tuple(everyone[i] for i in each) for each in rungs if each[-1] - each[0] <= apart]


class Top(Ladder):
    """Only those that the last one sits at."""

    def tables(self) -> list[tuple[Contestant, ...]]:
        return [found for found in super().tables() if self.contestants[-1] in found]


def schedules(game: Game, matches: int, of_strongest: int) -> list[Schedule]:
    """The quick matches first."""
    everyone = tuple(players.read(name) for name in (FIRST, *(f"level{n}" for n in LEVELS)))
    ladder = Ladder(game, everyone[:-1], ROUND_ROBIN, matches, PLIES, SEED)
    top = Top(game, everyone, ROUND_ROBIN, of_strongest, PLIES, SEED)
    return [ladder, top] if of_strongest else [ladder]


def measure(game: Game, matches: int, of_strongest: int) -> list[LevelRating]:
    folder = FOLDER / game.spec / digest(game.manifest)
    both = schedules(game, matches, of_strongest)
    outcomes = [outcome for schedule in both for outcome in hold(schedule, folder)]
    found = rate([contestant.name for contestant in both[-1].contestants], outcomes)
    zero = found[FIRST].elo
    elos = {level: found[f"level{level}"] for level in LEVELS if f"level{level}" in found}
    return [LevelRating(n, round(r.elo - zero, 1), round(r.error, 1)) for n, r in elos.items()]


def write(name: str, options: argparse.Namespace) -> None:
    """All numbers of players, and how it was done; a file that is never seen half written."""
    found: dict[str, Any] = {}
    for number, game in by_players(name).items():
        rows = measure(game, options.matches, options.of_strongest)
        found[str(number)] = [rating._asdict() for rating in rows]
    made = {"matches": options.matches, f"matches of level {STRONGEST}": options.of_strongest}
    found["made"] = made | {"openings": PLIES, "seed": SEED}
    path = games.manifest(name).folder / FILE
    temporary = path.with_name(f".{FILE}")
    temporary.write_text(f"{json.dumps(found, indent=1)}\n", encoding="utf-8")
    temporary.replace(path)


def as_markdown(names: list[str]) -> str:
    """A row for each level, a column for each game and number of players."""
    columns = {
        game.spec: {rating.level: rating for rating in ratings(name, number)}
        for name in names
        for number, game in by_players(name).items()
    }
    rows = [
        (str(level), *(cell(column.get(level)) for column in columns.values())) for level in LEVELS
    ]
    return table(("level", *columns), rows)


def cell(rating: LevelRating | None) -> str:
    return f"{rating.elo:.0f} ± {rating.error:.0f}" if rating else "not measured"


def matches_or_none(text: str) -> int:
    return 0 if text == "0" else matches_of(text)


def read_arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", nargs="*", metavar="GAME", help="(all)")
    each = f"of each table ({MATCHES})"
    parser.add_argument("--matches", type=matches_of, default=MATCHES, help=each)
    few = f"of each table with level {STRONGEST}, or 0 ({OF_STRONGEST})"
    parser.add_argument("--of-strongest", type=matches_or_none, default=OF_STRONGEST, help=few)
    parser.add_argument("--markdown", action="store_true", help="play nothing, print the tables")
    options = parser.parse_args(arguments)
    for name in options.game:
        if name not in games.names():
            parser.error(f"no game {name!r}; there are: {', '.join(games.names())}")
    return options


def main(arguments: list[str] | None = None) -> None:
    options = read_arguments(arguments)
    names = options.game or games.names()
    for name in [] if options.markdown else names:
        write(name, options)
    print(as_markdown(names))


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("interrupted; run the same command again to resume")
