"""The search, for every game. No game is named here."""

import copy
from dataclasses import replace
from itertools import product
from threading import Event

import numpy as np
import pytest

from roundel import games
from roundel.analysis.thought import chance
from roundel.bots import BOTS, LEVELS, Budget, Searcher, choose
from roundel.core.errors import MatchOver
from roundel.core.game import Game
from roundel.core.playthrough import random_match
from roundel.core.position import Position
from roundel.kernel.jit import JIT
from roundel.search import searcher as searching
from roundel.search.alphabeta_search import AlphaBetaSearch, TranspositionTable
from roundel.search.choice import Choice
from roundel.search.exact import Prover
from roundel.search.judge import judge_of
from roundel.search.levels import Level, slip
from roundel.search.memories import Memories
from roundel.search.nodes import (
    BUSY_BITS,
    CHILD,
    NODE_SIZE,
    PROVED,
    WON,
    is_busy_elsewhere,
    let_go,
    tag,
)
from roundel.search.options import MATCHES_KEPT, SearchOptions
from roundel.search.searcher import WrongLevel
from roundel.search.tree_search import NODE_BYTES, Tree, TreeSearch
from roundel.search.uct import COUNT_BITS
from tests.conftest import specs

NODES = 400 if JIT else 3
PLAIN = pytest.mark.parametrize("is_plain", [False, True], ids=["full", "plain"])


