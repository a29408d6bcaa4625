"""Records of every game: written, read, checked, converted. No game is named here."""

import io
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roundel import games, record
from roundel.core.errors import BrokenRecord, InvalidText, RoundelError
from roundel.core.game import Game
from roundel.core.playthrough import random_match
from roundel.kernel.jit import JIT
from roundel.record import checking, files, text, twin
from roundel.record.match import CLOCK, Entry, Line, Record
from tests.keeping import VALIDATOR, finished, match_survives, read_one, survives

MATCHES = 5 if JIT else 2

# -- Whole matches --------------------------------------------------------------


def test_random_matches_survive_and_replay(game: Game) -> None:
    for seed in range(MATCHES):
        match_survives(game, seed)


def test_a_match_may_begin_from_a_position_text(game: Game) -> None:
    *positions, last = random_match(game, seed=2)
    middle = games.from_fen(positions[len(positions) // 2].fen())
    for action in last.actions[len(positions) // 2 :]:
        middle = middle.play(action)
    fen = positions[len(positions) // 2].fen()
    original = record.record_of(middle, fen=fen)
    written = survives(original)
    assert checking.check(text.Raw(1, written)) is None
    *_, replayed = record.positions(original)
    assert replayed == last


def test_a_pair_is_two_games_in_one_record(game: Game) -> None:
    second_game = game.manifest.second_game
    first = finished(game, 1)
    if second_game is None:
        one = record.record_of(first)
        two = Record(one.tags, (*one.games, Line()))
        error = checking.check(text.Raw(1, record.write(two)))
        assert error is not None
        assert "not played in pairs" in error.reason
        return
    second, rng = second_game(first), random.Random(1)
    while not second.over:
        second = second.play(rng.choice(second.legal()))
    original = record.pair_of(first, second)
    written = survives(original)
    assert "\n--- second game ---\n" in written
    assert checking.check(text.Raw(1, written)) is None
    *_, replayed = record.positions(original)
    assert replayed == second
    total = [a + b for a, b in zip(first.points, second.points, strict=True)]
    expected = "draw" if total[0] == total[1] else f"p{1 + (total[1] > total[0])}win"
    assert original.result == expected


def test_variations_are_replayed_too(game: Game) -> None:
    """A good one passes; of a wrong one the error names the action and points at it."""
    start = game.start()
    action, other = map(start.write, start.legal()[:2])
    variations = {
        "": [[Entry(other)]],
        "no-such-action": [[Entry(other)], [Entry("no-such-action")]],
        other: [[Entry(other)], [Entry(other)]],  # what has been played cannot be played again
    }
    for wrong, turns in variations.items():
        variation = Line(tuple(map(tuple, turns)))
        line = Line(((Entry(action, variations=(variation,)),),))
        written = survives(Record({"Game": game.spec}, (line,)))
        error = checking.check(text.Raw(1, written))
        assert (error is None) == (wrong == "")
        if error:
            assert wrong in error.reason
            assert written.splitlines()[error.line - 1][error.column - 1 :].startswith(wrong)


def test_the_quick_check_never_passes_what_the_slow_one_refuses(game: Game) -> None:
    """Matches with something changed: two tokens swapped, one lost, one doubled, another result."""
    rng = random.Random(5)
    written = record.write(record.record_of(finished(game, 4)))
    head, body = written.split("\n\n")
    for _ in range(60 if JIT else 8):
        tokens = body.split()
        i, j = rng.randrange(len(tokens)), rng.randrange(len(tokens))
        change = rng.randrange(3)
        if change == 0:
            tokens[i], tokens[j] = tokens[j], tokens[i]
        elif change == 1:
            del tokens[i]
        else:
            tokens.insert(i, tokens[j])
        changed = f"{head}\n\n{' '.join(tokens)}\n"
        if checking.certain(changed):
            assert checking.check_slowly(text.Raw(1, changed)) is None
    wrong = written.replace("[Result ", '[Event "Open"]\n[Result ').replace("win", "p9win")
    if wrong != written.replace("[Result ", '[Event "Open"]\n[Result '):
        assert not checking.certain(wrong)
        assert checking.check(text.Raw(1, wrong)) is not None


# -- What is said about a match -------------------------------------------------

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=30).map(record.match.tidy)
actions = st.from_regex(r"[a-k][0-9]{1,2}(-[a-k][0-9]|![hvud])?", fullmatch=True)
clocks = st.one_of(st.just(""), st.from_regex(CLOCK, fullmatch=True))


def lines(variations: st.SearchStrategy[tuple[Line, ...]], fewest: int) -> st.SearchStrategy[Line]:
    entries = st.builds(Entry, actions, clocks, words, variations)
    turns = st.lists(
        st.lists(entries, min_size=1, max_size=3).map(tuple), min_size=fewest, max_size=4
    )
    return st.builds(Line, turns.map(tuple), words)


deep = st.recursive(
    st.just(()), lambda inner: st.lists(lines(inner, 1), max_size=2).map(tuple), max_leaves=4
)
tag_names = st.from_regex(r"[A-Z][A-Za-z0-9]{0,31}", fullmatch=True).filter(
    lambda name: name not in ("Game", "Result")
)
records = st.builds(
    lambda game, tags, lines: Record({"Game": game, **tags}, tuple(lines)),
    words,
    st.dictionaries(tag_names, words, max_size=3),
    st.lists(lines(deep, 0), min_size=1, max_size=2),
)


@settings(max_examples=60)
@given(records)
def test_whatever_is_said_survives(original: Record) -> None:
    survives(original)


@settings(max_examples=25)
@given(st.lists(records, max_size=3))
def test_several_matches_in_a_file(originals: list[Record]) -> None:
    written = "".join(record.write_all(originals))
    assert list(text.read(io.StringIO(written))) == originals


EXAMPLE = """[Game "%s"]
[P1 "Anna \\"the fox\\" \\\\"]
[Event "Open"]

{Before the
first action.} 1. %s <0:00:03> {a good one; \\} and [Game are kept} (1. %s)
"""


def test_an_annotated_match_as_a_person_writes_it(game: Game) -> None:
    start = game.start()
    first, other = (start.write(action) for action in start.legal()[:2])
    found = read_one(EXAMPLE % (game.spec, first, other))
    assert found.tags["P1"] == 'Anna "the fox" \\'
    (entry,) = found.games[0].turns[0]
    variation = Line(((Entry(other),),))
    assert entry == Entry(first, "0:00:03", "a good one; } and [Game are kept", (variation,))
    assert found.games[0].comment == "Before the first action."
    assert checking.check(text.Raw(1, record.write(found))) is None


# -- What is broken -------------------------------------------------------------

HEAD = '[Game "g"]\n\n'


@pytest.mark.parametrize(
    ("written", "line", "column", "reason"),
    [
        ("1. a1 2. b2\n", 1, 1, "begin with"),
        ('[Game "g"]\n[Event Open]\n', 2, 1, "expected a tag"),
        ('[Game "g"]\n[Event "a"]\n[Event "b"]\n', 3, 1, "twice"),
        ('[Game "g"]\n[Result "p1"]\n', 2, 10, "expected a result"),
        (HEAD + "1. a1\n3. b2\n", 4, 1, "expected turn 2, got 3"),
        (HEAD + "1. a1 2. 3. b2\n", 3, 10, "expected an action in turn 2"),
        (HEAD + "1. a1 2.\n", 3, 9, "expected an action in turn 2"),
        (HEAD + "a1\n", 3, 1, "expected the number"),
        (HEAD + "1. a1 {never closed\n", 3, 7, "cannot read"),
        (HEAD + "1. a1 }\n", 3, 7, "cannot read"),
        (HEAD + "1. a1 <soon>\n", 3, 7, "expected a clock time"),
        (HEAD + "<0:00:01> 1. a1\n", 3, 1, "at most one clock time"),
        (HEAD + "1. a1 (1. b1\n", 3, 13, r"expected \)"),
        (HEAD + "1. a1 )\n", 3, 7, "expected an action"),
        (HEAD + "(1. b1) 1. a1\n", 3, 1, "must follow the action"),
        (HEAD + "1. a1 ()\n", 3, 8, "without an action"),
        (HEAD + "1. a1 " + "(1. b1 " * 40 + "\n", 3, 7 + 7 * 32, "deep"),
        (HEAD + "--- second game ---\n\n--- second game ---\n\n", 5, 20, "one game or two"),
        (HEAD + "1. a1 {\udcff}\n", 3, 8, "not UTF-8"),
    ],
)
def test_a_broken_match_names_line_column_and_reason(
    written: str, line: int, column: int, reason: str
) -> None:
    good = HEAD + "1. a1 2. b2\n"
    found = list(text.read(io.StringIO(f"{good}\n{written}\n{good}")))
    if not written.startswith("[Game"):
        found, line = list(text.read(io.StringIO(f"{written}\n{good}\n{good}"))), line - 4
    goods = [one for one in found if isinstance(one, Record)]
    (error,) = [one for one in found if isinstance(one, BrokenRecord)]
    assert len(goods) == 2, "the good matches in the same file are still read"
    assert (error.line - 4, error.column) == (line, column), error
    with pytest.raises(BrokenRecord, match=reason):
        raise error
    assert str(error).startswith(f"line {line + 4}, column {column}: ")


def test_an_action_that_cannot_be_played_is_located(game: Game) -> None:
    written = record.write(record.record_of(finished(game, 1)))
    lines = written.splitlines(keepends=True)
    place = len(lines) - 1
    cut = lines[place].rstrip("\n").rfind(" ") + 1
    lines[place] = f"{lines[place][:cut]}no-such-action\n"
    error = checking.check(text.Raw(101, "".join(lines)))
    assert error is not None
    assert (error.line, error.column) == (101 + place, cut + 1)
    assert "no-such-action" in error.reason
    unknown = checking.check(text.Raw(7, '[Game "no-such-game"]\n'))
    assert unknown is not None
    assert (unknown.line, unknown.column) == (7, 8)
    assert "no game" in unknown.reason


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "nested too deeply|not JSON"),
        ("9" * 10_000, "expected an object|digits"),
        ("[]", "expected an object"),
        ('{"tags":{},"games":[]}', "Game is missing"),
        ('{"tags":{"Game":"g"},"games":[]}', "one game or two"),
        ('{"tags":{"Game":3},"games":[]}', "expected a text"),
        ('{"tags":{"Game":"g","no name":""},"games":[]}', "does not match"),
        ('{"tags":{"Game":"\\ud800"},"games":[]}', "half a character"),
        ('{"tags":{"Game":"g"},"games":[{"turns":[[]]}]}', "without an action"),
        ('{"tags":{"Game":"g"},"games":[{"turns":[["a b"]]}]}', r"games\[0\].turns\[0\]\[0\]"),
        ('{"tags":{"Game":"g"},"games":[{"turns":[[{"action":"a","x":1}]]}]}', "unknown part 'x'"),
        ('{"tags":{"Game":"g"},"games":[{"turns":3}]}', "expected a list"),
    ],
)
def test_broken_json_is_named(line: str, reason: str) -> None:
    good = '{"tags":{"Game":"g"},"games":[{"turns":[["a1"]]}]}'
    first, error, last = twin.read([f"{good}\n", f"{line}\n", f"{good}\n"])
    assert isinstance(first, Record)
    assert first == last
    assert isinstance(error, BrokenRecord)
    assert error.line == 2
    with pytest.raises(BrokenRecord, match=reason):
        raise error


