"""Answers, programs, rubrics and external rows in one batch: `optgap score`, the adapters' evaluation and TRL say the same, in order."""

import asyncio
import json
import math
import pathlib
import re
import runpy

import numpy as np
import pytest

import optgap
from optgap.rows import codes, external
from optgap.rows.columns import ScoredColumns
from optgap.rows.programs import runner, settings
from optgap.rows.programs.ground_truths import ProgramProblem
from optgap.trainers.common import adapter_rows, ground_truth
from optgap.trainers.common.evaluation import KEYS, NOT_EVALUATED, advantages, evaluate, evaluate_one, with_a_reward
from optgap.trainers.trl.reward import GroupAdvantage, RewardFunction

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "examples/mixed"
ROWS = [json.loads(line) for line in (FOLDER / "rows.jsonl").read_text(encoding="utf-8").splitlines()]
TEXTS = [row["completion"] for row in ROWS]
TRUTHS = [
    json.dumps({name: value for name, value in row.items() if name not in ("id", "kind", "completion", "external")})
    for row in ROWS
]
PROGRAMS = [at for at, row in enumerate(ROWS) if row["kind"] == "program"]
SHARED = ("reward", "advantage", "keep", "format", "feasible", "quality", "raw_ratio", "normalized", "optimal",
          "length_penalty", "objective", "violation", "code", "span", "format_name", "baseline", "baseline_kind", "proven",
          "truncated", "fingerprint")  # fmt: skip
FLOOR = '```python\nimport json\nprint(*range(len(json.loads(input())["distances"])))\n```'
TOUR = {"key": "tsp@1:train:easy:1*2", "language": "python"}


@pytest.fixture(autouse=True)
def toys(monkeypatch):
    for name in ("OPTGAP_EXTERNAL", "OPTGAP_PROGRAMS"):
        monkeypatch.delenv(name, raising=False)
    ground_truth.configure()
    external.configure(tasks={"toy/even_sum": "optgap.examples.even_sum:EvenSum"}, trusted=True, workers=1)
    yield
    external.configure()
    ground_truth.configure()


@pytest.fixture(scope="module")
def scored():
    """What `optgap score` says of the file."""
    found = optgap.score(ROWS, isolation="auto", external=True, device="cpu")
    if any(row.get("error", {}).get("field") == "isolation" for row in found):
        pytest.skip("SKIPPED: optgap sandbox finds no isolation level that holds programs")
    return found


def test_the_file_is_what_its_script_writes(tmp_path):
    made = runpy.run_path(str(FOLDER / "make_rows.py"))
    assert list(made["rows"]()) == ROWS


def test_one_call_rewards_every_kind_in_order_and_in_one_set_of_columns(scored):
    assert [row["id"] for row in scored] == [row["id"] for row in ROWS]
    assert {row["kind"] for row in scored} == {"answer", "program", "chain", "external"}
    for row in scored:
        assert [name for name in SHARED if name not in row] == []
    assert len({row["fingerprint"] for row in scored}) == 1
    kinds = {row["kind"]: row["baseline_kind"] for row in scored}
    assert kinds == {"answer": "proven", "program": "proven", "chain": "reference", "external": "external"}
    assert [row["reward"] for row in scored if row["kind"] in ("answer", "external")] == [2.0, -0.5, -0.5, 2.0]


def test_rows_are_what_they_are_alone(scored):
    for kind in ("answer", "program", "chain", "external"):
        mine = [row for row in ROWS if row["kind"] == kind]
        alone = optgap.score(mine, isolation="auto", external=True, device="cpu")
        assert alone == [row for row in scored if row["kind"] == kind]


def test_an_adapters_batch_says_the_same(scored):
    found = evaluate(TEXTS, TRUTHS)
    assert all(set(row) == set(KEYS) for row in found.rows)
    for name, theirs in (("score", "reward"), ("feasible", "feasible"), ("quality", "quality"), ("format", "format"),
                         ("normalized", "normalized")):  # fmt: skip
        assert [row[name] for row in found.rows] == pytest.approx([row[theirs] for row in scored]), name
    for name in ("baseline_kind", "fingerprint"):
        assert [row[name] for row in found.rows] == [row[name] for row in scored]
    assert [found.rows[at]["violation"] for at in PROGRAMS] == [scored[at]["violation"] for at in PROGRAMS]
    assert {row["data_source"] for row in found.rows} == {
        "optgap/tsp/easy", "optgap/program/tsp/easy", "optgap/chain/ours", "optgap/toy/even_sum/d1"}  # fmt: skip
    assert {at: found.matrix[at] for at in found.matrix} == {
        at: [None if one is None else float(one) for one in scored[at]["objectives"]] for at in PROGRAMS}  # fmt: skip
    groups = [
        "answers",
        "programs",
        "texts",
        "outside",
        "programs",
        "answers",
        "texts",
        "programs",
        "outside",
        "programs",
    ]
    assert advantages(found, groups, "grpo") == pytest.approx([row["advantage"] for row in scored], abs=1e-6)


