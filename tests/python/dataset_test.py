"""Data sets are what each trainer reads, and stand apart from val and test."""

import io
import json
import subprocess
import sys

import pyarrow
import pyarrow.parquet
import pytest

import optgap
import optgap.data.dataset as dataset
import optgap.measure.benchmark.bar as progress


def read(path):
    if str(path).endswith(".parquet"):
        return pyarrow.parquet.read_table(path).to_pylist()
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


KEYS = {
    "verl": {"data_source", "prompt", "ability", "reward_model", "extra_info"},
    "trl": {"prompt", "data_source", "ground_truth"},
    "openrlhf": {"input", "label", "datasource"},
    "slime": {"prompt", "label", "metadata"},
    "nemo-gym": {"responses_create_params", "ground_truth", "data_source"},
    "skyrl": {"prompt", "env_class", "data_source", "reward_spec", "extra_info"},
}


def parts_of(trainer, row):
    """Prompt, ground truth and source, wherever the trainer looks for them."""
    if trainer == "verl":
        assert row["reward_model"]["style"] == "rule" and set(row["extra_info"]) >= {"split", "index"}
        return row["prompt"], row["reward_model"]["ground_truth"], row["data_source"]
    if trainer == "trl":
        return row["prompt"], row["ground_truth"], row["data_source"]
    if trainer == "openrlhf":
        return row["input"], row["label"], row["datasource"]
    if trainer == "nemo-gym":
        return row["responses_create_params"]["input"], row["ground_truth"], row["data_source"]
    if trainer == "skyrl":
        assert row["env_class"] == "optgap" and set(row["extra_info"]) >= {"split", "index"}
        return row["prompt"], row["reward_spec"]["ground_truth"], row["data_source"]
    return row["prompt"], row["label"], row["metadata"]["data_source"]


@pytest.mark.parametrize("suffix", ["parquet", "jsonl"])
@pytest.mark.parametrize("trainer", list(dataset.TRAINERS))
def test_every_row_holds_what_scoring_needs(engine, tmp_path, trainer, suffix):
    path = tmp_path / f"train.{suffix}"
    report = dataset.export(path, trainer, "all", "easy", 4, engine=engine, system="Be brief.", format="answer_only")
    rows = read(path)
    assert len(rows) == report.rows > 4 and all(set(row) == KEYS[trainer] for row in rows)
    assert not (tmp_path / f"train.{suffix}.unfinished").exists()
    for row in rows:
        prompt, text, source = parts_of(trainer, row)
        truth = json.loads(text)
        made = engine.instances([truth["key"]])
        key = optgap.Key.parse(truth["key"])
        assert source == f"optgap/{key.task}/{key.level}" and key.split == "train"
        assert [message["role"] for message in prompt] == ["system", "user"]
        assert prompt[1]["content"] == engine.prompts(made, truth["format"])[0]
        solved = engine.solve(made)
        completion = f"<answer>{json.dumps(solved.answers.tolist()[0])}</answer>"
        scores = engine.score(made, [completion], [truth["baseline"]], format=truth["format"])
        assert (scores.optimal == solved.proven).all() and scores.quality.all() and scores.format.all()


def test_verl_rows_have_one_schema_over_all_tasks(engine, tmp_path):
    dataset.export(tmp_path / "a.parquet", "verl", "all", "easy", 3, engine=engine)
    schema = pyarrow.parquet.read_schema(tmp_path / "a.parquet")
    assert schema.field("reward_model").type == pyarrow.struct(
        [("style", pyarrow.string()), ("ground_truth", pyarrow.string())]
    )
    index = [row["extra_info"]["index"] for row in read(tmp_path / "a.parquet")]
    assert index == list(range(len(index)))


def test_small_levels_do_not_leak_into_evaluation(engine, tmp_path):
    name, level = "knapsack", "d0"
    report = dataset.export(tmp_path / "train.jsonl", "trl", name, level, 500, engine=engine, held_out=300)
    keys = [json.loads(row["ground_truth"])["key"] for row in read(tmp_path / "train.jsonl")]
    hashes = engine.instances(keys).hashes
    assert len(set(hashes)) == len(hashes) == report.instances
    for split in ("val", "test"):
        assert not set(hashes) & set(engine.generate(name, level, 300, split=split).hashes)
    assert report.instances + report.repeated + report.relabelled + sum(report.overlap.values()) == 500
    assert set(report.overlap) == {"val", "test"}


