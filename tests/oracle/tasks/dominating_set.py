"""Vertices such that every other vertex is adjacent to one of them; the least total weight."""

from graphs import neighbours_of
from labels import named_vertices, under_vertex_labels
from verdict import Verdict, feasible, not_a_flat_list, outside_or_repeated, worst

from tasks import vertex_cover
from tasks.vertex_cover import cp_model_for, highs_for, label_count

MAXIMISE = False
ROWS = False
under_labels, answer_under_labels = under_vertex_labels, named_vertices


def judge(instance, answer):
    n, near = instance["n"], neighbours_of(instance)
    if verdict := not_a_flat_list(answer, n):
        return verdict
    if not answer:
        return worst("empty", n)
    if verdict := outside_or_repeated(answer, n, n):
        return verdict
    alone = sum(v not in answer and not near[v].intersection(answer) for v in range(n))
    if alone:
        return Verdict("not_dominated", -1, None, alone, n)
    return feasible(sum(instance["weights"][v] for v in answer), n)


def random_answer(instance, random):
    near = neighbours_of(instance)
    served, chosen = set(), []
    for v in random.sample(range(instance["n"]), instance["n"]):
        if v not in served:
            chosen.append(random.choice(sorted(near[v] | {v})))
            served |= near[chosen[-1]] | {chosen[-1]}
    return chosen


def exchange_with_a_neighbour(instance, answer, random):
    near = neighbours_of(instance)
    inside = [v for v in answer if isinstance(v, int) and 0 <= v < instance["n"] and near[v]]
    if not inside:
        return answer
    out = random.choice(inside)
    return [random.choice(sorted(near[out])) if v == out else v for v in answer]


mutants = [exchange_with_a_neighbour]
odd_instances = vertex_cover.odd_instances


def demands(instance):
    return [sorted(members | {v}) for v, members in enumerate(neighbours_of(instance))]


PEERS = {"CP-SAT": cp_model_for(demands), "HiGHS": highs_for(demands)}
