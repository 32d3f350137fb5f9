"""RLVE's interface, by a stand-in with its names (tests/rlve_stand_in)."""

import json
import pathlib
import re
import shutil
import subprocess

import pytest
from in_process import main

import optgap
import optgap.rows.external as external
from optgap.rows.external.calls import Call
from optgap.rows.external.settings import checked
from optgap.rows.external_sources import git_commit
from optgap.rows.external_surveys import survey
from optgap.trainers.common.evaluation import evaluate
from optgap.trainers.common.stream import CurriculumRows

STAND_IN = pathlib.Path(__file__).resolve().parents[2] / "rlve_stand_in"


@pytest.fixture(autouse=True)
def stand_in(monkeypatch):
    monkeypatch.syspath_prepend(str(STAND_IN))
    monkeypatch.setenv("OPTGAP_RLVE_VERSION", "73cccd9")
    external.configure(trusted=True)
    yield
    external.configure()


def test_controllers_give_the_level_and_the_scorer_gives_the_reward():
    rows = external.rows("rlve/Addition", ["d0", "d3"], [1, 1])
    easy, hard = (json.loads(row.ground_truth) for row in rows)
    assert hard["key"].startswith("rlve/Addition@73cccd9:train:d3:1#")
    assert [one["problem"]["parameter"]["digits"] for one in (easy, hard)] == [1, 4]
    assert rows[1].prompt.startswith(f"{hard['problem']['parameter']['a']} + ")
    gold = hard["problem"]["parameter"]["reference_answer"]
    texts = [f"<think>x</think><answer>{text}</answer>" for text in (gold, 2 * gold, "many", -3)]
    found = evaluate(texts, [rows[1].ground_truth] * 4, reward="forge").rows
    assert [row["quality"] for row in found] == pytest.approx([1, 0.5**5, 0, 0])
    assert [row["acc"] for row in found] == [1, 0, 0, 0] and [row["feasible"] for row in found] == [1, 1, 0, 0]


def test_the_shape_environment_earns_what_rlve_gives():
    (row,) = external.rows("rlve/Addition", ["d3"], [1], format="answer_only")
    gold = json.loads(row.ground_truth)["problem"]["parameter"]["reference_answer"]
    texts = [f"<answer>{text}</answer>" for text in (gold, 2 * gold, "many", -3, "")] + ["7", f"<answer>{gold}"]
    found = evaluate(texts, [row.ground_truth] * 7, reward="environment").rows
    assert [row["score"] for row in found] == pytest.approx([1, 0.5**5, -1, -0.5, -1, -1, -1], abs=1e-6)
    assert [row["acc"] for row in found] == [1, 0, 0, 0, 0, 0, 0]
    assert [row["feasible"] for row in found] == [1, 1, 0, 0, 0, 0, 0]


def test_what_an_environment_calls_correct_moves_the_curriculum():
    """Its rewards end at 0.95, as PolynomialMinimum's do."""
    plans = {}
    for right in (True, False):
        rows = CurriculumRows({"policy": "window", "rollouts": 2}, ["rlve/Lowest"], seed=1, format="answer_only")
        for _ in range(10):
            batch = rows.rows(4)
            truths = [row["ground_truth"] for row in batch for _ in range(2)]
            golds = [json.loads(truth)["problem"]["parameter"]["reference_answer"] for truth in truths]
            texts = [f"<answer>{gold if right else gold + 1}</answer>" for gold in golds]
            found = evaluate(texts, truths, reward="environment").rows
            rows.observe(truths, found, truths)
            rows.merge(rows.delta())
            rows.step()
        assert [row["score"] for row in found] == pytest.approx([0.95 if right else 0.5] * 8)
        plans[right] = json.loads(rows.plan.state_dict())["tasks"][0]
    assert plans[True]["high"] >= 2 and plans[False]["high"] == 0