def test_no_problem_stands_twice_under_other_labels_nor_beside_a_held_out_one(engine, tmp_path):
    """Seed after seed, by the canonical keys of all; with keep_relabelled by the words alone."""
    level, count, held = "d0", 300, 5
    made = engine.generate("clique", level, count)
    names, coarse = made.canonical
    assert not coarse.any()
    kept_apart = {
        split: set(engine.generate("clique", level, held, split=split).canonical[0]) for split in ("val", "test")
    }
    seen: set[str] = set()
    words: set[str] = set()
    expected, repeated, relabelled, overlap = [], 0, 0, {"val": 0, "test": 0}
    for key, name, hash in zip(made.keys, names, made.hashes):
        if hash in words:
            repeated += 1
        elif name in seen:
            relabelled += 1
        elif (split := next((s for s in kept_apart if name in kept_apart[s]), None)) is not None:
            overlap[split] += 1
        else:
            expected.append(key)
        seen.add(name)
        words.add(hash)
    report = dataset.export(tmp_path / "t.jsonl", "trl", "clique", level, count, engine=engine, held_out=held)
    keys = [json.loads(row["ground_truth"])["key"] for row in read(tmp_path / "t.jsonl")]
    assert keys == expected
    assert (report.repeated, report.relabelled, report.overlap) == (repeated, relabelled, overlap)
    assert relabelled > 20 and min(overlap.values()) > 0 and f"{relabelled} under other labels" in str(report)

    loose = dataset.export(
        tmp_path / "t.jsonl", "trl", "clique", level, count, engine=engine, held_out=held, keep_relabelled=True
    )
    assert loose.relabelled == 0 and loose.instances > report.instances


def test_overlap_is_counted_and_left_out(engine, tmp_path, monkeypatch):
    """Made visible: val's seeds 0 to 9 are stood in for by train's."""
    sets = {"val": optgap.InstanceSet(canonical=True)}
    sets["val"].add(engine.generate("tsp", "easy", 10))
    monkeypatch.setattr(dataset, "held_out_sets", lambda *_: sets)
    report = dataset.export(tmp_path / "train.jsonl", "trl", "tsp", "easy", 30, engine=engine)
    assert report.overlap == {"val": 10} and report.instances == 20 and "10 also in val" in str(report)


def test_keys_of_a_file_are_left_out(engine, tmp_path):
    held = tmp_path / "held.jsonl"
    rows = [*engine.generate("tsp", "easy", 5).keys, *engine.generate("knapsack", "easy", 5).keys]
    held.write_text("".join(json.dumps({"key": key}) + "\n" for key in rows))
    report = dataset.export(tmp_path / "t.jsonl", "trl", "tsp", "easy", 20, engine=engine, exclude=[str(held)])
    assert report.overlap[str(held)] == 5 and report.instances == 15


def test_chunks_change_nothing(engine, tmp_path, monkeypatch):
    texts = []
    for chunk in (7, 1024):
        monkeypatch.setattr(dataset, "CHUNK", chunk)
        dataset.export(tmp_path / "t.jsonl", "verl", ["tsp", "clique"], "easy", 40, engine=engine)
        texts.append((tmp_path / "t.jsonl").read_text())
    assert texts[0] == texts[1]


def test_styles_keep_the_last_for_evaluation(engine, tmp_path):
    styles = {task.name: task.styles for task in engine.tasks}["tsp"]
    report = dataset.export(tmp_path / "t.jsonl", "trl", "tsp", "easy", 5, engine=engine, style="all")
    assert report.rows == 5 * (styles - 1)
    report = dataset.export(tmp_path / "t.jsonl", "trl", "tsp", "easy", 5, engine=engine, style="all", split="val")
    assert report.rows == 5 * styles
    with pytest.raises(optgap.Error, match="style"):
        dataset.export(tmp_path / "t.jsonl", "trl", "tsp", "easy", 5, engine=engine, style=styles - 1)


