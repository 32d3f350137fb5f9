"""Writes rows.jsonl: answers, programs, texts that a rubric rewards and an environment's verdicts, in turns in one file.

One call rewards all of them, in their order and in one set of columns:

    optgap score examples/mixed/rows.jsonl --isolation auto --external

Each row's ground truth for a trainer is what is left of it without `id`, `kind`, `completion` and `external`.
"""

import json
import pathlib

from optgap.examples.even_sum import EvenSum
from optgap.rows.external.keys import problem_hash

FOLDER = pathlib.Path(__file__).resolve().parent

OPTIMUM = "[0, 4, 2, 15, 5, 9, 12, 8, 7, 1, 10, 3, 6, 13, 11, 14]"
TOURS = "tsp@1:train:easy:1*3"
CHAIN = {
    "chain": 1,
    "references": ["The capital of France is Paris. Paris lies on the Seine."],
    "content": {"points": [{"name": "city", "references": [{"keywords": ["capital", "Paris", "Seine"]}]}]},
    "style": [{"check": "words", "max": 40}],
    "gates": ["density", "length"],
}


def answer(name, key, text):
    return {"id": name, "kind": "answer", "key": key, "completion": f"<think>hm</think><answer>{text}</answer>"}


def program(name):
    source = (FOLDER.parent / "programs" / name).read_text(encoding="utf-8")
    completion = f"<think>hm</think>Here it is.\n\n```python\n{source.rstrip()}\n```\n"
    return {"id": name, "kind": "program", "key": TOURS, "language": "python", "completion": completion}


def text(name, completion):
    return {"id": name, "kind": "chain", "prompt": "What is the capital of France, and where does it lie?", "chain": CHAIN,
            "completion": completion}  # fmt: skip


def outside(name, seed, says):
    environment = EvenSum()
    problem, _ = environment.generate(1, seed)
    key = f"toy/even_sum@1:train:d1:{seed}#{problem_hash(problem)}"
    return {"id": name, "kind": "external", "key": key, "problem": problem, "external": environment.verify(problem, says),
            "completion": f"<think>hm</think><answer>{says}</answer>"}  # fmt: skip


def rows():
    yield answer("shortest tour", "tsp@1:train:easy:1", OPTIMUM)
    yield program("tsp_floor.py")
    yield text("honest", "The capital of France is Paris, a city on the Seine.")
    yield outside("says true", 4, "True")
    yield program("tsp_greedy.py")
    yield answer("half a tour", "tsp@1:train:easy:1", "[0, 1]")
    yield text("nothing to do with it", "I like cheese.")
    yield {**program("tsp_floor.py"), "id": "no program", "completion": "I would visit the nearest city first."}
    yield outside("says false", 4, "False")
    yield {**program("tsp_floor.py"), "id": "crashes", "completion": "```python\nraise SystemExit(3)\n```"}


if __name__ == "__main__":
    (FOLDER / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows()), encoding="utf-8")
