"""Tiles on a board with one gap: as few moves of the gap as possible until they stand in order, the gap last."""

from common import need, numbers


def board(instance):
    """How many columns, and the tiles row by row."""
    rows = instance["grid"]
    tiles = tuple(tile for row in rows for tile in row)
    need(2 <= len(rows) <= 6 and 2 <= len(rows[0]) <= 6 and all(len(row) == len(rows[0]) for row in rows), "not a board")
    need(sorted(tiles) == list(range(len(tiles))), "the board does not hold each tile once")
    return len(rows[0]), tiles


def moved(columns, tiles, gap, move):
    """The gap's new cell; none past the edge. 0 to 3: up, right, down, left."""
    row, column = gap // columns - (move == 0) + (move == 2), gap % columns + (move == 1) - (move == 3)
    return row * columns + column if 0 <= row * columns < len(tiles) and 0 <= column < columns else None


def objective(instance, answer):
    columns, tiles = board(instance)
    need(0 < len(numbers(answer, 0, 4, "answer")) <= instance["limit"], "no moves, or more than limit")
    tiles = list(tiles)
    for move in answer:
        gap = tiles.index(0)
        to = moved(columns, tiles, gap, move)
        need(to is not None, "the gap leaves the board")
        tiles[gap], tiles[to] = tiles[to], 0
    need(tiles == [*range(1, len(tiles)), 0], "the tiles are not in order")
    return len(answer)


def conflicts(places):
    """How many of a line's own tiles, by the places where they belong, stand outside the longest rising sequence."""
    rising = []
    for place in places:
        rising.append(1 + max((so_far for so_far, other in zip(rising, places) if other < place), default=0))
    return len(places) - max(rising, default=0)


def walk(instance, goal):
    """A case: the moves so far, the tiles, the gap's cell, the last move. No tile is nearer than its rows and columns, and
    of its own line's tiles that stand in the wrong order each but the longest rising sequence leaves it and comes back."""
    columns, first = board(instance)
    goal = instance["limit"] + 1 if goal is None else goal
    rows, order = len(first) // columns, (*range(1, len(first)), 0)
    known = {}

    def one_line(tiles, at, step):
        """Tiles of one row (step 1) or column (-1)."""
        key = (at, step, tiles)
        if key not in known:
            own = [divmod(tile - 1, columns)[::step] for tile in tiles if tile]
            known[key] = sum(abs(line - at) for line, _ in own) + 2 * conflicts([place for line, place in own if line == at])
        return known[key]

    def least(tiles):
        return (sum(one_line(tiles[r * columns:(r + 1) * columns], r, 1) for r in range(rows))
                + sum(one_line(tiles[c::columns], c, -1) for c in range(columns)))

    def further(case):
        moves, tiles, gap, last = case
        if tiles == order:
            return None
        cases = []
        for move in range(4):
            to = moved(columns, tiles, gap, move)
            if to is None or (move + 2) % 4 == last:
                continue
            after = list(tiles)
            after[gap], after[to] = tiles[to], 0
            after = tuple(after)
            if moves + 1 + least(after) < goal:
                cases.append((moves + 1, after, to, move))
        return cases

    return (0, first, first.index(0), -1), further