@given(st.data())
def test_a_fuzzed_file_raises_nothing_but_the_named_errors(data: st.DataObject) -> None:
    """Pieces of records in any order, and any text at all."""
    spec = data.draw(st.sampled_from(SPECS))
    pieces = st.sampled_from(
        [f'[Game "{spec}"]\n', "[Game \"", '[Fen "x;y=z"]\n', '[Result "p1win"]\n', "1.", " ", "\n",
         "2. ", "(", ")", "{", "}", "<0:00:01>", "--- second game ---\n", "\\", '"', "]", "a1 ",
         "f6 ", "s@c3 ", "t@h8 ", "\udc80", "\r"]
    )  # fmt: skip
    written = "".join(data.draw(st.lists(st.one_of(pieces, pieces, st.text(max_size=5)))))
    for raw in text.split(io.StringIO(written)):
        error = checking.check(raw)
        assert error is None or (error.line >= 1 and error.column >= 1)
    for found in text.read(io.StringIO(written)):
        assert isinstance(found, Record | BrokenRecord)
    for found in twin.read(io.StringIO(written)):
        assert isinstance(found, Record | BrokenRecord)


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=4) | st.sampled_from(["a1", "*"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["tags", "games", "turns", "action", "Game"]), inner)
    ),
)


@given(json_values)
def test_fuzzed_data_are_records_or_refused(value: object) -> None:
    try:
        found = twin.from_data(value)
    except InvalidText:
        return
    VALIDATOR.validate(twin.to_data(found))


