#!/usr/bin/env python3
"""bench/peers.py in its short form: every peer of a task has its row at both levels and its line in a results file,
proofs agree, and a claim that they refute is named and gives exit code 1."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

from rows import BINARY

ROOT = pathlib.Path(__file__).resolve().parents[2]
FAULTY = pathlib.Path(__file__).resolve().parent / "faulty.py"


def run(**environment):
    with tempfile.TemporaryDirectory() as folder:
        out, lines = pathlib.Path(folder) / "peers.json", pathlib.Path(folder) / "peers.jsonl"
        command = [
            sys.executable,
            "-B",
            ROOT / "bench/peers.py",
            "--short",
            "--task",
            "knapsack",
            "--json",
            out,
            *(["--record", lines, "--machine", "here"] if not environment else []),
        ]
        done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True)
        said = json.loads(out.read_text(encoding="utf-8")) if out.exists() else None
        kept = [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()] if lines.exists() else []
        return done, said, kept


def require(holds, done):
    if not holds:
        sys.exit(f"exit code {done.returncode}\n{done.stdout[-3000:]}\n{done.stderr[-2000:]}")


done, said, kept = run()
require(done.returncode == 0 and said is not None and not said["contradictions"], done)
rows = {(row["level"], row["by"]): row for row in said["rows"]}
require(set(rows) == {(level, by) for level in ("benchmark", "d20") for by in ("optgap", "CP-SAT", "HiGHS")}, done)
for row in rows.values():
    require(0 < row["instances"] <= 8 and row["proven"] + row["open"] == row["instances"], done)
    require(0 < row["p50_s"] <= row["p99_s"] <= row["max_s"] and row["labels_per_second"] > 0, done)
    require(row["by"] == "optgap" or (0 < row["equal"] <= row["proven"] and row["ratio"] > 0), done)
require({(line["level"], line["case"]) for line in kept} == set(rows), done)
for line in kept:
    row = rows[line["level"], line["case"]]
    require((line["benchmark"], line["machine"], line["commit"]) == ("peers", "here", said["commit"]), done)
    require((line["batch"], line["proven"], line["open"]) == (said["size"]["count"], row["proven"], row["open"]), done)
    require(abs(line["rate"] / row["labels_per_second"] - 1) < 1e-5 and len(line["samples"]) <= 15, done)
    require(row["by"] == "optgap" or ("ratio_at_least" in line) == (row["open"] > 0), done)
print(f"peers.py: {len(rows)} rows, {sum(row.get('equal', 0) for row in rows.values())} optima proven by both")

done, said, _ = run(OPTGAP_BINARY=str(FAULTY), OPTGAP_GOOD=BINARY, FAULT="solve")
require(done.returncode == 1 and "CONTRADICTION knapsack" in done.stdout and said["contradictions"], done)
print(f"a wrong claim: noticed, {len(said['contradictions'])} contradictions")
