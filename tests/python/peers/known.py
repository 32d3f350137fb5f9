"""docs/evaluators.md, and what the stand-in server says to the rows of a benchmark set, with the engine's verdicts on it."""

import json
import pathlib
import re

import numpy as np
from stand_in_server import Reply

import optgap
from optgap.data.benchmark_set import benchmark_set

PAGE = (pathlib.Path(__file__).resolve().parents[3] / "docs/evaluators.md").read_text(encoding="utf-8")
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
