"""A run of roles and curriculum that is killed at every step and goes on from its checkpoint gives an undisturbed run's bytes."""

import gc
import json
import os
import pathlib
import signal
import subprocess
import sys

import pytest
from resumed_run import PLACES, Run

import optgap
from optgap.measure.curves import table
from optgap.measure.curves.timeline import Timeline

SCRIPT = pathlib.Path(__file__).with_name("resumed_run.py")
STEPS = 5


def life(folder, kill=""):
    environment = {**os.environ, "OPTGAP_STATS": str(folder / "stats")}
    return subprocess.run(
        [sys.executable, SCRIPT, str(folder), str(STEPS), kill], env=environment, capture_output=True, text=True, check=False
    )  # fmt: skip


def told(folder, run_native):
    """All that a run leaves: the pool's hash and export, draws and reward of every step, the state, tables of the statistics."""
    pool = str(folder / "pool.db")
    timeline = Timeline(folder / "stats")
    timeline.update()
    shown = table.summary(timeline)
    merged = json.loads("".join(run_native("stats", "merge", str(folder / "stats"))))
    return {
        "pool": run_native("pool", "hash", pool),
        "export": run_native("pool", "export", pool),
        "draws": run_native("pool", "sample", pool, "--count", "16", "--prompts"),
        "steps": [(folder / f"step{step}.json").read_text() for step in range(STEPS)],
        "checkpoint": (folder / "checkpoint.json").read_text(),
        "table": {name: shown[name] for name in ("tasks", "rollups", "all", "step", "not_evaluated")},
        "windows": timeline.windows,
        "merged": {name: merged[name] for name in ("cells", "total", "run")},
    }


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory, run_native):
    folder = tmp_path_factory.mktemp("undisturbed")
    done = life(folder)
    assert done.returncode == 0, done.stderr
    found = told(folder, run_native)
    assert found["merged"]["total"]["rows"] == STEPS * 12 and len(found["windows"]) == 2
    assert any('"gone":true' in row for row in found["export"])
    codes = {row[2] for step in found["steps"] for row in json.loads(step)[2]}
    assert {"ok", "duplicate", "not_json"} <= codes
    return found


def same(found, wanted):
    for name, value in wanted.items():
        assert found[name] == value, name


@pytest.mark.parametrize("place", PLACES)
def test_a_run_that_is_killed_in_every_step_gives_the_bytes_of_one_that_never_was(
    undisturbed, tmp_path, run_native, place
):
    for step in range(STEPS):
        # Behind the step's end the next one has begun.
        at = step + 1 if place in ("writing", "saved") else step
        done = life(tmp_path, f"{at}:{place}")
        assert done.returncode == -signal.SIGKILL, done.stderr
    done = life(tmp_path)
    assert done.returncode == 0, done.stderr
    same(told(tmp_path, run_native), undisturbed)
    dropped = list(tmp_path.glob("pool.db.dropped-*"))
    assert bool(dropped) == (place != "saved"), "what was dropped is kept"


@pytest.mark.parametrize("scheduler", [False, True])
def test_every_checkpoint_of_a_run_leads_to_the_same_end(undisturbed, tmp_path, scheduler):
    """In one process, with all later steps in the pool's file."""
    run, checkpoints = Run(tmp_path, scheduler=scheduler), []
    for _ in range(STEPS):
        run.one_step()
        checkpoints.append((tmp_path / "checkpoint.json").read_text())
    assert checkpoints[-1] == undisturbed["checkpoint"]
    run.close()
    for text in checkpoints:
        (tmp_path / "checkpoint.json").write_text(text)
        again = Run(tmp_path, scheduler=scheduler)
        assert again.rows.roles.pool.hash == json.loads(text)["roles"]["pool"][1]
        again.run(STEPS)
        assert (tmp_path / "checkpoint.json").read_text() == undisturbed["checkpoint"]
        again.close()


def test_the_pool_of_another_run_is_refused_by_name(undisturbed, tmp_path):
    (tmp_path / "checkpoint.json").write_text(undisturbed["checkpoint"])
    steps = json.loads(undisturbed["checkpoint"])["roles"]["pool"][0]
    with pytest.raises(optgap.Error, match=f"step: {steps}: expected one from 0 to 0, which .*pool.db is at"):
        Run(tmp_path)
    gc.collect()  # an open pool is its writer's
    other = optgap.Pool(tmp_path / "pool.db")
    for _ in range(steps + 1):
        other.step()
    before = other.hash
    del other
    gc.collect()
    with pytest.raises(
        optgap.Error, match=f"pool.db had .* when {steps} steps had ended: expected .* another run's pool"
    ):
        Run(tmp_path)
    assert optgap.Pool(tmp_path / "pool.db", writes=False).hash == before
