"""The analysis of matches, with a search that says what the test wants it to say."""

import json
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from roundel import games
from roundel.analysis import (
    BrokenAnalysis,
    Candidate,
    Study,
    Thought,
    Thresholds,
    analyse,
    chance,
    graph,
    think,
    thresholds,
)
from roundel.analysis.judging import VERDICTS, doubt, drop
from roundel.analysis.study import Ply, Side, side
from roundel.analysis.thought import CANDIDATES, LINE
from roundel.analysis.words import lines, summary, thought_text
from roundel.bots import Budget, Choice
from roundel.cli import analyse as command
from roundel.cli.main import main
from roundel.core.errors import RoundelError
from roundel.core.game import Game, Manifest
from roundel.core.playthrough import random_match
from roundel.core.position import Position
from roundel.record import record_of, write

NAME = games.ours()[0]
FEW = Budget(nodes=2)


def match(game: Game, plies: int = 4) -> list[Position]:
    return list(random_match(game, seed=1))[: plies + 1]


def choice(position: Position, action: int, worth: float, value: float) -> Choice:
    """As if a search had found that action; the first player has `value`, the others share."""
    n = position.game.players
    visits = {legal: 10**6 if legal == action else 0 for legal in position.legal()}
    values = (value, *[-value / (n - 1)] * (n - 1))
    worths = {legal: worth if legal == action else 0.0 for legal in visits}
    return Choice(action, values, visits, worths, (action,), 10**6, 1, 0.0)


def no_search(position: Position) -> Choice:
    raise AssertionError(position)


def other(position: Position, action: int) -> int:
    return next(legal for legal in position.legal() if legal != action)


# -- One position ---------------------------------------------------------------


def test_chances_are_those_of_the_returns(game: Game) -> None:
    """Winning alone is 100 percent, losing to one 0, and all chances together 100."""
    n = game.players
    assert chance(1.0, n) == 100
    assert chance(-1 / (n - 1), n) == 0
    assert chance(0.0, n) == round(100 / n, 2)
    assert chance(-1.0, n) == 0, "also where two winners leave less than nothing"


def test_a_thought_has_chances_candidates_and_a_line(game: Game) -> None:
    position = match(game)[-1]
    seen: list[Position] = []

    def search(there: Position) -> Choice:
        seen.append(there)
        return choice(there, there.legal()[-1], 0.5, 0.25)

    thought = think(position, search)
    best = seen[0].legal()[-1]
    assert thought.fen == position.fen()
    assert thought.chances[0] == chance(0.25, game.players)
    assert sum(thought.chances) == pytest.approx(100, abs=0.1)
    assert thought.line[-1] == seen[0].write(best)
    if not thought.forced:
        found = Candidate(position.write(best), chance(0.5, game.players), 10**6)
        assert thought.candidates == (found,)
    names = [f"N{i}" for i in range(game.players)]
    assert f"N0 {round(thought.chances[0])} %" in thought_text(thought, names)


def test_candidates_are_told_in_columns() -> None:
    tried = (Candidate("a1", 9.6, 1234), Candidate("long-one", 50.0, 1))
    found = Thought("", 0, (10.0, 90.0), candidates=tried, line=("a1", "b2"))
    assert thought_text(found, ["Anna", "Ben"]).splitlines() == [
        "To win: Anna 10 %, Ben 90 %",
        "  a1         10 %  1,234 visits",
        "  long-one   50 %  1 visit",
        "Main line: a1 b2",
    ]


