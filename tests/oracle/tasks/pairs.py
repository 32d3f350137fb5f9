"""Operations of a walk that takes cards to a deck, 0 to 5 for up, down, left, right, take, put: equal cards on top vanish."""

import heapq

from found import exact
from verdict import feasible, first_outside, is_rows, worst

MAXIMISE = True
ROWS = False
ALPHABET = "UDLRZX"
STEPS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}


class Board:
    """Cards by cell, the deck from the bottom, and the current place."""

    def __init__(self, cards):
        self.size = len(cards)
        self.cards = {(row, column): card for row, line in enumerate(cards) for column, card in enumerate(line)}
        self.deck, self.here = [], (0, 0)

    def broken(self, letter):
        """Executes the operation, or returns the rule that forbids it."""
        if letter in STEPS:
            to = tuple(a + b for a, b in zip(self.here, STEPS[letter]))
            if not all(0 <= part < self.size for part in to):
                return "off_grid"
            self.here = to
        elif letter == "Z":
            if self.here not in self.cards:
                return "no_card"
            self.deck.append(self.cards.pop(self.here))
            if self.deck[-2:-1] == self.deck[-1:]:
                del self.deck[-2:]
        else:
            if not self.deck:
                return "empty_deck"
            if self.here in self.cards:
                return "occupied"
            self.cards[self.here] = self.deck.pop()
        return None

    def left(self):
        return len(self.cards) + len(self.deck)


def judge(instance, answer):
    side = len(instance["cards"])
    cells, limit = side * side, 2 * side**3
    if isinstance(answer, str):
        return worst("unparsable", cells)
    if is_rows(answer):
        return worst("bad_depth", cells)
    if len(answer) > limit:
        return worst("too_long", cells, limit)
    if (at := first_outside(answer, len(ALPHABET))) is not None:
        return worst("out_of_range", cells, at)
    board = Board(instance["cards"])
    for at, operation in enumerate(answer):
        if (rule := board.broken(ALPHABET[operation])) is not None:
            return worst(rule, cells, at)
    moves = sum(operation < 4 for operation in answer)
    return feasible(cells - board.left() if board.left() else cells + limit - moves, cells)


def label_count(instance):
    del instance
    return len(ALPHABET)


def way(here, to):
    rows, columns = to[0] - here[0], to[1] - here[1]
    return "D" * rows + "U" * -rows + "R" * columns + "L" * -columns


def random_answer(instance, random):
    """Takes the card of a cell, mostly the one equal to the deck's top; sometimes puts it down at once."""
    board, answer = Board(instance["cards"]), ""
    for _ in range(3 * board.size**2):
        if not board.cards:
            break
        wanted = [cell for cell, card in board.cards.items() if card in board.deck[-1:]]
        cell = random.choice(wanted if wanted and random.random() < 0.9 else sorted(board.cards))
        more = way(board.here, cell) + "Z" + ("X" if random.random() < 0.05 and cell not in wanted else "")
        if len(answer) + len(more) > 2 * board.size**3:
            break
        answer += more
        for letter in more:
            board.broken(letter)
    return [ALPHABET.index(letter) for letter in answer]


def there_and_back(instance, answer, random):
    del instance
    at, move = random.randint(0, len(answer)), random.randrange(4)
    return answer[:at] + [move, move ^ 1] + answer[at:]


def taken_and_put_back(instance, answer, random):
    del instance
    at = random.randint(0, len(answer))
    return answer[:at] + [4, 5] + answer[at:]


def put_and_taken_again(instance, answer, random):
    del instance
    at = random.randint(0, len(answer))
    return answer[:at] + [5, 4] + answer[at:]


def one_operation_less(instance, answer, random):
    del instance
    at = random.randrange(len(answer)) if answer else 0
    return answer[:at] + answer[at + 1 :]


def stopped_early(instance, answer, random):
    del instance
    return answer[: random.randint(0, len(answer))]


def one_too_many(instance, answer, random):
    """As long as allowed, or longer by one."""
    limit = 2 * len(instance["cards"]) ** 3
    rest = limit - len(answer) + random.randint(0, 1)
    return answer + ([4, 5] * rest)[: max(0, rest)]


mutants = [there_and_back, taken_and_put_back, put_and_taken_again, one_operation_less, stopped_early, one_too_many]


def odd_instances(random, count):
    yield "in rows", {"cards": [[0, 0], [1, 1]]}
    yield "crosswise", {"cards": [[0, 1], [1, 0]]}
    yield "in columns", {"cards": [[1, 0], [1, 0]]}
    yield "halves alike", {"cards": [[0, 1, 2, 3], [4, 5, 6, 7], [0, 1, 2, 3], [4, 5, 6, 7]]}
    for index in range(count):
        side = random.choice([2, 2, 4, 6])
        cards = [card // 2 for card in range(side * side)]
        random.shuffle(cards)
        yield f"random {index}: {side}", {"cards": [cards[row * side : (row + 1) * side] for row in range(side)]}


def cheapest_first(instance):
    """Dijkstra's search over boards."""
    cards = instance["cards"]

    def frozen(board):
        return tuple(sorted(board.cards.items())), tuple(board.deck), board.here

    def call():
        queue, seen, number = [(0, 0, "", frozen(Board(cards)))], set(), 0
        while queue:
            moves, _, answer, state = heapq.heappop(queue)
            if state in seen:
                continue
            seen.add(state)
            if not state[0] and not state[1]:
                return [ALPHABET.index(letter) for letter in answer]
            for at, letter in enumerate(ALPHABET):
                board = Board(cards)
                board.cards, board.deck, board.here = dict(state[0]), list(state[1]), state[2]
                number += 1
                if board.broken(letter) is None:
                    heapq.heappush(queue, (moves + (at < 4), number, answer + letter, frozen(board)))
        return None

    return exact(call, len(cards) == 2)


PEERS = {"cheapest first": cheapest_first}
