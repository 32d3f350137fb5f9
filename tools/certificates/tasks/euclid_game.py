"""Euclid's game: the pairs' Grundy values, then the winning move."""

from common import need, numbers


def left_by(greater, lesser, times):
    """The value of a pair after the smaller number was subtracted `times` times."""
    greater -= times * lesser
    return value(max(greater, lesser), min(greater, lesser))


def value(greater, lesser):
    """Moves reach the values 0, 1, ... without v, and v, the result of the largest move. With q moves the value is q -
    1 where v is at least q, else q."""
    if lesser == 0:
        return 0
    moves, after = greater // lesser, value(lesser, greater % lesser)
    return moves - 1 if after >= moves else moves


def computed(instance):
    pairs = [sorted(numbers(pair, 1, 10**9 + 1, "pairs"), reverse=True) for pair in instance["pairs"]]
    own = [value(a, b) for a, b in pairs]
    total = 0
    for one in own:
        total ^= one
    for at, (a, b) in enumerate(pairs):
        # Every move but the largest leaves a value below the number of its moves. k follows from it, and is checked.
        wanted = own[at] ^ total
        for times in {a // b, a // b - wanted - 1, a // b - wanted} if total and b else ():
            if 1 <= times <= a // b and left_by(a, b, times) == wanted:
                return [*own, at + 1, times]
    return [*own, 0, 0]


def objective(instance, answer):
    need(answer == computed(instance), "a value or the move is another one")
    return len(answer)
