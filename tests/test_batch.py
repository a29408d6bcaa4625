"""A batch gives the same numbers as positions, for every game. No game is named here."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from roundel.batch import Batch
from roundel.core.errors import IllegalAction, InvalidBatch, RoundelError
from roundel.core.game import Game
from roundel.core.playthrough import random_match
from roundel.core.position import Position
from roundel.kernel import batching, planes
from roundel.kernel.batching import (
    APART,
    ASLEEP,
    BUSY,
    CHOOSE,
    CHUNK,
    CLAIMED,
    GO_HOME,
    IDLE,
    LOOK,
)
from roundel.kernel.jit import JIT

SIZE = 5 if JIT else 2
STEPS = 400 if JIT else 130
PLIES = 120 if JIT else 12  # of a match that is compared with its image


def all_equal(some: Sequence[Any], others: Sequence[Any]) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(some, others, strict=True))


def same_state(batch: Batch, i: int, position: Position) -> bool:
    """As far as the state has a meaning; behind it there is room only."""
    rows = batch.game.rules.rows_for(position.state, 0)
    return np.array_equal(batch.states[i, :rows], position.state[:rows])


def compare(batch: Batch, positions: list[Position]) -> None:
    mask, points = batch.legal_mask(), batch.standing()
    assert mask.shape == (batch.size, batch.game.num_actions)
    for i, position in enumerate(positions):
        assert np.flatnonzero(mask[i]).tolist() == position.legal()
        assert batch.players[i] == position.player
        assert tuple(points[i]) == position.points
        assert same_state(batch, i, position)


def after(batch: Batch, positions: list[Position], actions: list[int]) -> list[Position]:
    """The positions after one step, compared with what the batch tells about it."""
    played = [p.play(action) for p, action in zip(positions, actions, strict=True)]
    for i, position in enumerate(played):
        assert batch.done[i] == position.over
        assert batch.returns[i].tolist() == pytest.approx(position.returns)
        assert tuple(batch.points[i]) == (
            position.points if position.over else (0,) * batch.game.players
        )
    return [batch.game.start() if position.over else position for position in played]


def test_a_batch_and_positions_play_alike(game: Game) -> None:
    batch = Batch(game.spec, SIZE, seed=3, threads=2)
    positions = [game.start()] * SIZE
    ended = 0
    for step in range(STEPS):
        if step % 7 == 0 or step > STEPS - 3:
            compare(batch, positions)
        actions = batch.random_actions().tolist()
        batch.step(actions)
        positions = after(batch, positions, actions)
        ended += batch.done.sum()
    assert ended > 0, "new matches have begun"
    compare(batch, positions)
    assert batch.position(0) == positions[0]


def test_the_same_with_any_number_of_threads(game: Game) -> None:
    results = []
    for threads in (1, 2, 3):
        batch = Batch(game.spec, SIZE + 1, seed=1, threads=threads)
        ended, totals = batch.wander(STEPS)
        means = batch.rollouts(2)
        results.append((ended, totals, means, batch.random_actions().copy(), batch.players))
    for other in results[1:]:
        assert all_equal(results[0], other)
    assert results[0][0].sum() > 0


def test_wandering_is_stepping_at_random(game: Game) -> None:
    one, other = (Batch(game.spec, SIZE, seed=7, threads=1) for _ in range(2))
    ended, totals = one.wander(STEPS)
    for _ in range(STEPS):
        other.step(other.random_actions())
        ended -= other.done
        totals -= other.returns
    assert not ended.any()
    assert np.abs(totals).max() < 1e-4
    assert np.array_equal(one.players, other.players)
    assert np.array_equal(one.legal_words(), other.legal_words())
    assert not one.done.any(), "nothing is told about single steps"


def test_only_words_in_use_count(game: Game) -> None:
    """Rules may leave anything in the others, as in positions that needed more of them."""
    batch = Batch(game.spec, 3, seed=2)
    words, mask = batch.legal_words().copy(), batch.legal_mask().copy()
    for state, used in enumerate(batch._used):
        batch._words[state, used:] = 1
    batch._shown[:, -1] = game.rules.WORDS
    assert np.array_equal(batch.legal_mask(), mask)
    assert np.array_equal(batch.legal_words(), words)


def test_rollouts_leave_the_states_as_they_are(game: Game) -> None:
    batch = Batch(game.spec, 2, seed=2)
    batch.wander(20)
    before = batch.states.copy()
    means = batch.rollouts(4)
    assert np.array_equal(batch.states, before)
    assert means.dtype == np.float32
    assert np.abs(means.sum(axis=1)).max() < 1e-5
    assert np.abs(means).max() <= 1


def test_a_match_can_go_on_from_any_position(game: Game) -> None:
    batch = Batch(game.spec, 2)
    *positions, last = random_match(game, seed=4)
    for position in positions[::9]:
        batch.put(1, position)
        compare(batch, [game.start(), position])
    with pytest.raises(InvalidBatch, match="unfinished match"):
        batch.put(0, last)
    batch.states = batch.states[:, : len(game.start().state)].copy()
    batch.put(0, positions[-1])
    assert batch.position(0) == positions[-1]


def test_reset_begins_anew(game: Game) -> None:
    batch = Batch(game.spec, 2, seed=5)
    first = [batch.random_actions().copy()]
    batch.step(first[0])
    first.append(batch.random_actions().copy())
    batch.wander(70)
    batch.reset(5)
    compare(batch, [game.start()] * 2)
    assert np.array_equal(batch.random_actions(), first[0])
    batch.step(first[0])
    assert np.array_equal(batch.random_actions(), first[1])
    batch.reset()
    compare(batch, [game.start()] * 2)


def test_an_illegal_action_is_named_and_nothing_is_played(game: Game) -> None:
    batch = Batch(game.spec, 3, seed=1)
    batch.wander(4)
    legal, before = batch.random_actions().copy(), batch.states.copy()
    mask = batch.legal_mask()
    for i in range(3):
        wrong = [int(np.flatnonzero(~mask[i])[0]), -1, game.num_actions, 2**62]
        for action in wrong:
            actions = legal.copy()
            actions[i] = action
            count = int(mask[i].sum())
            with pytest.raises(IllegalAction, match=f"action {action} of state {i} .* {count}: "):
                batch.step(actions)
            assert np.array_equal(batch.states, before)
    batch.step(legal)


def test_steps_are_the_same_with_any_number_of_threads(game: Game) -> None:
    """More states than a thread claims at once, and new arrays in the middle."""
    alone, together = (Batch(game.spec, 3 * CHUNK if JIT else 2, 5, threads) for threads in (1, 3))
    for step in range(40 if JIT else 4):
        for batch in (alone, together):
            batch.step(batch.random_actions())
            if step == 20:
                batch._grow()
        assert np.array_equal(alone.done, together.done)
        assert np.array_equal(alone.legal_mask(), together.legal_mask())
        assert np.array_equal(alone.players, together.players)
    if game.manifest.observe:
        assert np.array_equal(alone.observe(), together.observe())
    assert np.array_equal(alone.standing(), together.standing())


def test_a_thread_takes_commands_until_none_comes(game: Game) -> None:
    batch, other = (Batch(game.spec, 3, seed=6, threads=1) for _ in range(2))
    expected = other.random_actions()
    batch._obey(LOOK)
    mailbox = np.full(2 * APART, ASLEEP, np.int64)
    mailbox[CLAIMED::APART] = 0, 1
    mailbox[APART] = CHOOSE
    batch._entries.work(mailbox, 1, 0, *batch._crew.arrays)
    assert np.array_equal(batch._actions, expected), "its own part, and then that of the leader"
    assert mailbox[APART] == ASLEEP
    assert batch._entries.post_command(mailbox, 1, CHOOSE) == ASLEEP
    mailbox[APART] = GO_HOME
    batch._entries.work(mailbox, 1, 0, *batch._crew.arrays)
    assert mailbox[APART] == ASLEEP


def test_the_leader_does_not_wait_for_who_has_not_begun(game: Game) -> None:
    batch = Batch(game.spec, 3, seed=6, threads=1)
    batch._obey(LOOK)
    mailbox = np.full(2 * APART, IDLE, np.int64)
    mailbox[CLAIMED::APART] = 0, 1
    assert batch._entries.post_command(mailbox, 1, CHOOSE) == IDLE
    batch._entries.work(mailbox, 0, CHOOSE, *batch._crew.arrays)
    batch.step(batch._actions)
    assert mailbox[APART] == IDLE, "the command was taken back"


@pytest.mark.skipif(JIT, reason="kernels cannot be called from Python")
def test_a_game_without_observations_shows_nothing(game: Game) -> None:
    shown = np.ones((2, 3), np.int8)
    planes.observe(game.start().state, shown)
    assert shown.all()
    assert planes.kind(game.start().state) == 0


@pytest.mark.skipif(JIT, reason="compiled code cannot be made to wait for a test")
@pytest.mark.parametrize(("command", "end"), [(CHOOSE, IDLE), (GO_HOME, ASLEEP)])
def test_the_leader_waits_for_who_has_begun(
    command: int, end: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    mailbox = np.array([IDLE] * APART + [BUSY] * APART)
    looks = iter([BUSY, BUSY, end])
    monkeypatch.setattr(batching, "breathe", lambda: mailbox.__setitem__(APART, next(looks)))
    batching.wait_for_the_others(mailbox, command)
    assert mailbox[APART] == end
    assert next(looks, None) is None


def test_wrong_shapes_are_refused(game: Game) -> None:
    batch = Batch(game.spec, 3)
    for actions in ([0, 0], [[0, 0, 0]], [0.0, 0.0, 0.0], 0, ["a", "b", "c"]):
        with pytest.raises(InvalidBatch, match="expected 3 whole numbers"):
            batch.step(actions)
    for size, threads in ((0, 1), (-1, None), (2, 0)):
        with pytest.raises(InvalidBatch, match="at least one"):
            Batch(game.spec, size, threads=threads)
    with pytest.raises(InvalidBatch, match="seed"):
        batch.reset(-1)
    with pytest.raises(InvalidBatch, match="at least one"):
        batch.rollouts(0)
    with pytest.raises(RoundelError, match="no game"):
        Batch("nonsense", 1)


def test_room_is_made_when_it_is_needed(game: Game) -> None:
    """Little room, long matches: nothing depends on how much there was at first."""
    small, large = Batch(game.spec, SIZE, seed=4), Batch(game.spec, SIZE, seed=4)
    rows = game.rules.rows_for(game.start().state, 1)
    small.states = small.states[:, :rows].copy()
    assert np.array_equal(small.rollouts(2), large.rollouts(2))
    for _ in range(40):
        actions = small.random_actions()
        assert np.array_equal(actions, large.random_actions())
        small.step(actions)
        large.step(actions)
    small.states = small.states[:, : max(map(small.rows_of, range(SIZE)))].copy()
    assert all_equal(small.wander(200), large.wander(200))
    assert [small.position(i) for i in range(SIZE)] == [large.position(i) for i in range(SIZE)]
    if game.rules.rows_for(game.start().state, 1) > len(game.start().state):
        assert small.states.shape[1] > rows, "it has grown"


# -- Observations -----------------------------------------------------------------


@pytest.mark.brings("observe")
def test_observations_are_documented_planes(game: Game) -> None:
    batch = Batch(game.spec, 2)
    planes = batch.observe()
    observer = game.manifest.observe
    assert planes.dtype == np.int8
    assert planes.shape == (2, len(observer.PLANES), *observer.grid(game.options))
    assert len(set(observer.PLANES)) == len(observer.PLANES)
    assert all(re.fullmatch(r"[^\n]{5,90}", line) for line in observer.PLANES)


@pytest.mark.brings("observe")
def test_an_observation_does_not_depend_on_the_one_before(game: Game) -> None:
    batch, fresh = Batch(game.spec, 2, seed=6), Batch(game.spec, 2)
    for _ in range(30):
        batch.wander(5)
        fresh.states = batch.states
        fresh._planes[:] = 0
        assert np.array_equal(batch.observe(), fresh.observe())
        assert np.array_equal(batch.kinds, fresh.kinds)


@pytest.mark.brings("observe")
def test_symmetries_are_permutations_with_the_identity_first(game: Game) -> None:
    batch = Batch(game.spec, 1)
    batch.observe()
    for number, symmetry in enumerate(batch.symmetries):
        for row in (symmetry.cells, *symmetry.actions):
            assert np.array_equal(np.sort(row), np.arange(len(row)))
            assert number or np.array_equal(row, np.arange(len(row)))
        assert symmetry.actions.shape[1] == game.num_actions


@pytest.mark.brings("observe")
def test_the_image_of_a_match_is_a_match(game: Game) -> None:
    """Where the start is its own image, mirrored actions lead to mirrored planes and masks."""
    one, other = Batch(game.spec, 1, seed=9), Batch(game.spec, 1)
    start = one.observe().reshape(len(game.manifest.observe.PLANES), -1).copy()
    for symmetry in one.symmetries:
        if not np.array_equal(start[:, symmetry.cells], start):
            continue
        one.reset()
        other.reset()
        for _ in range(PLIES):
            action = int(one.random_actions()[0])
            planes = one.observe().reshape(start.shape)
            kind = int(one.kinds[0])
            assert np.array_equal(planes[:, symmetry.cells], other.observe().reshape(start.shape))
            mask = one.legal_mask()[0]
            assert np.array_equal(mask[symmetry.actions[kind]], other.legal_mask()[0])
            one.step([action])
            other.step([symmetry.action(kind, action)])
            assert np.array_equal(one.done, other.done)
            assert np.array_equal(one.returns, other.returns)
