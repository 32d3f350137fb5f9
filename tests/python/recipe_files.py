"""What the users of recipes' arms bring, small; and what every written folder must be."""

import argparse
import json
import pathlib
import re
import shlex
import subprocess

from optgap import recipes
from optgap.data import suites
from optgap.recipes.brought import Brought

STAND_IN = pathlib.Path(__file__).parents[1] / "rlve_stand_in"


def make(folder):
    """A checkout of RLVE by its names alone, pairs with rubrics, mathematics."""
    folder = pathlib.Path(folder) / "brought"
    gym = folder / "rlve" / "Gym" / "environments"
    gym.mkdir(parents=True)
    named = {task.removeprefix("rlve/") for arm in recipes.load("rlve") for task in arm.used("tasks", [])
             if re.fullmatch(r"rlve/\w+", task) and task not in ("rlve/C256", "rlve/all")}  # fmt: skip
    held_out = {entry.task.removeprefix("rlve/") for entry in suites.load("rlve_ood").entries}
    names = sorted(named) + [f"Environment{number}" for number in range(256 - len(named))]
    known = sorted({*names, *held_out})
    gym.joinpath("__init__.py").write_text(
        "Made = object\nidentifier2environment = {\n" + "".join(f'    "{name}": Made,\n' for name in known) + "}\n"
    )
    script = folder / "rlve" / "scripts" / "training" / "model" / "rlve" / "num-environment=256.sh"
    script.parent.mkdir(parents=True)
    script.write_text("environments='" + " ".join(f'"{name}"' for name in names) + "'\n")
    reference = "The Moon pulls on the ocean, and {} bulges of water follow it around the Earth."
    pairs, data = folder / "pairs.jsonl", folder / "data.jsonl"
    rows = [{"prompt": f"Why do {number} tides rise?", "references": [reference.format(number), "The Moon pulls water."],
             "chain": {"chain": 1, "prompt": f"Why do {number} tides rise?", "references": [reference.format(number)],
                       "content": {"points": [{"name": "cause", "references": [{"keywords": ["Moon", "ocean"]}]},
                                              {"name": "effect", "references": [{"keywords": ["bulges", "Earth"]}]}]},
                       "style": [{"check": "words", "in": [3, 40], "weight": 1}]}}
            for number in range(6)]  # fmt: skip
    pairs.write_text("".join(json.dumps(row) + "\n" for row in rows))
    data.write_text("".join(json.dumps({"prompt": f"What is {n} + 1?", "answer": str(n + 1)}) + "\n" for n in range(6)))
    questions = folder / "questions.jsonl"
    questions.write_text(
        "".join(json.dumps({"question": f"What is {n} + 1?", "answer": f"#### {n + 1}"}) + "\n" for n in range(20))
    )
    return {"questions": str(questions), "checkout": str(folder / "rlve"), "data": str(data), "pairs": str(pairs), "reward_model": "my-reward-model",
            "judge_url": "http://localhost:9/v1", "judge_model": "my-judge"}  # fmt: skip


def brought(arm, files, **instead):
    """What this arm needs of them."""
    options = [option.replace("-", "_") for option in arm.brings]
    options += ["judge_model"] if "judge_url" in options else []
    return Brought(**{option: instead.get(option, files[option]) for option in options})


def parse(folder, files):
    """Python compiles, shell parses, YAML is a mapping, and a trainer's command line is a list of options each of which stands once."""
    for name in files:
        text = (folder / name).read_text()
        if name.endswith(".py"):
            compile(text, name, "exec")
        if name.endswith(".yaml"):
            assert mapping(text), name
        if name.endswith(".sh"):
            subprocess.run(["bash", "-n", folder / name], check=True)
        if name == "run.sh":
            assert options_of(text), name
            assert pathlib.Path(folder / name).stat().st_mode & 0o100


def mapping(text):
    """What optgap.yaml says: names with JSON, a line each, and comments. These tests need no YAML reader, and those of the trainers
    read the same file with one. Raises ValueError for another line."""
    found = {}
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        name, colon, value = line.partition(": ")
        if not colon or name in found:
            raise ValueError(line)
        found[name] = json.loads(value)
    return found


def options_of(text):
    """Of the trainer's command in a run.sh: by name, with their values. An option twice is an error."""
    words = shlex.split(text.replace("\\\n", " ").splitlines()[-1].replace('"$@"', ""))
    found = {}
    if "verl.trainer.main_ppo" in words:
        for word in words[words.index("verl.trainer.main_ppo") + 1 :]:
            name, equals, value = word.partition("=")
            assert equals and name not in found, word
            found[name.lstrip("+")] = value
        return found
    parser = argparse.ArgumentParser(allow_abbrev=False)
    named = [word for word in words if word.startswith("--")]
    assert len(named) == len(set(named)), "an option twice"
    for name in named:
        parser.add_argument(name, nargs="*")
    return vars(parser.parse_args(words[words.index(named[0]) :]))
