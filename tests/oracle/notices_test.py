#!/usr/bin/env python3
"""The checks can fail: a program with a fault in one row of fifty is detected, for every command."""

import os
import pathlib
import subprocess
import sys

from rows import BINARY

HERE = pathlib.Path(__file__).resolve().parent
RUN = [sys.executable, "-B", str(HERE / "run.py"), "--quick", "--task", "knapsack", "--answers", "300"]

for fault, wanted in (("none", False), ("verify", True), ("solve", True), ("score", True), ("relabel", True)):
    environment = os.environ | {"OPTGAP_BINARY": str(HERE / "faulty.py"), "OPTGAP_GOOD": BINARY, "FAULT": fault}
    done = subprocess.run(RUN, env=environment, capture_output=True, text=True)
    noticed = done.returncode == 1 and "MISMATCH" in done.stdout
    print(f"fault in {fault}: {'noticed' if noticed else 'nothing noticed'}, {done.stdout.splitlines()[-1:]}")
    if noticed != wanted or done.returncode not in (0, 1):
        sys.exit(f"{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
