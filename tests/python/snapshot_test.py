"""Baselines from a snapshot of a store: engine, scheduler and data set give what solving gives, and say which one they read."""

import json
import pickle
import subprocess
import sys

import pytest

import optgap
from completion import complete
from forking import in_child


@pytest.fixture(scope="module")
def frozen(run_native, tmp_path_factory):
    """Greedy baselines, which solving would not give, of eight instances; and a store that is no snapshot."""
    here = tmp_path_factory.mktemp("stores")
    run_native("recompute", "--store", str(here / "a.db"), "--spec", "tsp:hard:val:0-3,knapsack:hard:val:0-3", "--budget", "0")
    run_native("store", "snapshot", str(here / "a.db"), "-o", str(here / "frozen.db"))
    rows = [json.loads(line) for line in run_native("store", "export", str(here / "frozen.db"))]
    return here / "frozen.db", here / "a.db", {row["key"].split("#")[0]: row for row in rows}


def asked_of(engine):
    """Five of each task: the last of each is not in the snapshot."""
    return engine.generate(["tsp", "knapsack"], "hard", 5, split="val")


def values(baselines):
    return list(zip(baselines.objective.tolist(), baselines.bound.tolist(), baselines.proven.tolist()))


def wanted_of(engine, known):
    instances = asked_of(engine)
    solved = values(engine.solve(instances))
    keys = [str(key).split("#")[0] for key in instances.keys]
    return instances, [(known[key]["objective"], known[key]["bound"], known[key]["proven"]) if key in known else row
                       for key, row in zip(keys, solved)]  # fmt: skip


def test_score_and_baselines_read_it_and_solve_the_rest(frozen, engine):
    path, _, known = frozen
    by = optgap.Engine("cpu", baselines=path)
    instances, wanted = wanted_of(engine, known)
    assert wanted != values(engine.solve(instances))
    texts = [complete(answer) for answer in engine.solve(instances).answers.tolist()]
    scores = by.score(instances, texts)
    assert values(scores.baselines) == wanted
    assert scores.reward.tolist() == engine.score(instances, texts, scores.baselines).reward.tolist()
    assert by.snapshot.status().endswith("8 baselines, 2 solved")
    given = [{"objective": 7, "bound": 7, "proven": True}] + [None] * (len(instances) - 1)
    assert values(by.baselines(instances, given)) == [(7, 7, True), *wanted[1:]]
    assert values(by.solve(instances)) == values(engine.solve(instances)), "solving solves"
    assert engine.snapshot is None


def test_the_scheduler_reads_it(frozen, engine):
    path, _, known = frozen
    instances, wanted = wanted_of(engine, known)
    texts = [complete(answer) for answer in engine.solve(instances).answers.tolist()]
    by = optgap.Engine("cpu", baselines=path)
    issued = by.issue(["tsp", "knapsack"], "hard", 5, split="val")
    by.submit(issued.tickets, texts)
    found = by.collect(issued.tickets)
    assert values(found.baselines) == wanted
    assert by.scheduler.statistics()["baselines"]["solved"] == 2


def test_it_survives_pickling_and_forks_and_tells_runs_apart(frozen, engine):
    path, _, known = frozen
    by = optgap.Engine("cpu", baselines=path)
    instances, wanted = wanted_of(engine, known)
    again = pickle.loads(pickle.dumps(by))
    assert again.snapshot.hash == by.snapshot.hash and len(by.snapshot.hash) == 32
    nothing = [None] * len(instances)
    assert values(again.baselines(instances, nothing)) == wanted
    assert in_child(lambda: values(by.baselines(instances, nothing)) == wanted) == "True"
    runs = [json.loads(optgap.Statistics(baselines=of).to_json())["run"] for of in (None, by.snapshot.hash)]
    assert runs[0]["fingerprint"][:13] == runs[1]["fingerprint"][:13]
    assert runs[0]["fingerprint"] != runs[1]["fingerprint"]
    assert runs[1]["baseline"]["snapshot"] == by.snapshot.hash


def test_what_is_no_snapshot_is_refused_with_the_command_that_makes_one(frozen, tmp_path):
    _, store, _ = frozen
    with pytest.raises(optgap.Error, match=f"optgap store snapshot {store}"):
        optgap.Engine("cpu", baselines=store)
    with pytest.raises(optgap.Error, match="none.db"):
        optgap.Engine("cpu", baselines=tmp_path / "none.db")


def test_a_data_set_takes_its_baselines_from_it(frozen, tmp_path):
    path, _, known = frozen
    out = tmp_path / "set.jsonl"
    command = [sys.executable, "-m", "optgap", "dataset", "tsp", "--trainer", "trl", "--level", "hard", "--count", "4",
               "--split", "val", "--held-out", "0", "--baselines", str(path), "--out", str(out), "--device", "cpu"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "4 baselines, 0 solved" in done.stderr
    truths = [json.loads(json.loads(line)["ground_truth"]) for line in out.read_text().splitlines()]
    assert [truth["baseline"]["objective"] for truth in truths] == [known[t["key"].split("#")[0]]["objective"] for t in truths]
    refused = subprocess.run([*command, "--candidate", "program"], capture_output=True, text=True, check=False)
    assert refused.returncode == 2 and "--candidate program" in refused.stderr
