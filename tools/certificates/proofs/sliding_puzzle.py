"""Moves, bounded by distances and by tiles in the wrong order."""

from kinds.walk import outside
from tasks.sliding_puzzle import board, moved


def walk(instance, goal):
    """A case: the moves so far, the tiles, the gap's cell, the last move. A tile needs at least its distance in rows
    and columns. Of a line's own tiles in the wrong order, each outside the longest increasing sequence leaves and
    returns."""
    columns, first = board(instance)
    goal = instance["limit"] + 1 if goal is None else goal
    rows, order = len(first) // columns, (*range(1, len(first)), 0)
    known = {}

    def one_line(tiles, at, step):
        """Tiles of one row (step 1) or column (-1)."""
        key = (at, step, tiles)
        if key not in known:
            own = [divmod(tile - 1, columns)[::step] for tile in tiles if tile]
            known[key] = sum(abs(line - at) for line, _ in own) + 2 * outside(
                [place for line, place in own if line == at]
            )
        return known[key]

    def least(tiles):
        return sum(one_line(tiles[r * columns : (r + 1) * columns], r, 1) for r in range(rows)) + sum(
            one_line(tiles[c::columns], c, -1) for c in range(columns)
        )

    def further(case):
        moves, tiles, gap, last = case
        if tiles == order:
            return None
        cases = []
        for move in range(4):
            to = moved(columns, tiles, gap, move)
            if to is not None and (move + 2) % 4 != last:
                after = tuple(tiles[to] if at == gap else 0 if at == to else tile for at, tile in enumerate(tiles))
                if moves + 1 + least(after) < goal:
                    cases.append((moves + 1, after, to, move))
        return cases

    return (0, first, first.index(0), -1), further