def test_a_rubrics_column_has_its_present_and_its_former_name(scored):
    texts = [at for at, row in enumerate(ROWS) if row["kind"] == "chain"]
    for name in ("rubric", "chain"):
        truths = [json.loads(TRUTHS[at]) for at in texts]
        named = [{name if key in ("rubric", "chain") else key: value for key, value in one.items()} for one in truths]
        found = evaluate([TEXTS[at] for at in texts], [json.dumps(one) for one in named])
        assert [row["score"] for row in found.rows] == pytest.approx([scored[at]["reward"] for at in texts])
        assert ground_truth.is_ours(named[0]) and ground_truth.is_ours(json.dumps(named[0]))


def test_trl_takes_the_batch_and_ranks_a_group_of_programs(scored):
    rewarded = RewardFunction("reward")([""] * len(ROWS), TEXTS, ground_truth=TRUTHS)
    assert rewarded == pytest.approx([row["reward"] for row in scored])
    mine = [TEXTS[at] for at in PROGRAMS]
    river = GroupAdvantage("river", num_generations=4)(["p"] * 4, mine, ground_truth=[TRUTHS[at] for at in PROGRAMS])
    theirs = optgap.score([ROWS[at] for at in PROGRAMS], isolation="auto", advantage="river", device="cpu")
    assert river == pytest.approx([row["advantage"] for row in theirs], abs=1e-6)
    assert len(set(river)) == 3, "the two that are invalid are equal, and the greedy one beats the floor"


def test_one_by_one_is_the_same_and_each_has_a_ticket(scored):
    async def all_of_them():
        return await asyncio.gather(*(evaluate_one(TEXTS[at], TRUTHS[at]) for at in PROGRAMS * 3))

    by = runner.scheduler(ground_truth.threads(), ground_truth.budget())
    before = by.statistics()["tickets"]["scored"]
    found = asyncio.run(all_of_them())
    assert [each.rows[0]["score"] for each in found] == pytest.approx([scored[at]["reward"] for at in PROGRAMS * 3])
    said = by.statistics()
    assert said["tickets"]["scored"] == before + 3 * len(PROGRAMS) and said["tickets"]["open"] == 0
    assert said["programs"]["slots"] == runner.runner(ground_truth.threads()).slots


def test_groups_of_other_sizes_are_ranked_side_by_side(scored):
    longer = json.dumps({**TOUR, "key": "tsp@1:train:easy:1*3"})
    truths = [json.dumps(TOUR)] * 4 + [longer] * 4 + [TRUTHS[0]] * 4
    texts = [FLOOR, TEXTS[4], "none", FLOOR] * 2 + [TEXTS[0], TEXTS[5], "x", TEXTS[0]]
    groups = [0] * 4 + [1] * 4 + [2] * 4
    together = advantages(evaluate(texts, truths), groups, "river")
    apart = [advantages(evaluate(texts[at : at + 4], truths[at : at + 4]), [0] * 4, "river") for at in (0, 4, 8)]
    assert together == apart[0] + apart[1] + apart[2]
    with pytest.raises(optgap.Error, match="rows 0 and 4 of one group have 2 and 3 instances: they cannot be ranked"):
        advantages(evaluate(texts, truths), [0] * 8 + [1] * 4, "river")
    assert len(advantages(evaluate(texts, truths), [0] * 8 + [1] * 4, "grpo")) == 12, "means do not rank"


