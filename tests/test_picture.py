"""Pictures of every game, present and future. No game is named here."""

import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from roundel import games, picture, record
from roundel.cli.main import main
from roundel.core.errors import RoundelError
from roundel.core.game import BUTTON, Game, Manifest
from roundel.core.playthrough import random_match
from roundel.core.style import THEMES, Style
from roundel.picture.plan import plan_of
from roundel.record import twin
from tests import golden

LARGEST = 60_000  # bytes of an SVG
NAME = games.ours()[0]
SVG = "{http://www.w3.org/2000/svg}"


def parse(svg: str) -> ElementTree.Element:
    """The picture, if it is well-formed and every reference in it leads somewhere."""
    root = ElementTree.fromstring(svg)
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(set(ids)) == len(ids)
    assert {use.get("href", "")[1:] for use in root.iter(f"{SVG}use")} <= set(ids)
    assert "$" not in svg, "every colour is filled in"
    return root


def colours(data: bytes) -> int:
    image = Image.open(BytesIO(data)).convert("RGB")
    return len(image.getcolors(maxcolors=1 << 24) or ())


def test_pictures_are_as_stored(manifest: Manifest) -> None:
    for file, svg in golden.pictures(manifest.name):
        assert file.read_text(encoding="utf-8") == svg, "`make golden` shows the difference"


@pytest.mark.brings("pictures/typical.txt")
def test_the_typical_position_is_one_of_a_match(manifest: Manifest) -> None:
    position = picture.typical(manifest)
    assert position.ply > 0
    assert not position.over
    assert parse(picture.svg(position)).find(f"{SVG}title") is not None


def test_every_position_of_a_match_can_be_drawn_and_is_small(game: Game) -> None:
    for position in list(random_match(game, seed=4))[::5]:
        svg = picture.svg(position, targets=picture.next_spots(position))
        parse(svg)
        assert len(svg.encode()) < LARGEST
        assert position.prompt.replace("&", "&amp;") in svg


def test_every_piece_that_can_lie_somewhere_has_a_look(game: Game) -> None:
    looks = game.manifest.style.pieces.keys()
    for position in random_match(game, seed=6):
        view = position.view
        for stack in [*view["pieces"].values(), *view.get("trays", {}).values()]:
            assert set(stack) <= looks or not looks


def test_every_look_can_be_painted_in_every_theme(manifest: Manifest) -> None:
    game = manifest.with_options()
    for theme in THEMES:
        plan = plan_of(game, theme)
        for name in plan.looks:
            ElementTree.fromstring(plan.symbol(name))
    for colour in plan_of(game, "grey").palette.values():
        if colour.startswith("#"):
            assert colour[1:3] == colour[3:5] == colour[5:7], "grey has no hue"


def test_the_last_action_is_marked_where_it_is_known(game: Game) -> None:
    line = list(random_match(game, seed=7))
    mark = 'mark"'
    assert mark not in picture.svg(line[0])
    assert mark in picture.svg(line[1])
    assert mark not in picture.svg(line[1], last=False)
    begun = games.from_fen(line[1].fen())
    later = begun.play(line[2].actions[-1])
    assert begun.before is None
    assert later.before is None
    assert mark not in picture.svg(later)
    assert mark in picture.svg(later, before=begun)
    assert line[2].before == line[1]


def test_targets_follow_the_clicks(game: Game) -> None:
    *line, _end = random_match(game, seed=8)
    position = line[:13][-1]
    first = picture.next_spots(position)
    assert set(first) == {position.clicks(action)[0] for action in position.legal()}
    path = position.clicks(position.legal()[0])
    assert picture.next_spots(position, *path) == []
    for n in range(len(path)):
        assert path[n] in picture.next_spots(position, *path[:n])


def test_pictures_in_a_row_have_one_frame(game: Game) -> None:
    line = list(random_match(game, seed=9))[-24:]
    boxes = {parse(svg).get("viewBox") for svg in picture.frames(line)}
    assert len(boxes) == 1


def test_what_cannot_be_drawn_is_refused_by_name(game: Game) -> None:
    start = game.start()
    spot = next(iter(plan_of(game, "light").kinds))
    with pytest.raises(picture.PictureError, match="no theme 'pink'"):
        picture.svg(start, theme="pink")
    with pytest.raises(picture.PictureError, match="not a spot"):
        picture.svg(start, targets=["nowhere"])
    with pytest.raises(picture.PictureError, match="not a spot"):
        picture.svg(start, arrows=[(spot, "nowhere")])
    assert issubclass(picture.PictureError, RoundelError)
    assert picture.svg(start, arrows=[(spot, spot)]), "an arrow to where it starts is no arrow"


