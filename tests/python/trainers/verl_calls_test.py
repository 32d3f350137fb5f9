"""verl's own code calls us: its configuration finds the functions, its reward loop scores batches, its trainer's
compute_advantage runs the estimators. Only generation and weights, which need GPUs, are left out."""

import os
import subprocess
import sys
import time

import numpy as np
import pytest
import ray
import torch
from tensordict import TensorDict
from tiny_model import byte_tokenizer
from verl import DataProto
from verl.experimental.reward_loop import RewardLoopManager
from verl.trainer.ppo.core_algos import ADV_ESTIMATOR_REGISTRY, register_adv_est
from verl.trainer.ppo.metric_utils import process_validation_metrics
from verl.trainer.ppo.ray_trainer import compute_advantage
from verl.trainer.ppo.utils import need_critic
from verl.trainer.ppo.v1.utils import compute_advantage_for_multi_trajectories
from verl.utils.tensordict_utils import get_tensordict
from verl_rig import batch, configuration, scored

import optgap
from optgap.measure.curves.timeline import Timeline, named
from optgap.trainers.common.evaluation import fingerprint
from optgap.trainers.verl.estimators import estimator, names, why_refused
from optgap.trainers.verl.reward import ROW

OURS = "pkg://optgap.trainers.verl.reward"
TAGS = ("<think>", "</think>")
ROUTER = """
from optgap.trainers.verl.reward import route

def math_score(data_source, solution_str, ground_truth, extra_info=None, **_):
    return {"score": 0.25, "acc": 0.0, "method": "strict"}

compute_score = route(fallback=math_score)
"""


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    """Its reasoning tags are special tokens, so that skip_special_tokens=True drops them."""
    made = byte_tokenizer(special=TAGS)
    made.name_or_path = str(tmp_path_factory.mktemp("model"))
    made.save_pretrained(made.name_or_path)
    return made


@pytest.fixture(scope="module")
def plain_tokenizer(tmp_path_factory):
    made = byte_tokenizer(plain=TAGS)
    made.name_or_path = str(tmp_path_factory.mktemp("plain"))
    made.save_pretrained(made.name_or_path)
    return made


def custom(path, name, *others):
    return (f"reward.custom_reward_function.path={path}", f"reward.custom_reward_function.name={name}", *others)


SWITCH = {"VERL_USE_EXTERNAL_PLUGINS": "none", "VERL_USE_EXTERNAL_MODULES": "optgap.trainers.verl.plugin"}
"""As verl before 0.9, which knows no entry points: the module is named in the environment."""


@pytest.mark.parametrize("environment", [{}, SWITCH], ids=["entry point", "external modules"])
def test_the_plug_in_registers_everything_at_import(environment):
    assert {"optgap_" + name for name in names()} <= set(ADV_ESTIMATOR_REGISTRY)
    script = (
        "import runpy, sys, verl; assert 'optgap._native' not in sys.modules;"
        "runpy.run_module('optgap.trainers.verl.plugin', run_name='__main__')"
    )
    known = {**os.environ, **environment}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=known)
    assert done.returncode == 0 and "reward manager: optgap" in done.stdout and "optgap_river" in done.stdout


@pytest.mark.parametrize("name", ["compute_score", "compute_score_async"])
def test_the_naive_manager_calls_our_functions(problems, plain_tokenizer, name):
    config = configuration(plain_tokenizer, *custom(OURS, name))
    data = batch(plain_tokenizer, problems[:1] * 3, [problems[0]["optimal"], problems[0]["greedy"], "nothing"])
    found = scored(config, data)
    assert [row["reward_score"] for row in found][::2] == [2.0, -2.5] and 0 < found[1]["reward_score"] <= 2
    assert all(tuple(row["reward_extra_info"]) == ROW for row in found)


def test_reward_kwargs_choose_the_reward(problems, plain_tokenizer):
    config = configuration(plain_tokenizer, *custom(OURS, "compute_score"),
                           "+reward.custom_reward_function.reward_kwargs.reward.shape=binary")  # fmt: skip
    data = batch(plain_tokenizer, problems[:1] * 2, [problems[0]["optimal"], "nothing"])
    assert [row["reward_score"] for row in scored(config, data)] == [1.0, 0.0]


def test_a_router_serves_a_mixed_batch(problems, plain_tokenizer, tmp_path):
    (tmp_path / "rewards.py").write_text(ROUTER)
    config = configuration(plain_tokenizer, *custom(tmp_path / "rewards.py", "compute_score"))
    rows = [problems[0], {"data_source": "openai/gsm8k", "ground_truth": "72"}]
    ours, theirs = scored(config, batch(plain_tokenizer, rows, [problems[0]["optimal"], "72"]))
    assert ours["reward_score"] == 2.0 and theirs["reward_score"] == 0.25
    assert tuple(ours["reward_extra_info"]) == tuple(theirs["reward_extra_info"]) == ROW


