"""docs/trainers.md as it stands: its `optgap` lines and Python run, a trainer's command is read by that trainer."""

import asyncio
import importlib
import pathlib
import re
import shlex
import subprocess
import sys
import types

import pytest
import verl
import yaml
from hydra import compose, initialize_config_dir
from stand_ins import stand_ins
from tiny_model import CHATML, byte_tokenizer, random_model
from verl.trainer.ppo.core_algos import get_adv_estimator_fn
from verl.trainer.ppo.reward import get_custom_reward_fn, resolve_reward_manager_cls
from verl.trainer.ppo.utils import need_critic, need_reference_policy
from verl.utils.config import validate_config
from verl.utils.dataset.rl_dataset import get_dataset_class

from optgap.trainers.common.evaluation import evaluate
from optgap.trainers.slime import reward as slime
from optgap.trainers.verl.curriculum import CurriculumOwner
from optgap.trainers.verl.data import CurriculumDataset, settings_of

with stand_ins():
    import openrlhf.cli.train_ppo_ray

PAGE = (pathlib.Path(__file__).resolve().parents[3] / "docs/trainers.md").read_text(encoding="utf-8")
SHORTER = {"--count 20000": "--count 16", "--count 4000": "--count 4", "--count 2000": "--count 16",
           "--count 200": "--count 4", "--count 50": "--count 2",
           "max_steps=500": "max_steps=1", "max_completion_length=2048": "max_completion_length=8",
           'output_dir="out"': 'output_dir="out", use_cpu=True, report_to=[], save_strategy="no"'}  # fmt: skip
"""What keeps a test short, and off accelerators and trackers."""


def blocks(kind):
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def commands(program):
    """The page's command lines that begin like this."""
    lines = "".join(blocks("console")).replace("\\\n", " ").splitlines()
    return [line for line in lines if line.startswith(program)]


def file_of(name):
    """The block whose first line is a comment with this name."""
    return next(text for kind in ("python", "yaml") for text in blocks(kind) if text.startswith(f"# {name}"))


def shortened(text):
    for long, short in SHORTER.items():
        text = text.replace(long, short)
    return text


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    """A folder with a model and the page's files."""
    folder = tmp_path_factory.mktemp("reader")
    tokenizer = byte_tokenizer(CHATML)
    tokenizer.save_pretrained(folder / "my-model")
    random_model(tokenizer).save_pretrained(folder / "my-model")
    for name in (
        "train_trl.py",
        "train_trl_curriculum.py",
        "rewards.py",
        "reward.py",
        "optgap.yaml",
        "curriculum.yaml",
    ):
        (folder / name).write_text(shortened(file_of(name)))
    return folder


