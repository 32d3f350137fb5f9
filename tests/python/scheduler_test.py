"""Tickets: issued, submitted, collected, with the bytes of Engine.score."""

import threading
import time

import numpy as np
import pytest
from completion import complete

import optgap

GROUP = 4


@pytest.fixture
def scheduler():
    with optgap.Scheduler(optgap.Engine("cpu", threads=2)) as made:
        yield made


@pytest.fixture(scope="module")
def instances(engine):
    """Two instances of every task that is asked in prompts."""
    return engine.generate([task.name for task in engine.tasks if task.direct], level="easy", count=2, seed=5)


@pytest.fixture(scope="module")
def solved(engine, instances):
    return engine.solve(instances)


@pytest.fixture(scope="module")
def groups(engine, instances):
    """Four completions per instance, some of them broken."""
    texts = [complete(answer) for answer in engine.noisy_greedy(instances, GROUP, seed=3).tolist()]
    texts[1], texts[6], texts[9] = "no answer", texts[6][:-12], texts[9].replace("see", "größer 🦊 \ud800")
    return texts


def equal_bytes(found, wanted):
    return all(getattr(found, name).tobytes() == getattr(wanted, name).tobytes() for name in wanted.columns)


def test_a_step_has_the_bytes_of_score(engine, scheduler, instances, solved, groups):
    issued = scheduler.issue("all", level="easy", count=2, seed=5)
    assert issued.keys == instances.keys and issued.prompts == engine.prompts(instances)
    finish = ["length" if row % 5 == 0 else "stop" for row in range(len(groups))]
    half = len(issued) // 2
    assert scheduler.submit(issued.tickets[:half], groups[: half * GROUP], finish=finish[: half * GROUP]) == half
    for row in range(half, len(issued)):
        place = slice(row * GROUP, (row + 1) * GROUP)
        assert scheduler.submit(int(issued.tickets[row]), groups[place], finish=finish[place]) == 1
    found = scheduler.collect(issued.tickets, 60)
    wanted = engine.score(instances, groups, solved, finish=finish)
    assert equal_bytes(found, wanted) and equal_bytes(found.baselines, solved)
    assert found.answers.tolist() == wanted.answers.tolist() and (found.beaten == wanted.beaten).all()
    assert found.offsets.tolist() == list(range(0, len(groups) + 1, GROUP))
    assert found.outcomes == ["scored"] * len(issued) and found.codes == wanted.codes


@pytest.mark.parametrize("reward", ["power", {"shape": "normalized", "infeasible": "graded"}])
@pytest.mark.parametrize("advantage", ["dr_grpo", "opo", {"estimator": "river"}], ids=str)
def test_rewards_and_advantages_are_those_of_score(engine, scheduler, instances, solved, groups, reward, advantage):
    issued = scheduler.issue_instances(instances)
    length = np.arange(1, len(groups) + 1)
    scheduler.submit(issued.tickets, groups, reward=reward, length=length)
    found = scheduler.collect(issued.tickets, 60, advantage=advantage)
    wanted = engine.score(instances, groups, solved, reward=reward, advantage=advantage, length=length)
    assert equal_bytes(found, wanted)


def test_big_texts_are_read_where_they_are(engine, scheduler, instances, solved, groups):
    texts = [("x" * 3000 if row % 3 else "ä" * 3000) + text for row, text in enumerate(groups)]
    texts[5] = texts[5].encode("utf-8", "surrogatepass")
    issued = scheduler.issue_instances(instances)
    scheduler.submit(issued.tickets, [text[:0] + text for text in texts])
    assert equal_bytes(scheduler.collect(issued.tickets, 60), engine.score(instances, texts, solved))


def test_texts_are_let_go_with_the_next_call(scheduler):
    class Text(str):
        alive = 0

        def __init__(self, *_):
            Text.alive += 1

        def __del__(self):
            Text.alive -= 1

    for _ in range(3):
        issued = scheduler.issue("tsp", count=2)
        scheduler.submit(issued.tickets, [Text("x" * 100_000), Text("y" * 100_000)])
        scheduler.collect(issued.tickets, 60)
        until = time.monotonic() + 10
        while Text.alive and time.monotonic() < until:
            scheduler.cancel([])
        assert Text.alive == 0


def test_the_issued_format_is_the_one_that_is_read(engine, scheduler, instances, solved):
    issued = scheduler.issue_instances(instances, format="boxed")
    assert issued.prompts == engine.prompts(instances, format="boxed")
    texts = [f"\\boxed{{{answer}}}" for answer in solved.answers.tolist()]
    scheduler.submit(issued.tickets, texts)
    assert (scheduler.collect(issued.tickets, 60).quality == 1).all()


def test_styles_are_those_of_the_instances(engine, scheduler):
    keys = ["tsp@1:train:easy:1:s1", "tsp@1:train:easy:1:s0", "knapsack@1:train:easy:2:s1"]
    made = engine.instances(keys)
    issued = scheduler.issue_instances(made)
    assert issued.keys == made.keys and issued.prompts == engine.prompts(made)


