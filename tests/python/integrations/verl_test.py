"""verl's documented calls, without verl: one sample a call, from many coroutines, keywords only."""

import asyncio
import functools
import inspect
import os
import pickle
import subprocess
import sys
import time

import pytest
from hostile import HOSTILE

import optgap
from optgap.trainers.common import overlapped
from optgap.trainers.common.evaluation import SCALARS, fingerprint
from optgap.trainers.verl import reward as verl
from optgap.trainers.verl.estimators import estimator, require_threshold


def call(function, row, text, source="optgap/tsp/easy", **others):
    """As verl's reward managers call it."""
    return function(data_source=source, solution_str=text, ground_truth=row, extra_info={"num_turns": 2}, **others)


def test_sync_and_async_give_the_same_fixed_keys(rows):
    text, truth = rows.greedy[0], rows.ground_truths[0]
    one = call(verl.compute_score, truth, text)
    assert tuple(one) == verl.ROW == (*SCALARS, "fingerprint") and one["fingerprint"] == fingerprint("forge")
    assert all(isinstance(one[key], (int, float)) for key in SCALARS)
    assert asyncio.run(call(verl.compute_score_async, truth, text)) == one
    assert inspect.iscoroutinefunction(functools.partial(verl.compute_score_async, reward="forge"))


def test_the_reward_can_be_set_by_reward_kwargs(rows):
    kinds = {"reward": {"shape": "binary"}, "reward_router_address": None}
    assert call(verl.compute_score, rows.ground_truths[0], rows.optimal[0], **kinds)["score"] == 1.0
    assert call(verl.compute_score, rows.ground_truths[0], "x", **kinds)["score"] == 0.0
    assert call(verl.compute_score, rows.ground_truths[0], "x", **kinds)["fingerprint"] == fingerprint("binary")


def test_what_verl_cannot_do_is_refused_with_the_reason(rows):
    with pytest.raises(optgap.Error, match="no row without a reward"):
        call(verl.compute_score, rows.ground_truths[0], "x", reward={"truncated": "exclude"})
    with pytest.raises(optgap.Error, match="manager"):
        call(verl.compute_score, rows.ground_truths[0], "x", reward={"truncated": "zero"})
    with pytest.raises(optgap.Error, match="manager"):
        verl.route(reward={"truncated": "zero"})
    with pytest.raises(optgap.Error, match=r"route\(fallback"):
        call(verl.compute_score, "72", "x", source="openai/gsm8k")
    with pytest.raises(optgap.Error, match=r"route\(fallback"):
        asyncio.run(call(verl.compute_score_async, "72", "x", source="openai/gsm8k"))


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_no_text_raises(rows, text):
    assert tuple(call(verl.compute_score, rows.ground_truths[0], text)) == verl.ROW


def test_256_concurrent_callers_share_calls_and_cost_little(rows):
    async def step():
        began = time.perf_counter()
        found = await asyncio.gather(
            *(call(verl.compute_score_async, rows.ground_truths[i % 2], rows.optimal[i % 2]) for i in range(256))
        )
        return found, time.perf_counter() - began

    async def steps():
        await step()
        return [await step() for _ in range(20)]

    before = overlapped.scheduler().statistics()["batches"]
    found = asyncio.run(steps())
    after = overlapped.scheduler().statistics()["batches"]
    assert all(row["score"] == 2.0 for scored, _ in found for row in scored)
    assert after["rows"] - before["rows"] == 21 * 256
    # What comes while a batch runs makes the next one: how many there are depends on the machine.
    assert after["count"] - before["count"] < 21 * 256
    fastest = min(seconds for _, seconds in found) / 256
    print(f"{1e6 * fastest:.1f} us a sample")
    assert fastest < 500e-6


def test_samples_that_come_one_after_another_wait_for_no_company(rows):
    async def late():
        await call(verl.compute_score_async, rows.ground_truths[0], rows.optimal[0])
        waits = []
        for _ in range(50):
            began = time.perf_counter()
            await call(verl.compute_score_async, rows.ground_truths[0], rows.optimal[0])
            waits.append(time.perf_counter() - began)
        return sorted(waits)[25]

    assert asyncio.run(late()) < 0.005


def test_a_second_event_loop_works(rows):
    for _ in range(2):
        assert asyncio.run(call(verl.compute_score_async, rows.ground_truths[0], rows.optimal[0]))["score"] == 2.0


def test_a_router_sends_foreign_rows_elsewhere_under_the_same_keys(rows):
    seen = []

    def math(data_source, solution_str, ground_truth, extra_info=None, **others):
        seen.append((data_source, others))
        return {"score": 0.5, "acc": True, "pred": "72"}

    async def slow_math(**arguments):
        await asyncio.sleep(0)
        return 1.0

    async def main():
        for fallback, score, acc in ((math, 0.5, 1.0), (slow_math, 1.0, 1.0)):
            routed = verl.route(fallback=fallback)
            ours = await call(routed, rows.ground_truths[0], rows.optimal[0])
            theirs = await call(routed, "72", "x", source="openai/gsm8k", reward_router_address="a")
            assert tuple(ours) == tuple(theirs) == verl.ROW and ours["fingerprint"] == theirs["fingerprint"]
            assert ours["score"] == 2.0
            assert (theirs["score"], theirs["acc"], theirs["code"]) == (score, acc, -1)

    asyncio.run(main())
    assert seen == [("openai/gsm8k", {"reward_router_address": "a"})]


def test_the_functions_can_be_pickled():
    for function in (verl.compute_score, verl.compute_score_async):
        assert pickle.loads(pickle.dumps(function)) is function


def test_importing_the_adapter_starts_nothing():
    script = (
        "import sys, threading; import optgap.trainers.verl.reward, optgap.trainers.trl.reward;"
        "import optgap.trainers.slime.reward, optgap.trainers.openrlhf.reward;"
        "assert 'optgap._native' not in sys.modules and 'torch' not in sys.modules;"
        "assert threading.active_count() == 1"
    )
    subprocess.run([sys.executable, "-c", script], check=True, env=os.environ)


def test_rankings_refuse_rewards_that_hide_what_is_feasible():
    for reward in ("forge", {"shape": "forge"}, {"infeasible": "graded"}, {"proven_bonus": 0.5, "truncated": "zero"}):
        require_threshold("optgap_river", reward)
    for reward in ("binary", {"shape": "weighted"}, {"range": [0, 1]}, {"proven_bonus": -1}, {"format_valid": 0}):
        require_threshold("grpo", reward)
        require_threshold("optgap_grpo", reward)
        for name in ("optgap_river", "optgap_rank_uniform", "optgap_instance_norm"):
            with pytest.raises(optgap.Error, match="valid_from"):
                require_threshold(name, reward)
    with pytest.raises(optgap.Error, match="use_kl_in_reward"):
        estimator("river", valid_from=0.75)(None, None, [0], {"use_kl_in_reward": True})
