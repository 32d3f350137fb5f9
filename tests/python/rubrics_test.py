"""`optgap.data.rubrics`, and rubrics as ground truths of the adapters: the same numbers as the program's."""

import asyncio
import json
import pathlib

import numpy as np
import pytest

import optgap
from optgap.core.errors import Error
from optgap.data.rubrics import Rubrics, gates, presets
from optgap.trainers.common.evaluation import advantages, evaluate, evaluate_one

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SAMPLES = [json.loads(line) for line in (ROOT / "tools/demo/rubrics.jsonl").read_text(encoding="utf-8").splitlines()]
PARIS = "The capital of France is Paris. Paris lies on the Seine."
CHAIN = {"chain": 1, "references": [PARIS], "gates": [],
         "content": {"points": [{"references": [{"keywords": ["capital", "Paris"]}]}]},
         "style": [{"check": "words", "max": 20}, {"check": "external", "external": "kind", "weight": 3}]}  # fmt: skip


def test_columns_have_the_shapes_that_are_documented():
    rubrics = Rubrics.compile([{"chain": CHAIN}, {"chain": CHAIN, "prompt": "p"}], "ours")
    assert (len(rubrics), rubrics.presets) == (2, ["ours", "ours"])
    found = rubrics.score([PARIS, b"Paris", "", "capital"], [0, 0, 1, 1], external=[{"kind": 1}, {}, {}, {"kind": 0}])
    assert len(found) == 4
    assert found.total.tolist() == [
        1.0,
        pytest.approx((1 / 3 + 0.25) / 2, abs=1e-3),
        0.125,
        pytest.approx((1 / 3 + 0.25) / 2, abs=1e-3),
    ]
    assert found.reward.dtype == np.float32
    assert found.point_offsets.tolist() == [0, 1, 2, 3, 4]
    assert list(zip(found.point_numerator.tolist(), found.point_denominator.tolist())) == [
        (3, 3),
        (1, 3),
        (0, 1),
        (1, 3),
    ]
    assert found.check.tolist() == [1, 1, 1, -1, 1, -1, 1, 0]
    assert found.gate_factor.shape == (4, len(gates()))
    assert found.has_text.tolist() == [True, True, False, True]
    assert "repo" in presets()


def test_rows_side_by_side_score_as_they_do_alone():
    rows = SAMPLES
    found = Rubrics.compile(rows, "ours").score([row["completion"] for row in rows], threads=2)
    single = [Rubrics.compile([row], "ours").score([row["completion"]]).total[0] for row in rows]
    assert found.total.tolist() == single
    by_kind = dict(zip((row["kind"] for row in rows), found.total.tolist()))
    assert by_kind["reference"] == 1.0 > by_kind["keywords"]


def test_what_is_wrong_names_row_and_field():
    with pytest.raises(Error, match="row 1: .*content"):
        Rubrics.compile([{"chain": CHAIN}, {"chain": {"chain": 1}}])
    with pytest.raises(Error, match="rubric_of"):
        Rubrics.compile([{"chain": CHAIN}]).score(["a", "b"])
    with pytest.raises(Error, match="preset"):
        Rubrics.compile([{"chain": CHAIN}], "mine")


def test_rubrics_answers_and_unreadable_rows_in_one_batch():
    truth = json.dumps({"chain": SAMPLES[0]["chain"], "prompt": SAMPLES[0]["prompt"]})
    answers = [SAMPLES[0]["completion"], "<think>hm</think><answer>[0]</answer>", "x", SAMPLES[2]["completion"], "x"]
    truths = [
        truth,
        "tsp@1:train:easy:1",
        '{"chain": {"chain": 1}}',
        truth,
        '{"chain": {}, "key": "tsp@1:train:easy:1"}',
    ]
    found = evaluate(answers, truths)
    assert [row["baseline_kind"] for row in found.rows] == ["reference", "proven", "unknown", "reference", "unknown"]
    assert [row["code"] for row in found.rows][2::2] == [-1, -1]
    assert found.rows[0]["data_source"] == "optgap/chain/ours"
    direct = Rubrics.compile([SAMPLES[0]]).score([answers[0], answers[3]], [0, 0])
    assert [found.rows[0]["score"], found.rows[3]["score"]] == direct.reward.tolist()
    assert found.pairs == {0: (direct.content[0], direct.style[0]), 3: (direct.content[1], direct.style[1])}
    values = advantages(found, ["a", "b", "c", "a", "d"], "decoupled")
    assert values[0] > 0 > values[3]


