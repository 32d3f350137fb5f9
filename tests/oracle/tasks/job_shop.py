"""Jobs over machines, each in its own order; the earliest time at which everything is done."""

from collections import Counter

from found import cp_sat
from labels import placed, renamed
from orders import mutants as moves
from ortools.sat.python import cp_model
from verdict import Verdict, feasible, first_outside, not_a_flat_list, worst

MAXIMISE = False
ROWS = False


def label_count(instance):
    return len(instance["machines"])


def judge(instance, answer):
    machines, times = instance["machines"], instance["times"]
    jobs, stages = len(machines), len(machines[0])
    most = 2 * jobs * stages
    if verdict := not_a_flat_list(answer, most):
        return verdict
    if not answer:
        return worst("empty", most)
    if len(answer) != jobs * stages:
        return worst("wrong_length", most)
    if (at := first_outside(answer, jobs)) is not None:
        return worst("out_of_range", most, at)
    count, where = Counter(), -1
    for at, job in enumerate(answer):
        count[job] += 1
        if count[job] > stages and where < 0:
            where = at
    if off := sum(abs(count[job] - stages) for job in range(jobs)):
        return Verdict("wrong_count", where, None, off, most)
    stage, ready, free = Counter(), Counter(), Counter()
    for job in answer:
        machine, time = machines[job][stage[job]], times[job][stage[job]]
        ready[job] = free[machine] = max(ready[job], free[machine]) + time
        stage[job] += 1
    return feasible(max(ready.values()), most)


def under_labels(instance, labels):
    ways = [renamed(way, labels["machine"]) for way in instance["machines"]]
    return dict(instance, machines=placed(ways, labels["job"]), times=placed(instance["times"], labels["job"]))


def answer_under_labels(answer, labels):
    return renamed(answer, labels["job"])


def random_answer(instance, random):
    answer = [job for job, way in enumerate(instance["machines"]) for _ in way]
    random.shuffle(answer)
    return answer


def another_job(instance, answer, random):
    changed = list(answer)
    if changed:
        changed[random.randrange(len(changed))] = random.randrange(len(instance["machines"]))
    return changed


mutants = [*moves, another_job]


def odd_instances(random, count):
    yield "one job", {"m": 3, "machines": [[2, 0, 1]], "times": [[4, 1, 2]]}
    yield "one machine", {"m": 1, "machines": [[0], [0], [0]], "times": [[4], [1], [2]]}
    yield "one machine, again and again", {"m": 2, "machines": [[1, 1, 1], [1, 1, 1]], "times": [[4, 1, 2], [3, 3, 3]]}
    yield "all alike", {"m": 3, "machines": [[0, 1, 2]] * 5, "times": [[3, 3, 3]] * 5}
    yield (
        "there and back",
        {"m": 2, "machines": [[0, 1, 0], [1, 0, 1], [0, 1, 0]], "times": [[5, 1, 5], [2, 8, 2], [1, 1, 1]]},
    )
    yield (
        "large times",
        {"m": 2, "machines": [[0, 1], [1, 0], [0, 1]], "times": [[10**6, 1], [10**6, 10**6], [1, 10**6]]},
    )
    for index in range(count):
        jobs, stages, m = random.randint(1, 5), random.randint(1, 5), random.randint(1, 5)
        top = random.choice([1, 9, 50, 10**6])
        yield (
            f"random {index}: {jobs} x {stages}, {m}, {top}",
            {
                "m": m,
                "machines": [[random.randrange(m) for _ in range(stages)] for _ in range(jobs)],
                "times": [[random.randint(1, top) for _ in range(stages)] for _ in range(jobs)],
            },
        )


def cp_model_of(instance):
    model = cp_model.CpModel()
    most = sum(map(sum, instance["times"]))
    end = model.new_int_var(0, most, "")
    on_machine = [[] for _ in range(instance["m"])]
    starts = []
    for job, (way, times) in enumerate(zip(instance["machines"], instance["times"], strict=True)):
        done = 0
        for stage, (machine, time) in enumerate(zip(way, times, strict=True)):
            start = model.new_int_var(0, most, "")
            model.add(start >= done)
            on_machine[machine].append(model.new_fixed_size_interval_var(start, time, ""))
            starts.append((start, job, stage))
            done = start + time
        model.add(end >= done)
    for intervals in on_machine:
        model.add_no_overlap(intervals)
    model.minimize(end)
    return cp_sat(
        model,
        lambda solver: [job for _, job, _ in sorted((solver.value(start), job, stage) for start, job, stage in starts)],
    )


PEERS = {"CP-SAT": cp_model_of}
