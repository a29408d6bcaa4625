"""Run a tournament between bots and engines, and estimate their strength.

Players: random, level1 to level10, uct@BUDGET, full@BUDGET, or ugi@BUDGET:COMMAND for an engine.
"""

from __future__ import annotations

import argparse
import math
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from roundel import games
from roundel.cli.types import between, positive, whole_number
from roundel.core.lang import _, thousands
from roundel.tournament.schedule import MATCHES, ROUND_ROBIN, SPRT, Schedule

if TYPE_CHECKING:
    from roundel.tournament.running import Tournament

MOST = 1_000_000  # matches of a table
PLIES, MARGIN, ELO0, ELO1 = 4, 5.0, 0.0, 20.0
INTERRUPTED = 130  # exit status


def arguments(parser: argparse.ArgumentParser) -> None:
    as_spec = _("the game, as NAME[:OPTION[=VALUE],...]")
    parser.add_argument("spec", metavar=_("game"), help=as_spec)
    players = _(
        "such as random, level3, full@200ms,threads=2, uct@5000n or ugi@200ms,Level=3:COMMAND"
    )
    parser.add_argument("players", nargs="+", metavar=_("player"), help=players)
    kind = _(
        "all against all, the first against all others, or a test of two (default: round-robin)"
    )
    parser.add_argument("--format", choices=list(MATCHES), default=ROUND_ROBIN, help=kind)
    matches_help = _("matches per pairing, at most (default: 100; 10000 for sprt)")
    parser.add_argument("--matches", type=matches, metavar=_("MATCHES"), help=matches_help)
    plies = _("random moves at the start of each match (default: 4)")
    parser.add_argument("--openings", type=plies_of, default=PLIES, metavar=_("PLIES"), help=plies)
    seed = _("random seed of the openings (default: 0)")
    parser.add_argument("--seed", type=whole_number, default=0, metavar=_("SEED"), help=seed)
    folder, where = _("FOLDER"), _("where to keep matches and reports (default: tournament)")
    parser.add_argument("--folder", type=Path, default="tournament", metavar=folder, help=where)
    workers = _("matches played at once (default: as many as the cores allow)")
    parser.add_argument("--workers", type=positive, metavar=_("WORKERS"), help=workers)
    margin = _("seconds over its time after which an engine counts as hung (default: 5)")
    parser.add_argument("--margin", type=real, default=MARGIN, metavar=_("SECONDS"), help=margin)
    for name, default in (("--elo0", ELO0), ("--elo1", ELO1)):
        text = _(
            "Elo advantage of the first player, as a hypothesis of sprt (default: {default:g})"
        ).format(default=default)
        parser.add_argument(name, type=real, default=default, metavar="ELO", help=text)


def matches(text: str) -> int:
    return between(1, MOST, text)


def plies_of(text: str) -> int:
    return between(0, 1000, text)


def real(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not abs(number) <= 10_000:
        wrong = _("expected a number, got {text!r}")
        raise argparse.ArgumentTypeError(wrong.format(text=text))
    return number


def run(options: argparse.Namespace) -> int:
    from roundel.tournament import report
    from roundel.tournament.running import Tournament
    from roundel.tournament.sprt import Sprt
    from roundel.tournament.store import TournamentStore

    schedule = schedule_of(options)
    sprt = Sprt(options.elo0, options.elo1) if schedule.format == SPRT else None
    with closing(TournamentStore(options.folder)) as store:
        tournament = Tournament(schedule, store, sprt)
        status = play(tournament, options)
        print(report.as_text(report.write(tournament)))
    print(_("Matches and reports are in {folder}.").format(folder=options.folder))
    if status:
        print(_("Interrupted. Run the same command again to resume."), file=sys.stderr)
    return status


def schedule_of(options: argparse.Namespace) -> Schedule:
    from roundel.tournament import players

    contestants = tuple(map(players.read, options.players))
    most = options.matches or MATCHES[options.format]
    game = games.load(options.spec)
    schedule = Schedule(game, contestants, options.format, most, options.openings, options.seed)
    schedule.check()
    players.prepare(game, contestants)
    return schedule


def play(tournament: Tournament, options: argparse.Namespace) -> int:
    """Play on, with a progress bar; the exit status tells of an interruption."""
    from tqdm import tqdm

    total, kept = len(tournament.fixtures), len(tournament.results)
    if kept:
        text = _("{kept} of {total} matches have already been played")
        print(text.format(kept=thousands(kept), total=thousands(total)), file=sys.stderr)
    cores = os.cpu_count() or 1
    busiest = max(contestant.threads for contestant in tournament.schedule.contestants)
    workers = options.workers or max(1, cores // busiest)
    unit = _(" matches")
    try:
        with (
            interruptible(),
            closing(tournament.play(workers, options.margin)) as played,
            tqdm(total=total, initial=kept, unit=unit, disable=None) as progress,
        ):
            for _result in played:
                if tournament.sprt:
                    progress.set_postfix_str(f"LLR {tournament.sprt.llr:+.2f}", refresh=False)
                progress.update()
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


@contextmanager
def interruptible() -> Iterator[None]:
    """A terminal that is closed, or a polite kill, is as good as Ctrl-C."""

    def interrupt(number: int, frame: object) -> NoReturn:
        raise KeyboardInterrupt

    before = {s: signal.signal(s, interrupt) for s in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