def run(here, *command):
    done = subprocess.run(command, cwd=here, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    return done.stdout


def test_every_line_of_the_page_is_tested():
    programs = ("optgap ", "python3 -m verl.trainer.main_ppo ", "python3 -m optgap.", "python3 train.py ",
                "python3 -m openrlhf.cli.train_ppo_ray ")  # fmt: skip
    lines = "".join(blocks("console")).replace("\\\n", " ").splitlines()
    assert lines and all(line.startswith(programs) for line in lines)
    assert len(blocks("python")) + len(blocks("yaml")) == 7


def test_the_data_sets_are_written_and_preflight_passes(here):
    for line in commands("optgap "):
        run(here, sys.executable, "-m", *shlex.split(shortened(line)))
    assert {"train.parquet", "val.parquet", "train.jsonl"} <= {path.name for path in here.iterdir()}


def test_the_trl_scripts_train(here):
    """In one process, which imports PyTorch and TRL once."""
    (line,) = (line for line in commands("optgap dataset") if "--trainer trl" in line)
    run(here, sys.executable, "-m", *shlex.split(shortened(line)))
    both = "import runpy; [runpy.run_path(f'train_trl{kind}.py') for kind in ('', '_curriculum')]"
    printed = run(here, sys.executable, "-c", both)
    assert printed.count("'rewards/optgap_quality/mean'") == 2 and "optgap/tsp/sr" in printed
    assert printed.count("'rewards/optgap_curriculum/mean': None") == 1


@pytest.mark.parametrize("line", commands("python3 -m verl.trainer.main_ppo"))
def test_verl_reads_its_commands(here, monkeypatch, line):
    monkeypatch.chdir(here)
    overrides = shlex.split(line)[3:]
    folder = pathlib.Path(verl.__file__).parent / "trainer/config"
    with initialize_config_dir(str(folder), version_base=None):
        config = compose("ppo_trainer", overrides)
    if "n_gpus_per_node" in line:
        validate_config(config, use_reference_policy=need_reference_policy(config), use_critic=need_critic(config))
    assert get_adv_estimator_fn(config.algorithm.adv_estimator)
    if config.data.custom_cls.path is not None:
        assert get_dataset_class(config.data) is CurriculumDataset
        settings = settings_of(config.data)
        assert settings.pop("length") >= config.data.train_batch_size
        assert CurriculumOwner(batch=config.data.train_batch_size, **settings).rows(2)
    manager = resolve_reward_manager_cls(config)
    function = get_custom_reward_fn(config)
    if function is None:
        assert manager.__name__ == "RewardManager"
        made = manager(config, byte_tokenizer())
        assert evaluate(["x"], ["tsp@1:train:easy:1"], reward=made._reward).rows[0]["code"] > 0
    else:
        ours = {"data_source": "optgap/tsp/easy", "ground_truth": "tsp@1:train:easy:1"}
        theirs = {"data_source": "openai/gsm8k", "ground_truth": "72"}
        row, other = (asyncio.run(function(solution_str="so 72", extra_info={}, **given)) for given in (ours, theirs))
        assert row["code"] > 0 and other["score"] == 1.0 and set(row) == set(other)


def test_the_self_check_lists_what_verl_found(here):
    (line,) = commands("python3 -m optgap.")
    assert "optgap_river" in run(here, sys.executable, *shlex.split(line)[1:])


def test_openrlhf_knows_its_options(here):
    (line,) = commands("python3 -m openrlhf")
    given = [word for word in shlex.split(line) if word.startswith("--")]
    source = pathlib.Path(openrlhf.cli.train_ppo_ray.__file__).read_text(encoding="utf-8")
    assert given and all(f'"{option}"' in source for option in given)
    assert "reward_func" in run(here, sys.executable, "-c", "import reward; print(reward.reward_func)")


def test_prompts_of_ones_own_stream_are_issued_in_columns():
    names = {}
    exec(file_of("prompts.py"), names)  # noqa: S102
    assert [key.split("#")[0] for key in names["keys"]] == ["tsp@1:train:easy:1", "knapsack@1:train:d4:2"]
    assert all(row["code"] > 0 for row in evaluate(["x", "x"], names["keys"]).rows) and len(names["prompts"]) == 2


def slime_arguments(here, line):
    """As slime's parser and its --custom-config-path make them."""
    words = shlex.split(line)[2:]
    given = {word[2:].replace("-", "_"): value for word, value in zip(words, [*words[1:], ""]) if word.startswith("--")}
    return types.SimpleNamespace(**given, **yaml.safe_load((here / given["custom_config_path"]).read_text()))


@pytest.mark.parametrize("line", commands("python3 train.py"))
def test_slimes_paths_and_settings_are_ours(here, line):
    paths = set(re.findall(r"optgap\.trainers\.slime\.reward\.\w+", line))
    assert len(paths) == 3 + ("--data-source-path" in line)
    for path in paths:
        module, name = path.rsplit(".", 1)
        assert callable(getattr(importlib.import_module(module), name))
    args = slime_arguments(here, line)
    assert {name for name in vars(args) if name.startswith("optgap_")} <= set(slime.OPTIONS)
    source = slime.DataSource(args)
    assert {row["data_source"].split("/")[1] for row in source._fresh(8)} == set(args.optgap_tasks)
