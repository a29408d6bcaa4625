"""What must hold for every game, present and future. No game is named here."""

import pickle
import random
import re
from itertools import pairwise

import numpy as np
import pytest

from roundel import games
from roundel.core.errors import (
    IllegalAction,
    InvalidOption,
    InvalidText,
    MatchOver,
    RoundelError,
)
from roundel.core.game import BUTTON, Game, Manifest
from roundel.core.perft import divide, perft
from roundel.core.playouts import run
from roundel.core.playthrough import random_match, transcript
from roundel.core.position import Position
from roundel.kernel.jit import JIT
from roundel.kernel.randoms import generator
from tests import golden
from tests.oracle import compare

MATCHES = 5 if JIT else 1  # random matches per contract test
ORACLE_MATCHES = 100 if JIT else 5
ORACLE_CHUNKS = 5  # so that several processes share them
PERFT_LEAVES = 8_000_000 if JIT else 3_000


def check_actions(position: Position) -> None:
    """Legal actions, their texts and their clicks."""
    legal = position.legal()
    assert legal == sorted(set(legal)), "ascending, without doubles"
    assert (not legal) == position.over, "legal actions exactly until the end"
    assert all(0 <= action < position.game.num_actions for action in legal)
    texts = [position.write(action) for action in legal]
    assert len(set(texts)) == len(texts), "no two actions are written alike"
    assert [position.read(text) for text in texts] == legal, "every text reads back"
    paths = sorted(position.clicks(action) for action in legal)
    spots = position.game.layout["spots"].keys()
    assert {spot for path in paths for spot in path} <= spots
    for path, following in pairwise(paths):
        assert following[: len(path)] != path, "no path of clicks is the beginning of another"


def check_facts(position: Position) -> None:
    """Player, points, outcome and returns."""
    players = position.game.players
    assert len(position.points) == players
    assert sum(position.returns) == pytest.approx(0)
    if position.over:
        assert position.player is None
        assert position.outcome
        assert position.result
    else:
        assert position.player in range(players)
        assert position.outcome is None
        assert position.result is None
        assert position.returns == (0.0,) * players


def check_texts(position: Position) -> None:
    """The position text and the diagram."""
    fen = position.fen()
    assert fen.isascii()
    assert not any(c.isspace() for c in fen)
    again = games.from_fen(fen)
    assert again.fen() == fen
    assert again == position
    assert again.legal() == position.legal(), "equal positions have the same actions"
    assert (again.player, again.points, again.result) == (
        position.player,
        position.points,
        position.result,
    )
    assert all(len(line) <= 80 for line in str(position).splitlines())


def check_account(position: Position) -> None:
    """A finished match is counted; the points add up."""
    account = position.game.manifest.view.account(position.state)
    assert bool(account) <= position.over, "nothing is counted before the end"
    spots = position.game.layout["spots"].keys()
    points = [0] * position.game.players
    for item in account:
        assert item.keys() == {"text", "spots", "seat", "points"}
        assert item["text"]
        assert "{" not in item["text"]
        assert set(item["spots"]) <= spots
        if item["points"] is not None:
            assert item["seat"] is not None, "points are somebody's"
            points[item["seat"]] += item["points"]
    assert not position.over or tuple(points) == position.points


def check_passed(before: Position, after: Position) -> None:
    """Whoever is passed over neither acted nor acts, and could have done nothing."""
    passed = before.game.manifest.view.passed(before.state, after.state)
    assert len(set(passed)) == len(passed)
    assert set(passed) <= set(range(before.game.players)) - {before.player, after.player}
    assert not (passed and after.over), "nobody is passed over at the end"


def test_a_layout_has_what_a_board_knows(game: Game) -> None:
    layout = game.layout
    spots = layout["spots"]
    assert layout.keys() <= {"spots", "lines", "labels", "trays"}
    for spot in spots.values():
        button = {"label"} if spot["kind"] == BUTTON else set()
        assert spot.keys() == {"x", "y", "kind"} | button
    assert {spot["kind"] for spot in spots.values()} - {BUTTON}, "there are places"
    assert all(set(ends) <= spots.keys() for ends in layout.get("lines", ()))
    assert all(label.keys() == {"text", "x", "y"} for label in layout.get("labels", ()))
    assert all(layout.get("trays", {}).values()), "every tray has a caption"


