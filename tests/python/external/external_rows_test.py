"""External problems as rows: what they are, what they earn, and beside whom."""

import asyncio
import json
import math
import pathlib
import re

import numpy as np
import pytest

import optgap
import optgap.rows.external as external
from optgap.rows.external.settings import from_environment
from optgap.trainers.common.evaluation import NOT_EVALUATED, advantages, evaluate, evaluate_one, metrics

TASKS = {"mine/toy": "toys:Toy", "mine/cheap": "toys:Cheapest", "mine/large": "toys:Largest",
         "mine/fragile": "toys:Fragile", "mine/lost": "toys:unloadable", "mine/none": "no_such_module:Toy",
         "pack/*": "toys:packed"}  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def configured():
    external.configure(tasks=TASKS, trusted=True)
    yield
    external.configure()


def toy_rows(count, level="d3", **more):
    return external.rows("mine/toy", [level] * count, list(range(count)), **more)


def problem_of(row):
    return json.loads(row.ground_truth)["problem"]


def gold(row):
    return sum(problem_of(row)["numbers"])


def wrap(answer):
    return f"<think>so</think><answer>{answer}</answer>"


def test_a_row_has_the_prompt_the_format_and_the_problem():
    (row,) = toy_rows(1)
    record = json.loads(row.ground_truth)
    assert row.data_source == "optgap/mine/toy/d3" and set(record) == {"key", "problem", "format"}
    assert record["key"].startswith("mine/toy@1:train:d3:0#") and len(record["problem"]["numbers"]) == 5
    assert row.prompt.startswith(f"Add {record['problem']['numbers']}.\n\n") and "<answer>N</answer>" in row.prompt
    assert toy_rows(1) == [row]
    assert "\\boxed{N}" in toy_rows(1, format="boxed")[0].prompt
    others = [toy_rows(1, split=split)[0] for split in ("val", "test")]
    assert len({gold(one) for one in (row, *others)}) == 3
    assert json.loads(others[0].ground_truth)["key"].startswith("mine/toy@1:val:d3:0#")


def test_rewards_are_the_engines_over_the_environments_verdict():
    rows = toy_rows(1) * 4
    completions = [wrap(gold(rows[0])), wrap(gold(rows[0]) + 1), wrap(gold(rows[0]) + 50), str(gold(rows[0]))]
    truths = [row.ground_truth for row in rows]
    wanted = {  # right, near, wrong, right without the format
        "forge": [2, 1.5, -0.5, -2.5],
        "binary": [1, 0, 0, 0],
        '{"shape": "power", "exponent": 2}': [1, 0.25, -0.5, -1],
        '{"shape": "threshold", "steps": [[0.5, 0.25], [1, 1]]}': [1, 0.25, 0, 0],
        '{"shape": "normalized"}': [2, 1.5, -0.5, -2.5],
        '{"grid": 1, "shape": "forge"}': [2, 2, 0, -2],
    }
    for reward, scores in wanted.items():
        found = evaluate(completions, truths, reward=reward).rows
        assert [row["score"] for row in found] == scores, reward
        assert [row["acc"] for row in found] == [1, 0, 0, 0] and [row["feasible"] for row in found] == [1, 1, 0, 0]
        assert [row["quality"] for row in found] == [1, 0.5, 0, 0] and [row["format"] for row in found] == [1, 1, 1, 0]
        assert {row["baseline_kind"] for row in found} == {"external"}
        assert [row["code"] for row in found] == [0, 0, external.Code.WRONG, 1]
    long = {"length": {"limit": 10, "buffer": 1}}
    assert [row["score"] for row in evaluate(completions, truths, reward=long, lengths=[9, 10, 9, 9]).rows][:2] == [
        2,
        0.5,
    ]
    with pytest.raises(optgap.Error, match="length"):
        evaluate(completions, truths, reward=long)


@pytest.mark.parametrize("style, text", [("forge", wrap("{}")), ("answer_only", "<answer> {}\n</answer>"),
                                         ("boxed", "so \\boxed{{{}}}"), ("answer_only", "ä€ <answer>{}</answer>")])  # fmt: skip
