"""Hexagons and squares."""

from hypothesis import given
from hypothesis import strategies as st

from roundel.core import hexes, squares

HEX = st.tuples(st.integers(-50, 50), st.integers(-50, 50))


@given(HEX, HEX)
def test_hexes_distance(a: hexes.Hex, b: hexes.Hex) -> None:
    assert hexes.distance(a, b) == hexes.distance(b, a)
    assert (hexes.distance(a, b) == 0) == (a == b)
    for step in hexes.DIRECTIONS:
        assert hexes.distance(a, hexes.add(a, step, 3)) == 3
        assert abs(hexes.distance(hexes.add(a, step), b) - hexes.distance(a, b)) <= 1


@given(HEX, HEX)
def test_hexes_symmetries_keep_distances(a: hexes.Hex, b: hexes.Hex) -> None:
    images = list(zip(hexes.symmetries(a), hexes.symmetries(b), strict=True))
    assert {hexes.distance(*pair) for pair in images} == {hexes.distance(a, b)}
    assert images[0] == (a, b)


def test_hexes_twelve_symmetries_six_directions() -> None:
    assert len(set(hexes.symmetries((1, 2)))) == 12
    for i, step in enumerate(hexes.DIRECTIONS):
        assert hexes.rotate(step) == hexes.DIRECTIONS[(i + 1) % 6]
        assert hexes.add(step, hexes.DIRECTIONS[(i + 3) % 6]) == (0, 0)


@given(HEX)
def test_hexes_neighbours_are_drawn_one_apart(cell: hexes.Hex) -> None:
    x, y = hexes.centre(cell)
    for step in hexes.DIRECTIONS:
        to_x, to_y = hexes.centre(hexes.add(cell, step))
        assert abs((to_x - x) ** 2 + (to_y - y) ** 2 - 1) < 0.01


def test_squares() -> None:
    assert squares.name((0, 0)) == "a1"
    assert squares.name((19, 18)) == "t19"
    assert len(set(squares.symmetries((0, 1), 5))) == 8
    assert set(squares.symmetries((2, 2), 5)) == {(2, 2)}
    for image in squares.symmetries((0, 1), 5):
        assert all(0 <= c < 5 for c in image)
    assert len({*squares.SIDES, *squares.CORNERS}) == 8
    assert squares.add((1, 1), squares.LINES[3], 2) == (3, -1)
