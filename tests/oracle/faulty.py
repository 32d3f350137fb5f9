#!/usr/bin/env python3
"""Replaces the program and spoils one row in fifty of the command that FAULT names. run.py must detect it."""

import json
import os
import subprocess
import sys

SPOIL = {
    "verify": {"feasible": lambda row: not row["feasible"], "violation": lambda row: row["violation"] + 1},
    "solve": {"objective": lambda row: row["objective"] + 1, "bound": lambda row: row["bound"] - 1},
    "relabel": {"answer": lambda row: row["answer"][1:], "key": lambda row: row["key"][:-1] + "-"},
    "score": {"reward": lambda row: row["reward"] + 2**-12},
}

done = subprocess.run([os.environ["OPTGAP_GOOD"], *sys.argv[1:]], stdin=sys.stdin, capture_output=True, text=True)
lines = done.stdout.splitlines()
if sys.argv[1] == os.environ["FAULT"]:
    for at in range(0, len(lines), 50):
        row = json.loads(lines[at])
        for index, (name, spoil) in enumerate(SPOIL[sys.argv[1]].items()):
            if (at // 50) % len(SPOIL[sys.argv[1]]) == index and row.get(name) is not None:
                row[name] = spoil(row)
        lines[at] = json.dumps(row)
print("\n".join(lines))
sys.stderr.write(done.stderr)
sys.exit(done.returncode)
