"""The end of a check: the origin of its results, one line for the check itself, and the verdict."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tarfile
import time

import runs

GOOD = ("passed", "unmet", "unavailable")


def goals_of(lines: list[dict[str, object]]) -> list[str]:
    return [
        f"{line['case']:22} {line['verdict']:12} {line['value']:.4g} {line['note']}"
        for line in lines
        if line["benchmark"] == "goal"
    ]


def finish(check: runs.Check, given: argparse.Namespace) -> int:
    after = runs.gpu_state()
    source = {"driver": check.before.get("driver"), **{k: check.built.get(k) for k in ("kernel_sources", "modified")}}
    source = {name: value for name, value in source.items() if value}
    lines = []
    if check.results.exists():
        lines = [json.loads(line) | source for line in check.results.read_text(encoding="utf-8").splitlines()]
    bad = [str(stage["stage"]) for stage in check.ended if stage["status"] not in GOOD]
    if not check.ended:
        bad.append("nothing ran")
    known = next((line for line in lines if str(line["device"]).startswith("cuda")), None)
    tests = next((stage["tests"] for stage in check.ended if stage.get("tests")), None)
    lines.append(
        {
            "benchmark": "gpu_check",
            "case": "+".join(given.part),
            "tests": tests,
            "stages": {
                str(stage["stage"]): {
                    name: value
                    for name, value in stage.items()
                    if name in ("status", "seconds", "failed_tasks", "unfinished")
                }
                for stage in check.ended
            },
            "gpu_before": check.before,
            "gpu_after": after,
            "machine": check.machine,
            "device": f"cuda: {check.before.get('name')}",
            "instruction_set": known["instruction_set"] if known else "unknown",
            "commit": check.built["commit"] or "unknown",
            "threads": known["threads"] if known else os.cpu_count(),
            "date": time.strftime("%Y-%m-%d", time.gmtime()),
            "command": f"tools/gpu_check.sh --part {','.join(given.part)}",
            **source,
        }
    )
    check.results.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    if check.folder and not given.quick and "OUT" not in os.environ:
        kept = check.root / "bench/results/gpu.jsonl"
        merged = [str(check.folder / "optgap"), "bench", "merge", str(kept), str(check.results), "--quiet"]
        if subprocess.run(merged, check=False).returncode != 0:
            bad.append("results")
    with tarfile.open(check.out / "logs.tar.xz", "w:xz") as packed:
        packed.add(check.logs, "logs", filter=lambda one: None if one.name.startswith("logs/folder") else one)
    print(*goals_of(lines), sep="\n")
    if tests and (tests["failed"] or tests["skipped"]):
        print("tests not passed:", *tests["failed"], *tests["skipped"])
    print("gpu_check:", "all stages passed" if not bad else "not passed: " + " ".join(bad))
    return 1 if bad else 0
