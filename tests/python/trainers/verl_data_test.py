"""verl's own data loader, configuration and reward worker around our data set and its actor."""

import json
import random
import zlib

import pytest
import ray
import torch
from torchdata.stateful_dataloader import StatefulDataLoader
from verl.trainer.ppo.utils import create_rl_dataset, create_rl_sampler
from verl.utils.dataset.rl_dataset import collate_fn
from verl_rig import batch, configuration, scored

import optgap.data.dataset
from optgap.trainers.common import ground_truth
from optgap.trainers.verl import curriculum as verl_curriculum
from optgap.trainers.verl.data import CurriculumDataset

PROMPTS, SAMPLES = 8, 2
MANAGER = "reward.reward_manager.name=optgap"
SETTINGS = ("data.custom_cls.path=pkg://optgap.trainers.verl.data", "data.custom_cls.name=CurriculumDataset",
            "data.train_files=optgap", "data.dataloader_num_workers=0", f"data.train_batch_size={PROMPTS}",
            "data.max_prompt_length=4000", "+data.optgap.tasks=[tsp,knapsack]", "+data.optgap.seed=3",
            "+data.optgap.length=64",
            "+data.optgap.policy={policy: adaptive, samples: 8, width: 2, z: 1}", MANAGER)  # fmt: skip


def dataset(config, tokenizer, files="train_files"):
    return create_rl_dataset(config.data[files], config.data, tokenizer, None, is_train=files == "train_files")


class Run:
    """As PPOTrainer: a loader, an iterator over it, a checkpoint."""

    def __init__(self, config, tokenizer, checkpoint=None):
        verl_curriculum._owner_of.cache_clear()
        self.config, self.tokenizer = config, tokenizer
        self.dataset = dataset(config, tokenizer)
        self.loader = StatefulDataLoader(
            self.dataset, batch_size=PROMPTS, num_workers=config.data.dataloader_num_workers, drop_last=True,
            collate_fn=collate_fn, sampler=create_rl_sampler(config.data, self.dataset),
        )  # fmt: skip
        if checkpoint is not None:
            self.loader.load_state_dict(torch.load(checkpoint, weights_only=False))
        self.prompts = iter(self.loader)

    def step(self, shuffled=None):
        """One batch drawn and scored; its keys."""
        drawn = next(self.prompts)
        rows = [{"data_source": source, "ground_truth": model["ground_truth"]} for _ in range(SAMPLES)
                for source, model in zip(drawn["data_source"], drawn["reward_model"])]  # fmt: skip
        if shuffled is not None:
            random.Random(shuffled).shuffle(rows)
        found = scored(self.config, batch(self.tokenizer, rows, [answer(row["ground_truth"]) for row in rows]))
        assert len(found) == PROMPTS * SAMPLES
        return [each["key"] for each in drawn["extra_info"]]

    def save(self, path):
        torch.save(self.loader.state_dict(), path)
        return self.dataset.state_dict()[verl_curriculum.NAME]

    def kill(self):
        ray.kill(self.dataset._owner)


def answer(truth):
    """A model that solves three problems in four."""
    key, by = json.loads(truth)["key"], ground_truth.engine()
    solved = by.solve(by.instances([key])).answers.tolist()[0]
    wrong = zlib.crc32(key.encode()) % 4 == 0
    return f"<think>hm</think><answer>{'[]' if wrong else json.dumps(solved)}</answer>"


