"""As few subsets as possible, or of as little cost, whose union is the universe 0 … u - 1."""

from found import cp_sat, highs
from labels import placed, renamed
from ortools.sat.python import cp_model
from verdict import Verdict, feasible, is_rows, outside_or_repeated, worst

MAXIMISE = False
ROWS = False
WORD = "Impossible"


def costs_of(instance):
    return instance.get("costs", [1] * len(instance["sets"]))


def judge(instance, answer):
    universe, sets = instance["universe"], instance["sets"]
    most = max(1, universe)
    if isinstance(answer, str):
        return worst("empty" if answer.lower() == WORD.lower() else "unparsable", most)
    if is_rows(answer):
        return worst("bad_depth", most)
    if not answer:
        return worst("empty", most)
    if verdict := outside_or_repeated(answer, len(sets), most):
        return verdict
    uncovered = set(range(universe)).difference(*(sets[i] for i in answer))
    if uncovered:
        return Verdict("uncovered", -1, None, len(uncovered), most)
    return feasible(sum(costs_of(instance)[i] for i in answer), most)


def under_labels(instance, labels):
    costs = {"costs": placed(instance["costs"], labels["set"])} if "costs" in instance else {}
    sets = placed([renamed(one, labels["element"]) for one in instance["sets"]], labels["set"])
    return dict(instance, sets=sets, **costs)


def answer_under_labels(answer, labels):
    return renamed(answer, labels["set"])


def label_count(instance):
    return len(instance["sets"])


def random_answer(instance, random):
    missing, chosen = set(range(instance["universe"])), []
    for index in random.sample(range(len(instance["sets"])), len(instance["sets"])):
        if missing.intersection(instance["sets"][index]):
            missing.difference_update(instance["sets"][index])
            chosen.append(index)
    return chosen


def all_but_one(instance, answer, random):
    del answer
    sets = list(range(len(instance["sets"])))
    sets.pop(random.randrange(len(sets)))
    return sets


mutants = [all_but_one]


def odd_instances(random, count):
    yield "one set", {"universe": 3, "sets": [[0, 1, 2]]}
    yield "an element in no set", {"universe": 4, "sets": [[0, 1], [1, 2], [0, 2]]}
    yield "no element in any set", {"universe": 2, "sets": [[], []]}
    yield "an empty set", {"universe": 3, "sets": [[], [0, 1], [2], [1, 2]]}
    yield "single elements", {"universe": 9, "sets": [[v] for v in range(9)]}
    yield "all alike", {"universe": 4, "sets": [[0, 1, 2, 3]] * 7}
    yield (
        "greedy's trap",
        {
            "universe": 14,
            "sets": [list(range(7)), list(range(7, 14)), [0, 7], [1, 2, 8, 9], [3, 4, 5, 6, 10, 11, 12, 13]],
        },
    )
    yield "one element", {"universe": 1, "sets": [[0], [0]]}
    for index in range(count):
        universe = random.choice([1, 2, 5, 9, 14, 20, 31, 32, 33, 45, 64, 65, 70])
        density = random.choice([0.05, 0.15, 0.3, 0.6])
        sets = [[v for v in range(universe) if random.random() < density] for _ in range(random.randint(1, 30))]
        if random.random() < 0.8:
            for v in set(range(universe)).difference(*sets):
                random.choice(sets).append(v)
        plain = {"universe": universe, "sets": sets}
        yield f"random {index}: {universe}, {density}", plain
        top = random.choice([2, 9, 10**6])
        if random.random() < 0.5:
            costs = [random.randint(1, top) for _ in sets]
            yield f"random {index}: {universe}, {density}, costs to {top}", dict(plain, costs=costs)


def cp_model_of(instance):
    model = cp_model.CpModel()
    chosen = [model.new_bool_var("") for _ in instance["sets"]]
    for v in range(instance["universe"]):
        model.add_bool_or([chosen[i] for i, members in enumerate(instance["sets"]) if v in members])
    model.minimize(sum(cost * x for cost, x in zip(costs_of(instance), chosen)))
    return cp_sat(model, lambda solver: [i for i, x in enumerate(chosen) if solver.boolean_value(x)])


def highs_model(instance):
    rows = []
    for v in range(instance["universe"]):
        holders = [i for i, members in enumerate(instance["sets"]) if v in members]
        rows.append((1, len(instance["sets"]), holders, [1] * len(holders)))
    return highs(costs_of(instance), rows, False, lambda chosen: chosen)


PEERS = {"CP-SAT": cp_model_of, "HiGHS": highs_model}
