"""optgap.Curriculum is the library's curriculum over instances and scores."""

import pickle

import numpy as np
import pytest

import optgap
from completion import complete

TASKS = {"tsp": 3, "knapsack": 1}


def a_step(engine, plan, right, ranks=1):
    """One step of 16 problems of 4 rollouts, `right` of them optimal, drawn and observed by `ranks` ranks."""
    share = 16 // ranks
    deltas = []
    for rank in range(ranks):
        worker = pickle.loads(pickle.dumps(plan))
        instances = worker.instances(engine, share, first=rank * share)
        solved = engine.solve(instances)
        texts = [complete(answer) if place < right else "?" for answer in solved.answers.tolist() for place in range(4)]
        worker.observe(instances, engine.score(instances, texts, solved))
        deltas.append(worker.delta(rank))
    for delta in reversed(deltas):
        assert plan.merge(delta)
        assert not plan.merge(delta)
    plan.step()


def new_plan(policy="adaptive"):
    return optgap.Curriculum(policy, TASKS, seed=3)


def test_draws_are_a_function_of_index_and_state(engine):
    plan = new_plan()
    instances = plan.instances(engine, 64)
    assert plan.instances(engine, 16, first=48).keys == instances[48:].keys
    assert new_plan().instances(engine, 64).keys == instances.keys
    names = [optgap.Key.parse(key).task for key in instances.keys]
    assert set(names) == set(TASKS) and names.count("tsp") > names.count("knapsack")
    assert set(plan.instances(engine, 4, split="val").split) == {1}


def test_ranks_agree_with_one_process(engine):
    one, many = new_plan(), new_plan()
    for _ in range(6):
        a_step(engine, one, right=4)
        a_step(engine, many, right=4, ranks=4)
        assert one.state_dict() == many.state_dict()
    assert one.steps == 6


def test_a_mastered_window_moves_up_and_a_failed_one_does_not(engine):
    good, bad = new_plan(), new_plan()
    for _ in range(12):
        a_step(engine, good, right=4)
        a_step(engine, bad, right=0)
    assert all(task["high"] > 3 for task in good.state["tasks"])
    assert all(task["high"] <= 3 for task in bad.state["tasks"])


def test_state_continues_a_run(engine):
    plan = new_plan()
    a_step(engine, plan, right=4)
    resumed = new_plan()
    resumed.load_state_dict(plan.state_dict())
    for other in (resumed, pickle.loads(pickle.dumps(plan))):
        assert other.state_dict() == plan.state_dict() and other.steps == 1
        assert other.instances(engine, 8).keys == plan.instances(engine, 8).keys
    assert "adaptive" in repr(plan) and plan.policy["width"] == 4 and not plan.finished


def test_prompts_may_be_limited(engine):
    sizes = {"tsp": {"d0": 100, "d1": 200, "d2": 5000}}
    plan = optgap.Curriculum({"policy": "window", "max_prompt_chars": 1000}, "tsp", prompt_chars=sizes)
    assert set(plan.instances(engine, 20).level) <= {0, 1}
    with pytest.raises(optgap.Error, match="tsp"):
        optgap.Curriculum({"policy": "window", "max_prompt_chars": 10}, "tsp", prompt_chars=sizes)


@pytest.mark.parametrize(
    "misuse",
    [
        lambda plan, instances, scores: optgap.Curriculum("harder"),
        lambda plan, instances, scores: optgap.Curriculum(tasks={"tsp": 0}),
        lambda plan, instances, scores: optgap.Curriculum(tasks=["sudoku"]),
        lambda plan, instances, scores: optgap.Curriculum(seed=-1),
        lambda plan, instances, scores: plan.merge("{}"),
        lambda plan, instances, scores: plan.load_state_dict("not JSON"),
        lambda plan, instances, scores: plan.load_state_dict(optgap.Curriculum().state_dict()),
        lambda plan, instances, scores: plan.observe(instances, scores, instance_of=[0]),
        lambda plan, instances, scores: plan.observe(instances, scores, finish=["done"] * len(scores)),
        lambda plan, instances, scores: optgap.Curriculum(tasks="clique").observe(instances, scores),
    ],
)
def test_misuse(engine, misuse):
    plan = new_plan()
    instances = plan.instances(engine, 4)
    before = plan.state_dict()
    with pytest.raises(optgap.Error):
        misuse(plan, instances, engine.score(instances, [""] * 4))
    assert plan.state_dict() == before


def test_groups_are_observed_whatever_their_order(engine):
    plan, other = new_plan(), new_plan()
    instances = plan.instances(engine, 8)
    solved = engine.solve(instances)
    texts = [complete(answer) for answer in engine.noisy_greedy(instances, 4).tolist()]
    order = np.random.default_rng(0).permutation(len(texts))
    plan.observe(instances, engine.score(instances, texts, solved))
    scores = engine.score(instances, [texts[row] for row in order], solved, instance_of=order // 4)
    other.observe(instances, scores, instance_of=order // 4)
    assert plan.delta() == other.delta()
