"""The program under test as a black box: JSONL in, JSONL out."""

import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
BINARY = os.environ.get("OPTGAP_BINARY", str(ROOT / "build/release/optgap"))


class Failed(Exception):
    """The program ended in a way that the contract does not allow."""


def optgap(*arguments, rows=None):
    """The rows that it wrote; `rows` are objects, or strings that are sent as they are."""
    text = None
    if rows is not None:
        text = "".join((row if isinstance(row, str) else json.dumps(row, separators=(",", ":"))) + "\n" for row in rows)
    done = subprocess.run(
        [BINARY, *arguments, "--device", "cpu", "--threads", "1", "--quiet"], input=text, capture_output=True, text=True
    )
    if done.returncode not in (0, 1):
        raise Failed(f"optgap {' '.join(arguments)}: exit code {done.returncode}: {done.stderr[-500:]}")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    if rows is not None and len(found) != len(rows):
        raise Failed(f"optgap {' '.join(arguments)}: {len(rows)} rows in, {len(found)} out: {done.stderr[-500:]}")
    return found


def task_names():
    """The tasks of this build."""
    done = subprocess.run([BINARY, "tasks", "--json"], capture_output=True, text=True, check=True)
    return [task["name"] for task in json.loads(done.stdout)]
