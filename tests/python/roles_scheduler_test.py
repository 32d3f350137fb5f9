"""Roles with a scheduler: proposals are checked while texts are written, and the rows are the bytes of direct calls."""

import dataclasses
import json
import random
import time

import pytest
from roles_cases import made, posed, told

import optgap
from optgap import Error, Gates

GROUP = 3
BUDGET = 100_000
SLOW = '<question>{"task": "apples", "level": "benchmark", "seed": %d}</question>'
"""No proof within BUDGET, which takes a second or so."""


@pytest.fixture(scope="module")
def engine():
    return optgap.Engine("cpu", threads=1)


def text_for(asked, seed):
    """A function of the ticket: whoever asks, and whenever."""
    draw = random.Random(f"{seed}:{asked.ticket}")
    if asked.role == "proposer":
        own = draw.random()
        return "nothing" if own < 0.1 else posed(random.Random(seed + int(9 * own)))  # some pose alike
    if asked.role == "judge":
        return f"<score>{draw.randrange(1, 11)}</score>"
    return f"<think>so</think><answer>{[0, *draw.sample(range(1, 5), 4)]}</answer>"


def pieces_of(asked, how, draw):
    """Texts that are submitted together: all; a few in an order of their own, but proposers in that of their tickets."""
    if how == "whole":
        return [asked]
    others = [one for one in asked if one.role != "proposer"]
    draw.shuffle(others)
    mixed = [one for one in asked if one.role == "proposer"]
    for one in others:
        mixed.insert(draw.randrange(len(mixed) + 1), one)
    order = iter(sorted((one for one in mixed if one.role == "proposer"), key=lambda one: one.ticket))
    mixed = [next(order) if one.role == "proposer" else one for one in mixed]
    return [mixed[first : first + 2] for first in range(0, len(mixed), 2)]


def steps_of(roles, seed, how):
    """Three steps in which a fifth of the texts come a step late, and what they reward."""
    draw, first_met, found = random.Random(f"{how}:{seed}"), {}, []
    for number in range(3):
        step = roles.issue(proposals=4, solves=2, group=GROUP, judges=9, questions=1, copies=2)
        while True:
            for one in step.prompts:
                first_met.setdefault(one.ticket, number)
            todo = [one for one in step.prompts if one.ticket % 5 or first_met.get(one.ticket, number) < number]
            if not todo:
                if not step.checking:
                    break
                step.settle()
                continue
            for piece in pieces_of(todo, how, draw):
                step.submit({one.ticket: text_for(one, seed) for one in piece},
                            {one.ticket: ("stop", "length", "unknown")[one.ticket % 3] for one in piece})  # fmt: skip
                if how == "slow":
                    time.sleep(draw.random() * 0.004)
        step.cancel([one.ticket for one in step.prompts if one.role == "solver" and one.ticket % 35 == 0])
        found.append(told(step.collect()))
    return found, roles.pool.hash, roles.state


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("proposer", ["proof", "mae_paper"])
def test_rows_are_the_same_in_any_pieces_and_timing_with_and_without_a_scheduler(engine, tmp_path, seed, proposer):
    found = {}
    for how, threads in (("whole", 0), ("pieces", 0), ("whole", 2), ("pieces", 1), ("slow", 2)):
        folder = tmp_path / f"{how}{threads}"
        folder.mkdir()
        with optgap.Scheduler(engine, reward="binary", solve_threads=threads or 1) as by:
            roles = made(engine, folder, proposer=proposer, scheduler=by if threads else None)
            found[how, threads] = steps_of(roles, seed, how)
    wanted = found.pop(("whole", 0))
    rows = [row for step in wanted[0] for row in step]
    assert len(rows) > 100 and len({row[2] for row in rows}) > 3, "every code is the same: little is compared"
    for way, other in found.items():
        assert other == wanted, way


def test_the_simple_loop_rewards_the_same(engine, tmp_path):
    found = []
    for name in ("direct", "scheduled"):
        folder = tmp_path / name
        folder.mkdir()
        with optgap.Scheduler(engine) as by:
            roles = made(engine, folder, scheduler=by if name == "scheduled" else None)
            steps = []
            for _ in range(2):
                step = roles.issue(proposals=6, solves=2, group=GROUP, judges=9)
                while step.prompts:
                    step.submit([text_for(asked, 5) for asked in step.prompts])
                steps.append(told(step.collect()))
            found.append((steps, roles.pool.hash, roles.waiting))
    assert found[0] == found[1] and found[0][2] == []


def slow_step(engine, folder, by, seed=1):
    """A step whose one proposal is not proven for a second, and the text for it."""
    roles = optgap.Roles(
        engine, optgap.Pool(folder / "pool.db", seed=7), tasks=["tsp"], level="d3", budget=BUDGET, scheduler=by
    )
    return roles, roles.issue(proposals=2, solves=1, group=GROUP), SLOW % seed


def test_the_callers_thread_does_not_prove(engine, tmp_path):
    direct = Gates(budget=BUDGET)
    begin = time.perf_counter()
    assert direct.check([SLOW % 1]).codes == ["unproven"]
    proof = time.perf_counter() - begin
    assert proof > 0.2, "too short to tell anything"
    with optgap.Scheduler(engine) as by:
        roles, step, slow = slow_step(engine, tmp_path, by)
        first, second, *solvers = step.prompts
        begin = time.perf_counter()
        step.submit({first.ticket: slow})
        step.submit({second.ticket: posed(random.Random(4))})
        took = time.perf_counter() - begin
        assert step.checking == 2 and took < proof / 2
        assert [one.ticket for one in step.prompts] == [one.ticket for one in solvers], "there is something else to ask"
        assert step.checking == 2, "and that is not waited for"
        step.submit([text_for(one, 1) for one in solvers])
        later = step.prompts  # nothing else is left: now it waits, in the order of proposals
        assert [one.role for one in later] == ["solver"] * GROUP and step.checking == 0
        step.submit([text_for(one, 1) for one in later])
        rows = step.collect()
        assert [row.code for row in rows if row.role == "proposer"] == ["unproven", "ok"]
        assert by.statistics()["proposals"]["checked"] == 2


