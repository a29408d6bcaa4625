"""The looks that a board in a browser gets: complete, and the same as in the pictures."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest

from roundel import games
from roundel.core.game import Manifest
from roundel.core.lang import speaking
from roundel.core.style import THEMES, Style
from roundel.picture.look import Look, look_of

NAMES = games.names()


def test_only_pieces_have_names(manifest: Manifest) -> None:
    assert set(manifest.style.names) <= set(manifest.style.pieces)


@pytest.mark.brings("locale/fr.mo")
def test_pieces_have_names_in_every_language(manifest: Manifest) -> None:
    with speaking("fr"):
        french = look_of(manifest.style, manifest.translate)["names"]
    assert all(french[piece] != text for piece, text in manifest.style.names.items())


def fragments(look: Look) -> dict[str, str]:
    """Every piece of SVG in a look, by name."""
    found: dict[str, str] = {}
    for part, content in look.items():
        if part in ("pieces", "spots"):
            assert isinstance(content, dict)
            found |= {f"{part} {name}": text for name, text in content.items()}
        elif part in ("defs", "board", "mark", "target"):
            found[part] = str(content)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_look_is_plain_data_and_good_svg(name: str) -> None:
    look = look_of(games.load(name).manifest.style)
    assert json.loads(json.dumps(look)) == look
    for where, text in fragments(look).items():
        assert "$" not in text, where
        ElementTree.fromstring(f"<svg>{text}</svg>")


@pytest.mark.parametrize("name", NAMES)
def test_every_colour_is_in_every_palette(name: str) -> None:
    look = look_of(games.load(name).manifest.style)
    used = set(re.findall(r"var\(--([\w-]+)\)", " ".join(fragments(look).values())))
    assert used
    for theme in THEMES:
        assert used <= look["palettes"][theme].keys()


@pytest.mark.parametrize("name", NAMES)
def test_ids_are_defined_where_they_are_used(name: str) -> None:
    texts = fragments(look_of(games.load(name).manifest.style))
    ids = re.findall(r'\bid="([^"]*)"', texts.pop("defs"))
    used = re.findall(r"url\(#([^)]*)\)", " ".join(texts.values()))
    assert set(used) == set(ids)
    assert all(found.startswith("@") for found in ids)


@pytest.mark.parametrize("name", NAMES)
def test_every_piece_of_a_start_has_a_look(name: str) -> None:
    game = games.load(name)
    view, look = game.start().view, look_of(game.manifest.style)
    lying = [*view["pieces"].values(), *view.get("trays", {}).values()]
    assert {piece for stack in lying for piece in stack} <= look["pieces"].keys()


def test_colours_and_ids_are_put_in() -> None:
    style = Style(pieces={"x": '<path fill="$accent" stroke="url(#${id}g)"/>'})
    assert look_of(style)["pieces"] == {"x": '<path fill="var(--accent)" stroke="url(#@g)"/>'}


def test_an_unknown_colour_is_named() -> None:
    with pytest.raises(KeyError, match="mauve"):
        look_of(Style(mark='<path fill="$mauve"/>'))
