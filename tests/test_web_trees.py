"""What the computer is asked at a table, and what it keeps between two questions."""

from dataclasses import dataclass, field
from threading import Event
from typing import Any

import pytest

from roundel import games
from roundel.core.game import Game
from roundel.kernel.jit import JIT
from roundel.play import commands as c
from roundel.play.match import Match
from roundel.play.setup import PERSON, Seat, Setup, check
from roundel.search import searcher as searching
from roundel.search.judge import judge_of
from roundel.search.tree_search import Tree, TreeSearch
from roundel.web.computer.answers import MEMORY, QuestionHandler, position_of
from roundel.web.computer.questions import (
    ChosenAction,
    Failed,
    Forget,
    Reply,
    SearchProgress,
    Think,
)
from roundel.web.tables import computer_player
from roundel.web.tables.computer_player import start_and_actions
from tests.conftest import specs
from tests.playing import act, begun, do, seated
from tests.web import COMPUTER, ME, PATIENT, House, at_table, house, made

__all__ = ["house"]

NEEDS_NODES = pytest.mark.skipif(not JIT, reason="needs a tree of some size")


def question_at(match: Match, id: str = "", seconds: float = PATIENT) -> Think:
    start, actions = start_and_actions(match)
    return Think(match.position.game.spec, start, actions, 10, 1, seconds, id)


def same_position(match: Match) -> bool:
    return position_of(question_at(match)) == match.position


def test_the_computer_is_told_what_was_played() -> None:
    match = begun("pp")
    for _action in range(3):
        act(match)
        start, actions = start_and_actions(match)
        assert not start
        assert actions == [entry.text for entry in match.entries]
        assert same_position(match)


def test_after_a_take_back_only_what_is_left_counts() -> None:
    match = begun("pc")
    for _action in range(4):
        act(match)
    assert match.turn is not None
    do(match, c.TakeBack(0))
    assert match.ply < 4
    assert start_and_actions(match) == ("", [entry.text for entry in match.entries])
    assert same_position(match)


def test_after_a_player_has_left_it_begins_with_that_position() -> None:
    match = begun("ppp", leaver="passed")
    for _action in range(4):
        act(match)
    do(match, c.Resign(match.turn or 0))
    left = match.position.fen()
    assert start_and_actions(match) == (left, [])
    for many in range(1, 4):
        act(match)
        start, actions = start_and_actions(match)
        assert (start, len(actions)) == (left, many)
        assert same_position(match)


def test_a_match_from_a_positions_text_begins_there() -> None:
    game = games.load(games.ours()[0])
    text = game.start(game.start().legal()[:1]).fen()
    seats = tuple(Seat(PERSON, f"Name {number}") for number in range(game.players))
    match = Match(Setup(game.spec, seats, start=text))
    assert start_and_actions(match) == (text, [])
    act(match)
    assert start_and_actions(match)[0] == text
    assert same_position(match)


def test_the_second_game_of_a_pair_begins_with_its_own_position() -> None:
    many = 0
    for manifest in map(games.manifest, games.ours()):
        if manifest.second_game:
            game = manifest.with_options()
            seats = tuple(Seat(PERSON, f"Name {number}") for number in range(game.players))
            setup = Setup(game.spec, seats, pair=True)
            check(setup)
            match = Match(setup)
            while not match.game_index:
                act(match, choice=len(match.entries) * 7)
            assert start_and_actions(match) == (match.position.fen(), [])
            act(match)
            start, actions = start_and_actions(match)
            assert (start, len(actions)) == (match.positions[0].fen(), 1)
            assert same_position(match)
            many += 1
    assert many


def test_a_very_long_game_is_not_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computer_player, "MOST_REPLAYED", 3)
    match = begun("pp")
    for many in range(1, 6):
        act(match)
        start, actions = start_and_actions(match)
        assert (len(actions), bool(start)) == ((many, False) if many <= 3 else (0, True))
        assert same_position(match)


def test_a_table_names_its_match(house: House) -> None:
    match = made(house.client, ME, COMPUTER)["id"]
    with at_table(house.client, match) as me:
        me.act(0)
        while me.now["turn"] != 0:
            me.hear("event")
        me.do("hint")
    first, *_, hint = house.computers.questions
    assert first.match == hint.match == match
    assert not first.start
    assert hint.actions[: len(first.actions)] == first.actions
    assert len(hint.actions) > len(first.actions) >= 1


# -- In the process that thinks ----------------------------------------------------


def game_that_keeps_trees() -> Game:
    found = map(games.load, specs())
    return next(g for g in found if g.players > 2 and judge_of(g.manifest) is not None)


ENOUGH = 20_000  # nodes


