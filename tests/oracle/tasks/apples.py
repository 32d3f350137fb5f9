"""A row per turn, [level, kind] or [-1]: machines that make apples or machines; the last stock's logarithm counts."""

from decimal import ROUND_HALF_UP, Decimal, localcontext
from functools import cache

from found import exact
from labels import placed
from verdict import Verdict, feasible, is_rows, values_of, worst

MAXIMISE = True
ROWS = True
MOST = 10**9


@cache
def worth(stock):
    """round(10^5 log2(stock)), by 50 digits."""
    if stock <= 1:
        return 0
    with localcontext() as context:
        context.prec = 50
        return int((Decimal(stock).ln() / Decimal(2).ln() * 100_000).to_integral_value(ROUND_HALF_UP))


class Run:
    """The state before a turn."""

    def __init__(self, instance):
        self.rates, self.prices, self.stock = instance["rates"], instance["prices"], instance["stock"]
        self.machines = [[1] * len(row) for row in self.prices]
        self.power = [[0] * len(row) for row in self.prices]

    def price(self, level, kind):
        return self.prices[kind][level] * (self.power[kind][level] + 1)

    def turn(self, row):
        if len(row) == 2:
            level, kind = row
            self.stock -= self.price(level, kind)
            self.power[kind][level] += 1
        for rate, machines, power in zip(self.rates, self.machines, self.power, strict=True):
            self.stock += rate * machines[0] * power[0]
            for level in range(1, len(power)):
                machines[level - 1] += machines[level] * power[level]

    def missing(self, row):
        return self.price(*row) - self.stock if len(row) == 2 else 0


def judge(instance, answer):
    if isinstance(answer, str):
        return worst("unparsable", MOST)
    if not values_of(answer):
        return worst("empty", MOST)
    if not is_rows(answer):
        return worst("bad_depth", MOST)
    if len(answer) != instance["turns"] or any(len(row) not in (1, 2) for row in answer):
        return worst("wrong_length", MOST)
    at = 0
    for row in answer:
        if row[0] not in (range(len(instance["prices"][0])) if len(row) == 2 else [-1]):
            return worst("out_of_range", MOST, at)
        if len(row) == 2 and row[1] not in range(len(instance["rates"])):
            return worst("out_of_range", MOST, at + 1)
        at += len(row)
    run = Run(instance)
    for turn, row in enumerate(answer):
        if (missing := run.missing(row)) > 0:
            return Verdict("unaffordable", turn, None, min(missing, MOST), MOST)
        run.turn(row)
    return feasible(worth(run.stock), MOST)


def under_labels(instance, labels):
    return dict(
        instance, rates=placed(instance["rates"], labels["kind"]), prices=placed(instance["prices"], labels["kind"])
    )


def answer_under_labels(answer, labels):
    new = labels["kind"]
    return [[row[0], new[row[1]]] if len(row) == 2 and 0 <= row[1] < len(new) else row for row in answer]


def label_count(instance):
    return len(instance["rates"])


def random_answer(instance, random):
    """Buys what is affordable, more or less often."""
    run, answer, eager = Run(instance), [], random.choice([0.1, 0.5, 0.9])
    machines = [(level, kind) for kind, row in enumerate(instance["prices"]) for level in range(len(row))]
    for _ in range(instance["turns"]):
        row = list(random.choice(machines)) if random.random() < eager else [-1]
        row = row if run.missing(row) <= 0 else [-1]
        run.turn(row)
        answer.append(row)
    return answer


def one_turn_later(instance, answer, random):
    del instance
    at = random.randrange(len(answer)) if answer else 0
    return answer[:at] + [[-1]] + answer[at:-1]


def another_machine(instance, answer, random):
    changed = [list(row) if isinstance(row, list) else row for row in answer]
    buys = [row for row in changed if isinstance(row, list) and len(row) == 2]
    if buys:
        random.choice(buys)[:] = [random.randrange(len(instance["prices"][0])), random.randrange(label_count(instance))]
    return changed


def one_turn_without(instance, answer, random):
    del instance
    at = random.randrange(len(answer)) if answer else 0
    return answer[:at] + [[-1]] + answer[at + 1 :]


mutants = [one_turn_later, another_machine, one_turn_without]


def odd_instances(random, count):
    yield "one turn", {"turns": 1, "stock": 1, "rates": [1], "prices": [[1]]}
    yield "nothing can be paid", {"turns": 9, "stock": 1, "rates": [5], "prices": [[2]]}
    yield "no machine pays", {"turns": 3, "stock": 10**6, "rates": [1], "prices": [[10**6, 10**6]]}
    yield "the dearest", {"turns": 20, "stock": 10**6, "rates": [10**6], "prices": [[1, 10**13 - 1]]}
    yield "as much as can be", {"turns": 800, "stock": 10**6, "rates": [10**6], "prices": [[1, 1, 1, 1]]}
    for index in range(count):
        kinds, levels, turns = random.randint(1, 4), random.randint(1, 4), random.choice([2, 5, 8, 40, 120])
        top = random.choice([3, 50, 10**4, 10**9])
        yield (
            f"random {index}: {turns}, {kinds} x {levels}, {top}",
            {
                "turns": turns,
                "stock": random.choice([1, 7, 1000]),
                "rates": [random.randint(1, 99) for _ in range(kinds)],
                "prices": [[random.randint(1, top) for _ in range(levels)] for _ in range(kinds)],
            },
        )


def every_state(instance):
    """Turn by turn all reachable machines and powers, each with its largest stock and the way there."""
    kinds, levels, turns = len(instance["rates"]), len(instance["prices"][0]), instance["turns"]
    rows = [[-1]] + [[level, kind] for kind in range(kinds) for level in range(levels)]

    def call():
        now = {(): (Run(instance), [])}
        for _ in range(turns):
            after = {}
            for run, way in now.values():
                for row in rows:
                    if run.missing(row) > 0:
                        continue
                    other = Run(instance)
                    other.stock = run.stock
                    other.machines = [list(own) for own in run.machines]
                    other.power = [list(own) for own in run.power]
                    other.turn(row)
                    state = repr((other.machines, other.power))
                    if state not in after or after[state][0].stock < other.stock:
                        after[state] = other, way + [row]
            now = after
        return max(now.values(), key=lambda end: end[0].stock)[1]

    return exact(call, len(rows) ** min(turns, 12) <= 100_000)


PEERS = {"every state": every_state}
