"""Suites from Python: what they hold, what a run that keeps to one refuses, and questions that are bench-set's rows."""

import json
import pickle
import subprocess

import pytest
from in_process import main
from stand_in_server import StandIn

import optgap
from optgap import recipes
from optgap.__main__ import native_program
from optgap.data import dataset, suites, supervised
from optgap.data.benchmark_set import read_bench_set
from optgap.measure.benchmark import questions
from optgap.recipes.writing import write

OWN = {"suite": "own", "role": "test", "levels": "d0..d2", "count": 5,
       "entries": [{"task": "sudoku"}, {"task": "tsp", "levels": ["easy", "hard"], "count": 3},
                   {"task": "rlve/NoSuchThing", "class": "exact"}, {"task": "rlve/Sudoku", "levels": "d1..d3", "count": 4}]}  # fmt: skip


@pytest.fixture
def own(tmp_path):
    path = tmp_path / "own.json"
    path.write_text(json.dumps(OWN))
    return str(path)


def refused(sentence):
    return pytest.raises(optgap.Error, match=sentence)


def test_a_suite_says_what_poses_its_tasks(own):
    assert suites.names()[0] == "default" and {"rlve_c1", "rlve_c4", "rlve_c16", "rlve_ood"} < set(suites.names())
    found = suites.load(own)
    assert (found.name, found.role, found.training, found.title) == ("own", "test", "held out", "")
    assert [(entry.task, entry.place, entry.native) for entry in found.entries] == [
        ("sudoku", "native", "sudoku"), ("tsp", "native", "tsp"), ("rlve/NoSuchThing", "external", None),
        ("rlve/Sudoku", "native", "sudoku"),
    ]  # fmt: skip
    assert found.entries[0].levels == ("d0", "d1", "d2") and found.entries[0].counts == (2, 2, 1)
    assert found.entries[2].task_class == "exact" and "checkout of RLVE" in found.entries[2].reason
    assert "rlve/Sudoku" in found.entries[0].known and "sudoku" in found.entries[3].known
    with refused("suite: 'nope' is none of default"):
        suites.load("nope")


@pytest.mark.parametrize("task", ["futoshiki", "futoshiki@1", "rlve/FutoshikiPuzzle", "rlve/CRT"])
def test_what_a_suite_tests_on_is_refused_under_any_name(task):
    with refused(f"tasks: task {task} is held out: the suite rlve_ood tests on it"):
        suites.refuse("rlve_ood", ["tsp", task])
    with refused("curriculum.held_out: task .* is held out: the suite rlve_ood tests on it"):
        optgap.Curriculum({"policy": "window", "held_out": ["rlve_c1", "rlve_ood"]}, ["tsp", task])


def test_what_is_not_in_it_is_not_refused(own):
    suites.refuse(["rlve_ood", "rlve_c4"], ["tsp", "sudoku", "rlve/SAT", "rg/futoshiki"])
    suites.refuse([], ["futoshiki"])
    plan = optgap.Curriculum({"policy": "static", "level": "d3", "held_out": "rlve_ood"}, ["tsp", "sudoku"], seed=3)
    free = optgap.Curriculum({"policy": "static", "level": "d3"}, ["tsp", "sudoku"], seed=3)
    assert plan.policy["held_out"] == ["rlve_ood"] and "held_out" not in free.policy
    assert plan.draws(20).seed.tolist() == free.draws(20).seed.tolist(), "it holds out, it changes nothing else"
    assert pickle.loads(pickle.dumps(plan)).policy == plan.policy
    with refused("the suite default keeps problems from training"):
        optgap.Curriculum({"policy": "static", "held_out": "default"}, ["tsp"])
    with refused("'nope' is none of"):
        optgap.Curriculum({"policy": "static", "held_out": "nope"}, ["tsp"])
    with refused("expected a suite or a list of suites"):
        optgap.Curriculum({"policy": "static", "held_out": 7}, ["tsp"])
    with refused("task sudoku is held out: the suite own tests on it"):
        optgap.Curriculum({"policy": "static", "held_out": own}, ["sudoku"])


def test_data_sets_refuse_its_tasks(tmp_path, capsys):
    out = str(tmp_path / "rows.jsonl")
    with refused(
        "tasks: task futoshiki is held out: the suite rlve_ood tests on it as rlve/FutoshikiPuzzle. Take it out"
    ):
        dataset.export(out, "trl", ["tsp", "futoshiki"], count=1, held_out_tasks="rlve_ood")
    assert dataset.export(out, "trl", ["sudoku"], "hard", count=2, held_out_tasks=["rlve_ood"]).rows == 2
    words = [
        "dataset",
        "--trainer",
        "trl",
        "--level",
        "hard",
        "--count",
        "1",
        "--out",
        out,
        "--held-out-tasks",
        "rlve_ood",
    ]
    assert main([*words, "futoshiki"]) == 2
    assert "futoshiki is held out" in capsys.readouterr().err
    assert main([*words, "sudoku", "--quiet"]) == 0


