"""A curriculum of which a share comes from a pool, and prompts for proposers."""

import json

import numpy as np
import pytest
from completion import complete

import optgap

SPEC = {"policy": "pool", "scale": 0.5, "inner": {"policy": "static", "level": "d2"}}


def made(engine, path, *, spec=SPEC, seed=7, filled=True):
    pool = optgap.Pool(path, seed=3)
    if filled and not len(pool):
        pool.add(engine.generate("tsp", "d3", 12))
        pool.step()
    return optgap.PoolCurriculum(spec, pool, ["knapsack", "tsp"], seed)


def scored(engine, draws, wrong=3):
    """Optimal answers, but for every `wrong`th."""
    answers = engine.solve(draws.instances).answers.tolist()
    texts = [complete(answer if row % wrong else [0]) for row, answer in enumerate(answers)]
    return engine.score(draws.instances, texts, draws.baselines(engine))


def test_rows_are_the_scales_and_the_pools_own(engine, tmp_path):
    plan = made(engine, tmp_path / "a.db")
    draws = plan.draw(engine, 200)
    of_pool = draws.entry >= 0
    assert 60 < of_pool.sum() < 140
    scale = plan.inner.instances(engine, 200)
    pool = plan.pool.draw(200)
    keys = draws.instances.keys
    for row in range(200):
        assert keys[row] == (pool.instances if of_pool[row] else scale).keys[row]
    assert (draws.entry[of_pool] == pool.entry[of_pool]).all()
    assert (draws.baselines(engine).objective == engine.solve(draws.instances).objective).all()
    assert plan.draw(engine, 50, first=150).instances.keys == keys[150:]
    assert made(engine, tmp_path / "a2.db").draw(engine, 200).entry.tolist() == draws.entry.tolist()


@pytest.mark.parametrize("scale", [0, 1])
def test_all_may_be_of_one(engine, tmp_path, scale):
    plan = made(engine, tmp_path / "a.db", spec={**SPEC, "scale": scale})
    assert ((plan.draw(engine, 20).entry < 0) == bool(scale)).all()
    empty = made(engine, tmp_path / "b.db", spec={**SPEC, "scale": scale}, filled=False)
    assert (empty.draw(engine, 20).entry < 0).all(), "an empty pool has nothing to draw"
    assert len(plan.draw(engine, 0)) == 0


def test_ranks_and_resumed_runs_agree(engine, tmp_path):
    spec = {"policy": "pool", "scale": 0.4, "inner": "adaptive"}
    alone = made(engine, tmp_path / "alone.db", spec=spec)
    writer = made(engine, tmp_path / "shared.db", spec=spec)
    reader = optgap.PoolCurriculum(spec, optgap.Pool(tmp_path / "shared.db", writes=False), ["knapsack", "tsp"], 7)
    states = []
    for _ in range(3):
        whole = alone.draw(engine, 24)
        alone.observe(whole, scored(engine, whole, wrong=2))
        alone.merge(alone.delta())
        parts = [writer.draw(engine, 12), reader.draw(engine, 12, first=12)]
        assert [*parts[0].entry, *parts[1].entry] == whole.entry.tolist()
        for plan, part in zip((writer, reader), parts):
            plan.observe(part, scored(engine, part, wrong=2))
        deltas = [reader.delta(1), writer.delta(0)]
        assert [writer.merge(delta) for delta in [*deltas, deltas[0]]] == [True, True, False]
        assert [reader.merge(delta, pool=False) for delta in deltas] == [True, True]
        alone.step()
        writer.step()
        reader.step(pool=False)
        assert alone.state_dict() == writer.state_dict() == reader.state_dict()
        states.append(writer.state_dict())
    again = optgap.PoolCurriculum(spec, optgap.Pool(tmp_path / "shared.db", writes=False), ["knapsack", "tsp"], 7)
    with pytest.raises(optgap.Error, match="the process that writes rewinds it first"):
        again.load_state_dict(states[1])
    assert again.inner.steps == 0, "nothing changed"
    again.load_state_dict(states[2])
    assert again.draw(engine, 24).instances.keys == writer.draw(engine, 24).instances.keys
    writer.load_state_dict(states[1])
    again.load_state_dict(states[1])
    assert again.state_dict() == writer.state_dict() == states[1]
    assert again.draw(engine, 24).instances.keys == writer.draw(engine, 24).instances.keys
    before = again.state_dict()
    with pytest.raises(
        optgap.Error, match="state: is of a pool with hash .* at step 4: step: 4: expected one from 0 to 3"
    ):
        writer.load_state_dict(states[2])
    assert writer.state_dict() == before, "nothing changed"


def test_rollouts_that_did_not_end_say_nothing_to_the_pool(engine, tmp_path):
    plan = made(engine, tmp_path / "a.db", spec={**SPEC, "scale": 0})
    draws = plan.draw(engine, 4)
    before = plan.pool.weights("signal").tolist()
    plan.observe(draws, scored(engine, draws), finish=["length"] * 4)
    plan.merge(plan.delta())
    plan.step()
    later = plan.pool.weights("signal").tolist()
    assert sorted(later) == sorted(weight + 2**14 for weight in before) or len(set(later)) == 1


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda plan: optgap.PoolCurriculum("adaptive", plan.pool), 'expected "pool"'),
        (lambda plan: optgap.PoolCurriculum({**SPEC, "scale": 2}, plan.pool), "scale"),
        (lambda plan: optgap.PoolCurriculum({**SPEC, "inner": SPEC}, plan.pool), "inner"),
        (lambda plan: plan.merge("{}"), "PoolCurriculum.delta"),
        (lambda plan: plan.load_state_dict("no"), "PoolCurriculum.state_dict"),
        (lambda plan: plan.load_state_dict(json.dumps({**json.loads(plan.state_dict()), "seed": 8})), "seed 8"),
    ],
)
def test_what_is_wrong_is_said(engine, tmp_path, call, said):
    plan = made(engine, tmp_path / "a.db")
    with pytest.raises(optgap.Error, match=said):
        call(plan)


def test_prompts_are_those_of_the_command(engine, tmp_path, run_native):
    pool = optgap.Pool(tmp_path / "a.db")
    pool.add(engine.generate("tsp", "d3", 4))
    pool.step()
    lines = run_native("propose-prompt", "tsp", "--target", "10-20")
    assert json.loads("".join(lines))["prompt"] == optgap.proposer_prompt("tsp", target=(10, 20))
    shown = pool.draw(2).instances
    text = optgap.proposer_prompt("tsp", shown)
    assert all(one in text for one in shown.json) and np.all(shown.task == shown.task[0])
    with pytest.raises(optgap.Error, match="knapsack alone"):
        optgap.proposer_prompt("knapsack", shown)
