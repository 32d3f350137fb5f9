#!/usr/bin/env python3
"""Checks certificates that `optgap certify` wrote, from the instances that stand in them and nothing else: plain Python,
whole numbers, no code of the engine. The format is docs/certificates.md; what a task asks, how a kind of proof is
replayed, and what it needs to know of a task for that stand in certificates/{tasks,kinds,proofs}/NAME.py beside this file.

  python3 tools/check_certificate.py certificates.jsonl
  python3 tools/check_certificate.py certificates.jsonl --instances rows.jsonl

Prints a line a row and a table. A row is `ok`; `not certified: ...`, it says so itself; `WRONG: ...`, it shows nothing;
`BETTER ANSWER: ...`, its claim is false; or `TOO LONG: ...`, this checker would work for minutes and refuses. Exit code 0:
rows are ok, and none but such as say that they are not certified; 1: otherwise; 2: bad usage."""

import argparse
import importlib
import json
import pathlib
import re
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "certificates"))

from common import Better, TooLong, Wrong, need  # noqa: E402 - found by the line above

FOLDER = pathlib.Path(__file__).resolve().parent / "certificates"
NAME = re.compile(r"[a-z][a-z0-9_]{0,60}")
# What foreign data raises in code that trusts it. None of them is an acceptance.
BROKEN = (KeyError, IndexError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError, MemoryError)


def part(folder, name):
    """A task's rule or a kind of proof, found by its file."""
    need(isinstance(name, str) and NAME.fullmatch(name), f"{folder[:-1]} is no name")
    need((FOLDER / folder / f"{name}.py").exists(), f"this checker knows no {folder[:-1]} '{name}'")
    return importlib.import_module(f"{folder}.{name}")


def no_repeats(pairs):
    need(len({key for key, _ in pairs}) == len(pairs), "a name stands twice in an object")
    return dict(pairs)


def no_number(text):
    raise Wrong(f"{text[:20]} is no whole number")


def parsed(line):
    try:
        row = json.loads(line, object_pairs_hook=no_repeats, parse_float=no_number, parse_constant=no_number)
    except (ValueError, RecursionError) as broken:
        raise Wrong(f"not a line of JSON: {str(broken)[:80]}") from None
    need(isinstance(row, dict), "not an object")
    return row


def only_numbers(value):
    """true is 1 in Python and not in JSON: no truth value may stand where a number is wanted."""
    stack = [value]
    while stack:
        one = stack.pop()
        need(not isinstance(one, bool), "a truth value stands where a number belongs")
        stack.extend(one.values() if isinstance(one, dict) else one if isinstance(one, list) else ())


def check(row, known=None):
    """Raises Wrong unless the row is a proof that its objective is the best there is; returns the reason of a row that
    claims nothing."""
    need(type(row.get("certified")) is bool, "certified is neither true nor false")
    if not row["certified"]:
        need("proof" not in row, "a row that is not certified holds a proof")
        return str(row.get("reason", "no reason given"))
    for name in ("task", "instance", "answer", "objective", "proof"):
        need(name in row, f"{name} is missing")
    instance, answer, objective, proof = (row[name] for name in ("instance", "answer", "objective", "proof"))
    need(isinstance(instance, dict) and isinstance(proof, dict), "instance or proof is no object")
    only_numbers([instance, answer, objective, proof])
    if known is not None:
        need(row.get("key") in known, "the key stands in none of the given instances")
        need(known[row["key"]] == (row["task"], instance), "the instance is not the one that the key names")
    task, kind = part("tasks", row["task"]), part("kinds", proof.get("kind"))
    own = FOLDER / "proofs" / f"{row['task']}.py"
    try:
        if objective is None:
            need(answer is None, "an answer is given to an instance that is said to have none")
        else:
            need(type(objective) is int, "objective is no whole number")
            found = task.objective(instance, answer)
            need(found == objective, f"the answer is worth {found}, not {objective}")
        # What a kind asks stands in the task's file, or where that has no room, in one of its own.
        proving = part("proofs", row["task"]) if own.exists() and not hasattr(task, proof["kind"]) else task
        kind.prove(proving, instance, objective, proof)
    except BROKEN as broken:
        raise Wrong(f"malformed ({type(broken).__name__}: {str(broken)[:80]})") from None
    return None


def known_instances(path):
    rows = [parsed(line) for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines() if line.strip()]
    return {row["key"]: (row.get("task", row["key"].split("@")[0]), row["instance"]) for row in rows}


def median(values):
    return sorted(values)[len(values) // 2] if values else 0


SAID = {Wrong: "WRONG", Better: "BETTER ANSWER", TooLong: "TOO LONG"}


class Tally:
    """Of one task."""

    def __init__(self):
        self.said, self.sizes, self.seconds = dict.fromkeys((*SAID.values(), "ok", "not certified"), 0), [], []

    def cells(self):
        rows = sum(self.said.values())
        return [
            str(rows),
            f"{100 * self.said['ok'] // rows} %",
            *(str(self.said[name]) for name in SAID.values()),
            str(median(self.sizes)),
            str(max(self.sizes, default=0)),
            f"{median(self.seconds):.4f}",
            f"{max(self.seconds, default=0):.3f}",
        ]


HEAD = [
    "task",
    "rows",
    "certified",
    "wrong",
    "better answer",
    "too long",
    "bytes, median",
    "largest",
    "s, median",
    "slowest",
]


def table(tallies):
    rows = [HEAD] + [[name, *tallies[name].cells()] for name in sorted(tallies)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEAD))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths))
        )
        for row in rows
    )


def check_file(path, known, quiet, tallies):
    with sys.stdin if path == "-" else open(path, encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            name, begun, size = "(unreadable)", time.process_time(), len(line.encode())
            try:
                row = parsed(line)
                name = row["task"] if isinstance(row.get("task"), str) else name
                reason = check(row, known)
                said, why = ("ok", "") if reason is None else ("not certified", f": {reason}")
            except Wrong as wrong:
                said, why = SAID[type(wrong)], f": {wrong}"
            tally = tallies.setdefault(name, Tally())
            tally.said[said] += 1
            if said == "ok":
                tally.sizes.append(size)
                tally.seconds.append(time.process_time() - begun)
            if not quiet or said in SAID.values():
                print(f"{path}:{number}: {said}{why}")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("file", nargs="+", help="certificates, a row each; - is stdin")
    options.add_argument(
        "--instances",
        metavar="FILE",
        help="rows with key and instance: a certificate must be of the instance that its key names here",
    )
    options.add_argument(
        "--quiet",
        action="store_true",
        help="only rows that are neither ok nor say that they are not certified, and the table",
    )
    given = options.parse_args()
    tallies = {}
    try:
        known = known_instances(given.instances) if given.instances else None
        for path in given.file:
            check_file(path, known, given.quiet, tallies)
    except (OSError, Wrong, KeyError) as broken:
        print(f"check_certificate: {broken}", file=sys.stderr)
        return 2
    print(table(tallies))
    refused = any(tally.said[name] for tally in tallies.values() for name in SAID.values())
    return 1 if refused or not any(tally.said["ok"] for tally in tallies.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
