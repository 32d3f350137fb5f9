"""Recipes' arms in the trainers: TRL takes two steps on a random model with one arm of each kind of settings, verl's configuration and
OpenRLHF's parsers read what is written for them, slime's hooks read theirs."""

import argparse
import ast
import functools
import importlib.util
import json
import math
import os
import pathlib
import shlex
import subprocess
import sys
import types

import pytest
import recipe_files
import text_role_texts
import transformers
import verl
import yaml
from hydra import compose, initialize_config_dir
from role_texts import texts as role_texts
from stand_in_server import StandIn
from stand_ins import stand_ins
from tiny_model import byte_tokenizer, random_model
from verl.trainer.ppo.core_algos import get_adv_estimator_fn, get_policy_loss_fn
from verl.trainer.ppo.reward import resolve_reward_manager_cls
from verl.trainer.ppo.utils import need_critic, need_reference_policy
from verl.utils.config import validate_config

import optgap
from optgap import recipes
from optgap.data import supervised
from optgap.recipes.brought import Brought
from optgap.recipes.data import preferences
from optgap.recipes.writing import openrlhf, verl as of_verl, write
from optgap.recipes.writing.run import settle
from optgap.rows.programs.dataset import export as export_programs
from optgap.trainers.slime import options as slime_options
from optgap.trainers.trl.curriculum import CurriculumStream

with stand_ins():
    import openrlhf.cli.train_ppo_ray as openrlhf_rl
    import openrlhf.cli.train_sft as openrlhf_sft

TEXTS = [f"<think>.</think><answer>{answer}</answer>" for answer in ("[0]", "[0, 1]", "[]", "[0, 1, 2, 3, 4, 5, 6, 7]")]
INSTEAD = ["clique", "knapsack"]
"""For RLVE's arms, whose environments are not here."""
MOVING = {"main", "gpg", "gspo", "binary"}
CPU = {"use_cpu": True, "bf16": False, "report_to": [], "save_strategy": "no", "max_steps": 2, "disable_tqdm": True,
       "gradient_checkpointing": False}  # fmt: skip
SHORT = {**CPU, "num_generations": 4, "per_device_train_batch_size": 8, "gradient_accumulation_steps": 1, "steps_per_generation": 1,
         "max_completion_length": 1}  # fmt: skip
"""Two steps of two groups, an answer of one token each."""


@pytest.fixture(scope="module")
def given(tmp_path_factory):
    return recipe_files.make(tmp_path_factory.mktemp("given"))


def arms(given):
    """Arms that can be written, with tasks in place of environments, and with what their users bring."""
    for name in recipes.names():
        for arm in recipes.load(name):
            if arm.stages and not arm.needs:
                tasks = INSTEAD if "checkout" in arm.brings else None
                yield arm, tasks, None if tasks else recipe_files.brought(arm, given)


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


def written(trainer, folder, stage, given):
    """Folders of all arms that this trainer takes, by name."""
    found = {}
    for arm, tasks, brought in arms(given):
        if stage in arm.stages:
            where = folder / f"{trainer}-{arm.recipe}-{arm.name}"
            try:
                write(arm, trainer, where, tasks=tasks, model="my-model", brought=brought)
            except optgap.Error:
                continue  # tests/python/recipes_test.py holds the reasons
            found[f"{arm.recipe} {arm.name}"] = where
    return found


def speaking(texts):
    """A tokenizer and what makes its model say one of these texts, a token each."""
    tokenizer = byte_tokenizer(plain=texts)
    wanted = {tokenizer.convert_tokens_to_ids(text) for text in texts}
    return tokenizer, {"suppress_tokens": [each for each in range(len(tokenizer)) if each not in wanted]}


def two_steps(run, name):
    run.train()
    losses = [entry["loss"] for entry in run.state.log_history if "loss" in entry]
    assert len(losses) == 2 and all(map(math.isfinite, losses)), name
    return run.state.log_history


