"""Short classes of a user's file or package are tasks in every command; faults are found, and nothing unnamed is run."""

import json
import pathlib
import re
import subprocess
import sys

import pytest
from in_process import main
from stand_in_server import StandIn

import optgap
from optgap.__main__ import native_program
from optgap.measure.benchmark import environment_part
from optgap.rows import external
from optgap.rows.external import naming
from optgap.rows.external.check import measure
from optgap.rows.external.check_report import broken_rules
from optgap.rows.external.forms import equals, in_form
from optgap.rows.external.settings import Settings, checked
from optgap.trainers.common.evaluation import evaluate
from optgap.trainers.common.stream import CurriculumRows

HERE = pathlib.Path(__file__).resolve().parent
FILE = HERE / "faulty_tasks.py"
SIGNS = HERE.parents[2] / "examples/own_tasks/signs.py"
NAME = f"{SIGNS}:Signs"


@pytest.fixture(autouse=True)
def configured(monkeypatch):
    monkeypatch.setenv("OPTGAP_PYTHON", sys.executable)  # for the native program, started without the package's entry
    external.configure(trusted=True, generate_seconds=3)
    yield
    external.configure()


def completion(answer):
    return f"<think>x</think><answer>{answer}</answer>"


def generated(count=3, level="d1"):
    (task,) = external.adopt([NAME])
    truths = [json.loads(row.ground_truth) for row in external.rows(task, [level] * count, range(count))]
    return task, truths


FAULTS = {
    "Right": "",
    "OtherChance": "repeatability: 12 of 12 seeds made another problem",
    "RefusesItsOwn": "ambiguity: 12 of 12 right answers of its own are refused",
    "AcceptsAll": "wrong answers: 48 of 48 are accepted, the first",
    "SameAnswer": "guessability: the constant '5' is right in 100%",
    "FewProblems": "diversity: 33% of its problems are distinct",
    "Hangs": "no problem was made: generate gave no result within 3 s",
    "Dies": "calls failed: .* external_crash; the first: its process ended with exit code 3",
    "TooMuch": r"no problem was made: ValueError: the reply has \d+ bytes, expected 4194304 at most",
    "NoNumber": "external_error; the first: ValueError: the verdict is 7, expected True, False, a number from 0 to 1",
}


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_breaks_its_rule(name):
    (task,), settings = naming.settings_with(Settings(trusted=True, generate_seconds=3), [f"{FILE}:{name}"])
    count = 2 if name == "Hangs" else 12
    broken = broken_rules(measure(settings, task, [3], count))
    wanted = FAULTS[name]
    assert broken == [] if not wanted else any(re.search(wanted, one) for one in broken), broken


@pytest.mark.parametrize(("name", "why"), [("Nothing", "has no method generate"), ("NoJudge", "needs verify")])
def test_what_a_class_lacks_is_named(name, why):
    (task,) = external.adopt([f"{FILE}:{name}"])
    with pytest.raises(optgap.Error, match=why):
        external.workers().describe(task)


def test_answers_are_compared_as_texts_or_as_json():
    assert equals("7", 7) and equals(" 7 ", 7) and equals("[1,2]", [1, 2]) and equals("[1, 2]", (1, 2))
    assert equals("a  b", "a b") and equals("0.50", 0.5) and equals('{"b": 1, "a": 2}', {"a": 2, "b": 1})
    for text, answer in (
        ("7.0", 7),
        ('"7"', 7),
        ("true", 1),
        ("1", True),
        ("[" * 10**5, [1]),
        ("NaN", 0.0),
        ("A", "a"),
    ):
        assert not equals(text, answer)


def test_without_a_version_the_file_is_one():
    (task,) = external.adopt([f"{FILE}:Unversioned"])
    version = external.workers().describe(task).version
    assert re.fullmatch("[0-9a-f]{8}", version)


def test_a_class_as_internbootcamps_is_a_task_of_one_level():
    (task,) = external.adopt([f"{FILE}:Sortingbootcamp"])
    first, again = (external.rows(task, ["d0"], [5])[0] for _ in range(2))
    assert first == again
    numbers = json.loads(first.ground_truth)["problem"]["numbers"]
    right = " ".join(map(str, sorted(numbers)))
    found = evaluate(
        [completion(f"[answer]{right}[/answer]"), completion("[answer]1[/answer]")], [first.ground_truth] * 2
    )
    assert [row["acc"] for row in found.rows] == [1.0, 0.0]
    with pytest.raises(optgap.Error, match="one level, d0"):
        external.rows(task, ["d1"], [5])


