"""Tournaments: players as text, schedules, ratings with known answers, reports."""

import csv
import json
import math
import random
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roundel import games, record
from roundel.bots import Budget
from roundel.cli.main import main
from roundel.core.game import Game
from roundel.record import checking, files
from roundel.tournament import players, schedule
from roundel.tournament.players import Contestant, WrongPlayer
from roundel.tournament.rating import ELO, NORMAL_95, Outcome, rate
from roundel.tournament.running import result_of
from roundel.tournament.schedule import Schedule, WrongSchedule
from roundel.tournament.sprt import SCORES, UNSEEN, Sprt, log_likelihood, mean
from tests.conftest import specs

FOR_TWO, FOR_THREE = (next(s for s in specs() if games.load(s).players == n) for n in (2, 3))
A, B, C, D = (Contestant(name, players.RANDOM, Budget()) for name in "ABCD")


# -- Players ------------------------------------------------------------------------


def test_players_as_text() -> None:
    assert players.read("random").kind == players.RANDOM
    assert players.read("uct@200ms").budget == Budget(seconds=0.2)
    assert players.read("uct").budget == Budget(seconds=1)
    full = players.read("full@5000n,threads=2")
    assert (full.budget, full.threads) == (Budget(nodes=5000), 2)
    engine = players.read("ugi@200ms,Level=3,Threads=4:python3  -c 'a  b'")
    assert engine.options == (("Level", "3"), ("Threads", "4"))
    assert engine.command == ("python3", "-c", "a  b")
    assert (engine.name, engine.threads) == ("ugi@200ms,Level=3,Threads=4:python3 -c 'a b'", 4)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "expected random or levelN or"),
        ("nonsense", "expected random or levelN or"),
        ("random@5n", "random has no budget"),
        ("level0", "levels go from 1 to 10"),
        ("level", "levels go from 1 to 10"),
        ("level3@5n", "no budget"),
        ("uct@", "expected a budget like 200ms or 5000n, got ''"),
        ("uct@0n", "got '0n'"),
        ("uct@5", "got '5'"),
        ("full@5n,x=1", "no option 'x'; there are: threads, hash"),
        ("full@5n,threads=0", "from 1 to 1024"),
        ("full@5n,threads", "NAME=VALUE, got 'threads'"),
        ("full@5n,threads=1,threads=2", "twice"),
        ("uct@5n:ls", "only ugi has a command line"),
        ("ugi", "expected a command line"),
        ("ugi:", "expected a command line"),
        ("ugi:'", "open quote"),
        ("ugi:no-such-program-anywhere", "no program 'no-such-program-anywhere'"),
        ("random\x1b[0m", "cannot|unprintable"),
    ],
)
def test_wrong_players_are_named(text: str, reason: str) -> None:
    with pytest.raises(WrongPlayer, match=reason):
        players.read(text)


# -- Plans --------------------------------------------------------------------------


def scheduled(
    spec: str, *contestants: Contestant, format: str = "round-robin", matches: int = 2
) -> Schedule:
    return Schedule(games.load(spec), contestants, format, matches, plies=2, seed=0)


def tables(found: Schedule) -> list[str]:
    return ["".join(contestant.name for contestant in table) for table in found.tables()]


def test_who_plays_against_whom() -> None:
    assert tables(scheduled(FOR_TWO, A, B, C)) == ["AB", "AC", "BC"]
    assert tables(scheduled(FOR_TWO, A, B, C, format="gauntlet")) == ["AB", "AC"]
    assert tables(scheduled(FOR_THREE, A, B, C, D)) == ["ABC", "ABD", "ACD", "BCD"]
    assert tables(scheduled(FOR_THREE, A, B, C, D, format="gauntlet")) == ["ABC", "ABD", "ACD"]
    assert tables(scheduled(FOR_THREE, A, B)) == ["AAB", "ABB"], "too few: some sit there twice"


@pytest.mark.parametrize("spec", [FOR_TWO, FOR_THREE])
def test_every_opening_is_played_once_from_every_seat(spec: str) -> None:
    seats = games.load(spec).players
    fixtures = list(scheduled(spec, A, B, C, matches=2 * seats - 1).fixtures())
    found = Counter((f.opening, seat, name) for f in fixtures for seat, name in enumerate(f.names))
    assert len(set(found.values())) == 1
    assert {opening for opening, _seat, _name in found} == {0, 1}, "rounded up"
    assert len({fixture.key for fixture in fixtures}) == len(fixtures)
    seeds = {fixture.seat_seed(seat) for fixture in fixtures for seat in range(seats)}
    assert len(seeds) == seats * len(fixtures)


