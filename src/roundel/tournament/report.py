"""What came of a tournament: plain data, and the same as a table and as CSV."""

from __future__ import annotations

import csv
import json
from io import StringIO
from typing import Any

from roundel.core.lang import _
from roundel.tournament.rating import Outcome, Rating, rate
from roundel.tournament.running import Tournament

Data = dict[str, Any]


def summary(tournament: Tournament) -> Data:
    schedule = tournament.schedule
    names = [contestant.name for contestant in schedule.contestants]
    played = list(tournament.played())
    outcomes = [result.outcome for _fixture, result in played]
    faults = [
        {"match": fixture.key, "player": fixture.names[int(result.fault[1]) - 1]}
        | {"reason": result.fault.partition(" ")[2]}
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
        "sprt": test_of(tournament),
    }


def row(name: str, outcomes: list[Outcome], rating: Rating, faults: list[Data]) -> Data:
    """One player; who sits at several seats of a table has played there as often."""
    seats = [(o, seat) for o in outcomes for seat, player in enumerate(o.players) if player == name]
    won = [len(outcome.winners) for outcome, seat in seats if seat in outcome.winners]
    score = sum(1 / many for many in won)
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


def test_of(tournament: Tournament) -> Data | None:
    sprt = tournament.sprt
    if sprt is None:
        return None
    facts = {"elo0": sprt.elo0, "elo1": sprt.elo1, "pairs": sprt.pairs}
    counts = list(sprt.counts.values())
    told = {"llr": round(sprt.llr, 3), "bound": round(sprt.bound, 3), "accepted": sprt.accepted}
    return {**facts, "counts": counts, **told}


def write(tournament: Tournament) -> Data:
    """Keep the reports beside the records."""
    data, folder = summary(tournament), tournament.store.folder
    text = json.dumps(data, indent=2, ensure_ascii=False)
    tournament.store.write(folder / "report.json", f"{text}\n")
    tournament.store.write(folder / "report.csv", as_csv(data))
    return data


def as_csv(data: Data) -> str:
    file = StringIO()
    writer = csv.DictWriter(file, list(data["players"][0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(data["players"])
    return file.getvalue()


# -- For people -------------------------------------------------------------------


def as_text(data: Data) -> str:
    heads = (_("player"), _("matches"), _("score %"), _("Elo"), _("± 95 %"))
    rows = [heads, *(cells(row) for row in data["players"])]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows
    ]
    return "\n".join([*lines, *fault_lines(data), *test_lines(data)])


def cells(row: Data) -> tuple[str, ...]:
    numbers = (f"{row['score']:.1f}", f"{row['elo']:+.0f}", f"{row['error']:.0f}")
    return (row["player"], str(row["matches"]), *numbers)


def fault_lines(data: Data) -> list[str]:
    text = _("{player} lost match {match}: {reason}")
    return [text.format(**fault) for fault in data["faults"]]


def test_lines(data: Data) -> list[str]:
    test = data["sprt"]
    if test is None:
        return []
    told = {
        "H1": _("H1 is accepted: the advantage is {elo1:g} Elo rather than {elo0:g}"),
        "H0": _("H0 is accepted: the advantage is {elo0:g} Elo rather than {elo1:g}"),
        "": _("undecided between {elo0:g} and {elo1:g} Elo"),
    }[test["accepted"]].format(**test)
    text = _("SPRT: {told} (LLR {llr:.2f} of ±{bound:.2f}, {pairs} pairs of matches)")
    return [text.format(told=told, **test)]
