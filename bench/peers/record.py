"""Writes rows of bench/peers.py as result lines (docs/performance.md), merged into a file by `optgap bench merge`."""

import json
import pathlib
import subprocess
import tempfile

KEPT_SAMPLES = 15  # as optgap bench keeps them
SOURCE = (
    "machine",
    "device",
    "instruction_set",
    "commit",
    "threads",
    "modified",
    "versions",
    "load",
    "limit",
    "cap",
    "date",
    "command",
)


def rounded(value, digits=6):
    """Rounds all numbers of a value to so many significant digits."""
    if isinstance(value, float):
        return float(f"{value:.{digits}g}")
    if isinstance(value, list):
        return [rounded(one, digits) for one in value]
    if isinstance(value, dict):
        return {name: rounded(one, digits) for name, one in value.items()}
    return value


def thinned(samples):
    """Their mid-quantiles, as in host/report/comparison.hpp."""
    samples = sorted(samples)
    if len(samples) <= KEPT_SAMPLES:
        return samples
    return [samples[(2 * k + 1) * len(samples) // (2 * KEPT_SAMPLES)] for k in range(KEPT_SAMPLES)]


def line_of(row, source, count):
    """`source` describes the run's machine, `count` the requested instances. A ratio becomes `ratio_at_least` where
    some instance stayed open that the peer might have proven, since it would have taken longer."""
    line = {
        "benchmark": "peers",
        "case": row["by"],
        "task": row["task"],
        "level": row["level"],
        "batch": count,
        "unit": "labels",
        "instances": row["instances"],
    }
    if row.get("left_out"):
        line["left_out"] = row["left_out"]
    if row["instances"]:
        totals = [sum(one) if isinstance(one, list) else one for one in row["samples_s"]]
        line |= {
            "rate": row["labels_per_second"],
            "runs": row["repetitions"],
            "latency_s": {"p50": row["p50_s"], "p99": row["p99_s"], "max": row["max_s"]},
            "proven": row["proven"],
            "open": row["open"],
            "optimal": row["optimal"],
        }
        if "equal" in row:
            line["equal"] = row["equal"]
        if "ratio" in row:
            line |= {
                "ratio_at_least" if row["lower_bound"] else "ratio": row["ratio"],
                "ratio_range": dict(zip(("least", "most"), row["ratio_range"])),
            }
        if row["proven"]:
            line |= {"taken": len(totals), "samples": rounded(thinned(row["proven"] / one for one in totals), 4)}
        else:
            line["totals_s"] = rounded(thinned(totals), 4)
    return rounded(line) | {name: rounded(source[name]) for name in SOURCE if name in source}


def record(binary, path, lines):
    """Merges the lines into the file; raises SystemExit with the program's message."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = pathlib.Path(folder) / "lines.jsonl"
        fresh.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
        done = subprocess.run(
            [binary, "bench", "merge", str(path), str(fresh), "--quiet"], capture_output=True, text=True
        )
    if done.returncode != 0:
        raise SystemExit(done.stderr.strip())