def positions(game: Game, seed: int = 1) -> list[Position]:
    """Some of a random match, the last one before its end among them."""
    *found, _ = random_match(game, seed)
    return [*found[:: len(found) // 3], found[-1]]


def tree_of(searcher: Searcher, position: Position, match: str = "") -> Tree:
    tree = searcher.memories.kept[position.game.name, match]
    assert isinstance(tree, Tree)
    return tree


def grows_a_tree(game: Game) -> bool:
    return game.players > 2 or judge_of(game.manifest) is None


@PLAIN
def test_a_choice_says_how_it_came_about(game: Game, is_plain: bool) -> None:
    searcher = Searcher(hash_mib=1, is_plain=is_plain)
    for position in positions(game):
        found = searcher.choose(position, Budget(nodes=NODES), seed=3)
        assert set(found.visits) == set(found.worths) <= set(position.legal())
        assert found.nodes > 0
        assert found.action == found.line[0]
        assert found.depth >= len(found.line)
        assert abs(sum(found.values)) < 1e-4
        assert max(map(abs, found.worths.values())) <= 1
        for action in found.line:
            position = position.play(action)


@PLAIN
def test_rows_that_are_not_needed_any_more_do_no_harm(game: Game, is_plain: bool) -> None:
    """A state has them after an action that cannot be undone, if it had much to remember."""
    state = game.start().state
    position = Position(game, np.vstack([state, np.zeros((200, state.shape[1]), np.int64)]))
    found = Searcher(hash_mib=1, is_plain=is_plain).choose(position, Budget(nodes=NODES))
    assert found.action in position.legal()
    assert Prover(game, nodes=10).forces(position, 0, 1, turns=1) in (True, False, None)


def test_all_that_was_judged_may_be_chosen_by_mistake(game: Game) -> None:
    """A narrow search looks at few actions more closely; a beginner still sees the others."""
    if game.players > 2 and judge_of(game.manifest) is not None:
        position = positions(game)[1]
        found = Searcher(hash_mib=1).choose(position, Budget(nodes=3))
        assert set(found.visits) == set(position.legal())
        assert min(found.visits.values()) == 1


@PLAIN
def test_the_same_seed_gives_the_same_choice(game: Game, is_plain: bool) -> None:
    position, searcher = positions(game)[1], Searcher(is_plain=is_plain)
    one, again = (searcher.choose(position, Budget(nodes=NODES), seed=1) for _ in range(2))
    assert (one.visits, one.worths, one.line) == (again.visits, again.worths, again.line)


def wins_at_once(position: Position) -> set[int]:
    return {a for a in position.legal() if position.play(a).outcome == (position.player,)}


@pytest.mark.skipif(not JIT, reason="needs many nodes")
@PLAIN
def test_a_win_in_one_action_is_found(game: Game, is_plain: bool) -> None:
    many = 0
    for seed, threads in product(range(4), (1, 2)):
        for position in list(random_match(game, seed))[-4:-1]:
            if winning := wins_at_once(position):
                searcher = Searcher(threads=threads, is_plain=is_plain)
                found = searcher.choose(position, Budget(nodes=300 * len(position.legal())))
                assert found.action in winning
                many += 1
    assert many > 0 or game.name not in games.ours(), "in some games only the others can end it"


def test_of_actions_that_always_won_one_that_wins_at_once_is_taken() -> None:
    lines = (list(random_match(games.load(spec), seed)) for spec in specs() for seed in range(9))
    last = (position for line in lines for position in line[-4:-1])
    position = next(p for p in last if 0 < len(wins_at_once(p)) < len(p.legal()))
    legal = sorted(position.legal(), key=wins_at_once(position).__contains__)
    tree = Tree(len(legal) + 1)
    tree.used, tree.actions[1:] = tree.size, legal
    tree.blocks[0] = 1 << COUNT_BITS | len(legal)
    tree.visits[1:] = [10 if a in wins_at_once(position) else 1000 for a in legal]
    lost = [-0.5 if a in wins_at_once(position) else 20 for a in legal]  # results, and visits
    tree.values[1:] = tree.visits[1:] + np.array(lost)
    search = TreeSearch(tree, position, SearchOptions(nodes=1), is_plain=True)
    search.run(0)
    assert search.principal_line()[0] in wins_at_once(position)
    worths = search.worths()
    assert {action for action in legal if worths[action] == 1} == wins_at_once(position)


def test_what_is_free_in_a_tree_holds_no_proofs() -> None:
    tree = Tree(6)
    tree.used, tree.proofs[:5] = 5, 1
    tree.blocks[:2] = 1 << COUNT_BITS | 2, 3 << COUNT_BITS | 2
    tree.move(1, 6, 6)
    assert (tree.used, tree.proofs.tolist()) == (3, [1, 1, 1, 0, 0, 0])
    tree.clear()
    assert tree.used == 1
    assert not tree.proofs.any()


def test_a_plain_search_does_not_believe_what_another_game_has_proved() -> None:
    """A searcher that is asked without a match uses the same memory again."""
    searcher, known = Searcher(hash_mib=1, is_plain=True), Searcher(hash_mib=1, is_plain=True)
    position = games.load(games.ours()[0]).start()
    tree = searcher.memories.kept[position.game.name, ""] = Tree(searcher.memory // NODE_BYTES)
    tree.used, tree.proofs[:], tree.judged[:] = tree.size, 1, 1
    found, fresh = (each.choose(position, Budget(nodes=NODES)) for each in (searcher, known))
    assert (found.action, found.worths) == (fresh.action, fresh.worths)


@pytest.mark.skipif(not JIT, reason="needs many nodes")
def test_what_is_proved_is_true(game: Game) -> None:
    """Near the end of matches, where an exact search can tell: a sure win is one."""
    prover = Prover(game, 1 << 18)
    for position in [p for seed in range(6) for p in list(random_match(game, seed))[-6:-1]]:
        exact = prover.best(position) if game.players == 2 else None
        found = choose(position, Budget(nodes=20_000))
        worth = found.worths[found.action]
        if exact and abs(worth) == 1:
            assert exact[0] == worth
            assert found.action in exact[1]


def test_it_ends_when_it_is_told_to(game: Game) -> None:
    position, stop = game.start(), Event()
    stop.set()
    (found,) = Searcher().think(position, Budget(), 0, stop)
    assert found.action in position.legal(), "stopped at once, it still answers"
    (found,) = Searcher().think(position, Budget(seconds=0), 0, Event())
    assert found.action in position.legal()
    stop.clear()
    thoughts = Searcher().think(position, Budget(), 0, stop)
    first = next(thoughts)
    stop.set()
    *_, last = thoughts
    assert last.nodes >= first.nodes > 0


def test_it_tells_what_it_has_found_so_far(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "REPORT", 0)
    thoughts = Searcher().think(game.start(), Budget(), 0, Event())
    first = next(choice for choice in thoughts if choice.nodes)  # the first report may come early
    second = next(thoughts)
    assert first.nodes <= second.nodes
    thoughts.close()  # type: ignore[attr-defined]


@pytest.mark.skipif(not JIT, reason="plain Python has one thread at a time")
@PLAIN
def test_threads_share_the_work(game: Game, is_plain: bool) -> None:
    for position in positions(game):
        found = Searcher(threads=3, is_plain=is_plain).choose(position, Budget(nodes=NODES), 4)
        assert 0 < found.nodes < 2 * NODES
        assert found.action in position.legal()


@pytest.mark.skipif(JIT, reason="kernels cannot be called from Python")
def test_threads_leave_each_other_what_they_look_at() -> None:
    busy, node, key = np.zeros(4, np.int64), np.zeros(NODE_SIZE, np.int64), -(5 << BUSY_BITS) + 3
    node[CHILD], busy[key & 3] = key, tag(key, 1)
    assert is_busy_elsewhere(busy, key, 0)
    assert not is_busy_elsewhere(busy, key, 1), "a thread's own child is not postponed"
    assert not is_busy_elsewhere(busy, key ^ 1 << BUSY_BITS, 0), "another child"
    let_go(node.copy(), busy, 0)
    assert is_busy_elsewhere(busy, key, 0), "only who looks at it can let it go"
    let_go(node, busy, 1)
    assert not is_busy_elsewhere(busy, key, 0)
    assert not node[CHILD]


def test_a_proof_of_one_thread_outlasts_the_guess_of_another(game: Game) -> None:
    search = AlphaBetaSearch(TranspositionTable(1), game.start(), SearchOptions(1, threads=2))
    guess, proof = replace(search.result, score=1), replace(search.result, score=WON)
    for found, depth, is_part, best in (
        (guess, 4, False, guess),
        (proof, PROVED, False, proof),  # of the same depth
        (guess, 5, True, proof),
    ):
        search.keep(found, depth, is_part)
        assert search.result is best


@PLAIN
def test_a_full_tree_grows_no_more(game: Game, is_plain: bool) -> None:
    if not (is_plain or grows_a_tree(game)):
        return
    searcher, position = Searcher(is_plain=is_plain), game.start()
    searcher.memories.size = NODE_BYTES * (len(position.legal()) + 2)
    found = searcher.choose(position, Budget(nodes=NODES), seed=1)
    tree = tree_of(searcher, position)
    assert found.depth == 1
    assert tree.visits[0] == NODES
    assert np.count_nonzero(tree.blocks) == 1
    searcher.memories.size = NODE_BYTES
    found = searcher.choose(position, Budget(nodes=2))
    assert found.action in position.legal(), "not even the first actions have room"


@pytest.mark.skipif(not JIT, reason="needs a tree of some size")
def test_a_tree_is_kept_from_one_action_to_the_next(game: Game) -> None:
    if not grows_a_tree(game):
        return
    searcher, position = Searcher(), positions(game)[1]
    searcher.choose(position, Budget(seconds=0.05))
    tree = tree_of(searcher, position)
    child = max(tree.children(0), key=lambda i: tree.visits[i])
    known = {int(tree.actions[i]): int(tree.visits[i]) for i in tree.children(child)}
    tree.grow_from(position.play(int(tree.actions[child])))
    assert {int(tree.actions[i]): int(tree.visits[i]) for i in tree.children(0)} == known
    assert tree.used < tree.size
    assert {array.size for array in tree.arrays} == {tree.size}, "it has room to grow"
    for node in range(tree.used):
        children = tree.children(node)
        assert not children or node < children.start <= children.stop <= tree.used
    tree.grow_from(game.start())
    assert not tree.children(0), "an earlier position is not in the tree"


MIB = 1 << 20
ENOUGH = 20_000  # nodes


def searched(searcher: Searcher, position: Position, match: str) -> Choice:
    """A search without limits that ends as soon as its tree is of some size, on any machine."""
    stop = Event()
    for choice in searcher.think(position, Budget(), 0, stop, match):
        if choice.nodes >= ENOUGH and len(choice.line) > 2:
            stop.set()
    return choice


@pytest.fixture
def reports(monkeypatch: pytest.MonkeyPatch) -> None:
    """They come at every look at the clock."""
    monkeypatch.setattr(searching, "REPORT", 0.0)


def trees_grow(game: Game) -> bool:
    """Whether its trees are kept from one search to the next."""
    return game.players > 2 and judge_of(game.manifest) is not None


@pytest.mark.usefixtures("reports")
@pytest.mark.skipif(not JIT, reason="needs a tree of some size")
def test_alternating_matches_both_keep_their_trees(game: Game) -> None:
    if not trees_grow(game):
        return
    searcher = Searcher(hash_mib=8)
    places = {"one": positions(game)[1], "other": positions(game)[2]}
    for turn in range(3):
        for match, position in places.items():
            if turn:
                searcher._begin(position, Budget(seconds=0), 0, Level(), match)
                assert tree_of(searcher, position, match).used > 1
            found = searched(searcher, position, match)
            places[match] = position.play(found.line[0]).play(found.line[1])


@pytest.mark.usefixtures("reports")
@pytest.mark.skipif(not JIT, reason="needs a tree of some size")
def test_a_tree_at_rest_is_what_will_be_needed(game: Game) -> None:
    if not trees_grow(game):
        return
    searcher, position = Searcher(hash_mib=8), positions(game)[1]
    found = searched(searcher, position, "one")
    awake = tree_of(searcher, position, "one")
    assert awake.size == 8 * MIB // NODE_BYTES, "a match alone has all the memory"
    awake = copy.copy(awake)  # with the arrays as they are now
    searched(searcher, position, "other")
    rest = tree_of(searcher, position, "one")
    awake.grow_from(position.play(found.action))
    assert rest.bytes <= MIB
    assert rest.root == position.play(found.action)
    assert rest.used == min(awake.used, MIB // NODE_BYTES)
    for node in range(rest.used):
        children = rest.children(node)
        assert not children or node < children.start <= children.stop <= rest.used
        assert len(children) in (0, len(awake.children(node))), "all children of a node or none"
        assert rest.actions[node] == awake.actions[node]
    assert rest.children(0)


@pytest.mark.skipif(not JIT, reason="needs a tree of some size")
def test_many_matches_stay_within_the_memory(game: Game) -> None:
    searcher, position = Searcher(hash_mib=4), positions(game)[1]
    for turn in range(MATCHES_KEPT + 4):
        match = str(turn % (MATCHES_KEPT + 2))
        searcher.choose(position, Budget(seconds=0.02), match=match)
        if trees_grow(game) or game.players == 2:
            assert list(searcher.memories.kept)[-1] == (game.name, match)
        assert len(searcher.memories.kept) <= MATCHES_KEPT
        assert searcher.memories.used <= 4 * MIB


def test_matches_at_rest_take_half_of_the_memory_and_the_oldest_go() -> None:
    memories = Memories(1 << 16)
    for number in range(MATCHES_KEPT + 4):
        key = "any", str(number)
        room = memories.make_room(key)
        assert memories.size // 2 <= room <= memories.size
        memories.kept[key] = Tree(room // NODE_BYTES, used=200 if number < 6 else 1)
        assert memories.used <= memories.size
        assert ("any", str(max(number - 3, 0))) in memories.kept
    assert len(memories.kept) == MATCHES_KEPT
    memories.make_room(None, memories.size)
    assert not memories.kept
    memories.kept["any", "one"] = Tree(100)
    memories.make_room(("any", ""))
    assert not memories.kept, "a search without a match has all the room"
    for number in range(8):  # each with as much as a match at rest can have
        memories.kept["any", str(number)] = Tree(memories.size // 8 // NODE_BYTES)
    assert memories.make_room(("any", "new")) >= memories.size // 2
    assert list(memories.kept) == [("any", str(number)) for number in range(4, 8)]


@PLAIN
def test_a_limit_of_nodes_leaves_a_matchs_memory_as_it_is(game: Game, is_plain: bool) -> None:
    """And the answer is the same, whatever the searcher knows."""
    position, few = positions(game)[1], Budget(nodes=NODES)
    searcher, fresh = (Searcher(hash_mib=4, is_plain=is_plain) for _ in range(2))
    for match in ("one", "other"):
        searcher.choose(position, Budget(seconds=0.02), match=match)
    kept = set(searcher.memories.kept)
    one, other = searcher.choose(position, few, 1, "one"), fresh.choose(position, few, 1)
    assert (one.visits, one.worths, one.line) == (other.visits, other.worths, other.line)
    if not grows_a_tree(game):
        assert set(searcher.memories.kept) == kept


@pytest.mark.usefixtures("reports")
@pytest.mark.skipif(not JIT, reason="needs a tree of some size")
def test_a_match_that_goes_on_elsewhere_begins_a_new_tree(game: Game) -> None:
    """After a take-back, or when only the position's text is known."""
    if not trees_grow(game):
        return
    searcher, position = Searcher(hash_mib=8), positions(game)[1]
    earlier, bare = game.start(position.actions[:-1]), games.from_fen(position.fen())
    for other in (earlier, bare, position):
        searched(searcher, position, "one")
        searched(searcher, position, "other")
        searcher._begin(other, Budget(seconds=0), 0, Level(), "one")
        assert tree_of(searcher, other, "one").used == 1
        found = searched(searcher, other, "one")
        assert found.action in other.legal()


def test_what_a_table_knows_is_kept_in_fewer_places_and_in_more() -> None:
    table = TranspositionTable(4096)
    rng = np.random.default_rng(1)
    keys, depths = rng.integers(-(1 << 62), 1 << 62, 3000), rng.integers(1, PROVED, 3000)
    for key, depth in zip(keys.tolist(), depths.tolist(), strict=True):
        at, entry = key & 4095, (5 << 26) | depth << 16 | 1
        table.entries[at], table.keys[at] = entry, key ^ entry
    known = known_to(table)
    fewer = table.resized(1024)
    assert fewer.places == 1024
    assert known_to(fewer).items() <= known.items()
    for at in range(1024):
        there = [known[key] for key in known if key & 1023 == at]
        kept = [depth for key, depth in known_to(fewer).items() if key & 1023 == at]
        assert kept == ([max(there)] if there else [])
    assert known_to(fewer.resized(4096)) == known_to(fewer)
    assert fewer.at_rest(fewer.bytes) is fewer


def known_to(table: TranspositionTable) -> dict[int, int]:
    """The depth of each position that a table would find."""
    keys = (table.keys ^ table.entries).tolist()
    entries = zip(range(table.places), keys, table.entries.tolist(), strict=True)
    return {
        key: entry >> 16 & 255
        for at, key, entry in entries
        if entry and key & (table.places - 1) == at
    }


def test_what_is_proved_is_taken_if_nothing_promises_more(game: Game) -> None:
    """Among three or four players a shared win may be sure, and another action better."""
    for proved, first in ((0.5, 1), (1.0, 0), (-0.5, 1)):
        tree = Tree(3)
        search = TreeSearch(tree, game.start(), SearchOptions(nodes=1))
        tree.blocks[0], tree.used = 1 << COUNT_BITS | 2, 3
        tree.actions[1:], tree.visits[1:], tree.values[1:] = (0, 1), (3, 100), (0, 80)
        tree.proofs[1], tree.judged[1:] = 0b11, (proved, 0.8)
        assert search.principal_line()[0] == first


def test_a_proof_tells_everybodys_share(game: Game) -> None:
    """A win that is shared by two is worth half a win to each of them."""
    many = 0
    for seed in range(8):
        *_, before, end = random_match(game, seed)
        winners = end.outcome or ()
        if all(before.play(action).outcome == winners for action in before.legal()):
            shares = [(player in winners) / len(winners) for player in range(game.players)]
            values = Searcher(hash_mib=1).choose(before, Budget(nodes=NODES)).values
            chances = [chance(value, game.players) / 100 for value in values]
            assert chances == pytest.approx(shares, abs=1e-4)
            many += 1
    assert many > 0 or game.players == 2


def test_nothing_is_chosen_when_the_match_is_over(game: Game) -> None:
    *_, last = random_match(game, seed=2)
    with pytest.raises(MatchOver, match="over"):
        choose(last)


def test_bots_are_legal(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("roundel.bots.THINKING", Budget(nodes=2))
    few = {level: Level(2, None, 0.1, 0.5) for level in LEVELS}
    monkeypatch.setattr(searching, "LEVELS", few if not JIT else {**LEVELS, 10: Level(2)})
    for make in BOTS.values():
        bot = make(5)
        for position in positions(game):
            assert bot(position) in position.legal()


def test_there_is_no_eleventh_level() -> None:
    position = games.load(games.ours()[0]).start()
    with pytest.raises(WrongLevel, match="no level 11; levels go from 1 to 10"):
        choose(position, Budget(level=11))


def test_slips_are_small_and_a_sure_win_is_taken() -> None:
    position = games.load(games.ours()[0]).start()
    found = choose(position, Budget(nodes=NODES))
    a, b, c = position.legal()[:3]
    visits = {a: 9, b: 5, c: 5}

    def taken(worths: dict[int, float], level: Level) -> set[int]:
        from dataclasses import replace
        from random import Random

        choice = replace(found, action=a, visits=visits, worths=worths)
        return {slip(choice, level, Random(seed)) for seed in range(200)}

    careless = Level(carelessness=0.1)
    assert taken({a: 0.3, b: 0.25, c: -0.4}, careless) == {a, b}, "never far worse"
    assert taken({a: 1.0, b: 0.99, c: 0.9}, careless) == {a}
    assert taken({a: 0.3, b: 0.25, c: -0.4}, Level()) == {a}
    blind = Level(carelessness=0.1, blindness=0.5)
    assert taken({a: 0.9, b: 0.2, c: -0.4}, blind) == {a, b, c}
    assert taken({a: 1.0, b: 0.2, c: -0.4}, blind) == {a}
    beginner = Level(carelessness=0.1, blindness=0.5, blindness_to_wins=0.1)
    assert taken({a: 1.0, b: 0.2, c: -0.4}, beginner) == {a, b, c}
