"""An answer that replaces its verifier changes no other verdict."""

import json
import pathlib

import pytest
from external_hostile_test import ways

import optgap.rows.external as external
from optgap.rows.external import canary
from optgap.rows.external.answer_code import evaluators
from optgap.rows.external.calls import Call, Code
from optgap.rows.external.settings import checked

TASKS = {"mine/open": "evaluating_toys:Evaluates", "mine/hidden": "evaluating_toys:EvaluatesElsewhere", "mine/toy": "toys:Toy",
         "mine/all": "toys:AcceptsAll", "mine/kinds": "toys:ManyKinds", "mine/moods": "toys:Moods"}  # fmt: skip
PROBLEM = json.dumps({"numbers": [3, 4]})
POISON = ("[setattr(kind, 'verify', lambda self, problem, text: {'reward': 1}) for kind in "
          "[__import__('toys').Toy, __import__('evaluating_toys').Evaluates, __import__('evaluating_toys').EvaluatesElsewhere]]"
          " and 99")  # fmt: skip
"""Replaces the verifiers of a whole module, and of what is made from it."""


@pytest.fixture
def pool():
    made = []

    def make(how="trusted", **more):
        held = {"trusted": True} if how == "trusted" else {"isolation": how}
        made.append(external.Pool(checked({"tasks": TASKS, "verify_seconds": 10, **held, **more}, "test")))
        return made[-1]

    yield make
    for one in made:
        one.close()


def verdicts(by, task, texts):
    return by.run([Call(task, "verify", (PROBLEM, text)) for text in texts])


def right(outcome):
    return outcome.code is Code.OK and outcome.value[0]["reward"] == 1


@pytest.mark.parametrize("how", ways)
@pytest.mark.parametrize("task", ["mine/open", "mine/hidden"])
def test_an_answer_that_replaces_the_verifier_makes_no_other_right(task, how, pool):
    by = pool(how, workers=1)
    texts = ["7", "8", "1", POISON, "7", "8", "1", "99", POISON, "7", "2"]
    found = verdicts(by, task, texts)
    assert [right(one) for one in found] == [text == "7" for text in texts]
    # Both rows are named, and nothing else is lost.
    assert [one.code for one in found] == [Code.ERROR if text == POISON else Code.OK for text in texts]
    assert {one.message for one in found if one.code is not Code.OK} == {
        "it changed its verifier, which accepts a wrong answer after it"
    }
    assert [right(one) for one in verdicts(by, task, ["99", "7"])] == [False, True]
    assert by.describe(task).runs_answers == (task == "mine/open")


def test_a_worker_serves_one_task(pool):
    by = pool(workers=1)
    for task in ("mine/hidden", "mine/toy", "mine/hidden"):
        assert right(verdicts(by, task, ["7"])[0])
    assert sorted(worker.task for worker in by._idle) == ["mine/hidden", "mine/toy"]
    verdicts(by, "mine/hidden", [POISON])
    assert not right(verdicts(by, "mine/toy", ["99"])[0])


def test_idle_workers_beyond_those_kept_end(pool):
    by = pool(workers=1, kept=1)
    for task in ("mine/hidden", "mine/toy", "mine/kinds"):
        verdicts(by, task, ["7"])
        assert [worker.task for worker in by._idle] == [task]


def test_each_verdict_of_an_evaluating_environment_has_a_process_of_its_own(pool):
    by = pool(workers=1)
    found = verdicts(by, "mine/open", ["__import__('os').getpid() * 0 + 7", "globals().update(kept=7) or 8", "kept"])
    assert [right(one) for one in found] == [True, False, False]
    (worker,) = by._idle
    found = verdicts(by, "mine/open", ["__import__('os')._exit(3)", "7"])
    assert [one.code for one in found] == [Code.CRASH, Code.OK] and by._idle == [worker]
    assert found[0].message == "the process of this call ended without a reply"


def test_an_environment_that_accepts_every_text_is_told_once_and_served(pool, caplog):
    by = pool()
    for _ in range(2):
        assert all(right(one) for one in verdicts(by, "mine/all", ["1", "2", "3"]))
    said = [record.getMessage() for record in caplog.records if "no canary" in record.getMessage()]
    assert said == ["mine/all: no canary watches its verifier: it accepts a text that can be no answer"]


def test_canaries_are_letters_and_read_as_verdicts():
    assert canary.text().isalpha() and canary.text() != canary.text() and len(canary.text()) == 32
    assert canary.accepted([{"reward": 1}, None]) and canary.accepted([{"reward": 0.2}, None])
    assert canary.accepted([{"objective": 3, "sense": "minimise"}, {"objective": 3}])
    for refused in (None, [], [{"reward": 7}, None], [{"reward": -1}, None], [{"reward": -0.8}, None],
                    [{"reward": 1, "code": "none"}, None]):  # fmt: skip
        assert not canary.accepted(refused)


def test_the_scan_finds_what_runs_a_text():
    assert evaluators("import sympy\nsympy.sympify(answer)") == ["sympify"]
    assert evaluators("eval(answer)\nbuiltins.exec(answer)\nfrom sympy import parse_expr as p") == [
        "eval", "exec", "parse_expr",
    ]  # fmt: skip
    assert evaluators("import pickle\nfrom dill import loads") == ["dill", "pickle"]
    assert evaluators("import re\nre.compile('x')\nmodel.eval()\n'eval(x)'\njson.loads(x)") == []
    for name, found in (("toys.py", []), ("evaluating_toys.py", ["eval"])):
        assert evaluators((pathlib.Path(__file__).parent / name).read_text()) == found


def test_a_batch_is_one_request_and_a_row_that_hangs_or_ends_its_worker_costs_no_other(pool):
    by = pool(workers=1, verify_seconds=1)
    texts = ["7"] * 20 + ["hang"] + ["8"] * 20 + ["die", "7", "raise", "huge"] + ["7"] * 3
    found = by.run([Call("mine/moods", "verify", (PROBLEM, text)) for text in texts])
    codes = {"hang": Code.TIMEOUT, "die": Code.CRASH, "raise": Code.ERROR, "huge": Code.ERROR}
    assert [one.code for one in found] == [codes.get(text, Code.OK) for text in texts]
    assert [right(one) for one in found] == [text == "7" for text in texts]
    assert by.killed == {
        ("mine/moods", "external_timeout"): 1,
        ("mine/moods", "external_crash"): 1,
        ("mine/moods", "external_error"): 2,
    }


def test_slow_verdicts_of_a_batch_are_told_on_the_way(pool):
    by = pool(workers=1, verify_seconds=0.5)
    found = by.run([Call("mine/moods", "verify", (PROBLEM, "slow"))] * 8)  # 0.15 s each, and 1.2 s together
    assert [one.code for one in found] == [Code.OK] * 8 and not by.killed
    assert all(0.14 < one.seconds < 0.5 for one in found)