SPECS = [games.load(name).spec for name in games.names()]


def test_what_is_too_long_is_refused_and_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "LARGEST", 1000)
    monkeypatch.setattr(twin, "LARGEST", 1000)
    long = f"{HEAD}{{{'word ' * 50}\n" + "word\n" * 1000 + "}\n"
    found = list(text.read(io.StringIO(f"{long}{HEAD}1. a1\n")))
    assert [type(one) for one in found] == [BrokenRecord, Record]
    (error,) = twin.read(["x" * 2000 + "\n"])
    assert "characters" in str(error)


# -- Files and commands ---------------------------------------------------------


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """A file with a match of each game, a broken one among them."""
    ends = [record.record_of(finished(games.load(spec), 1)) for spec in SPECS]
    parts = list(record.write_all(ends))
    parts.insert(1, '\n[Game "nothing"]\n\n1. a1\n')
    path = tmp_path / "sample.record"
    path.write_text("".join(parts))
    return path


def test_check_on_several_processes_says_the_same(sample: Path) -> None:
    raws = list(text.split(io.StringIO(sample.read_text() * 3)))
    alone = [error for _, error in checking.check_all(raws)]
    together = list(checking.check_all(iter(raws), jobs=2))
    assert [raw for raw, _ in together] == raws
    assert [str(error) for _, error in together] == [str(error) for error in alone]
    assert sum(error is not None for error in alone) == 3
    found = text.read(io.StringIO(sample.read_text()))
    lines = [twin.write(one) for one in found if isinstance(one, Record)]
    checked = checking.check_all(twin.split(lines), checking.check_twin, jobs=2)
    assert [raw.line for raw, error in checked if error] == [2]