def test_each_shape_of_a_curriculums_arm_takes_two_steps_in_trl(tmp_path, given):
    shapes = {}
    for name, where in written("trl", tmp_path, "rl", given).items():
        script = module(where / "train.py")
        if hasattr(script, "POLICY"):
            shapes.setdefault(shape(script), (name, script))
    names = {name for name, _ in shapes.values()}
    assert {f"forge {arm}" for arm in (*MOVING, "without-truth", "grpo-flat", "gpg-flat", "gspo-flat")} | {
        "rlve sorting-adaptive",
        "rlve sorting-0-1",
    } <= names
    assert len(shapes) == 10, names
    tokenizer, says = speaking(TEXTS)
    random_model(tokenizer).save_pretrained(
        tmp_path / "my-model"
    )  # a folder: the KL loss loads its reference from there
    for name, script in shapes.values():
        # Short prompts keep steps short: what is asked is in the ground truth.
        script.CurriculumStream = functools.partial(CurriculumStream, prompt=lambda row: row["ground_truth"][8:48])
        run = script.trainer(
            str(tmp_path / "my-model"), tokenizer, output_dir=str(tmp_path / "out"), generation_kwargs=says, **SHORT
        )
        two_steps(run, name)
        (kept,) = (one for one in run.callback_handler.callbacks if type(one).__name__ == "CurriculumCallback")
        assert json.loads(kept.state()["attributes"]["rows"])["curriculum"]["step"] == 2, name


SAID = ["The Moon pulls on the ocean.", "No.", "it is 1", "<think>The Moon</think><answer>x</answer>"]
"""Texts that rubrics, mathematics, a judge and a reward model reward differently."""


@pytest.mark.parametrize("name", ["rlvrr rlvrr", "rlvrr bleu", "rlvrr mix", "forge math", "rlvrr grm", "rlvrr rm", "rlvrr math-rm",
                                  "rlvrr rlpr", "forge np-math"])  # fmt: skip
def test_an_arm_of_each_kind_of_rows_takes_two_steps_in_trl(name, tmp_path, given, monkeypatch):
    """What data.sh writes, rewarded as the arm is."""
    stand_in = types.SimpleNamespace(parse=lambda text, **_: text, verify=lambda gold, said, **_: said[-1] == gold[-2])
    monkeypatch.setitem(sys.modules, "math_verify", stand_in)
    recipe, arm = name.split()
    found = recipes.load(recipe).arm(arm)
    tokenizer, says = speaking(SAID)
    model, rewarding = str(tmp_path / "my-model"), str(tmp_path / "my-reward-model")
    random_model(tokenizer).save_pretrained(model)
    one_label = transformers.Qwen2ForSequenceClassification(
        transformers.Qwen2Config(**random_model(tokenizer).config.to_diff_dict(), num_labels=1)
    )
    one_label.save_pretrained(rewarding)
    tokenizer.save_pretrained(rewarding)
    with StandIn(lambda request: f"<score>{1 + len(request.prompt) % 10}</score>") as server:
        instead = {"reward_model": rewarding, "judge_url": server.base_url}
        write(found, "trl", tmp_path / "arm", model="my-model", brought=recipe_files.brought(found, given, **instead))
        script = (tmp_path / "arm/data.sh").read_text().replace(f"--steps {found.used('steps')}", "--steps 1")
        (tmp_path / "arm/data.sh").write_text(script)
        path = os.pathsep.join([str(pathlib.Path(sys.executable).parent), os.environ["PATH"]])
        subprocess.run([tmp_path / "arm/data.sh"], check=True, env={**os.environ, "PATH": path})
        run = module(tmp_path / "arm/train.py").trainer(
            model, tokenizer, output_dir=str(tmp_path / "out"), generation_kwargs=says, **SHORT
        )
        logs = two_steps(run, name)
    assert any(value == value and key.startswith("rewards/") for entry in logs for key, value in entry.items())


def test_programs_are_ranked_for_two_steps_in_trl(tmp_path):
    write(recipes.load("river").arm("river"), "trl", tmp_path / "arm")
    export_programs(
        tmp_path / "arm/train.jsonl",
        "trl",
        ["pairs"],
        level="easy",
        count=4,
        instances=3,
        interface="solve",
        limits="river",
        budget=1,
    )
    floor = "```python\ndef solve(**_):\n    return []\n```"
    tokenizer, says = speaking([floor, "no program", "```python\nx\n```", f"{floor}\n"])
    random_model(tokenizer).save_pretrained(tmp_path / "my-model")
    script = module(tmp_path / "arm/train.py")
    rows = [json.loads(line) for line in (tmp_path / "arm/train.jsonl").read_text().splitlines()]
    short = "".join(json.dumps({**row, "prompt": f"{place}"}) + "\n" for place, row in enumerate(rows))
    (tmp_path / "arm/train.jsonl").write_text(short)
    run = script.trainer(
        str(tmp_path / "my-model"), tokenizer, output_dir=str(tmp_path / "out"), generation_kwargs=says, **SHORT
    )
    two_steps(run, "river")


