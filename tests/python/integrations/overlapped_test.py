"""The process's scheduler behind the adapters: proofs while the model decodes, and the same rows in both forms."""

import asyncio
import json
import multiprocessing
import random
import time

import pytest
from hostile import HOSTILE

import optgap
from optgap.trainers.common import ground_truth, overlapped
from optgap.trainers.common.evaluation import evaluate, evaluate_one

SLOW = ("bisection", "d40", 3)
"""Its proof takes 0.3 s or more; those of other instances here take less than a millisecond."""


@pytest.fixture(autouse=True)
def fresh_process():
    """Nothing is issued or known."""
    ground_truth.configure()
    yield
    ground_truth.configure()


def counted(part):
    return overlapped.scheduler().statistics()[part]


def bare(key, **others):
    return json.dumps({"key": key, **others})


def _truths(engine, instances):
    """Everything that a row may hold, of one instance each."""
    solved = engine.solve(instances)
    for key, record, text in zip(instances.keys, solved.records(), instances.json):
        partial = {name: record[name] for name in ("objective", "bound", "proven")}
        yield from (
            key,
            bare(key),
            bare(key, format="answer_only"),
            bare(key, baseline=record),
            bare(key, baseline=partial),
            bare(key, baseline={**partial, "proven": False, "floor": record["floor"]}),
            bare(key, baseline={"objective": None}),
            json.dumps({"task": key.split("@")[0], "instance": json.loads(text)}),
            json.dumps({"task": key.split("@")[0], "instance": json.loads(text), "baseline": record}),
            key[:-1] + "x",
        )


REWARDS = (
    "forge",
    "binary",
    {"shape": "normalized", "from": "floor"},
    {"shape": "normalized", "from": "greedy", "range": [0, 1]},
    {"infeasible": "graded", "truncated": "zero"},
    {"truncated": "exclude", "proven_bonus": 0.5},
    {"length": {"limit": 40, "buffer": 20, "factor": 1.0}},
)


def test_rows_one_by_one_are_byte_for_byte_those_of_a_batch(engine):
    draw = random.Random(7)
    instances = engine.generate("all", "easy", 2, seed=11)
    answers = engine.solve(instances).answers.tolist(), engine.greedy(instances).tolist()
    texts = [f"<think>hm</think><answer>{json.dumps(answer)}</answer>" for kind in answers for answer in kind]
    texts += [text + "<|im_end|>" for text in texts[:8]] + [text[:-12] for text in texts[8:16]] + [*HOSTILE, 17, None]
    truths = [*_truths(engine, instances), "unreadable", None, 3]
    per_instance = len(list(_truths(engine, instances[:1])))
    rows = []
    for at, truth in enumerate(truths):
        own = at // per_instance % len(instances)
        mine = [texts[own], texts[len(instances) + own]]
        rows += [(text, truth, draw.choice(["stop", "length", "abort", "unknown", "odd"]), draw.randrange(60))
                 for text in (*mine, draw.choice(texts))]  # fmt: skip
    draw.shuffle(rows)

    async def one_by_one(reward):
        return await asyncio.gather(*(
            evaluate_one(text, truth, finish=how, length=tokens if "length" in reward else None, reward=reward)
            for text, truth, how, tokens in rows
        ))  # fmt: skip

    for reward in REWARDS:
        ground_truth.configure()
        single = asyncio.run(one_by_one(reward))
        ground_truth.configure()
        columns = [list(column) for column in zip(*rows)]
        lengths = columns[3] if "length" in reward else None
        batch = evaluate(*columns[:2], finish=columns[2], lengths=lengths, reward=reward)
        assert len({row["code"] for row in batch.rows}) > 5 and any(batch.optimal)
        # repr tells 1 from 1.0 and True, NaN from 0, and the order of the keys.
        assert [repr(found.rows[0]) for found in single] == list(map(repr, batch.rows)), reward
        assert [found.objective[0] for found in single] == batch.objective
        assert [found.optimal[0] for found in single] == batch.optimal
        assert [found.tasks[0] for found in single] == batch.tasks
        assert [found.maximise[0] for found in single] == batch.maximise


def test_what_was_issued_is_proven_before_its_completions_come(engine, rows):
    prompts, keys = overlapped.issue(["tsp"] * 2 + ["knapsack"] * 2, ["easy"] * 4, [5, 6, 5, 6])
    assert keys == rows.keys and prompts == engine.prompts(engine.instances(keys))
    assert overlapped.issue("tsp", "easy", 5) == (prompts[0], keys[0])
    until = time.monotonic() + 10
    while counted("baselines")["solved"] < 4 and time.monotonic() < until:
        time.sleep(0.001)
    found = evaluate(rows.greedy[:3], [bare(key, format="forge") for key in keys[:3]]).rows
    assert found == evaluate(rows.greedy[:3], rows.ground_truths[:3]).rows
    (last,) = asyncio.run(evaluate_one(rows.greedy[3], keys[3])).rows
    assert last == evaluate(rows.greedy[3:], rows.ground_truths[3:]).rows[0]
    assert counted("baselines")["solved"] == 4
    assert counted("tickets")["open"] == 0


def test_completions_that_never_come_leave_nothing(monkeypatch):
    monkeypatch.setattr(overlapped, "OPEN", 8)
    for first in range(0, 64, 4):
        overlapped.issue(["tsp"] * 4, ["easy"] * 4, range(first, first + 4))
        assert counted("tickets")["open"] <= 8
    _, key = overlapped.issue("tsp", "easy", 0)  # forgotten, and asked for again
    overlapped.issue(["tsp"] * 3, ["easy"] * 3, [0, 0, 0])
    assert counted("tickets")["open"] == 8
    assert evaluate(["x"], [key]).rows[0]["code"] > 0


