"""The engine protocol: every line of its table, and everything that is no line of it."""

import gc
import subprocess
import sys
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import roundel
from roundel import games
from roundel.bots import LEVELS, THINKING
from roundel.cli.session import Session
from roundel.core.game import Game
from roundel.core.perft import perft
from roundel.core.playthrough import random_match
from roundel.kernel.jit import JIT
from tests.conftest import specs

NAME = games.ours()[0]


def talk(session: Session, *lines: str) -> list[str]:
    """What is answered, with the lines of a search where one has an end."""
    answers: list[str] = []
    for line in lines:
        answers += session.answer(line)
        if session.thinking and (session.stopped.is_set() or not session.endless):
            answers += session.think()
            session.thinking = False
    return answers


def session_of(spec: str) -> Session:
    session = Session()
    assert talk(session, f"uginewgame game {spec}") == []
    return session


def test_ugi_names_itself_and_its_options() -> None:
    answers = talk(Session(), "ugi")
    assert answers[0] == f"id name Roundel {roundel.__version__}"
    assert answers[1].startswith("id author ")
    names = [answer.split()[2] for answer in answers if answer.startswith("option name ")]
    assert names == ["Level", "Threads", "Seed", "Hash"]
    assert "option name Level type spin default 10 min 1 max 10" in answers
    assert answers[-1] == "ugiok"


def test_isready_with_and_without_a_game() -> None:
    assert talk(Session(), "isready") == ["readyok"]
    assert talk(session_of(NAME), "isready") == ["readyok"]


def test_a_whole_match_is_told_as_it_is(game: Game) -> None:
    session, (*positions, last) = session_of(game.spec), random_match(game, seed=8)
    texts = last.texts()
    for position in [*positions[::7], last]:
        moves = " ".join(texts[: position.ply])
        assert talk(session, f"position startpos moves {moves}".strip()) == []
        turn = "none" if position.player is None else f"p{position.player + 1}"
        legal = sorted(position.write(action) for action in position.legal())
        expected = {
            "turn": turn,
            "p1turn": str(turn == "p1").lower(),
            "p2turn": str(turn == "p2").lower(),
            "gameover": str(position.over).lower(),
            "result": position.result or "none",
            "points": " ".join(map(str, position.points)),
            "legal": " ".join(legal),
            "fen": position.fen(),
        }
        for query, answer in expected.items():
            assert talk(session, f"query {query}") == [f"response {answer}".rstrip()]
        assert talk(session, f"position fen {position.fen()}", "query legal") == [
            f"response {' '.join(legal)}".rstrip()
        ]
    assert talk(session, "go nodes 10") == ["bestmove none"]


def test_moves_go_on_from_a_position_text(game: Game) -> None:
    session, position = session_of(game.spec), list(random_match(game, seed=8))[4]
    text = position.write(position.legal()[-1])
    assert talk(session, f"position fen {position.fen()} moves {text}", "query fen") == [
        f"response {position.play(text).fen()}"
    ]


def test_perft() -> None:
    start = games.load(NAME).start()
    for depth in range(3 if JIT else 2):
        assert talk(session_of(NAME), f"perft {depth}") == [f"nodes {perft(start, depth)}"]


@pytest.mark.parametrize(
    "budget", ["movetime 10", "nodes 5", "p1time 100 p2time 100 p1inc 1 p2inc 1", "movetime 0"]
)
def test_go_answers_with_a_legal_action(game: Game, budget: str) -> None:
    session = session_of(game.spec)
    *info, best = talk(session, f"go {budget}")
    word, text = best.split()
    assert word == "bestmove"
    assert text in talk(session, "query legal")[0].split()
    assert info[-1].startswith("info depth ")
    assert f" pv {text}" in info[-1]


def test_the_same_seed_gives_the_same_answer_and_another_one_another() -> None:
    def line(seed: int, level: int = 10) -> list[str]:
        session, played = session_of(NAME), ""
        talk(session, f"setoption name Seed value {seed}")
        talk(session, f"setoption name Level value {level}")
        for _ in range(4):
            talk(session, f"position startpos moves {played}" if played else "position startpos")
            go = f"go nodes {300 if JIT else 2}"
            played = f"{played} {talk(session, go)[-1].split()[1]}".strip()
        return played.split()

    assert line(1) == line(1)
    assert line(1, level=1) == line(1, level=1) != line(3, level=1)


def test_go_infinite_waits_for_stop() -> None:
    session = session_of(NAME)
    assert talk(session, "go infinite", "isready") == ["readyok"]
    for line in ("go nodes 1", "position startpos", f"uginewgame game {NAME}"):
        assert talk(session, line) == ["info string error: still thinking: expected stop first"]
    assert talk(session, "stop")[-1].startswith("bestmove ")
    assert talk(session, "stop") == []


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("uginewgame", "expected uginewgame game SPEC"),
        ("uginewgame game chess", "no game 'chess'; there are: "),
        (f"uginewgame game {NAME}:nonsense", "no option 'nonsense'"),
        ("position", "expected position startpos or position fen TEXT"),
        ("position fen", "expected position startpos or position fen TEXT"),
        ("position fen nonsense", "nonsense"),
        ("position startpos then", "expected moves, got 'then'"),
        ("position startpos moves ?", "cannot read '?'"),
        ("query weather", "expected query and one of"),
        ("query", "expected query and one of"),
        ("perft", "expected perft N"),
        ("perft -1", "expected a whole number"),
        ("perft x", "expected a whole number"),
        ("go sideways", "got 'sideways'"),
        ("go nodes", "expected a whole number"),
        ("go nodes ten", "expected a whole number"),
        ("setoption name Level value 11", "from 1 to 10"),
        ("setoption name Mood value 1", "no option 'Mood'; there are: Level"),
        ("setoption Level 3", "expected setoption name NAME value VALUE"),
    ],
)
def test_bad_lines_are_answered_and_change_nothing(line: str, reason: str) -> None:
    session = session_of(NAME)
    before = talk(session, "query fen")
    (answer,) = talk(session, line)
    assert answer.startswith("info string error: ")
    assert reason in answer
    assert talk(session, "query fen") == before