def test_the_answer_is_found_by_the_rows_format(style, text):
    (row,) = toy_rows(1, format=style)
    found = evaluate([text.format(gold(row)), text.format("x"), "none"], [row.ground_truth] * 3).rows
    assert [one["acc"] for one in found] == [1, 0, 0] and [one["format"] for one in found] == [1, 1, 0]


def test_a_cut_off_text_is_truncated_as_one_of_ours():
    (row,) = toy_rows(1)
    key = "tsp@1:train:easy:1"
    for reward in ("forge", '{"truncated": "zero"}', '{"truncated": "exclude"}'):
        texts, finish = ["<think>so", "<think>so"], ["length", "length"]
        theirs, ours = evaluate(texts, [row.ground_truth, key], finish=finish, reward=reward).rows
        assert theirs["code"] == ours["code"] and theirs["truncated"] == ours["truncated"] == 1
        assert theirs["score"] == ours["score"] or math.isnan(theirs["score"]) and math.isnan(ours["score"])


def test_rows_of_all_kinds_stand_in_one_batch_and_are_what_they_are_alone():
    (row,) = toy_rows(1)
    truths = ["tsp@1:train:easy:1", row.ground_truth, "nonsense", row.ground_truth, "knapsack@1:train:easy:2"]
    texts = [wrap("[0, 1, 2]"), wrap(gold(row)), wrap("[1]"), wrap(gold(row) + 2), wrap("[0]")]
    together = evaluate(texts, truths)
    alone = [evaluate([text], [truth]).rows[0] for text, truth in zip(texts, truths)]
    assert together.rows == alone and together.rows[2]["code"] == NOT_EVALUATED
    assert [one["baseline_kind"] for one in together.rows] == ["proven", "external", "unknown", "external", "proven"]
    found = metrics(together.rows)
    assert found["optgap/mine/toy/qr"] == 0.75 and found["optgap/mine/toy/level"] == 3 and "optgap/tsp/sr" in found
    assert advantages(together, [0, 1, 2, 1, 3], "dr_grpo") == pytest.approx([0, 0.25, 0, -0.25, 0])
    assert np.isfinite(advantages(together, [0, 1, 2, 1, 3], "gdpo")).all()


def test_objectives_are_measured_against_the_environments_anchors():
    (inexpensive,), (large,) = (external.rows(name, ["d0"], [5]) for name in ("mine/cheap", "mine/large"))
    best = problem_of(inexpensive)["best"]
    found = evaluate(
        [wrap(best), wrap(2 * best), wrap(best - 1)], [inexpensive.ground_truth] * 3, reward={"shape": "normalized"}
    )
    assert [row["quality"] for row in found.rows] == [1, 0.5, 1] and [row["acc"] for row in found.rows] == [1, 0, 1]
    assert [row["score"] for row in found.rows] == [2, 1, 2]
    assert found.objective == [-best, -2 * best, 1 - best]  # more is better
    best = problem_of(large)["best"]
    found = evaluate([wrap(best), wrap(0), wrap(10**30)], [large.ground_truth] * 3)
    assert [row["code"] for row in found.rows] == [0, external.Code.WRONG, external.Code.VERDICT]


def test_a_ground_truth_that_does_not_fit_is_a_row():
    (row,) = toy_rows(1)
    record = json.loads(row.ground_truth)
    moved = {**record, "problem": {"numbers": [1, 2]}}
    bare = {"key": record["key"]}
    unknown = {**record, "key": record["key"].replace("mine/toy", "mine/other")}
    older = {**record, "key": record["key"].replace("@1:", "@0:")}
    text = wrap(gold(row))
    found = evaluate([text] * 5, [json.dumps(one) for one in (record, moved, bare, unknown, older)]).rows
    assert [one["code"] for one in found] == [0, NOT_EVALUATED, NOT_EVALUATED, external.Code.ERROR, external.Code.ERROR]
    assert found[3]["score"] == found[4]["score"] == -0.5


def test_what_an_environment_cannot_make_is_named_or_left_out(caplog):
    with pytest.raises(optgap.Error, match="mine/fragile@1:train:d2:.* was not generated.*no such problem"):
        external.rows("mine/fragile", ["d2"] * 9, range(9))
    made = external.rows_or_none("mine/fragile", ["d2"] * 9, range(9))
    assert 0 < sum(one is None for one in made) < 9 and "no such problem" in caplog.text
    for name, why in (("mine/lost", "its data are missing"), ("mine/none", "No module named 'no_such_module'")):
        with pytest.raises(optgap.Error, match=why):
            external.rows(name, ["d0"], [0])