def test_foreign_rows_without_a_router_are_refused(plain_tokenizer):
    config = configuration(plain_tokenizer, *custom(OURS, "compute_score"))
    rows = [{"data_source": "openai/gsm8k", "ground_truth": "72"}]
    with pytest.raises(optgap.Error, match=r"route\(fallback"):
        scored(config, batch(plain_tokenizer, rows, ["72"]))


MANAGER = "reward.reward_manager.name=optgap"
BY_PATH = ("reward.reward_manager.name=RewardManager", "reward.reward_manager.source=importlib",
           f"reward.reward_manager.module.path={OURS}")  # fmt: skip


@pytest.mark.parametrize("overrides", [(MANAGER,), BY_PATH], ids=["registered", "by path"])
def test_the_manager_keeps_tags_that_are_special_tokens(problems, tokenizer, overrides):
    data = batch(tokenizer, problems[:1] * 2, [problems[0]["optimal"], problems[0]["greedy"]])
    lost = scored(configuration(tokenizer, *custom(OURS, "compute_score")), data)
    assert [row["reward_extra_info"]["format"] for row in lost] == [0.0, 0.0]
    kept = scored(configuration(tokenizer, *overrides), data)
    assert kept[0]["reward_score"] == 2.0 and [row["reward_extra_info"]["format"] for row in kept] == [1.0, 1.0]


def test_the_manager_knows_a_response_that_was_cut_off(problems, tokenizer):
    text = problems[0]["optimal"][:-12]
    data = batch(tokenizer, problems[:1], [text], ended=False)
    full = len(tokenizer(text)["input_ids"])
    for space, truncated in ((full, 1), (full + 1, 0)):
        config = configuration(tokenizer, MANAGER, f"actor_rollout_ref.rollout.response_length={space}")
        (row,) = scored(config, data)
        assert row["reward_extra_info"]["truncated"] == truncated


def test_the_manager_reads_the_models_text_alone(problems, tokenizer):
    tool = "<|im_start|>tool\n<answer>[0]</answer><|im_end|>\n<|im_start|>assistant\n"
    text = "<think>I ask.</think><|im_end|>\n" + tool + problems[0]["optimal"]
    (row,) = scored(configuration(tokenizer, MANAGER), batch(tokenizer, problems[:1], [text], turns=4))
    assert row["reward_score"] == 2.0
    head = tokenizer("<think>I ask.</think>")["input_ids"]
    body = tokenizer("<answer>[0]</answer>")["input_ids"]
    rest = tokenizer(problems[0]["optimal"].split("</think>")[1])["input_ids"] + [tokenizer.eos_token_id]
    own = torch.tensor([[1] * len(head) + [0] * len(body) + [1] * len(rest)])
    joined = "<think>I ask.</think><answer>[0]</answer>" + problems[0]["optimal"].split("</think>")[1]
    (row,) = scored(configuration(tokenizer, MANAGER), batch(tokenizer, problems[:1], [joined], turns=4, mask=own))
    assert row["reward_score"] == 2.0


def test_the_manager_sends_other_data_to_the_configured_function(problems, tokenizer, tmp_path):
    (tmp_path / "maths.py").write_text("def f(data_source, solution_str, ground_truth, extra_info):\n    return 0.75\n")
    config = configuration(tokenizer, MANAGER, *custom(tmp_path / "maths.py", "f"))
    rows = [problems[0], {"data_source": "openai/gsm8k", "ground_truth": "72"}]
    ours, theirs = scored(config, batch(tokenizer, rows, [problems[0]["optimal"], "72"]))
    assert ours["reward_score"] == 2.0 and theirs["reward_score"] == 0.75
    assert tuple(ours["reward_extra_info"]) == tuple(theirs["reward_extra_info"]) == ROW


def fields_of(data, key):
    return data.non_tensor_batch[key].tolist()


