"""optgap.Curriculum is the library's curriculum over instances and scores."""

import json
import pathlib
import pickle
import re

import numpy as np
import pytest
from completion import complete

import optgap

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
        lambda plan, instances, scores: optgap.Curriculum(tasks=["no_such_task"]),
        lambda plan, instances, scores: optgap.Curriculum(tasks=["tsp", "tsp@1"]),
        lambda plan, instances, scores: optgap.Curriculum(tasks=["optgap/tsp"]),
        lambda plan, instances, scores: optgap.Curriculum(tasks=["rg/" + "a" * 200]),
        lambda plan, instances, scores: optgap.Curriculum(tasks=["rg/spell backward"]),
        lambda plan, instances, scores: optgap.Curriculum(tasks=["/spell"]),
        lambda plan, instances, scores: optgap.Curriculum(tasks=["rg/spell@2"]),
        lambda plan, instances, scores: optgap.Curriculum(tasks=["rg/\ud800"]),
        lambda plan, instances, scores: optgap.Curriculum(tasks=7),
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


MIXED = {"tsp": 1, "rg/spell_backward": 2, "mine/deep/toy-3.b": 1}


def test_tasks_from_outside_are_drawn_by_name(engine):
    plan = optgap.Curriculum("adaptive", MIXED, seed=3)
    drawn = plan.draws(64)
    assert set(drawn.task) == set(MIXED) and drawn.task.count("rg/spell_backward") > 22
    assert set(drawn.level) == {"d0", "d1", "d2", "d3"}
    assert drawn.seed.dtype == np.uint64 and len(set(drawn.seed.tolist())) == 64
    later = plan.draws(16, first=48)
    assert later.task == drawn.task[48:] and later.level == drawn.level[48:] and (later.seed == drawn.seed[48:]).all()
    with pytest.raises(optgap.Error, match="rg/spell_backward is from outside|mine/deep/toy-3.b is from outside"):
        plan.instances(engine, 64)
    resumed = pickle.loads(pickle.dumps(plan))
    assert resumed.state_dict() == plan.state_dict() and resumed.draws(8).task == plan.draws(8).task
    assert optgap.Curriculum("mixed", "mine/toy").draws(100).level.count("hard") > 0


def test_draws_name_what_instances_generates(engine):
    plan = new_plan()
    drawn = plan.draws(32, first=5)
    keys = [optgap.Key.parse(key) for key in plan.instances(engine, 32, first=5).keys]
    assert [key.task for key in keys] == drawn.task
    assert [key.level for key in keys] == drawn.level
    assert [key.seed for key in keys] == drawn.seed.tolist()


def test_a_mistyped_task_is_told_its_near_name():
    with pytest.raises(optgap.Error, match=r"did you mean knapsack\?.*has a slash") as told:
        optgap.Curriculum(tasks=["tsp", "knapsak"])
    assert told.value.status == "unknown_task" and told.value.field == "tasks"
    with pytest.raises(optgap.Error, match="tsp@7"):
        optgap.Curriculum(tasks="tsp@7")


@pytest.mark.parametrize("finish", [None, ["stop", "length", "abort", "unknown"] * 8])
@pytest.mark.parametrize("policy", ["adaptive", "window_public_code"])
def test_rows_are_observed_as_instances_and_scores_are(engine, policy, finish):
    plan, other = new_plan(policy), new_plan(policy)
    instances = plan.instances(engine, 8)
    texts = [complete(answer) for answer in engine.noisy_greedy(instances, 4).tolist()]
    order = np.random.default_rng(1).permutation(len(texts))
    scores = engine.score(instances, [texts[row] for row in order], engine.solve(instances), instance_of=order // 4)
    plan.observe(instances, scores, instance_of=order // 4, finish=finish)
    drawn = other.draws(8)
    task, level = [drawn.task[row // 4] for row in order], [drawn.level[row // 4] for row in order]
    other.observe_rows(task, level, [f"group {row // 4}" for row in order], scores.feasible, scores.quality, finish)
    assert plan.delta() == other.delta() and '"cells":[]' not in plan.delta()


def test_rows_of_tasks_from_outside_move_their_windows():
    plan = optgap.Curriculum("adaptive", MIXED, seed=3)
    for _ in range(6):
        drawn = plan.draws(64)
        good = [name == "rg/spell_backward" for name in drawn.task for _ in range(4)]
        task, level = ([one for one in column for _ in range(4)] for column in (drawn.task, drawn.level))
        plan.observe_rows(task, level, np.repeat(np.arange(64) - 7, 4), good, [1.0] * 256)
        assert plan.merge(plan.delta())
        plan.step()
    high = {task["name"]: task["high"] for task in plan.state["tasks"]}
    assert high["rg/spell_backward"] > 3 and high["tsp"] <= 3 and high["mine/deep/toy-3.b"] <= 3


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"task": ["tsp", "knapsack"]}, "'knapsack' is no task of this curriculum"),
        ({"task": "tsp"}, "task: expected a sequence"),
        ({"level": ["d0"]}, "level: expected 2 entries, got 1"),
        ({"level": ["d0", "dx"]}, "level"),
        ({"level": ["d0", "d1"]}, "row 1 is tsp at d1, but row 0 of the same group is tsp at d0"),
        ({"task": ["tsp", "rg/spell_backward"]}, "row 1 is rg/spell_backward at d0"),
        ({"group": [0]}, "group: expected 2 entries"),
        ({"group": [[], []]}, "group"),
        ({"feasible": [True]}, "feasible: expected 2 entries"),
        ({"quality": "ab"}, "quality"),
        ({"finish": ["stop", "done"]}, "finish"),
    ],
)
def test_rows_that_do_not_fit_are_refused(changed, words):
    plan = optgap.Curriculum("adaptive", MIXED, seed=3)
    rows = {"task": ["tsp"] * 2, "level": ["d0"] * 2, "group": [0, 0], "feasible": [True] * 2, "quality": [1.0, 0.5]}
    with pytest.raises(optgap.Error, match=words):
        plan.observe_rows(**{**rows, **changed})
    assert '"cells":[]' in plan.delta()


def test_arms_of_the_guide_are_specs_that_do_what_they_say():
    page = pathlib.Path(__file__).parents[2].joinpath("docs/curriculum.md").read_text(encoding="utf-8")
    table = page.partition("## Arms")[2].partition("\n## ")[0]
    specs = [json.loads(text) for text in re.findall(r"`(\{.*?\})`", table)]
    assert len(specs) == 14
    for spec in specs:
        plan = optgap.Curriculum(spec, "mine/toy", seed=1)
        assert spec.items() <= {**plan.policy, "policy": spec["policy"]}.items()
        levels = set(plan.draws(4000).level)
        if spec["policy"] == "static":
            low, high = spec["range"]
            assert levels == {f"d{step}" for step in range(low, high + 1)}
        elif spec["policy"] == "mixed":
            assert levels == {"easy", "medium", "hard"}
        else:
            assert len(levels) == 1
