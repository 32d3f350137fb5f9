"""A closed tour from place 0 that is not longer than the budget; the sum of prizes is maximised."""

from found import cp_sat
from ortools.sat.python import cp_model
from plane import closed_length, distance, named_places, odd_points, under_place_labels
from verdict import Verdict, feasible, not_a_flat_list, outside_or_repeated

MAXIMISE = True
ROWS = False
answer_under_labels = named_places


def under_labels(instance, labels):
    return under_place_labels(instance, labels, "prizes")


def judge(instance, answer):
    n = len(instance["points"])
    most = max(1, sum(2 * distance(instance, 0, v) + 1 for v in range(n)) - instance["budget"])
    if isinstance(answer, list) and len(answer) > 1 and answer[0] == 0 == answer[-1]:
        answer = answer[:-1]  # place 0 at both ends: the same trip
    if verdict := not_a_flat_list(answer, most) or outside_or_repeated(answer, n, most):
        return verdict
    home = answer.index(0) if 0 in answer else -1
    excess = closed_length(instance, answer[home + 1 :] + answer[: max(home, 0)]) - instance["budget"]
    if excess > 0:
        return Verdict("over_budget", -1, None, excess, most)
    return feasible(sum(instance["prizes"][v] for v in answer), most)


def label_count(instance):
    return len(instance["points"])


def random_answer(instance, random):
    trip = []
    for v in random.sample(range(1, label_count(instance)), label_count(instance) - 1):
        if closed_length(instance, trip + [v]) <= instance["budget"] or random.random() < 0.02:
            trip.append(v)
    return trip


def with_home(instance, answer, random):
    """Inserts place 0 somewhere."""
    del instance
    at = random.randint(0, len(answer))
    return answer[:at] + [0] + answer[at:]


def closed(instance, answer, random):
    """Puts place 0 at both ends."""
    del instance, random
    return [0, *answer, 0]


def turned_round(instance, answer, random):
    """Reverses a part of the trip."""
    del instance
    i, j = sorted(random.randint(0, len(answer)) for _ in range(2))
    return answer[:i] + answer[i:j][::-1] + answer[j:]


mutants = [with_home, closed, turned_round]


def odd_instances(random, count):
    for name, points in odd_points(random, count):
        instance = {
            "budget": 0,
            "points": points,
            "prizes": [0] + [random.choice([0, 1, 7, random.randint(1, 20)]) for _ in points[1:]],
        }
        whole = closed_length(instance, range(1, len(points)))
        for budget in sorted({0, whole // 4, whole // 2, whole}):
            yield f"{name}, budget {budget}", dict(instance, budget=budget)


def cp_model_of(instance):
    """A circuit in which places other than 0 may be left out."""
    n = len(instance["points"])
    model = cp_model.CpModel()
    arcs = [(a, b, model.new_bool_var("")) for a in range(n) for b in range(n)]  # a == b: it is left out
    home = arcs[0][2]
    model.add_circuit(arcs)
    for v in range(1, n):
        model.add_implication(home, arcs[v * n + v][2])
    model.add(sum(distance(instance, a, b) * x for a, b, x in arcs if a != b) <= instance["budget"])
    model.maximize(sum(instance["prizes"][v] * ~arcs[v * n + v][2] for v in range(1, n)))

    def read(solver):
        after = {a: b for a, b, x in arcs if a != b and solver.boolean_value(x)}
        trip = [after[0]] if 0 in after else []
        while trip and after[trip[-1]] != 0:
            trip.append(after[trip[-1]])
        return trip

    return cp_sat(model, read)


PEERS = {"CP-SAT": cp_model_of}