@dataclass
class Thinker:
    """A process's handler in this one, and how many nodes each search began with."""

    monkeypatch: pytest.MonkeyPatch
    kept: list[int] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)
    search: TreeSearch | None = None

    def __post_init__(self) -> None:
        class Noted(TreeSearch):
            def __init__(noted, tree: Tree, *more: Any) -> None:
                self.kept.append(tree.used)
                self.search = noted
                super().__init__(tree, *more)

        self.monkeypatch.setattr(searching, "TreeSearch", Noted)
        self.monkeypatch.setattr(searching, "REPORT", 0.0)
        self.stop = Event()
        self.handler = QuestionHandler(self.hear, self.stop)

    def hear(self, reply: Reply) -> None:
        """A search ends as soon as its tree is of some size, on any machine."""
        self.replies.append(reply)
        if isinstance(reply, SearchProgress) and (self.search is None or has_grown(self.search)):
            self.stop.set()

    def answer(self, question: Think) -> ChosenAction:
        self.stop.clear()
        self.search = None  # as it stays in games for two
        self.handler.answer(question)
        reply = self.replies[-1]
        assert isinstance(reply, ChosenAction), reply
        return reply

    @property
    def bytes(self) -> int:
        return self.handler.searcher.memories.used


def has_grown(search: TreeSearch) -> bool:
    return search.nodes >= ENOUGH and len(search.principal_line()) > 2


@pytest.fixture
def thinker(monkeypatch: pytest.MonkeyPatch) -> Thinker:
    return Thinker(monkeypatch)


def table_of(game: Game, plies: int = 6) -> Match:
    match = begun("p" * game.players, spec=game.spec)
    for choice in range(plies):
        act(match, choice=7 * choice)
    return match


def act_as_expected(thinker: Thinker, match: Match, id: str) -> int:
    """The computer acts, and the next player as it expects; returns how many nodes were kept."""
    answer = thinker.answer(question_at(match, id))
    for text in answer.line[:2]:
        legal = match.position.legal()
        act(match, choice=legal.index(match.position.read(text)))
    return thinker.kept[-1]


@NEEDS_NODES
def test_two_alternating_tables_both_keep_their_trees(thinker: Thinker) -> None:
    game = game_that_keeps_trees()
    tables = {"one": table_of(game, 6), "other": table_of(game, 7)}
    for turn in range(3):
        for id, match in tables.items():
            kept = act_as_expected(thinker, match, id)
            assert kept > 1 if turn else kept == 1
    assert thinker.bytes <= MEMORY << 20


@NEEDS_NODES
@pytest.mark.parametrize("begins", ["from a text", "after somebody left"])
def test_a_match_that_does_not_begin_at_the_start_keeps_its_tree(
    thinker: Thinker, begins: str
) -> None:
    game = game_that_keeps_trees()
    start = table_of(game).position.fen() if begins == "from a text" else ""
    seats = seated("p" * game.players)
    match = Match(Setup(game.spec, seats, leaver="passed", start=start))
    if not start:
        for choice in range(6):
            act(match, choice=7 * choice)
        do(match, c.Resign(match.turn or 0))
    first, *later = (act_as_expected(thinker, match, "one") for _turn in range(3))
    assert first == 1
    assert min(later) > 1


@NEEDS_NODES
def test_a_hint_and_another_game_in_between_leave_the_tree(thinker: Thinker) -> None:
    match = table_of(game_that_keeps_trees())
    act_as_expected(thinker, match, "one")
    start, actions = start_and_actions(match)
    thinker.answer(Think(match.position.game.spec, start, actions, 7, 1, 60.0, "one"))
    assert thinker.kept[-1] == 1, "a hint is the same for everybody"
    other = begun("pp")
    assert other.position.game.name != match.position.game.name
    thinker.answer(question_at(other, "other"))
    assert act_as_expected(thinker, match, "one") > 1


@NEEDS_NODES
def test_many_tables_stay_within_the_memory_of_a_process(thinker: Thinker) -> None:
    game = game_that_keeps_trees()
    for turn in range(2):
        for number in range(10):
            thinker.answer(question_at(table_of(game, number + turn), str(number), 0.05))
            assert thinker.bytes <= MEMORY << 20


@NEEDS_NODES
def test_a_match_that_is_over_leaves_its_room_to_others(thinker: Thinker) -> None:
    game = game_that_keeps_trees()
    tables = {"one": table_of(game, 6), "other": table_of(game, 7)}
    for id, match in tables.items():
        act_as_expected(thinker, match, id)
    thinker.handler.answer(Forget("one"))
    assert [match for _name, match in thinker.handler.searcher.memories.kept] == ["other"]
    assert act_as_expected(thinker, tables["other"], "other") > 1
    assert thinker.bytes > (MEMORY - 1) << 20, "it has all the room, as if it were alone"


@NEEDS_NODES
def test_what_does_not_go_on_begins_anew(thinker: Thinker) -> None:
    """After a take-back, and when a position is all that is known."""
    match = table_of(game_that_keeps_trees())
    question = question_at(match, "one")
    thinker.answer(question)
    earlier = Think(question.spec, "", question.actions[:-1], 10, 1, 0.1, "one")
    bare = Think(question.spec, match.position.fen(), [], 10, 1, 0.1, "one")
    for other in (earlier, bare, question):
        thinker.answer(other)
        assert thinker.kept[-1] == 1


def test_a_question_that_fails_leaves_the_handler_usable(thinker: Thinker) -> None:
    match = begun("pp")
    thinker.handler.answer(Think(match.position.game.spec, "", ["nonsense"], 1, 1, 0.1, "one"))
    assert isinstance(thinker.replies[-1], Failed)
    thinker.answer(question_at(match, "one"))