def test_supervised_rows_of_its_tasks_are_refused(engine, tmp_path):
    (key,) = engine.generate("futoshiki", "d1", 1).keys
    row = {"key": key, "completion": "<answer>[]</answer>", "quality": 1.0, "format_name": "answer_only", "format": 0,
           "feasible": 1, "truncated": False}  # fmt: skip
    (tmp_path / "chosen.jsonl").write_text(json.dumps(row) + "\n")
    given = str(tmp_path / "chosen.jsonl"), str(tmp_path / "sft.jsonl")
    with refused("rows: task futoshiki is held out: the suite rlve_ood tests on it"):
        supervised.export(*given, held_out_tasks="rlve_ood", engine=engine)
    assert not (tmp_path / "sft.jsonl").exists()
    assert supervised.export(*given, held_out_tasks="rlve_c4", engine=engine) == 1
    assert main(["dataset", "--from", given[0], "--out", given[1], "--held-out-tasks", "rlve_ood"]) == 2


def test_recipes_hold_out_what_the_paper_holds_out(tmp_path, capsys):
    arm = recipes.load("rlve").arm("c16")
    assert arm["held_out"].value == "rlve_ood"
    with refused("rlve c16: task futoshiki is held out"):
        write(arm, "trl", tmp_path / "a", tasks=["sorting", "futoshiki"])
    assert not (tmp_path / "a").exists()
    write(arm, "trl", tmp_path / "b", tasks=["sorting", "tsp"])
    assert "'held_out': 'rlve_ood'" in (tmp_path / "b" / "train.py").read_text()
    write(arm.keeping_out("none"), "trl", tmp_path / "c", tasks=["futoshiki"])
    assert "held_out" not in (tmp_path / "c" / "train.py").read_text()
    assert main(["recipe", "plan", "forge", "tsp-541", "--held-out", "default"]) == 2
    assert "keeps problems from training" in capsys.readouterr().err
    assert main(["recipe", "plan", "rlve", "c16", "--held-out", "rlve_c4"]) == 2
    assert "task rlve/Division is held out: the suite rlve_c4 tests on it" in capsys.readouterr().err
    for name in recipes.names():
        for every in recipes.load(name):
            every.refuse_held_out(every.used("tasks", []))


def test_questions_are_the_rows_of_bench_set(engine, own, tmp_path):
    done = subprocess.run([native_program(), "bench-set", "--suite", own, "--signal-count", "1", "--out", tmp_path / "set"],
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    written = read_bench_set(str(tmp_path / "set"))
    assert {name: len(rows) for name, rows in written.items()} == {"sudoku": 9, "tsp": 3}
    asked = questions.of_suites(engine, [suites.load(own)], "forge")
    assert dict(zip(asked.keys, asked.prompts)) == {
        row["key"]: row["prompt"] for rows in written.values() for row in rows
    }
    assert len({row["hash"] for row in written["sudoku"]}) == 9, "two entries of one task pose different problems"
    twice = questions.of_suites(engine, [suites.load(own), suites.load(own)], "forge")
    assert twice.keys == asked.keys
    with refused("this build poses no task of none"):
        (tmp_path / "none.json").write_text(
            json.dumps({**OWN, "suite": "none", "entries": [{"task": "rlve/NoSuchThing"}]})
        )
        questions.of_suites(engine, [suites.load(str(tmp_path / "none.json"))], "forge")


def test_a_range_of_levels_is_bench_sets(engine, tmp_path):
    done = subprocess.run([native_program(), "bench-set", "sudoku", "--level", "d0..d2", "--count", "7", "--seed", "4",
                           "--signal-count", "1", "--out", tmp_path / "set"], capture_output=True, check=False)  # fmt: skip
    assert done.returncode == 0
    asked = questions.of_level(engine, "sudoku", "d0..d2", 7, 4, "test", "forge")
    assert asked.keys == [row["key"] for row in read_bench_set(str(tmp_path / "set"))["sudoku"]]
    with refused("expected one or more for each of the 3 levels"):
        questions.of_level(engine, "sudoku", "d0..d2", 2, 4, "test", "forge")


def test_bench_model_reports_by_suite(own, tmp_path, capsys):
    with StandIn() as server:
        words = ["bench-model", "--base-url", server.base_url, "--model", "stand-in", "--samples", "1", "--twins", "0",
                 "--format", "forge", "--device", "cpu", "--quiet", "--out"]  # fmt: skip
        assert main([*words, str(tmp_path / "run"), "--suite", own]) == 0
        shown = capsys.readouterr().out
        assert main([*words, str(tmp_path / "both"), "--suite", own, "--tasks", "tsp"]) == 2
        assert main([*words, str(tmp_path / "both"), "--suite", own, "--level", "d1"]) == 2
    assert "own (held out)" in shown
    report = json.loads((tmp_path / "run" / "report.json").read_text())
    (own_cell,) = report["suites"]
    assert (own_cell["suite"], own_cell["training"], own_cell["tasks"]) == ("own", "held out", 4)
    assert own_cell["left_out"] == ["rlve/NoSuchThing"] and own_cell["rollouts"] == report["all"]["rollouts"] == 12
    assert own_cell["hash"] == suites.load(own).hash and own_cell["qr"] == report["all"]["qr"]
    assert {name: cell["rollouts"] for name, cell in report["classes"].items()} == {"optimise": 3, "satisfy": 9}
    assert {name: cell["rollouts"] for name, cell in report["families"].items()}["cells"] == 9
    assert "suite: own (held out)" in (tmp_path / "run" / "report.md").read_text()
    command = report["settings"]["command"]
    assert f"--suite 'own#{own_cell['hash']}'" in command and "--tasks" not in command and "--level" not in command
