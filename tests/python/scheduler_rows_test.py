"""Rows of every kind in a scheduler: what Scorer says of them as one run, however they come."""

import json
import pathlib
import random

import numpy as np
import pytest

import optgap

ROWS = pathlib.Path(__file__).resolve().parents[1] / "rows/rows.jsonl"
OPTIONS = {"external": True, "isolation": "auto", "slots": 2}
TSP = {"key": "tsp@1:train:easy:1"}


@pytest.fixture(scope="module")
def engine():
    return optgap.Engine("cpu", threads=2)


def readable(lines):
    """What json reads as dicts, a line each; C++'s tests have the others."""
    rows = []
    for line in lines:
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict):
            rows.append(row)
    return rows


def test_rows_of_every_kind_are_those_of_a_scorer(engine):
    rows = readable(ROWS.read_bytes().splitlines())
    kinds = {str(row.get("id")).partition(":")[0] for row in rows}
    assert {"answer", "program", "text", "proposal", "judgement", "external"} <= kinds
    expected = optgap.Scorer(engine, **OPTIONS).score(rows)
    with optgap.Scheduler(engine, rows=OPTIONS) as scheduler:
        for seed in (1, 2):
            order = random.Random(seed).sample(range(len(rows)), len(rows))
            tickets = [0] * len(rows)
            for at in order:
                tickets[at] = scheduler.submit_row(rows[at])
            found = scheduler.collect_rows(tickets, timeout=120)
            assert found.rows == expected
            assert found.outcomes == ["scored"] * len(rows)
            assert found.offsets.tolist() == list(range(len(rows) + 1))


def test_a_group_of_completions_is_one_ticket(engine):
    texts = ["<think>a</think><answer>[0, 1]</answer>", 'no "answer"\n', "<think>é</think><answer>[0]</answer>"]
    with optgap.Scheduler(engine, rows={"advantage": "rloo"}) as scheduler:
        ticket = scheduler.submit_row({**TSP, "step": np.int64(3)}, texts)
        alone = scheduler.submit_row(json.dumps(TSP), texts[0])
        found = scheduler.collect_rows([ticket, alone], timeout=60)
    rows = [{**TSP, "step": 3, "completion": text} for text in texts] + [{**TSP, "completion": texts[0]}]
    assert found.rows == optgap.Scorer(engine, advantage="rloo").score(rows)
    assert found.offsets.tolist() == [0, 3, 4]


def test_cancelled_rows_stand_in_their_run_and_say_so(engine):
    with optgap.Scheduler(engine) as scheduler:
        # Its proof takes long enough to be cancelled before.
        slow = scheduler.submit_row({"key": "apples@1:train:benchmark:1"}, "<think>x</think><answer>[0]</answer>")
        one = scheduler.submit_row(TSP, "<think>x</think><answer>[0]</answer>")
        was = scheduler.cancel(slow)
        found = scheduler.collect_rows([slow, one], timeout=60)
        assert found.outcomes == ["cancelled" if was else "scored", "scored"]
        if was:
            assert found.rows[0]["error"] == {"row": 1, "field": "ticket", "rule": "was cancelled"}
        assert "reward" in found.rows[1]
        with pytest.raises(optgap.Error, match="handed out"):
            scheduler.collect_rows([one], timeout=1)


def test_what_is_misused_is_said(engine):
    with pytest.raises(optgap.Error, match="rewards"):
        optgap.Scheduler(engine, rows={"rewards": "forge"})
    with optgap.Scheduler(engine, queue_rows=1, when_full="refuse") as scheduler:
        with pytest.raises(optgap.Error, match="cannot|JSON"):
            scheduler.submit_row({"key": object()})
        row = scheduler.submit_row(TSP, "x")
        with pytest.raises(optgap.Error, match="collect_rows takes it"):
            scheduler.collect([row], timeout=1)
        issued = scheduler.issue("tsp", count=1)
        with pytest.raises(optgap.Error, match="collect takes it"):
            scheduler.collect_rows(issued.tickets, timeout=1)
        assert "x" in scheduler.collect_rows([row], timeout=60).rows[0]["completion"]