def test_more_matches_are_the_same_and_more() -> None:
    keys = [fixture.key for fixture in scheduled(FOR_TWO, A, B, C, matches=4).fixtures()]
    assert [f.key for f in scheduled(FOR_TWO, A, B, C, matches=2).fixtures()] == keys[
        : len(keys) // 2
    ]


def test_openings(game: Game) -> None:
    first = schedule.opening(game, seed=1, plies=3, number=0)
    assert (first.ply, first.over) == (3, False)
    assert first == schedule.opening(game, seed=1, plies=3, number=0)
    others = [schedule.opening(game, seed=1, plies=3, number=n) for n in range(1, 5)]
    assert any(other != first for other in others)


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (scheduled(FOR_TWO, A), "two players or more"),
        (scheduled(FOR_TWO, A, B, A), "'A' is given twice"),
        (scheduled(FOR_TWO, A, B, C, format="sprt"), "two players at a game for two"),
        (scheduled(FOR_THREE, A, B, format="sprt"), "two players at a game for two"),
    ],
)
def test_wrong_schedules_are_refused(wrong: Schedule, reason: str) -> None:
    with pytest.raises(WrongSchedule, match=reason):
        wrong.check()


# -- Ratings ------------------------------------------------------------------------

# Games won in the American League East of 1987, by row against column; the estimates, relative to
# the last team, are those of Agresti, Categorical Data Analysis (2002), table 10.11.
TEAMS = {
    "Milwaukee": ((0, 7, 9, 7, 7, 9, 11), 1.58),
    "Detroit": ((6, 0, 7, 5, 11, 9, 9), 1.44),
    "Toronto": ((4, 6, 0, 7, 7, 8, 12), 1.29),
    "New York": ((6, 8, 6, 0, 6, 7, 10), 1.25),
    "Boston": ((6, 2, 6, 7, 0, 7, 12), 1.11),
    "Cleveland": ((4, 4, 5, 6, 6, 0, 6), 0.68),
    "Baltimore": ((2, 4, 1, 3, 1, 7, 0), 0.0),
}


def test_a_known_league() -> None:
    names = list(TEAMS)
    outcomes = [
        Outcome((winner, loser), (0,))
        for winner, (wins, _estimate) in TEAMS.items()
        for loser, many in zip(names, wins, strict=True)
        for _game in range(many)
    ]
    found = rate(names, outcomes)
    last = found[names[-1]].elo
    for name, (_wins, estimate) in TEAMS.items():
        assert (found[name].elo - last) / ELO == pytest.approx(estimate, abs=0.0055)


def test_two_players_have_the_elo_of_their_score() -> None:
    """75 % is an advantage of 190.85 Elo; its error is that of a binomial distribution."""
    wins, draws = [Outcome(("A", "B"), (0,))] * 70, [Outcome(("A", "B"), (0, 1))] * 10
    losses = [Outcome(("B", "A"), (0,))] * 20
    found = rate(["A", "B"], wins + draws + losses)
    assert found["A"].elo - found["B"].elo == pytest.approx(190.85, abs=0.1)
    assert found["A"].elo == -found["B"].elo
    error = ELO * NORMAL_95 / math.sqrt(100 * 0.75 * 0.25)  # of the difference
    assert found["A"].error == pytest.approx(error / 2, rel=0.001)


def test_three_players_have_the_strengths_of_their_shares() -> None:
    """Of 100 matches 50, 30 and 20 were won, some of them together."""
    seats = ("A", "B", "C")
    outcomes = [Outcome(seats, (0,))] * 44 + [Outcome(seats, (1,))] * 24
    outcomes += [Outcome(("C", "A", "B"), (0,))] * 18 + [Outcome(seats, (0, 1))] * 8
    outcomes += [Outcome(("B", "C", "A"), (0, 1, 2))] * 6
    found = rate("ABC", outcomes)
    assert found["A"].elo - found["C"].elo == pytest.approx(ELO * math.log(50 / 20), abs=0.2)
    assert found["B"].elo - found["C"].elo == pytest.approx(ELO * math.log(30 / 20), abs=0.2)
    assert sum(rated.elo for rated in found.values()) == pytest.approx(0, abs=1e-6)


def test_who_wins_everything_stays_finite_and_uncertain() -> None:
    found = rate("AB", [Outcome(("A", "B"), (0,))] * 20)
    assert 200 < found["A"].elo < 1000
    assert found["A"].error > 200
    nothing = rate("AB", [])
    assert nothing["A"].elo == nothing["B"].elo == 0


