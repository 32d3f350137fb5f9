"""slime's documented hooks, without slime: samples with its fields, a namespace of arguments, its event loop."""

import asyncio
import json

import pytest
from hostile import HOSTILE
from slime_stand_in import Sample, arguments

import optgap
from optgap.trainers.common import ground_truth, overlapped
from optgap.trainers.common.evaluation import fingerprint
from optgap.trainers.slime import reward as slime


def group(rows, texts, place=0, index=0):
    return [Sample(group_index=index, response=text, label=rows.ground_truths[place]) for text in texts]


def rewarded(args, samples):
    for sample, reward in zip(samples, asyncio.run(slime.rm(args, samples))):
        sample.reward = reward
    return samples


def test_one_sample_and_a_group_give_the_same(rows):
    samples = group(rows, [rows.optimal[0], rows.greedy[0], "x"])

    async def one_by_one(args):
        return await asyncio.gather(*(slime.rm(args, sample, evaluation=False) for sample in samples))

    for args in (arguments(), arguments(reward_key=None)):
        assert asyncio.run(slime.rm(args, samples)) == asyncio.run(one_by_one(args))
    assert asyncio.run(slime.rm(arguments(reward_key=None), samples))[0] == 2.0


def test_the_fingerprint_stands_in_every_sample_and_in_the_arguments(rows):
    path = "optgap.trainers.slime.reward.post_process"
    for options, digits in (
        ({"optgap_reward": "binary"}, fingerprint("binary")),
        ({"custom_reward_post_process_path": path}, fingerprint("forge", "decoupled")),
        ({"custom_reward_post_process_path": path, "optgap_advantage": "river"}, fingerprint("forge", "river")),
    ):
        args = arguments(**options)
        for sample in rewarded(args, group(rows, [rows.optimal[0], "x"])):
            assert sample.metadata["optgap"]["row"]["fingerprint"] == sample.reward["fingerprint"] == digits
        assert args.optgap_fingerprint == digits
        fresh = arguments(**options)
        slime.DataSource(fresh)
        assert fresh.optgap_fingerprint == digits


def test_the_event_loop_goes_on_while_a_baseline_is_proven():
    label = json.dumps({"key": overlapped.issue("bisection", "d40", 3)[1]})  # 0.3 s

    async def main():
        ticks = 0
        samples = [Sample(response="x", label=label) for _ in range(8)]
        waiting = asyncio.ensure_future(slime.rm(arguments(), samples))
        while not waiting.done():
            await asyncio.sleep(0.01)
            ticks += 1
        return ticks, await waiting

    ground_truth.configure()
    ticks, found = asyncio.run(main())
    assert ticks >= 5 and [row["score"] for row in found] == [-2.5] * 8


def test_the_trainers_word_on_cut_off_samples_counts(rows):
    args = arguments(optgap_reward={"truncated": "zero"})
    samples = group(rows, ["<think>so", rows.optimal[0]])
    samples[0].status = Sample.Status.TRUNCATED
    found = asyncio.run(slime.rm(args, samples))
    assert [row["score"] for row in found] == [0.0, 2.0] and [row["truncated"] for row in found] == [1, 0]


def test_post_processing_uses_slimes_own_groups(rows):
    args = arguments(optgap_advantage="river")
    samples = rewarded(args, [
        *group(rows, [rows.optimal[0], rows.greedy[0], "x", "x"], index=7),
        *group(rows, [rows.greedy[0]] * 4, index=8),
    ])  # fmt: skip
    mixed = [samples[place] for place in (0, 4, 1, 5, 2, 6, 3, 7)]
    raw, values = slime.post_process(args, mixed)
    assert raw[0] == 2.0 and values[::2] == [1.0, 0.5, -1.0, -1.0] and len(set(values[1::2])) == 1
    constant = slime.post_process(arguments(optgap_advantage="decoupled"), samples[4:])[1]
    assert constant == [0.0] * 4


def test_post_processing_leaves_other_data_to_slimes_form(rows):
    args = arguments()
    ours = rewarded(args, group(rows, [rows.optimal[0], "x"], index=0))
    others = [Sample(group_index=1, label="72", reward={"score": value}) for value in (1.0, 0.0)]
    _, values = slime.post_process(args, [ours, others])
    assert values[2:] == pytest.approx([0.7071, -0.7071], abs=1e-3) and values[0] > 0 > values[1]


def test_a_filter_keeps_groups_that_differ(rows):
    args = arguments()
    equal = slime.keep_group(args, rewarded(args, group(rows, [rows.greedy[0]] * 3)))
    assert not equal.keep and equal.reason.startswith("equal_")
    assert slime.keep_group(args, rewarded(args, group(rows, [rows.optimal[0], "x"]))).keep


def test_a_filter_drops_groups_that_differ_by_length_alone(rows):
    args = arguments(optgap_reward={"length": {"limit": 100, "buffer": 50}})
    samples = group(rows, [rows.greedy[0]] * 3)
    for sample, length in zip(samples, (10, 80, 95)):
        sample.response_length = length
    rewards = [sample.reward["score"] for sample in rewarded(args, samples)]
    assert len(set(rewards)) == 3 and not slime.keep_group(args, samples).keep
    better = group(rows, [rows.optimal[0], rows.greedy[0]])
    for sample, length in zip(better, (95, 10)):
        sample.response_length = length
    assert slime.keep_group(args, rewarded(args, better)).keep


def test_what_slime_cannot_do_is_refused(rows):
    with pytest.raises(optgap.Error, match="no sample without a reward"):
        asyncio.run(slime.rm(arguments(optgap_reward={"truncated": "exclude"}), group(rows, ["x"])))
    with pytest.raises(optgap.Error, match="not optgap's"):
        asyncio.run(slime.rm(arguments(), Sample(label="72")))
    with pytest.raises(optgap.Error, match="its group is not known"):
        slime.post_process(arguments(), [Sample(reward={"score": 1.0})])


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_no_text_raises(rows, text):
    assert asyncio.run(slime.rm(arguments(), group(rows, [text])))[0]["feasible"] == 0


@pytest.mark.parametrize("end", ["<|im_end|>", "<end_of_turn>\n", "<｜end▁of▁sentence｜>", "<|return|>"])
def test_the_end_of_the_turn_is_no_part_of_an_answer(rows, end):
    samples = group(rows, [rows.optimal[0] + end])
    assert asyncio.run(slime.rm(arguments(reward_key=None), samples)) == [2.0]


async def other_rm(args, sample):
    return {"score": 0.25, "acc": 1} if sample.label == "dict" else 0.75


def test_other_data_goes_to_the_fallback_under_the_same_keys(rows):
    samples = [*group(rows, [rows.optimal[0]]), Sample(label="dict", response="x"), Sample(label="72", response="x")]
    args = arguments(optgap_fallback=f"{__name__}.other_rm")
    ours, mapping, number = asyncio.run(slime.rm(args, samples))
    assert tuple(ours) == tuple(mapping) == tuple(number)
    assert (mapping["score"], mapping["acc"], number["score"], number["code"]) == (0.25, 1.0, 0.75, -1)
    assert asyncio.run(slime.rm(arguments(optgap_fallback=args.optgap_fallback, reward_key=None), samples[2])) == 0.75
    with pytest.raises(optgap.Error, match="optgap_fallback"):
        asyncio.run(slime.rm(arguments(), samples[1]))