def test_a_step_that_is_collected_with_checks_under_way_waits_for_them_and_leaves_their_prompts(engine, tmp_path):
    with optgap.Scheduler(engine) as by:
        roles, step, slow = slow_step(engine, tmp_path, by)
        step.submit([slow, posed(random.Random(4)), *[None] * GROUP])
        assert step.checking == 2
        (row,) = step.collect()  # the other one's group has not answered
        assert row.code == "unproven" and step.checking == 0
        later = roles.issue(proposals=0, solves=0)
        assert len(later.prompts) == 2 * GROUP
        later.submit([text_for(one, 1) for one in later.prompts])
        rows = later.collect()
        assert [row.role for row in rows].count("solver") == 2 * GROUP
        assert [row.code for row in rows if row.role == "proposer"] == ["ok"]
        assert roles.waiting == [] and not roles._asked and not roles._checks.reserved


def test_a_delta_has_all_that_was_submitted(engine, tmp_path):
    with optgap.Scheduler(engine) as by:
        roles, step, slow = slow_step(engine, tmp_path, by)
        step.submit([slow, posed(random.Random(4)), *[None] * GROUP])
        forms = json.loads(roles.delta(0))["forms"]
        assert len(forms) == 1 and step.checking == 0
        assert len(step.prompts) == 2 * GROUP, "and what follows can be asked"


def test_texts_may_be_of_the_prompts_as_they_were_read(engine, tmp_path):
    with optgap.Scheduler(engine) as by:
        roles = made(engine, tmp_path, scheduler=by)
        step = roles.issue(proposals=1, solves=1, group=GROUP)
        step.submit({step.prompts[0].ticket: posed(random.Random(4))})
        before = list(step.waiting)
        assert len(step.prompts) == len(before) or step.prompts[: len(before)] == before
        step.settle()
        assert len(step.prompts) == 2 * GROUP
        with pytest.raises(Error, match=f"each of the {2 * GROUP} prompts"):
            step.submit(["x"])
        step._read.add(GROUP)  # as if they had been read before the check ended
        step.submit([text_for(one, 1) for one in before])
        assert [one.ticket for one in step.prompts] == [one.ticket for one in roles.waiting]
        assert not {one.ticket for one in before} & {one.ticket for one in step.prompts}


def test_a_check_that_fails_is_an_error_and_its_proposals_have_no_reward(engine, tmp_path, monkeypatch):
    def failing(*_, **__):
        raise Error("a solver claims what is not so", "internal")

    found = []
    for scheduled in (False, True):
        folder = tmp_path / str(scheduled)
        folder.mkdir()
        with optgap.Scheduler(engine) as by, monkeypatch.context() as patch:
            roles = made(engine, folder, scheduler=by if scheduled else None)
            if scheduled:

                def collect(tickets, own=by.collect_proposals):
                    reason = "a solver claims what is not so"
                    return [dataclasses.replace(one, outcome="failed", reason=reason) for one in own(tickets)]

                patch.setattr(by, "collect_proposals", collect)
            else:
                patch.setattr(roles._checks._gates, "check", failing)
            step = roles.issue(proposals=2, solves=1, group=GROUP)
            texts = {asked.ticket: text_for(asked, 1) for asked in step.prompts}
            with pytest.raises(Error, match="claims what is not so"):
                step.submit({ticket: text for ticket, text in texts.items() if ticket < 2})
                step.settle()
            step.submit({ticket: text for ticket, text in texts.items() if ticket >= 2})
            found.append(told(step.collect()))
            assert [row[2] for row in found[-1][:2]] == ["not_run"] * 2 and found[-1][0][3] == "nan"
    assert found[0] == found[1]


def test_checks_that_a_shutdown_cancels_are_not_run(engine, tmp_path):
    by = optgap.Scheduler(engine, solve_threads=1)
    roles, step, slow = slow_step(engine, tmp_path, by)
    first, second = (one.ticket for one in step.prompts[:2])
    step.submit({first: slow})
    step.submit({second: posed(random.Random(4))})
    by.shutdown(drain=False)
    rows = step.collect()
    assert [row.code for row in rows][1:] == ["not_run"] and rows[0].code in ("unproven", "not_run")
    with pytest.raises(Error, match="shut down"):
        later = roles.issue(proposals=1, solves=0)
        later.submit({later.prompts[-1].ticket: slow})


def test_a_step_that_is_issued_meanwhile_asks_what_follows_too(engine, tmp_path):
    with optgap.Scheduler(engine) as by:
        roles, first, slow = slow_step(engine, tmp_path, by)
        first.submit([slow, posed(random.Random(4)), *[None] * GROUP])
        second = roles.issue(proposals=0, solves=0)
        assert second.checking == 2 and len(second.waiting) == GROUP
        second.submit([text_for(one, 1) for one in second.prompts])
        later = second.prompts
        assert len(later) == GROUP and {one.ticket for one in later} < {one.ticket for one in first.prompts}