@pytest.mark.parametrize(
    ("field", "arguments"),
    [
        ("split", {"split": "test"}),
        ("trainer", {"trainer": "ppo"}),
        ("out", {"out": "train.csv"}),
        ("count", {"max_prompt_chars": 10}),
    ],
)
def test_misuse_leaves_no_file(engine, tmp_path, monkeypatch, field, arguments):
    monkeypatch.chdir(tmp_path)
    given = {"out": "t.parquet", "trainer": "verl", "tasks": "tsp", "count": 3, "engine": engine, **arguments}
    with pytest.raises(optgap.Error) as caught:
        dataset.export(**given)
    assert caught.value.field == field and list(tmp_path.iterdir()) == []


def test_progress_is_shown_on_a_terminal_only(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    for terminal in (False, True):
        monkeypatch.setattr(sys, "stderr", io.StringIO())
        monkeypatch.setattr(sys.stderr, "isatty", lambda terminal=terminal: terminal, raising=False)
        now[0] = 0.0
        bar = progress.Bar("dataset", "instances")
        for done in range(1, 11):
            now[0] = done * 0.5
            bar(done * 100, 1000)
        shown = sys.stderr.getvalue()
        bar.clear()
        assert ("dataset: 400 of 1000 instances, 40 %, 200/s, 3 s left" in shown) == terminal
        assert ("300 of" in shown) is False and (sys.stderr.getvalue() == "") == (not terminal)


def test_the_summary_as_json(tmp_path):
    command = [sys.executable, "-m", "optgap", "dataset", "--trainer", "trl", "tsp", "--level", "easy", "--json"]
    done = subprocess.run([*command, "--count", "3", "--out", tmp_path / "a.jsonl"], capture_output=True, check=True)
    assert json.loads(done.stdout)["rows"] == 3 and done.stderr == b""
    done = subprocess.run([*command, "--count", "3", "--out", "-"], capture_output=True, check=True)
    assert json.loads(done.stderr)["overlap"] == {"val": 0, "test": 0} and len(done.stdout.splitlines()) == 3


def test_the_old_spelling_of_trainer_and_format(tmp_path):
    command = [sys.executable, "-m", "optgap", "dataset", "tsp", "--level", "easy", "--count", "2", "--out", "-"]
    old = subprocess.run([*command, "--format", "trl", "--answer-format", "boxed"], capture_output=True, check=True)
    new = subprocess.run([*command, "--trainer", "trl", "--format", "boxed"], capture_output=True, check=True)
    assert old.stdout == new.stdout != b""
    assert b"--trainer TRAINER" in old.stderr and b"--trainer TRAINER" not in new.stderr
    lenient = json.dumps({"format": "boxed", "tail": "strict"})
    own = subprocess.run([*command, "--trainer", "trl", "--format", lenient], capture_output=True, check=True)
    row = json.loads(own.stdout.splitlines()[0])
    assert json.loads(json.loads(row["ground_truth"])["format"]) == json.loads(lenient)
    for wrong, said in ((["--format", "boxed"], "trainer"), (["--trainer", "trl", "--format", "x"], "format")):
        refused = subprocess.run([*command, *wrong], capture_output=True, text=True, check=False)
        assert refused.returncode == 2 and said in refused.stderr


def test_the_command(tmp_path):
    command = [sys.executable, "-m", "optgap", "dataset", "--trainer", "slime", "tsp", "--difficulty", "2"]
    done = subprocess.run([*command, "--count", "5", "--out", "-"], capture_output=True, text=True, check=True)
    assert len(done.stdout.splitlines()) == 5 and "5 rows" in done.stderr and "also in test" in done.stderr
    refused = subprocess.run([*command, "--split", "test", "--out", "-"], capture_output=True, text=True, check=False)
    assert refused.returncode == 2 and "kept for evaluation" in refused.stderr
    refused = subprocess.run(
        [*command, "--curriculum", "adaptive", "--out", "-"], capture_output=True, text=True, check=False
    )
    assert refused.returncode == 2 and "curriculum: cannot work here: a file's levels are fixed" in refused.stderr
    outside = tmp_path / "no" / "t.jsonl"
    assert subprocess.run([*command, "--out", outside], capture_output=True, check=False).returncode == 3
