#!/usr/bin/env python3
"""Writes the tables of estimators (docs/advantages.md) and of reward shapes (docs/rewards.md) from what they declare.

  tools/tables/rule_tables.py            lists pages that are stale; exit code 1
  tools/tables/rule_tables.py --write    writes them

The program is build/release/optgap, or what OPTGAP_BINARY names."""

import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from family_pages import code, table  # noqa: E402

PAGES = {"estimators": ROOT / "docs" / "advantages.md", "shapes": ROOT / "docs" / "rewards.md"}
BEGIN, END = "<!-- The table: tools/tables/rule_tables.py --write -->\n", "<!-- The table ends. -->\n"


def values(parameter):
    if "choices" in parameter:
        return " or ".join(code(choice) for choice in parameter["choices"])
    if "components" in parameter:
        return "an object of components"
    if "steps" in parameter:
        return parameter["steps"]
    return f"{parameter['low']:g} to {parameter['high']:g}"


def shown(parameter):
    default = parameter.get("default")
    after = f", default {code(default)}" if isinstance(default, (str, int, float)) else ""
    return f"{code(parameter['name'])}: {values(parameter)}{after}"


def estimators(rows):
    lines = []
    for row in rows:
        epsilon, lone, *own = row["parameters"]
        presets = ", ".join(code(name) for name in row["presets"])
        lines.append([
            code(row["name"]) + (f"; {presets}" if presets else ""), row["formula"], f"{epsilon['default']:g}", code(lone["default"]),
            ", ".join(row["reads"]), row["scope"], "both executors" if row["device"] else "the host", "; ".join(map(shown, own)),
            row["source"],
        ])  # fmt: skip
    return table(
        ["name; presets", "form", "epsilon", "of_one", "reads", "scope", "computed by", "parameters", "source"], lines
    )


def shapes(rows):
    lines = []
    for row in rows:
        own = row["defaults"]
        constants = (
            "–" if own is None else f"{own['format_valid']:g} / {own['format_broken']:g}, {own['infeasible_value']:g}"
        )
        lines.append(
            [code(row["name"]), row["formula"], constants, "; ".join(map(shown, row["parameters"])), row["source"]]
        )
    return table(
        ["shape", "a feasible answer earns", "format valid / broken, infeasible", "parameters", "source"], lines
    )


def main(arguments):
    program = os.environ.get("OPTGAP_BINARY", str(ROOT / "build" / "release" / "optgap"))
    declared = json.loads(
        subprocess.run([program, "rules", "--json"], capture_output=True, text=True, check=True).stdout
    )
    stale = False
    for name, write in (("estimators", estimators), ("shapes", shapes)):
        page = PAGES[name]
        before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
        _, _, after = rest.partition(END)
        text = before + BEGIN + write(declared[name]) + END + after
        if text != page.read_text(encoding="utf-8"):
            if "--write" in arguments:
                page.write_text(text, encoding="utf-8")
            else:
                stale = True
                print(f"{page.name} is stale: tools/tables/rule_tables.py --write")
    return int(stale)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