def test_the_searchs_own_choice_comes_first_then_what_it_looked_at_most(game: Game) -> None:
    """With several threads, or at the end of its time, it need not be the most visited one."""
    position = next(p for p in match(game) if len(p.legal()) > CANDIDATES + 1)
    first, *others = legal = position.legal()

    def candidates(found: Choice) -> tuple[Candidate, ...]:
        return think(position, lambda _there: found).candidates

    for chosen, many in ((legal[2], 5), (legal[-1], 0)):
        visits = {action: 10 * i for i, action in enumerate(others, 1)} | {first: 0, chosen: many}
        found = replace(choice(position, chosen, 0.5, 0.25), visits=visits)
        found = replace(found, worths=dict.fromkeys(legal, 0.5))
        told = candidates(found)
        most = sorted(others, key=lambda action: -visits[action])
        expected = [chosen, *(action for action in most if action != chosen)][:CANDIDATES]
        assert [c.action for c in told] == [position.write(action) for action in expected]
        assert [c.visits for c in told] == [visits[action] for action in expected]


def test_a_line_is_shown_as_far_as_it_was_looked_at_well(game: Game) -> None:
    """What is forced before it counts too."""
    line = list(random_match(game, seed=1))
    start, actions = line[0], line[-1].actions
    assert len(actions) > LINE
    found = replace(choice(start, actions[0], 0.5, 0.25), line=tuple(actions))
    texts = tuple(line[i].write(action) for i, action in enumerate(actions[:LINE]))
    assert think(start, lambda _there: found).line == texts


def test_the_end_of_a_match_needs_no_search(game: Game) -> None:
    last = list(random_match(game, seed=1))[-1]
    thought = think(last, no_search)
    assert thought.player is None
    assert thought.chances == tuple(chance(value, game.players) for value in last.returns)


def forced_positions() -> list[Position]:
    """Positions of short random matches in which there is nothing to choose."""
    starts = [games.load(name) for name in games.names()]
    found = [p for game in starts for seed in range(6) for p in random_match(game, seed)]
    return [position for position in found if len(position.legal()) == 1]


def first_choices(position: Position) -> list[int]:
    """A line that always takes the first legal action, as long as lines are shown."""
    actions: list[int] = []
    while not position.over and len(actions) < LINE:
        actions.append(position.legal()[0])
        position = position.play(actions[-1])
    return actions


def test_what_is_forced_is_searched_where_there_is_a_choice_again() -> None:
    positions = forced_positions()
    lengths: set[int] = set()
    assert positions
    for position in positions[:10]:
        seen: list[Position] = []

        def search(there: Position, seen: list[Position] = seen) -> Choice:
            seen.append(there)
            ahead = first_choices(there)
            return replace(choice(there, ahead[0], 0.5, 0.5), line=tuple(ahead))

        thought = think(position, search)
        assert thought.forced
        assert thought.line[0] == position.write(position.legal()[0])
        assert all(len(there.legal()) > 1 for there in seen)
        assert position.player is not None
        own = Candidate(thought.line[0], thought.chances[position.player], 10**6 if seen else 0)
        assert thought.candidates == (own,)
        lengths.add(len(thought.line))
    assert max(lengths) == LINE


def test_an_end_that_is_forced_needs_no_search() -> None:
    ends = [p for p in forced_positions() if p.play(p.legal()[0]).over]
    assert ends
    for position in ends:
        action, n = position.legal()[0], position.game.players
        thought, text = think(position, no_search), position.write(action)
        returns = position.play(action).returns
        assert thought.chances == tuple(chance(value, n) for value in returns)
        assert position.player is not None
        assert thought.candidates == (Candidate(text, chance(returns[position.player], n), 0),)
        assert (thought.forced, thought.line) == (True, (text,))


# -- Judging --------------------------------------------------------------------


def thought(player: int | None, *chances: float, best: str = "", forced: bool = False) -> Thought:
    found = (Candidate(best, max(chances), 10**9),) if best else ()
    return Thought("", player, chances, forced, found, (best,) if best else ())


