"""What every version of verl must do with us: its reward loop calls the function and the manager, its trainer the
estimators. Run by tools/trainers_test.sh, also on older versions."""

import asyncio
import pathlib

import numpy as np
import pytest
import torch
import verl
from hydra import compose, initialize_config_dir
from tensordict import TensorDict
from tiny_model import byte_tokenizer
from verl import DataProto
from verl.experimental.reward_loop import RewardLoopWorker
from verl.trainer.ppo.metric_utils import process_validation_metrics
from verl.trainer.ppo.ray_trainer import compute_advantage

from optgap.trainers.verl import plugin as verl_plugin  # noqa: F401  as the module switch of versions without entry points
from optgap.trainers.verl.reward import ROW

OURS = "pkg://optgap.trainers.verl.reward"


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    made = byte_tokenizer(special=("<think>", "</think>"))
    made.name_or_path = str(tmp_path_factory.mktemp("model"))
    made.save_pretrained(made.name_or_path)
    return made


def scored(tokenizer, rows, texts, *overrides):
    folder = pathlib.Path(verl.__file__).parent / "trainer/config"
    with initialize_config_dir(str(folder), version_base=None):
        config = compose("ppo_trainer", [f"actor_rollout_ref.model.path={tokenizer.name_or_path}", *overrides])
    ids = [tokenizer(text, add_special_tokens=False)["input_ids"] + [tokenizer.eos_token_id] for text in texts]
    width = max(map(len, ids))
    prompts = torch.zeros((len(texts), 3), dtype=torch.int64)
    held = torch.tensor([[1] * len(each) + [0] * (width - len(each)) for each in ids])
    tensors = {
        "prompts": prompts,
        "responses": torch.tensor([each + [tokenizer.pad_token_id] * (width - len(each)) for each in ids]),
        "attention_mask": torch.cat([torch.ones_like(prompts), held], 1),
    }
    columns = {
        "data_source": [row["data_source"] for row in rows],
        "reward_model": [{"style": "rule", "ground_truth": row["ground_truth"]} for row in rows],
        "extra_info": [{} for _ in rows],
        "__num_turns__": [2] * len(rows),
    }
    data = DataProto(
        batch=TensorDict(tensors, batch_size=len(texts)),
        non_tensor_batch={name: np.array(values, dtype=object) for name, values in columns.items()},
    )

    async def main():
        worker = RewardLoopWorker(config)
        return [await worker.compute_score(data[row : row + 1]) for row in range(len(texts))]

    return asyncio.run(main())


def test_the_function_is_found_and_called(problems, tokenizer):
    prefix = "reward.custom_reward_function" if known("reward.custom_reward_function") else "custom_reward_function"
    overrides = (f"{prefix}.path={OURS}", f"{prefix}.name=compute_score_async")
    text = problems[0]["optimal"].split("</think>")[1]
    row = {**problems[0], "ground_truth": problems[0]["ground_truth"].replace('"forge"', '"answer_only"')}
    rewarded, unrewarded = scored(tokenizer, [row] * 2, [text, "nothing"], *overrides)
    assert (rewarded["reward_score"], unrewarded["reward_score"]) == (2.0, -2.5)
    assert tuple(rewarded["reward_extra_info"]) == ROW
    columns = {key: [each["reward_extra_info"][key] for each in (rewarded, unrewarded)] for key in ROW}
    means = process_validation_metrics([row["data_source"]] * 2, ["a"] * 2, columns)
    assert means[row["data_source"]]["score"]["mean@2"] == -0.25 and "fingerprint" not in means[row["data_source"]]


def test_the_manager_is_found_by_name_and_keeps_special_tokens(problems, tokenizer):
    name = (
        "reward.reward_manager.name=optgap" if known("reward.reward_manager") else "reward_model.reward_manager=optgap"
    )
    rewarded, unrewarded = scored(tokenizer, problems[:1] * 2, [problems[0]["optimal"], "nothing"], name)
    assert (rewarded["reward_score"], unrewarded["reward_score"]) == (2.0, -2.5)


@pytest.mark.parametrize("name", ["rloo", "river"])
def test_its_trainer_runs_our_estimators(name):
    rewards = torch.tensor([2.0, 1.5, -0.5, 1.75])
    mask = torch.ones((4, 2))
    tensors = {"token_level_rewards": torch.stack([torch.zeros(4), rewards], 1), "response_mask": mask}
    uids = np.array(["a"] * 4, dtype=object)
    data = DataProto(batch=TensorDict(tensors, batch_size=4), non_tensor_batch={"uid": uids})
    found = compute_advantage(data, adv_estimator=f"optgap_{name}", config={}).batch["advantages"]
    assert found.isfinite().all() and found[0, 0] == found[:, 0].max() and found[2, 0] == found[:, 0].min() < 0


def known(path):
    folder = pathlib.Path(verl.__file__).parent / "trainer/config"
    with initialize_config_dir(str(folder), version_base=None):
        config = compose("ppo_trainer", [])
    for name in path.split("."):
        config = config.get(name) if config is not None else None
    return config is not None