def test_error_bars_hold_the_truth_as_often_as_they_say() -> None:
    """200 leagues of three players with known strengths, who meet by twos or by threes."""
    rng, truth = random.Random(5), {"A": 150.0, "B": 0.0, "C": -150.0}
    within = 0
    for seats in 100 * (2, 3):
        outcomes = []
        for _match in range(60):
            table = tuple(rng.sample("ABC", seats))
            weights = [math.exp(truth[name] / ELO) for name in table]
            outcomes.append(Outcome(table, tuple(rng.choices(range(seats), weights))))
        found = rate("ABC", outcomes)
        within += sum(abs(found[name].elo - truth[name]) < found[name].error for name in truth)
    assert within / 600 == pytest.approx(0.95, abs=0.025)


# -- The sequential test ------------------------------------------------------------


def test_pairs_that_are_won_or_lost_are_a_binomial_test() -> None:
    """Without any other score the best fit is the hypothesis itself, which Wald's test has."""
    test = Sprt(0, 100)
    for score in [1.0] * 9 + [0.0] * 6:
        test.add(score)
    s0, s1 = mean(0), mean(100)
    expected = 9 * math.log(s1 / s0) + 6 * math.log((1 - s1) / (1 - s0))
    assert test.llr == pytest.approx(expected, abs=0.001)
    assert (test.pairs, test.accepted) == (15, "")


def test_many_pairs_are_a_normal_distribution() -> None:
    counts = dict(zip(SCORES, (100, 200, 420, 220, 110), strict=True))
    test = Sprt(0, 5)
    test.counts |= counts | {0.5: 419}
    test.add(0.5)
    many = sum(counts.values())
    average = sum(s * n for s, n in counts.items()) / many
    variance = sum(n * (s - average) ** 2 for s, n in counts.items()) / many
    s0, s1 = mean(0), mean(5)
    expected = many * (s1 - s0) * (2 * average - s0 - s1) / (2 * variance)
    assert test.llr == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize(("score", "accepted"), [(0.75, "H1"), (0.25, "H0")])
def test_it_is_decided_and_stays_so(score: float, accepted: str) -> None:
    test = Sprt(0, 50)
    for _pair in range(100):
        test.add(score)
        test.add(0.5)
    assert test.accepted == accepted
    assert abs(test.llr) >= test.bound == pytest.approx(2.944, abs=0.001)
    assert abs(test.llr) < 1.1 * test.bound, "as soon as that is reached"
    assert test.pairs < 200


@pytest.mark.parametrize("score", [0.0, 0.25, 0.75, 1.0])
def test_one_score_alone_is_as_likely_as_it_can_be(score: float) -> None:
    """With a mean of m, all pairs won have at best a chance of m each, all lost of 1 - m; a score
    between these and m is best joined by one extreme."""
    test = Sprt(0, 100)
    test.counts[score] = 7
    test.add(score)
    means = mean(0), mean(100)
    low, high = (min(m / score if score >= m else (1 - m) / (1 - score), 1) for m in means)
    assert test.llr == pytest.approx(8 * math.log(high / low), abs=0.03)


@given(st.tuples(*[st.integers(0, 200)] * 5).filter(any), st.floats(-600, 600))
def test_no_distribution_with_that_mean_fits_better(found: tuple[int, ...], elo: float) -> None:
    """The likelihood is the least of a convex function, here looked at everywhere it is defined."""
    wanted = mean(elo)
    counts = {score: count or UNSEEN for score, count in zip(SCORES, found, strict=True)}
    low, high = -1 / (1 - wanted), 1 / wanted
    steps = [low + (high - low) * i / 1000 for i in range(1, 1000)]
    values = [-sum(n * math.log(1 + t * (s - wanted)) for s, n in counts.items()) for t in steps]
    assert log_likelihood(counts, wanted) <= min(values) + 1e-9


def test_an_elo_advantage_promises_a_score() -> None:
    """400 points are ten wins to one loss."""
    assert [mean(elo) for elo in (-400, 0, 400)] == pytest.approx([1 / 11, 0.5, 10 / 11])


def test_hypotheses_have_an_order() -> None:
    with pytest.raises(WrongSchedule, match="elo0 below elo1, got 5 and 5"):
        Sprt(5, 5)


# -- The command --------------------------------------------------------------------


def call(folder: Path, *arguments: str) -> int:
    return main(["tournament", *arguments, "--folder", str(folder), "--workers", "1"])