def test_a_drop_is_what_the_player_has_lost() -> None:
    before = thought(1, 40, 60, best="a")
    assert drop(before, "b", thought(0, 70, 30)) == pytest.approx(30)
    assert drop(before, "b", thought(0, 30, 70)) == 0, "better than the search thought"
    assert drop(before, "a", thought(0, 70, 30)) == 0, "what the search would have played"
    several = (Candidate("a", 60, 10**9), Candidate("b", 70, 10**9))
    assert drop(replace(before, candidates=several), "b", thought(0, 70, 30)) == pytest.approx(30)
    assert drop(thought(1, 40, 60, best="a", forced=True), "b", thought(0, 70, 30)) == 0
    assert drop(thought(None, 0, 100), "", thought(0, 50, 50)) == 0, "between two games"


def test_a_drop_that_the_search_cannot_be_sure_of_is_none() -> None:
    assert doubt(Candidate("a", 50, 100)) == 5
    assert doubt(Candidate("a", 100, 1)) == 0, "a win is a win"
    before = Thought("", 0, (50, 50), False, (Candidate("a", 50, 100),), ("a",))
    assert drop(before, "b", thought(1, 46, 54)) == 0
    assert drop(before, "b", thought(1, 40, 60)) == 5


def test_verdicts_and_accuracy_go_by_thresholds() -> None:
    limits = Thresholds(5, 10, 20)
    found = [limits.verdict(drop) for drop in (0, 4.99, 5, 10, 19.9, 20, 90)]
    assert found == ["", "", *VERDICTS[:2], "mistake", "blunder", "blunder"]
    assert limits.accuracy([0, 0]) == 100
    assert limits.accuracy([20]) == 50
    assert limits.accuracy([]) is None


def test_only_what_was_chosen_and_judged_tells_how_somebody_played() -> None:
    limits, own = Thresholds(5, 10, 20), thought(0, 50, 50)
    forced = Ply(0, thought(0, 50, 50, forced=True), "a", 0.0)
    unknown = Ply(1, own, "b")
    assert side(0, [forced, unknown, Ply(2, thought(1, 50, 50), "c", 0.0)], limits) == Side(
        None, 0, 0, 0
    )
    drops = [6.0, 7.0, 8.0, 11.0, 12.0, 21.0]
    plies = [
        forced,
        *(Ply(i, own, "a", cost, limits.verdict(cost)) for i, cost in enumerate(drops)),
    ]
    found = side(0, plies, limits)
    assert (found.inaccuracy, found.mistake, found.blunder) == (3, 2, 1)
    told = summary(found, "Anna")
    assert told.endswith("3 inaccuracies, 2 mistakes, 1 blunder")
    assert summary(Side(0.0, 0, 0, 1), "Anna").startswith("Anna: accuracy 0.0 %, ")
    assert summary(Side(None, 0, 0, 0), "Anna").startswith("Anna: no choices, ")


def test_a_file_of_thresholds_may_have_its_earlier_name(tmp_path: Path) -> None:
    found = {"inaccuracy": 1, "mistake": 2, "blunder": 3}
    (tmp_path / "drops.json").write_text(json.dumps(found))
    manifest = cast(Manifest, SimpleNamespace(folder=tmp_path))
    assert thresholds(manifest) == Thresholds(1, 2, 3)
    (tmp_path / "mistake_thresholds.json").write_text(json.dumps({**found, "blunder": 4}))
    assert thresholds(manifest) == Thresholds(1, 2, 4)


def test_every_game_has_thresholds_in_order(manifest: Manifest) -> None:
    limits = thresholds(manifest)
    assert 0 < limits.inaccuracy < limits.mistake < limits.blunder <= 100


# -- A match --------------------------------------------------------------------


def study_of(line: list[Position], bad: int) -> Study:
    """The search prefers what was played, but at ply `bad`, where the first player had won."""
    study = Study(line, FEW)

    def search(position: Position) -> Choice:
        action = line[position.ply + 1].actions[-1]
        if position.ply == bad:
            return choice(position, other(position, action), 1.0, 0.0)
        return choice(position, action, 0.0, -0.2)

    study.search = search
    return study


