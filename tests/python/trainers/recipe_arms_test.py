"""Every arm that this version can express: TRL takes two steps on a random model, verl's configuration and OpenRLHF's parsers
read what is written for them, slime's hooks read theirs. Arms whose trainer settings are equal run once."""

import argparse
import ast
import functools
import importlib.util
import json
import math
import pathlib
import shlex

import verl
import yaml
from hydra import compose, initialize_config_dir
from stand_ins import stand_ins
from tiny_model import byte_tokenizer, random_model
from verl.trainer.ppo.core_algos import get_adv_estimator_fn, get_policy_loss_fn
from verl.trainer.ppo.reward import resolve_reward_manager_cls
from verl.trainer.ppo.utils import need_critic, need_reference_policy
from verl.utils.config import validate_config

import optgap
from optgap import recipes, supervised
from optgap.recipes.settings import ENVIRONMENTS
from optgap.recipes.writing import openrlhf, verl as of_verl, write
from optgap.recipes.writing.run import settle
from optgap.trainers.slime import options as slime_options
from optgap.trainers.trl.curriculum import CurriculumStream

with stand_ins():
    import openrlhf.cli.train_ppo_ray as openrlhf_rl
    import openrlhf.cli.train_sft as openrlhf_sft

TEXTS = [f"<think>.</think><answer>{answer}</answer>" for answer in ("[0]", "[0, 1]", "[]", "[0, 1, 2, 3, 4, 5, 6, 7]")]
INSTEAD = ["clique", "knapsack"]
"""For RLVE's arms, whose environments are not here."""
MOVING = {"main", "gpg", "gspo", "binary"}


def arms():
    for name in recipes.names():
        for arm in recipes.load(name):
            if arm.stages and not arm.needs:
                yield arm, None
            elif name == "rlve" and set(arm.needs) <= ENVIRONMENTS:
                yield arm, INSTEAD


