"""The length penalty in every trainer: token counts reach the engine, or a reward that needs them is refused."""

import asyncio
import json
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from tiny_model import byte_tokenizer

import optgap
from optgap.trainers.common.evaluation import evaluate
from optgap.trainers.openrlhf import reward as openrlhf
from optgap.trainers.slime import reward as slime
from optgap.trainers.trl import reward as trl
from optgap.trainers.verl import reward as verl
from optgap.trainers.verl.reward import RewardManager

LENGTH = {"limit": 120, "buffer": 100, "factor": 0.5}
SPEC = {"length": LENGTH, "grid": 0}


def soft_overlong(tokens, limit, buffer, factor=1.0, **_):
    """DAPO's soft overlong punishment (Yu et al. 2025, equation 13) in NumPy, times a factor."""
    tokens = np.asarray(tokens, dtype=np.float64)
    line = ((limit - buffer) - tokens) / buffer
    return factor * np.where(tokens <= limit - buffer, 0.0, np.where(tokens <= limit, line, -1.0))


def test_the_engine_agrees_with_numpy_on_every_length():
    engine = optgap.Engine("cpu", threads=1)
    instances = engine.generate(["tsp"], "easy", 1, seed=3)
    baselines = engine.solve(instances)
    best = f"<think>hm</think><answer>{json.dumps(baselines.answers.tolist()[0])}</answer>"
    lengths = np.arange(0, 300)
    for on in ("all", "wrong"):
        for text, feasible in ((best, True), ("<think>hm</think><answer>[0]</answer>", False)):
            spec = {"length": {**LENGTH, "on": on}, "grid": 0}
            found = engine.score(
                instances, [text] * len(lengths), baselines, instance_of=[0] * len(lengths), length=lengths, reward=spec
            )
            penalty = np.zeros(len(lengths)) if on == "wrong" and feasible else soft_overlong(lengths, **LENGTH)
            np.testing.assert_array_equal(found.length_penalty, penalty.astype(np.float32))
            base = 2.0 if feasible else -0.5
            np.testing.assert_array_equal(found.reward, (base + penalty).astype(np.float32))
            assert not np.signbit(found.length_penalty[:5]).any()
    with pytest.raises(optgap.Error, match="length: the reward has a length penalty"):
        engine.score(instances, [best], baselines, reward=SPEC)


@pytest.fixture(scope="module")
def tokenizer():
    return byte_tokenizer()


def ids_of(tokenizer, row):
    return tokenizer(row["optimal"], add_special_tokens=False)["input_ids"] + [tokenizer.eos_token_id]


def expected(tokens, **changes):
    return float(np.float32(2.0 + soft_overlong(tokens, **{**LENGTH, **changes})))


def by_manager(tokenizer, row, **reward_kwargs):
    config = {
        "actor_rollout_ref": {"rollout": {"response_length": 120}},
        "reward": {"reward_kwargs": reward_kwargs},
    }
    ids = torch.tensor(ids_of(tokenizer, row))
    item = SimpleNamespace(
        batch={"responses": ids, "attention_mask": torch.ones(len(ids) + 3, dtype=torch.int64)},
        non_tensor_batch={
            "reward_model": {"ground_truth": row["ground_truth"]}, "data_source": row["data_source"]
        },
    )  # fmt: skip

    class Data:
        def __getitem__(self, _):
            return [item]

    found = asyncio.run(RewardManager(config, tokenizer).run_single(Data()))
    return found["reward_score"], found["reward_extra_info"]["length_penalty"]


def test_verls_manager_counts_tokens_and_honours_verls_own_setting(problems, tokenizer):
    row = problems[0]
    tokens = len(ids_of(tokenizer, row))
    assert 20 < tokens < 120, "in the buffer, so that every token counts"
    assert by_manager(tokenizer, row, reward=SPEC)[0] == expected(tokens)
    assert by_manager(tokenizer, row)[1] == 0.0
    theirs = {"enable": True, "len": 100, "penalty_factor": 0.5, "log": False}
    exact = {"grid": 0}
    assert by_manager(tokenizer, row, reward=exact, overlong_buffer_cfg=theirs)[0] == expected(tokens)
    longer = by_manager(tokenizer, row, reward=exact, overlong_buffer_cfg=theirs, max_resp_len=110)
    assert longer[0] == expected(tokens, limit=110)
    # verl's own line: min(-exceed / len * penalty_factor, 0).
    assert longer[1] == np.float32(min(-(tokens - (110 - 100)) / 100 * 0.5, 0))
    off = by_manager(tokenizer, row, overlong_buffer_cfg={**theirs, "enable": False})
    assert off == (2.0, 0.0)
    with pytest.raises(optgap.Error, match="one of the two must go"):
        by_manager(tokenizer, row, reward=SPEC, overlong_buffer_cfg=theirs)
    with pytest.raises(optgap.Error, match="overlong_buffer_cfg: needs len"):
        by_manager(tokenizer, row, overlong_buffer_cfg={"enable": True})


