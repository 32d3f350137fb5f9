"""Data sets whose answers are programs: what each trainer reads is rewarded, and stands apart from val and test."""

import json

import pytest
from in_process import main

import optgap
from optgap.data import dataset
from optgap.rows.programs.dataset import STYLES, export, hidden_keys
from optgap.trainers.common.evaluation import evaluate

FLOOR = '```python\nimport json\nprint(*range(len(json.loads(input())["distances"])))\n```'


def read(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def parts_of(trainer, row):
    """Prompt, ground truth and source, wherever the trainer looks for them."""
    return {
        "verl": lambda: (row["prompt"], row["reward_model"]["ground_truth"], row["data_source"]),
        "trl": lambda: (row["prompt"], row["ground_truth"], row["data_source"]),
        "openrlhf": lambda: (row["input"], row["label"], row["datasource"]),
        "slime": lambda: (row["prompt"], row["label"], row["metadata"]["data_source"]),
        "nemo-gym": lambda: (row["responses_create_params"]["input"], row["ground_truth"], row["data_source"]),
        "skyrl": lambda: (row["prompt"], row["reward_spec"]["ground_truth"], row["data_source"]),
    }[trainer]()


@pytest.mark.parametrize("trainer", list(dataset.TRAINERS))
def test_every_row_holds_what_scoring_needs(engine, tmp_path, trainer):
    out = tmp_path / "train.jsonl"
    report = export(out, trainer, ["tsp", "knapsack"], "easy", 2, instances=3, seed=5, system="Be brief.", style="all",
                    held_out=8, engine=engine)  # fmt: skip
    rows = read(out)
    assert (len(rows), report.rows, report.instances) == (8, 8, 12)
    made = optgap.problems(["tsp", "knapsack"], instances=3, count=2, seed=5, style="all")
    for row, problem in zip(rows, made, strict=True):
        prompt, text, source = parts_of(trainer, row)
        truth = json.loads(text)
        assert prompt == [{"role": "system", "content": "Be brief."}, {"role": "user", "content": problem["prompt"]}]
        assert source == f"optgap/program/{problem['task']}/easy"
        assert {name: truth[name] for name in truth if name != "baselines"} == {
            name: problem[name] for name in ("key", "language", "input", "limits", "format")}  # fmt: skip
        assert truth["baselines"] == engine.solve(engine.instances(hidden_keys(problem["key"]))).records()


def test_the_interface_goes_into_prompt_and_ground_truth(engine, tmp_path):
    out = tmp_path / "train.jsonl"
    export(out, "trl", "tsp", "easy", 1, instances=2, interface="solve", held_out=1, engine=engine)
    (row,) = read(out)
    assert json.loads(row["ground_truth"])["interface"] == "solve"
    assert "def solve(distances: list[list[int]]) -> list[str]:" in row["prompt"][0]["content"]
    with pytest.raises(optgap.Error, match="function of Python"):
        export(out, "trl", "tsp", "easy", 1, interface="solve", language="cpp", held_out=1, engine=engine)


def test_a_row_of_a_data_set_is_rewarded(engine, tmp_path):
    out = tmp_path / "train.jsonl"
    export(out, "trl", "tsp", "easy", 1, instances=2, seed=5, held_out=1, engine=engine)
    (row,) = read(out)
    try:
        found = evaluate([FLOOR], [row["ground_truth"]])
    except optgap.Error as refused:
        pytest.skip(f"SKIPPED: {refused}")
    assert found.rows[0]["score"] > 1 and found.rows[0]["data_source"] == row["data_source"]


def test_what_is_held_out_takes_its_problem_along(engine, tmp_path):
    before, out = tmp_path / "before.jsonl", tmp_path / "train.jsonl"
    keys = [*engine.generate("tsp", "easy", 1, 9).keys, "tsp@1:train:easy:12*2", "knapsack@1:train:easy:5"]
    before.write_text("".join(json.dumps({"key": key}) + "\n" for key in keys))
    report = export(out, "trl", "tsp", "easy", 4, instances=3, seed=5, held_out=1, exclude=[str(before)], engine=engine)
    kept = [json.loads(row["ground_truth"])["key"].partition("#")[0] for row in read(out)]
    assert kept == ["tsp@1:train:easy:5*3", "tsp@1:train:easy:14*3"] and report.overlap[str(before)] == 3
    assert (report.rows, report.instances, report.repeated) == (2, 6, 0)
    before.write_text(json.dumps({"key": "tsp@1:x:" + "0" * 32 + "*2"}) + "\n")
    with pytest.raises(optgap.Error, match="exclude: .*own problem"):
        export(out, "trl", "tsp", "easy", 4, instances=3, held_out=1, exclude=[str(before)], engine=engine)
    short = export(tmp_path / "short.jsonl", "trl", "tsp", "easy", 2, instances=3, seed=5, held_out=1, max_prompt_chars=3000,
                   engine=engine)  # fmt: skip
    assert (short.rows, short.too_long) == (1, 1)


def test_the_last_style_is_kept_for_evaluation():
    assert optgap.problems("tsp", instances=1, style=STYLES - 1)[0]["prompt"]
    with pytest.raises(optgap.Error, match=f"--style {STYLES}"):
        optgap.problems("tsp", instances=1, style=STYLES)


def test_the_command_writes_the_same_and_refuses_what_has_no_effect(engine, tmp_path, capsys):
    out, same = tmp_path / "train.jsonl", tmp_path / "same.jsonl"
    words = [
        "dataset",
        "tsp",
        "--trainer",
        "verl",
        "--level",
        "easy",
        "--count",
        "1",
        "--held-out",
        "1",
        "--quiet",
        "--out",
    ]
    more = [
        "--candidate",
        "program",
        "--language",
        "cpp",
        "--instances",
        "2",
        "--limits",
        '{"cpu_ms": 700}',
        "--input",
        "json",
    ]
    assert main([*words, str(out), *more, "--device", "cpu"]) == 0
    export(
        same,
        "verl",
        "tsp",
        "easy",
        1,
        instances=2,
        language="cpp",
        limits={"cpu_ms": 700},
        input="json",
        held_out=1,
        engine=engine,
    )
    assert out.read_text() == same.read_text()
    for wrong in (["--language", "cpp"], ["--instances", "2"], ["--limits", "ahc"], ["--input", "json"]):
        assert main([*words, str(out), *wrong]) == 2
        assert f"{wrong[0][2:]}: has no effect without --candidate program" in capsys.readouterr().err
    for wrong, said in ((["--format", "boxed"], "program"), (["--style", "drawn"], "style"), (["--style", "2"], "style"),
                        (["--limits", "fast"], "limits"), (["--split", "test"], "split"), (["--instances", "0"], "instances"),
                        (["--count", "0"], "count")):  # fmt: skip
        assert main([*words, str(tmp_path / "none.jsonl"), *more[:2], *wrong]) == 2
        assert said in capsys.readouterr().err
    assert not (tmp_path / "none.jsonl").exists() and not list(tmp_path.glob("*.unfinished"))
