"""One mixture over every task of this build that is asked in prompts: one call draws its instances, one scores rollouts of all of them, each by its own
class's shape, and the curriculum adapts from these scores."""

import collections

import numpy as np
import pytest
from completion import complete

import optgap

REWARD = {
    "default": {"shape": "forge"},
    "tasks": {"class:satisfy": "binary", "class:exact": {"shape": "power", "exponent": 2}},
}
GROUP = 4


@pytest.fixture(scope="module")
def steps(engine):
    """Eight steps: of each group the first two answers are optimal, the third is greedy's, the last none."""
    names = [task.name for task in engine.tasks if task.direct]
    plan = optgap.Curriculum({"policy": "adaptive", "rollouts": GROUP, "up": 0.2, "z": 1.0}, "all", seed=11)
    seen = []
    for _ in range(8):
        instances = plan.instances(engine, 6 * len(names))
        solved, greedy = engine.solve(instances), engine.greedy(instances)
        texts = []
        for best, usual in zip(solved.answers.tolist(), greedy.tolist()):
            texts += [complete(best), complete(best), complete(usual), "I do not know."]
        scores = engine.score(instances, texts, solved, reward=REWARD)
        plan.observe(instances, scores)
        assert plan.merge(plan.delta())
        plan.step()
        seen.append((instances, solved, scores))
    return names, plan, seen


@pytest.fixture(scope="module")
def by_index(engine):
    """Names by index."""
    return [task.name for task in engine.tasks]


def test_every_task_is_drawn_proven_and_scored(steps, by_index):
    names, _, seen = steps
    open_at_size = {
        "apples",
        "pairs",
    }  # `optgap tasks` says so: their baselines are the best answers found, with a bound
    drawn = collections.Counter(by_index[task] for instances, _, _ in seen for task in instances.task)
    assert set(drawn) == set(names)
    for instances, solved, scores in seen:
        for place in range(len(instances)):
            known = {"optimal", "infeasible", *(["bounded"] if by_index[instances.task[place]] in open_at_size else [])}
            assert solved.statuses[place] in known
        feasible = np.asarray(scores.feasible).reshape(-1, GROUP)
        # A question without a feasible answer is answered by a word.
        assert feasible[:, :2].all() and not feasible[:, 3].any()


def test_each_class_is_rewarded_by_its_own_shape(steps, engine):
    _, _, seen = steps
    kinds = np.asarray([task.task_class for task in engine.tasks])
    rewards = collections.defaultdict(list)
    for instances, _, scores in seen:
        for kind, group in zip(kinds[instances.task], np.asarray(scores.reward).reshape(-1, GROUP)):
            rewards[str(kind)].append(group)
    rewarded = {kind: np.asarray(groups) for kind, groups in rewards.items()}
    assert set(rewarded) == {"optimise", "satisfy", "exact"}
    assert {kind: set(groups[:, 0]) for kind, groups in rewarded.items()} == {
        "optimise": {2.0},
        "satisfy": {1.0},
        "exact": {1.0},
    }
    assert set(np.unique(rewarded["satisfy"])) <= {0.0, 1.0}
    assert len(np.unique(rewarded["exact"])) > 3 and len(np.unique(rewarded["optimise"])) > 20
    advantage = np.concatenate([np.asarray(scores.advantage).reshape(-1, GROUP) for _, _, scores in seen])
    assert np.allclose(advantage.sum(axis=1), 0, atol=1e-4) and (advantage[:, 0] > 0).all()


def test_levels_move_by_those_scores(steps):
    """Two of three answers that have the format are optimal, so tasks rise."""
    names, plan, _ = steps

    def mean_levels(of):
        draws = of.draws(40 * len(names))
        drawn = collections.defaultdict(list)
        for task, level in zip(draws.task, draws.level):
            drawn[task].append(int(level.removeprefix("d")))
        return {name: np.mean(drawn[name]) for name in names}

    before, after = mean_levels(optgap.Curriculum(plan.policy, "all", seed=11)), mean_levels(plan)
    assert sum(after[name] > before[name] + 1 for name in names) > len(names) // 2
