"""Texts that nobody should send: named errors only, and nothing changes."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roundel import games
from roundel.core.errors import InvalidOption, InvalidText, RoundelError, UnknownGame
from roundel.core.game import Game
from roundel.core.playthrough import random_match
from roundel.core.position import Position
from roundel.kernel.jit import JIT
from tests.conftest import specs

EXAMPLES = 300 if JIT else 100
MUTANTS = 150 if JIT else 40
ALPHABET = "abcdefghijklmnopqrstxyz0123456789-@!;=,:*.p"


def play_on(position: Position, seed: int) -> None:
    """A position that was accepted must be one that can be played to its end."""
    rng = random.Random(seed)
    for _ in range(15):
        if position.over:
            break
        position = position.play(rng.choice(position.legal()))
        assert games.from_fen(position.fen()) == position


@settings(max_examples=EXAMPLES)
@given(st.sampled_from(specs()), st.text(max_size=20) | st.text(ALPHABET, max_size=12))
def test_any_text_as_an_action(spec: str, text: str) -> None:
    start = games.load(spec).start()
    before = start.fen()
    try:
        start.play(text)
    except RoundelError as error:
        assert start.game.name in str(error)
    assert start.fen() == before


@settings(max_examples=EXAMPLES)
@given(st.sampled_from(games.names()), st.text(max_size=30) | st.text(ALPHABET, max_size=30))
def test_any_text_as_a_spec(name: str, text: str) -> None:
    for spec, error in ((text, (UnknownGame, InvalidOption)), (f"{name}:{text}", (InvalidOption,))):
        try:
            game = games.load(spec)
        except error:
            continue
        assert games.load(game.spec) == game


@settings(max_examples=EXAMPLES)
@given(st.sampled_from(specs()), st.text(max_size=60) | st.text(ALPHABET, max_size=60))
def test_any_text_as_a_position(spec: str, text: str) -> None:
    for fen in (text, f"{spec};{text}"):
        with pytest.raises(RoundelError):
            games.from_fen(fen)


def mutant(fen: str, rng: random.Random) -> str:
    """A position text with one thing wrong, or so it seems."""
    spec, *parts = fen.split(";")
    where = rng.randrange(len(parts))
    key, value = parts[where].split("=", 1)
    match rng.randrange(6):
        case 0:
            parts.pop(where)
        case 1:
            parts.append(parts[where])
        case 2:
            parts[where] = f"{key}={rng.choice(parts).partition('=')[2]}"
        case 3:
            items = value.split(",")
            items.pop(rng.randrange(len(items)))
            parts[where] = f"{key}={','.join(items)}"
        case 4:
            at = rng.randrange(len(value) + 1)
            parts[where] = f"{key}={value[:at]}{rng.choice(ALPHABET)}{value[at + 1 :]}"
        case 5:
            at = rng.randrange(len(value) + 1)
            parts[where] = f"{key}={value[:at]}{value[at:].translate(str.maketrans('12', '21'))}"
    return ";".join([spec, *parts])


def test_mutants_of_real_positions_are_refused_or_playable(game: Game) -> None:
    rng = random.Random(11)
    positions = list(random_match(game, seed=11))
    refused = 0
    for number in range(MUTANTS):
        fen = mutant(rng.choice(positions).fen(), rng)
        try:
            position = games.from_fen(fen)
        except (InvalidText, InvalidOption) as error:
            assert game.name in str(error)
            refused += 1
        else:
            play_on(position, number)
    assert refused > MUTANTS // 10