@pytest.mark.parametrize("seed", range(MATCHES))
def test_random_matches_keep_the_contract(game: Game, seed: int) -> None:
    spots = game.layout["spots"]
    places = {name for name, spot in spots.items() if spot["kind"] != BUTTON}
    for ply, position in enumerate(random_match(game, seed)):
        assert position.ply == ply
        check_actions(position)
        check_facts(position)
        check_texts(position)
        check_account(position)
        assert {"pieces"} <= position.view.keys() <= {"pieces", "trays"}
        assert position.view["pieces"].keys() <= places
        assert position.view.get("trays", {}).keys() <= game.layout.get("trays", {}).keys()
        assert position.prompt.endswith(".")
    with pytest.raises(MatchOver):
        position.play(0)


def test_nobody_is_passed_over_who_acts(game: Game) -> None:
    for seed in range(MATCHES):
        for before, after in pairwise(random_match(game, seed)):
            check_passed(before, after)


def test_every_seat_has_a_role_and_a_piece(game: Game) -> None:
    seats = game.manifest.view.seats(game.options)
    assert len(seats) == game.players
    assert len({seat["role"] for seat in seats}) == game.players
    looks = game.manifest.style.pieces
    for seat in seats:
        assert seat.keys() == {"role", "piece"}
        assert seat["piece"] in looks or not looks


def test_a_rematch_is_for_the_same_players(game: Game) -> None:
    rematch = game.manifest.rematch or (lambda game, result: game.spec)
    for result in ("p1win", "p2win", "draw", ""):
        again = games.load(rematch(game, result))
        assert again.players == game.players
        assert again.manifest is game.manifest


@pytest.mark.parametrize("chunk", range(ORACLE_CHUNKS))
def test_agrees_with_the_naive_rules(game: Game, chunk: int) -> None:
    for seed in range(chunk, ORACLE_MATCHES, ORACLE_CHUNKS):
        compare(game, seed)


def test_a_match_goes_on_exactly_from_its_position_text(game: Game) -> None:
    """From the text of any position the same actions lead to the same end."""
    *positions, last = random_match(game, seed=3)
    rng = random.Random(3)
    for position in rng.sample(positions, 5):
        again = games.from_fen(position.fen())
        for action in last.actions[position.ply :]:
            again = again.play(action)
        assert again == last


def test_playing_leaves_the_position_before_untouched(game: Game) -> None:
    before = game.start()
    copy = before.state.copy()
    before.play(before.legal()[0])
    assert np.array_equal(before.state, copy)
    with pytest.raises(ValueError, match="read-only"):
        before.state[0, 0] = 1


def test_a_position_knows_what_was_played_since_an_earlier_one(game: Game) -> None:
    start, *_, early, between, late = list(random_match(game, seed=1))[:5]
    actions = late.actions[-2:]
    assert early.actions_to(late) == actions
    assert start.actions_to(start) == []
    assert late.actions_to(early) is None
    other = next(action for action in start.legal() if action != late.actions[0])
    assert start.play(other).actions_to(late) is None, "another beginning"
    read, again = games.from_fen(early.fen()), games.from_fen(early.fen())
    assert again.actions_to(read.play(actions[0]).play(actions[1])) == actions
    for position in (start, early, games.from_fen(between.fen())):
        assert position.actions_to(read.play(actions[0])) is None, "begins with another position"


def test_repr_reads_back_and_positions_travel(game: Game) -> None:
    position = list(random_match(game, seed=5))[7]
    assert eval(repr(position), {"games": games}) == position
    assert eval(repr(position), {"games": games}).actions == position.actions
    later = games.from_fen(position.fen())
    assert eval(repr(later), {"games": games}) == position
    for original in (position, later):
        assert pickle.loads(pickle.dumps(original)) == position
    assert pickle.loads(pickle.dumps(position)).actions == position.actions
    assert hash(later) == hash(position)
    assert position != game.start()
    assert games.load(game.spec) == game
    assert hash(games.load(game.spec)) == hash(game)
    assert eval(repr(game), {"games": games}) == game


