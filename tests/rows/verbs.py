"""The kinds of rows from their declarations, and each command's result on rows of each: the tables of docs/rows.md.

OPTGAP_BINARY=build/release/optgap python3 tests/rows/verbs.py --write    writes it anew"""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from frozen_rows import ROWS
from make_rows import KINDS

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/rows.md"
BINARY = os.environ.get("OPTGAP_BINARY", "build/release/optgap")
MARKS = {
    name: (f"<!-- The {name}: tests/rows/verbs.py --write -->\n", f"<!-- The {name} end. -->\n")
    for name in ("kinds", "columns", "commands")
}
OPTIONS = ("--isolation", "auto", "--external")
VERBS = {
    "score": ("score", "-", *OPTIONS),
    "score --stats": ("score", "-", *OPTIONS, "--stats", "{folder}/stats.json"),
    "eval": ("eval", "{scored}"),
    "eval of rows that are not scored": ("eval", "-", *OPTIONS),
    "explain": ("explain", "-", "--row", "1", *OPTIONS),
    "diff": ("diff", "{scored}", "{scored}"),
    "rescore": ("rescore", "{scored}", "--reward", "power", *OPTIONS),
}
"""Arguments by name; stdin has the unchanged rows."""


def first_rows():
    """Three of each kind, which `score` takes."""
    found = collections.defaultdict(list)
    for line in ROWS.read_bytes().splitlines():
        name = re.match(rb'\{"id": "(\w+): ', line)
        if name and len(found[name[1].decode()]) < 3:
            found[name[1].decode()].append(line.decode())
    return {kind: "".join(line + "\n" for line in found[kind]) for kind in KINDS}


def cells():
    """By command and kind: "yes", or the sentence that refuses its rows."""
    out = {}
    with tempfile.TemporaryDirectory() as folder:
        for kind, rows in first_rows().items():
            scored = pathlib.Path(folder) / f"{kind}.jsonl"
            for verb, arguments in VERBS.items():
                given = [argument.format(folder=folder, scored=scored) for argument in arguments]
                done = subprocess.run([BINARY, *given], input=rows, capture_output=True, text=True, timeout=120)
                if verb == "score":
                    scored.write_text(done.stdout, encoding="utf-8")
                out[verb, kind] = "yes" if done.returncode == 0 else refusal(done.stderr or done.stdout)
    return out


def refusal(said):
    """The rule, without its place and without the names of this build's tasks."""
    sentence = re.sub(
        r"^(optgap: )?(\d+ rows? (rejected|left out), first )?(stdin, )?row \d+(,| is rejected:) ",
        "",
        said.splitlines()[0],
    )
    return re.sub(r"; this build has:.*", "", sentence).replace("|", "\\|")


def table():
    known, notes = cells(), []
    lines = ["| | " + " | ".join(KINDS) + " |", "|---" * (len(KINDS) + 1) + "|"]
    for verb in VERBS:
        shown = []
        for kind in KINDS:
            cell = known[verb, kind]
            if cell != "yes" and cell not in notes:
                notes.append(cell)
            shown.append("yes" if cell == "yes" else f"no ({notes.index(cell) + 1})")
        lines.append(f"| `{verb}` | " + " | ".join(shown) + " |")
    refusals = [f"{number}. {note}" for number, note in enumerate(notes, 1)]
    said = ["What a `no` says:", "", *refusals, ""] if refusals else []
    return "\n".join([*lines, "", *said])


def declared():
    done = subprocess.run([BINARY, "kinds", "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def kinds_table():
    rows = [f"| {kind['kind']} | {kind['known_by']} | [{kind['page']}]({kind['page']}) |" for kind in declared()]
    return "\n".join(["| kind | known by | page |", "|---|---|---|", *rows, ""])


def columns_table():
    lines = ["| kind | column | type | meaning |", "|---|---|---|---|"]
    for kind in declared():
        for way in ("reads", "adds"):
            for column in kind[way]:
                meaning = column["meaning"].replace("|", "\\|").replace("<", "&lt;")
                lines.append(f"| {kind['kind']} {way} | `{column['name']}` | {column['type']} | {meaning} |")
    lines += ["", "| kind | option | type | meaning |", "|---|---|---|---|"]
    for kind in declared():
        for option in kind["options"]:
            help = option["help"].replace("|", "\\|").replace("<", "&lt;")
            lines.append(f"| {kind['kind']} | `--{option['name']}` | {option['type']} | {help} |")
    return "\n".join([*lines, ""])


def written():
    page = PAGE.read_text(encoding="utf-8")
    for name, made in (("kinds", kinds_table()), ("columns", columns_table()), ("commands", table())):
        begin, end = MARKS[name]
        before, _, rest = page.partition(begin)
        _, _, after = rest.partition(end)
        page = before + begin + "\n" + made + "\n" + end + after
    return page


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    PAGE.write_text(written(), encoding="utf-8")
