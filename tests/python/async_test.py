"""Awaited samples: one descriptor per event loop, no thread per item."""

import asyncio
import os
import threading
import time

import numpy as np
import pytest
from completion import complete

import optgap


@pytest.fixture(scope="module")
def texts(engine, instances):
    return [complete(answer) for answer in engine.noisy_greedy(instances, 1, seed=3).tolist()]


@pytest.fixture
def scheduler():
    with optgap.Scheduler(optgap.Engine("cpu", threads=2)) as made:
        yield made


def slow(engine, count):
    """Instances whose proofs take a while."""
    return engine.generate("bisection", level="benchmark", count=count)


def test_a_sample_is_the_row_of_score(engine, scheduler, instances, solved, texts):
    wanted = engine.score(instances, texts, solved).records()
    rows = range(len(texts))
    one_row = [optgap.Baselines(*(column[row : row + 1] for column in solved.arrays())) for row in rows]
    ways = [
        lambda row: scheduler.score_async(instances.keys[row], texts[row]),
        lambda row: scheduler.score_async(optgap.Key.parse(instances.keys[row]), texts[row].encode()),
        lambda row: scheduler.score_async(instances[row], texts[row], solved.records()[row], format="forge"),
        lambda row: scheduler.score_async(instances[row], texts[row], one_row[row], reward="forge"),
    ]

    async def main(way):
        return await asyncio.gather(*(way(row) for row in rows))

    for way in ways:
        for score, row in zip(asyncio.run(main(way)), wanted):
            named = score._asdict()
            assert (named.pop("outcome"), named.pop("reason")) == ("scored", "") and named.pop("task") >= 0
            assert named == {name: row[name] for name in named} and set(row) - set(named) == {"advantage"}


def test_a_group_is_the_rows_of_score(engine, scheduler, instances, solved):
    group = [complete(answer) for answer in engine.noisy_greedy(instances[3], 4, seed=1).tolist()] + ["nothing"]
    wanted = engine.score(instances[3], group, solved.records()[3:4], advantage="rloo", finish=["stop"] * 5)

    async def main():
        by_key = await scheduler.score_async(instances.keys[3], group, advantage="rloo", finish=["stop"] * 5)
        ticket = int(scheduler.issue_instances(instances[3]).tickets[0])
        return by_key, await scheduler.score_async(ticket, group, advantage="rloo", finish=["stop"] * 5)

    for found in asyncio.run(main()):
        assert found.outcomes == ["scored"] and len(found) == 5
        assert all(getattr(found, name).tobytes() == getattr(wanted, name).tobytes() for name in wanted.columns)
    weighed = {"advantage": "opo", "length": [1, 2, 3, 4, 5]}
    found = asyncio.run(scheduler.score_async(instances.keys[3], group, **weighed))
    assert (found.advantage == engine.score(instances[3], group, solved.records()[3:4], **weighed).advantage).all()


def test_a_users_own_instance(engine, scheduler):
    own = engine.from_json("knapsack", {"capacity": 10, "weights": [5, 4, 6], "values": [10, 40, 30]})
    best = asyncio.run(scheduler.score_async(own, complete([1, 2])))
    assert best.optimal and best.objective == 70 and best.proven


def test_256_callers_start_no_thread(scheduler, instances, texts, engine, solved):
    wanted = engine.score(instances, texts, solved).reward.tolist()
    keys, callers, each = instances.keys, 256, 40

    async def caller(number):
        for k in range(each):
            row = (number + k) % len(texts)
            assert (await scheduler.score_async(keys[row], texts[row])).reward == wanted[row]

    async def main():
        await scheduler.score_async(keys[0], texts[0])
        threads, files = len(os.listdir("/proc/self/task")), len(os.listdir("/proc/self/fd"))
        work = [asyncio.create_task(caller(number)) for number in range(callers)]
        await asyncio.sleep(0.01)
        assert len(os.listdir("/proc/self/task")) <= threads and len(os.listdir("/proc/self/fd")) <= files
        await asyncio.gather(*work)

    asyncio.run(main())
    found = scheduler.statistics()
    assert found["tickets"]["scored"] == callers * each + 1 and found["tickets"]["open"] == 0
    assert found["batches"]["count"] < callers * each, "callers share batches"


def test_an_event_loop_runs_while_baselines_are_proven(engine, scheduler):
    instances = slow(engine, 40)

    async def main():
        work = asyncio.gather(*(scheduler.score_async(instances[row], "x") for row in range(len(instances))))
        ticks, longest, last = 0, 0.0, time.monotonic()
        while not work.done():
            await asyncio.sleep(0.001)
            now = time.monotonic()
            ticks, longest, last = ticks + 1, max(longest, now - last), now
        return ticks, await work

    ticks, scores = asyncio.run(main())
    assert ticks > 5 and all(score.outcome == "scored" for score in scores)