def test_tuples_integer_keys_and_empty_references_are_accepted_as_rlve_has_them():
    pool = external.workers()
    rows = external.rows("rlve/Pairs", ["d0"] * 4, range(4))
    asked = [external.read(json.loads(row.ground_truth)) for row in rows]
    golds = [one.value for one in pool.run([Call("rlve/Pairs", "gold", (each.problem,)) for each in asked])]
    assert "" in golds and any(golds)
    texts = [f"<think>x</think><answer>{gold}</answer>" for gold in golds]
    assert [row["acc"] for row in evaluate(texts, [row.ground_truth for row in rows]).rows] == [1] * 4
    wrong = ["<think>x</think><answer>9 9</answer>"] * 4
    assert [row["acc"] for row in evaluate(wrong, [row.ground_truth for row in rows]).rows] == [0] * 4


def test_a_survey_finds_what_refuses_its_reference_and_what_accepts_all(capsys):
    assert main(["external", "check", "rlve/*", "--trusted", "--levels", "d0", "--long"]) == 1
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "rlve/*@73cccd9, 5 of 5 environments, 2 problems a level, trusted"
    assert shown[1].startswith(
        "5 environments, 10 problems asked, 10 made, 4 with references, 8 references, 6 accepted, "
    )
    rewards, equal = map(int, re.search(r"(\d+) rewards, (\d+) equal", shown[1]).groups())
    assert rewards == equal >= 5 * 2 * 10
    assert "1 run answers as code, 2 with exceptions" in shown[1]
    told = "\n".join(shown[2:])
    assert re.search(r"^rlve/Refusing: its reference '.*' is refused", told, re.M)
    assert "rlve/Generous: no canary watches its verifier" in told and "rlve/Generous: the wrong answer " in told
    assert "rlve/Addition" not in told and "rlve/Pairs" not in told
    assert main(["external", "check", "rlve/Pairs", "--trusted", "--long"]) == 2
    assert "belongs to a survey" in capsys.readouterr().err


def test_a_survey_names_what_another_program_would_have_given(monkeypatch):
    pool = external.Pool(checked({"trusted": True, "tasks": {"rlve/Addition": "altered_rlve:Altered"}}, "test"))
    monkeypatch.syspath_prepend(str(pathlib.Path(__file__).parent))
    found = survey.survey(pool.settings, ["rlve/Addition"], [0], 2)[0]
    pool.close()
    assert (found.rewards - found.equal, found.accepted) == (2, 2)
    assert [text for text in found.exceptions if "earns 0.5, correct True; there 1, True" in text] == found.exceptions


def test_a_sample_is_the_same_each_time():
    tasks = [f"rlve/{n}" for n in range(400)]
    chosen = survey.sample(tasks)
    assert len(set(chosen)) == 40 and survey.sample(list(reversed(tasks))) == list(reversed(chosen))


def test_the_version_is_the_checkouts_commit_or_what_is_said(tmp_path, monkeypatch):
    monkeypatch.delenv("OPTGAP_RLVE_VERSION")
    with pytest.raises(optgap.Error, match="is no clone of git: set OPTGAP_RLVE_VERSION"):
        external.workers().describe("rlve/Addition")
    checkout = tmp_path / "RLVE"
    shutil.copytree(STAND_IN, checkout)
    git = ["git", "-C", str(checkout), "-c", "user.name=n", "-c", "user.email=e@example.org"]
    for words in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "all of it"]):
        subprocess.run([*git, *words], check=True)
    commit = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    monkeypatch.syspath_prepend(str(checkout))
    for words in ([], ["pack-refs", "--all"], ["checkout", "--quiet", "--detach"]):
        if words:
            subprocess.run([*git, *words], check=True)
        assert git_commit.commit_of(checkout) == commit
    subprocess.run([*git, "worktree", "add", "--quiet", str(tmp_path / "other")], check=True)
    assert git_commit.commit_of(tmp_path / "other") == commit and git_commit.commit_of(tmp_path) is None
    assert external.workers().describe("rlve/Addition").version == commit[:7]


def test_only_the_environment_that_is_asked_for_is_imported():
    assert external.workers().describe("rlve/Pairs").runs_answers is False
    assert external.workers().describe("rlve/Generous").runs_answers is True


def test_what_it_does_not_make_is_said():
    with pytest.raises(optgap.Error, match="RLVE made no problem from seed"):
        external.rows("rlve/Addition", ["d9"], [1])
    with pytest.raises(optgap.Error, match="RLVE has no environment 'Subtraction'"):
        external.rows("rlve/Subtraction", ["d0"], [1])
