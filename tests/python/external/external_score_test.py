"""`optgap score --external` rewards a verdict as `evaluate` rewards it, to the bit."""

import json
import math
import random
import subprocess
import sys

import numpy as np
import pytest
from toys import Told

import optgap
import optgap.rows.external as external
from optgap.rows import codes
from optgap.rows.external.protocol import NoVerdict, read_verdict
from optgap.trainers.common.evaluation import advantages, evaluate

REWARDS = ("forge", '{"shape": "power", "exponent": 3, "range": [0, 1], "grid": 0}', '{"shape": "normalized", "infeasible": "graded"}',
           '{"shape": "binary", "format_gates": false}', '{"truncated": "exclude", "proven_bonus": 0.25}',
           '{"length": {"limit": 12, "buffer": 6}}', '{"default": "power", "tasks": {"tsp": "binary"}}')  # fmt: skip
BLANK = ("", " \t\r\n", "\u00a0\u2003", "\x1c\x85\u3000", "\u200b")  # the last is none to Python
COLUMNS = {"reward": "score", "format": "format", "feasible": "feasible", "quality": "quality", "normalized": "normalized",
           "violation": "violation", "length_penalty": "length_penalty", "baseline_kind": "baseline_kind"}  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def configured():
    external.configure(tasks={"mine/told": "toys:Told", "mine/also": "toys:Told"}, trusted=True)
    yield
    external.configure()


def score(rows, *options):
    given = "".join(json.dumps(row) + "\n" for row in rows)
    command = [sys.executable, "-m", "optgap", "score", "-", "--external", *options]
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    return [json.loads(line) for line in done.stdout.splitlines()], done


def verdict(rng):
    """What an environment may say."""
    said = {
        "reward": rng.choice(
            [-1, 0, 0.0, 1, 1.0, 1 + 5e-10, -1 - 5e-10, 1e-300, rng.uniform(-1, 1), rng.uniform(-1, 1)]
        )
    }
    if rng.random() < 0.5:
        best = Told.ANCHORS["objective"]
        said = {"objective": rng.choice([best, 0, -3, 2**63 - 1, 1 - 2**63, rng.randrange(1, 20)]),
                "sense": rng.choice(["minimise", "maximise"])}  # fmt: skip
    if rng.random() < 0.3:
        said["correct"] = rng.random() < 0.5
    if rng.random() < 0.3:
        said["code"] = rng.choice(["ok", "no_number"])
    return said


def batch(count, seed):
    """Rows of score and the arguments of evaluate."""
    rng = random.Random(seed)
    theirs = external.rows(["mine/told", "mine/also"] * 6, ["d0", "d3"] * 6, range(12))
    rows, truths, texts, finish, lengths, groups = [], [], [], [], [], []
    for _ in range(count):
        row = {
            "finish": rng.choice(["stop", "stop", "length", "unknown"]),
            "length": rng.randrange(20),
            "group": rng.randrange(12),
        }
        if rng.random() < 0.2:
            truth = row["key"] = "tsp@1:train:easy:1"
            answer = rng.choice(["[0, 1]", "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]"])
        else:
            truth = theirs[row["group"]].ground_truth
            row["key"], said = json.loads(truth)["key"], verdict(rng)
            row["external"] = said | ({"anchors": Told.ANCHORS} if "objective" in said else {})
            answer = json.dumps(said) if rng.random() < 0.9 else rng.choice(BLANK)
        form = rng.choice(["<think>ä</think><answer>{}</answer>"] * 6 + ["<answer>{}</answer>", "{}", "<think>{}"])
        row["completion"] = form.format(answer)
        if answer == BLANK[-1] and "external" in row:
            row["external"] = {"reward": -1}  # as the environment says of what is no JSON
        rows.append(row)
        truths.append(truth)
        texts.append(row["completion"])
        finish.append(row["finish"])
        lengths.append(row["length"])
        groups.append(row["group"])
    return rows, truths, texts, finish, lengths, groups


