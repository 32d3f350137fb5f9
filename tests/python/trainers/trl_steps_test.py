"""TRL's own trainers take steps on our rewards: a random model whose whole answers are single tokens, so that chance
finds good and bad ones, and a few steps tell them apart."""

import asyncio
import json
import math
import pickle
import subprocess
import sys
from types import SimpleNamespace

import pytest
from tiny_trainer import GROUP, dataset, logged, trainer
from trl import RLOOConfig, RLOOTrainer
from trl.experimental.async_grpo.async_rollout_worker import RolloutGroup, _AsyncRolloutLoop

import optgap
from optgap.trainers.trl import reward as trl


def length_reward(completions, data_source, **_):
    """Another task's reward, which leaves our rows alone."""
    return [None if source.startswith("optgap/") else float(len(text[0]["content"]) % 7)
            for text, source in zip(completions, data_source)]  # fmt: skip


def test_grpo_learns_which_answers_are_rewarded(problems, tmp_path):
    functions = trl.reward_functions("reward", "feasible", "quality", "normalized")
    rows = dataset(problems[:1] * 4)
    run = trainer(problems, tmp_path, functions, rows, max_steps=20, reward_weights=[1.0, 0.0, 0.0, 0.0])
    before = run.model.get_input_embeddings().weight.detach().clone()
    run.train()
    assert not before.equal(run.model.get_input_embeddings().weight)
    rewarded = logged(run, "rewards/optgap_reward/mean")
    # The optimum earns 2, a greedy answer less than 2, and what is no answer -2.5.
    assert len(rewarded) == 20 and rewarded[0] < 1 and rewarded[-1] > 1.8, rewarded
    for name in ("optgap/tsp/sr", "optgap/tsp/qr", "optgap/tsp/normalized", "rewards/optgap_quality/std"):
        assert all(math.isfinite(value) for value in logged(run, name)) and len(logged(run, name)) == 20, name


@pytest.mark.parametrize("chat", [True, False], ids=["messages", "texts"])
def test_a_mixed_batch_keeps_foreign_rows_apart(problems, tmp_path, chat):
    def other(completions, data_source, **columns):
        given = completions if chat else [[{"content": text}] for text in completions]
        return length_reward(given, data_source, **columns)

    functions = [*trl.reward_functions("reward", "quality"), other]
    rows = dataset(problems, foreign=len(problems), chat=chat)
    run = trainer(problems, tmp_path, functions, rows, reward_weights=[1.0, 0.0, 1.0], log_completions=True)
    run.train()
    seen = run._logs
    foreign = [str(prompt).find(" + 1") > 0 for prompt in seen["prompt"]]
    assert sum(foreign) == len(foreign) // 2 == len(problems) * GROUP
    assert list(seen["extra"]["optgap_fingerprint"]) == [functions[0].fingerprint] * len(foreign)
    for name, of_foreign in (("optgap_reward", True), ("optgap_quality", True), ("other", False)):
        assert [math.isnan(value) == (is_foreign == of_foreign) for value, is_foreign in
                zip(seen["rewards"][name], foreign)] == [True] * len(foreign), name  # fmt: skip
    values = list(seen["advantages"])
    assert all(math.isfinite(value) for value in values)
    for part in (True, False):
        assert any(value != 0 for value, is_foreign in zip(values, foreign) if is_foreign == part)
    rescored(tmp_path / "completions", foreign=len(problems) * GROUP)


def rescored(folder, foreign):
    """`optgap rescore` of the files that TRL wrote: our rows earn what they earned, the others are refused."""
    files = sorted(str(path) for path in folder.glob("*.parquet"))
    done = subprocess.run(
        [sys.executable, "-m", "optgap", "rescore", *files], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1 and ": 0 rewards changed" in done.stderr, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    refused = [row for row in found if "error" in row]
    assert len(files) == 2 and len(found) == 4 * foreign and len(refused) == 2 * foreign
    assert {row["error"]["field"] for row in refused} == {"key"}
    rewarded = [row for row in found if "error" not in row]
    assert all(row["delta"] == 0 for row in rewarded) and len({row["reward"] for row in rewarded}) > 1


def test_rows_that_no_function_claims_move_nothing(problems, tmp_path):
    run = trainer(problems, tmp_path, [trl.reward], dataset(problems, foreign=len(problems)), max_steps=1)
    run.train()
    foreign = [str(prompt).find(" + 1") > 0 for prompt in run._logs["prompt"]]
    assert all(value == 0 for value, is_foreign in zip(run._logs["advantages"], foreign) if is_foreign)


def test_an_estimator_takes_the_place_of_rewards(problems, tmp_path):
    functions = [trl.GroupAdvantage("rank_uniform", num_generations=GROUP)]
    run = trainer(problems, tmp_path, functions, dataset(problems), scale_rewards="none")
    run.train()
    ranks = run._logs["rewards"]["optgap_rank_uniform"]
    assert all(-1 <= value <= 1 for value in ranks) and len(set(ranks)) > 2
    assert logged(run, "optgap/tsp/zero_variance_groups")


def test_an_estimator_is_refused_where_a_rank_holds_parts_of_groups(problems, tmp_path):
    functions = [trl.GroupAdvantage("rank_uniform", num_generations=2 * GROUP)]
    run = trainer(problems, tmp_path, functions, dataset(problems))
    with pytest.raises(optgap.Error, match="this rank holds parts of groups"):
        run.train()


def test_rloo_takes_steps(problems, tmp_path):
    functions = trl.reward_functions("reward")
    run = trainer(problems, tmp_path, functions, dataset(problems), kind=RLOOTrainer, config=RLOOConfig)
    run.train()
    assert len(logged(run, "rewards/optgap_reward/mean")) == 2


def test_async_grpo_scores_a_group_on_threads(problems, monkeypatch):
    """AsyncGRPO's worker needs vLLM to start; its scoring of a group, which calls all functions at once, does not."""
    calls = []
    plain = trl.evaluate
    monkeypatch.setattr(trl, "evaluate", lambda *args, **named: (calls.append(1), plain(*args, **named))[1])
    functions = pickle.loads(pickle.dumps(trl.reward_functions("reward", "quality", "format")))
    row = problems[0]
    texts = [row["optimal"], row["greedy"], "no answer", "AsyncGRPO"]
    group = RolloutGroup(
        prompts=[[{"role": "user", "content": "0"}]] * 4,
        completions=[[{"role": "assistant", "content": text}] for text in texts],
        completions_ids=[[2]] * 4,
        completions_sequences=[[] for _ in texts],
        reward_kwargs={name: [row[name]] * 4 for name in ("ground_truth", "data_source")},
        tool_call_counts=[0] * 4,
        tool_failure_counts=[0] * 4,
        env_rewards=[None] * 4,
        rollout_rewards=[None] * 4,
        model_version=0,
        group_id=0,
    )
    worker = SimpleNamespace(
        reward_funcs=functions, reward_func_names=[each.__name__ for each in functions], _env_reward_types=[],
        _provides_rollout_reward=False,
    )  # fmt: skip
    asyncio.run(_AsyncRolloutLoop._score_group(worker, group))
    assert calls == [1]