def test_a_tournament_of_three(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(tmp_path, FOR_THREE, "random", "uct@2n", "--matches", "3") == 0
    out = capsys.readouterr().out
    data = json.loads((tmp_path / "report.json").read_text())
    assert (data["matches"], data["planned"], data["faults"]) == (6, 6, [])
    assert {row["matches"] for row in data["players"]} == {9}
    assert sum(row["score"] * row["matches"] for row in data["players"]) == pytest.approx(
        600, abs=0.1
    )
    for row in data["players"]:
        assert row["wins"] + row["shared"] + row["losses"] == row["matches"]
        assert f"{row['elo']:+.0f}" in out
    with (tmp_path / "report.csv").open() as file:
        kept = list(csv.DictReader(file))
    assert [row["player"] for row in kept] == [row["player"] for row in data["players"]]


@pytest.mark.parametrize(
    ("result", "shares"), [("draw", [1 / 2, 1 / 2]), ("p1win", [1, 0]), ("p1p2win", [1 / 2, 1 / 2])]
)
def test_who_draws_shares_the_match(result: str, shares: list[float]) -> None:
    tags = {"Game": FOR_TWO, "P1": "a", "P2": "b", "Result": result}
    assert list(result_of(record.Record(tags)).outcome.shares) == shares


def test_records_are_sound_and_say_who_played(tmp_path: Path) -> None:
    call(tmp_path, FOR_TWO, "random", "uct@1n", "--matches", "2", "--openings", "3")
    found = [next(files.read(str(path))) for path in sorted(tmp_path.glob("matches/*.record"))]
    first, second = (match for match in found if isinstance(match, record.Record))
    assert [checking.check_record(match) for match in (first, second)] == [None, None]
    assert {first.tags["P1"], first.tags["P2"]} == {"random", "uct@1n"}
    assert first.tags["P1"] == second.tags["P2"]
    begun = [list(record.positions(match))[3] for match in (first, second)]
    assert begun[0] == begun[1]


def test_a_match_that_is_kept_is_not_played_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = (FOR_TWO, "random", "uct@1n", "--seed", "7")
    call(tmp_path, *arguments, "--matches", "2")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.glob("matches/*")}
    assert call(tmp_path, *arguments, "--matches", "4") == 0
    after = {path: path.stat().st_mtime_ns for path in tmp_path.glob("matches/*")}
    assert len(after) == 4
    assert before.items() <= after.items()
    assert "2 of 4 matches have already been played" in capsys.readouterr().err


def test_the_same_seed_plays_the_same_matches(tmp_path: Path) -> None:
    arguments = (FOR_TWO, "random", "uct@2n", "--matches", "2")
    for folder in ("a", "b"):
        call(tmp_path / folder, *arguments)
    a, b = (sorted((tmp_path / folder / "matches").iterdir()) for folder in ("a", "b"))
    assert [path.read_bytes() for path in a] == [path.read_bytes() for path in b]


def test_a_spoilt_record_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = (FOR_TWO, "random", "uct@1n", "--matches", "2")
    call(tmp_path, *arguments)
    one, other = tmp_path.glob("matches/*.record")
    kept = one.read_text()
    for spoilt in (other.read_text(), "", "nonsense", kept.replace("random", "nobody")):
        one.write_text(spoilt)
        assert call(tmp_path, *arguments) == 2
        assert str(one) in capsys.readouterr().err
        assert one.read_text() == spoilt


def test_two_tournaments_do_not_share_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from roundel.tournament.store import TournamentStore

    store = TournamentStore(tmp_path)
    assert call(tmp_path, FOR_TWO, "random", "uct@1n") == 2
    assert "another tournament" in capsys.readouterr().err
    store.close()
    assert call(tmp_path / "lock", FOR_TWO, "random", "uct@1n") == 2
    assert "lock" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["chess", "random", "uct@1n"], "no game 'chess'"),
        ([FOR_TWO, "random", "nobody"], "player 'nobody'"),
        ([FOR_TWO, "random"], "two players"),
        ([FOR_TWO, "random", "uct@1n", "--openings", "1000"], "no opening of 1000 random moves"),
        ([FOR_TWO, "random", "uct@1n", "--format", "sprt", "--elo0", "30"], "got 30 and 20"),
    ],
)
def test_wrong_requests_are_refused(
    tmp_path: Path, arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(tmp_path / "none", *arguments) == 2
    assert reason in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("wrong", ["--elo0=nan", "--margin=x", "--matches=0", "--format=swiss"])
def test_wrong_numbers_are_refused(tmp_path: Path, wrong: str) -> None:
    with pytest.raises(SystemExit):
        call(tmp_path / "none", FOR_TWO, "random", "uct@1n", wrong)
