"""The benchmark set in other programs' forms: the native command's rows; what each program does with them: peers/."""

import json
import pathlib

import pytest
from in_process import main

import optgap
from optgap.data.benchmark_set import FORGE_TASKS, benchmark_set
from optgap.measure.evaluators import lm_eval
from optgap.trainers.common.evaluation import evaluate


def test_rows_are_those_of_the_native_command(run_native, tmp_path):
    run_native("bench-set", "tsp", "set_cover", "--out", str(tmp_path), "--level", "hard", "--count", "3", "--seed", "5",
               "--format", "boxed", "--signal-count", "1")  # fmt: skip
    found = benchmark_set(["tsp", "set_cover"], "hard", 3, 5, "boxed")
    assert list(found) == ["set_cover", "tsp"]
    for task, rows in found.items():
        native = [json.loads(line) for line in (tmp_path / f"{task}.jsonl").read_text(encoding="utf-8").splitlines()]
        assert [{name: value for name, value in row.items() if name != "ground_truth"} for row in rows] == native


def test_the_ground_truth_is_what_scoring_needs():
    for rows in benchmark_set("all", "easy", 2).values():
        answers = (row["answer"] if isinstance(row["answer"], str) else json.dumps(row["answer"]) for row in rows)
        texts = [f"<think>hm</think><answer>{answer}</answer>" for answer in answers]
        scored = evaluate(texts, [row["ground_truth"] for row in rows])
        assert scored.optimal == [row["baseline_kind"] == "proven" for row in scored.rows] and [
            row["quality"] for row in scored.rows
        ] == [1.0, 1.0]


def test_the_papers_ten_are_the_default():
    assert list(benchmark_set(count=1)) == sorted(FORGE_TASKS) and len(FORGE_TASKS) == 10
    assert set(FORGE_TASKS) <= {task.name for task in optgap.tasks()}


def test_misuse_is_an_error_with_the_native_sentence():
    wrong = [({"tasks": "tps"}, "no task is named 'tps'"), ({"level": "silly"}, "silly"), ({"level": 3}, "3"),
             ({"count": 0}, "--count"), ({"format": "nonsense"}, "nonsense"), ({"tasks": []}, "names none")]  # fmt: skip
    for arguments, sentence in wrong:
        with pytest.raises(optgap.Error, match=sentence):
            benchmark_set(**arguments)


def test_a_task_of_lm_eval_scores_its_document(tmp_path):
    assert main(["lm-eval-task", str(tmp_path / "tasks"), "tsp", "--count", "2", "--level", "easy", "--quiet"]) == 0
    names = sorted(path.name for path in (tmp_path / "tasks").iterdir())
    assert names == ["optgap_forge.yaml", "optgap_forge_tsp.yaml", "tsp.jsonl", "utils.py"]
    for line in (tmp_path / "tasks/tsp.jsonl").read_text(encoding="utf-8").splitlines():
        document = json.loads(line)
        right = f"<think>hm</think><answer>{document['answer']}</answer>"
        assert lm_eval.process_results(document, [right]) == dict.fromkeys(lm_eval.METRICS, 1.0)
        for wrong in ([], [None], [""], [document["answer"]], [right + " or so"]):
            assert lm_eval.process_results(document, wrong) == dict.fromkeys(lm_eval.METRICS, 0.0)


def test_wrong_options_of_lm_eval_task_write_nothing(tmp_path, capsys):
    folder = tmp_path / "tasks"
    for option, value in (("group", "a: b"), ("group", "../x"), ("max-tokens", "0"), ("temperature", "-1"),
                          ("temperature", "nan"), ("level", "silly")):  # fmt: skip
        assert main(["lm-eval-task", str(folder), "tsp", f"--{option}", value]) == 2
        assert option in capsys.readouterr().err and not folder.exists()
    folder.mkdir()
    (folder / "notes").write_text("kept")
    assert main(["lm-eval-task", str(folder), "tsp"]) == 2 and "not an empty folder" in capsys.readouterr().err
    assert [path.name for path in folder.iterdir()] == ["notes"]


def test_options_of_the_data_set_may_stand_anywhere(tmp_path, capsys):
    few = ["--count", "2", "--signal-count", "1", "--level", "easy"]
    lines = (["bench-set", "--hf", "{}", "tsp", *few], ["--quiet", "bench-set", "tsp", *few, "--hf={}"])
    for place, words in enumerate(lines):
        folder = tmp_path / str(place)
        assert main([word.format(folder) for word in words]) == 0
        assert (folder / "data/tsp/test-00000-of-00001.parquet").is_file() and (folder / "README.md").is_file()
    assert main(["bench-set", "tsp", "--hf", str(tmp_path / "0")]) == 2
    assert "not an empty folder" in capsys.readouterr().err


@pytest.mark.parametrize(("module", "needs", "line"), [
    ("inspect_ai", "inspect_ai", "optgap[inspect]"), ("reasoning_gym", "reasoning_gym", "optgap[reasoning-gym]"),
])  # fmt: skip
def test_without_the_program_the_pip_line_is_named(run_python, module, needs, line):
    load = f"try:\n  import optgap.measure.evaluators.{module}\nexcept ImportError as missing:\n  print(missing)"
    assert f"pip install '{line}'" in run_python(f"import sys\nsys.modules[{needs!r}] = None\n{load}")


def test_without_pyarrow_nothing_is_written(run_python, tmp_path):
    folder = str(tmp_path / "set")
    script = (
        f"import sys\nsys.modules['pyarrow'] = None\nsys.path.insert(0, {str(pathlib.Path(__file__).parent)!r})\nfrom in_process import main\nsys.stderr = sys.stdout\n"
        f"print(main(['bench-set', 'tsp', '--count', '1', '--signal-count', '1', '--hf', {folder!r}]))"
    )
    printed = run_python(script)
    assert "pip install 'optgap[hf]'" in printed and printed.endswith("2")
    assert not pathlib.Path(folder).exists()
