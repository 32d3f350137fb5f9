"""A newcomer's first hour on a machine without compilers, with nothing installed but the wheel; tools/wheels.sh runs it."""

import json
import shutil
import subprocess
import time

import stand_in_server

import optgap

began = time.monotonic()
compilers = [name for name in ("g++", "gcc", "cc", "cmake", "ninja", "nvcc") if shutil.which(name)]
assert not compilers, f"on the path: {compilers}"
engine = optgap.Engine()
instances = engine.generate("all", level="easy", count=4)
baselines = engine.solve(instances)
texts = [f"<think>x</think><answer>{json.dumps(answer)}</answer>" for answer in baselines.answers.tolist()]
scores = engine.score(instances, texts, baselines)
assert (scores.quality == 1).all() and (scores.optimal == baselines.proven).all(), scores
listed = subprocess.run(["optgap", "tasks"], check=True, capture_output=True, text=True).stdout
assert all(task.name in listed for task in engine.tasks)
command = ["optgap", "dataset", "--trainer", "slime", "tsp", "--level", "easy", "--count", "8", "--out", "rows.jsonl"]
subprocess.run(command, check=True, capture_output=True)
subprocess.run(["optgap", "demo", "--quick"], check=True, capture_output=True)
written = ["optgap", "recipe", "write", "forge", "main", "--trainer", "slime", "-o", "recipe"]
assert "run.sh" in subprocess.run(written, check=True, capture_output=True, text=True).stdout
audited = subprocess.run(
    ["optgap", "audit", "--tasks", "tsp,knapsack", "--count", "1", "--steps", "500", "--json", "--quiet"],
    check=True,
    capture_output=True,
    text=True,
)
assert json.loads(audited.stdout), audited.stdout

# The same answers from servers that behave otherwise give the same rates, but where a text was cut off.
asked = [
    "--model",
    stand_in_server.MODEL,
    "--tasks",
    "clique,knapsack",
    "--count",
    "4",
    "--samples",
    "2",
    "--twins",
    "0",
    "--format",
    "answer_only",
    "--level",
    "easy",
    "--quiet",
]
rates = {}
for mode in ("instant", "slow", "failing_500", "failing_429", "truncated", "reasoning_content", "streaming"):
    text = "<answer>[0, 1" if mode == "truncated" else "<answer>[0, 1]</answer>"
    with stand_in_server.StandIn(lambda request, text=text: text, mode) as server:
        command = ["optgap", "bench-model", "--base-url", server.base_url, "--out", mode, *asked]
        subprocess.run(command, check=True, capture_output=True)
    with open(f"{mode}/report.json", encoding="utf-8") as report:
        rates[mode] = {name: task["sr"] for name, task in json.load(report)["tasks"].items()}
assert set(rates.pop("truncated").values()) == {0.0}
assert all(rate == rates["instant"] for rate in rates.values()), rates
seconds = time.monotonic() - began
assert seconds < 90, seconds
print(
    f"import to bench-model in {seconds:.0f} s; {len(scores)} best answers of {len(engine.tasks)} tasks rewarded; optgap {optgap.__version__}, {engine}"
)
