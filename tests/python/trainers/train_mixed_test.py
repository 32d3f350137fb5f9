"""The mixed example in its short form: optgap's tasks, reasoning-gym's and a toy in one run, killed and resumed."""

import json
import subprocess
import sys


def test_a_killed_run_ends_as_the_undisturbed_one(tmp_path):
    command = [sys.executable, "-m", "optgap.examples.train_mixed", "--steps", "6", "--out", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    assert "killed in step 4, resumed after 2" in done.stdout and "the same problems, the same state" in done.stdout
    whole, broken = ((tmp_path / run / "state.json").read_bytes() for run in ("whole", "broken"))
    assert whole == broken
    state = json.loads(whole)
    assert state["curriculum"]["step"] == 6
    assert {task["name"] for task in state["curriculum"]["tasks"]} == {"tsp", "rg/isomorphic_strings", "toy/even_sum"}