def test_what_is_cut_off_follows_the_rewards_policy():
    truth = json.dumps({"chain": SAMPLES[0]["chain"]})
    for policy, expected in (("penalise", None), ("zero", 0.0)):
        (row,) = evaluate([SAMPLES[1]["completion"]], [truth], finish=["length"], reward={"truncated": policy}).rows
        assert row["truncated"] == 1
        assert row["score"] == (1.0 if expected is None else expected)
    (row,) = evaluate([SAMPLES[1]["completion"]], [truth], finish=["length"], reward={"truncated": "exclude"}).rows
    assert np.isnan(row["score"])
    with pytest.raises(Error, match="not rewarded by its tokens"):
        Rubrics.compile([SAMPLES[0]]).score(["x"], reward='{"length": {"limit": 100, "buffer": 50}}')
    with pytest.raises(Error, match="not rewarded by its tokens"):
        evaluate(["x"], [truth], lengths=[7], reward={"length": {"limit": 100, "buffer": 50}})


CODED = {"chain": 1, "references": [PARIS], "style": [{"check": "code", "code": "def f(r): return len(r.split()) > 4", "weight": 3},
                                                      {"check": "code", "code": "def f(r): return r.index('Paris') >= 0"}]}  # fmt: skip


def test_checks_in_python_run_only_where_an_isolation_level_is_named():
    rubrics = Rubrics.compile([{"chain": CODED}, {"chain": CHAIN}])
    assert rubrics.codes == [2, 0]
    with pytest.raises(Error, match="check in Python") as refused:
        rubrics.score([PARIS], [0])
    assert refused.value.field == "chain.style"
    with pytest.raises(Error, match="isolation"):
        rubrics.score([PARIS], [1], isolation="anything")
    with pytest.raises(Error, match="check in Python"):
        rubrics.floors(0)
    with pytest.raises(Error) as nowhere:  # an isolation level that holds no Python
        rubrics.score([PARIS], [0], isolation="wasm")
    assert nowhere.value.status == "sandbox_unavailable"
    try:
        found = rubrics.score([PARIS, "", "Paris", PARIS], [0, 0, 0, 1], isolation="auto", slots=1)
    except Error as why:
        assert why.status == "sandbox_unavailable"
        pytest.skip("SKIPPED: optgap sandbox finds no isolation level that holds programs")
    assert found.check.tolist() == [1, 1, 0, 0, 0, 1, 1, -1]
    assert found.check_reasons == {3: "raises ValueError"}
    assert found.total[:3].tolist() == [1.0, 0.0, 0.25]
    floors = rubrics.floors(0, "Nothing of all this is here.", isolation="auto", slots=1)
    assert (floors["reference"], floors["other_reference"], floors["one_word"]) == (1.0, 0.75, 0.0)


def test_adapters_reward_checks_in_python_as_score_does(monkeypatch):
    texts = [PARIS, "Paris", PARIS, "none of it in five words"]
    rows = [{"chain": CODED}, {"chain": CODED}, {"chain": CHAIN}, {"chain": CODED}]
    truths = [json.dumps(row) for row in rows]
    monkeypatch.setenv("OPTGAP_PROGRAMS", json.dumps({"isolation": "wasm"}))
    with pytest.raises(Error):
        evaluate(texts, truths)
    monkeypatch.delenv("OPTGAP_PROGRAMS")
    scored = optgap.score([{**row, "completion": text} for row, text in zip(rows, texts)], isolation="auto")
    if any("error" in row for row in scored):
        assert scored[0]["error"]["field"] == "isolation"
        pytest.skip("SKIPPED: optgap sandbox finds no isolation level that holds programs")
    found = evaluate(texts, truths).rows
    assert [row["score"] for row in found] == [row["reward"] for row in scored] == [1.0, 0.25, found[2]["score"], 0.75]
    alone = asyncio.run(evaluate_one(texts[1], truths[1])).rows
    assert alone[0]["score"] == 0.25