def test_files_go_by_their_endings(tmp_path: Path) -> None:
    assert [files.format_of(name) for name in ("a.record", "a.JSON", "a.jsonl", "a")] == [
        "record",
        "json",
        "json",
        "record",
    ]
    with pytest.raises(files.UnreadableFile, match="No such file"):
        list(files.read(str(tmp_path / "nothing.record")))
    with pytest.raises(InvalidText, match="no format 'pgn'"):
        files.writer("pgn")
    for path in (tmp_path, tmp_path / "no-folder" / "a.record"):
        with pytest.raises(RoundelError), files.created(str(path)):
            pass


def test_comments_one_after_the_other_are_read_as_one() -> None:
    whole = '[Game "g"]\n\n{before} {it} 1. a1 {well} {played}\n'
    (match,) = text.read(io.StringIO(whole))
    assert isinstance(match, Record)
    (line,) = match.games
    assert (line.comment, line.turns[0][0].comment) == ("before it", "well played")


def test_the_game_is_named_first_in_whatever_order_data_come() -> None:
    match = twin.from_data({"tags": {"Event": "Open", "Game": "g"}, "games": [{"turns": []}]})
    assert list(match.tags) == ["Game", "Event"]


def test_matches_of_a_file_are_counted_from_1(tmp_path: Path) -> None:
    path = tmp_path / "two.record"
    path.write_text('[Game "one"]\n\n[Game "two"]\n')
    assert [files.read_match(str(path), number).spec for number in (1, 2)] == ["one", "two"]
    with pytest.raises(files.MissingMatch, match="there is no match 3"):
        files.read_match(str(path), 3)


def test_a_byte_order_mark_and_other_line_ends_are_read(tmp_path: Path) -> None:
    path = tmp_path / "windows.record"
    path.write_bytes(b'\xef\xbb\xbf[Game "g"]\r\n\r\n1. a1\r\n2. b2 {\xff}\r\n')
    (error,) = files.read(str(path))
    assert isinstance(error, BrokenRecord)
    assert (error.line, error.column) == (4, 8)