def counted(folder, rows):
    """What the workers counted, once they have written so many rows."""
    deadline = time.monotonic() + 30
    while True:
        timeline = Timeline(folder) if folder.is_dir() else None
        if (
            timeline is not None
            and timeline.update()
            and sum(int(cell[0]) for cell in timeline.total().values()) == rows
        ):
            return timeline
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_the_reward_loop_scores_in_ray_workers(problems, tokenizer, tmp_path, monkeypatch):
    """Two actors of verl's own: each loads the plug-in by itself, and counts; verl's groups lie on both."""
    monkeypatch.setenv("OPTGAP_STATS", str(tmp_path / "stats"))
    monkeypatch.setenv("OPTGAP_STATS_EVERY", "0.1")
    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        loop = RewardLoopManager(configuration(tokenizer, MANAGER))
        texts = [problems[0]["optimal"], problems[0]["greedy"], "nothing", problems[1]["optimal"]]
        data = batch(tokenizer, [*problems[:1] * 3, problems[1]], texts)
        data.non_tensor_batch["uid"] = np.array(["a", "b", "a", "b"], dtype=object)
        found = loop.compute_rm_score(data)
        timeline = counted(tmp_path / "stats", 4)
    finally:
        ray.shutdown()
    rewards = found.batch["rm_scores"].sum(-1).tolist()
    assert timeline.folder.files == 2
    counts = named(sum(timeline.total().values()))
    assert (counts["groups"], counts["kept_groups"]) == (3, 1), "b is of two problems"
    assert rewards[0] == rewards[3] == 2.0 and rewards[2] == -2.5 and -2.5 < rewards[1] <= 2
    lengths = data.batch["attention_mask"][:, 3:].sum(-1) - 1
    assert found.batch["rm_scores"][torch.arange(4), lengths].tolist() == rewards
    assert set(found.meta_info["reward_extra_keys"]) == set(ROW)
    joined = data.union(found)
    assert joined.non_tensor_batch["fingerprint"].tolist() == [fingerprint("forge")] * 4
    fields = get_tensordict({key: joined.non_tensor_batch[key] for key in ROW})  # as its transfer queue takes them
    assert len(fields) == 4
    sources = ["optgap/tsp/easy"] * 4
    means = process_validation_metrics(sources, list("aabb"), {key: fields_of(joined, key) for key in ROW})
    assert means[sources[0]]["score"]["mean@2"] == sum(rewards) / 4 and "fingerprint" not in means[sources[0]]
    assert joined.non_tensor_batch["acc"].tolist() == [1.0, float(rewards[1] == 2), 0.0, 1.0]


def advantages_by(name, rewards, uids, through=compute_advantage, **named):
    mask = torch.tensor([[1, 1, 0]] * len(rewards), dtype=torch.float32)
    token_level = torch.zeros_like(mask)
    token_level[:, 1] = torch.tensor(rewards)
    data = DataProto(
        batch=TensorDict({"token_level_rewards": token_level, "response_mask": mask}, batch_size=len(rewards)),
        non_tensor_batch={"uid": np.array(uids, dtype=object)},
    )
    found = through(data, adv_estimator=name, config={}, **named).batch
    assert found["advantages"].dtype == torch.float32 and found["advantages"].shape == mask.shape
    assert (found["advantages"][:, 2] == 0).all() and (found["advantages"][:, 0] == found["advantages"][:, 1]).all()
    return found["advantages"][:, 0].tolist()


REWARDS = [2.0, 1.5, -0.5, 1.75, 2.0, 2.0, -2.5, -0.5]
UIDS = ["a", "b"] * 4


@pytest.mark.parametrize("name", [name for name in names() if not why_refused(name)])
def test_verls_trainer_runs_every_estimator(name):
    values = advantages_by("optgap_" + name, REWARDS, UIDS)
    assert any(values) and np.isfinite(values).all()
    keys = [f"{uid}_{row}_0" for row, uid in enumerate(UIDS)]
    assert advantages_by("optgap_" + name, REWARDS, UIDS, compute_advantage_for_multi_trajectories,
                         batch_keys=keys) == values  # fmt: skip


@pytest.mark.parametrize("name", ["grpo", "rloo", "opo", "gpg"])
def test_our_forms_agree_with_verls_own(name):
    assert advantages_by("optgap_" + name, REWARDS, UIDS) == pytest.approx(advantages_by(name, REWARDS, UIDS), abs=2e-5)


def test_a_form_of_ones_own_can_be_registered():
    """verl whitens over tokens; our default counts rollouts."""
    spec = {"estimator": "reinforce_pp_baseline", "weighting": "token"}
    register_adv_est("by_token")(estimator("reinforce_pp_baseline", spec))
    theirs = advantages_by("reinforce_plus_plus_baseline", REWARDS, UIDS)
    assert advantages_by("by_token", REWARDS, UIDS) == pytest.approx(theirs, abs=2e-5)


@pytest.mark.parametrize("name", [name for name in names() if why_refused(name)])
def test_estimators_that_need_more_than_rewards_are_refused(name):
    with pytest.raises(optgap.Error, match=f"optgap_{name} cannot work in verl.*verl hands a registered estimator"):
        advantages_by("optgap_" + name, REWARDS, UIDS)


def test_verls_configuration_accepts_our_estimators(tokenizer):
    config = configuration(tokenizer, "algorithm.adv_estimator=optgap_river")
    assert not need_critic(config) and config.algorithm.adv_estimator in ADV_ESTIMATOR_REGISTRY