def test_collect_waits_no_longer_than_it_is_told(scheduler, groups):
    issued = scheduler.issue("tsp", count=2)
    scheduler.submit(issued.tickets[:1], groups[:GROUP])
    began = time.monotonic()
    with pytest.raises(TimeoutError, match="2 tickets"):
        scheduler.collect(issued.tickets, 0.2)
    assert 0.2 <= time.monotonic() - began < 5
    later = threading.Timer(0.1, lambda: scheduler.submit(issued.tickets[1:], groups[:GROUP]))
    later.start()
    found = scheduler.collect(issued.tickets, 60)
    assert len(found) == 2 * GROUP and found.outcomes == ["scored"] * 2
    with pytest.raises(optgap.Error, match="handed out"):
        scheduler.collect(issued.tickets, 0)


def test_a_deadline_that_has_passed_is_an_outcome(scheduler, groups):
    issued = scheduler.issue("tsp", count=2)
    scheduler.submit(issued.tickets[0], groups[:2], deadline=0)
    scheduler.submit(issued.tickets[1], complete([0]), deadline=60.0)
    found = scheduler.collect(issued.tickets, 60)
    assert found.outcomes == ["expired", "scored"] and found.offsets.tolist() == [0, 2, 3]
    assert np.isnan(found.reward[:2]).all() and (found.advantage[:2] == 0).all()
    assert found.codes[:2] == ["not_scored"] * 2 and not found.feasible[:2].any()
    assert scheduler.statistics()["tickets"]["expired"] == 1


def test_cancelled_and_forgotten_tickets(scheduler):
    issued = scheduler.issue("tsp", count=3)
    assert scheduler.cancel(issued.tickets[:2]) == 2 and scheduler.cancel(issued.tickets[:2]) == 0
    found = scheduler.collect(issued.tickets[:2], 60)
    assert found.outcomes == ["cancelled"] * 2 and len(found) == 0
    scheduler.forget(issued.tickets)
    with pytest.raises(optgap.Error, match="handed out"):
        scheduler.collect(issued.tickets, 0)
    assert scheduler.statistics()["tickets"]["open"] == 0


def test_a_full_queue_blocks_or_refuses(engine, groups):
    with optgap.Scheduler(engine, queue_rows=GROUP, when_full="refuse", budget=-1) as refusing:
        issued = refusing.issue("tsp", level="benchmark", count=64)
        taken = refusing.submit(issued.tickets, ["x"] * 64 * GROUP)
        assert 1 <= taken <= 64
        while taken < 64:
            taken += refusing.submit(issued.tickets[taken:], ["x"] * (64 - taken) * GROUP)
        assert refusing.collect(issued.tickets, 60).outcomes == ["scored"] * 64
    with optgap.Scheduler(engine, queue_rows=GROUP) as blocking:
        issued = blocking.issue("tsp", count=64)
        assert blocking.submit(issued.tickets, ["x"] * 64 * GROUP) == 64
        assert blocking.collect(issued.tickets, 60).outcomes == ["scored"] * 64


def test_many_threads_submit_and_collect(engine, scheduler, instances, solved, groups):
    wanted = engine.score(instances, groups, solved)
    failed = []

    def work():
        for _ in range(10):
            issued = scheduler.issue_instances(instances)
            scheduler.submit(issued.tickets, groups)
            if not equal_bytes(scheduler.collect(issued.tickets, 60), wanted):
                failed.append(issued)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed and scheduler.statistics()["tickets"]["open"] == 0


def test_shutdown_ends_what_is_open(engine, groups):
    scheduler = optgap.Scheduler(engine)
    issued = scheduler.issue("tsp", count=2)
    scheduler.submit(issued.tickets[:1], groups[:GROUP])
    scheduler.shutdown()
    assert scheduler.collect(issued.tickets, 0).outcomes == ["scored", "cancelled"]
    with pytest.raises(optgap.Error, match="shut down"):
        scheduler.issue("tsp")
    scheduler.shutdown(drain=False)


def test_statistics_count_what_was_done(scheduler, groups):
    issued = scheduler.issue("tsp", count=2)
    scheduler.submit(issued.tickets, groups[: 2 * GROUP])
    scheduler.collect(issued.tickets)
    found = scheduler.statistics()
    assert found["tickets"]["scored"] == 2 and found["rows"]["scored"] == 2 * GROUP and found["queue"]["rows"] == 0
    assert found["stages"]["score"]["count"] >= 1 and found["baselines"]["solved"] == 2


