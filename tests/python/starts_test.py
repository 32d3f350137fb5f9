"""Engine.solve with answers to begin with."""

import numpy as np
import pytest

import optgap


def as_good(task, mine, theirs):
    return mine >= theirs if optgap.tasks()[task].sense == "maximise" else mine <= theirs


def test_a_start_is_kept(engine):
    for task in optgap.tasks():
        made = engine.generate(task.name, "hard", count=2)
        best = engine.solve(made)
        for start in (best.answers, best.answers.tolist()):
            again = engine.solve(made, 0, start)
            assert (again.objective == best.objective).all(), task.name
        some = engine.solve(made, 1, [best.answers.tolist()[0], None])
        assert some.objective[0] == best.objective[0]
        assert some.objective[1] == engine.solve(made, 1).objective[1]


def test_keyed_and_own_instances_have_one_optimum(engine):
    for task in optgap.tasks():
        made = engine.generate(task.name, "benchmark", count=3)
        own = engine.from_json(task.name, made.json)
        keyed, explicit = engine.solve(made), engine.solve(own)
        for row in np.flatnonzero(keyed.proven & explicit.proven):
            assert keyed.objective[row] == explicit.objective[row], task.name
        assert keyed.proven.all() or not explicit.proven.all()


@pytest.mark.parametrize(
    ("start", "rule"),
    [
        (lambda best: best.answers.tolist()[:1], "expected one per instance"),
        (lambda best: [[0, 0], None], "row 0 is no feasible answer"),
        (lambda best: [None, "what?"], "row 1 is no answer"),
        (lambda best: 3, "expected a sequence"),
    ],
)
def test_what_is_no_start_is_refused(engine, start, rule):
    made = engine.generate("tsp", "easy", count=2)
    with pytest.raises(optgap.Error) as caught:
        engine.solve(made, 10, start(engine.solve(made)))
    assert caught.value.status == "invalid_argument" and rule in str(caught.value)


def test_starts_of_another_task_are_refused(engine):
    tours, sacks = engine.generate("tsp", "easy"), engine.generate("knapsack", "easy")
    with pytest.raises(optgap.Error, match="other tasks"):
        engine.solve(tours, 10, engine.solve(sacks).answers)
