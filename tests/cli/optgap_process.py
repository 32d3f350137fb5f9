"""Runs the optgap binary that ctest names in OPTGAP_BINARY; the other files here import it."""

import json
import os
import subprocess

BINARY = os.environ.get("OPTGAP_BINARY", "build/release/optgap")


def run(*arguments, stdin="", binary_input=None):
    """The finished process; text unless `binary_input` is given."""
    if binary_input is not None:
        return subprocess.run([BINARY, *arguments], input=binary_input, capture_output=True, timeout=300)
    return subprocess.run([BINARY, *arguments], input=stdin, capture_output=True, text=True, timeout=300)


def rows(process):
    """The rows of its stdout."""
    return [json.loads(line) for line in process.stdout.splitlines()]


def lines(*objects):
    """JSONL text of objects; strings are taken as they are."""
    return "".join((o if isinstance(o, str) else json.dumps(o)) + "\n" for o in objects)


TSP4 = {"distances": [[0, 10, 15, 20], [10, 0, 35, 25], [15, 35, 0, 30], [20, 25, 30, 0]]}
KNAPSACK4 = {"capacity": 20, "weights": [3, 4, 7, 8], "values": [4, 5, 10, 11]}


def forge(answer, reasoning="hm"):
    return f"<think>{reasoning}</think><answer>{answer}</answer>"
