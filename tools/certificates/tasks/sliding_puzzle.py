"""Tiles on a board with one gap: the fewest moves of the gap until the tiles are in order and the gap is last."""

from common import need, numbers


def board(instance):
    """The number of columns, and the tiles row by row."""
    rows = instance["grid"]
    tiles = tuple(tile for row in rows for tile in row)
    need(
        2 <= len(rows) <= 6 and 2 <= len(rows[0]) <= 6 and all(len(row) == len(rows[0]) for row in rows), "not a board"
    )
    need(sorted(tiles) == list(range(len(tiles))), "the board does not hold each tile once")
    return len(rows[0]), tiles


def moved(columns, tiles, gap, move):
    """The gap's new cell; None past the edge. 0 to 3: up, right, down, left."""
    row, column = gap // columns - (move == 0) + (move == 2), gap % columns + (move == 1) - (move == 3)
    return row * columns + column if 0 <= row * columns < len(tiles) and 0 <= column < columns else None


def objective(instance, answer):
    columns, tiles = board(instance)
    numbers([instance["limit"]], 1, 10_001, "limit")
    need(0 < len(numbers(answer, 0, 4, "answer")) <= instance["limit"], "no moves, or more than limit")
    tiles = list(tiles)
    for move in answer:
        gap = tiles.index(0)
        to = moved(columns, tiles, gap, move)
        need(to is not None, "the gap leaves the board")
        tiles[gap], tiles[to] = tiles[to], 0
    need(tiles == [*range(1, len(tiles)), 0], "the tiles are not in order")
    return len(answer)