def test_a_blunder_is_found_and_named(manifest: Manifest) -> None:
    """The search says: won before the first action, behind after it."""
    line = match(manifest.with_options(), 3)
    study = study_of(line, 0)
    for _ in zip(range(3), study.steps(), strict=False):
        pass
    analysis = study.analysis()
    first, second, last = analysis.plies
    assert (first.verdict, second.verdict, last.drop) == ("blunder", "", None)
    assert first.drop == 100 - chance(-0.2, 2)
    assert not analysis.complete
    sides = analysis.sides
    assert (sides[0].blunder, sides[0].mistake) == (1, 0)
    assert sides[0].accuracy is not None
    assert sides[0].accuracy < 75
    assert sides[1].blunder == 0
    text = "\n".join(lines(analysis, ["Anna", "Ben"]))
    acted = [("Anna", "Ben")[position.player or 0] for position in line[:2]]
    assert [row.split()[1] for row in text.splitlines()[1:3]] == acted
    assert "To win" not in text, "the last action is known: the match goes on"
    best = line[0].write(other(line[0], line[1].actions[-1]))
    assert f"blunder (-{round(first.drop)}); better {best}" in text
    assert "Anna: accuracy" in text
    svg = graph(analysis, ["Anna", "<Ben>"])
    assert svg.count("<circle") == 1
    assert '<circle cx="328" cy="182"' in svg, "the first player's 40 %, a third of the way"
    assert re.findall(r'points="\S+ (\S+)', svg) == ["328,182", "328,128"]
    assert "&lt;Ben&gt;" in svg


def test_every_kind_of_match_is_analysed(game: Game) -> None:
    analysis = analyse(list(random_match(game, seed=1))[-3:], FEW, seed=1)
    assert analysis.complete
    assert len(analysis.sides) == game.players
    assert [bool(ply.action) for ply in analysis.plies] == [True, True, False]
    assert json.loads(json.dumps(analysis.data()))["game"] == game.spec
    assert graph(analysis).count("<polyline") == game.players


def test_the_same_match_is_analysed_in_the_same_way() -> None:
    line = match(games.load(NAME))
    assert analyse(line, FEW, 3) == analyse(record_of(line[-1]), FEW, 3)


def test_both_games_of_a_pair_are_analysed() -> None:
    for name in games.names():
        begin = games.manifest(name).second_game
        if begin is not None:
            *_, first = random_match(games.load(name), seed=1)
            start = begin(first)
            analysis = analyse([first, start, start.play(start.legal()[0])], FEW)
            assert [ply.drop is None for ply in analysis.plies] == [True, False, True]


def test_a_study_goes_on_where_it_was_left() -> None:
    line = match(games.load(NAME))
    half, whole = Study(line, FEW), Study(line, FEW)
    for _ in zip(range(2), half.steps(), strict=False):
        pass
    whole.resume(json.loads(json.dumps(half.analysis().data())))
    assert whole.thoughts == half.thoughts
    assert len(list(whole.steps())) == len(line) - 2
    assert whole.analysis() == analyse(line, FEW)


def test_only_the_same_analysis_goes_on() -> None:
    line = match(games.load(NAME))
    study = Study(line, FEW)
    list(study.steps())
    data = study.analysis().data()
    broken: list[object] = [None, [], {}, {**data, "plies": [{}]}, {**data, "plies": 3}]
    odd: list[list[object]] = [[value, 50] for value in (-1, 101, float("nan"), "x", None)]
    for chances in (*odd, [100], [30, 30, 40]):
        data = study.analysis().data()
        data["plies"][0]["thought"]["chances"] = chances
        broken.append(data)
    for found in broken:
        with pytest.raises(BrokenAnalysis, match="not an analysis"):
            Study(line, FEW).resume(found)
    with pytest.raises(BrokenAnalysis, match="another budget or seed"):
        Study(line, FEW, seed=1).resume(study.analysis().data())
    with pytest.raises(BrokenAnalysis, match="another match"):
        Study(line[1:], FEW).resume(study.analysis().data())


