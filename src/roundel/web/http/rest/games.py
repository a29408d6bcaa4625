"""The games: what there is, how they look, how they are played."""

from __future__ import annotations

import functools
from typing import Any

from fastapi import APIRouter, Request, Response
from msgspec import Raw, Struct

from roundel import games
from roundel.core import sheet
from roundel.core.board import BoardView
from roundel.core.errors import UnknownGame
from roundel.core.game import PLAYERS, Game, Manifest, Option, Value
from roundel.core.lang import ENGLISH, current
from roundel.core.position import Position
from roundel.picture import typical
from roundel.picture.look import look_of
from roundel.search.ratings import ratings
from roundel.web.computer.levels import NAMES, level_name
from roundel.web.http.rest.common import answer, gives, server_of
from roundel.web.requests.problems import Problem
from roundel.web.tables.rendering import layout_of

router = APIRouter(tags=["games"])


class OptionValue(Struct, frozen=True):
    value: Any
    label: str


class OptionView(Struct, frozen=True):
    name: str
    label: str
    help: str
    kind: str  # "flag", "number" or "choice"
    values: list[OptionValue]
    low: int | None
    high: int | None
    step: int | None
    default: Any


class Players(Struct, frozen=True):
    low: int
    high: int


class LevelView(Struct, frozen=True):
    level: int
    name: str
    elo: float | None
    error: float | None


class Figure(Struct, frozen=True):
    """A position to be drawn."""

    spec: str
    layout: Raw
    view: BoardView


class Words(Struct, frozen=True):
    html: str


class GameView(Struct, frozen=True):
    name: str
    title: str
    tagline: str
    players: Players
    options: list[OptionView]
    pair: bool
    seats: dict[str, list[dict[str, str]]]
    levels: dict[str, list[LevelView]]
    sample: Figure
    formats: list[str]  # of its records


# -- Parts ----------------------------------------------------------------------


def figure(position: Position) -> Figure:
    return Figure(position.game.spec, layout_of(position.game), position.view)


def option_view(manifest: Manifest, option: Option) -> OptionView:
    """As a form asks for it."""
    numbers = option.values if isinstance(option.values, range) else None
    words = option.values if isinstance(option.values, tuple) else ()
    values = [*words, *(numbers if numbers and len(option.labels) == len(numbers) else ())]
    return OptionView(
        name=option.name,
        label=manifest.translate(option.label or option.name),
        help=manifest.translate(option.help),
        kind="flag" if option.values is None else "number" if numbers else "choice",
        values=[OptionValue(v, label_of(manifest, option, v)) for v in values],
        low=numbers[0] if numbers else None,
        high=numbers[-1] if numbers else None,
        step=numbers.step if numbers else None,
        default=option.default,
    )


def label_of(manifest: Manifest, option: Option, value: Value) -> str:
    return manifest.translate(option.labels.get(value, "")) or str(value)


def counts(manifest: Manifest) -> range:
    """How many can play."""
    option = next((o for o in manifest.options if o.name == PLAYERS), None)
    return option.values if option and isinstance(option.values, range) else range(2, 3)


def with_players(manifest: Manifest, players: int) -> Game:
    has_option = any(option.name == PLAYERS for option in manifest.options)
    return manifest.with_options(f"{PLAYERS}={players}" if has_option else "")


def roles(game: Game) -> list[dict[str, str]]:
    say = game.manifest.translate
    return [{**seat, "role": say(seat["role"])} for seat in game.manifest.view.seats(game.options)]


def levels(name: str, players: int) -> list[LevelView]:
    measured = {rating.level: rating for rating in ratings(name, players)}
    return [
        LevelView(level, level_name(level), rating and rating.elo, rating and rating.error)
        for level in NAMES
        for rating in [measured.get(level)]
    ]


@functools.lru_cache(maxsize=64)
def game_view(name: str, language: str) -> GameView:
    manifest, player_counts = games.manifest(name), counts(games.manifest(name))
    return GameView(
        name=name,
        title=manifest.title,
        tagline=manifest.translate(manifest.tagline),
        players=Players(player_counts[0], player_counts[-1]),
        options=[option_view(manifest, o) for o in manifest.options if not o.by_lot],
        pair=manifest.second_game is not None,
        seats={str(n): roles(with_players(manifest, n)) for n in player_counts},
        levels={str(n): levels(name, n) for n in player_counts},
        sample=figure(typical(manifest)),
        formats=["text", "json", *manifest.foreign],
    )


@functools.lru_cache(maxsize=64)
def rules_of(name: str, language: str) -> list[Words | Figure]:
    """The rule sheet as HTML, with its figures as positions in between."""
    from markdown_it import MarkdownIt

    manifest = games.manifest(name)
    known = language if language in sheet.languages(manifest) else ENGLISH
    render = MarkdownIt("commonmark").enable("table").render
    parts = sheet.parts(manifest, sheet.read(manifest, known))
    return [figure(part) if isinstance(part, Position) else Words(render(part)) for part in parts]


# -- Routes ---------------------------------------------------------------------


async def known(request: Request, name: str) -> Manifest:
    if name not in games.names():
        try:
            games.manifest(name)
        except UnknownGame as error:
            raise Problem("missing", str(error)) from None
    await server_of(request).library.ready(name)
    return games.manifest(name)


@router.get("/games", responses=gives(list[GameView]))
async def all_games(request: Request) -> Response:
    """Every game with its options, seats, levels and a position to look at."""
    library = server_of(request).library
    for name in games.names():
        await library.ready(name)
    return answer([game_view(name, current()) for name in games.names()])


@router.get("/games/{name}/look", responses=gives(dict[str, Any], "missing"))
async def look(request: Request, name: str) -> Response:
    """The style as data for a board; colours are `var(--name)`."""
    manifest = await known(request, name)
    return answer(look_of(manifest.style, manifest.translate))


@router.get("/games/{name}/layout", responses=gives(dict[str, Any], "missing"))
async def layout(request: Request, name: str, spec: str = "") -> Response:
    """Where the spots of the board are, with the options of a spec."""
    manifest = await known(request, name)
    wanted, _colon, options = (spec or name).partition(":")
    if wanted != name:
        games.manifest(wanted)
    return answer(layout_of(manifest.with_options(options)))


@router.get("/games/{name}/rules", responses=gives(list[dict[str, Any]], "missing"))
async def rules(request: Request, name: str) -> Response:
    """The rule sheet: HTML, and figures to be drawn."""
    await known(request, name)
    return answer(rules_of(name, current()))
