"""bench/python/single_samples.py runs, compares its rewards, and says a figure for every case and load."""

import json
import pathlib
import subprocess
import sys

PROGRAM = pathlib.Path(__file__).parents[2] / "bench" / "python" / "single_samples.py"


def test_every_case_has_its_figures():
    command = [sys.executable, PROGRAM, "--json", "--rounds", "1", "--seconds", "0.01", "--level", "easy"]
    said = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    cases = {row["case"] for row in said["rows"]}
    assert len(cases) == 7 and {row["under_way"] for row in said["rows"]} == {1, 16, 256}
    assert len(said["rows"]) == 3 * len(cases) and all(0 < row["cpu_min_us"] <= row["cpu_us"] for row in said["rows"])
