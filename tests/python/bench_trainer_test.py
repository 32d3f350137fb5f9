"""`optgap bench trainer`: its harness and its definition. Nothing is timed here."""

import json
import math
import pathlib
import subprocess
import sysconfig
from argparse import Namespace

import pytest

from optgap.commands.bench_trainer import arrivals, measured, quantile, table
from optgap.measure.trainer_costs.rewards import Absent, Function, Outcome, functions, make_step

ROOT = pathlib.Path(__file__).resolve().parents[2]
ENTRY = pathlib.Path(sysconfig.get_path("scripts")) / "optgap"
OURS = [
    "optgap, Engine.score",
    "optgap, adapters' batch",
    "optgap, verl async per sample",
    "optgap, verl sync per sample",
]
PROPERTY = "plain Python verifier, per sample"
NEIGHBOURS = [f"reasoning-gym, {task}, per sample" for task in ("graph_color", "shortest_path", "countdown")]
ROWS = [*OURS, PROPERTY, *NEIGHBOURS, "harness alone, sync", "harness alone, async"]
SETTINGS = ("at_once_1", "at_once", "decode")


@pytest.fixture(scope="module")
def report():
    oracle = ROOT / "tests" / "oracle"
    arguments = ["bench", "trainer", "--quick", "--json", "--quiet", "--oracle", oracle]
    done = subprocess.run([ENTRY, *arguments], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def small_step(engine):
    return make_step(engine, "easy", len(engine.tasks), 16, 300)


def test_every_verdict_is_that_of_the_plain_python_rules(report):
    rows = {row["name"]: row for row in report["rows"]}
    texts = report["rollouts"] * len(SETTINGS) * (1 + report["steps"])
    for name in (*OURS, PROPERTY):
        assert rows[name]["verdicts"] == {"compared": texts, "equal": texts}
    assert rows[PROPERTY]["role"] == "law" and {rows[name]["role"] for name in OURS} == {"compared"}


def test_every_row_has_its_samples_or_says_why_not(report):
    assert [row["name"] for row in report["rows"]] == ROWS
    for row in report["rows"]:
        if row["name"] in NEIGHBOURS and "absent" in row:
            assert row["absent"].startswith("not installed")
            continue
        for setting in SETTINGS:
            processes = 1 if setting == "at_once_1" else report["workers"]
            counts = {"exposed_s": report["steps"], "cpu_s": report["steps"], "last_s": report["steps"] * processes}
            assert {name: len(samples) for name, samples in row[setting].items()} == counts
            assert all(math.isfinite(one) and one >= 0 for samples in row[setting].values() for one in samples)
    assert report["device"] and report["commit"] and report["versions"]["optgap"]


def test_the_table_has_all_rows_in_aligned_columns(report):
    header, *lines = table(report).splitlines()
    assert [line for line, name in zip(lines, ROWS, strict=True) if not line.startswith(name)] == []
    whole = [line for line, row in zip(lines, report["rows"]) if "absent" not in row]
    assert {len(line) for line in whole} == {len(header)}


def test_the_texts_hold_right_wrong_and_unreadable_answers(engine, small_step):
    found = engine.score(small_step.instances, small_step.texts, small_step.baselines)
    assert len(found.reward) == 16 * len(engine.tasks) and set(found.task.tolist()) == set(range(len(engine.tasks)))
    assert {"ok"} < set(found.codes) and not found.format.all()
    assert (found.feasible & (found.quality == 1)).any() and (found.feasible & (found.quality < 1)).any()
    assert (found.format & ~found.feasible).any()


def test_a_verdict_that_differs_is_noticed(small_step):
    definition = [Outcome(float(row), True, True, 0, row) for row in range(len(small_step.texts))]

    def rewards(texts, rows):
        return [Outcome(float(row) + (row == 7), True, True, 0, None) for row in rows]

    spoiled = Function("spoiled", "batch", small_step.texts, lambda _, rows: rows, rewards, list)
    row = measured(spoiled, Namespace(workers=2, decode=0.0, steps=1), definition)
    texts = len(small_step.texts)
    assert row["verdicts"] == {"compared": 6 * texts, "equal": 6 * (texts - 1)}
    assert row["first_difference"]["row"] == 7


def test_outcomes_are_compared_where_both_say_something():
    assert Outcome(1.0, True, True, 0, 5).agrees(Outcome(1.0, True, True, 0))
    assert not Outcome(1.0, True, True, 0, 5).agrees(Outcome(1.0, True, True, 0, 6))
    assert not Outcome(1.0, True).agrees(Outcome(1.0, False))


def test_without_a_checkout_the_row_says_so(small_step):
    found = {one.name: one for one in functions(small_step, 1, None)}
    assert list(found) == ROWS and isinstance(found[PROPERTY], Absent)


def test_arrivals_have_a_long_tail():
    times = arrivals(6144, 4.0, 1)
    assert max(times) == 4.0 and min(times) > 0 and quantile(times, 0.5) < 1.0 and times != arrivals(6144, 4.0, 2)
