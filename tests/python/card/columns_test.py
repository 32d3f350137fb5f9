"""What a store makes of columns where they lie is what the engine's calls on the CPU make of the same rows: all tasks, every verb,
and whoever owns the columns."""

import numpy as np
import pytest
from cases import BY_TASK, Case, Chain, same, same_rewards
from libraries import LIBRARIES, Torch, library

from optgap.core.device import DeviceStore


@pytest.mark.parametrize("name", LIBRARIES)
def test_all_tasks_have_the_engine_s_bytes(store, case, name):
    by = library(name)
    chain = Chain(by, store, case, out=by if by.writes else Torch())
    numbers = chain.queue()
    assert numbers == list(range(numbers[0], numbers[0] + 5))
    store.wait()
    chain.expect(case)


@pytest.mark.parametrize("level", ["medium", "hard"])
def test_larger_instances_have_them_too(engine, store, level):
    case = Case.drawn(engine, level, count=1, seed=23)
    chain = Chain(Torch(), store, case)
    chain.queue()
    store.wait()
    chain.expect(case)


def test_more_rows_than_fit_go_in_pieces(engine, gpu):
    """A quarter of the store's memory is what its verbs work in; advantages, whose groups lie anywhere, go in one."""
    case = Case.drawn(engine, "easy", count=1, seed=31, answers=48)
    store = DeviceStore(gpu, memory=4 << 20)
    chain = Chain(Torch(), store, case)
    chain.queue()
    store.wait()
    chain.expect(case)


def test_a_user_s_own_instances_are_copied_there(engine, store, case):
    tours = np.flatnonzero(case.made.task == [task.name for task in engine.tasks].index("tsp"))
    own = engine.from_json("tsp", [case.made.json[i] for i in tours])
    lent = store.keep(own)
    back = Torch()
    for name in ("task", "words", "offsets"):
        assert same(back.back(back.torch.from_dlpack(getattr(lent, name))), getattr(own, name))


@pytest.mark.parametrize("rule", ["binary", {"shape": "power", "exponent": 2}, BY_TASK])
def test_every_rule_rewards_as_score_does(store, case, chain, rule):
    expected = case.scores(rule)
    assert not same(expected.reward, case.forge.reward)
    chain.verify()
    chain.reward(reward=rule)
    store.wait()
    same_rewards(Torch().back(chain.rewarded), Torch().back(chain.rewards), expected)


ESTIMATORS = ["grpo", "dr_grpo", "rloo", "leave_one_out", "max_rl", {"estimator": "pass_k", "of_one": "zero"}]


@pytest.mark.parametrize("how", ESTIMATORS)
def test_every_estimator_gives_the_engine_s_advantages(store, case, chain, how):
    chain.verify()
    chain.reward()
    chain.compare(advantage=how)
    store.wait()
    expected = case.cpu.advantages(case.forge.reward, case.instance_of, how)
    assert np.any(expected)
    assert same(Torch().back(chain.advantages), expected)


def test_torch_changes_rewards_between_two_verbs(torch, store, case, chain):
    """A trainer's own term, added where the rewards lie: nothing leaves the GPU and nobody waits."""
    chain.verify()
    chain.reward()
    chain.rewards.mul_(0.5).add_(chain.instance_of.to(torch.float32), alpha=0.25)
    chain.compare()
    mixed = chain.rewards.cpu().numpy()
    assert not same(mixed, case.forge.reward)
    assert same(chain.advantages.cpu().numpy(), case.cpu.advantages(mixed, case.instance_of))


@pytest.mark.parametrize("name", LIBRARIES)
def test_a_set_s_columns_are_read_where_they_lie(torch, store, case, name):
    by = library(name)
    reads = by.jax.dlpack.from_dlpack if name == "jax" else getattr(by, name).from_dlpack
    kept = store.keep(case.made)
    lent = {column: reads(getattr(kept, column)) for column in ("task", "words", "offsets")}
    del kept
    other = store.keep(case.cpu.generate("all", level="easy", count=2, seed=77))
    for column, array in lent.items():
        assert same(by.back(array), getattr(case.made, column)), column
    assert len(other) == len(case.made)
