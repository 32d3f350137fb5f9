"""As many indices as possible, no index twice, whose values sum to the target."""

from itertools import accumulate

from found import cp_sat, exact, highs
from labels import placed, renamed
from ortools.sat.python import cp_model
from verdict import Verdict, feasible, not_a_flat_list, outside_or_repeated, worst

MAXIMISE = True
ROWS = False


def judge(instance, answer):
    target, values = instance["target"], instance["values"]
    most = max(1, target, sum(values) - target)
    if verdict := not_a_flat_list(answer, most):
        return verdict
    if not answer:
        return feasible(0, most) if target == 0 else worst("empty", most)
    if verdict := outside_or_repeated(answer, len(values), most):
        return verdict
    sums = list(accumulate(values[i] for i in answer))
    if sums[-1] != target:
        passed = next((at for at, total in enumerate(sums) if total > target), -1)
        return Verdict("wrong_sum", passed, None, abs(sums[-1] - target), most)
    return feasible(len(answer), most)


def under_labels(instance, labels):
    return dict(instance, values=placed(instance["values"], labels["item"]))


def answer_under_labels(answer, labels):
    return renamed(answer, labels["item"])


def label_count(instance):
    return len(instance["values"])


def random_answer(instance, random):
    rest, chosen = instance["target"], []
    for index in random.sample(range(len(instance["values"])), len(instance["values"])):
        if instance["values"][index] <= rest:
            rest -= instance["values"][index]
            chosen.append(index)
    return chosen


def split_a_value(instance, answer, random):
    """Replaces an index by two whose values have the same sum: feasible again, one longer."""
    del random
    values = instance["values"]
    free = [i for i in range(len(values)) if i not in answer]
    for place, index in enumerate(answer):
        for a in free:
            for b in free:
                if a < b and 0 <= index < len(values) and values[a] + values[b] == values[index]:
                    return answer[:place] + [a, b] + answer[place + 1 :]
    return answer


mutants = [split_a_value]


def odd_instances(random, count):
    yield "one value, hit", {"target": 5, "values": [5]}
    yield "one value, missed", {"target": 4, "values": [5]}
    yield "more than all", {"target": 100, "values": [1, 2, 3]}
    yield "all", {"target": 6, "values": [1, 2, 3]}
    yield "even values, odd target", {"target": 31, "values": [2, 4, 6, 8, 10, 12, 14, 16]}
    yield "target 0", {"target": 0, "values": [1, 2, 3]}
    yield "target 0 and zeros", {"target": 0, "values": [0, 2, 0]}
    yield "zeros", {"target": 7, "values": [0, 3, 4, 0, 7, 0]}
    yield "ones", {"target": 17, "values": [1] * 40}
    yield "gaps", {"target": 1234, "values": [1000, 500, 250, 125, 62, 31]}
    yield "large values", {"target": 3 * 10**6 + 7, "values": [10**6 + i for i in range(12)]}
    for index in range(count):
        n = random.randint(1, 24)
        top = random.choice([2, 5, 15, 60, 5000])
        values = [random.randint(1, top) for _ in range(n)]
        hit = sum(random.sample(values, random.randint(1, n)))
        yield f"random {index}: {n}, {top}", {"target": hit + random.choice([0, 0, 1]), "values": values}


def cp_model_of(instance):
    model = cp_model.CpModel()
    chosen = [model.new_bool_var("") for _ in instance["values"]]
    model.add(sum(v * x for v, x in zip(instance["values"], chosen)) == instance["target"])
    model.maximize(sum(chosen))
    return cp_sat(model, lambda solver: [i for i, x in enumerate(chosen) if solver.boolean_value(x)])


def highs_model(instance):
    indices = list(range(len(instance["values"])))
    rows = [(instance["target"], instance["target"], indices, instance["values"])]
    return highs([1] * len(indices), rows, True, lambda chosen: chosen)


def table_of(instance):
    """Largest count per reachable sum, one value after the other: a table in plain Python."""

    def call():
        best = {0: (0, None)}
        for index, value in enumerate(instance["values"]):
            for total, (count, chain) in sorted(best.items(), reverse=True):
                if total + value <= instance["target"] and best.get(total + value, (-1,))[0] < count + 1:
                    best[total + value] = (count + 1, (index, chain))
        if instance["target"] not in best:
            return None
        chosen, chain = [], best[instance["target"]][1]
        while chain:
            chosen.append(chain[0])
            chain = chain[1]
        return chosen

    return exact(call)


PEERS = {"CP-SAT": cp_model_of, "HiGHS": highs_model, "plain table": table_of}
