"""Proposals in a scheduler: what Gates says of them, on other threads."""

import os
import random

import numpy as np
import pytest
from forking import in_child
from roles_cases import posed

import optgap
from optgap import Error, Gates, Pool

SLOW = '<question>{"task": "apples", "level": "benchmark", "seed": 1}</question>'


@pytest.fixture(scope="module")
def engine():
    return optgap.Engine("cpu", threads=1)


def texts_of(count):
    draw = random.Random(3)
    texts = [posed(draw) for _ in range(count)]
    return [
        *texts,
        texts[0],
        "nothing",
        "<question>{</question>",
        '<question>{"task": "clique", "level": "d2", "seed": 4}</question>',
    ]


def said(found):
    """All that is said, as plain values."""
    columns = {name: getattr(found, name).tolist() for name in found.columns}
    lists = (found.codes, found.field, found.rule, found.key, found.canonical, found.duplicate_of)
    known = {name: getattr(found.baselines, name).tolist() for name in found.baselines.columns}
    return columns, lists, found.instances.words.tolist(), found.baselines.answers.words.tolist(), known


def test_rows_are_those_of_the_gates_in_that_order(engine):
    texts = texts_of(8)
    ends = [("length", "stop", "unknown")[row % 3] for row in range(len(texts))]
    wanted = Gates(limits={"quota": 5}).check(texts, finish=ends, step=2)
    assert {"ok", "duplicate", "not_json", "truncated"} <= set(wanted.codes), set(wanted.codes)
    with optgap.Scheduler(engine, solve_threads=2) as by:
        gates = Gates(limits={"quota": 5})
        tickets = [
            by.propose(gates, texts[first : first + 3], finish=ends[first : first + 3], step=2)
            for first in range(0, len(texts), 3)
        ]
        found = by.collect_proposals(tickets)
        assert [code for one in found for code in one.codes] == wanted.codes
        assert [one.outcome for one in found] == ["scored"] * 4 and [len(one) for one in found] == [3, 3, 3, 3]
        whole = Gates(limits={"quota": 5})
        (again,) = by.collect_proposals(by.propose(whole, [text.encode() for text in texts], finish=ends, step=2), 60)
        assert said(again) == said(wanted)
        assert by.statistics()["proposals"] == {
            "in_line": 0,
            "running": 0,
            "checked": 24,
            "sound": 2 * wanted.codes.count("ok"),
        }


def test_the_caller_goes_on_and_a_ticket_in_line_can_be_cancelled_or_expire(engine):
    with optgap.Scheduler(engine, solve_threads=1) as by:
        gates = Gates(budget=100_000)
        slow = by.propose(gates, [SLOW])
        cancelled, expired, kept = (
            by.propose(gates, [posed(random.Random(4))], deadline=end) for end in (None, 0.0, None)
        )
        assert not by.has_ended([slow])[0]
        assert by.cancel(cancelled) == 1
        with pytest.raises(TimeoutError, match="proposals"):
            by.collect_proposals(kept, 0)
        found = by.collect_proposals([cancelled, expired, slow, kept])
        assert [one.outcome for one in found] == ["cancelled", "expired", "scored", "scored"]
        assert [one.codes for one in found[:3]] == [[], [], ["unproven"]]
        assert found[3].codes != ["duplicate"], "the others were nothing to the gates"
        forgotten = by.propose(gates, [posed(random.Random(4))])
        by.forget(forgotten)
        with pytest.raises(Error, match="does not exist"):
            by.collect_proposals(forgotten)


def test_wrong_calls_are_refused(engine):
    gates = Gates()
    with optgap.Scheduler(engine, when_full="refuse", open_tickets=1, solve_threads=1) as by:
        for call in (lambda: by.propose(gates, "one text"), lambda: by.propose(gates, [7]), lambda: by.propose(gates, ["x"], finish=["end"]),
                     lambda: by.propose(gates, ["x"], step=-1), lambda: gates.check(["x"], finish=["stop", "stop"]),
                     lambda: Gates(limits={"wordz": 1}), lambda: Gates(held_out=["tsp"])):  # fmt: skip
            with pytest.raises(Error):
                call()
        one = by.propose(gates, ["x"])
        with pytest.raises(Error, match="no room"):
            by.propose(gates, ["x"])
        for take, others in ((by.collect, "collect_proposals"), (by.collect_questions, "collect_proposals")):
            with pytest.raises(Error, match=others):
                take(one)
        assert by.collect_proposals(one)[0].codes == ["format_missing_answer"]
    with pytest.raises(Error, match="shut down"):
        by.propose(gates, ["x"])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_child_is_refused(engine):
    gates = Gates()
    with optgap.Scheduler(engine) as by:

        def child():
            with pytest.raises(Error, match="parent process"):
                by.propose(gates, ["x"])

        assert in_child(child) == "None"


def test_a_pool_takes_the_proofs_of_gates(tmp_path, engine):
    found = Gates().check(texts_of(6))
    instances, known = found.problems(np.flatnonzero(found.code == 0))
    pools = [Pool(tmp_path / f"{name}.db", seed=1) for name in ("proving", "told")]
    pools[0].add(instances, "instance")
    told = pools[1].add(instances, "instance", known=known)
    assert told.code == ["ok"] * len(instances) and (told.baselines.status == known.status).all()
    for pool in pools:
        pool.step()
    assert pools[0].hash == pools[1].hash and pools[1].verify() == []
    wrong = optgap.Baselines(**{name: getattr(known, name).copy() for name in known.columns}, answers=known.answers)
    wrong.objective[0] -= 1
    wrong.bound[0] -= 1
    for given, rule in (
        (wrong, "not worth"),
        (optgap.Baselines(**{name: getattr(known, name) for name in known.columns}), "answers"),
    ):
        with pytest.raises(Error, match=rule):
            pools[1].add(instances, "instance", known=given)