def test_a_position_shows_itself_in_notebooks(game: Game) -> None:
    position = list(random_match(game, seed=2))[5]
    assert position._repr_svg_() == picture.svg(position)


def test_a_game_without_a_style_can_be_drawn(manifest: Manifest) -> None:
    plain = Game(replace(manifest, style=Style()), manifest.read_options(""))
    plan_of.cache_clear()  # plans are kept by spec, and this is the spec of the game with a style
    try:
        for position in (plain.start(), list(random_match(plain, seed=1))[:21][-1]):
            root = parse(picture.svg(position))
            places = {use.get("href") for use in root.findall(f"{SVG}use")}
            kinds = {spot["kind"] for spot in plain.layout["spots"].values()}
            assert places >= {f"#{plain.name}-light-spot-{kind}" for kind in kinds - {BUTTON}}
            assert f"#{plain.name}-light-spot-{BUTTON}" not in places
    finally:
        plan_of.cache_clear()


def test_png_and_gif(manifest: Manifest) -> None:
    line = list(random_match(manifest.with_options(), seed=3))[:4]
    data = picture.png(picture.svg(line[-1]), 240)
    assert Image.open(BytesIO(data)).width == 240
    assert colours(data) > 50
    film = Image.open(BytesIO(picture.gif([*picture.frames(line)], 120)))
    assert getattr(film, "n_frames", 0) == 4
    assert film.width == 120


def test_text_needs_no_fonts_of_the_machine() -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20">{}</svg>'
    text = '<text y="15" font-family="Nowhere, sans-serif" font-size="14">a7</text>'
    assert picture.png(svg.format(text), 40) != picture.png(svg.format(""), 40)


# -- The command ----------------------------------------------------------------


def test_show_draws_into_a_file_or_prints(
    manifest: Manifest, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    last = list(random_match(manifest.with_options(manifest.option_sets[-1]), seed=3))[3]
    spec, moves = last.game.spec, last.texts()
    assert main(["show", spec, "--moves", *moves]) == 0
    assert capsys.readouterr().out == picture.svg(last)
    assert main(["show", last.fen(), "--theme", "dark"]) == 0
    assert capsys.readouterr().out == picture.svg(last, theme="dark", last=False)
    file = tmp_path / "board.svg"
    assert main(["show", spec, "--moves", *moves, "--plain", "--targets", "-o", str(file)]) == 0
    targets = picture.next_spots(last)
    assert file.read_text() == picture.svg(last, last=False, targets=targets)
    for kind, frames in (("png", 1), ("gif", 3)):
        file = tmp_path / f"board.{kind}"
        asked = ["show", spec, "--moves", *moves, "--ply", "2", "--width", "100", "-o", str(file)]
        assert main(asked) == 0
        assert getattr(Image.open(BytesIO(file.read_bytes())), "n_frames", 1) == frames


def test_show_draws_a_recorded_match(
    game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = list(random_match(game, seed=3))[:6]
    kept = record.record_of(line[-1])
    text, json = tmp_path / "match.txt", tmp_path / "match.json"
    text.write_text(record.write(kept))
    json.write_text(twin.write(kept))
    for file in (text, json):
        assert main(["show", game.spec, "--record", str(file), "--ply", "4"]) == 0
        assert capsys.readouterr().out == picture.svg(line[4])
        assert main(["show", "--record", str(file)]) == 0
        assert capsys.readouterr().out == picture.svg(line[5])


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ([], "expected a game"),
        ([NAME, "-o", "board.bmp"], "ending in .svg or .png or .gif"),
        ([NAME, "-o", "no/such/folder/board.svg"], "No such file"),
        ([NAME, "--ply", "1"], "the match has 0 moves, not 1"),
        ([NAME, "--arrow", "nowhere", "there"], "not a spot"),
        (["--record", "no-such-file"], "No such file"),
        (["--record", __file__], "line 1, column 1"),
        (["--record", __file__, "--match", "1000"], "there is no match 1000"),
    ],
)
def test_show_says_what_is_wrong(
    asked: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", *asked]) == 2
    assert told in capsys.readouterr().err


def test_show_refuses_a_record_of_another_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "match.txt"
    file.write_text(record.write(record.record_of(games.load(NAME).start())))
    assert main(["show", games.ours()[1], "--record", str(file)]) == 2
    assert f"a match of {NAME}, not of {games.ours()[1]}" in capsys.readouterr().err


@pytest.mark.parametrize("width", ["0", "9000", "wide"])
def test_show_refuses_widths(width: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["show", NAME, "--width", width])
    assert "expected" in capsys.readouterr().err
