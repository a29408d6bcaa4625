"""Matches as boardspace.net writes them. `records/` holds some of them, players renamed."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roundel import games
from roundel.core.errors import BrokenRecord, InvalidText, RoundelError
from roundel.core.foreign import RecordData
from roundel.games.yinsh import sgf
from roundel.record import files
from roundel.record.match import Record

MANIFEST = games.manifest("yinsh")
FILES = sorted(Path(__file__).parent.glob("records/*.sgf"))
TAKEN_BACK = {"game-02.sgf", "game-17.sgf", "game-40.sgf"}
RESIGNED = {"game-20.sgf": "p2win", "game-25.sgf": "p1win"}
OPENING = ["e5", "f6", "d4", "g7", "c3", "h8", "e4", "f7", "d3", "g8"]


def read(text: str) -> RecordData:
    (data,) = sgf.read(MANIFEST, text)
    assert not isinstance(data, BrokenRecord), data
    return data


def actions(data: RecordData) -> list[str]:
    entries = [entry for turn in data["games"][0]["turns"] for entry in turn]
    return [entry if isinstance(entry, str) else entry["action"] for entry in entries]


def clicked(*clicks: str, head: str = "GM[24]") -> str:
    """A match whose rings are placed, and then some clicks like `0 place w  E 5`."""
    rings = [f"{i % 2} place {'wb'[i % 2]}r  {p[0].upper()} {p[1:]}" for i, p in enumerate(OPENING)]
    return f"(;{head}" + "".join(f"; P{c[0]}[{c[2:]}]" for c in (*rings, *clicks)) + ")"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_the_site_s_matches_are_read_replayed_and_written(file: Path) -> None:
    text = file.read_text()
    data = read(text)
    tags, last = data["tags"], games.load("yinsh").start(" ".join(actions(data)))
    if file.name in RESIGNED:
        assert not last.over
        assert (tags["Result"], tags["Termination"]) == (RESIGNED[file.name], "resignation")
    else:
        assert tags["Result"] == last.result
    assert tags["P1"], tags["Date"]
    written = sgf.write(MANIFEST, data)
    assert read(written) == data
    if file.name not in TAKEN_BACK:
        assert written == text, "byte for byte, unless something was taken back"


CHANGED = ("0 place w  E 5", "0 drop board  E 6")


@pytest.mark.parametrize(
    ("clicks", "played"),
    [
        (["0 place w  E 5", "0 drop board  E 6"], ["e5-e6"]),
        (["0 move E 5 E 6", "0 Done", "1 move F 6 F 5"], ["e5-e6", "f6-f5"]),
        (["0 13 move e5 e6"], ["e5-e6"]),
        (["0 place w  E 5"], []),  # left before the ring went anywhere
        ([*CHANGED, "0 pick board  E 5", "0 drop board  E 7"], ["e5-e7"]),
        ([*CHANGED, "0 pick board  E 6", "0 drop board  E 7"], ["e5-e7"]),
        (["0 place w  E 5", "0 drop board  E 5", "0 drop w", "0 place w  D 4", "0 drop board  C 4"],
         ["d4-c4"]),
        (["0 pick w", "0 drop board  E 5", "0 drop board  E 6", "1 pick b", "1 drop b"], ["e5-e6"]),
        (["0 place w  E 5", "0 drop board  E 6", "1 OfferDraw", "0 DeclineDraw"], ["e5-e6"]),
    ],
)  # fmt: skip
def test_what_was_meant_in_the_end_is_played(clicks: list[str], played: list[str]) -> None:
    assert actions(read(clicked(*clicks)))[10:] == played


def test_a_ring_that_is_placed_can_be_picked_up_again() -> None:
    first = "(;GM[24]; P0[place wr  E 5]; P0[pick board  E 5]; P0[drop board  E 6]"
    assert actions(read(f"{first}; P1[place br  A 2])")) == ["e6", "a2"]
    assert actions(read(f"{first}; P0[pick board  E 6]; P0[drop wr])")) == []


ROW = ["e5-e6", "f6-f5", "e6-e7", "f5-f4", "e7-e8", "f4-f3", "e8-e9", "f3-f2", "e9-e10"]


def test_a_row_or_ring_that_is_removed_again_replaces_the_first() -> None:
    moves = [f"{i % 2} move {a.upper().replace('-', ' ')}" for i, a in enumerate(ROW)]
    row = [*moves, "0 remove w E 9 E 5"]
    assert actions(read(clicked(*row)))[-1] == "xe5-e9"
    assert actions(read(clicked(*row, "0 remove w E 5 E 9")))[-2:] == ["e9-e10", "xe5-e9"]
    ring = [*row, "0 remove wr E 10"]
    assert actions(read(clicked(*ring, "0 remove wr D 4", "0 Done")))[-2:] == ["xe5-e9", "xd4"]
    picked = [*row, "0 pick board  D 4", "0 drop wr"]
    assert actions(read(clicked(*picked)))[-2:] == ["xe5-e9", "xd4"]


@pytest.mark.parametrize(
    ("comment", "result"),
    [
        ("Game won by anna", "p1win"), ("Game won by ben (2)", "p2win"), ("draw", "draw"),
        ("The game is a draw", "draw"), ("B+Resign", "p2win"), ("", "*"), ("who knows", "*"),
    ],
)  # fmt: skip
def test_the_result_is_the_file_s_when_the_rules_have_none(comment: str, result: str) -> None:
    head = f'GM[24] SU[yinsh-blitz] RE[{comment}] P0[id "anna"] P1[id "ben"] DT[long ago]'
    data = read(clicked(head=head))
    assert data["tags"]["Result"] == result
    assert data["tags"]["Game"] == "yinsh:blitz"
    assert data["tags"]["Date"] == "long ago"
    again = read(sgf.write(MANIFEST, data))
    assert again["tags"]["Result"] == result
    assert actions(again) == actions(data)


def test_who_places_the_first_ring_is_player_1() -> None:
    text = '(;GM[24] P0[id "a"] P1[id "b"]; P1[place wr  E 5]; P0[place br  E 6]; P0[resign])'
    tags = read(text)["tags"]
    assert (tags["P1"], tags["P2"], tags["Result"]) == ("b", "a", "p1win")


def test_times_and_comments_are_kept() -> None:
    text = "(;GM[24]; P0[1 place wr  E 5]TM[3723004]C[bold \\] move]; P1[3 place br  E 6])"
    data = read(text)
    said = {"action": "e5", "clock": "1:02:03.004", "comment": "bold ] move"}
    assert data["games"][0]["turns"] == [[said], ["e6"]]
    assert read(sgf.write(MANIFEST, data))["games"] == data["games"]


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ("hello", 1, 1, "cannot read"),
        ("(;GM[24]\n; P0[1 place wr  E 5]", 2, 22, "expected \\)"),
        ("(;GM[24]\n; P0[1 place wr  E 5\n", 2, 2, "cannot read"),
        ("(;GM[1])", 1, 3, "expected GM"),
        ("(;GM[24];\nP0[1 place wr  Z 5])", 2, 1, "expected one point"),
        ("(;GM[24];\nP0[1 place wr  A 1])", 2, 1, "not a point"),
        ("(;GM[24];\n P0[1 place wr E 5]; P1[2 place br E 5])", 2, 22, "not legal"),
        ("(;GM[24]; P0[1 remove w Z 5 A 1])", 1, 11, "."),
    ],
)
def test_a_broken_file_names_line_column_and_reason(
    text: str, line: int, column: int, reason: str
) -> None:
    good = "\n(;GM[24]; P0[1 place wr  E 5])"
    error, *others = sgf.read(MANIFEST, text + good)
    assert isinstance(error, BrokenRecord)
    assert (error.line, error.column) == (line, column), error
    with pytest.raises(BrokenRecord, match=reason):
        raise error
    assert [actions(one) for one in others if isinstance(one, dict)] == [["e5"]]


def test_each_of_many_broken_matches_is_located_in_the_file() -> None:
    broken = "(;GM[24];\nP0[1 place wr  A 1])\n\n"
    matches = list(sgf.read(MANIFEST, "\n\n" + broken * 50))
    places = [(one.line, one.column) for one in matches if isinstance(one, BrokenRecord)]
    assert places == [(4 + 3 * number, 1) for number in range(50)]


def test_a_ring_move_that_a_comment_settles_is_located() -> None:
    """A comment shows that a ring move stays: here it is one that cannot be played."""
    (error,) = sgf.read(MANIFEST, "(;GM[24]\n; P0[1 place w A 2]; P0[2 drop board A 3]C[oh])")
    assert isinstance(error, BrokenRecord)
    assert (error.line, error.column) == (2, 42)
    assert "not legal" in error.reason


def test_comments_on_one_action_are_joined() -> None:
    data = read("(;GM[24]; P0[1 place wr  E 5]C[a  b]; C[]; C[ c ])")
    assert data["games"][0]["turns"] == [[{"action": "e5", "comment": "a b c"}]]


def test_a_file_with_half_characters_is_read() -> None:
    for letter in ("\ud800", "\udce9"):
        (record,) = files.read_foreign("sgf", f"(;GM[24]; P0[1 place wr  E 5]C[caf{letter}])")
        assert isinstance(record, Record)
        (entry,) = record.games[0].entries()
        assert entry.comment == "caf\N{REPLACEMENT CHARACTER}"


@pytest.mark.parametrize("action", ["x", "-", "x-", "e5-", "nonsense"])
def test_what_cannot_be_played_cannot_be_written(action: str) -> None:
    with pytest.raises(RoundelError):
        sgf.write(MANIFEST, {"tags": {"Game": "yinsh"}, "games": [{"turns": [[action]]}]})


def test_only_matches_of_one_game_from_the_start_can_be_written() -> None:
    data = read(clicked())
    with pytest.raises(InvalidText, match="one game"):
        sgf.write(MANIFEST, {"tags": {**data["tags"], "Fen": "x"}, "games": data["games"]})


PIECES = [
    "(;", "GM[24]", ";", " P0[", " P1[", "]", ")", "1 ", "place ", "drop ", "pick ", "remove ",
    "move ", "wr ", "br ", "w ", "board ", "E 5", "E 6 ", "A 2", "\n", "\\", "resign", "Done",
]  # fmt: skip


@settings(max_examples=60)
@given(st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), max_size=60))
def test_a_fuzzed_file_is_read_or_refused(pieces: list[str]) -> None:
    for match in sgf.read(MANIFEST, "".join(pieces)):
        assert isinstance(match, dict | BrokenRecord)
