"""What the users of recipes' arms bring: read, checked, refused by option; and what becomes of it in the folder."""

import dataclasses
import json
import pathlib
import re
import subprocess
import sys

import pytest
import recipe_files

import optgap
from optgap import recipes
from optgap.recipes.brought import Brought, environments, named_environments
from optgap.recipes.writing import write


@pytest.fixture(name="given")
def _given(tmp_path):
    return recipe_files.make(tmp_path)


def refused(recipe, arm, tmp_path, match, trainer="trl", **options):
    with pytest.raises(optgap.Error, match=match):
        write(recipes.load(recipe).arm(arm), trainer, tmp_path / "x", **options)
    assert not (tmp_path / "x").exists()


def test_what_is_missing_or_has_no_effect_is_refused_by_option(given, tmp_path):
    for recipe, arm, brought, match in (
        ("forge", "main", Brought(data=given["data"]), "data: has no effect on forge main, which brings nothing"),
        ("rlvrr", "mix", Brought(pairs=given["pairs"]), "data: rlvrr mix needs mathematics: --data FILE"),
        (
            "rlvrr",
            "grm",
            Brought(pairs=given["pairs"], judge_url="http://j/v1"),
            "judge-model: and --judge-url go together",
        ),
        ("rlvrr", "rlvrr", Brought(pairs=given["pairs"], judge_key_env="KEY"), "judge-key-env: has no effect without"),
        ("rlvrr", "rm", Brought(pairs=given["pairs"]), "--reward-model M"),
        ("rlve", "c4", Brought(), "--checkout DIR"),
        ("rlve", "c4", Brought(checkout=str(tmp_path)), "holds no Gym/environments"),
    ):
        refused(recipe, arm, tmp_path, match, brought=brought)
    refused("rlve", "c4", tmp_path, "beside --tasks", tasks=["tsp"], brought=Brought(checkout=given["checkout"]))
    refused("rlvrr", "rlvrr", tmp_path, "tasks: has no effect", tasks=["tsp"], brought=Brought(pairs=given["pairs"]))


@pytest.mark.parametrize(("option", "lines", "match"), [
    ("data", ["{}"], "line 1 has no prompt"),
    ("data", ['{"prompt": "1+1?", "answer": "2"}', '{"prompt": "1+1?", "answer": 2}'], "line 2 has no answer: expected a text"),
    ("data", ["[]"], "line 1 is no object"),
    ("data", [], "has no rows"),
    ("pairs", ['{"prompt": "Why?"}'], "line 1 has no references"),
    ("pairs", ['{"prompt": "Why?", "references": [7]}'], "is no list of texts"),
    ("pairs", ['{"prompt": "Why?", "references": ["a"], "chain": 7}'], "rubric is no object"),
    ("pairs", ['{"prompt": "Why?", "references": ["a"], "chain": {}}', '{"prompt": "Why?", "references": ["a"]}'],
     "1 of 2 rows have a rubric, expected all or none"),
])  # fmt: skip
def test_a_file_that_breaks_its_form_is_refused_with_the_line(option, lines, match, tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(line + "\n" for line in lines))
    arm = {"data": ("forge", "math"), "pairs": ("rlvrr", "rlvrr")}[option]
    refused(*arm, tmp_path, f"{option}: .*{match}", brought=Brought(**{option: str(path)}))
    refused(*arm, tmp_path, f"{option}: cannot be read", brought=Brought(**{option: str(tmp_path / "none")}))


def test_words_and_imitation_need_references(tmp_path):
    path = tmp_path / "rows.jsonl"
    rubric = {
        "chain": 1,
        "references": ["The Moon pulls."],
        "content": {"points": [{"references": [{"keywords": ["Moon"]}]}]},
    }
    path.write_text(json.dumps({"input": "Why?", "chain": rubric}) + "\n")
    brought = Brought(pairs=str(path))
    refused("rlvrr", "tfidf-15", tmp_path, "row 1 has no references", brought=brought)
    files = write(recipes.load("rlvrr").arm("sft-10k"), "trl", tmp_path / "of-the-chain", brought=brought)
    assert {"data.sh", "sft.py"} <= set(files)


