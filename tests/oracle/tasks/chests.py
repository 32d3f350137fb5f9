"""A row per hit, [weapon or -1, chest]: chests contain weapons against the other chests; few hits count."""

from itertools import permutations

from found import exact
from labels import placed, renamed
from verdict import Verdict, feasible, is_rows, values_of, worst

MAXIMISE = True
ROWS = True


class Hall:
    """The state before a hit."""

    def __init__(self, instance):
        self.left, self.uses = list(instance["hardness"]), list(instance["uses"])
        self.damage = instance["damage"]

    def broken(self, weapon, chest):
        if weapon >= 0 and self.left[weapon] > 0:
            return "weapon_closed"
        if weapon >= 0 and self.uses[weapon] == 0:
            return "weapon_broken"
        return "chest_open" if self.left[chest] <= 0 else None

    def hit(self, weapon, chest):
        self.left[chest] -= self.damage[weapon][chest] if weapon >= 0 else 1
        if weapon >= 0:
            self.uses[weapon] -= 1

    def closed(self):
        return [chest for chest, left in enumerate(self.left) if left > 0]

    def armed(self):
        return [weapon for weapon, left in enumerate(self.left) if left <= 0 and self.uses[weapon] > 0]


def judge(instance, answer):
    most, n = sum(instance["hardness"]), label_count(instance)
    if isinstance(answer, str):
        return worst("unparsable", most)
    if not values_of(answer):
        return worst("empty", most)
    if not is_rows(answer):
        return worst("bad_depth", most)
    if any(len(row) != 2 for row in answer):
        return worst("wrong_length", most)
    for at, value in enumerate(values_of(answer)):
        if not (0 if at % 2 else -1) <= value < n:
            return worst("out_of_range", most, at)
    hall = Hall(instance)
    for at, row in enumerate(answer):
        if (rule := hall.broken(*row)) is not None:
            return worst(rule, most, at)
        hall.hit(*row)
    if hall.closed():
        return Verdict("chest_left", -1, None, sum(hall.left[chest] for chest in hall.closed()), most)
    return feasible(most - len(answer) + 1, most)


def under_labels(instance, labels):
    new = labels["chest"]
    return {
        "hardness": placed(instance["hardness"], new),
        "uses": placed(instance["uses"], new),
        "damage": placed([placed(row, new) for row in instance["damage"]], new),
    }


def answer_under_labels(answer, labels):
    new = labels["chest"]
    return [renamed(row, new) if isinstance(row, list) and len(row) == 2 else row for row in answer]


def label_count(instance):
    return len(instance["hardness"])


def random_answer(instance, random):
    """Mostly uses weapons when there are any, on any closed chest."""
    hall, answer = Hall(instance), []
    closed, armed = hall.closed(), hall.armed()
    while closed:
        weapon = random.choice(armed) if armed and random.random() < 0.8 else -1
        chest = random.choice(closed)
        for _ in range(hall.left[chest] if weapon < 0 else 1):
            hall.hit(weapon, chest)
            answer.append([weapon, chest])
        if hall.left[chest] <= 0 or (weapon >= 0 and hall.uses[weapon] == 0):
            closed, armed = hall.closed(), hall.armed()
    return answer


def another_weapon(instance, answer, random):
    changed = [list(row) if isinstance(row, list) else row for row in answer]
    rows = [row for row in changed if isinstance(row, list) and len(row) == 2]
    if rows:
        random.choice(rows)[0] = random.randrange(-1, label_count(instance))
    return changed


def two_hits_exchanged(instance, answer, random):
    del instance
    changed = list(answer)
    if changed:
        a, b = random.randrange(len(changed)), random.randrange(len(changed))
        changed[a], changed[b] = changed[b], changed[a]
    return changed


def one_hit_less(instance, answer, random):
    del instance
    at = random.randrange(len(answer)) if answer else 0
    return answer[:at] + answer[at + 1 :]


def one_hit_twice(instance, answer, random):
    del instance
    at = random.randrange(len(answer)) if answer else 0
    return answer[:at] + answer[at : at + 1] + answer[at:]


mutants = [another_weapon, two_hits_exchanged, one_hit_less, one_hit_twice]


def odd_instances(random, count):
    yield "one chest", {"hardness": [7], "uses": [3], "damage": [[1000]]}
    yield "one blow each", {"hardness": [1, 1, 1], "uses": [1, 1, 1], "damage": [[1] * 3] * 3}
    yield "one weapon does all", {"hardness": [9, 1000, 1000], "uses": [20, 1, 1], "damage": [[1000] * 3] * 3}
    yield "weapons are fists", {"hardness": [5, 6, 7], "uses": [20] * 3, "damage": [[1] * 3] * 3}
    for index in range(count):
        n, hard, use, power = (
            random.choice(of) for of in ([1, 2, 3, 3, 5, 9], [5, 40, 1000], [1, 3, 20], [3, 30, 1000])
        )
        yield (
            f"random {index}: {n}, {hard}, {use}, {power}",
            {
                "hardness": [random.randint(1, hard) for _ in range(n)],
                "uses": [random.randint(1, use) for _ in range(n)],
                "damage": [[random.randint(1, power) for _ in range(n)] for _ in range(n)],
            },
        )


def every_order(instance):
    """Each opening order, and each way to aim the weapons' uses at chests that open later."""
    n = label_count(instance)
    hardness, uses, damage = instance["hardness"], instance["uses"], instance["damage"]

    def shares(weapon, later, left, uses_left):
        if not later:
            yield [], left
            return
        chest, others = later[0], later[1:]
        for times in range(uses_left + 1):
            rest = dict(left)
            rest[chest] -= times * damage[weapon][chest]
            for more, after in shares(weapon, others, rest, uses_left - times):
                yield [(weapon, chest)] * times + more, after
            if rest[chest] <= 0:
                return

    def plans(order, place, left):
        if place == n:
            yield [], left
            return
        for hits, after in shares(order[place], order[place + 1 :], left, uses[order[place]]):
            for more, last in plans(order, place + 1, after):
                yield hits + more, last

    def call():
        best, way = None, None
        for order in permutations(range(n)):
            for hits, left in plans(list(order), 0, dict(enumerate(hardness))):
                turns = len(hits) + sum(max(0, rest) for rest in left.values())
                if best is None or turns < best:
                    best, way = turns, (order, hits, left)
        order, hits, left = way
        answer = []
        for chest in order:
            answer += [[weapon, to] for weapon, to in hits if to == chest] + [[-1, chest]] * max(0, left[chest])
        return answer

    return exact(call, n <= 3 and sum(uses) <= 20)


PEERS = {"every order": every_order}
