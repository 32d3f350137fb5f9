"""Tests that call the trainers themselves. Without them nothing here is collected; tools/trainers_test.sh insists."""

import importlib.util
import json

import pytest

import optgap

if any(importlib.util.find_spec(name) is None for name in ("torch", "trl", "verl", "openrlhf")):
    collect_ignore_glob = ["*_test.py"]


def pytest_collection_modifyitems(items):
    """The longest test begins first, or the other worker waits for it at the end."""
    items.sort(key=lambda item: "the_short_run_learns" not in item.nodeid)


@pytest.fixture(scope="session")
def problems():
    """Rows of four instances of two tasks as `optgap dataset` writes them, with an optimal and a greedy answer each."""
    engine = optgap.Engine("cpu", threads=2)
    instances = engine.generate(["tsp", "knapsack"], "easy", 2, seed=5)
    solved = engine.solve(instances)
    answers = zip(solved.answers.tolist(), engine.greedy(instances).tolist())
    rows = []
    for key, record, prompt, pair in zip(instances.keys, solved.records(), engine.prompts(instances), answers):
        optimal, greedy = (f"<think>hm</think><answer>{json.dumps(answer)}</answer>" for answer in pair)
        rows.append({
            "data_source": f"optgap/{key.split('@')[0]}/easy",
            "ground_truth": json.dumps({"key": key, "baseline": record, "format": "forge"}),
            "prompt": prompt,
            "optimal": optimal,
            "greedy": greedy,
        })  # fmt: skip
    return rows


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory):
    """In a folder, as verl reads it."""
    from tiny_model import CHATML, byte_tokenizer

    made = byte_tokenizer(CHATML)
    made.name_or_path = str(tmp_path_factory.mktemp("model"))
    made.save_pretrained(made.name_or_path)
    return made


@pytest.fixture(scope="module")
def running_ray():
    import ray

    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()
