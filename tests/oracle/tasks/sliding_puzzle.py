"""Moves of the gap, 0 to 3 for up, right, down, left, that put the tiles in order; as few as possible."""

from found import exact
from verdict import Verdict, feasible, first_outside, is_rows, worst

MAXIMISE = False
ROWS = False
ALPHABET = "URDL"
STEPS = [(-1, 0), (0, 1), (1, 0), (0, -1)]
MAX_TO_SEARCH = 9


def moved(grid, gap, move):
    """(grid, gap) after a move; None when it leaves the board."""
    row, column = gap[0] + STEPS[move][0], gap[1] + STEPS[move][1]
    if not (0 <= row < len(grid) and 0 <= column < len(grid[0])):
        return None
    changed = [list(line) for line in grid]
    changed[gap[0]][gap[1]], changed[row][column] = changed[row][column], 0
    return changed, (row, column)


def gap_of(grid):
    return next((row, line.index(0)) for row, line in enumerate(grid) if 0 in line)


def away(grid):
    columns = len(grid[0])
    return sum(
        abs((tile - 1) // columns - row) + abs((tile - 1) % columns - column)
        for row, line in enumerate(grid)
        for column, tile in enumerate(line)
        if tile
    )


def judge(instance, answer):
    grid = instance["grid"]
    rows, columns = len(grid), len(grid[0])
    most = rows * columns * (rows + columns - 2)
    if isinstance(answer, str):
        return worst("unparsable", most)
    if not answer:
        return worst("empty", most)
    if is_rows(answer):
        return worst("bad_depth", most)
    if len(answer) > instance["limit"]:
        return worst("wrong_length", most)
    if (at := first_outside(answer, 4)) is not None:
        return worst("out_of_range", most, at)
    state = grid, gap_of(grid)
    for at, move in enumerate(answer):
        state = moved(*state, move)
        if state is None:
            return worst("illegal_move", most, at)
    if missing := away(state[0]):
        return Verdict("not_solved", -1, None, missing, most)
    return feasible(len(answer), most)


def label_count(instance):
    del instance
    return 4


def random_answer(instance, random):
    """A random walk until the tiles are in order; on large boards mostly until it is too long."""
    state, plan, last = (instance["grid"], gap_of(instance["grid"])), [], None
    for _ in range(min(instance["limit"], 200)):
        choices = [move for move in range(4) if last is None or move != (last + 2) % 4]
        random.shuffle(choices)
        last, state = next((move, after) for move in choices if (after := moved(*state, move)) is not None)
        plan.append(last)
        if not away(state[0]):
            break
    return plan


def there_and_back(instance, answer, random):
    """Inserts a step and its opposite, which is legal unless it meets the edge."""
    del instance
    at, move = random.randint(0, len(answer)), random.randrange(4)
    return answer[:at] + [move, (move + 2) % 4] + answer[at:]


def other_way_round(instance, answer, random):
    del instance, random
    return [(move + 2) % 4 if isinstance(move, int) else move for move in answer[::-1]]


def one_step_more(instance, answer, random):
    del instance
    return answer + [random.randrange(4)]


mutants = [there_and_back, other_way_round, one_step_more]


def odd_instances(random, count):
    yield "one move", {"grid": [[1, 2], [0, 3]], "limit": 1}
    yield "no plan is short enough", {"grid": [[0, 1], [3, 2]], "limit": 1}
    yield "the farthest of eight", {"grid": [[8, 6, 7], [2, 5, 4], [3, 0, 1]], "limit": 180}
    yield "the farthest, one move too few", {"grid": [[8, 6, 7], [2, 5, 4], [3, 0, 1]], "limit": 30}
    yield "long and thin", {"grid": [[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 0, 11]], "limit": 60}
    for index in range(count):
        rows, columns = random.randint(2, 4), random.randint(2, 4)
        tiles = [*range(1, rows * columns), 0]
        state = [tiles[row * columns : (row + 1) * columns] for row in range(rows)], (rows - 1, columns - 1)
        for _ in range(random.randint(1, 40)):
            state = next(after for move in random.sample(range(4), 4) if (after := moved(*state, move)) is not None)
        if away(state[0]):
            yield f"random {index}: {rows}, {columns}", {"grid": state[0], "limit": random.choice([3, 20, 400])}


def breadth_first(instance):
    """From both ends, board by board."""
    grid, limit = instance["grid"], instance["limit"]
    rows, columns = len(grid), len(grid[0])
    tiles = [*range(1, rows * columns), 0]
    goal = [tiles[row * columns : (row + 1) * columns] for row in range(rows)]

    def frozen(board):
        return tuple(tile for line in board for tile in line)

    def grown(front, seen):
        wider = []
        for state in front:
            for move in range(4):
                if (after := moved(*state, move)) is not None and frozen(after[0]) not in seen:
                    seen[frozen(after[0])] = seen[frozen(state[0])] + [move]
                    wider.append(after)
        return wider

    def call():
        sides = [[(grid, gap_of(grid))], [(goal, gap_of(goal))]]
        seen = [{frozen(grid): []}, {frozen(goal): []}]
        for length in range(1, limit + 1):
            side = length % 2
            sides[side] = grown(sides[side], seen[side])
            for board, _ in sides[side]:
                if frozen(board) in seen[1 - side]:
                    there, home = seen[0][frozen(board)], seen[1][frozen(board)]
                    return there + [(move + 2) % 4 for move in reversed(home)]
        return None

    return exact(call, rows * columns <= MAX_TO_SEARCH)


PEERS = {"breadth first": breadth_first}