def test_collections_are_the_checkouts(given, tmp_path):
    checkout = given["checkout"]
    known = environments(checkout)
    assert len(known) == 256 + 50
    assert named_environments(checkout, ["rlve/all"]) == [f"rlve/{name}" for name in known]
    assert len(set(named_environments(checkout, ["rlve/C256"]))) == 256
    refused("rlve", "c256", tmp_path, "is held out", brought=Brought(checkout=_with_a_held_out_one(given)))
    script = next(pathlib.Path(checkout).glob("scripts/training/*/rlve/*"))
    script.write_text("Sorting")
    refused(
        "rlve",
        "c256",
        tmp_path,
        "names 1 environments of the checkout, expected 256",
        brought=Brought(checkout=checkout),
    )
    script.unlink()
    refused("rlve", "c256", tmp_path, "whole repository", brought=Brought(checkout=checkout))
    home = pathlib.Path(checkout) / "Gym/environments/__init__.py"
    home.write_text(home.read_text().replace('"Sorting"', '"Sorted"'))
    refused("rlve", "c4", tmp_path, "has no environment 'Sorting'", brought=Brought(checkout=checkout))
    assert environments(str(recipe_files.STAND_IN)) == ["Addition", "Generous", "Lowest", "Pairs", "Refusing"]


def _with_a_held_out_one(given):
    script = next(pathlib.Path(given["checkout"]).glob("scripts/training/*/rlve/*"))
    text = script.read_text()
    one = next(task for task in optgap.data.suites.load("rlve_ood").entries).task.removeprefix("rlve/")
    moved = re.sub(r'"Environment1"', f'"{one}"', text)
    other = pathlib.Path(given["checkout"]).parent / "moved"
    subprocess.run(["cp", "-r", given["checkout"], other], check=True)
    next(other.glob("scripts/training/*/rlve/*")).write_text(moved)
    return str(other)


def test_all_tasks_are_those_that_are_not_held_out(tmp_path):
    write(recipes.load("rlve").arm("c16"), "slime", tmp_path / "x", tasks=["all"])
    page = (tmp_path / "x/README.md").read_text()
    assert "sudoku" in page and not re.search(r"\*\*: .*futoshiki.* in place of", page)


def test_worker_processes_find_the_checkout(given, tmp_path):
    brought = Brought(checkout=given["checkout"])
    for trainer in ("trl", "verl", "slime"):
        write(recipes.load("rlve").arm("sorting-adaptive"), trainer, tmp_path / trainer, brought=brought)
    assert f"RLVE = {given['checkout']!r}" in (tmp_path / "trl/train.py").read_text()
    for trainer in ("verl", "slime"):
        text = (tmp_path / trainer / "run.sh").read_text()
        assert f"export PYTHONPATH={given['checkout']}" in text
        exports = "".join(line + "\n" for line in text.splitlines() if line.startswith("export "))
        for told, expected in (
            ("", '{"trusted": true, "generate_seconds": 60}'),
            ("OPTGAP_EXTERNAL='{\"workers\": 3}'", '{"workers": 3}'),
        ):
            said = subprocess.run(
                ["bash", "-c", f"unset OPTGAP_EXTERNAL\n{told}\n{exports}echo $OPTGAP_EXTERNAL"],
                capture_output=True,
                text=True,
                check=True,
            )
            assert said.stdout.strip() == expected


def test_settings_of_arms_stand_in_the_configuration(given, tmp_path):
    """The arms of one family differ in what the paper changed and in nothing else."""

    def command(recipe, arm, trainer):
        found = recipes.load(recipe).arm(arm)
        folder = tmp_path / f"{recipe}-{arm}-{trainer}"
        write(found, trainer, folder, brought=recipe_files.brought(found, given))
        return folder

    data = {
        arm: (command("rlvrr", arm, "verl") / "data.sh").read_text()
        for arm in ("rlvrr", "no-style", "one-level", "tfidf-30")
    }
    assert "--preset paper" in data["rlvrr"] and "rubric make" not in data["rlvrr"], "the pairs have rubrics"
    assert "--preset no_style" in data["no-style"] and "--one-level" in data["one-level"]
    assert "--by tfidf --share 0.3" in data["tfidf-30"]
    options = {
        arm: recipe_files.options_of((command("river", arm, "slime") / "run.sh").read_text())
        for arm in ("raw", "river")
    }
    assert options["raw"] == options["river"], "what differs is the estimator, in optgap.yaml"
    estimators = [(tmp_path / f"river-{arm}-slime/optgap.yaml").read_text() for arm in ("raw", "river")]
    assert '"raw"' in estimators[0] and '"river"' in estimators[1]
    roles = {arm: recipe_files.options_of((command("mae", arm, "verl") / "run.sh").read_text())
             for arm in ("half-reference", "no-reference", "azr")}  # fmt: skip
    shares = {arm: found["data.optgap.options.reference_share"] for arm, found in roles.items()}
    assert shares == {"half-reference": "0.5", "no-reference": "0.0", "azr": "1.0"}
    assert roles["azr"]["data.optgap.judges"] == "0" and roles["azr"]["data.optgap.options.proposer"] == "azr"
    assert roles["half-reference"]["algorithm.adv_estimator"] == "optgap_roles"
    assert "UNTRAINED = 'judge'" in (command("mae", "no-judge", "trl") / "train.py").read_text()
    maths = recipe_files.options_of((command("rlvrr", "mix", "verl") / "run.sh").read_text())
    assert (
        maths["reward.custom_reward_function.path"] == "rewards.py" and maths["reward.reward_manager.name"] == "optgap"
    )


