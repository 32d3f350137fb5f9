"""`optgap bench trainer --trainer trl`: TRL's own steps with our reward and with a random one. Nothing is timed here but a
delay that was planted."""

import json
import statistics
import time

import pytest
from in_process import options_of

from optgap.commands import bench_trainer
from optgap.measure.trainer_costs import trl_steps
from optgap.trainers.common import ground_truth, overlapped
from optgap.trainers.trl import reward as trl

DELAY = 1.0


def options(*given):
    return options_of("bench", "trainer", "--trainer", "trl", "--quick", "--quiet", *given)


@pytest.fixture
def slow_reward(monkeypatch):
    plain = trl.reward
    seen = []

    def slow(prompts, completions, **columns):
        time.sleep(DELAY)
        seen.append(plain(prompts, completions, **columns))
        return seen[-1]

    slow.__name__ = plain.__name__
    monkeypatch.setattr(trl, "reward", slow)
    return seen


def test_what_the_reward_takes_is_found_in_the_call_and_in_the_step(slow_reward, capsys):
    ground_truth.configure()
    assert bench_trainer.run(options("--json")) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["trainer"] == "trl" and report["versions"]["trl"] and report["commit"] and len(report["load"]) == 2
    steps = report["steps"] * report["rounds"]
    summary = report["summary"]
    for arm in ("random", "optgap"):
        found = report["samples"][arm]
        assert list(found) == list(trl_steps.MEASURES) and {len(values) for values in found.values()} == {steps}
        assert all(0 < call < step for step, call in zip(found["step_s"], found["call_s"]))
        assert all(seconds > 0 for seconds in found["cpu_s"])
        assert all(summary["median"][name][arm] == statistics.median(values) for name, values in found.items())
    assert all(call >= DELAY for call in report["samples"]["optgap"]["call_s"])
    assert max(report["samples"]["random"]["call_s"]) < DELAY / 2 < summary["added"]["call_s"]
    for name, medians in summary["median"].items():
        assert summary["added"][name] == medians["optgap"] - medians["random"]
    # A sleep takes no CPU time.
    assert summary["added"]["cpu_s"] < summary["added"]["call_s"]
    assert summary["share"]["call_s"] == summary["added"]["call_s"] / summary["median"]["step_s"]["optgap"]
    assert summary["share_of_rlvrr_step"]["call_s"] == summary["added"]["call_s"] / 122.42
    # Rollouts of every quality were rewarded, against baselines that the scheduler proved.
    assert len(slow_reward) == steps + 1 and len({value for step in slow_reward for value in step}) > 2
    assert overlapped.scheduler().statistics()["baselines"]["solved"] >= steps * report["groups"]
    table = trl_steps.table(report)
    assert [line.split()[0] for line in table.splitlines()] == ["reward", "random", "optgap", "added", "share", "share"]
    assert len({len(line) for line in table.splitlines()}) == 1


@pytest.mark.parametrize("given", [("--workers", "2"), ("--decode", "1"), ("--oracle", "x")])
def test_what_has_no_effect_on_a_trainers_steps_is_refused(given):
    with pytest.raises(ValueError, match=f"{given[0]} has no effect"):
        bench_trainer.run(options(*given))


def test_rounds_are_a_trainers():
    with pytest.raises(ValueError, match="--rounds has no effect"):
        bench_trainer.run(options_of("bench", "trainer", "--rounds", "2"))
