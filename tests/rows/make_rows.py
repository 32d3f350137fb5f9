"""Writes rows.jsonl: rows of every kind in turns, right, wrong, broken and hostile ones, as `optgap score` may get
them.

golden/ has the results (frozen_rows_test.py), byte for byte except for the fingerprint.
"""

import itertools
import json
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent
EXAMPLES = FOLDER.parents[1] / "examples"

TSP = "tsp@1:train:easy:1"
OPTIMUM = "[0, 4, 2, 15, 5, 9, 12, 8, 7, 1, 10, 3, 6, 13, 11, 14]"
SQUARE = {"distances": [[0, 10, 15, 20], [10, 0, 35, 25], [15, 35, 0, 30], [20, 25, 30, 0]]}
SACK = {"capacity": 20, "weights": [3, 5, 7, 9, 4, 6], "values": [4, 9, 11, 12, 5, 8]}
CHAIN = {
    "chain": 1,
    "references": ["The capital of France is Paris. Paris lies on the Seine."],
    "content": {"points": [{"name": "city", "references": [{"keywords": ["capital", "Paris", "Seine"]}]}]},
    "style": [{"check": "words", "max": 40}],
    "gates": ["density", "length"],
}
OUTSIDE = "mine/toy@1:train:d3:17#9f3a1c2e"


def forge(answer):
    return f"<think>hm</think><answer>{answer}</answer>"


def answers():
    yield "optimal", {"key": TSP, "completion": forge(OPTIMUM)}
    yield "half a tour", {"key": TSP, "completion": forge("[0, 1]")}
    yield "no tags", {"key": TSP, "completion": OPTIMUM}
    yield "two answers", {"key": TSP, "completion": forge("[0]") + forge(OPTIMUM)}
    yield "words", {"key": TSP, "completion": forge("the shortest one")}
    yield "its own instance", {"task": "tsp", "instance": SQUARE, "completion": forge("[0, 1, 3, 2]")}
    yield "a worse tour of it", {"task": "tsp", "instance": SQUARE, "completion": forge("[0, 1, 2, 3]")}
    yield (
        "a given baseline",
        {
            "task": "tsp",
            "instance": SQUARE,
            "completion": forge("[0, 1, 3, 2]"),
            "baseline": {"objective": 90, "bound": 70, "proven": False},
        },
    )
    yield "boxed", {"key": "knapsack@1:train:easy:3", "format": "boxed", "completion": "so \\boxed{[0, 1]}"}
    yield "cut off", {"key": TSP, "completion": forge(OPTIMUM), "finish": "length"}
    yield "used up", {"key": TSP, "completion": forge(OPTIMUM), "finish": "stop", "length": 64, "limit": 64}
    yield "free spelling", {"key": TSP, "completion": forge(f"The tour is **{OPTIMUM}**.")}
    yield "named group", {"key": TSP, "completion": forge(OPTIMUM), "group": {"run": [1, None]}}
    yield "named group again", {"key": TSP, "completion": forge("[0]"), "group": {"run": [1, None]}}
    yield "a satisfied puzzle", {"key": "futoshiki@1:train:easy:1", "completion": forge("[[1, 2], [2, 1]]")}
    yield "an unknown task", {"key": "tps@1:train:easy:1", "completion": "x"}
    yield "a foreign key", {"key": 17, "completion": forge("[0]")}
    yield "another hash", {"key": TSP + "#00000000", "completion": forge(OPTIMUM)}
    yield "no completion", {"key": TSP}
    yield "a number for a completion", {"key": TSP, "completion": 7}
    yield "a bad instance", {"task": "tsp", "instance": {"distances": [[0, 1], [1, 0]]}, "completion": "x"}
    yield "an unknown format", {"key": TSP, "format": "boxedd", "completion": "x"}
    yield "half a baseline", {"key": TSP, "completion": forge(OPTIMUM), "baseline": {"objective": 90}}
    yield "a mark of the end in it", {"key": TSP, "completion": "<think>hm</think><answer>[0\x00, 1]</answer>"}
    yield "no text", {"key": TSP, "completion": ""}
    yield "brackets without an end", {"key": TSP, "completion": forge("[" * 4000)}


def programs():
    def of(name):
        source = (EXAMPLES / "programs" / name).read_text(encoding="utf-8")
        return f"<think>hm</think>Here it is.\n\n```python\n{source.rstrip()}\n```\n"

    tours = {"key": "tsp@1:train:easy:1*3", "language": "python"}
    yield "floor", {**tours, "completion": of("tsp_floor.py")}
    yield "greedy", {**tours, "completion": of("tsp_greedy.py")}
    yield "no program", {**tours, "completion": "I would visit the nearest city first."}
    yield "crashes", {**tours, "completion": "```python\nraise SystemExit(3)\n```"}
    yield "prints nonsense", {**tours, "completion": "```python\nprint('[0' * 9)\n```"}
    yield (
        "right once",
        {
            **tours,
            "completion": "```python\nimport json\nd = json.loads(input())\nprint([0] if 'x' in d else list(range(9)))\n```",
        },
    )
    yield "another language", {**tours, "language": "rust", "completion": of("tsp_floor.py")}
    yield "limits of nothing", {**tours, "limits": {"cpu_ms": 0}, "completion": of("tsp_floor.py")}
    yield "no instances", {**tours, "key": "tsp@1:train:easy:1*0", "completion": of("tsp_floor.py")}