def test_a_killed_and_resumed_run_is_the_undisturbed_one(tokenizer, running_ray, tmp_path):
    config = configuration(tokenizer, *SETTINGS)
    whole = Run(config, tokenizer)
    keys = [whole.step() for _ in range(5)]
    assert len({key for batch_keys in keys for key in batch_keys}) == 5 * PROMPTS
    state = whole.save(tmp_path / "whole.pt")
    whole.kill()
    curriculum = json.loads(state)["rows"]["curriculum"]
    assert sum(row[2] for row in curriculum["totals"]) == 5 * PROMPTS * SAMPLES
    assert any(task["low"] > 0 for task in curriculum["tasks"])

    cut = Run(config, tokenizer)
    assert [cut.step(shuffled=1), cut.step()] == keys[:2]
    cut.save(tmp_path / "data.pt")
    assert cut.step() == keys[2]
    cut.kill()
    resumed = Run(config, tokenizer, tmp_path / "data.pt")
    assert [resumed.step(shuffled=seed) for seed in (2, 3, 4)] == keys[2:]
    assert resumed.save(tmp_path / "again.pt") == state

    validation = [{"data_source": "optgap/tsp/easy", "ground_truth": json.dumps({"key": "tsp@1:val:easy:1"})},
                  {"data_source": "optgap/tsp/easy", "ground_truth": json.dumps({"key": "tsp@1:train:easy:1"})}]  # fmt: skip
    scored(config, batch(tokenizer, validation, ["x", "x"]))
    assert resumed.dataset.state_dict()[verl_curriculum.NAME] == state
    resumed.kill()


def test_another_process_finds_the_actor(tokenizer, running_ray):
    """As reward workers do, through the functions that see text alone."""
    run = Run(configuration(tokenizer, *SETTINGS), tokenizer)
    (truth, *_) = [model["ground_truth"] for model in next(run.prompts)["reward_model"]]

    @ray.remote(num_cpus=0)
    def codes():
        import asyncio

        from optgap.trainers.verl.reward import compute_score, compute_score_async

        rollout = ("optgap/tsp/d0", "nothing", truth)
        return compute_score(*rollout)["code"], asyncio.run(compute_score_async(*rollout))["code"]

    assert min(ray.get(codes.remote())) > 0
    next(run.prompts)
    assert (
        sum(row[2] for row in json.loads(run.dataset.state_dict()["optgap_curriculum"])["rows"]["curriculum"]["totals"])
        == 2
    )
    with pytest.raises(optgap.Error, match="data.train_batch_size: was 9 in the checkpoint and is 8"):
        state = json.loads(run.dataset.state_dict()["optgap_curriculum"])
        run.dataset.load_state_dict({"optgap_curriculum": json.dumps({**state, "batch": 9})})
    with pytest.raises(optgap.Error, match="data.pt: holds no curriculum's state"):
        run.dataset.load_state_dict({})
    run.dataset.max_prompt_length = 100
    with pytest.raises(optgap.Error, match="data.max_prompt_length: is 100, a prompt of optgap/.* has .* tokens"):
        next(run.prompts)
    run.kill()


@pytest.mark.parametrize(("overrides", "sentence"), [
    (["data.dataloader_num_workers=8"], "data.dataloader_num_workers: must be 0"),
    (["data.val_files=optgap"], "data.val_files: must be a file"),
    (["data.train_files=[optgap,a.parquet]"], "data.train_files: 'optgap' stands beside files"),
    (["data.train_files=a.parquet"], "data.optgap: has no effect: data.train_files is not 'optgap'"),
    (["+data.optgap.levels=[easy]"], "data.optgap: knows policy, tasks, seed, length"),
    (["data.optgap.length=7"], "data.optgap.length: is 7"),
    (["data.optgap.policy=adaptiv"], "adaptiv"),
    (["data.optgap.tasks=[tps]"], "tps"),
])  # fmt: skip
def test_what_cannot_work_is_refused(tokenizer, overrides, sentence):
    config = configuration(tokenizer, *SETTINGS, *overrides)
    with pytest.raises(optgap.Error, match=sentence):
        dataset(config, tokenizer)


def test_a_number_of_rows_is_refused_where_problems_are_fresh(tokenizer):
    with pytest.raises(optgap.Error, match="train_max_samples: has no effect"):
        CurriculumDataset("optgap", tokenizer, configuration(tokenizer, *SETTINGS).data, max_samples=5)


def test_validation_reads_its_file_as_verl_does(tokenizer, tmp_path):
    path = tmp_path / "val.parquet"
    optgap.data.dataset.export(path, "verl", "tsp", count=3, split="val")
    config = configuration(tokenizer, *SETTINGS, f"data.val_files={path}")
    rows = dataset(config, tokenizer, "val_files")
    assert len(rows) == 3 and rows[0]["extra_info"]["split"] == "val" and rows.state_dict() == {}