def test_verls_functions_see_text_alone_and_refuse_it(problems):
    row = problems[0]
    with pytest.raises(optgap.Error, match="length: needs token counts.*reward_manager.name=optgap"):
        verl.compute_score(row["data_source"], row["optimal"], row["ground_truth"], reward=SPEC)
    with pytest.raises(optgap.Error, match="length: needs token counts"):
        verl.route(reward=SPEC)


def test_trl_counts_the_completions_ids(problems, tokenizer):
    row = problems[0]
    (function,) = trl.reward_functions("reward", spec=SPEC)
    for tokens in (10, 60, 200):  # the same text: a batch that differs in lengths alone is another one
        columns = {"completion_ids": [[1] * tokens], "ground_truth": [row["ground_truth"]]}
        assert function(["p"], [row["optimal"]], **columns) == [expected(tokens)]
    with pytest.raises(optgap.Error, match="length: needs completion_ids"):
        function(["p"], [row["optimal"]], ground_truth=[row["ground_truth"]])


def test_slime_says_the_responses_length(problems):
    row = problems[0]
    args = SimpleNamespace(optgap_reward=SPEC, reward_key="score", hf_checkpoint=None)
    status = SimpleNamespace(value="completed")
    sample = SimpleNamespace(
        response=row["optimal"], response_length=70, label=row["ground_truth"], metadata=None, status=status, prompt=""
    )
    found = asyncio.run(slime.rm(args, sample))
    assert found["score"] == expected(70) and found["length_penalty"] == np.float32(soft_overlong(70, **LENGTH))


def test_slime_takes_a_sample_that_used_up_its_tokens_for_cut_off(problems):
    row = problems[0]
    for length, status, code in (
        (70, "completed", "ok"),
        (128, "completed", "truncated"),
        (129, "completed", "truncated"),
        (128, "aborted", "truncated"),
    ):
        args = SimpleNamespace(reward_key="score", hf_checkpoint=None, rollout_max_response_len=128)
        sample = SimpleNamespace(
            response="<think>hm</think>" + row["optimal"].partition("</think>")[2] + " and",
            response_length=length,
            label=row["ground_truth"],
            metadata=None,
            status=SimpleNamespace(value=status),
            prompt="",
        )
        found = asyncio.run(slime.rm(args, sample))
        assert bool(found["truncated"]) == (code == "truncated"), (length, status)


def test_rows_that_differ_by_length_alone_are_equal_before_it(problems, tokenizer):
    row = problems[0]
    for spec in (SPEC, {"length": LENGTH}):
        rows = [
            evaluate([row["optimal"]], [row["ground_truth"]], lengths=[tokens], reward=spec).rows[0]
            for tokens in (10, 33, 57, 119, 300)
        ]
        assert len({each["score"] for each in rows}) == 5 and {each["before_length"] for each in rows} == {2.0}


def test_verl_is_told_when_its_filter_reads_the_length_penalty(tokenizer, monkeypatch):
    said = []
    monkeypatch.setattr(verl, "warn_once", said.append)
    for metric, warns in (("score", True), ("seq_reward", True), ("before_length", False), ("acc", False)):
        said.clear()
        algorithm = {"filter_groups": {"enable": True, "metric": metric}, "adv_estimator": "grpo"}
        RewardManager({"algorithm": algorithm, "reward": {"reward_kwargs": {"reward": SPEC}}}, tokenizer)
        assert bool(said) == warns, metric


def test_openrlhf_counts_with_the_models_tokenizer_or_refuses(problems, tokenizer, tmp_path):
    row = problems[0]
    with pytest.raises(optgap.Error, match="length: OpenRLHF hands over no token counts: give `model`"):
        openrlhf.configured(SPEC)
    tokenizer.save_pretrained(tmp_path)
    function = openrlhf.configured(SPEC, model=str(tmp_path))
    query = "ask" + tokenizer.decode(ids_of(tokenizer, row))
    found = function([query], ["ask"], [row["ground_truth"]])
    assert found["rewards"].tolist() == [expected(len(ids_of(tokenizer, row)))]
    assert found["extra_logs"]["length_penalty"].tolist()[0] < 0