@pytest.mark.parametrize("reward", REWARDS)
def test_rows_are_those_of_evaluate(reward):
    rows, truths, texts, finish, lengths, groups = batch(400, REWARDS.index(reward))
    wanted = evaluate(texts, truths, finish=finish, lengths=lengths, reward=reward)
    for spec in ("grpo", "gdpo", "river", "task_reinforce_pp"):
        found, done = score(rows, "--reward", reward, "--advantage", spec)
        assert done.returncode == 0, done.stderr
        assert np.array_equal([row["advantage"] for row in found], advantages(wanted, groups, spec, lengths)), spec
    for row, line in zip(wanted.rows, found):
        excluded = math.isnan(row["score"])
        wanted_line = {name: None if excluded and name == "reward" else row[other] for name, other in COLUMNS.items()}
        assert {name: line[name] for name in COLUMNS} == wanted_line, line
        assert line["truncated"] == bool(row["truncated"]) and (line["code"] == "ok") == (row["code"] == 0)
        assert (line["code"] == "external_wrong") == (row["code"] == external.Code.WRONG)
        if line["baseline_kind"] == "external":
            assert line["optimal"] == row["acc"] and line["proven"] is False
    numbers = {codes()[name] for name in ("ok", "format_missing_reasoning", "empty")}
    assert {row["code"] for row in wanted.rows} >= {*numbers, external.Code.WRONG}


NO_VERDICTS = (
    {"reward": 7}, {"reward": 1 + 1e-8}, {"reward": True}, {"reward": "1"}, {"reward": [1]}, {}, {"reward": 1, "objective": 1},
    {"reward": 1, "sense": "maximise"}, {"objective": 1.0, "sense": "maximise"}, {"objective": 2**63, "sense": "maximise"},
    {"objective": -(2**63), "sense": "maximise"}, {"objective": True, "sense": "maximise"}, {"objective": 1},
    {"objective": 1, "sense": "up"}, {"reward": 1, "correct": 1}, {"reward": 1, "code": 3}, {"reward": 1, "extra": 1},
)  # fmt: skip


@pytest.mark.parametrize("said", NO_VERDICTS, ids=json.dumps)
def test_what_python_calls_no_verdict_is_an_error_row(said):
    with pytest.raises(NoVerdict):
        read_verdict(said, Told.ANCHORS)
    given = said | ({"anchors": Told.ANCHORS} if "objective" in said and "reward" not in said else {})
    row = {"key": "mine/told@1:train:d0:1", "completion": "<think></think><answer>1</answer>", "external": given}
    (found,), done = score([row])
    assert done.returncode == 1 and found["error"]["field"].startswith("external."), found


@pytest.mark.parametrize("key", ["mine/told@1:train:d0:1", "a/b/c.d@v1@x:val:d0:18446744073709551615#01234567", "A/_b@1:train:d0:1",
                                 "mine/@1:train:d0:1", "/toy@1:train:d0:1", "mine/toy:train:d0:1", "mine/toy@1:dev:d0:1",
                                 "mine/toy@:train:d0:1", "mine/toy@1:train:easy:1", "mine/toy@1:train:d:1",
                                 "mine/toy@1:train:d1234567890:1", "mine/toy@1:train:d0:18446744073709551616",
                                 "mine/toy@1:train:d0:1#", "mine/toy@1:train:d0:1#0123456G", "mine/toy@1:train:d0:1:s3",
                                 "mine/toy@1:train:d0:-1", "mine//toy@1:train:d0:1", f"m/t@{'1' * 65}:train:d0:1"])  # fmt: skip
def test_keys_are_read_as_python_reads_them(key):
    try:
        external.keys.parse(key)
        sound = True
    except optgap.Error:
        sound = False
    (found,), _ = score([{"key": key, "completion": "", "external": {"reward": 1}}])
    assert ("error" not in found) == sound, found
