"""Algorithm 1 on free text, with judges that are no model, against its twin; and a judge behind a server."""

import itertools

import mae_twin as twin
import pytest
from stand_in_server import StandIn

from optgap import Error
from optgap.measure.endpoint import Endpoint
from optgap.trainers.roles import MaeSettings, MultiAgentEvolve
from optgap.trainers.roles.asking import EndpointRole
from optgap.trainers.roles.mae import ABLATIONS, SETTINGS

SEEDS = [f"What is {n} times {n}?" for n in range(967)]


def test_a_step_of_the_papers_batch_generates_what_the_paper_counts():
    run = MultiAgentEvolve(twin.propose, twin.solve, twin.judge, SEEDS)
    step = run.step()
    assert (step.total, step.for_reward) == (4992, 3968)
    assert step.generations == {"propose": 128, "judge_question": 640, "solve_question": 640, "judge_sample": 3200, "solve": 128,
                                "judge_answer": 128, "judge": 128}  # fmt: skip
    assert [sum(row[0] == role for row in step.rows) for role in ("proposer", "solver", "judge")] == [128] * 3
    assert len(run.pool) == 967 + step.added and 0 < step.added < 128


@pytest.mark.parametrize("setting, without, rewards", [
    *itertools.product(SETTINGS, [None], ["mae_paper", "mae_repo"]), *itertools.product(["half"], ABLATIONS, ["mae_paper"]),
    ("zero", "format", "mae_repo"),
])  # fmt: skip
def test_settings_and_ablations_are_the_twins(setting, without, rewards):
    how = MaeSettings(batch=16, samples=3, setting=setting, without=without, rewards=rewards, seed=4)
    run = MultiAgentEvolve(twin.propose, twin.solve, twin.judge, SEEDS, how)
    steps = [run.step() for _ in range(3)]
    wanted, pool = twin.run(SEEDS, 3, 16, 3, setting, without, rewards, 4)
    assert run.pool == pool
    for step, rows in zip(steps, wanted):
        assert [(role, text) for role, _, text, _, _ in step.rows] == [row[:2] for row in rows]
        assert [row[3] for row in step.rows] == pytest.approx([row[2] for row in rows], abs=1e-12)
        assert [row[4] for row in step.rows] == pytest.approx([row[3] for row in rows], rel=1e-5, abs=2e-6)
    assert {row[0] for row in steps[0].rows} == {"proposer", "solver", "judge"} - {without}


def test_the_filter_keeps_bad_questions_out_and_its_ablation_lets_them_in():
    bad = lambda prompts: ["<score>2</score>"] * len(prompts)  # noqa: E731
    for without, grows in ((None, False), ("filter", True)):
        run = MultiAgentEvolve(twin.propose, twin.solve, bad, SEEDS, MaeSettings(batch=16, samples=2, without=without))
        assert (run.step().added > 0) == grows
    # A judge that says one thing leaves its cohorts without a signal: exactly none.
    assert not any(row[4] for row in run.step().rows if row[0] == "judge")


def test_wrong_settings_are_refused():
    for settings, field in (({"setting": "some"}, "setting"), ({"without": "pool"}, "without"), ({"rewards": "azr"}, "rewards"),
                            ({"batch": 0}, "batch")):  # fmt: skip
        with pytest.raises(Error, match=field):
            MaeSettings(**settings)
    with pytest.raises(Error, match="16 or more"):
        MultiAgentEvolve(twin.propose, twin.solve, twin.judge, SEEDS[:15], MaeSettings(setting="zero"))
    short = MultiAgentEvolve(twin.propose, lambda prompts: [], twin.judge, SEEDS, MaeSettings(batch=2))
    with pytest.raises(Error, match="gave 0 texts for 10 prompts"):
        short.step()


def test_a_judge_behind_a_server_is_asked_for_every_judgement():
    with (
        StandIn(lambda request: "<score>9</score>") as server,
        Endpoint(server.base_url, "stand-in", pause=0.01) as client,
    ):
        judge = EndpointRole(client, temperature=0)
        run = MultiAgentEvolve(twin.propose, twin.solve, judge, SEEDS, MaeSettings(batch=4, samples=2))
        step = run.step()
        assert len(server.requests) == step.for_reward + 4 == 4 * 2 + 4 * 2 * 2 + 4 + 4
        assert {request.body["temperature"] for request in server.requests} == {0} and judge.failed == 0
    assert step.quality == pytest.approx([8 / 9] * 4)
