"""One evaluation behind every trainer: fixed keys, no exception for a row, the engine's own numbers."""

import asyncio
import json
import math
import multiprocessing
import os
import pickle
import subprocess
import sys

import pytest
from hostile import HOSTILE

import optgap
from optgap.trainers.common import adapter_rows, ground_truth
from optgap.trainers.common.evaluation import (
    KEYS,
    NOT_EVALUATED,
    advantages,
    evaluate,
    evaluate_one,
    fingerprint,
    metrics,
)


def test_an_optimum_is_rewarded_and_a_greedy_answer_less(rows):
    found = evaluate(rows.optimal + rows.greedy, rows.ground_truths * 2).rows
    assert [row["score"] for row in found[:4]] == [2.0] * 4
    assert [row["acc"] for row in found[:4]] == [1.0] * 4
    assert all(1 < row["score"] <= 2 and row["feasible"] == 1 for row in found[4:])
    assert any(row["score"] < 2 and row["gap"] > 0 for row in found[4:])
    assert [row["data_source"] for row in found] == rows.data_sources * 2


def test_rows_are_those_of_the_engine(engine, rows):
    mixed = [rows.optimal[0], rows.greedy[0], "no answer", rows.optimal[1]]
    mine = evaluate(mixed, [rows.ground_truths[0]] * 4).rows
    instances = engine.instances(rows.keys[:1])
    records = [json.loads(rows.ground_truths[0])["baseline"]]
    theirs = engine.score(instances, mixed, records, instance_of=[0] * 4)
    assert [row["score"] for row in mine] == theirs.reward.tolist()
    assert [row["quality"] for row in mine] == theirs.quality.tolist()
    assert [row["normalized"] for row in mine] == theirs.normalized.tolist()
    assert [row["code"] for row in mine] == theirs.code.tolist()
    assert [row["violation"] for row in mine] == theirs.violation.tolist()


def test_rows_carry_the_fingerprint_of_the_program_s_rows(rows, tmp_path):
    rollouts = tmp_path / "rollouts.jsonl"
    rollouts.write_text(json.dumps({"key": rows.keys[0], "completion": rows.optimal[0]}) + "\n")
    for reward in ("forge", {"shape": "normalized", "range": [0, 1]}):
        spec = reward if isinstance(reward, str) else json.dumps(reward)
        command = [sys.executable, "-m", "optgap", "score", rollouts, "--reward", spec]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        theirs = json.loads(done.stdout.splitlines()[0])["fingerprint"]
        found = evaluate([rows.optimal[0], "x"], [rows.ground_truths[0], "unreadable"], reward=reward).rows
        assert [row["fingerprint"] for row in found] == [theirs] * 2 == [fingerprint(reward)] * 2


def test_a_fingerprint_tells_rewards_estimators_and_budgets_apart(monkeypatch):
    plain = fingerprint()
    assert len(plain) == 16 and int(plain, 16) >= 0 and fingerprint({"shape": "forge"}) == plain
    others = {fingerprint("binary"), fingerprint({"truncated": "zero"}), fingerprint(advantage="river")}
    monkeypatch.setattr(ground_truth, "_settings", ground_truth.Settings(budget=10))
    others.add(fingerprint())
    assert len(others | {plain}) == 5
    with pytest.raises(optgap.Error, match="reward"):
        evaluate([], [], reward="nothing")


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_no_text_raises(rows, text):
    (row,) = evaluate([text], rows.ground_truths[:1]).rows
    assert tuple(row) == KEYS
    assert row["feasible"] == 0 and row["code"] > 0 and math.isfinite(row["score"])


@pytest.mark.parametrize(
    "truth",
    [
        "", "{", "[]", "{}", "null", "17", None, 17, {"a": 1}, {"key": object()}, "\ud800@",
        "tsp@1:train:easy:1#00000000",
        "tsp@99:train:easy:1", "nothing@1:train:easy:1", '{"key": 3}', '{"key": "tsp@1:train:easy:1", "format": "x"}',
        '{"key": "tsp@1:train:easy:1", "baseline": 3}', '{"key": "tsp@1:train:easy:1", "baseline": {"objective": "a"}}',
        '{"key": "tsp@1:train:easy:1", "baseline": {"objective": 1, "bound": 2, "proven": true}}',
        '{"task": "tsp", "instance": {"distances": [[0, 1], [2]]}}', '{"task": 7, "instance": {}}', "[" * 100_000,
        '{"a":' * 100_000,
    ],
    ids=range(23),
)  # fmt: skip
def test_an_unreadable_ground_truth_is_a_row_and_its_neighbours_are_whole(rows, truth):
    found = evaluate([rows.optimal[0]] * 3, [rows.ground_truths[0], truth, rows.ground_truths[0]]).rows
    assert [tuple(row) for row in found] == [KEYS] * 3
    assert found[1]["code"] == NOT_EVALUATED and found[1]["score"] == 0
    assert [found[0]["score"], found[2]["score"]] == [2.0, 2.0]