def test_files_are_named_by_stem_and_class_and_must_be_there(tmp_path):
    other = tmp_path / "signs.py"
    other.write_text("class Signs: ...")
    assert external.adopt([NAME, "tsp", "rg/maze"]) == ["signs/Signs", "tsp", "rg/maze"]
    with pytest.raises(optgap.Error, match="signs/Signs is .* already"):
        external.adopt([f"{other}:Signs"])
    with pytest.raises(optgap.Error, match=r"nowhere\.py is no file"):
        external.adopt(["nowhere.py:Signs"])


def test_an_installed_package_names_its_tasks_and_is_imported_when_it_is_named(tmp_path, monkeypatch):
    (tmp_path / "shipped.py").write_text(f"open({str(tmp_path / 'imported')!r}, 'w').close()\n{SIGNS.read_text()}")
    told = tmp_path / "shipped-1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: shipped\nVersion: 1.0\n")
    (told / "entry_points.txt").write_text("[optgap.tasks]\nmine/shipped = shipped:Signs\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    naming.installed.cache_clear()
    try:
        with pytest.raises(optgap.Error, match="is no environment that was named"):
            external.rows("mine/shipped", ["d0"], [1])  # a row's key, say
        (task,) = external.adopt(["mine/shipped"])
        assert task == "mine/shipped" and not (tmp_path / "imported").exists()
        assert external.rows(task, ["d0"], [1])[0].data_source == "optgap/mine/shipped/d0"
        assert (tmp_path / "imported").exists()
    finally:
        naming.installed.cache_clear()


def test_the_class_is_held_where_nobody_trusts_it(tmp_path):
    spy = tmp_path / "spy.py"
    spy.write_text(
        SIGNS.read_text().replace("numbers =", f"open({str(tmp_path / 'secret')!r}).read()\n        numbers =")
    )
    (tmp_path / "secret").write_text("mine")
    external.configure()
    try:
        (task, fair) = external.adopt([f"{spy}:Signs", NAME])
        assert external.rows(fair, ["d0"], [1])
        with pytest.raises(optgap.Error, match="FileNotFoundError|PermissionError"):
            external.rows(task, ["d0"], [1])
    except optgap.Error as none:
        if none.status == "sandbox_unavailable":
            pytest.skip(str(none))
        raise


def test_rows_of_problems_are_judged_by_the_environments_that_were_named(run_native, tmp_path):
    task, truths = generated()
    rows = [{**truth, "completion": completion(truth["problem"]["signs"]), "group": 1} for truth in truths]
    rows += [{**truths[0], "completion": completion("+"), "group": 1}, {**truths[0], "completion": "no answer", "group": 1},
             {**truths[0], "key": "mine/other@1:train:d1:0", "completion": completion("+")},
             {**truths[0], "problem": {"numbers": []}, "completion": completion("+")},
             {"key": "tsp@1:train:easy:1", "completion": completion("[0]")}]  # fmt: skip
    lines = [json.dumps(row) for row in rows]
    scored = [
        json.loads(line)
        for line in run_native("score", "-", "--environments", NAME, "--trusted", lines=lines, codes=(1,))
    ]
    assert [row.get("reward") for row in scored[:5]] == [2.0, 2.0, 2.0, -0.5, -2.5]
    assert scored[0]["baseline_kind"] == "external" and scored[3]["code"] == "external_wrong"
    assert "none of --environments: signs/Signs" in scored[5]["error"]["rule"]
    assert "has the hash" in scored[6]["error"]["rule"]
    assert scored[7]["reward"] < 0 and scored[7]["baseline_kind"] == "proven"

    given = optgap.score(rows, environments=NAME, trusted=True)
    assert [row.get("reward") for row in given] == [row.get("reward") for row in scored]
    assert [row["score"] for row in evaluate([row["completion"] for row in rows[:4]], lines_of(truths)).rows] == [
        row["reward"] for row in scored[:4]
    ]

    (tmp_path / "scored.jsonl").write_text("".join(json.dumps(row) + "\n" for row in scored[:5]))
    assert main(["filter", str(tmp_path / "scored.jsonl"), "--out", str(tmp_path / "chosen.jsonl"), "--quiet"]) == 0
    assert len((tmp_path / "chosen.jsonl").read_text().splitlines()) == 3


def lines_of(truths):
    return [json.dumps(truth) for truth in [*truths, truths[0]]]


def test_a_worker_that_dies_or_hangs_costs_its_row_alone(tmp_path):
    slow = tmp_path / "slow.py"
    slow.write_text(
        FILE.read_text() + "\n\nclass Slow(Right):\n    def verify(self, problem, text):\n        time.sleep(600)\n"
    )
    names = [f"{FILE}:Dies", f"{slow}:Slow", NAME]
    external.configure(trusted=True, verify_seconds=1)
    tasks = external.adopt(names)
    truths = [json.loads(row.ground_truth) for row in external.rows(tasks, ["d0"] * 3, [1, 2, 3])]
    rows = [{**truth, "completion": completion("7")} for truth in truths]
    scored = optgap.score(rows, environments=",".join(names))
    assert [row["code"] for row in scored] == ["external_crash", "external_timeout", "external_wrong"]
    assert {row["reward"] for row in scored} == {-0.5}


def test_rows_name_no_code(run_native):
    _, truths = generated(1)
    row = {**truths[0], "completion": completion("+")}
    (line,) = run_native("score", "-", lines=[json.dumps(row)], codes=(1,))
    assert "error" in json.loads(line)
    wrong = run_native("score", "-", "--environments", "nowhere.py:X", lines=[json.dumps(row)], codes=(1,))
    assert "nowhere.py is no file" in json.loads(wrong[0])["error"]["rule"]
    with pytest.raises(optgap.Error, match="trusted: has no effect without environments"):
        optgap.score([row], trusted=True)


def test_generate_writes_rows_that_score_takes(tmp_path):
    def run(*words, lines=None):
        return subprocess.run([sys.executable, "-m", "optgap", *words], cwd=tmp_path, capture_output=True, text=True, input=lines,
                              check=False)  # fmt: skip

    done = run("generate", NAME, "--trusted", "--level", "d1", "--count", "3", "--prompts", "--quiet")
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["key"] for row in rows] == [truth["key"] for truth in generated()[1]]
    assert (
        rows[0]["prompt"].startswith("Put + or -") and rows[0]["format"] == "forge" and rows[0]["task"] == "signs/Signs"
    )
    texts = "".join(json.dumps({**row, "completion": completion(row["problem"]["signs"])}) + "\n" for row in rows)
    scored = run("score", "-", "--environments", NAME, "--trusted", lines=texts)
    assert [json.loads(line)["reward"] for line in scored.stdout.splitlines()] == [2.0] * 3
    for wrong, why in (
        (["tsp", NAME], "say them in two"), ([NAME, "--style", "1"], "--style"), ([NAME, "--unique"], "--unique"),
        (["tsp", "--trusted"], "belong to environments"), ([NAME, "--candidate", "program"], "--candidate"),
    ):  # fmt: skip
        done = run("generate", *wrong, "--level", "d1")
        assert done.returncode == 2 and why in done.stderr, done.stderr
    failed = run("generate", f"{FILE}:TooMuch", "--trusted", "--level", "d0", "--quiet")
    assert failed.returncode == 1 and "bytes, expected" in json.loads(failed.stdout)["error"]["rule"]


