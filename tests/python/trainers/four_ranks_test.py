"""Ranks that hold rows of different tasks finish TRL's steps, with its present loop over metrics and the one before."""

import json
import os
import pathlib
import signal
import subprocess
import sys

import pytest
from four_ranks import roles_in

from optgap.trainers.common.role_rows import RoleRows

FOLDER = pathlib.Path(__file__).parent
LIMIT_S = 300


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """rank 0's word by loop, of a group of processes that is ended as a whole."""
    folder = tmp_path_factory.mktemp("out")
    command = [
        sys.executable,
        "-W",
        "ignore",
        FOLDER / "four_ranks.py",
        folder,
        "current",
        "old",
        "curriculum",
        "roles",
        "resumed",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          start_new_session=True) as ranks:  # fmt: skip
        try:
            out, errors = ranks.communicate(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            os.killpg(ranks.pid, signal.SIGKILL)
            pytest.fail(f"four ranks did not finish two steps in {LIMIT_S} s: they wait for each other")
    assert ranks.returncode == 0, errors[-4000:]
    lines = (json.loads(line) for line in out.splitlines() if line.startswith('{"loop"'))
    states = [path.read_text() for path in sorted(folder.glob("state_*.json"))]
    earned = [json.loads(path.read_text()) for path in sorted(folder.glob("roles_*.json"))]
    resumed = [json.loads(path.read_text()) for path in sorted(folder.glob("resumed_*.json"))]
    return {**{line["loop"]: line for line in lines}, "states": states, "earned": earned, "again": resumed}


@pytest.mark.parametrize("loop", ["current", "old"])
def test_ranks_with_different_tasks_finish_their_steps(said, loop):
    logged, version = said[loop]["logged"], tuple(int(part) for part in said[loop]["trl"].split(".")[:2])
    assert len(logged) == 2
    names = [{name for name in entry if name.startswith("optgap/")} for entry in logged]
    assert names[0] == names[1] and all("rewards/optgap_reward/mean" in entry for entry in logged)
    if version < (1, 14):
        assert names[0] == set()
    else:
        assert {name.split("/")[1] for name in names[0]} == {"tsp", "knapsack", "coloring"}
        assert "optgap/knapsack/level" in names[0]


def test_ranks_that_read_a_curriculum_s_stream_end_with_one_state(said):
    states = said["states"]
    assert len(states) == 4 and len(set(states)) == 1
    rows = json.loads(states[0])
    seen = rows["curriculum"]["totals"]
    # Two steps of four ranks: TRL gives each one prompt's four rollouts. One more batch was read ahead.
    assert rows["curriculum"]["step"] == 2 and len(rows["pending"]) == 4
    assert sum(cell[2] for cell in seen) == 32


def test_ranks_earn_by_roles_what_one_process_earns_for_their_texts(said, tmp_path):
    earned = said["earned"]
    assert [len(rank["batches"]) for rank in earned] == [3] * 4 and [bool(rank["solved"]) for rank in earned] == [
        True
    ] + [False] * 3
    alone = RoleRows(roles_in(tmp_path / "pool.db"), prompts=3, group=8, proposals=1, judges=1)
    solved = iter(earned[0]["solved"])
    made = alone.rows()
    roles = {row["role"] for row in made}
    for number in range(3):
        ahead = alone.rows()  # as accelerate reads
        roles |= {row["role"] for row in ahead}
        everybody = [row for rank in earned for row in rank["batches"][number]]
        assert {tuple(row["tickets"]) for row in made} == {tuple(own) for own, _, _ in everybody} and len(
            everybody
        ) == 24
        texts, values = {}, {}
        for own, text, value in everybody:
            ticket = next(each for each in own if each not in texts)
            texts[ticket], values[ticket] = text, value
        rewarded = alone.reward_rows(texts, lambda prompts: next(solved))
        for ticket, value in values.items():
            reward = rewarded[ticket].reward if ticket in rewarded else None
            assert value == (reward if reward == reward else None)
        made = ahead
    assert roles == {"proposer", "solver", "judge"} and next(solved, None) is None
    assert earned[0]["pool"] == [alone.roles.pool.steps, alone.roles.pool.hash]
    assert len({value for rank in earned for batch in rank["batches"] for _, _, value in batch}) > 3
    names = {name for entry in said["roles"]["logged"] for name in entry}
    assert {"optgap_roles/proposer/reward", "optgap_roles/solver/feasible", "optgap_roles/judge/readable"} <= names


def test_ranks_that_are_resumed_earn_the_same_again_and_leave_the_same_pool(said):
    for mine, other in zip(said["again"], said["earned"], strict=True):
        assert mine["batches"] == other["batches"][1:] and mine["pool"] == other["pool"]
