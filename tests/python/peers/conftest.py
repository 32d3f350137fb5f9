"""The evaluators' own programs on the commands of docs/evaluators.md, against a server that says what is known in advance.
Without the programs nothing here is collected; tools/peers_test.sh insists."""

import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest
from stand_in_server import Reply, StandIn

import optgap
from optgap.benchmark_set import benchmark_set

if any(importlib.util.find_spec(name) is None for name in ("inspect_ai", "lm_eval", "reasoning_gym", "datasets")):
    collect_ignore_glob = ["*_test.py"]

HERE = pathlib.Path(__file__).resolve().parent
PAGE = (HERE.parents[2] / "docs/evaluators.md").read_text(encoding="utf-8")
VALUES = ("sr", "quality", "normalized", "optimal")
USAGE = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}


def blocks(heading, kind):
    """The page's blocks of a kind under a heading."""
    section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)[1]
    return re.findall(rf"^```{kind}\n(.*?)^```", section, re.MULTILINE | re.DOTALL)


def said_of(row, greedy, place):
    """What the model says to the row in this place: a text that it means to be read, and how the server says it."""
    best, poor = json.dumps(row["answer"]), json.dumps(greedy)
    thought, tagged = "<think>Let me see.</think>", f"<answer>{best}</answer>"
    kinds = [
        (thought + tagged, {}),
        (f"{thought}<answer>{poor}</answer>", {}),
        (f"<think>A draft: <answer>[0]</answer>, no.</think>{tagged}", {}),
        (f"{thought}<answer>[0, 0, 0]</answer>", {}),
        (f"{thought}{tagged} That is it.", {}),
        (thought + tagged, {"text": tagged, "reasoning": "Let me see."}),
        (f"{thought}{tagged}", {"finish": "length"}),
        (f"<think>It is {tagged} or", {"finish": "length"}),
        ("", {"text": None}),
        (tagged, {}),
        (f"<think>One.</think>{thought}{tagged}", {}),
        ("I can't solve this… 不 \x00 <answer>", {}),
        (f"\n{thought}\n\n<answer>\n{best}\n</answer>\n<|im_end|>", {}),
        (f"<think>A closing </think> in it.</think>{tagged}", {}),
    ]
    text, how = kinds[place % len(kinds)]
    return text, Reply(**{"text": text, "usage": USAGE, **how})


class Known:
    """Rows of a benchmark set, what the model says to each, and what the engine makes of it."""

    def __init__(self, format, level="benchmark", count=10, tasks=("tsp", "knapsack", "set_cover")):
        by = optgap.Engine("cpu", threads=2)
        self.rows = [row for of in benchmark_set(list(tasks), level, count, format=format).values() for row in of]
        instances = by.instances([row["key"] for row in self.rows])
        greedy = by.greedy(instances).tolist()
        said = [said_of(row, poor, place) for place, (row, poor) in enumerate(zip(self.rows, greedy))]
        self.texts = [text for text, _ in said]
        self.replies = {row["prompt"]: reply for row, (_, reply) in zip(self.rows, said)}
        assert len(self.replies) == len(self.rows)
        self.finish = [reply.finish for _, reply in said]
        self._engine, self._instances, self._format = by, instances, format

    def scored(self, texts, finish=None):
        """{key: {metric: value}}, by Engine.score."""
        scores = self._engine.score(
            self._instances, texts, self._engine.solve(self._instances), finish=finish, format=self._format
        )
        columns = (scores.feasible, scores.quality, scores.normalized, scores.optimal)
        values = zip(*(np.asarray(column, float).tolist() for column in columns))
        return {row["key"]: dict(zip(VALUES, of)) for row, of in zip(self.rows, values)}


def means(scored):
    return {name: float(np.mean([values[name] for values in scored.values()])) for name in VALUES}


def of_task(scored, task):
    return {key: values for key, values in scored.items() if key.startswith(f"{task}@")}


@pytest.fixture
def server():
    """Answers what `server.replies` has for a prompt."""
    replies = {}
    with StandIn(lambda request: replies[request.prompt]) as running:
        running.replies = replies
        yield running


@pytest.fixture
def run(tmp_path, server):
    """Runs lines of the page in a folder of their own, with the server in place of localhost:8000; returns what they print."""
    log = tmp_path / "left"
    environment = {
        **os.environ,
        "PATH": f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(HERE / "loopback"),
        "LOOPBACK_LOG": str(log),
        "HF_HOME": str(tmp_path / "hf-home"),
        "HF_HUB_OFFLINE": "1",
        "INSPECT_LOG_DIR": "logs",
        "INSPECT_LOG_FORMAT": "json",
        "INSPECT_DISPLAY": "plain",
    }

    def run_lines(script, shorter=(), code=0):
        for long, short in (("http://localhost:8000/v1", server.base_url), *shorter):
            assert long in script or long.startswith("http"), long
            script = script.replace(long, short)
        done = subprocess.run(
            ["bash", "-e", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == code, f"{script}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        assert not log.exists(), f"connections that left this machine: {log.read_text()}"
        return done.stdout + done.stderr

    run_lines.log = log
    return run_lines
