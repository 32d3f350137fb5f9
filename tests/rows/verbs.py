"""The kinds of rows from their declarations, and each command's result on rows of each: the tables of docs/rows.md.

OPTGAP_BINARY=build/release/optgap python3 tests/rows/verbs.py --write    writes it anew; build/venv-python has the package"""

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
    for name in ("kinds", "columns", "commands", "commands that need Python", "trainers")
}
PACKAGE = "of a package"
"""The column of a user's own kind, from tests/extension/packages/toy_kind (docs/kinds.md)."""
COLUMNS = (*KINDS, PACKAGE)
PACKAGES = pathlib.Path(__file__).resolve().parents[1] / "extension/packages"
PACKAGE_ROWS = [{"addends": [1, 2, last], "completion": "6"} for last in (3, 4, 5)]
"""Each is a group of its own, since the toy's rows share their group's reward."""
OWN = "{own}"
"""Stands for the option that names the package, where the kind is of one."""
OPTIONS = ("--isolation", "auto", "--external", OWN)
VERBS = {
    "score": ("score", "-", *OPTIONS),
    "score --stats": ("score", "-", *OPTIONS, "--stats", "{folder}/stats.json"),
    "eval": ("eval", "{scored}", OWN),
    "eval of rows that are not scored": ("eval", "-", *OPTIONS),
    "explain": ("explain", "-", "--row", "1", *OPTIONS),
    "diff": ("diff", "{scored}", "{scored}"),
    "rescore": ("rescore", "{scored}", "--reward", "power", *OPTIONS),
    "stats": ("stats", "show", "{folder}/stats.json"),
}
"""Arguments by name; stdin has the unchanged rows."""
SERVED = "score --server"
"""The bytes of `score`, from a daemon that takes every call."""
SCHEDULED = "scheduler"
"""The bytes of a scorer, from `submit_row` and `collect_rows`: tests/host/scheduler_rows_test.cpp, by kind."""
OF_A_PACKAGE = "row_packages.are_tickets_with_the_bytes_of_a_scorer"
"""The same test for the toy's rows."""
PYTHON_VERBS = {
    "filter": ("filter", "{scored}", "--quality", "0", "--out", "{folder}/chosen.jsonl", OWN),
    "dataset --from": ("dataset", "--from", "{asked}", "--out", "{folder}/sft.jsonl", OWN),
    "dataset --from of rows without a prompt": (
        "dataset",
        "--from",
        "{folder}/chosen.jsonl",
        "--out",
        "{folder}/sft.jsonl",
        OWN,
    ),
    "bench-model": (
        *("bench-model", "--model", "m", "--format", "forge", "--set", "{folder}/rows.jsonl"),
        *("--write-requests", "{folder}/requests.jsonl", "--out", "{folder}/bench"),
    ),
    "audit": ("audit", "--reward", "{reward}", "--data", "{folder}/rows.jsonl"),
}
"""The same of commands that need Python. `asked`: chosen rows that hold what was asked as `prompt`."""
REWARD = "def reward(prompts, completions, **columns):\n    return [0.0 for _ in completions]\n"


def first_rows():
    """Three of each kind, which `score` takes."""
    found = collections.defaultdict(list)
    for line in ROWS.read_bytes().splitlines():
        name = re.match(rb'\{"id": "(\w+): ', line)
        if name and len(found[name[1].decode()]) < 3:
            found[name[1].decode()].append(line.decode())
    found[PACKAGE] = [json.dumps(row) for row in PACKAGE_ROWS]
    return {kind: "".join(line + "\n" for line in found[kind]) for kind in COLUMNS}


def cells(verbs):
    """By command and kind: "yes", or the sentence that refuses its rows."""
    out = {}
    for kind, rows in first_rows().items():
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            places = {
                "own": ("--kinds", "toy_kind") if kind == PACKAGE else (),
                "folder": folder,
                "scored": folder / "scored.jsonl",
                "asked": folder / "asked.jsonl",
                "reward": f"{folder / 'reward.py'}:reward",
            }
            (folder / "rows.jsonl").write_text(rows, encoding="utf-8")
            (folder / "reward.py").write_text(REWARD, encoding="utf-8")
            places["scored"].write_text(_run(VERBS["score"], rows, places).stdout, encoding="utf-8")
            for verb, arguments in verbs.items():
                done = _run(arguments, rows, places)
                out[verb, kind] = "yes" if done.returncode == 0 else refusal(done.stderr or done.stdout)
                if verb == "filter" and done.returncode == 0:
                    chosen = map(json.loads, (folder / "chosen.jsonl").read_text(encoding="utf-8").splitlines())
                    asked = [json.dumps({"prompt": "What is asked.", **row}) + "\n" for row in chosen]
                    places["asked"].write_text("".join(asked), encoding="utf-8")
    return out