def test_a_star_stands_for_a_packages_environments():
    adding, coins = external.rows(["pack/adding", "pack/coins"], ["d0", "d0"], [1, 1])
    assert adding.prompt.startswith("Add ") and coins.data_source == "optgap/pack/coins/d0"
    with pytest.raises(optgap.Error, match="KeyError: 'cards'"):
        external.rows("pack/cards", ["d0"], [1])


def test_wrong_arguments_are_refused_by_name(monkeypatch):
    with pytest.raises(optgap.Error, match="'mine/other' is no environment that was named; known are .*mine/toy.*rg/"):
        external.rows("mine/other", ["d0"], [0])
    with pytest.raises(optgap.Error, match="level: is 'hard'"):
        external.rows("mine/toy", ["hard"], [0])
    with pytest.raises(optgap.Error, match="split"):
        external.rows("mine/toy", ["d0"], [0], split="dev")
    with pytest.raises(optgap.Error, match="seed"):
        external.rows("mine/toy", ["d0"], [2**64])
    for wrong in ({"tasks": {"toy": "toys:Toy"}}, {"tasks": {"mine/toy": "toys"}}, {"workers": 0}, {"trusted": 1},
                  {"memory_mib": True}, {"verify_seconds": 0}, {"sandbox": "yes"}, {"isolation": "none"}, {"isolation": "wasm"},
                  {"isolation": "jail", "trusted": True}, {"reads": ["data"]}, {"reads": ["/"], "trusted": True}):  # fmt: skip
        field = next(iter(wrong))
        with pytest.raises(optgap.Error, match=f"configure: {field}"):
            external.configure(**wrong)
    monkeypatch.setenv("OPTGAP_EXTERNAL", '{"trust": true}')
    with pytest.raises(optgap.Error, match="OPTGAP_EXTERNAL: trust"):
        from_environment()


def test_codes_have_the_headers_numbers():
    header = (pathlib.Path(__file__).resolve().parents[3] / "include/optgap/external.hpp").read_text(encoding="utf-8")
    names = re.findall(r"^    code_external_(\w+)", header, re.M)
    assert [external.Code[name.upper()] for name in names] == list(range(32, 32 + len(names))) and len(names) == 6


def test_an_event_loop_goes_on_while_an_environment_judges():
    (row,) = toy_rows(1)
    ticks = 0

    async def clock():
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0.001)

    async def run():
        running = asyncio.create_task(clock())
        found = await asyncio.gather(*(evaluate_one(wrap(gold(row) + n % 2), row.ground_truth) for n in range(8)))
        running.cancel()
        return [one.rows[0]["acc"] for one in found]

    assert asyncio.run(run()) == [1, 0] * 4 and ticks > 2


def test_a_curriculum_climbs_by_what_an_environment_says():
    plan = optgap.Curriculum({"policy": "window"}, ["mine/toy", "tsp"], seed=3)
    start = max(int(level[1:]) for level in plan.draws(64).level)
    for _ in range(3):
        draws = plan.draws(64)
        mine = [row for row, name in enumerate(draws.task) if name == "mine/toy"]
        rows = external.rows("mine/toy", [draws.level[row] for row in mine], [int(draws.seed[row]) for row in mine])
        texts = [wrap(gold(row)) for row in rows for _ in range(8)]
        found = evaluate(texts, [row.ground_truth for row in rows for _ in range(8)])
        plan.observe_rows(
            ["mine/toy"] * len(texts),
            [row["data_source"].rpartition("/")[2] for row in found.rows],
            [number // 8 for number in range(len(texts))],
            [row["feasible"] > 0 for row in found.rows],
            [row["quality"] for row in found.rows],
        )
        plan.merge(plan.delta())
        plan.step()
    draws = plan.draws(64)
    assert max(int(level[1:]) for name, level in zip(draws.task, draws.level) if name == "mine/toy") > start
    assert all(level == "d0" for name, level in zip(draws.task, draws.level) if name == "tsp")
