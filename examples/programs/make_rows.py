"""Writes rows.jsonl: what four models might answer to one problem, in the form that `optgap score --isolation auto` reads.

The problem is three easy tours, which the programs do not see: their seeds are 1, 2 and 3 (docs/programs.md).
"""

import json
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent
KEY = "tsp@1:train:easy:1*3"


def completion(text, tag):
    return f"<think>Let me see.</think>Here it is.\n\n```{tag}\n{text.rstrip()}\n```\n"


def rows():
    for name in ("tsp_floor.py", "tsp_greedy.py", "tsp_floor.cpp", "tsp_greedy.cpp"):
        language = "cpp" if name.endswith(".cpp") else "python"
        text = (FOLDER / name).read_text(encoding="utf-8")
        yield {"id": name, "key": KEY, "language": language, "completion": completion(text, language)}
    for name, language, text in (
        ("broken", "cpp", "int main() { return tour; }"),
        ("forever", "python", "while True:\n    pass"),
        ("half", "python", 'import json\nprint(*range(len(json.loads(input())["distances"]) // 2))'),
    ):
        yield {"id": name, "key": KEY, "language": language, "completion": completion(text, language)}
    yield {"id": "no program", "key": KEY, "language": "python", "completion": "I would visit the nearest city first."}


if __name__ == "__main__":
    lines = "".join(json.dumps(row) + "\n" for row in rows())
    (FOLDER / "rows.jsonl").write_text(lines, encoding="utf-8")
