"""The kinds of rows as they declare themselves, and what each command makes of rows of each: the tables of docs/rows.md.

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
"""Arguments by name; stdin has the rows as they are."""
SERVED = "score --server"
"""The bytes of `score`, from a daemon that takes every call."""
SCHEDULED = "scheduler"
"""The bytes of a scorer, from `submit_row` and `collect_rows`: tests/host/scheduler_rows_test.cpp, by kind."""
ROWS_OF_TABLE = (*VERBS, SERVED, SCHEDULED)


def first_rows():
    """Three of each kind, which `score` takes."""
    found = collections.defaultdict(list)
    for line in ROWS.read_bytes().splitlines():
        name = re.match(rb'\{"id": "(\w+): ', line)
        if name and len(found[name[1].decode()]) < 3:
            found[name[1].decode()].append(line.decode())
    return {kind: "".join(line + "\n" for line in found[kind]) for kind in KINDS}


def cells():
    """By verb and kind: "yes", or the sentence that refuses its rows."""
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
            out[SCHEDULED, kind] = scheduled(kind)
        for kind, how in served(pathlib.Path(folder)):
            out[SERVED, kind] = how
    return out


def served(folder):
    """By kind: does a daemon change no byte of what `score` has written to the folder?"""
    socket = str(folder / "daemon")
    daemon = subprocess.Popen([BINARY, "serve", "--socket", socket, "--take-all"], stdout=subprocess.PIPE)
    daemon.stdout.readline()  # it listens
    try:
        for kind, rows in first_rows().items():
            done = subprocess.run(
                [BINARY, "--server", socket, "score", "-", *OPTIONS],
                input=rows,
                capture_output=True,
                text=True,
                timeout=120,
            )
            same = done.stdout == (folder / f"{kind}.jsonl").read_text(encoding="utf-8")
            yield kind, "yes" if same else "the daemon writes other bytes"
    finally:
        daemon.terminate()
        daemon.communicate(timeout=60)


def scheduled(kind):
    """Where this build has no tests, as the page has it."""
    tests = pathlib.Path(BINARY).parent / "optgap_unit_tests"
    if not tests.exists():
        said = next(
            line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith(f"| `{SCHEDULED}`")
        )
        return said.split("|")[2 + list(KINDS).index(kind)].strip()
    name = f"kinds/scheduler_rows.are_those_of_a_scorer/{kind}"
    done = subprocess.run([tests, f"--gtest_filter={name}"], cwd=PAGE.parents[1], capture_output=True, text=True)
    return "yes" if done.returncode == 0 and "[  PASSED  ] 1 test" in done.stdout else "its rows differ"


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
    for verb in ROWS_OF_TABLE:
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