def module(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def shape(script):
    """What tells arms apart for two short steps: what TRL computes, not how long or how far."""
    numbers = ("output_dir", "max_steps", "learning_rate", "max_completion_length")
    settings = {name: value for name, value in script.SETTINGS.items() if name not in numbers}
    return json.dumps(
        [settings, script.POLICY["policy"], script.REWARD, script.ADVANTAGE, script.UPDATES], sort_keys=True
    )


def written(trainer, folder, stage):
    """Folders of all arms that this trainer takes, by name."""
    found = {}
    for arm, tasks in arms():
        if stage in arm.stages:
            where = folder / f"{trainer}-{arm.recipe}-{arm.name}"
            try:
                write(arm, trainer, where, tasks=tasks, model="my-model")
            except optgap.Error as refused:
                assert trainer == "openrlhf" or arm.name.startswith("sft"), refused
                continue
            found[f"{arm.recipe} {arm.name}"] = where
    return found


def test_each_shape_of_an_arm_takes_two_steps_in_trl(tmp_path):
    shapes = {}
    for name, where in written("trl", tmp_path, "rl").items():
        script = module(where / "train.py")
        shapes.setdefault(shape(script), (name, script))
    names = {name for name, _ in shapes.values()}
    assert {f"forge {arm}" for arm in (*MOVING, "grpo-flat", "gpg-flat", "gspo-flat")} | {
        "rlve sorting-adaptive",
        "rlve sorting-0-1",
    } <= names
    assert len(shapes) == 9, names
    tokenizer = byte_tokenizer(plain=TEXTS)
    wanted = {tokenizer.convert_tokens_to_ids(text) for text in TEXTS}
    changes = {
        "output_dir": str(tmp_path / "out"), "use_cpu": True, "bf16": False, "report_to": [], "save_strategy": "no", "max_steps": 2,
        "num_generations": 4, "per_device_train_batch_size": 8, "gradient_accumulation_steps": 1, "steps_per_generation": 1,
        "max_completion_length": 1, "gradient_checkpointing": False, "disable_tqdm": True,
        "generation_kwargs": {"suppress_tokens": [each for each in range(len(tokenizer)) if each not in wanted]},
    }  # fmt: skip
    random_model(tokenizer).save_pretrained(
        tmp_path / "my-model"
    )  # a folder: the KL loss loads its reference from there
    for name, script in shapes.values():
        # Short prompts keep steps short: what is asked is in the ground truth.
        script.CurriculumStream = functools.partial(CurriculumStream, prompt=lambda row: row["ground_truth"][8:48])
        run = script.trainer(str(tmp_path / "my-model"), tokenizer, **changes)
        run.train()
        losses = [entry["loss"] for entry in run.state.log_history if "loss" in entry]
        assert len(losses) == 2 and all(map(math.isfinite, losses)), name
        (kept,) = (one for one in run.callback_handler.callbacks if type(one).__name__ == "CurriculumCallback")
        assert json.loads(kept.state()["attributes"]["rows"])["curriculum"]["step"] == 2, name


def test_supervised_training_takes_two_steps_on_what_the_filter_chose(tmp_path):
    where = written("trl", tmp_path, "sft")["forge sft"]
    engine = optgap.Engine("cpu", threads=1)
    asked = engine.generate("clique", "easy", 4, seed=9)
    answers = engine.solve(asked).answers.tolist()
    texts = [f"<think>.</think><answer>{json.dumps(answer)}</answer>" for answer in answers]
    scores = engine.score(asked, texts, engine.solve(asked))
    rows = [{"key": key, "completion": text, "format_name": "forge", "format": 1, "feasible": int(feasible), "quality": float(quality),
             "truncated": False}
            for key, text, feasible, quality in zip(asked.keys, texts, scores.feasible, scores.quality)]  # fmt: skip
    (tmp_path / "scored.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    quality = recipes.load("forge").arm("sft").used("filter_quality")
    assert supervised.choose([tmp_path / "scored.jsonl"], tmp_path / "chosen.jsonl", quality=quality).kept == 4
    supervised.export(tmp_path / "chosen.jsonl", where / "sft.jsonl", engine=engine)
    tokenizer = byte_tokenizer()
    run = module(where / "sft.py").trainer(
        random_model(tokenizer), tokenizer, output_dir=str(tmp_path / "out"), use_cpu=True, bf16=False, report_to=[],
        save_strategy="no", max_steps=2, max_length=2048, gradient_accumulation_steps=1, disable_tqdm=True,
        gradient_checkpointing=False,
    )  # fmt: skip
    run.train()
    assert sum("loss" in entry and math.isfinite(entry["loss"]) for entry in run.state.log_history) == 2


def test_verl_reads_every_arm():
    folder = pathlib.Path(verl.__file__).parent / "trainer/config"
    told = ("adv_estimator", "loss_mode", "reward_kwargs", "policy.policy", "filter_groups")
    read = set()
    with initialize_config_dir(str(folder), version_base=None):
        for arm, tasks in arms():
            if "rl" not in arm.stages:
                continue
            overrides = of_verl.overrides(settle(arm, "my-model", tasks, 0))
            kind = frozenset(word for word in overrides if any(name in word for name in told))
            if kind in read:
                continue
            read.add(kind)
            config = compose("ppo_trainer", overrides)
            validate_config(config, use_reference_policy=need_reference_policy(config), use_critic=need_critic(config))
            assert get_adv_estimator_fn(config.algorithm.adv_estimator)
            assert get_policy_loss_fn(config.actor_rollout_ref.actor.policy_loss.loss_mode)
            assert resolve_reward_manager_cls(config)(config, byte_tokenizer())
            assert config.data.optgap.policy.policy == arm.used("curriculum")["policy"]
            assert config.trainer.total_training_steps * config.data.train_batch_size <= config.data.optgap.length
            assert config.actor_rollout_ref.rollout.n == arm.used("group")
    assert len(read) >= 8


def parser_of(home):
    """The options of a program of OpenRLHF, which it makes as it starts."""
    tree = ast.parse(pathlib.Path(home.__file__).read_text(encoding="utf-8"))
    (main,) = (node for node in tree.body if isinstance(node, ast.If) and "__main__" in ast.unparse(node.test))
    ends = [place for place, node in enumerate(main.body) if "parse_args()" in ast.unparse(node)]
    names = dict(vars(home))
    exec(compile(ast.Module(main.body[: ends[0]], []), home.__file__, "exec"), names)
    assert isinstance(names["parser"], argparse.ArgumentParser)
    return names["parser"]


def test_openrlhf_reads_every_arm_that_it_takes(tmp_path):
    parser, taken = parser_of(openrlhf_rl), []
    for arm, tasks in arms():
        if "rl" not in arm.stages:
            continue
        try:
            run = settle(arm, "my-model", tasks, 0)
            words = [word for option in openrlhf.command(run) for word in option]
            openrlhf.levels(run)
        except optgap.Error as refused:
            assert "openrlhf" in str(refused)
            continue
        taken.append(arm.name)
        args = vars(parser.parse_args(words))
        assert args["rollout.n_samples_per_prompt"] == arm.used("group") and args["actor.adam.lr"] == arm.used("lr")
        assert args["actor.policy_loss_type"] == ("gspo" if arm.used("algorithm") == "gspo" else "ppo")
        assert tuple(args["actor.eps_clip_low_high"]) == tuple(arm.used("clip"))
    assert {"grpo-flat", "gspo-flat", "tsp-541-flat", "sorting-0-20"} <= set(taken) and not {"main", "gpg-flat"} & set(
        taken
    )
    where = written("openrlhf", tmp_path, "sft")["forge sft"]
    (line,) = (
        line
        for line in (where / "sft.sh").read_text().replace("\\\n", " ").splitlines()
        if line.startswith("deepspeed")
    )
    args = vars(parser_of(openrlhf_sft).parse_args([word for word in shlex.split(line)[3:] if word != "$@"]))
    assert args["data.max_len"] == 20480 and args["train.batch_size"] == 2 * 16 * 8


def test_slimes_settings_are_ours_and_its_options_are_known(tmp_path):
    for name, where in written("slime", tmp_path, "rl").items():
        settings = yaml.safe_load((where / "optgap.yaml").read_text())
        assert set(settings) <= set(slime_options.OPTIONS), name
        optgap.Curriculum(settings["optgap_curriculum"], settings["optgap_tasks"], settings["optgap_seed"])
