"""A user's own problem from its folder: scored in this process, as a data set, by adapters, and in a report of a model."""

import json
import os
import pathlib
import shutil

import pytest
from in_process import main
from stand_in_server import StandIn

import optgap
from optgap.data import dataset
from optgap.rows.programs import own
from optgap.trainers.common.evaluation import advantages, evaluate

PARCELS = pathlib.Path(__file__).resolve().parent.parent.parent / "examples/problems/parcels"
BEST = f"```python\n{(PARCELS / 'reference.py').read_text()}```"
PLAIN = f"```python\n{(PARCELS / 'floor.py').read_text()}```"
WRONG = "```python\nprint('none')\n```"


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(PARCELS, tmp_path / "parcels")
    return tmp_path / "parcels"


def test_one_scorer_takes_rows_in_this_process(folder):
    rows = own.rows(folder, count=2, instances=3, seed=7)
    assert [row["seeds"] for row in rows] == [[7, 8, 9], [10, 11, 12]]
    by = optgap.Scorer(isolation="auto", advantage="river")
    asked = [{**rows[0], "completion": text} for text in (BEST, PLAIN, WRONG, BEST)]
    best, plain, wrong, again = by.score(asked)
    assert (best["quality"], plain["normalized"], wrong["valid"]) == (1, 0, 0)
    assert best["advantage"] == again["advantage"] > plain["advantage"] > wrong["advantage"]
    (folder / "note.txt").write_text("another digest")
    assert "it is another problem" in optgap.score(asked[:1], isolation="auto")[0]["error"]["rule"]


@pytest.mark.parametrize("trainer", list(dataset.TRAINERS))
def test_a_data_set_holds_what_adapters_score(folder, tmp_path, trainer):
    out = tmp_path / "train.jsonl"
    report = own.export(out, trainer, folder, count=2, instances=3, seed=7, system="Be brief.")
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert (report.rows, report.instances, len(rows)) == (2, 6, 2)
    truth = {
        "verl": lambda row: row["reward_model"]["ground_truth"],
        "trl": lambda row: row["ground_truth"],
        "openrlhf": lambda row: row["label"],
        "slime": lambda row: row["label"],
        "nemo-gym": lambda row: row["ground_truth"],
        "skyrl": lambda row: row["reward_spec"]["ground_truth"],
    }[trainer](rows[0])
    assert json.loads(truth)["seeds"] == [7, 8, 9]
    found = evaluate([BEST, PLAIN, WRONG, BEST], [truth] * 4)
    assert {row["data_source"] for row in found.rows} == {"optgap/program/parcels/x"}
    assert [row["acc"] for row in found.rows] == [1, 0, 0, 1]
    assert found.maximise == [False] * 4
    ranked = advantages(found, [0] * 4, "river")
    assert ranked[0] == ranked[3] > ranked[1] > ranked[2]


def test_advantages_of_an_adapter_are_those_of_the_scorer(folder):
    row = own.rows(folder, instances=3)[0]
    texts = [BEST, PLAIN, WRONG, BEST]
    scored = optgap.score([{**row, "completion": text} for text in texts], isolation="auto", advantage="rank_uniform")
    found = evaluate(texts, [own.ground_truth(row)] * 4)
    assert advantages(found, [0] * 4, "rank_uniform") == pytest.approx([one["advantage"] for one in scored])
    assert [one["score"] for one in found.rows] == pytest.approx([one["reward"] for one in scored])


def test_the_command_writes_the_same_and_refuses_what_has_no_effect(folder, tmp_path, capsys):
    out, same = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    words = ["dataset", "--problem", str(folder), "--trainer", "trl", "--count", "3", "--instances", "2", "--quiet"]
    assert main([*words, "--out", str(out)]) == 0
    own.export(same, "trl", folder, count=3, instances=2)
    assert out.read_text() == same.read_text()
    for more, expected in ((["--level", "easy"], "level"), (["tsp"], "tasks"), (["--limits", "river"], "limits")):
        assert main([*words, *more, "--out", str(tmp_path / "c.jsonl")]) == 2
        assert expected in capsys.readouterr().err


def bench(server, out, *more):
    return main(["bench-model", "--base-url", server.base_url, "--model", "stand-in", "--out", str(out), "--device", "cpu",
                 "--quiet", "--samples", "2", *more])  # fmt: skip


def test_a_model_is_measured_on_a_contest(folder, tmp_path):
    standings = tmp_path / "standings.json"
    one = optgap.score([{**own.rows(folder, instances=4)[0], "completion": PLAIN}], isolation="auto")[0]
    plain = sum(one["objectives"])
    best = sum(known["objective"] for known in one["baselines"])
    standings.write_text(
        json.dumps(
            {
                "parcels": {
                    "totals": [best, plain - 1, plain],
                    "performance": {"1": 2000, "3": 1000},
                    "sense": "minimise",
                },
                "boxes": {"totals": [1]},
            }
        )
    )
    texts = iter([BEST, PLAIN])
    options = ["--problem", str(folder), "--instances", "4", "--standings", str(standings), "--concurrency", "1"]
    with StandIn(lambda request: next(texts)) as server:
        assert bench(server, tmp_path / "run", *options) == 0
        assert len(server.requests) == 2 and "4 hidden inputs" in server.requests[0].prompt
        assert bench(server, tmp_path / "run", *options, "--resume") == 0
        assert len(server.requests) == 2
    report = json.loads((tmp_path / "run/report.json").read_text())
    (found,) = report["problems"]
    assert (found["cases"], found["rollouts"], found["valid"], found["whole"]) == (4, 2, 1, 1)
    assert (found["best"], found["mean"]) == (best, (best + plain) / 2)
    assert found["rank_percent"] == pytest.approx((100 / 3 + 100) / 2, abs=1e-5)
    assert (found["performance"], report["missing"]) == (1500, ["boxes"])
    assert 0 < report["rating"] < 1500
    assert "rank percent" in (tmp_path / "run/report.md").read_text()


def test_a_model_without_a_program_has_no_total(folder, tmp_path, capsys):
    with StandIn(lambda request: "I cannot.") as server:
        assert bench(server, tmp_path / "run", "--problem", str(folder), "--instances", "2") == 0
        assert bench(server, tmp_path / "other", "--problem", str(folder), "--level", "easy") == 2
        assert bench(server, tmp_path / "other", "--standings", os.devnull) == 2
    found = json.loads((tmp_path / "run/report.json").read_text())["problems"][0]
    assert (found["valid"], found["best"], found["mean"], found["rank_percent"]) == (0, None, None, None)
    assert "no effect" in capsys.readouterr().err