@pytest.mark.parametrize("trainer", ["trl", "verl"])
def test_maes_arms_pose_free_text_where_questions_are_brought(trainer, given, tmp_path):
    brought = Brought(questions=given["questions"])
    texts = {}
    for arm in recipes.load("mae"):
        if arm.name in ("base", "azr", "sft"):
            by = None if arm.name == "base" else trainer
            refused("mae", arm.name, tmp_path, "questions: has no effect", by, brought=brought)
            continue
        if trainer == "verl" and arm.used("untrained_role") is not None:
            refused("mae", arm.name, tmp_path, "its estimators reward every role; trl has", trainer, brought=brought)
            continue
        write(arm, trainer, tmp_path / arm.name, brought=brought)
        texts[arm.name] = (tmp_path / arm.name / ("train.py" if trainer == "trl" else "run.sh")).read_text()
        assert "Seed questions are yours" in (tmp_path / arm.name / "README.md").read_text()
        assert given["questions"] in texts[arm.name]
    assert len(texts) == {"trl": 9, "verl": 6}[trainer]
    if trainer == "verl":
        found = {arm: recipe_files.options_of(text) for arm, text in texts.items()}
        form = {arm: options["data.optgap.options.form"].lower() for arm, options in found.items()}
        assert {arm for arm, value in form.items() if value == "false"} == {"no-format"}
        assert (
            float(found["no-filter"]["data.optgap.options.quality"])
            == 0
            < float(found["zero"]["data.optgap.options.quality"])
        )
        assert found["zero"]["data.optgap.options.seeds"] == "16" and "data.optgap.tasks" not in found["zero"]
    else:
        assert {arm for arm, text in texts.items() if "'form': False" in text} == {"no-format"}
        assert {arm for arm, text in texts.items() if "'quality': 0.0" in text} == {"no-filter"}
        assert "SEEDS = 16 " in texts["zero"] and "UNTRAINED = 'solver'" in texts["no-solver"]
    refused("mae", "zero", tmp_path, "beside --tasks", trainer, brought=brought, tasks=["tsp"])
    pathlib.Path(given["questions"]).write_text("{}\n")
    refused("mae", "zero", tmp_path, "line 1: expected a text", trainer, brought=brought)


def test_a_judges_key_is_named_and_not_written(given, tmp_path):
    brought = Brought(pairs=given["pairs"], judge_url="http://j/v1", judge_model="big", judge_key_env="JUDGE_KEY")
    write(recipes.load("rlvrr").arm("grm"), "verl", tmp_path / "x", brought=brought)
    assert "Judge('http://j/v1', 'big', api_key_env='JUDGE_KEY')" in (tmp_path / "x/rewards.py").read_text()


def test_the_command_takes_what_is_brought(given, tmp_path):
    def run(*words):
        return subprocess.run(
            [sys.executable, "-m", "optgap", "recipe", "write", *words], capture_output=True, text=True, check=False
        )

    made = run("rlvrr", "rlvrr", "--trainer", "slime", "--pairs", given["pairs"], "-o", str(tmp_path / "made"))
    assert made.returncode == 0 and "optgap.yaml" in made.stdout
    assert run("forge", "base", "-o", str(tmp_path / "base")).returncode == 0
    wrong = run("rlvrr", "grm", "--trainer", "trl", "--pairs", given["pairs"], "-o", str(tmp_path / "grm"))
    assert wrong.returncode == 2 and "--judge-url" in wrong.stderr
    assert run("forge", "main", "-o", str(tmp_path / "main")).returncode == 2
    shown = json.loads(subprocess.run([sys.executable, "-m", "optgap", "recipe", "show", "rlvrr", "mix", "--json"],
                                      capture_output=True, text=True, check=True).stdout)  # fmt: skip
    assert shown["brings"] == ["pairs", "data"] and shown["expressible"]
    assert {field.name for field in dataclasses.fields(Brought)} >= {"checkout", "data", "pairs"}
