"""Rows as `optgap dataset` writes them, and what models of different worth answer."""

import json
from dataclasses import dataclass

import pytest

import optgap


@dataclass
class Rows:
    """Four instances of two tasks."""

    keys: list
    data_sources: list
    ground_truths: list
    optimal: list
    greedy: list


def written(answer):
    return f"<think>hm</think><answer>{json.dumps(answer)}</answer>"


@pytest.fixture(scope="session")
def engine():
    return optgap.Engine("cpu", threads=2)


@pytest.fixture(scope="session")
def rows(engine):
    instances = engine.generate(["tsp", "knapsack"], "easy", 2, seed=5)
    baselines = engine.solve(instances)
    assert baselines.proven.all()
    truths = [
        json.dumps({"key": key, "baseline": record, "format": "forge"}, separators=(",", ":"))
        for key, record in zip(instances.keys, baselines.records())
    ]
    return Rows(
        instances.keys,
        [f"optgap/{key.split('@')[0]}/easy" for key in instances.keys],
        truths,
        [written(answer) for answer in baselines.answers.tolist()],
        [written(answer) for answer in engine.greedy(instances).tolist()],
    )