ESTIMATORS = (
    "grpo",
    "rloo",
    "dr_grpo",
    "gdpo",
    "river",
    "instance_norm",
    '{"estimator": "decoupled", "weights": {"optimal": 1, "feasible": 1}}',
)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_advantages_are_those_of_score_for_every_estimator(estimator):
    key = "tsp@1:train:easy:1"
    tours = [[*range(16)], [0, 4, 2, 15, 5, 9, 12, 8, 7, 1, 10, 3, 6, 13, 11, 14], [0, 1], [*range(15, -1, -1)]]
    texts = [f"<think>hm</think><answer>{tour}</answer>" for tour in tours] + ["none"]
    cats = {
        name: ROWS[TRUTHS.index(next(one for one in TRUTHS if '"chain"' in one))][name] for name in ("prompt", "chain")
    }
    given = [({"key": key}, text, "tours") for text in texts] + [
        (cats, text, "cats") for text in ("a cat", "a dog", "", "the cat sat", "cat")
    ]
    found = evaluate([text for _, text, _ in given], [json.dumps(truth) for truth, _, _ in given])
    ours = advantages(found, [group for _, _, group in given], estimator)
    theirs = optgap.score(
        [{**truth, "completion": text, "group": group} for truth, text, group in given],
        advantage=estimator,
        device="cpu",
    )
    assert [row.get("error") for row in theirs] == [None] * len(theirs)
    assert ours == [float(np.float32(row["advantage"])) for row in theirs]
    assert len(set(ours[:5])) > 1


def test_a_wrong_ground_truth_is_a_row_that_names_the_field(scored, caplog, monkeypatch):
    monkeypatch.setattr(adapter_rows, "_warned", set())
    wrong = {
        "language": {**TOUR, "language": "rust"}, "key": {**TOUR, "key": "tsp@1:train:easy:1*0"},
        "limits": {**TOUR, "limits": {"cpu_ms": 0}}, "isolation": {**TOUR, "isolation": "jail"},
        "format": {**TOUR, "format": "boxed"}, "task": {**TOUR, "key": "nothing@1:train:easy:1*2"},
        "its hash": {**TOUR, "key": "tsp@1:train:easy:1*2#00000000"},
    }  # fmt: skip
    found = evaluate([FLOOR] * (len(wrong) + 1), [*map(json.dumps, wrong.values()), json.dumps(TOUR)])
    assert [row["code"] for row in found.rows] == [NOT_EVALUATED] * len(wrong) + [0]
    assert found.rows[-1]["score"] > 1 and found.tasks[-2] == ""
    said = " ".join(record.getMessage() for record in caplog.records)
    assert [field for field in wrong if field not in said] == []


def test_one_row_is_the_same_in_a_batch_and_as_a_ticket_whose_baselines_are_proven_once(scored):
    truth = json.dumps({**TOUR, "key": "tsp@1:train:easy:77*2"})
    first, second = (evaluate([FLOOR] * 2, [truth] * 2).rows[0] for _ in range(2))
    assert first == second == evaluate([FLOOR], [truth]).rows[0] and first["baseline_kind"] == "proven"
    # One of an event loop is a ticket, with the same row; its scheduler keeps what it has proven.
    assert asyncio.run(evaluate_one(FLOOR, truth)).rows[0] == first
    by = runner.scheduler(ground_truth.threads(), ground_truth.budget())
    before = by.statistics()["baselines"]["solved"]
    other = json.dumps({**TOUR, "key": "tsp@1:train:easy:97*2"})
    assert asyncio.run(evaluate_one(FLOOR, other)).rows == asyncio.run(evaluate_one(FLOOR, other)).rows
    assert by.statistics()["baselines"]["solved"] - before == 2


