"""What people have stays readable: files in `kept/` are as earlier versions wrote them."""

from pathlib import Path

from roundel.cli.table.history import PLY
from roundel.cli.table.opening import Wish, opened

KEPT = Path(__file__).parent / "kept"


def test_a_pair_in_the_terminal_goes_on_where_people_were(tmp_path: Path) -> None:
    """One action into the second game, of three: its beginning counts in the tag."""
    table = opened(Wish(resume=str(KEPT / "terminal-pair.record"), data=tmp_path))
    first, second = table.history.whole.games
    assert (table.names, len(second) - 1) == (["Anna", "Ben"], 3)
    assert (table.match.game_index, len(table.match.positions) - 1) == (1, 1)
    assert table.history.at == len(first) - 1 + 1
    assert table.record().tags[PLY] == "56"
    table.do("undo")
    assert (table.position, table.record().tags[PLY]) == (second[0], "55")
    table.do("undo")
    assert (table.position, table.record().tags[PLY]) == (first[-2], "53")
    table.farewell()
