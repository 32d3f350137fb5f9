"""What each command makes of rows of each kind: the table of docs/rows.md.

OPTGAP_BINARY=build/release/optgap python3 tests/rows/verbs.py --write    writes it anew"""

import collections
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
BEGIN, END = "<!-- The commands: tests/rows/verbs.py --write -->\n", "<!-- The commands end. -->\n"
OPTIONS = ("--isolation", "auto", "--external")
VERBS = {
    "score": ("score", "-", *OPTIONS),
    "score --stats": ("score", "-", *OPTIONS, "--stats", "{folder}/stats.json"),
    "eval": ("eval", "{scored}"),
    "eval of rows that are not scored": ("eval", "-"),
    "explain": ("explain", "-", "--row", "1"),
    "diff": ("diff", "{scored}", "{scored}"),
    "rescore": ("rescore", "{scored}", "--reward", "power"),
}
"""Arguments by name; stdin has the rows as they are."""


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
    return "\n".join([*lines, "", "What a `no` says:", "", *refusals, ""])


def written():
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + "\n" + table() + "\n" + END + after


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    PAGE.write_text(written(), encoding="utf-8")
