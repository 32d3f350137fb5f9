"""`optgap.score` and `optgap.Scorer`: rows of any kind, in this process."""

import json
import os
import subprocess
import threading

import numpy as np
import pytest

import optgap
from optgap.rows import codes

TOUR = "<think>hm</think><answer>[0, 4, 2, 15, 5, 9, 12, 8, 7, 1, 10, 3, 6, 13, 11, 14]</answer>"
ROW = {"key": "tsp@1:train:easy:1", "completion": TOUR}
WORSE = {"key": "tsp@1:train:easy:1", "completion": "<think>hm</think><answer>[0, 1]</answer>"}


@pytest.fixture(scope="module")
def scorer():
    return optgap.Scorer(optgap.Engine(device="cpu", threads=1))


def test_no_process_is_started(scorer, monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("a process was started")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    monkeypatch.setattr(os, "fork", refuse)
    assert optgap.score([ROW], device="cpu")[0]["code"] == "ok" and scorer.score([ROW])[0]["reward"] == 2


def test_rows_keep_their_order_and_what_else_they_hold(scorer):
    given = [{**ROW, "id": {"deep": [1, None]}, "reward": "theirs"}, {"id": 2}, dict(WORSE)]
    before = json.dumps(given)
    right, broken, wrong = scorer.score(given)
    assert right["id"] == {"deep": [1, None]} and right["optimal"] == 1 and wrong["code"] == "wrong_length"
    assert broken == {"id": 2, "error": {"row": 2, "field": "completion", "rule": "missing: what the model wrote"}}
    assert right["advantage"] > 0 > wrong["advantage"] and json.dumps(given) == before
    again = scorer.score([right, broken, wrong])
    assert again == [right, broken, wrong]


def test_a_row_does_not_depend_on_the_fields_of_the_row_before(scorer):
    text = {"rubric": {"keywords": [["cat"]]}, "completion": "a cat"}
    given = [
        {**ROW, "id": 1}, {**ROW, "id": 2}, {**ROW, "reward": 7, "id": 3}, {**ROW, "reward": 8, "id": 4}, dict(WORSE),
        {"proposal": {"task": "tsp", "level": "d5", "seed": 1}}, {"id": 5}, {**ROW, "error": {"row": 1, "rule": "x"}},
        {**ROW, "error": "theirs"}, {"id": 6, **ROW}, text, {**ROW, "id": 7}, {**ROW, "finish": "length"},
    ]  # fmt: skip
    shared = ("advantage", "keep", "duplicate_of", "error")
    for found, row in zip(scorer.score(given), given):
        (alone,) = scorer.score([row])
        assert [*found] == [*alone]
        assert {name: value for name, value in found.items() if name not in shared} == {
            name: value for name, value in alone.items() if name not in shared
        }


def test_rows_share_nothing_that_can_change(scorer):
    first, second = scorer.score([ROW, ROW])
    first["baseline"]["objective"] = first["span"][0] = None
    assert second["baseline"]["objective"] is not None and second["span"][0] is not None


def test_each_call_is_a_run_of_its_own(scorer):
    proposal = {"proposal": {"task": "tsp", "level": "d5", "seed": 1}}
    for _ in range(2):
        first, second = scorer.score([proposal, proposal])
        assert first["duplicate_of"] is None and second["duplicate_of"] == first["key"]


def test_numpy_s_numbers_are_numbers(scorer):
    square = np.array([[0, 10, 15], [10, 0, 35], [15, 35, 0]])
    row = {"task": "tsp", "instance": {"distances": square}, "completion": "<think>x</think><answer>[0, 1, 2]</answer>"}
    (found,) = scorer.score([{**row, "length": np.int64(7)}])
    assert found["optimal"] == 1 and found["instance"]["distances"] is square


@pytest.mark.parametrize(
    "row, why",
    [
        ({"completion": b"x"}, "holds what JSON cannot: <class 'bytes'>"),
        ({"x": {1: 2}}, "has a key that is no text"),
        ({"x": object()}, "holds what JSON cannot"),
    ],
)
def test_what_json_cannot_hold_is_an_error_that_names_the_row(scorer, row, why):
    with pytest.raises(optgap.Error) as told:
        scorer.score([ROW, row])
    assert told.value.field == "rows[1]" and why in told.value.rule


def test_a_value_without_end_is_an_error(scorer):
    row = {}
    row["x"] = [row]
    with pytest.raises(optgap.Error, match="is nested too deep"):
        scorer.score([row])


def test_numbers_that_are_none_reject_their_row_alone(scorer):
    bad, good = scorer.score([{**ROW, "x": float("nan")}, ROW])
    assert bad["error"]["field"] == "line" and good["code"] == "ok"


def test_half_a_surrogate_pair_is_no_fault(scorer):
    assert scorer.score([{**ROW, "completion": TOUR.replace("hm", "hm\ud800")}])[0]["objective"] is not None


@pytest.mark.parametrize(
    "options, field",
    [
        ({"rewards": "forge"}, "rewards"),
        ({"slots": 5000}, "slots"),
        ({"external": "yes"}, "external"),
        ({"isolation": 1}, "isolation"),
    ],
)
def test_an_option_that_does_not_fit_is_refused(options, field):
    with pytest.raises(optgap.Error) as told:
        optgap.score([ROW], device="cpu", **options)
    assert told.value.field == field


def test_an_unknown_option_suggests_the_nearest():
    with pytest.raises(optgap.Error, match="is no option of scoring; expected one of: reward, "):
        optgap.score([ROW], device="cpu", rewards="forge")


def test_threads_take_turns(scorer):
    expected = scorer.score([ROW, WORSE])
    found = []
    threads = [
        threading.Thread(target=lambda: found.extend(scorer.score([ROW, WORSE]) for _ in range(20))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 80 and all(rows == expected for rows in found)


def test_a_fork_scores_as_well(scorer):
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = 0 if scorer.score([ROW])[0]["code"] == "ok" and optgap.score([ROW])[0]["code"] == "ok" else 2
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0


def test_specs_may_be_dicts():
    (row,) = optgap.score([WORSE], device="cpu", reward={"infeasible": "graded"}, advantage={"estimator": "grpo"})
    assert row["reward"] > -1


def test_the_former_name_warns():
    with pytest.warns(DeprecationWarning, match="optgap.score now"):
        (row,) = optgap.score_rows([ROW], device="cpu")
    assert row["code"] == "ok"


def test_a_baseline_is_proven_once(scorer):
    row = {"key": "tsp@1:train:medium:77", "completion": TOUR}
    first = scorer.score([row])[0]["baseline"]
    assert first["proven"] and scorer.score([row])[0]["baseline"] == first


CHAIN = {"chain": 1, "references": ["Paris lies on the Seine."], "style": [{"check": "words", "max": 40}],
         "content": {"points": [{"name": "city", "references": [{"keywords": ["Paris", "Seine"]}]}]}}  # fmt: skip
OUTSIDE = {
    "key": "mine/toy@1:train:d3:17",
    "external": {"reward": 0.5},
    "completion": "<think>x</think><answer>1</answer>",
}
MIXED = (
    ROW, WORSE, {**ROW, "completion": TOUR[:-9], "finish": "length"}, {"key": "tps@1:train:easy:1", "completion": "x"},
    {"chain": CHAIN, "prompt": "Where is Paris?", "completion": "Paris lies on the Seine."}, OUTSIDE,
    {**OUTSIDE, "external": {"objective": 9, "sense": "minimise", "anchors": {"objective": 6}}},
    {**OUTSIDE, "external": {"reward": 0, "code": "external_timeout"}}, {"completion": "x"},
    {"proposal": {"task": "tsp", "level": "d5", "seed": 1}, "completion": "x"},
)  # fmt: skip


def test_columns_are_those_of_the_rows():
    by = optgap.Scorer(optgap.Engine(device="cpu", threads=1), external=True, isolation="auto")
    wanted = by.score(MIXED)
    given = [{name: value for name, value in row.items() if name not in ("completion", "finish")} for row in MIXED]
    texts = [row["completion"] for row in MIXED]
    found = by.score_columns(
        [json.dumps(row) if place % 2 else row for place, row in enumerate(given)],
        [text.encode() if place % 3 else text for place, text in enumerate(texts)],
        finish=[row.get("finish", "unknown") for row in MIXED],
    )
    assert len(found) == len(MIXED) and repr(found) == "ScoredColumns: 10 rows, 2 of them with an error"
    for place, row in enumerate(wanted):
        if "error" in row:
            assert found.errors[place] == (row["error"]["field"], row["error"]["rule"])
            continue
        for name in ("reward", "format", "feasible", "quality", "raw_ratio", "normalized", "optimal", "length_penalty"):
            assert getattr(found, name)[place] == np.float32(row[name]), (place, name)
        assert (found.violation[place], bool(found.truncated[place])) == (row["violation"], row["truncated"])
        assert found.objective[place] == (optgap.NO_OBJECTIVE if row["objective"] is None else row["objective"])
        assert (found.codes[place], found.baseline_kinds[place]) == (row["code"], row["baseline_kind"])
        assert [found.begin[place], found.end[place]] == row["span"]
    assert found.kinds == [*["answer"] * 3, "", "text", *["external"] * 3, "", "proposal"]
    assert found.tasks[:2] == ["tsp", "tsp"] and found.tasks[4:6] == ["chain/ours", "mine/toy"]
    assert found.reached.tolist() == [True, *[False] * 3, True, *[False] * 5]
    assert found.score[6] == -9 and not found.maximise[0] and found.maximise[6], "of an environment more is better"
    assert (found.content[4], found.style[4]) == (1, 1) and np.isnan(found.content[0])
    assert found.codes[7] == "external_timeout" and found.code[7] == codes("external")["external_timeout"]


def test_programs_have_a_score_for_each_instance():
    by = optgap.Scorer(optgap.Engine(device="cpu", threads=1), isolation="auto")
    text = '```python\nimport json\nprint(*range(len(json.loads(input())["distances"])))\n```'
    truth = {"key": "tsp@1:train:easy:1*3", "language": "python"}
    found = by.score_columns([truth, {"key": "tsp@1:train:easy:1"}, truth], [text, TOUR, "none"])
    if found.errors:
        assert found.errors[0][0] == "isolation"
        pytest.skip("SKIPPED: optgap sandbox finds no isolation level that holds programs")
    assert found.offsets.tolist() == [0, 3, 3, 6] and found.kinds[0] == "program"
    assert (found.scores[:3] > 0).all() and np.isnan(found.scores[3:]).all()


def test_columns_that_do_not_fit_are_refused(scorer):
    truth = {"key": "tsp@1:train:easy:1"}
    for given, field in (({"finish": ["stop"] * 2}, "finish"), ({"finish": ["late"]}, "finish"), ({"length": [1, 2]}, "length"),
                         ({"group": [1, 2]}, "group"), ({"length": [0.5]}, "length")):  # fmt: skip
        with pytest.raises(optgap.Error) as told:
            scorer.score_columns([truth], ["x"], **given)
        assert told.value.field == field
    with pytest.raises(optgap.Error, match="completions"):
        scorer.score_columns([truth] * 2, ["x"])
    assert len(scorer.score_columns([], [])) == 0


def test_groups_of_their_own_may_measure_one_instance_differently(scorer):
    truths = [{**truth, "baseline": {"objective": 500, "bound": bound}} for truth in [{"key": "tsp@1:train:easy:1"}]
              for bound in (300, 310)]  # fmt: skip
    assert list(scorer.score_columns(truths, [TOUR, TOUR]).errors) == [1]
    assert not scorer.score_columns(truths, [TOUR, TOUR], group=[0, 1]).errors


def test_the_table_of_codes_has_no_number_twice():
    known = {kind: codes(kind) for kind in ("answer", "program", "external", "proposal", "judgement")}
    numbers = [number for table in known.values() for number in table.values()]
    assert len(set(numbers)) == len(numbers) and known["answer"]["ok"] == 0
    with pytest.raises(KeyError):
        codes("nothing")
