"""What came of a tournament: plain data, and the same as a table and as CSV."""

from __future__ import annotations

import csv
import json
from io import StringIO
from typing import TypedDict

from roundel.core.lang import _
from roundel.tournament.rating import Outcome, Rating, rate
from roundel.tournament.running import Tournament


class Fault(TypedDict):
    match: str
    player: str
    reason: str


class PlayerRow(TypedDict):
    player: str
    matches: int
    wins: int
    shared: int
    losses: int
    score: float
    elo: float
    error: float
    faults: int


class SprtReport(TypedDict):
    elo0: float
    elo1: float
    pairs: int
    counts: list[int]
    llr: float
    bound: float
    accepted: str


class Summary(TypedDict):
    """What `report.json` contains."""

    game: str
    format: str
    openings: int
    seed: int
    planned: int
    matches: int
    players: list[PlayerRow]
    faults: list[Fault]
    sprt: SprtReport | None


def summary(tournament: Tournament) -> Summary:
    schedule = tournament.schedule
    names = [contestant.name for contestant in schedule.contestants]
    played = list(tournament.played())
    outcomes = [result.outcome for _fixture, result in played]
    faults: list[Fault] = [
        {
            "match": fixture.key,
            "player": fixture.names[int(result.fault[1]) - 1],
            "reason": result.fault.partition(" ")[2],
        }
        for fixture, result in played
        if result.fault
    ]
    ratings = rate(names, outcomes)
    rows = [row(name, outcomes, ratings[name], faults) for name in names]
    return {
        "game": schedule.game.spec,
        "format": schedule.format,
        "openings": schedule.plies,
        "seed": schedule.seed,
        "planned": len(tournament.fixtures),
        "matches": len(played),
        "players": sorted(rows, key=lambda row: -row["elo"]),
        "faults": faults,
        "sprt": sprt_report(tournament),
    }


def row(name: str, outcomes: list[Outcome], rating: Rating, faults: list[Fault]) -> PlayerRow:
    """One player; who sits at several seats of a table has played there as often."""
    seats = [(o, seat) for o in outcomes for seat, player in enumerate(o.players) if player == name]
    won = [len(outcome.winners) for outcome, seat in seats if seat in outcome.winners]
    score = sum(1 / winners for winners in won)
    return {
        "player": name,
        "matches": len(seats),
        "wins": won.count(1),
        "shared": len(won) - won.count(1),
        "losses": len(seats) - len(won),
        "score": round(100 * score / max(len(seats), 1), 2),
        "elo": round(rating.elo, 1),
        "error": round(rating.error, 1),
        "faults": sum(fault["player"] == name for fault in faults),
    }


def sprt_report(tournament: Tournament) -> SprtReport | None:
    sprt = tournament.sprt
    if sprt is None:
        return None
    return {
        "elo0": sprt.elo0,
        "elo1": sprt.elo1,
        "pairs": sprt.pairs,
        "counts": list(sprt.counts.values()),
        "llr": round(sprt.llr, 3),
        "bound": round(sprt.bound, 3),
        "accepted": sprt.accepted,
    }


def write(tournament: Tournament) -> Summary:
    """Keep the reports beside the records."""
    data, folder = summary(tournament), tournament.store.folder
    text = json.dumps(data, indent=2, ensure_ascii=False)
    tournament.store.write(folder / "report.json", f"{text}\n")
    tournament.store.write(folder / "report.csv", as_csv(data))
    return data


def as_csv(data: Summary) -> str:
    file = StringIO()
    writer = csv.DictWriter(file, list(data["players"][0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(data["players"])
    return file.getvalue()


# -- For people -------------------------------------------------------------------


def as_text(data: Summary) -> str:
    heads = (_("player"), _("matches"), _("score %"), _("Elo"), _("± 95 %"))
    rows = [heads, *(cells(row) for row in data["players"])]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows
    ]
    return "\n".join([*lines, *fault_lines(data), *sprt_lines(data)])


def cells(row: PlayerRow) -> tuple[str, ...]:
    numbers = (f"{row['score']:.1f}", f"{row['elo']:+.0f}", f"{row['error']:.0f}")
    return (row["player"], str(row["matches"]), *numbers)


def fault_lines(data: Summary) -> list[str]:
    text = _("{player} lost match {match}: {reason}")
    return [text.format(**fault) for fault in data["faults"]]


def sprt_lines(data: Summary) -> list[str]:
    sprt = data["sprt"]
    if sprt is None:
        return []
    verdict = {
        "H1": _("H1 is accepted: the advantage is {elo1:g} Elo rather than {elo0:g}"),
        "H0": _("H0 is accepted: the advantage is {elo0:g} Elo rather than {elo1:g}"),
        "": _("undecided between {elo0:g} and {elo1:g} Elo"),
    }[sprt["accepted"]].format(**sprt)
    text = _("SPRT: {verdict} (LLR {llr:.2f} of ±{bound:.2f}, {pairs} pairs of matches)")
    return [text.format(verdict=verdict, **sprt)]