def test_a_data_set_has_its_rows_beside_ours(tmp_path):
    out = tmp_path / "rows.jsonl"
    assert main(["dataset", NAME, "tsp", "--trainer", "trl", "--level", "d1", "--count", "5", "--out", str(out), "--trusted",
                 "--device", "cpu", "--quiet"]) == 0  # fmt: skip
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert (
        sorted({row["data_source"] for row in rows}) == ["optgap/signs/Signs/d1", "optgap/tsp/d1"] and len(rows) == 10
    )
    mine = [row for row in rows if "Signs" in row["data_source"]]
    right = [completion(json.loads(row["ground_truth"])["problem"]["signs"]) for row in mine]
    assert [row["acc"] for row in evaluate(right, [row["ground_truth"] for row in mine]).rows] == [1.0] * 5
    keys = tmp_path / "held.jsonl"
    keys.write_text(json.dumps({"key": json.loads(mine[0]["ground_truth"])["key"]}) + "\n")
    report = optgap.data.dataset.export(str(out), "trl", [NAME], "d1", 5, exclude=[str(keys)])
    assert report.rows == 4 and report.overlap == {str(keys): 1} and report.failed == 0
    with pytest.raises(optgap.Error, match="style: has no effect"):
        optgap.data.dataset.export(str(out), "trl", [NAME], "d1", 5, style=2)
    assert main(["dataset", "tsp", "--trainer", "trl", "--level", "d1", "--out", "-", "--trusted"]) == 2