def test_a_row_that_the_machine_lost_has_no_reward(monkeypatch):
    """The native program's own masks: tests/cli/program_rows_test.py; here is what the adapters make of them."""
    scores = np.array([[math.nan, math.nan], [9, 8], [9, 8], [9, 8], [7, 9]])

    def score_columns(_, problems, texts, **more):
        count = len(texts)
        one, none = np.r_[np.float32(0), np.ones(count - 1, np.float32)], np.zeros(count, np.float32)
        masked, no = np.arange(count) == 0, np.zeros(count, bool)
        return ScoredColumns(
            reward=np.where(masked, np.nan, 1.5).astype(np.float32), format=none + 1, feasible=one, quality=one / 2,
            raw_ratio=none, normalized=none, optimal=none, length_penalty=none, truncated=none, violation=none,
            code=np.where(masked, codes("program")["infrastructure"], 0), objective=np.zeros(count, np.int64), score=none,
            begin=none, end=none, content=none * math.nan, style=none * math.nan, reached=no, proven=~no, maximise=no,
            codes=["ok"] * count, tasks=["tsp"] * count, kinds=["program"] * count, baseline_kinds=["proven"] * count,
            offsets=np.arange(count + 1) * 2, scores=scores[:count].ravel(), errors={},
        )  # fmt: skip

    monkeypatch.setattr(optgap.Scorer, "score_columns", score_columns)
    truths = [json.dumps(TOUR)] * 5
    found = evaluate([FLOOR] * 5, truths)
    assert math.isnan(found.rows[0]["score"]) and found.rows[1]["score"] == 1.5
    assert advantages(found, [0] * 5, "grpo")[0] == 0.0 == advantages(found, [0] * 5, "river")[0]
    assert advantages(found, [0] * 5, "river")[1:] == advantages(
        evaluate([FLOOR] * 4, truths[:4])._replace(
            rows=found.rows[1:], matrix={at: found.matrix[at + 1] for at in range(4)}, tasks=found.tasks[1:]
        ),
        [0] * 4,
        "river",
    )
    assert RewardFunction("reward")([""] * 5, [FLOOR] * 5, ground_truth=truths) == [None, 1.5, 1.5, 1.5, 1.5]
    row = with_a_reward(found.rows[0])
    assert (row["score"], row["code"], with_a_reward(found.rows[1])) == (0.0, NOT_EVALUATED, found.rows[1])


def test_where_nothing_holds_programs_the_run_stops(monkeypatch):
    monkeypatch.setenv("OPTGAP_BROKER", "/nowhere/optgap-broker")
    monkeypatch.setenv("OPTGAP_PROGRAMS", '{"slots": 7}')
    with pytest.raises(optgap.Error, match="/nowhere/optgap-broker") as raised:
        evaluate([FLOOR], [json.dumps(TOUR)])
    assert raised.value.status == "sandbox_unavailable"
    with pytest.raises(optgap.Error, match="no isolation level"):
        asyncio.run(evaluate_one(FLOOR, json.dumps(TOUR)))


def test_settings_are_the_environments_and_wrong_ones_are_refused(monkeypatch):
    seen = []

    def opened(_, engine, isolation, slots, **more):
        seen.append((isolation, slots, engine.device))
        raise optgap.Error("seen")

    monkeypatch.setattr(optgap.ProgramRunner, "__init__", opened)
    settings.configure("jail", 3)
    try:
        with pytest.raises(optgap.Error, match="seen"):
            evaluate([FLOOR], [json.dumps(TOUR)])
        assert seen == [("jail", 3, "cpu")]
        for wrong in ('{"isolation": "none"}', '{"slots": -1}', '{"cores": 1}', "[]", "{"):
            monkeypatch.setenv("OPTGAP_PROGRAMS", wrong)
            with pytest.raises(optgap.Error, match="OPTGAP_PROGRAMS"):
                evaluate([FLOOR], [json.dumps(TOUR)])
    finally:
        monkeypatch.delenv("OPTGAP_PROGRAMS", raising=False)
    with pytest.raises(optgap.Error, match="slots"):
        settings.configure(slots=5000)


def test_codes_have_the_engines_numbers():
    header = (FOLDER.parents[1] / "include/optgap/programs/codes.hpp").read_text(encoding="utf-8")
    named = re.findall(r'"(\w+)"', header[header.index("names[] = {") : header.index("static_assert")])
    first = int(re.search(r"code_program_missing = (\d+),", header)[1])
    assert codes("program") == dict(zip(named, range(first, first + len(named))))
    assert codes()["ok"] == 0 and set(codes("external").values()) < {int(code) for code in external.Code}


def test_a_row_of_programs_is_ours_and_keeps_its_kind():
    assert ground_truth.is_ours(json.dumps(TOUR)) and ground_truth.is_ours(TOUR)
    assert ground_truth.is_ours('{"task": "tsp", "instances": [{}], "language": "cpp"}')
    (known,) = ground_truth.problems([json.dumps(TOUR)])
    assert isinstance(known, ProgramProblem) and (known.maximise, known.data_source) == (
        False,
        "optgap/program/tsp/easy",
    )
    assert not isinstance(ground_truth.problem_of("tsp@1:train:easy:1"), ProgramProblem)