@pytest.mark.parametrize("arm", ["half-reference", "no-filter", "no-format", "no-proposer"])
def test_roles_on_free_text_take_two_steps_in_trl(arm, given, tmp_path):
    write(recipes.load("mae").arm(arm), "trl", tmp_path / "arm", brought=Brought(questions=given["questions"]))
    script = module(tmp_path / "arm/train.py")
    script.PROMPTS, script.GROUP, script.UPDATES = 4, 4, 1
    tokenizer, says = speaking(text_role_texts.texts())
    random_model(tokenizer).save_pretrained(tmp_path / "my-model")
    pool = str(tmp_path / "pool.db")
    run = script.trainer(
        str(tmp_path / "my-model"), tokenizer, make=lambda: script.roles(pool), proposers=1, judges=1,
        prompt=lambda row: [{"role": "user", "content": row["role"]}], output_dir=str(tmp_path / "out"), generation_kwargs=says,
        **{**SHORT, "per_device_train_batch_size": 16},
    )  # fmt: skip
    two_steps(run, arm)


@pytest.mark.parametrize("arm", ["half-reference", "no-judge", "azr"])
def test_roles_take_two_steps_in_trl(arm, tmp_path):
    write(recipes.load("mae").arm(arm), "trl", tmp_path / "arm", tasks=["tsp"])
    script = module(tmp_path / "arm/train.py")
    script.SEEDS, script.PROMPTS, script.GROUP, script.UPDATES = 4, 4, 4, 1
    texts = role_texts()
    tokenizer, says = speaking(texts)
    random_model(tokenizer).save_pretrained(tmp_path / "my-model")
    pool = str(tmp_path / "pool.db")
    run = script.trainer(
        str(tmp_path / "my-model"), tokenizer, make=lambda: script.roles(pool), proposers=1, judges=min(script.JUDGES, 1),
        prompt=lambda row: [{"role": "user", "content": row["role"]}], output_dir=str(tmp_path / "out"), generation_kwargs=says,
        **{**SHORT, "per_device_train_batch_size": 16},
    )  # fmt: skip
    two_steps(run, arm)


def test_preferences_take_two_steps_in_trl(tmp_path, given):
    found = recipes.load("rlvrr").arm("instruct-dpo")
    write(found, "trl", tmp_path / "arm", brought=recipe_files.brought(found, given))
    said = [{"prompt": [{"role": "user", "content": "Why?"}], "chosen": [{"role": "assistant", "content": "The Moon."}],
             "rejected": [{"role": "assistant", "content": text}]} for text in ("No.", "Yes.", "So.", "x")]  # fmt: skip
    (tmp_path / "arm/preferences.jsonl").write_text("".join(json.dumps(row) + "\n" for row in said))
    tokenizer = byte_tokenizer()
    random_model(tokenizer).save_pretrained(tmp_path / "my-model")  # a folder: the reference is loaded from there
    run = module(tmp_path / "arm/dpo.py").trainer(
        str(tmp_path / "my-model"), tokenizer, output_dir=str(tmp_path / "out"), gradient_accumulation_steps=1, **CPU
    )
    two_steps(run, "instruct-dpo")


@pytest.mark.parametrize("name", ["rlvrr sft-10k", "mae sft"])
def test_imitation_takes_two_steps_in_trl(name, tmp_path, given):
    recipe, arm = name.split()
    found = recipes.load(recipe).arm(arm)
    write(found, "trl", tmp_path / "arm", brought=recipe_files.brought(found, given))
    preferences.imitate(given["pairs"], tmp_path / "arm/sft.jsonl")
    tokenizer = byte_tokenizer()
    run = module(tmp_path / "arm/sft.py").trainer(
        random_model(tokenizer), tokenizer, output_dir=str(tmp_path / "out"), gradient_accumulation_steps=1, **CPU
    )
    two_steps(run, name)


def test_supervised_training_takes_two_steps_on_what_the_filter_chose(tmp_path, given):
    where = written("trl", tmp_path, "sft", given)["forge sft"]
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
        random_model(tokenizer),
        tokenizer,
        output_dir=str(tmp_path / "out"),
        max_length=2048,
        gradient_accumulation_steps=1,
        **CPU,
    )
    two_steps(run, "forge sft")


