"""`datasets` loads the folder that `optgap bench-set --hf` writes: the native command's rows, and the card's facts."""

import json

import yaml
from known import blocks

import optgap

(COMMAND,) = blocks("Hugging Face data set", "console")
LOAD, SCORE = blocks("Hugging Face data set", "python")
FEW = "--count 3 --signal-count 1"


def test_what_is_loaded_is_what_the_native_command_writes(run, tmp_path):
    script = f"""
{COMMAND.strip()} {FEW} --quiet
optgap bench-set --out native {FEW} --quiet > table
cat > page.py <<'END'
{LOAD}
{SCORE}
END
python page.py > printed
cat > dump.py <<'END'
import datasets, json
for name in datasets.get_dataset_config_names("data-set"):
    split = datasets.load_dataset("data-set", name, split="test")
    print(json.dumps([name, split.info.splits["test"].num_examples, split.to_list()]))
END
python dump.py > dumped
"""
    shown = run(script)
    assert "Ignoring" not in shown
    loaded = {
        name: (count, rows) for name, count, rows in map(json.loads, (tmp_path / "dumped").read_text().splitlines())
    }
    names = sorted(task.name for task in optgap.tasks() if task.direct)
    assert list(loaded) == ["all", *names]
    assert float((tmp_path / "printed").read_text()) == 0.0
    assert loaded["all"] == (3 * len(names), [row for name in names for row in loaded[name][1]])
    for name in names:
        count, rows = loaded[name]
        native = [json.loads(line) for line in (tmp_path / "native" / f"{name}.jsonl").read_text().splitlines()]
        assert count == len(rows) == len(native) == 3
        for row, wanted in zip(rows, native):
            truth = json.loads(row.pop("ground_truth"))
            assert truth["key"] == row["key"] and truth["baseline"]["objective"] == row["objective"]
            for field in ("answer", "instance"):
                row[field] = wanted[field] if isinstance(wanted[field], str) else json.loads(row[field])
            assert row == wanted


def test_the_readme_has_the_metadata_and_the_facts_of_the_card(run, tmp_path):
    run(
        f"optgap bench-set tsp knapsack --hf data-set {FEW} --quiet\noptgap bench-set tsp knapsack --out native {FEW} --quiet"
    )
    _, metadata, body = (tmp_path / "data-set/README.md").read_text().split("---\n", 2)
    said = yaml.safe_load(metadata)
    assert said["license"] == "apache-2.0" and said["language"] == ["en"] and said["size_categories"] == ["n<1K"]
    assert said["task_categories"] == ["text-generation"]
    assert [config["config_name"] for config in said["configs"]] == ["all", "knapsack", "tsp"]
    assert [config["splits"][0]["num_examples"] for config in said["dataset_info"]] == [6, 3, 3]
    card = (tmp_path / "native/card.md").read_text().splitlines()
    assert set(card[1:]) <= set(body.splitlines()) and len(card) > 20
    assert {path.name for path in (tmp_path / "data-set").glob("*.svg")} == {"tsp.svg", "knapsack.svg"}


def test_a_folder_that_holds_something_is_left_alone(run, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/notes").write_text("kept")
    assert "not an empty folder" in run("optgap bench-set tsp --hf mine", code=2)
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes"]
    assert "no task is named 'tps'" in run("optgap bench-set tps --hf other", code=2)
    assert not (tmp_path / "other").exists()
