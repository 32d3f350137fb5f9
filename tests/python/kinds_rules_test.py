"""A user's estimators of advantages and reward shape from a package (tests/extension/packages/toy_rules): the same bytes by every
way that rows are scored, and failures that say what failed."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

import optgap
from optgap.__main__ import native_program

PACKAGES = pathlib.Path(__file__).resolve().parents[1] / "extension/packages"
PAGE = PACKAGES.parents[2] / "docs/kinds.md"
OPTIMUM = "<think>hm</think><answer>[0, 4, 2, 15, 5, 9, 12, 8, 7, 1, 10, 3, 6, 13, 11, 14]</answer>"
TEXTS = [OPTIMUM, OPTIMUM.replace("4, 2", "2, 4"), OPTIMUM.replace("0, 4", "4, 0"), "<answer>[0, 0]</answer>", "none"]
ROWS = [{"key": "tsp@1:train:easy:1", "completion": text, "length": 10 + 5 * at} for at, text in enumerate(TEXTS)]
KNEE = {"shape": "toy_knee", "at": 1.0, "grid": 0}
SOFT = {"estimator": "toy_softened", "softness": 2.0}


@pytest.fixture(scope="module", autouse=True)
def on_the_path():
    """The folder of packages, where Python and the program look for modules."""
    former = os.environ.get("PYTHONPATH")
    sys.path.append(str(PACKAGES))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [former, str(PACKAGES)]))
    yield
    sys.path.remove(str(PACKAGES))
    os.environ.pop("PYTHONPATH")
    if former is not None:
        os.environ["PYTHONPATH"] = former


@pytest.fixture(scope="module")
def engine():
    made = optgap.Engine("cpu", threads=2, server="off")
    optgap.load_kinds("toy_rules")
    return made


def command(*words, rows=(), path=None):
    environment = {**os.environ, "OPTGAP_PYTHON": sys.executable}
    if path is not None:
        environment["PYTHONPATH"] = str(path)
    text = "".join(json.dumps(row) + "\n" for row in rows)
    return subprocess.run(
        [native_program(), *words],
        input=text,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def rules(reward=KNEE, advantage=SOFT):
    return ("--kinds", "toy_rules", "--reward", json.dumps(reward), "--advantage", json.dumps(advantage))


def test_every_way_gives_the_same_rows(engine):
    done = command("score", "-", *rules(), rows=ROWS)
    expected = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0 and expected[0]["reward"] == 1.0, done.stderr
    for row in expected[1:3]:
        assert 0 < row["quality"] < 1 and row["reward"] == np.float32(row["quality"] / 2), row
    assert [row["reward"] for row in expected[3:]] == [0.0, 0.0]
    rewards = np.array([row["reward"] for row in expected], np.float32).astype(float)
    by_hand = (rewards - rewards.mean()) / (rewards.std(ddof=1) + 2.0)
    assert np.allclose([row["advantage"] for row in expected], by_hand, rtol=1e-6)

    options = {"kinds": "toy_rules", "reward": KNEE, "advantage": SOFT}
    assert optgap.Scorer(engine, **options).score(ROWS) == expected
    assert optgap.score(ROWS, device="cpu", **options) == expected
    with optgap.Scheduler(engine, rows=options) as scheduler:
        tickets = [scheduler.submit_row(row) for row in ROWS]
        assert scheduler.collect_rows(tickets, timeout=120).rows == expected
    told = command("explain", "-", "--row", "2", *rules(), rows=ROWS)
    assert "/ 2, and 1/2 more from 1 on" in told.stdout, told.stdout + told.stderr


def test_the_engine_and_its_scheduler_know_the_names(engine):
    scored = optgap.Scorer(engine, kinds="toy_rules", reward=KNEE, advantage=SOFT).score(ROWS)
    by_engine = engine.score(
        engine.instances([row["key"] for row in ROWS]), TEXTS, group=[0] * len(ROWS), reward=KNEE, advantage=SOFT
    )
    assert by_engine.reward.tolist() == [row["reward"] for row in scored]
    assert by_engine.advantage.tolist() == [row["advantage"] for row in scored]
    assert optgap.estimators()["toy_terse"]["scope"] == "batch" and "toy_knee" in optgap.shapes()
    found = engine.advantages([1.0, 3.0, 5.0, 5.0], [7, 7, 8, 8], SOFT)
    assert found.tolist() == [np.float32(-1 / (np.sqrt(2) + 2)), np.float32(1 / (np.sqrt(2) + 2)), 0.0, 0.0]


def test_masked_and_lone_rows_are_not_shown_to_an_estimator(engine):
    rewards, groups = [1.0, np.nan, 3.0, 4.0], [1, 1, 1, 2]
    alone = engine.advantages(rewards, groups, SOFT)
    assert alone[1] == 0 and alone[3] == 0 and alone[0] == -alone[2] != 0
    shown = engine.advantages(rewards, groups, {**SOFT, "of_one": "as_is"})
    assert shown.tolist() == alone.tolist()  # the deviation of one row is 0, and so is its distance from the mean
    with pytest.raises(optgap.Error, match="alone in its group"):
        engine.advantages(rewards, groups, {**SOFT, "of_one": "refuse"})


def test_the_batch_is_one_request_whatever_its_size(engine):
    rewards = np.random.default_rng(1).integers(0, 9, 20_000).astype(np.float32)
    groups = np.arange(20_000) // 16
    whole = engine.advantages(rewards, groups, SOFT)
    assert np.array_equal(whole[:320], engine.advantages(rewards[:320], groups[:320], SOFT))
    shuffled = np.random.default_rng(2).permutation(20_000)
    again = engine.advantages(rewards[shuffled], groups[shuffled], SOFT)
    assert np.allclose(again, whole[shuffled], rtol=1e-6)
    lengths = np.full(20_000, 3, np.int32)
    assert np.abs(engine.advantages(rewards, groups, "toy_terse", length=lengths)).max() == 1
    with pytest.raises(optgap.Error, match="length"):
        engine.advantages(rewards, groups, "toy_terse")


@pytest.mark.parametrize(
    ("reward", "why"),
    [
        (-77, "the worker ended with exit status 7"),
        (-78, "RuntimeError: no advantage today (__init__.py:"),
        (-79, "advantages gave nan for row 0"),
    ],
)
def test_a_failing_estimator_is_named_with_its_reason(engine, reward, why):
    with pytest.raises(optgap.Error, match="toy_softened of the package toy_rules failed: ") as caught:
        engine.advantages([float(reward), 1.0], [1, 1], SOFT)
    assert why in str(caught.value)
    assert engine.advantages([1.0, 3.0], [1, 1], SOFT)[1] > 0  # by another worker


def test_a_shape_that_leaves_its_range_is_refused(engine):
    with pytest.raises(optgap.Error, match="gave 2 for a quality of 1; its range in kind.json is 0 to 1"):
        engine.score(engine.instances([ROWS[0]["key"]]), [OPTIMUM], reward={**KNEE, "at": 0.125})


def test_help_and_tables_show_them():
    page = command("rules", "toy_softened", "toy_knee", "--kinds", "toy_rules").stdout
    assert "(r - m) / (s1 + softness)" in page and "added to the standard deviation" in page and "0.9" in page
    rows = [{"group": 1, "reward": reward} for reward in (1.0, 3.0)]
    done = command("advantages", "-", "--estimator", "toy_softened", "--kinds", "toy_rules", rows=rows)
    assert [json.loads(line)["advantage"] for line in done.stdout.splitlines()][1] == np.float32(1 / (np.sqrt(2) + 0.5))


def test_nothing_is_known_that_is_not_named():
    done = command("score", "-", "--advantage", "toy_softened", rows=ROWS)
    assert done.returncode == 2 and '"toy_softened" is not one of' in done.stderr
    done = command("score", "-", *rules(advantage={"estimator": "toy_softened", "softness": 11}), rows=ROWS)
    assert done.returncode == 2 and "advantage.softness" in done.stderr
    done = command("score", "-", *rules(reward={"shape": "toy_knee", "softness": 1}), rows=ROWS)
    assert done.returncode == 2 and "reward.softness" in done.stderr


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('"name": "toy_softened"', '"name": "rloo"', "estimators: rloo is an estimator already"),
        ('"name": "toy_knee"', '"name": "forge"', "shapes: forge is a shape already"),
        ('"toy_terse"', '"toy_softened"', "estimators[1].name: toy_softened is declared twice"),
        ('"Softened"', '"Softer"', "Softer is no class that derives from optgap.kinds.rules.Estimator"),
        ('"range": [0, 10]', '"range": [10, 0]', "estimators[0].parameters[0].range: must be two rising numbers"),
        ('"default": 0.5', '"default": 11', "estimators[0].parameters[0].default: must be a number from 0 to 10"),
        ('"scope": "batch"', '"scope": "bach"', "estimators[1].scope: is 'bach'; expected batch"),
        ('["lengths"]', '["length"]', "estimators[1].reads: must be names of columns"),
        ('"formula": "quality', '"formul": "quality', "shapes[0].formul: is unknown; expected formula"),
        ('"limits"', '"codes": [], "limits"', "codes: belongs to a kind of rows, and `kind` is missing"),
    ],
)
def test_a_broken_declaration_is_named_by_file_and_field(tmp_path, old, new, why):
    folder = tmp_path / "broken_rules"
    shutil.copytree(PACKAGES / "toy_rules", folder, ignore=shutil.ignore_patterns("__pycache__"))
    text = (folder / "kind.json").read_text()
    assert old in text
    (folder / "kind.json").write_text(text.replace(old, new))
    done = command("rules", "--kinds", "broken_rules", path=tmp_path)
    assert done.returncode == 2 and why in done.stderr, done.stderr


def test_the_fingerprint_follows_the_code(tmp_path):
    folder = tmp_path / "changing_rules"
    shutil.copytree(PACKAGES / "toy_rules", folder, ignore=shutil.ignore_patterns("__pycache__"))

    def fingerprint():
        found = command(
            "score", "-", "--kinds", "changing_rules", "--advantage", "toy_softened", rows=ROWS, path=tmp_path
        )
        return json.loads(found.stdout.splitlines()[0])["fingerprint"]

    first = fingerprint()
    assert fingerprint() == first
    with open(folder / "__init__.py", "a") as file:
        file.write("# one more line\n")
    assert fingerprint() != first


def test_the_page_works_as_it_says(tmp_path):
    page = PAGE.read_text(encoding="utf-8").partition("## Estimators and shapes")[2]
    package = tmp_path / "softer"
    package.mkdir()
    for language, name in (("json", "kind.json"), ("python", "__init__.py")):
        (package / name).write_text(re.search(rf"^```{language}\n(.*?)^```", page, re.S | re.M).group(1))
    (tmp_path / "rollouts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    folder = str(pathlib.Path(native_program()).parent)
    environment = {**os.environ, "OPTGAP_PYTHON": sys.executable, "PATH": f"{folder}:{os.environ['PATH']}"}
    for line in re.search(r"^```console\n(.*?)^```", page, re.S | re.M).group(1).splitlines():
        done = subprocess.run(
            line.removeprefix("$ "), shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0 and done.stdout, done.stderr


def test_trainers_adapters_score_rows_of_a_package_by_its_rules(engine, monkeypatch):
    from optgap.trainers.common import evaluation, ground_truth

    rows = [
        {"addends": [1, 2, 3], "completion": "6"},
        {"addends": [4], "completion": "5"},
        {"addends": "four", "completion": "4"},
        {"key": ROWS[0]["key"], "completion": TEXTS[1]},
    ]
    truths = [json.dumps({name: value for name, value in row.items() if name != "completion"}) for row in rows]
    texts = [row["completion"] for row in rows]
    ground_truth.configure()
    assert evaluation.evaluate(texts[:1], truths[:1]).rows[0]["code"] == evaluation.NOT_EVALUATED
    monkeypatch.setenv("OPTGAP_KINDS", '{"kinds": "toy_kind,toy_rules", "toy_sums_bonus": 1}')
    ground_truth.configure()
    try:
        found = evaluation.evaluate(texts, truths, reward=KNEE)
        options = {"kinds": ["toy_kind", "toy_rules"], "toy_sums_bonus": 1, "reward": KNEE}
        expected = optgap.score(rows, device="cpu", **options)
        assert [row["score"] for row in found.rows] == [2.0, 0.0, 0.0, expected[3]["reward"]]
        assert found.rows[2]["code"] == evaluation.NOT_EVALUATED and "error" in expected[2]
        assert [row["data_source"] for row in found.rows[:2]] == ["optgap/toy_sums"] * 2
        assert ground_truth.is_ours(truths[0]) and ground_truth.problem_of(truths[0]).key == ""
        given = evaluation.advantages(found, [1, 1, 1, 1], SOFT)
        rewards = [2.0, 0.0, np.nan, expected[3]["reward"]]
        assert given == engine.advantages(rewards, [1, 1, 1, 1], SOFT).tolist()
        scorer = optgap.Scorer(engine, **options)
        assert found.rows[0]["fingerprint"] == scorer.fingerprint
        monkeypatch.setenv("OPTGAP_KINDS", '{"toy_sums_bonus": 1}')
        with pytest.raises(optgap.Error, match="OPTGAP_KINDS: names no packages"):
            evaluation.evaluate(texts, truths)
    finally:
        monkeypatch.delenv("OPTGAP_KINDS")
        ground_truth.configure()


def test_chosen_rows_of_a_package_become_data(tmp_path):
    rows = [
        {"addends": [1, 2, 3], "completion": "6", "prompt": "1 + 2 + 3?"},
        {"addends": [1, 2, 3], "completion": "7"},
    ]
    scored = tmp_path / "scored.jsonl"
    scored.write_text(command("score", "-", "--kinds", "toy_kind", rows=rows).stdout)
    chosen, data = tmp_path / "chosen.jsonl", tmp_path / "data.jsonl"
    assert command("filter", str(scored), "--out", str(chosen)).returncode == 2
    done = command("filter", str(scored), "--out", str(chosen), "--kinds", "toy_kind")
    assert done.returncode == 0, done.stderr
    done = command("dataset", "--from", str(chosen), "--out", str(data), "--kinds", "toy_kind")
    assert done.returncode == 0, done.stderr
    (row,) = map(json.loads, data.read_text().splitlines())
    assert row["messages"][-1]["content"] == "6" and row["task"] == "toy_sums"