def test_what_is_no_match_is_refused() -> None:
    line = match(games.load(NAME))
    with pytest.raises(BrokenAnalysis, match="no position"):
        analyse([], FEW)
    first, other = line[0].legal()[:2]
    both = line[0].play(other).play(first)  # begins otherwise, but ends as if it followed
    for wrong in ([line[0], line[2]], [line[1], line[0]], [line[0], both]):
        with pytest.raises(BrokenAnalysis, match="does not follow"):
            analyse(wrong, FEW)


# -- The command ----------------------------------------------------------------


@pytest.fixture
def record(tmp_path: Path) -> str:
    path = tmp_path / "match.record"
    path.write_text(write(record_of(match(games.load(NAME))[-1], {"P1": "Anna"})))
    return str(path)


def test_a_record_is_analysed_into_files(
    record: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(tmp_path / name) for name in ("a.json", "a.svg")]
    arguments = ["analyse", record, "--nodes", "2", "--json", files[0], "--svg", files[1]]
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert "Anna: accuracy" in out
    assert "Player 2: accuracy" in out
    assert Path(files[1]).read_text().startswith("<svg")
    kept = json.loads(Path(files[0]).read_text())
    assert len(kept["plies"]) == kept["positions"] == 5
    assert main(["analyse", record, "--nodes", "2", "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out) == kept


def test_positions_are_analysed(capsys: pytest.CaptureFixture[str]) -> None:
    start, after = match(games.load(NAME), 1)
    texts = [NAME, "--moves", start.write(after.actions[0])], [after.fen()]
    for text in texts:
        assert main(["analyse", *text, "--nodes", "2"]) == 0
        assert "Main line: " in capsys.readouterr().out


def test_ctrl_c_keeps_what_was_found_and_the_same_command_goes_on(
    record: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, many = tmp_path / "a.json", [0]

    def interrupted(position: Position, search: object) -> Thought:
        many[0] += 1
        if many[0] == 3:
            raise KeyboardInterrupt
        return think(position, search)  # type: ignore[arg-type]

    arguments = ["analyse", record, "--nodes", "2", "--json", str(path)]
    monkeypatch.setattr("roundel.analysis.study.think", interrupted)
    assert main(arguments) == 130
    told = capsys.readouterr()
    assert "interrupted after 2 of 5 positions" in told.err
    assert "Anna: accuracy" in told.out
    assert len(json.loads(path.read_text())["plies"]) == 2
    assert main(arguments) == 0
    assert many[0] == 3 + 3, "only what was missing"
    assert len(json.loads(path.read_text())["plies"]) == 5


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["nowhere"], "is not a file, a position text or a game"),
        (["{record}", "--match", "2"], "there is no match 2"),
        (["{record}", "--moves", "?!"], "?!"),
        ([f"{NAME}:x=1"], "no option 'x'"),
        ([f"{NAME};x=1"], "x"),
        (["{folder}"], "Is a directory"),
        ([NAME, "--json", "{record}"], "this is not an analysis; the file was not changed"),
        ([NAME, "--svg", "{folder}/no/where.svg"], "No such file"),
    ],
)
def test_wrong_words_are_named(
    arguments: list[str], reason: str, record: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before, folder = Path(record).read_text(), Path(record).parent
    filled = [argument.format(record=record, folder=folder) for argument in arguments]
    assert main(["analyse", *filled, "--nodes", "1"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert reason in captured.err
    assert Path(record).read_text() == before


@pytest.mark.parametrize("text", ["0", "-1", "nan", "inf", "soon"])
def test_seconds_are_a_time(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["analyse", NAME, f"--seconds={text}"])
    assert "expected a number of seconds" in capsys.readouterr().err
    assert command.duration("0.5") == 0.5


def test_a_broken_record_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "broken.record"
    path.write_text(f'[Game "{NAME}"]\n\n1. nonsense\n')
    assert main(["analyse", str(path), "--nodes", "1"]) == 2
    assert "nonsense" in capsys.readouterr().err
    assert issubclass(command.CannotAnalyse, RoundelError)