def test_it_says_once_what_is_unreadable(rows, caplog):
    adapter_rows._warned.clear()
    evaluate(["a"] * 5, ["broken ground truth"] * 5)
    evaluate(["a"] * 5, ["broken ground truth"] * 5)
    assert len(caplog.records) == 1 and "neither JSON nor a key" in caplog.text


def test_rows_without_a_baseline_are_solved(rows):
    bare = [json.dumps({"key": json.loads(truth)["key"]}) for truth in rows.ground_truths]
    assert evaluate(rows.greedy, bare).rows == evaluate(rows.greedy, rows.ground_truths).rows
    assert evaluate(rows.greedy, rows.keys).rows == evaluate(rows.greedy, rows.ground_truths).rows


def test_a_users_own_instance_is_a_ground_truth(rows):
    truth = json.dumps({"task": "tsp", "instance": {"distances": [[0, 1, 9], [1, 0, 1], [9, 1, 0]]}})
    (row,) = evaluate(["<think>x</think><answer>[0, 1, 2]</answer>"], [truth]).rows
    assert row["score"] == 2.0 and row["data_source"] == "optgap/tsp/x"


def test_the_rows_own_format_counts(rows):
    record = json.loads(rows.ground_truths[0])
    text = rows.optimal[0].replace("<think>hm</think>", "")
    found = evaluate([text, text], [json.dumps({**record, "format": name}) for name in ("answer_only", "forge")]).rows
    assert [row["format"] for row in found] == [1.0, 0.0]


def test_excluded_rows_have_no_number(rows):
    (row,) = evaluate(["<think>"], rows.ground_truths[:1], finish=["length"], reward={"truncated": "exclude"}).rows
    assert math.isnan(row["score"]) and row["truncated"] == 1


def test_a_wrong_spec_is_refused(rows):
    with pytest.raises(optgap.Error, match="shape"):
        evaluate(rows.optimal[:1], rows.ground_truths[:1], reward={"shape": "nothing"})


def test_the_store_forgets_the_oldest(rows, monkeypatch):
    monkeypatch.setattr(ground_truth, "CAPACITY", 3)
    ground_truth._renew()
    evaluate(rows.optimal, rows.ground_truths)
    assert list(ground_truth._process.kept) == rows.ground_truths[1:]


def test_advantages_of_components_and_ranks(rows):
    texts = [rows.optimal[0], rows.greedy[0], "no answer", "no answer"]
    found = evaluate(texts, [rows.ground_truths[0]] * 4)
    for spec in ("decoupled", "river", "rank_uniform", "grpo"):
        values = advantages(found, ["g"] * 4, spec)
        assert values[0] > values[1] > values[2] == values[3], spec
    equal = evaluate([rows.greedy[0]] * 4, [rows.ground_truths[0]] * 4)
    assert advantages(equal, [0, 0, 1, 1], "decoupled") == [0.0] * 4


def test_metrics_have_the_documented_names(rows):
    truths = [*rows.ground_truths[:1] * 3, rows.ground_truths[2]]
    found = evaluate([*rows.optimal[:1] * 2, "x", rows.optimal[2]], truths)
    values = metrics(found.rows, [0, 0, 1, 2])
    assert values["optgap/tsp/sr"] == pytest.approx(2 / 3)
    assert values["optgap/tsp/zero_variance_groups"] == 1.0
    names = ("sr", "qr", "normalized", "zero_variance_groups")
    assert set(values) == {f"optgap/{task}/{name}" for task in ("tsp", "knapsack") for name in names}
    scale = [{**found.rows[0], "data_source": f"optgap/tsp/d{step}"} for step in (1, 4)]
    assert metrics(scale)["optgap/tsp/level"] == 2.5


def _score_in_child(rows, queue):
    queue.put((os.getpid(), evaluate(rows.greedy, rows.ground_truths).rows))


def test_a_forked_child_scores_the_same(rows):
    before = evaluate(rows.greedy, rows.ground_truths).rows
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    # The parent's lock is held while it forks, as another thread might.
    with ground_truth._process.lock:
        child = context.Process(target=_score_in_child, args=(rows, queue))
        child.start()
    pid, found = queue.get(timeout=60)
    child.join(60)
    assert pid != os.getpid() and found == before and child.exitcode == 0


def test_rows_can_be_pickled(rows):
    found = evaluate(rows.greedy, rows.ground_truths).rows
    assert pickle.loads(pickle.dumps(found)) == found


@pytest.mark.parametrize(
    ("baseline", "kind"),
    [({"objective": 500, "bound": 400, "proven": False}, "bounded"), ({"objective": 500, "proven": False}, "unknown"),
     ({"objective": 500, "bound": 500, "proven": True}, "proven"), (None, "proven")],
)  # fmt: skip
def test_rows_say_what_their_baseline_is_worth(baseline, kind):
    truth = json.dumps({"key": "tsp@1:train:easy:1", **({} if baseline is None else {"baseline": baseline})})
    answer = "<think>x</think><answer>[0]</answer>"
    (one,) = asyncio.run(evaluate_one(answer, truth)).rows
    (row,) = evaluate([answer], [truth]).rows
    assert row["baseline_kind"] == one["baseline_kind"] == kind