def test_a_curriculum_holds_it_beside_ours():
    rows = CurriculumRows("adaptive", {"tsp": 1, NAME: 3}, 3)
    got = rows.rows(8)
    mine = [row for row in got if row["data_source"].startswith("optgap/signs/Signs/d")]
    assert 4 <= len(mine) < 8
    truths = [row["ground_truth"] for row in mine]
    found = evaluate([completion(json.loads(truth)["problem"]["signs"]) for truth in truths], truths)
    assert rows.observe(truths, found.rows, list(range(len(mine)))) == len(mine)
    rows.merge(rows.delta())


def test_a_model_is_measured_on_it(tmp_path, capsys):
    (task,) = external.adopt([NAME])
    asked = environment_part.of_level([task], "d0..d1", 6, 1, "test", "forge")
    answers = {
        question: completion(json.loads(problem.problem)["signs"])
        for question, problem in list(zip(asked.prompts, asked.problems))[:4]
    }
    out = tmp_path / "run"
    with StandIn(lambda request: answers.get(request.prompt, completion("+"))) as server:
        words = ["bench-model", "--base-url", server.base_url, "--model", "stand-in", "--out", str(out), "--device", "cpu",
                 "--samples", "2", "--format", "forge", "--quiet", "--tasks", NAME, "--trusted", "--level", "d0..d1",
                 "--count", "6"]  # fmt: skip
        assert main(words) == 0
        assert main([*words, "--resume"]) == 0 and len(server.requests) == 12
    made = json.loads((out / "report.json").read_text())
    whole = made["tasks"]["signs/Signs"]
    assert whole["sr"] == whole["qr"] == pytest.approx(4 / 6, abs=1e-6) and whole["anchors"]["greedy"]["qr"] is None
    assert whole["codes"] == {"external_wrong": 4, "ok": 8} and f"--tasks {NAME}" in made["settings"]["command"]
    capsys.readouterr()
    done = subprocess.run([native_program(), "score", str(out / "rollouts.jsonl"), "--environments", NAME, "--trusted"],
                          capture_output=True, text=True, check=True)  # fmt: skip
    rewards = [json.loads(line)["reward"] for line in done.stdout.splitlines()]
    assert sorted(rewards) == [-0.5] * 4 + [2.0] * 8
    for more, why in (
        (["--twins", "0.1"], "twins"),
        (["--calibrate"], "calibrate"),
        (["--tasks", f"tsp,{NAME}"], "in two"),
    ):
        assert main([*words[:4], "stand-in", "--level", "d0", "--tasks", NAME, *more]) == 2
        assert why in capsys.readouterr().err


def test_its_verifier_is_audited_behind_our_formats(capsys):
    words = [
        "audit",
        "--env",
        NAME,
        "--trusted",
        "--format",
        "forge",
        "--count",
        "2",
        "--steps",
        "0",
        "--json",
        "--quiet",
    ]
    code = main(words)
    told = json.loads(capsys.readouterr().out)
    assert code == 0 and told["passed"] and told["subjects"][0]["subject"] == "signs/Signs"
    assert main(["audit", "--env", "nothing"]) == 2
    assert "FILE.py:CLASS" in capsys.readouterr().err


def test_new_writes_a_task_that_passes_its_check(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["task", "new", "magic_square", "--python"]) == 0
    assert "class MagicSquare:" in (tmp_path / "magic_square.py").read_text()
    assert main(["task", "check", "magic_square.py:MagicSquare", "--trusted", "--count", "40", "--quiet"]) == 0
    shown = capsys.readouterr().out
    assert "magic_square/MagicSquare@1" in shown and "reference right        100 %" in shown
    assert main(["task", "new", "magic_square", "--python"]) == 2
    assert "exists already" in capsys.readouterr().err
    assert main(["task", "new", "two"]) == 2 and main(["task", "new", "No!", "--python"]) == 2
    assert main(["task", "check", f"{FILE}:AcceptsAll", "--trusted", "--count", "10", "--levels", "d0", "--quiet"]) == 1


def test_forms_are_told_apart():
    class Old:
        version = "1"
        generate = verify = print

    assert isinstance(in_form(Old()), Old)
    with pytest.raises(TypeError, match="has no generate, no verify, no version"):
        in_form(object())
    assert checked({"tasks": {"a/b": "/x/y.py:Z"}}, "test").files == ["/x/y.py"]
