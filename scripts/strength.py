"""`make strength`: how strong the computer is, as tables with error bars.

    python -m scripts.strength                           all parts, all games: many hours
    python -m scripts.strength uct time --games GAME     some of it

uct        the full search against plain tree search; with more seats, one against several of them
time       twice the time against once
threads    two threads against one
newcomer   how often somebody who has just read the rules beats the lowest levels
tactics    positions that need one certain answer, solved in a second
lateness   how much longer than its time an answer takes at most, by the clock of who waits for it

Matches are kept in `build/strength/PART/SPEC`, under a digest of all that plays: what was
interrupted goes on, and an edit begins anew.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests import tactics
from tests.robust import some_positions
from tqdm import tqdm

from roundel import games
from roundel.bots import Budget, Searcher, choose
from roundel.cli import tournament as command
from roundel.cli.types import between
from roundel.core.game import Game, Manifest
from roundel.core.position import Position
from roundel.search import searcher
from roundel.search.judge import judge_of
from roundel.tournament import players, report
from roundel.tournament.players import Contestant
from roundel.tournament.rating import NORMAL_95, Outcome, Rating, rate
from roundel.tournament.running import Tournament
from roundel.tournament.schedule import ROUND_ROBIN, Schedule
from roundel.tournament.store import TournamentStore
from scripts import newcomer

FOLDER = Path("build/strength")
PLIES, SEED = 4, 0  # of openings
PER_ACTION, THREADED = "200ms", "50ms"  # beside plain tree search, and with several threads
DOUBLED = (("100ms", "50ms"), ("400ms", "200ms"))
MATCHES = {"uct": 100, "time": 200, "threads": 100, "newcomer": 40}
BEGINNERS = (1, 2, 3)  # levels
SOLVING = Budget(seconds=1.0)
BUDGETS, ASKED = (0.02, 0.05, 0.1, 0.2), 200  # seconds, and positions for each
WANTED_SOLVED = 95  # per cent

Row = tuple[str, ...]


# -- Matches ------------------------------------------------------------------------


@dataclass(frozen=True)
class Duel(Schedule):
    """One player against another at all other seats."""

    def tables(self) -> list[tuple[Contestant, ...]]:
        first, second = self.contestants
        return [(first, *[second] * (self.game.players - 1))]


def duel(game: Game, first: str, second: str, matches: int) -> Schedule:
    both = players.read(first), players.read(second)
    return Duel(game, both, ROUND_ROBIN, matches, PLIES, SEED)


def place(part: str, game: Game) -> Path:
    return FOLDER / part / game.spec / digest(game.manifest)


def digest(manifest: Manifest) -> str:
    """Changes with everything that the strength of our players depends on."""
    total = hashlib.sha256()
    for entries in searcher.entries_of(manifest.name):
        total.update("".join(map(entries.digest, entries.names)).encode())
    for source in sorted(Path(searcher.__file__).parent.glob("*.py")):
        total.update(source.read_bytes())
    judge = judge_of(manifest)
    if judge is not None:
        total.update((manifest.folder / judge.weigher.FILE).read_bytes())
    return total.hexdigest()[:12]


def hold(schedule: Schedule, folder: Path) -> list[Outcome]:
    """Play what is missing, on all cores; all outcomes."""
    schedule.check()
    players.prepare(schedule.game, schedule.contestants)
    print(
        f"{schedule.game.spec}: {' - '.join(c.name for c in schedule.contestants)}", file=sys.stderr
    )
    limits = argparse.Namespace(workers=None, margin=command.MARGIN)
    with closing(TournamentStore(folder)) as store:
        tournament = Tournament(schedule, store)
        if command.play(tournament, limits):
            raise KeyboardInterrupt
        report.write(tournament)
        return [result.outcome for _fixture, result in tournament.played()]


def by_players(name: str) -> dict[int, Game]:
    """The plain game, for every number of players."""
    manifest = games.manifest(name)
    numbers = next((o.values for o in manifest.options if o.name == "players"), None)
    texts = [f"players={number}" for number in numbers] if numbers else [""]
    return {game.players: game for game in map(manifest.with_options, texts)}


# -- Figures ------------------------------------------------------------------------


def score(name: str, outcomes: Sequence[Outcome]) -> float:
    """What a player who sits at one seat has won, from 0 to 1."""
    return sum(o.shares[o.players.index(name)] for o in outcomes) / len(outcomes)


def interval(share: float, matches: int) -> tuple[float, float]:
    """Where the truth is in 95 of 100 cases (Wilson's interval, which can tell 100 % from sure).

    >>> tuple(round(end, 3) for end in interval(1.0, 100))
    (0.963, 1.0)
    """
    square = NORMAL_95**2
    middle = (share + square / (2 * matches)) / (1 + square / matches)
    inside = share * (1 - share) / matches + square / (4 * matches**2)
    reach = NORMAL_95 * math.sqrt(inside) / (1 + square / matches)
    return max(middle - reach, 0.0), min(middle + reach, 1.0)


def advantage(first: str, second: str, outcomes: Sequence[Outcome]) -> Rating:
    """By how much the first is stronger."""
    half = rate([first, second], outcomes)[first]  # both are rated around their average
    return Rating(2 * half.elo, 2 * half.error)


def table(heads: Row, rows: Sequence[Row]) -> str:
    """Markdown that can be read as it is: the first column on the left, figures on the right."""
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    ruler = [":" + "-" * (widths[0] - 1), *("-" * (width - 1) + ":" for width in widths[1:])]
    cells = [[row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])] for row in rows]
    first = [heads[0].ljust(widths[0]), *map(str.rjust, heads[1:], widths[1:])]
    return "\n".join(f"| {' | '.join(line)} |" for line in (first, ruler, *cells))


def remembered(path: Path, measure: Callable[[], Any]) -> Any:
    """What was measured before, or is now."""
    if not path.exists():
        found = measure()
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f".{path.name}")
        temporary.write_text(json.dumps(found), encoding="utf-8")
        temporary.replace(path)
    return json.loads(path.read_text(encoding="utf-8"))


# -- Parts --------------------------------------------------------------------------


def uct(name: str, matches: int) -> Iterator[Row]:
    """An equal player would win one match in as many as there are players."""
    ours, theirs = f"full@{PER_ACTION}", f"uct@{PER_ACTION}"
    for number, game in by_players(name).items():
        outcomes = hold(duel(game, ours, theirs, matches), place("uct", game))
        found = score(ours, outcomes)
        low, high = interval(found, len(outcomes))
        shares = f"{100 * found:.1f}", f"{100 * low:.1f} to {100 * high:.1f}", f"{100 / number:.1f}"
        yield (game.spec, str(len(outcomes)), *shares)


def compared(part: str, name: str, pair: tuple[str, str], matches: int) -> Iterator[Row]:
    game = by_players(name).get(2)
    if game is not None:
        outcomes = hold(duel(game, *pair, matches), place(part, game))
        elo, error = advantage(*pair, outcomes)
        won = f"{100 * score(pair[0], outcomes):.1f}"
        yield game.spec, " - ".join(pair), str(len(outcomes)), won, f"{elo:+.0f}", f"{error:.0f}"


def more_time(name: str, matches: int) -> Iterator[Row]:
    for more, less in DOUBLED:
        yield from compared("time", name, (f"full@{more}", f"full@{less}"), matches)


def threads(name: str, matches: int) -> Iterator[Row]:
    """A match at a time on two cores: `command.play` sees to it."""
    one = f"full@{THREADED}"
    yield from compared("threads", name, (f"{one},threads=2", one), matches)


def newcomers(name: str, matches: int) -> Iterator[Row]:
    game = by_players(name).get(2)
    if game is not None:

        def measure() -> list[float]:
            levels = tqdm(BEGINNERS, desc=f"{name}: newcomer", disable=None)
            return [newcomer.score(game, level, matches) for level in levels]

        won = remembered(place("newcomer", game) / f"{matches}.json", measure)
        yield (game.spec, str(matches), *(f"{many:g}" for many in won))


def solved(name: str, matches: int) -> Iterator[Row]:
    """`python -m scripts.tactics check` tells which ones are not."""
    found = tactics.read(games.manifest(name))
    game = found[0].position.game

    def measure() -> int:
        asked = tqdm(found, desc=f"{name}: tactics", disable=None)
        return sum(choose(t.position, SOLVING).action in t.good for t in asked)

    many = remembered(place("tactics", game) / "solved.json", measure)
    yield name, f"{many} of {len(found)}", f"{100 * many / len(found):.0f}", str(WANTED_SOLVED)


def lateness(name: str, matches: int) -> Iterator[Row]:
    for game in by_players(name).values():
        found = remembered(place("lateness", game) / "late.json", functools.partial(latest, game))
        yield (game.spec, *(f"{1000 * late:.1f}" for late in found))


def latest(game: Game) -> list[float]:
    """By how many seconds the latest answer exceeds each budget."""
    positions = [p for p in some_positions(game, 2 * ASKED, SEED) if not p.over][:ASKED]
    searcher = Searcher()
    searcher.choose(game.start(), Budget(seconds=max(BUDGETS)))  # compiles, and takes its memory
    found = []
    for seconds in tqdm(BUDGETS, desc=f"{game.spec}: lateness", disable=None):
        taken = [duration(searcher, position, seconds) for position in positions]
        found.append(max(taken) - seconds)
    return found


def duration(searcher: Searcher, position: Position, seconds: float) -> float:
    begun = time.perf_counter()
    searcher.choose(position, Budget(seconds=seconds))
    return time.perf_counter() - begun


HEADS = ("game", "players", "matches", "score %", "Elo", "± 95 %")
PARTS: dict[str, tuple[Callable[[str, int], Iterator[Row]], Row]] = {
    "uct": (uct, ("game", "matches", "score %", "95 % interval", "of an equal")),
    "time": (more_time, HEADS),
    "threads": (threads, HEADS),
    "newcomer": (newcomers, ("game", "matches", *(f"level {level}" for level in BEGINNERS))),
    "tactics": (solved, ("game", "solved", "%", "wanted %")),
    "lateness": (lateness, ("late by at most, ms", *(f"{1000 * b:.0f} ms" for b in BUDGETS))),
}


def machine() -> str:
    """The processor and how many of its cores are ours."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    return f"{names[0] if names else 'an unknown processor'}, {os.cpu_count()} cores"


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("part", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)} (all)")
    parser.add_argument("--games", nargs="+", choices=games.names(), default=games.names())
    many = ", ".join(f"{part} {number}" for part, number in MATCHES.items())
    parser.add_argument("--matches", type=matches_of, help=f"of each pair of players ({many})")
    options = parser.parse_args(arguments)
    for part in options.part:
        if part not in PARTS:
            parser.error(f"no part {part!r}; there are: {', '.join(PARTS)}")
    print(machine())
    for part in options.part or PARTS:
        measure, heads = PARTS[part]
        matches = options.matches or MATCHES.get(part, 0)
        rows = [row for name in options.games for row in measure(name, matches)]
        print(f"\n{part}\n\n{table(heads, rows)}", flush=True)


def matches_of(text: str) -> int:
    return between(1, command.MOST, text)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("interrupted; run the same command again to resume")