def test_misuse_is_named(engine, scheduler, instances):
    issued = scheduler.issue("tsp", count=2)
    own = engine.from_json("knapsack", {"capacity": 10, "weights": [5], "values": [10]})
    for call, field in (
        (lambda: scheduler.submit(issued.tickets, ["", "", ""]), "completions"),
        (lambda: scheduler.submit([], [""]), "completions"),
        (lambda: scheduler.submit(issued.tickets, ["", 7]), "completions"),
        (lambda: scheduler.submit(issued.tickets, ["", ""], finish=["stop"]), "finish"),
        (lambda: scheduler.submit(issued.tickets, ["", ""], finish=np.int32([0, 9])), "finish"),
        (lambda: scheduler.submit(issued.tickets, ["", ""], length=[1]), "length"),
        (lambda: scheduler.submit(issued.tickets, ["", ""], deadline=-1), "deadline"),
        (lambda: scheduler.submit([7], [""]), "tickets"),
        (lambda: scheduler.submit(["seven"], [""]), "tickets"),
        (lambda: scheduler.collect([7]), "tickets"),
        (lambda: scheduler.collect([issued.tickets[0]] * 2), "tickets"),
        (lambda: scheduler.collect(issued.tickets, timeout=float("nan")), "timeout"),
        (lambda: scheduler.collect(issued.tickets, group=[1]), "group"),
        (lambda: scheduler.issue_instances(own), "instances"),
        (lambda: optgap.Scheduler(engine, window=2000), "window"),
        (lambda: optgap.Scheduler(engine, when_full="drop"), "when_full"),
        (lambda: optgap.Scheduler(engine, batch_rows=0), "batch_rows"),
    ):
        with pytest.raises(optgap.Error) as caught:
            call()
        assert caught.value.field == field
    scheduler.submit(issued.tickets, ["", ""])
    with pytest.raises(optgap.Error, match="has its completions already"):
        scheduler.submit(issued.tickets, ["", ""])
    with pytest.raises(optgap.Error, match="length"):
        scheduler.collect(issued.tickets, 60, advantage="opo")
    assert scheduler.collect(issued.tickets, 60).outcomes == ["scored"] * 2


def test_an_engine_has_a_scheduler_of_its_own(groups):
    engine = optgap.Engine("cpu", threads=1)
    issued = engine.issue("tsp", count=2)
    assert engine.submit(issued.tickets, groups[: 2 * GROUP]) == 2
    assert len(engine.collect(issued.tickets, 60)) == 2 * GROUP
    assert engine.scheduler is engine.scheduler and engine.scheduler.statistics()["tickets"]["issued"] == 2


def test_a_question_ends_with_its_answers_and_the_sums_of_score(engine, scheduler, instances, solved, groups):
    wanted = engine.score(instances, groups, solved)
    posed = [scheduler.pose(instances[row : row + 1], GROUP, solved.records()[row]) for row in range(len(instances))]
    questions = [one.question for one in posed]
    assert not scheduler.has_ended(questions).any()
    with pytest.raises(TimeoutError, match="questions"):
        scheduler.collect_questions(questions[0], 0)
    for row in np.random.default_rng(4).permutation(len(groups)).tolist():
        scheduler.submit(int(posed[row // GROUP].answers[row % GROUP]), groups[row])
    found = scheduler.collect_questions(questions, 60)
    quality = np.floor(np.maximum(wanted.normalized.astype(np.float64), 0) * wanted.feasible * 2**20 + 0.5).astype(
        np.int64
    )
    assert found.outcomes == ["scored"] * len(posed) and found.reasons == [""] * len(posed)
    assert found.rows.tolist() == [GROUP] * len(posed)
    assert found.feasible.tolist() == wanted.feasible.reshape(-1, GROUP).sum(1).tolist()
    assert found.solved.tolist() == wanted.optimal.reshape(-1, GROUP).sum(1).tolist()
    assert found.sum.tolist() == quality.reshape(-1, GROUP).sum(1).tolist()
    assert found.sum_sq.tolist() == (quality**2).reshape(-1, GROUP).sum(1).tolist()
    rows = scheduler.collect(np.concatenate([one.answers for one in posed]), 60)
    assert equal_bytes(rows, wanted)


def test_a_question_that_is_cancelled_or_expires_takes_its_open_answers_along(scheduler, instances):
    cancelled = scheduler.pose(instances.keys[0], 2)
    expired = scheduler.pose(scheduler.problem(instances[1:2]), 3, deadline=0)
    assert scheduler.cancel(cancelled.question) == 1
    found = scheduler.collect_questions([cancelled.question, expired.question], 60)
    assert found.outcomes == ["cancelled", "expired"] and found.rows.tolist() == [0, 0]
    assert scheduler.collect(expired.answers, 60).outcomes == ["expired"] * 3
    other = scheduler.pose(instances.keys[0], 1)
    for wrong, field in ((lambda: scheduler.collect(other.question), "collect_questions takes it"),
                         (lambda: scheduler.collect_questions(other.answers), "of an answer: collect takes it"),
                         (lambda: scheduler.pose(instances.keys[0], 0), "answers"),
                         (lambda: scheduler.submit(other.question, "x"), "a question's")):  # fmt: skip
        with pytest.raises(optgap.Error, match=field):
            wrong()