def _run(arguments, rows, places):
    given = []
    for argument in arguments:
        given += places["own"] if argument == OWN else [argument.format(**places)]
    needs_python = any(given[0] == words[0] for words in PYTHON_VERBS.values())
    return subprocess.run(
        [BINARY, *given], input=rows, capture_output=True, text=True, timeout=120, env=with_packages(needs_python)
    )


def with_packages(needs_python=False):
    """The environment in which Python finds the toy; this tree's package, too, where a command does not need its compiled part."""
    own = [] if needs_python else [PAGE.parents[1] / "python"]
    paths = [*map(str, own), str(PACKAGES), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def served():
    """By kind: "yes" where a daemon changes no byte of what `score` writes."""
    with tempfile.TemporaryDirectory() as folder:
        socket = f"{folder}/daemon"
        command = [BINARY, "serve", "--socket", socket, "--take-all", "--kinds", "toy_kind"]
        daemon = subprocess.Popen(command, stdout=subprocess.PIPE, env=with_packages())
        daemon.stdout.readline()  # it listens
        try:
            found = {}
            for kind, rows in first_rows().items():
                own = {"own": ("--kinds", "toy_kind") if kind == PACKAGE else ()}
                here, there = (_run([*way, "score", "-", *OPTIONS], rows, own) for way in ((), ("--server", socket)))
                found[SERVED, kind] = "yes" if here.stdout == there.stdout else "the daemon writes other bytes"
            return found
        finally:
            daemon.terminate()
            daemon.communicate(timeout=60)


def scheduled():
    """By kind; as the page has it where this build has no tests."""
    tests = pathlib.Path(BINARY).parent / "optgap_unit_tests"
    if not tests.exists():
        lines = PAGE.read_text(encoding="utf-8").splitlines()
        cells = next(line for line in lines if line.startswith(f"| `{SCHEDULED}`")).split("|")[2:]
        return {(SCHEDULED, kind): cell.strip() for kind, cell in zip(COLUMNS, cells)}
    found = {}
    for kind in COLUMNS:
        name = f"kinds/scheduler_rows.are_those_of_a_scorer/{kind}" if kind in KINDS else OF_A_PACKAGE
        done = subprocess.run([tests, f"--gtest_filter={name}"], cwd=PAGE.parents[1], capture_output=True, text=True)
        passed = done.returncode == 0 and "[  PASSED  ] 1 test" in done.stdout
        found[SCHEDULED, kind] = "yes" if passed else "its rows differ"
    return found


def refusal(said):
    """The rule, without its place, its kind and the names of this build's tasks."""
    sentence = re.sub(
        r"^(optgap: )?(\d+ rows? (rejected|left out), first )?(stdin, )?row \d+(,| is rejected:) ",
        "",
        said.splitlines()[-1 if said.startswith("Traceback") else 0],
    )
    sentence = re.sub(r"^optgap: |\S*/\w+\.jsonl, line \d+:? |, line \d+", "", sentence)
    sentence = re.sub(r"\bthe kind \w+", "this kind", sentence)
    return re.sub(r"; this build has:.*", "", sentence).replace("|", "\\|")


def table(known):
    notes = []
    lines = ["| | " + " | ".join(COLUMNS) + " |", "|---" * (len(COLUMNS) + 1) + "|"]
    for verb in dict.fromkeys(verb for verb, _ in known):
        shown = []
        for kind in COLUMNS:
            cell = known[verb, kind]
            if cell != "yes" and cell not in notes:
                notes.append(cell)
            shown.append("yes" if cell == "yes" else f"no ({notes.index(cell) + 1})")
        name = f"`{verb}`" if "`" not in verb else verb
        lines.append(f"| {name} | " + " | ".join(shown) + " |")
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


def in_trainers(adapters):
    """By adapter and kind."""
    found = adapters.cells({kind: rows.splitlines() for kind, rows in first_rows().items() if kind != PACKAGE})
    own = adapters.of_a_package(PACKAGE_ROWS)
    return {(way, kind): own[way] if kind == PACKAGE else found[way, kind] for way in own for kind in COLUMNS}


def written(python=False):
    """The page with the tables that the program makes by itself, or with those for which it needs Python."""
    page = PAGE.read_text(encoding="utf-8")
    if python:
        import adapters  # here: needs the package

        made_anew = {
            "commands that need Python": table(cells(PYTHON_VERBS)),
            "trainers": table(in_trainers(adapters)),
        }
    else:
        known = {**cells(VERBS), **served(), **scheduled()}
        made_anew = {"kinds": kinds_table(), "columns": columns_table(), "commands": table(known)}
    for name, made in made_anew.items():
        begin, end = MARKS[name]
        before, _, rest = page.partition(begin)
        _, _, after = rest.partition(end)
        page = before + begin + "\n" + made + "\n" + end + after
    return page


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    for python in (False, True):
        PAGE.write_text(written(python), encoding="utf-8")