def texts():
    asked = {"prompt": "What is the capital of France, and where does it lie?", "chain": CHAIN}
    yield "honest", {**asked, "completion": "The capital of France is Paris, a city on the Seine."}
    yield "beside the point", {**asked, "completion": "I like cheese."}
    yield "stuffed", {**asked, "completion": "capital Paris Seine " * 20}
    yield "nothing", {**asked, "completion": ""}
    yield "cut off", {**asked, "completion": "The capital of France is Paris", "finish": "length"}
    yield "a key that is not ours", {**asked, "key": "q-17", "completion": "Paris, the capital, on the Seine."}
    yield "an unknown check", {**asked, "chain": {**CHAIN, "style": [{"check": "rhymes"}]}, "completion": "Paris."}
    yield "a chain of nothing", {"chain": {}, "completion": "Paris."}
    yield "a missing chain key", {"chain_key": "nowhere", "completion": "Paris."}
    yield "a chain and a program", {**asked, "language": "python", "completion": "```python\nprint('Paris')\n```"}


def proposals():
    yield "a level", {"proposal": {"task": "tsp", "level": "d5", "seed": 1}}
    yield "the same again", {"proposal": {"task": "tsp", "level": "d5", "seed": 1}}
    yield "an instance", {"proposal": {"task": "knapsack", "instance": SACK}}
    yield (
        "in its tags",
        {"role": "proposer", "completion": '<question>{"task": "tsp", "level": "d4", "seed": 2}</question>'},
    )
    yield "without tags", {"role": "proposer", "completion": "hm"}
    yield (
        "an edit",
        {
            "proposal": {
                "parent": "knapsack@1:train:easy:0",
                "edit": [{"op": "replace", "path": "/weights/3", "value": 17}],
            }
        },
    )
    yield "an unknown field", {"proposal": {"task": "tsp", "level": "d2", "sead": 1}}
    yield "an unknown task", {"proposal": {"task": "tps", "level": "d2", "seed": 1}}
    yield "a bad instance", {"proposal": {"task": "knapsack", "instance": {**SACK, "capacity": -1}}}
    yield "trivial", {"proposal": {"task": "knapsack", "instance": {"capacity": 9, "weights": [1], "values": [1]}}}
    yield "too large", {"proposal": {"task": "clique", "instance": {"n": 2147483647, "edges": []}}}
    yield "a text for one", {"proposal": "nothing"}


def judgements():
    def of(score, row, **more):
        return {"role": "judge", "completion": f"hm <score>{score}</score>", "judged": row, **more}

    best = {"key": TSP, "completion": forge(OPTIMUM)}
    broken = {"key": TSP, "completion": forge("[0, 1]")}
    yield "right of the best", of(9, best)
    yield "wrong of the best", of(2, best)
    yield "right of a broken one", of(1, broken)
    yield "no score", {**of(1, best), "completion": "good"}
    yield "two scores", {**of(1, best), "completion": "<score>7</score><score>8</score>"}
    yield "out of range", of(11, best)
    yield "cut off", {**of(7, best), "completion": "<score>7", "finish": "length"}
    yield "of nothing", of(7, {})
    yield "of a text", of(7, "best")
    yield "without a row", {"role": "judge", "completion": "<score>7</score>"}


def outside():
    def of(verdict, answer="7", key=OUTSIDE, **more):
        return {"key": key, "completion": forge(answer), "external": verdict, **more}

    yield "half", of({"reward": 0.5})
    yield "correct", of({"reward": 1, "correct": True})
    yield "measured", of({"objective": 8, "sense": "minimise", "anchors": {"objective": 4}}, key="a/b@2:val:d0:1")
    yield "below nothing", of({"reward": -1})
    yield "too much", of({"reward": 7})
    yield "no verdict", of(None)
    yield "an unknown field", of({"rewards": 1})
    yield "a code", of({"reward": -1, "correct": False, "code": "wrong_sum"})


KINDS = {
    "answer": answers,
    "program": programs,
    "text": texts,
    "proposal": proposals,
    "judgement": judgements,
    "external": outside,
}
NO_ROWS = (
    b"{",
    b"[1]",
    b"null",
    b'{"key": "tsp@1:train:easy:1", "completion": "\xff"}',
    b'{"id": 1, "id": 2}',
    b"",
    b"{} {}",
)


def lines():
    named = [[{"id": f"{kind}: {name}", **row} for name, row in rows()] for kind, rows in KINDS.items()]
    in_turns = [row for turn in itertools.zip_longest(*named) for row in turn if row is not None]
    text = [json.dumps(row).encode() for row in in_turns]
    for k, broken in enumerate(NO_ROWS):
        text.insert(7 * (k + 1), broken)
    return text


if __name__ == "__main__":
    (FOLDER / "rows.jsonl").write_bytes(b"".join(line + b"\n" for line in lines()))
