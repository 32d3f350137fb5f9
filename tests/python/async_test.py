"""Awaited samples: one descriptor per event loop, no thread per item."""

import asyncio
import concurrent.futures
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


def test_a_problem_is_read_once_and_sent_often(engine, scheduler, instances, solved, texts):
    wanted = engine.score(instances, texts, solved).reward.tolist()
    own = engine.from_json("knapsack", {"capacity": 10, "weights": [5, 4, 6], "values": [10, 40, 30]})
    weak = {"objective": 140, "bound": 140, "proven": True}
    problems = {
        instances.keys[0]: scheduler.problem(instances.keys[0]),
        instances.keys[1]: scheduler.problem(instances.keys[1], solved.records()[1]),
        instances.keys[2]: scheduler.problem(instances[2], optgap.Baselines(*(c[2:3] for c in solved.arrays()))),
    }
    assert scheduler.problem(instances.keys[0]) is problems[instances.keys[0]]

    async def main():
        rows = [(row, problem) for row, problem in enumerate(problems.values()) for _ in range(20)]
        found = await asyncio.gather(*(scheduler.score_async(problem, texts[row]) for row, problem in rows))
        assert [score.reward for score in found] == [wanted[row] for row, _ in rows]
        group = await scheduler.score_async(problems[instances.keys[1]], [texts[1], "nothing"])
        assert group.reward[0] == wanted[1] and not group.feasible[1]
        answer = complete([1, 2])
        best = await scheduler.score_async(scheduler.problem(own), answer)
        half = await scheduler.score_async(scheduler.problem(own, weak), answer)
        assert best.quality == 1 and half.quality == 0.5

    asyncio.run(main())


def test_samples_of_one_turn_of_the_loop_share_a_batch(scheduler, instances, texts):
    async def main():
        rows = range(len(texts))
        await asyncio.gather(*(scheduler.score_async(instances.keys[row], texts[row]) for row in rows))
        before = scheduler.statistics()["batches"]["count"]
        many = [row % len(texts) for row in range(256)]
        await asyncio.gather(*(scheduler.score_async(instances.keys[row], texts[row]) for row in many))
        return scheduler.statistics()["batches"]["count"] - before

    assert min(asyncio.run(main()) for _ in range(3)) <= 32  # a handful; one for each or two without


def test_a_sample_that_is_alone_is_scored_by_its_loop(engine, scheduler, instances, solved, texts):
    wanted = engine.score(instances, texts, solved).reward.tolist()

    async def main(rounds):
        for _ in range(rounds):
            for row, key in enumerate(instances.keys):
                assert (await scheduler.score_async(key, texts[row])).reward == wanted[row]

    asyncio.run(main(1))  # proves them
    before = scheduler.statistics()["batches"]
    asyncio.run(main(5))
    after = scheduler.statistics()["batches"]
    alone = after["by_callers"] - before["by_callers"]
    assert after["count"] - before["count"] == 5 * len(texts) and alone > 4 * len(texts)  # the first may find it awake


def test_others_are_not_kept_waiting_by_one_that_is_alone(engine, scheduler, instances, solved, texts):
    """Two loops score their own samples, while a thread submits groups to the same scheduler."""
    wanted = engine.score(instances, texts, solved).reward.tolist()
    failures = []

    async def alone():
        for k in range(2000):
            row = k % len(texts)
            if (await scheduler.score_async(instances.keys[row], texts[row])).reward != wanted[row]:
                failures.append(row)

    def groups():
        for row in range(len(texts)):
            tickets = scheduler.issue_instances(instances[row]).tickets
            scheduler.submit(tickets, [texts[row]] * 4)
            found = scheduler.collect(tickets, 60)
            failures.extend(row for reward in found.reward.tolist() if reward != wanted[row])

    threads = [threading.Thread(target=work) for work in (groups, lambda: asyncio.run(alone()))]
    for thread in threads:
        thread.start()
    asyncio.run(asyncio.wait_for(alone(), 120))
    for thread in threads:
        thread.join()
    assert not failures and scheduler.statistics()["tickets"]["open"] == 0