def test_before_a_game_is_chosen() -> None:
    for line in ("query turn", "position startpos", "go nodes 1", "perft 1"):
        (answer,) = talk(Session(), line)
        assert answer == "info string error: no game yet: expected uginewgame game SPEC first"


def test_unknown_and_empty_lines() -> None:
    assert talk(Session(), "castle kingside") == ["info string unknown command: castle kingside"]
    assert talk(Session(), "", "   ") == []


WORDS = st.sampled_from(
    (
        "ugi isready uginewgame game position startpos fen moves query turn legal points result go "
        "nodes movetime infinite stop setoption name value Level Seed perft 0 1 3 -5 p1 done "
        + " ".join(specs())
    ).split()
)
LINES = st.one_of(
    st.text(max_size=80).filter(lambda text: "\n" not in text),
    st.lists(WORDS | st.text(max_size=8), max_size=8).map(" ".join),
)


@settings(max_examples=300)
@given(st.lists(LINES, max_size=12), st.sampled_from(specs()))
def test_no_line_ends_the_session_or_breaks_the_position(lines: list[str], spec: str) -> None:
    session = session_of(spec)
    for line in lines:
        if line.split()[:1] in (["perft"], ["quit"]):
            continue
        before = session._position
        for answer in session.answer(line):
            assert "\n" not in answer
            if answer.startswith("info string"):
                assert session._position is before
    assert talk(session, "stop", "isready")[-1] == "readyok"
    assert talk(session, "query legal")[0].startswith("response")


def test_a_process_speaks_it_over_pipes() -> None:
    """Also with bytes that are no text at all, and to the end of the input."""
    lines = b"ugi\nuginewgame game %s\n\xff\xfe\x00 what\ngo nodes 1\nquery turn\n" % NAME.encode()
    answers = through_pipes(lines)
    assert "ugiok" in answers
    assert any(answer.startswith("info string unknown command: ") for answer in answers)
    assert sum(answer.startswith("bestmove ") for answer in answers) == 1
    assert "response p1" in answers
    assert through_pipes(b"quit\nugi\n") == []


def through_pipes(lines: bytes) -> list[str]:
    """What a process answers to lines that it gets all at once."""
    command = [sys.executable, "-m", "roundel.cli.main", "ugi"]
    done = subprocess.run(command, input=lines, capture_output=True, check=True)
    return done.stdout.decode().splitlines()


def test_lines_that_come_too_early_wait_for_the_search_to_end() -> None:
    start = games.load(NAME).start()
    first = start.write(start.legal()[0])
    go = f"go nodes {2000 if JIT else 2}"
    new, other = f"uginewgame game {NAME}", f"position startpos moves {first}"
    lines = [new, go, "isready", other, "query turn", go, "position startpos", "query turn"]
    answers = through_pipes("\n".join([*lines, ""]).encode())
    said = [a for a in answers if not a.startswith("info depth")]
    assert said[0] == "readyok"
    assert [a.split()[0] for a in said[1:]] == ["bestmove", "response", "bestmove", "response"]
    assert (said[2], said[4]) == ("response p2", "response p1")


def test_an_endless_search_ends_when_nobody_listens_any_more() -> None:
    answers = through_pipes(f"uginewgame game {NAME}\ngo nodes 1\ngo infinite\n".encode())
    assert sum(answer.startswith("bestmove ") for answer in answers) == 2
    answers = through_pipes(f"uginewgame game {NAME}\ngo infinite\nquit\n".encode())
    assert not any(answer.startswith("bestmove ") for answer in answers)


def test_levels_and_clocks_bound_the_search() -> None:
    session = session_of(NAME)
    talk(session, "setoption name Level value 1")
    assert f" nodes {LEVELS[1].nodes} " in talk(session, "go movetime 60000")[-2]
    talk(session, "setoption name Level value 10")
    session.limits = {"p1time": 50_000, "p1inc": 1000, "p2time": 1}
    assert session.budget.seconds == 3
    session.limits = {"p1time": 10, "p1inc": 60_000}
    assert session.budget.seconds == 0.005, "never more than half of what is left"
    session.limits = {"p2time": 1}
    assert session.budget == THINKING


@pytest.mark.skipif(not JIT, reason="many matches take long as plain Python")
def test_many_matches_do_not_grow_the_process() -> None:
    session = Session()
    texts = [list(random_match(games.load(NAME), seed))[-1].texts() for seed in range(15)]

    def tell_all() -> int:
        """Every match, with a question at every tenth ply; returns the memory in use after it."""
        for match in texts:
            talk(session, f"uginewgame game {NAME}")
            for ply in range(0, len(match), 10):
                talk(session, f"position startpos moves {' '.join(match[:ply])}", "query legal")
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    tell_all()
    before = tell_all()
    after = tell_all()
    tracemalloc.stop()
    assert after - before < 20_000
