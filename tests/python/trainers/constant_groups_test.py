"""Equal rewards must give zero advantages in the trainers' own float32 code. With any numbers they do not; with rewards
on our grid of 1/4096, which is what the library returns, they do."""

from types import SimpleNamespace

import numpy as np
import peft  # noqa: F401  as in openrlhf_calls_test.py
import pytest
import torch
from datasets import Dataset
from stand_ins import stand_ins
from tiny_trainer import trainer
from transformers import Qwen2ForCausalLM  # noqa: F401
from verl.trainer.ppo.core_algos import get_adv_estimator_fn

from optgap.trainers.common.evaluation import evaluate
from optgap.trainers.trl import reward as trl

with stand_ins():
    from openrlhf.trainer.ppo_utils.experience import Experience
    from openrlhf.trainer.ppo_utils.experience_maker import RemoteExperienceMaker

GRID = 4096
GROUPS = 500
SIZES = (3, 5, 6, 7, 12)


def constants(on_grid, groups=GROUPS):
    """Rewards as the default shape spreads them, in float32; the seed is arbitrary."""
    values = np.random.default_rng(7).uniform(-2.5, 2, groups)
    return (np.rint(values * GRID) / GRID if on_grid else values).astype(np.float32)


def by_verl(name):
    def advantages(rewards):
        groups, size = rewards.shape
        token_level = torch.zeros(groups * size, 4)
        token_level[:, 2] = rewards.flatten()
        uids = np.repeat(np.arange(groups), size).astype(str)
        return get_adv_estimator_fn(name)(token_level_rewards=token_level, response_mask=torch.ones(groups * size, 4),
                                          index=uids, config=None)[0]  # fmt: skip

    return advantages


def by_slime(rewards):
    """slime is not on PyPI: this is what its `_post_process_rewards` computes for GRPO."""
    centred = rewards - rewards.mean(dim=-1, keepdim=True)
    return centred / (centred.std(dim=-1, keepdim=True) + 1e-6)


def by_openrlhf(name):
    def advantages(rewards):
        groups, size = rewards.shape
        rows = groups * size
        algo = SimpleNamespace(estimator=name, gamma=1.0, lambd=1.0, no_std_norm=False)
        arguments = SimpleNamespace(
            algo=SimpleNamespace(advantage=algo), rollout=SimpleNamespace(n_samples_per_prompt=size),
            reward=SimpleNamespace(clip_range=None, overlong_buffer_len=None, stop_properly_penalty_coef=None),
        )  # fmt: skip
        maker = SimpleNamespace(
            strategy=SimpleNamespace(args=arguments), kl_ctl=SimpleNamespace(value=0.0), advantage_estimator=name,
            get_cumulative_returns=lambda *given: RemoteExperienceMaker.get_cumulative_returns(None, *given),
        )  # fmt: skip
        batch = Experience(index=list(range(rows)), rewards=rewards.flatten(), kl=torch.zeros(rows, 4),
                           action_mask=torch.ones(rows, 4), info={})  # fmt: skip
        (found,) = RemoteExperienceMaker.compute_advantages_and_returns(maker, [batch])
        return found.advantages

    return advantages


FORMS = {
    **{f"verl {name}": by_verl(name) for name in (
        "grpo", "grpo_vectorized", "rloo", "rloo_vectorized", "opo", "reinforce_plus_plus_baseline")},
    **{f"OpenRLHF {name}": by_openrlhf(name) for name in ("group_norm", "rloo", "reinforce_baseline", "dr_grpo")},
    "slime grpo": by_slime,
}  # fmt: skip


def shares(form, on_grid):
    """The share of constant groups of SIZES that get a nonzero advantage, and the largest."""
    nonzero, largest = [], 0.0
    for size in SIZES:
        rewards = torch.from_numpy(constants(on_grid))[:, None].repeat(1, size)
        found = form(rewards).reshape(GROUPS, size, -1).abs().amax(dim=(1, 2))
        nonzero.append((found > 0).float().mean().item())
        largest = max(largest, found.max().item())
    return float(np.mean(nonzero)), largest


@pytest.mark.parametrize("name", FORMS)
def test_rewards_on_the_grid_give_zeros(name):
    assert shares(FORMS[name], on_grid=True) == (0.0, 0.0)


PUBLISHED = {"verl grpo": (0.3, 0.1), "slime grpo": (0.3, 0.1), "OpenRLHF group_norm": (0.3, 0.3)}
"""What goes wrong with rewards as they are: at least this share of groups, by this much."""


@pytest.mark.parametrize("name", PUBLISHED)
def test_other_rewards_do_not(name):
    share, largest = shares(FORMS[name], on_grid=False)
    print(f"{name}: {100 * share:.1f} % of constant groups get an advantage, up to {largest:.3g}")
    assert share >= PUBLISHED[name][0] and largest >= PUBLISHED[name][1]


@pytest.mark.parametrize("on_grid", [True, False])
def test_trls_trainer(problems, tmp_path, on_grid):
    """A step of GRPOTrainer in which every group has its own constant reward."""
    size = 6
    values = constants(on_grid, groups=64).tolist()
    rows = Dataset.from_list([{"prompt": f"{place}", "value": value} for place, value in enumerate(values)])

    def constant(completions, value, **_):
        return value

    run = trainer(problems, tmp_path, [constant], rows, max_steps=1, num_generations=size,
                  per_device_train_batch_size=size * len(values))  # fmt: skip
    run.train()
    found = np.abs(np.array(run._logs["advantages"])).reshape(len(values), size).max(axis=1)
    print(f"TRL: {100 * (found > 0).mean():.1f} % of constant groups get an advantage, up to {found.max():.3g}")
    assert (found == 0).all() if on_grid else (found > 0).mean() > 0.2


def test_trls_trainer_on_equal_answers(problems, tmp_path):
    """Every rollout is the same graded answer: our rewards differ between prompts and are constant in each group."""
    rows = Dataset.from_list(
        [{name: row[name] for name in ("prompt", "data_source", "ground_truth")} for row in problems]
    )
    run = trainer(problems, tmp_path, [trl.reward], rows, max_steps=1, texts=[problems[0]["greedy"]], num_generations=6,
                  per_device_train_batch_size=6 * len(problems))  # fmt: skip
    run.train()
    assert set(run._logs["completion"]) == {problems[0]["greedy"]}
    assert len(set(run._logs["rewards"]["optgap_reward"])) > 1
    assert set(run._logs["advantages"]) == {0.0}


def test_rewards_are_on_the_grid(problems):
    texts = [row[kind] for row in problems for kind in ("greedy", "optimal")] + ["nothing"]
    for row in problems:
        for shape in ("forge", {"shape": "forge", "range": [0.0, 1.0]}):
            found = evaluate(texts, [row["ground_truth"]] * len(texts), reward=shape).rows
            assert all((each["score"] * GRID).is_integer() for each in found), shape
