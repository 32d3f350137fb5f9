#!/usr/bin/env python3
"""Writes the tables of the declarative tasks' pages (kernels/tasks/NAME/README.md) from the program: fields of an instance, verdicts,
sizes, examples and prompts. What stands above the first marker line is written by hand and stays.

  tools/family_pages.py            lists pages that are stale; exit code 1
  tools/family_pages.py --write    writes them

The program is build/release/optgap, or what OPTGAP_BINARY names."""

import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TASKS = ROOT / "kernels" / "tasks"
BEGIN, END = "<!-- The tables: tools/family_pages.py --write -->\n", "<!-- The tables end. -->\n"


def cell(value):
    return "" if value is None else str(value).replace("|", "\\|").replace("\n", " ")


def table(columns, rows):
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join("| " + " | ".join(cell(value) for value in line) + " |\n" for line in lines)


def code(value):
    return f"`{value}`"


def fields(task):
    yield "## Fields of an instance\n\n"
    rows = [[code(field["name"]), field["kind"], field["words"], field["rule"]] for field in task["layout"]]
    yield table(["field", "kind", "words", "rule"], rows)
    yield "\nJSON leaves out sizes, which its lists show, and writes a graph as `n` and its edges.\n\n"


def verdicts(task):
    yield "## Verdicts\n\n"
    yield "The first rule that fails, in this order; of the task's own codes stands the sentence for an answer that breaks it.\n\n"
    rows = []
    for row in task["verdicts"]:
        where = row["where"] if "rule" in row else "the first" * ("{where}" in row["sentence"])
        rows.append([code(row["code"]), row["rule"] if "rule" in row else f"“{row['sentence']}”", where or "−1"])
    yield table(["code", "rule", "where"], rows) + "\n"


def sizes(task):
    said = "; characters are those of prompt style 0" if task["direct"] else ""
    yield f"## Sizes\n\nLeast and most of twenty instances{said}.\n\n"
    names = [name for name in task["sizes"][0] if name != "level"]
    rows = [[row["level"], *("–".join(map(str, sorted(set(row[name])))) for name in names)] for row in task["sizes"]]
    yield table(["level", *(name.replace("_chars", ", characters") for name in names)], rows) + "\n"


def examples(task):
    yield "## Examples\n\n"
    rows, last = [], None
    for row in task["examples"]:
        instance = code(json.dumps(row["instance"]))
        answer = code(row["answer"]) if "answer" in row else ""
        rows.append(
            ["" if instance == last else instance, answer, code(row["code"]), row.get("objective"), row["sentence"]]
        )
        last = instance
    yield table(["instance", "answer", "verdict", "objective", "what is said"], rows) + "\n"


def prompts(task):
    yield "## Prompts\n\nThe first example's instance in each style; the last style is kept for evaluation.\n"
    for style, prompt in enumerate(task["prompts"]):
        yield f"\nStyle {style}:\n\n```text\n{prompt.rstrip()}\n```\n"


def tables(task):
    """What stands between the marker lines."""
    return "".join(part for section in (fields, verdicts, sizes, examples, prompts) for part in section(task))


def filled(page, task):
    """The page with its tables as they must be; ValueError without the marker lines."""
    if page.count(BEGIN) != 1 or page.count(END) != 1 or page.index(BEGIN) > page.index(END):
        raise ValueError(f"needs these two lines, in this order:\n{BEGIN}{END}")
    return page[: page.index(BEGIN) + len(BEGIN)] + tables(task) + page[page.index(END) :]


def main(arguments):
    if arguments not in ([], ["--write"]):
        print(__doc__)
        return 2
    program = os.environ.get("OPTGAP_BINARY", str(ROOT / "build" / "release" / "optgap"))
    stale = 0
    for task in json.loads(subprocess.run([program, "tasks", "--json"], capture_output=True, check=True).stdout):
        path = TASKS / task["name"] / "README.md"
        if not task["verdicts"] or not path.is_file():  # a heavy task's page is written by hand
            continue
        page = path.read_text(encoding="utf-8")
        try:
            fresh = filled(page, task)
        except ValueError as problem:
            sys.exit(f"family_pages.py: {path} {problem}")
        if page != fresh and arguments:
            path.write_text(fresh, encoding="utf-8")
            print(path)
        elif page != fresh:
            stale += 1
            print(f"{path} is stale: tools/family_pages.py --write", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
