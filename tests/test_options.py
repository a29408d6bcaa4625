"""Options as games declare them: what is read, what a form is told, and what cannot be declared."""

from typing import Any

import pytest

from roundel import games
from roundel.core.errors import InvalidOption
from roundel.core.game import Option
from roundel.core.lang import speaking
from roundel.web.http.rest.games import option_view

EVEN = Option("size", "how large", range(4, 11, 2), 6)


def test_a_range_may_have_steps() -> None:
    assert EVEN.read("8") == 8
    for text in ("5", "12", "2"):
        with pytest.raises(InvalidOption, match="a whole number from 4 to 10 in steps of 2, got"):
            EVEN.read(text)
    with speaking("fr"), pytest.raises(InvalidOption, match="de 4 à 10 par pas de 2"):
        EVEN.read("5")


@pytest.mark.parametrize("text", ["", "--6", "-6", "²", "٦", " 6", "6.0", "6" * 5000])
def test_what_is_no_number_of_ours_is_refused(text: str) -> None:
    with pytest.raises(InvalidOption, match="in steps of 2, got '"):
        EVEN.read(text)


def test_an_option_without_its_value_is_refused() -> None:
    for option in (EVEN, Option("board", "which", ("round", "flat"), "flat")):
        with pytest.raises(InvalidOption, match="got nothing"):
            option.read(None)
    quick = Option("quick", "ends soon")
    assert [quick.read(text) for text in (None, "true", "false")] == [True, True, False]


def test_a_form_knows_the_steps() -> None:
    manifest = games.manifest(games.ours()[0])
    assert option_view(manifest, EVEN).step == 2
    assert option_view(manifest, Option("size", "how large", range(4, 11), 6)).step == 1
    assert option_view(manifest, Option("quick", "ends soon")).step is None


@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        ({"name": "players"}, "option players says how many play"),
        ({"name": "players", "values": ("2", "3"), "default": "2"}, "a range within 2 to 4"),
        ({"name": "players", "values": range(2, 6), "default": 2}, "a range within 2 to 4"),
        ({"name": "size", "values": range(4, 9)}, "option size: False is none of its values"),
        ({"name": "size", "values": range(4, 9, 2), "default": 5}, "5 is none of its values"),
        ({"name": "board", "values": ("round",), "default": "flat"}, "'flat' is none of its"),
    ],
)
def test_what_cannot_be_an_option_is_named(told: dict[str, Any], wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        Option(help="", **told)
