"""An action under construction, spot by spot. No game is named here."""

import pytest

from roundel.core.errors import IllegalAction
from roundel.core.game import Game, Manifest
from roundel.core.playthrough import random_match
from roundel.play.partial_action import PartialAction


def test_a_spot_that_leads_nowhere_is_refused(game: Game) -> None:
    position = game.start()
    choice = PartialAction(position)
    wrong = sorted(game.layout["spots"].keys() - choice.wanted - choice.after(()))
    if choice.unaided:
        assert choice.targets == choice.wanted == frozenset()
        first, *rest = next(iter(choice.paths))
        wrong = [spot for spot in choice.after(()) if spot != first][:1]
        with pytest.raises(IllegalAction, match="is not legal here"):
            assert [choice.choose(spot) for spot in (*wrong, *wrong, *rest)][:1] == [None]
    elif wrong:
        with pytest.raises(IllegalAction, match="cannot be chosen here"):
            choice.choose(wrong[0])
    assert choice.path == ()


def test_a_spot_that_fits_elsewhere_begins_anew(manifest: Manifest) -> None:
    choices = map(PartialAction, random_match(manifest.with_options(), seed=2))
    found = ((choice, path) for choice in choices for path in choice.paths if len(path) > 1)
    choice, first = next(found, (None, ()))
    if choice is None:
        pytest.skip("one click is a whole action in this game")
    assert choice.choose(first[0]) is None
    assert choice.path == first[:1]
    assert choice.choose(first[0]) is None  # pressed again, it is the first spot again
    assert choice.path == first[:1]
    *rest, last = first[1:]
    assert [choice.choose(spot) for spot in rest] == [None] * len(rest)
    assert choice.choose(last) == choice.paths[first]


def test_spots_of_a_whole_action_come_in_any_order(game: Game) -> None:
    """What the server judges where players must see for themselves."""
    for position in [*random_match(game, seed=4)][:-1:19]:
        choice = PartialAction(position)
        for path, action in [*choice.paths.items()][::97]:
            found = choice.complete(tuple(reversed(path)))
            assert sorted(position.clicks(found or 0)) == sorted(path)
            assert choice.complete(path) == action
