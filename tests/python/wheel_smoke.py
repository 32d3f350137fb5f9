"""What a wheel must do on a machine without compilers; tools/python_test.sh runs it in an environment of its own."""

import json
import shutil
import subprocess

import optgap

compilers = [name for name in ("g++", "gcc", "cc", "cmake", "ninja", "nvcc") if shutil.which(name)]
assert not compilers, f"on the path: {compilers}"
engine = optgap.Engine()
instances = engine.generate("all", level="easy", count=4)
baselines = engine.solve(instances)
texts = [f"<think>x</think><answer>{json.dumps(answer)}</answer>" for answer in baselines.answers.tolist()]
scores = engine.score(instances, texts, baselines)
assert scores.optimal.all(), scores
listed = subprocess.run(["optgap", "tasks"], check=True, capture_output=True, text=True).stdout
assert all(task.name in listed for task in engine.tasks)
command = ["optgap", "dataset", "--trainer", "slime", "tsp", "--level", "easy", "--count", "8", "--out", "rows.jsonl"]
subprocess.run(command, check=True, capture_output=True)
print(f"{len(scores)} optimal answers of {len(engine.tasks)} tasks paid; optgap {optgap.__version__}, {engine}")
