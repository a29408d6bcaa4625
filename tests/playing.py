"""Matches for the tests of `roundel.play`: with whichever games there are, none is named."""

import random
from collections.abc import Iterator

from roundel import games
from roundel.core.game import Game
from roundel.core.playthrough import random_match
from roundel.core.position import Position
from roundel.play.commands import Act, Command
from roundel.play.events import Event
from roundel.play.match import OVER, Match
from roundel.play.setup import COMPUTER, OPEN, PERSON, Clock, Seat, Setup, check
from roundel.play.submit import submit
from roundel.play.turns import passed_over

KINDS = {"p": PERSON, "c": COMPUTER, "o": OPEN}


def game_for(players: int) -> Game:
    """The first game that so many can play."""
    for manifest in map(games.manifest, games.names()):
        counts = [o.values for o in manifest.options if o.name == "players"]
        if players in (counts[0] if counts and counts[0] else [2]):
            return manifest.with_options(f"players={players}" if counts else "")
    raise AssertionError(f"no game for {players} players")


def seated(kinds: str) -> tuple[Seat, ...]:
    """`pc`: a person and a computer."""
    return tuple(Seat(KINDS[k], f"Name {k}", 3 if k == "c" else 0) for k in kinds)


def begun(
    kinds: str, *, spec: str = "", clock: Clock | None = None, leaver: str = "computer"
) -> Match:
    """A match on the first game that has that many seats."""
    setup = Setup(spec or game_for(len(kinds)).spec, seated(kinds), clock, leaver)
    check(setup)
    return Match(setup)


def do(match: Match, command: Command, now: float = 0.0) -> list[Event]:
    """As a server does it, without the store."""
    happened = submit(match, command, now)
    for event in happened:
        match.apply(event)
    return happened


def act(match: Match, now: float = 0.0, choice: int = 0, id: str = "") -> list[Event]:
    """One legal action of whoever is to act, person or computer."""
    legal = match.position.legal()
    text = match.position.write(legal[choice % len(legal)])
    assert match.turn is not None
    after = match.seq if match.seats[match.turn].kind == COMPUTER else -1
    return do(match, Act(match.turn, match.ply, text, id, after), now)


def texts_of(position: Position, actions: list[int]) -> list[str]:
    texts = []
    for action in actions:
        texts.append(position.write(action))
        position = position.play(action)
    return texts


def long_turns() -> Iterator[tuple[Game, list[str]]]:
    """Beginnings of matches that stop inside a turn of several actions, but not the first one."""
    for game in (games.load(name) for name in games.names()):
        before = game.start()
        for after in random_match(game, seed=5):
            if after.ply > 2 and before.player == after.player and not passed_over(before, after):
                yield game, texts_of(game.start(), after.actions)
                break
            before = after


def inside_a_turn(kinds: str = "pp", clock: Clock | None = None) -> Match:
    """The seat to act has acted already, and its turn goes on."""
    game, texts = next(long_turns())
    match = begun(kinds, spec=game.spec, clock=clock)
    for ply, text in enumerate(texts):
        assert match.turn is not None
        after = match.seq if match.seats[match.turn].kind == COMPUTER else -1
        do(match, Act(match.turn, ply, text, after=after))
    return match


def played_out(match: Match, seed: int = 1) -> Match:
    """To the end by the rules, in both games of a pair."""
    rng = random.Random(seed)
    while match.status != OVER:
        act(match, choice=rng.randrange(1 << 30))
    return match