def test_a_length_penalty_reads_the_tokens_of_one(engine, scheduler, instances, solved, texts):
    reward = {"shape": "forge", "length": {"limit": 100, "buffer": 50, "factor": 1}}
    wanted = engine.score(instances[:1], texts[:1], solved.records()[:1], reward=reward, length=[80])
    found = asyncio.run(scheduler.score_async(instances.keys[0], texts[0], reward=reward, length=80))
    assert found.length_penalty == wanted.length_penalty[0] < 0 and found.reward == wanted.reward[0]
    group = asyncio.run(scheduler.score_async(instances.keys[0], texts[:1] * 2, reward=reward, length=[80, 10]))
    assert group.length_penalty.tolist() == [found.length_penalty, 0]
    for length in (None, "80", -1, 2**31):
        with pytest.raises(optgap.Error, match="length"):
            asyncio.run(scheduler.score_async(instances.keys[0], texts[0], reward=reward, length=length))


@pytest.mark.alone
def test_an_awaited_sample_costs_little(scheduler, instances, texts):
    """A sample costs less CPU time, of all threads, than one call of nothing in a thread of Python's own pool, which a reward
    function that awaits would otherwise reward. bench/python/single_samples.py has the figures."""

    keys = instances.keys  # a list that is made each time

    async def hop(samples=2000):
        loop = asyncio.get_running_loop()
        began = time.process_time()
        for _ in range(samples):
            await loop.run_in_executor(pool, int)
        return (time.process_time() - began) / samples * 1e6

    async def spent(callers, samples=2000):
        async def caller(number):
            for k in range(number, samples, callers):
                await scheduler.score_async(keys[k % len(texts)], texts[k % len(texts)], finish="stop")

        began = time.process_time()
        await asyncio.gather(*(caller(number) for number in range(callers)))
        return (time.process_time() - began) / samples * 1e6

    least = {callers: min(asyncio.run(spent(callers)) for _ in range(5)) for callers in (1, 16, 256)}
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        one_hop = min(asyncio.run(hop()) for _ in range(5))
    assert max(least.values()) <= one_hop, least


def test_texts_that_python_lets_go_of_are_scored_as_they_were(engine, scheduler):
    """One that has to be written as UTF-8 is not copied, one that need not is: neither needs its object while it waits."""
    instance = slow(engine, 3)[2]

    def text(thought):
        return f"<think>{thought * 2000}</think><answer>[0]</answer>"

    thoughts = ["a", "\xe4", "\u6570", "\U0001f98a", "\ud800"]
    wanted = engine.parse([text(thought) for thought in thoughts], "bisection")

    async def main():
        return await asyncio.gather(*(scheduler.score_async(instance, text(thought)) for thought in thoughts))

    found = asyncio.run(main())
    assert [score.begin for score in found] == wanted.begin.tolist() and len({score.code for score in found}) == 1


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


def test_what_found_no_room_at_first_waits_for_nobody_later(engine, instances, texts):
    async def main(scheduler):
        for _ in range(20):
            rows = range(len(texts))
            found = await asyncio.gather(*(scheduler.score_async(instances.keys[row], texts[row]) for row in rows))
            assert all(score.outcome == "scored" for score in found)

    with optgap.Scheduler(engine, queue_rows=2) as scheduler:
        asyncio.run(asyncio.wait_for(main(scheduler), 60))
        assert scheduler.statistics()["tickets"]["refused"] > 0


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
        (lambda: scheduler.score_async(instances, "x"), "instance"),
        (lambda: scheduler.score_async(None, "x"), "problem"),
        (lambda: scheduler.score_async(12345, "x"), "tickets"),
        (lambda: scheduler.score_async(ticket, "x", solved.records()[0]), "baseline"),
        (lambda: scheduler.score_async(scheduler.problem(instances[0]), "x", solved.records()[0]), "baseline"),
        (lambda: scheduler.score_async(scheduler.problem(ticket), "x"), "instance"),
        (lambda: scheduler.score_async(instances.keys[0], bytearray(b"x")), "texts"),
        (lambda: scheduler.score_async(instances.keys[0], memoryview(b"x")), "texts"),
        (lambda: scheduler.score_async(instances.keys[0], np.frombuffer(b"x", np.uint8)), "texts"),
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