def test_keys_of_a_run_that_is_gone_are_proven_again(rows):
    overlapped.issue_keys(rows.keys)
    assert counted("tickets")["issued"] == 4
    assert evaluate(rows.greedy, rows.keys).rows == evaluate(rows.greedy, rows.ground_truths).rows
    assert counted("tickets") == {**counted("tickets"), "issued": 4, "open": 0}


def test_a_prompt_is_in_the_format_split_and_style_that_are_asked_for(engine):
    prompt, key = overlapped.issue("tsp", "d2", 7, "boxed", 1, "val")
    instance = engine.generate("tsp", "d2", 1, 7, "val", 1)
    assert key == instance.keys[0] and prompt == engine.prompts(instance, "boxed")[0]
    for wrong in (("nothing", "easy", 1), ("tsp", "nothing", 1), ("tsp", "easy", 1, "nothing"),
                  ("tsp", "easy", 1, "forge", 0, "nothing")):  # fmt: skip
        with pytest.raises(optgap.Error, match="nothing"):
            overlapped.issue(*wrong)
    assert overlapped.issue([], [], []) == ([], [])


def test_one_proof_holds_no_other_sample_back(rows):
    _, slow = overlapped.issue(*SLOW)
    ended = []

    async def one(name, text, truth):
        found = await evaluate_one(text, truth)
        ended.append(name)
        return found.rows[0]["score"]

    async def main():
        waiting = asyncio.ensure_future(one("slow", "x", slow))
        await asyncio.sleep(0)
        quick = await asyncio.gather(*(one("quick", *pair) for pair in zip(rows.optimal * 8, rows.ground_truths * 8)))
        fresh = await asyncio.gather(*(one("fresh", *pair) for pair in zip(rows.optimal, rows.keys)))
        return quick + fresh, await waiting

    assert asyncio.run(main())[0] == [2.0] * 36
    assert ended[-1] == "slow" and ended.count("fresh") == 4


def test_a_cancelled_sample_leaves_nothing_and_harms_none(rows):
    key = optgap.Engine("cpu", 1).generate(*SLOW[:2], 1, SLOW[2]).keys[0]

    async def main():
        first = asyncio.ensure_future(evaluate_one("x", key))
        second = asyncio.ensure_future(evaluate_one(rows.optimal[0], rows.ground_truths[0]))
        await asyncio.sleep(0)
        first.cancel()
        return await asyncio.gather(first, second, return_exceptions=True)

    first, second = asyncio.run(main())
    assert isinstance(first, asyncio.CancelledError) and second.rows[0]["score"] == 2.0
    assert counted("tickets")["open"] == 0


def test_samples_that_cannot_be_scored_say_why_and_the_next_ones_are(rows):
    async def main():
        known = overlapped.scheduler()
        waiting = [asyncio.ensure_future(evaluate_one("x", overlapped.issue(*SLOW)[1])) for _ in range(3)]
        await asyncio.sleep(0)
        known.shutdown(drain=False)
        return await asyncio.gather(*waiting, return_exceptions=True)

    found = asyncio.run(main())
    assert [type(each) for each in found] == [optgap.Error] * 3 and "cancelled" in str(found[0])
    ground_truth.configure()
    assert evaluate(rows.optimal, rows.keys).rows[0]["score"] == 2.0


def test_the_budget_is_that_of_the_settings(rows):
    key = optgap.Engine("cpu", 1).generate("bisection", "benchmark", 1, 3).keys[0]
    ground_truth.configure(budget=0)
    assert evaluate(["x"], [key]).rows[0]["baseline_kind"] == "bounded"
    ground_truth.configure()
    assert evaluate(["x"], [key]).rows[0]["baseline_kind"] == "proven"


def test_the_nodes_daemon_is_asked_where_the_environment_names_it(rows, monkeypatch, tmp_path):
    assert ground_truth.engine().server_status()["state"] == "off"
    monkeypatch.setenv("OPTGAP_SERVER", str(tmp_path / "serve.sock"))  # nobody listens: computed at home, the same rows
    ground_truth.configure()
    assert evaluate(rows.greedy, rows.keys).rows == evaluate(rows.greedy, rows.ground_truths).rows
    assert ground_truth.engine().server_status()["path"] == str(tmp_path / "serve.sock")
    for off in ("off", ""):
        monkeypatch.setenv("OPTGAP_SERVER", off)
        ground_truth.configure()
        assert ground_truth.engine().server_status()["state"] == "off"


def _in_child(rows, queue):
    _, key = overlapped.issue("tsp", "easy", 5)
    one = asyncio.run(evaluate_one(rows.greedy[0], key)).rows
    queue.put(one + evaluate(rows.greedy[1:], rows.keys[1:]).rows)


def test_a_forked_child_has_a_scheduler_of_its_own(rows):
    before = evaluate(rows.greedy, rows.keys).rows
    overlapped.issue("tsp", "easy", 9)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    with overlapped._process.lock:  # as another thread might hold it
        child = context.Process(target=_in_child, args=(rows, queue))
        child.start()
    assert queue.get(timeout=60) == before
    child.join(60)
    assert child.exitcode == 0 and counted("tickets")["open"] == 1
