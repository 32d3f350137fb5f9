#!/usr/bin/env python3
"""Writes the tables of docs/checks.md from the program: measures, and instruction types in both forms.

  tools/checks/page.py            reports whether the page is stale; exit code 1
  tools/checks/page.py --write    writes it

The program is build/release/optgap_check_rows (target optgap_check_rows), or what OPTGAP_CHECK_ROWS names."""

import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/checks.md"
# The order of argument_kind in host/rubric/checks/types.hpp.
KINDS = [
    "n ≥ 0",
    "n ≥ 1",
    "text",
    "texts",
    "expression; ours: whole word",
    "expressions; ours: whole words",
    "expressions between \\b; ours: whole words",
    "text between \\b; ours: whole word",
    "less than or at least",
    "words (the user's)",
    "word: n (the user's)",
    "name: words (the user's)",
]


def code(value):
    """The value in backticks, doubled where it contains one."""
    return f"`{value}`" if "`" not in value else f"`` {value} ``"


def cell(value):
    """Escapes the marks of Markdown and HTML."""
    for mark in "\\|*<>[]_`":
        value = value.replace(mark, "\\" + mark)
    return value


def table(columns, rows):
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def option(one):
    text = code(one["name"])
    if one["choices"]:
        text += f" ({one['choices'].replace(' ', ', ')})"
    if one["required"]:
        return text + ", required"
    default = str(one["number"]) if one["kind"] in (0, 1) else one["text"]
    return text + (f" = {code(default)}" if default else "")


def measures(kinds):
    rows = [
        [
            one["family"],
            code(one["name"]),
            "; ".join(map(option, one["options"])),
            cell(one["prose"]) + (" (yes or no)" if one["yes_no"] else ""),
            cell(one["share"] or ""),
        ]
        for one in kinds["measures"]
    ]
    rows.append(
        [
            "pattern",
            "`pattern`",
            "`expression`, required; `ignore_case`; `multiline`",
            "matches of a regular expression of RE2, 200 bytes at most",
            "",
        ]
    )
    rows.append(
        [
            "external",
            "`external`",
            "`external`, required: the name; `min`, `max`",
            "a number that the row brings; at least 1 without a bound",
            "",
        ]
    )
    return table(["family", "measure", "options", "what it counts", "share of"], rows)


def types(kinds):
    out = ""
    for suite in ("IFEval", "IFBench", "IF-RLVR"):
        own = [one for one in kinds["types"] if one["suite"] == suite]
        rows = [
            [
                code(one["name"]),
                "; ".join(f"{code(name)}: {KINDS[kind]}" for name, kind in one["arguments"]),
                one["evidence"],
                cell(one["peer"]),
                cell(one["strict"]),
            ]
            for one in own
        ]
        out += (
            f"### {suite}: {len(own)} types\n\n"
            + table(["type", "arguments", "class", "passes iff (`peer`)", "`strict` asks besides"], rows)
            + "\n"
        )
    return out.rstrip("\n") + "\n"


def written(page, kinds):
    for name, text in (("measures", measures(kinds)), ("types", types(kinds))):
        begin, end = f"<!-- {name}: tools/checks/page.py --write -->\n", f"<!-- {name} end. -->\n"
        before, found, rest = page.partition(begin)
        _, closed, after = rest.partition(end)
        if not found or not closed:
            sys.exit(f"docs/checks.md has no place for its {name}: {begin.strip()} ... {end.strip()}")
        page = before + begin + "\n" + text + "\n" + end + after
    return page


def main():
    if sys.argv[1:] not in ([], ["--write"]):
        print(__doc__, file=sys.stderr)
        return 2
    program = os.environ.get("OPTGAP_CHECK_ROWS", str(ROOT / "build/release/optgap_check_rows"))
    kinds = json.loads(subprocess.run([program, "--kinds"], capture_output=True, text=True, check=True).stdout)
    page = PAGE.read_text(encoding="utf-8")
    wanted = written(page, kinds)
    if sys.argv[1:]:
        PAGE.write_text(wanted, encoding="utf-8")
        return 0
    if page != wanted:
        print("docs/checks.md: its tables are stale: tools/checks/page.py --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