def test_a_cancelled_task_cancels_its_item(engine, scheduler, instances, texts):
    waiting = slow(engine, 100)

    async def main():
        tasks = [asyncio.create_task(scheduler.score_async(waiting[row], "x")) for row in range(len(waiting))]
        await asyncio.sleep(0.005)
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(scheduler.score_async(slow(engine, 101)[100], "x"), 0)
        return ended, await scheduler.score_async(instances.keys[0], texts[0])

    ended, after = asyncio.run(main())
    assert sum(isinstance(one, asyncio.CancelledError) for one in ended) > 50 and after.outcome == "scored"
    until = time.monotonic() + 60
    while (found := scheduler.statistics())["tickets"]["open"] and time.monotonic() < until:
        time.sleep(0.01)
    assert found["tickets"]["open"] == 0 and found["tickets"]["cancelled"] > 50


def test_a_deadline_is_an_outcome(engine, scheduler, instances, texts):
    async def main():
        late = scheduler.score_async(slow(engine, 1), "x", deadline=0)
        return await asyncio.gather(late, scheduler.score_async(instances.keys[0], texts[0], deadline=60))

    late, early = asyncio.run(main())
    assert late.outcome == "expired" and np.isnan(late.reward) and late.code == -1 and not late.feasible
    assert late.objective is None and early.outcome == "scored"


def test_loops_in_threads_share_a_scheduler(scheduler, instances, texts, engine, solved):
    wanted = engine.score(instances, texts, solved).reward.tolist()
    right = []

    async def main(first):
        rows = [(first + k) % len(texts) for k in range(500)]
        scores = await asyncio.gather(*(scheduler.score_async(instances.keys[row], texts[row]) for row in rows))
        right.append([score.reward for score in scores] == [wanted[row] for row in rows])

    def work(first):
        for _ in range(3):
            asyncio.run(main(first))

    threads = [threading.Thread(target=work, args=(first,)) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert right == [True] * 12 and scheduler.statistics()["tickets"]["open"] == 0


def test_loops_leave_no_descriptor_behind(scheduler, instances, texts):
    asyncio.run(scheduler.score_async(instances.keys[0], texts[0]))
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(50):
        asyncio.run(scheduler.score_async(instances.keys[0], texts[0]))
    assert len(os.listdir("/proc/self/fd")) <= before + 1


def test_a_full_queue_never_blocks_the_loop(engine):
    instances = slow(engine, 40)  # the first two fill the queue until they are proven

    async def main(scheduler):
        ticks, done = 0, asyncio.Event()

        async def tick():
            nonlocal ticks
            while not done.is_set():
                ticks += 1
                await asyncio.sleep(0)

        ticking = asyncio.create_task(tick())
        calls = (scheduler.score_async(instances[row], "x") for row in range(len(instances)))
        found = await asyncio.gather(*calls, return_exceptions=True)
        done.set()
        await ticking
        assert ticks > 1
        return found

    with optgap.Scheduler(engine, queue_rows=2) as waits:
        assert all(score.outcome == "scored" for score in asyncio.run(main(waits)))
        assert waits.statistics()["tickets"]["refused"] > 0
    with optgap.Scheduler(engine, queue_rows=2, when_full="refuse") as refuses:
        found = asyncio.run(main(refuses))
    refused = [one for one in found if isinstance(one, optgap.Error)]
    assert refused and {one.status for one in refused} == {"out_of_memory"}
    assert any(isinstance(one, optgap.Score) for one in found)


def test_shutdown_ends_what_is_awaited(engine):
    scheduler = optgap.Scheduler(engine)
    instances = slow(engine, 200)

    async def main():
        work = asyncio.gather(*(scheduler.score_async(instances[row], "x") for row in range(len(instances))))
        await asyncio.sleep(0.005)
        await asyncio.to_thread(scheduler.shutdown, drain=False)
        return await work

    assert {score.outcome for score in asyncio.run(main())} <= {"scored", "cancelled"}


def test_misuse_is_raised_to_the_caller(engine, scheduler, instances, solved):
    issued = scheduler.issue("tsp")
    ticket = int(issued.tickets[0])
    for call, field in (
        (lambda: scheduler.score_async("tsp", "x"), "key"),
        (lambda: scheduler.score_async("tsp@1:train:easy:1#00000000", "x"), "key"),
        (lambda: scheduler.score_async(instances, "x"), "of"),
        (lambda: scheduler.score_async(None, "x"), "of"),
        (lambda: scheduler.score_async(12345, "x"), "tickets"),
        (lambda: scheduler.score_async(ticket, "x", solved.records()[0]), "baseline"),
        (lambda: scheduler.score_async(instances.keys[0], "x", {"objective": "7"}), "baselines"),
        (lambda: scheduler.score_async(instances.keys[0], 7), "texts"),
        (lambda: scheduler.score_async(instances.keys[0], [7]), "texts"),
        (lambda: scheduler.score_async(instances.keys[0], "x", finish="eos"), "finish"),
        (lambda: scheduler.score_async(instances.keys[0], "x", deadline="soon"), "deadline"),
    ):
        with pytest.raises(optgap.Error) as caught:
            asyncio.run(call())
        assert caught.value.field == field, caught.value
    with pytest.raises(optgap.Error, match="reward"):
        asyncio.run(scheduler.score_async(instances.keys[0], "x", reward={"shape": "more"}))
