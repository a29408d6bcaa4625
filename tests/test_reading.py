"""Whatever is sent, reading it takes work in proportion to its length. No game is named here."""

import io
import re
from collections.abc import Callable, Iterator
from itertools import islice

import pytest

from roundel import games, record
from roundel.core.errors import BrokenRecord, InvalidOption, RoundelError
from roundel.core.game import Game, Manifest
from roundel.core.playthrough import random_match
from roundel.record import checking, files, text, twin
from roundel.record.match import Line, Record
from tests.work import grows_in_proportion

SPEC = games.load(games.ours()[0]).spec
TAGS = f'[Game "{SPEC}"]\n'
Made = Callable[[int], str]  # a text of about so many characters


def around(before: str, again: str, after: str = "") -> Made:
    """A piece again and again, with something before and behind."""
    return lambda size: before + again * (size // len(again)) + after


def counting(before: str, again: str, after: str = "") -> Made:
    """The same, with a number in every piece."""
    return lambda size: before + "".join(again.format(i) for i in range(1, size // 8)) + after


# -- Records --------------------------------------------------------------------

TEXTS = {
    "comments": around(f"{TAGS}\n", "{a}"),
    "comments on an action": around(f"{TAGS}\n1. a ", "{a}"),
    "comments in a variation": around(f"{TAGS}\n1. a (1. b ", "{a}", ")"),
    "one comment": around(f"{TAGS}\n{{", "[ ", "}"),
    "an open comment": around(f"{TAGS}\n{{", "a "),
    "an open comment of escapes": around(f"{TAGS}\n{{", "\\}"),
    "braces": around(f"{TAGS}\n1. a ", "{"),
    "open parentheses": around(f"{TAGS}\n1. a ", "("),
    "nested variations": around(f"{TAGS}\n1. a ", "(1. a "),
    "variations": around(f"{TAGS}\n1. a ", "(1. b)"),
    "clocks": around(f"{TAGS}\n1. a ", "<0:00:00>"),
    "an open clock": around(f"{TAGS}\n1. a <", "0"),
    "turns": counting(f"{TAGS}\n", "{}. a "),
    "actions": around(f"{TAGS}\n1. ", "a "),
    "a number": around(f"{TAGS}\n", "9", "."),
    "numbers": around(f"{TAGS}\n1. a ", "9 "),
    "no ASCII digits": around(f"{TAGS}\n", "²٣", "."),
    "empty lines": around(f"{TAGS}\n", "\n", "{"),
    "tags": counting(TAGS, '[A{} "x"]\n'),
    "a tag twice": around(TAGS, '[A "x"]\n'),
    "an open tag": around(f'{TAGS}[A "', "\\x"),
    "a result": around(f'{TAGS}[Result "', "p1", '"]\n'),
    "matches": around("", f"{TAGS}\n1. a\n"),
    "broken matches": around("", f"{TAGS}\n{{\n"),
    "second games": around(f"{TAGS}\n", "--- second game ---\n"),
    "no match": around("", "x\n"),
    "NUL": around(f"{TAGS}\n", "\0"),
    "no UTF-8": around(f"{TAGS}\n{{", "\udc80", "}"),
}


def match(tags: str = f'{{"Game":"{SPEC}"}}', games: str = '[{"turns":[]}]') -> tuple[str, str]:
    """The two halves of a match in JSON, split where `@` stands."""
    before, _, after = f'{{"tags":{tags},"games":{games}}}\n'.partition("@")
    return before, after


def within(again: str, **parts: str) -> Made:
    """A match in JSON with a piece again and again where `@` stands."""
    before, after = match(**parts)
    return around(before, again, after)


TWINS = {
    "brackets": around("", "["),
    "braces": around("", '{"a":'),
    "an open text": around('{"', "\\n"),
    "a number": within("9", games="@"),
    "a fraction": within("9", games="0.@"),
    "an exponent": within("9", games="1e@"),
    "a number for an action": within("9", games='[{"turns":[[@]]}]'),
    "no number": within(" ", games="NaN@"),
    "nothing": within("null,", games="[@null]"),
    "actions": within('"a",', games='[{"turns":[[@"a"]]}]'),
    "turns": within('["a"],', games='[{"turns":[@["a"]]}]'),
    "a long action": within("9", games='[{"turns":[["@."]]}]'),
    "a comment": within("[ ", games='[{"comment":"@","turns":[]}]'),
    "variations": within(
        '{"turns":[["b"]]},',
        games='[{"turns":[[{"action":"a","variations":[@{"turns":[["b"]]}]}]]}]',
    ),
    "nested variations": within('{"action":"a","variations":[{"turns":[[', games='[{"turns":[[@'),
    "a tag twice": within('"A":"x",', tags=f'{{@"Game":"{SPEC}"}}'),
    "half characters": within("\\ud800", tags='{"Game":"@"}'),
    "no UTF-8": within("\udc80", tags='{"Game":"@"}'),
    "NUL": around("", "\0"),
    "matches": around("", "".join(match())),
    "broken matches": around("", "{\n"),
    "empty lines": around("", "\n"),
}


def lines(written: str) -> Iterator[str]:
    return iter(io.StringIO(written, newline=None))


def all_named(found: Iterator[Record | BrokenRecord]) -> None:
    for one in found:
        assert isinstance(one, Record) or (one.line >= 1 and one.column >= 1 and one.reason)


@pytest.mark.parametrize("made", TEXTS.values(), ids=TEXTS)
def test_records_as_text(made: Made) -> None:
    grows_in_proportion(made, lambda written: all_named(text.read(lines(written))))


@pytest.mark.parametrize("made", TWINS.values(), ids=TWINS)
def test_records_as_json(made: Made) -> None:
    grows_in_proportion(made, lambda written: all_named(twin.read(lines(written))))


@pytest.mark.parametrize("made", TEXTS.values(), ids=TEXTS)
def test_records_that_are_written_again(made: Made) -> None:
    def copy(written: str) -> None:
        good = (one for one in text.read(lines(written)) if isinstance(one, Record))
        assert all(record.write(one) for one in good)

    grows_in_proportion(made, copy)


def written_elsewhere(kind: str, manifest: Manifest) -> str:
    """A short match as another site keeps it, with a comment and a clock time."""
    kept = record.record_of(next(islice(random_match(manifest.with_options(), 1), 6, None)))
    first, *turns = kept.games[0].turns
    said = (first[0]._replace(comment="good", clock="0:01:00"), *first[1:])
    (written,) = files.writer(kind)([Record(kept.tags, (Line((said, *turns)),))])
    return written


FOREIGN = files.foreign()


@pytest.mark.parametrize("kind", FOREIGN)
def test_records_of_other_sites(kind: str) -> None:
    """Every part of a match again and again, and many matches that are cut off early."""
    good = written_elsewhere(kind, FOREIGN[kind])
    parts = list(dict.fromkeys(re.findall(r"\w+\[.*?\]|\S+", good)))[:30]
    assert any("good" in part for part in parts)
    places = [(part, good.index(part)) for part in parts]
    hostile = [around(good[:at], f"{part}\n", good[at:]) for part, at in places]
    hostile += [around("", f"{good[:end]}\n") for end in range(2, 50, 8)]
    hostile += [around(good, again) for again in ("(", "[", "\\", " ", "\n", "\0", "\ud800", "²")]
    for made in hostile:
        grows_in_proportion(made, lambda written: all_named(files.read_foreign(kind, written)))


# -- Position texts -------------------------------------------------------------

VALUES = {
    "a number": around("", "9"),
    "a negative number": around("-", "9"),
    "two numbers": lambda size: "9" * (size // 2) + "-" + "9" * (size // 2),
    "no ASCII digits": around("", "²٣"),
    "commas": around("", ","),
    "words": counting("", "a{},"),
    "pairs": counting("", "g{0}-h{0},"),
    "letters": around("", "dr"),
    "dots": around("", "."),
    "NUL": around("", "\0"),
    "half characters": around("", "\ud800"),
}


def positions_of(game: Game, many: int) -> list[str]:
    """Some positions of a match, from its start to its end."""
    fens = [position.fen() for position in random_match(game, seed=3)]
    return fens[:: len(fens) // many]


def replaced(fen: str, place: int, value: str) -> str:
    spec, *parts = fen.split(";")
    key = parts[place].partition("=")[0]
    return ";".join([spec, *parts[:place], f"{key}={value}", *parts[place + 1 :]])


def refused(fen: str) -> None:
    with pytest.raises(RoundelError) as caught:
        games.from_fen(fen)
    str(caught.value).encode()  # what is said about half a character must not be half of one


@pytest.mark.parametrize("made", VALUES.values(), ids=VALUES)
def test_a_part_of_a_position_is_monstrous(manifest: Manifest, made: Made) -> None:
    for options in manifest.option_sets:
        for fen in positions_of(manifest.with_options(options), 2):
            for place in range(fen.count(";")):
                refused(replaced(fen, place, made(16_000)))


@pytest.mark.parametrize("made", VALUES.values(), ids=VALUES)
def test_monstrous_positions(manifest: Manifest, made: Made) -> None:
    fen = manifest.with_options().start().fen()
    for place in range(fen.count(";")):
        grows_in_proportion(
            lambda size, place=place: replaced(fen, place, made(size)),  # type: ignore[misc]
            refused,
        )


@pytest.mark.parametrize("again", [";", ";a=1", ",", ":", "=", "a,", "9", "\n", ";\ud800=1"])
def test_a_position_with_much_too_much(manifest: Manifest, again: str) -> None:
    fen = manifest.with_options().start().fen()
    spec, _, rest = fen.partition(";")
    grows_in_proportion(around(fen, again), refused)
    grows_in_proportion(around(f"{spec}:", again, f";{rest}"), refused)


def items_seen(game: Game) -> dict[str, list[str]]:
    """What has stood in each part of a position text that is a list, in random matches."""
    seen: dict[str, dict[str, None]] = {}
    for seed in range(4):
        for position in list(random_match(game, seed))[::3]:
            for part in position.fen().split(";")[1:]:
                key, _, value = part.partition("=")
                seen.setdefault(key, {}).update(dict.fromkeys(value.split(",")))
    return {key: [item for item in items if item] for key, items in seen.items()}


def test_lists_with_too_many_of_what_can_stand_there(game: Game) -> None:
    """Refused by name, or a position from which the match goes on."""
    seen = items_seen(game)
    for fen in positions_of(game, 6):
        for place, part in enumerate(fen.split(";")[1:]):
            items = seen[part.partition("=")[0]]
            for many in {2, 3, 5, 7, 8, 20, len(items)}:
                try:
                    found = games.from_fen(replaced(fen, place, ",".join(items[:many])))
                except RoundelError:
                    continue
                assert games.from_fen(found.fen()) == found


def test_a_list_with_the_same_again_and_again(game: Game) -> None:
    for key, items in items_seen(game).items():
        for fen in positions_of(game, 2):
            keys = [part.partition("=")[0] for part in fen.split(";")[1:]]
            if key in keys and items:
                refused(replaced(fen, keys.index(key), ",".join(items[:1] * 2000)))


@pytest.mark.parametrize("value", ["0" * 21, "9" * 5000, "-1", "²", "٣", "1e3", "\ud800", "\0"])
def test_numbers_that_no_option_has(manifest: Manifest, value: str) -> None:
    for option in manifest.options:
        with pytest.raises(InvalidOption, match=option.name) as caught:
            games.load(f"{manifest.name}:{option.name}={value}")
        str(caught.value).encode()


def test_a_match_that_begins_with_a_monstrous_position(game: Game) -> None:
    tags = f'[Game "{game.spec}"]\n[Fen "{game.start().fen()}{";a=1" * 10_000}"]\n'
    assert checking.check(text.Raw(1, tags)) is not None