def test_verl_reads_every_arm(given, monkeypatch):
    monkeypatch.setenv("SOLVER_URL", "http://localhost:8000/v1")
    monkeypatch.setenv("SOLVER_MODEL", "my-model")
    folder = pathlib.Path(verl.__file__).parent / "trainer/config"
    told = (
        "adv_estimator",
        "loss_mode",
        "reward_kwargs",
        "policy.policy",
        "filter_groups",
        "custom_",
        "train_files",
        "options",
    )
    read = set()
    with initialize_config_dir(str(folder), version_base=None):
        for arm, tasks, brought in arms(given):
            if "rl" not in arm.stages:
                continue
            run = settle(arm, "my-model", tasks, 0, brought)
            try:
                of_verl.files(run)
            except optgap.Error:
                continue
            overrides = of_verl.overrides(run)
            kind = frozenset(word for word in overrides if any(name in word for name in told))
            if kind in read:
                continue
            read.add(kind)
            config = compose("ppo_trainer", overrides)
            validate_config(config, use_reference_policy=need_reference_policy(config), use_critic=need_critic(config))
            assert get_adv_estimator_fn(config.algorithm.adv_estimator)
            assert get_policy_loss_fn(config.actor_rollout_ref.actor.policy_loss.loss_mode)
            if run.is_drawn:
                assert resolve_reward_manager_cls(config)(config, byte_tokenizer())
                assert config.data.optgap.policy.policy == arm.used("curriculum")["policy"]
                assert config.trainer.total_training_steps * config.data.train_batch_size <= config.data.optgap.length
            if run.kinds == ("roles",):
                assert config.data.optgap.group == config.actor_rollout_ref.rollout.n == 5
                assert config.data.optgap.solver.base_url == "http://localhost:8000/v1"
            else:
                assert config.actor_rollout_ref.rollout.n == arm.used("group")
    assert len(read) >= 13


def parser_of(home):
    """The options of a program of OpenRLHF, which it makes as it starts."""
    tree = ast.parse(pathlib.Path(home.__file__).read_text(encoding="utf-8"))
    (main,) = (node for node in tree.body if isinstance(node, ast.If) and "__main__" in ast.unparse(node.test))
    ends = [place for place, node in enumerate(main.body) if "parse_args()" in ast.unparse(node)]
    names = dict(vars(home))
    exec(compile(ast.Module(main.body[: ends[0]], []), home.__file__, "exec"), names)
    assert isinstance(names["parser"], argparse.ArgumentParser)
    return names["parser"]


def test_openrlhf_reads_every_arm_that_it_takes(tmp_path, given):
    parser, taken = parser_of(openrlhf_rl), []
    for arm, tasks, brought in arms(given):
        if "rl" not in arm.stages:
            continue
        try:
            run = settle(arm, "my-model", tasks, 0, brought)
            openrlhf.files(run)
            words = [word for option in openrlhf.command(run) for word in option]
        except optgap.Error:
            continue
        taken.append(arm.name)
        args = vars(parser.parse_args(words))
        assert args["rollout.n_samples_per_prompt"] == arm.used("group") and args["actor.adam.lr"] == arm.used("lr")
        assert args["actor.policy_loss_type"] == ("gspo" if arm.used("algorithm") == "gspo" else "ppo")
        assert tuple(args["actor.eps_clip_low_high"]) == tuple(arm.used("clip"))
    assert {"grpo-flat", "gspo-flat", "tsp-541-flat", "sorting-0-20", "rlvrr", "mix", "grm", "math"} <= set(taken)
    assert not {"main", "gpg-flat", "river", "rlpr", "rm"} & set(taken)
    where = written("openrlhf", tmp_path, "sft", given)["forge sft"]
    (line,) = (
        line
        for line in (where / "sft.sh").read_text().replace("\\\n", " ").splitlines()
        if line.startswith("deepspeed")
    )
    args = vars(parser_of(openrlhf_sft).parse_args([word for word in shlex.split(line)[3:] if word != "$@"]))
    assert args["data.max_len"] == 20480 and args["train.batch_size"] == 2 * 16 * 8


def test_slimes_settings_are_ours_and_its_options_are_known(tmp_path, given):
    folders = written("slime", tmp_path, "rl", given)
    assert {"river river", "rlvrr mix", "forge np-math"} <= set(folders)
    for name, where in folders.items():
        settings = yaml.safe_load((where / "optgap.yaml").read_text())
        assert set(settings) <= set(slime_options.OPTIONS), name
        assert settings == recipe_files.mapping((where / "optgap.yaml").read_text())
        if "optgap_curriculum" in settings:
            optgap.Curriculum(settings["optgap_curriculum"], settings["optgap_tasks"], settings["optgap_seed"])