def test_wrong_input_is_refused_by_name(game: Game) -> None:
    start = game.start()
    with pytest.raises(InvalidText):
        start.play("no-such-action")
    legal = set(start.legal())
    illegal = next(a for a in range(game.num_actions + 1) if a not in legal)
    for action in (illegal, -1, game.num_actions, 2**80):
        with pytest.raises(IllegalAction, match="not legal here"):
            start.play(action)
    for error in (IllegalAction, InvalidText, MatchOver):
        assert issubclass(error, RoundelError)


def test_texts_of_other_moments_are_illegal_or_unreadable_never_worse(game: Game) -> None:
    """Every text of a match, tried in every tenth position of it."""
    *positions, last = random_match(game, seed=2)
    texts = last.texts()
    for position in positions[::10]:
        legal = {position.write(action) for action in position.legal()}
        for text in texts:
            if text in legal:
                assert position.play(text).ply == position.ply + 1
            else:
                with pytest.raises((IllegalAction, InvalidText)):
                    position.play(text)


def test_options_are_declared_and_covered(manifest: Manifest) -> None:
    chosen = [manifest.read_options(options) for options in manifest.option_sets]
    for option in manifest.options:
        values = {values[option.name] for values in chosen}
        assert option.help
        assert option.label
        assert not isinstance(option.values, tuple) or set(option.labels) == set(option.values)
        assert option.default in values
        if option.values is None:
            assert values == {False, True}
        elif len(option.values) <= 10:
            assert values == set(option.values), f"every value of {option.name} is in an option set"
        else:
            assert len(values) > 1
    with pytest.raises(InvalidOption, match="no option"):
        manifest.with_options("nonsense=1")
    for option in manifest.options:
        with pytest.raises(InvalidOption, match="expected"):
            manifest.with_options(f"{option.name}=nonsense")
        text = option.write(option.default)
        with pytest.raises(InvalidOption, match="twice"):
            manifest.with_options(f"{text},{text}")


def test_options_in_plain_words(manifest: Manifest) -> None:
    assert manifest.tagline.endswith((".", "!"))
    assert manifest.with_options().chosen == []
    for options in manifest.option_sets:
        game = manifest.with_options(options)
        unusual = [o for o in manifest.options if game.options[o.name] != o.default]
        assert len(game.chosen) == sum(not option.by_lot for option in unusual)
        assert all(game.chosen)


def test_perft(manifest: Manifest) -> None:
    cases = golden.perft_cases(manifest.name)
    assert cases, "every game has perft counts"
    for position, depth, leaves in cases:
        if leaves <= PERFT_LEAVES:
            assert perft(position, depth) == leaves
            assert sum(count for _, count in divide(position, depth)) == leaves or leaves > 10_000


def test_golden_playthroughs(game: Game) -> None:
    file = golden.playthrough_file(game)
    assert file.read_text() == transcript(game, golden.SEED), "`make golden` shows the difference"


def test_golden_playouts_are_the_same_with_the_jit_on_and_off(manifest: Manifest) -> None:
    assert golden.playouts_file(manifest.name).read_text() == golden.playouts_text(manifest.name)


def test_playouts_follow_the_rules(game: Game) -> None:
    tally = run(game.start(), 20, generator(1))
    assert tally[1:].sum() == 20
    assert tally[2 + game.players :].sum() == 0


def test_the_state_is_small(game: Game) -> None:
    assert game.start().state.nbytes <= 1024 + 64, "1 KiB and, where rules look back, one row"


def test_every_game_has_its_papers(manifest: Manifest) -> None:
    folder = manifest.folder
    assert (folder / "README.md").read_text().startswith(f"# {manifest.title}")
    rules = re.findall(r"^(\d+)\. ", (folder / "rules.en.md").read_text(), re.MULTILINE)
    tests = re.findall(r"def test_rule_(\d+)_", (folder / f"test_{manifest.name}.py").read_text())
    assert set(rules) == set(map(str, range(1, len(rules) + 1))), "numbered from 1"
    assert set(tests) == set(rules), "every rule has a test that carries its number"
