#!/usr/bin/env python3
"""Spoils certificates by the thousand. The checker must refuse every one that is no longer true.

  optgap generate all --level benchmark --count 5 | optgap certify - > certificates.jsonl
  python3 tests/certificates/forge.py certificates.jsonl --count 100000

The given certificates are trusted: their objectives are what the engine proved. A forgery may be accepted only if it is
of the same instance, with that objective and a complete proof. One in four is of another kind: the instance is changed,
the rest kept, and the original is not known to the checker. It may be accepted only if the claim is true of the new
instance, as the program proves it (OPTGAP_BINARY, else build/release/optgap). Exit code 1 when a false one is
accepted."""

import argparse
import collections
import contextlib
import copy
import json
import os
import pathlib
import random
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests/support")]

import check_certificate  # noqa: E402
from common import Wrong  # noqa: E402
from rates import Rate  # noqa: E402

BINARY = os.environ.get("OPTGAP_BINARY", str(ROOT / "build/release/optgap"))
KINDS = ("computed", "bound", "table", "linear", "search", "walk", "one_tree", "branch")
NOT_PROVEN = "not proven"


def places(value, path=()):
    """Paths to all integers."""
    if isinstance(value, dict):
        for name in value:
            yield from places(value[name], (*path, name))
    elif isinstance(value, list):
        for at, one in enumerate(value):
            yield from places(one, (*path, at))
    elif type(value) is int:
        yield path


def holder(row, path):
    for step in path[:-1]:
        row = row[step]
    return row


def change_number(row, field, by):
    found = list(places(row[field], (field,)))
    if found:
        path = by.choice(found)
        here = holder(row, path)
        here[path[-1]] = by.choice(
            [
                here[path[-1]] + 1,
                here[path[-1]] - 1,
                -here[path[-1]],
                0,
                here[path[-1]] * 2 + 1,
                by.randint(-3, 60),
                10**25,
            ]
        )


def change_proof(row, _, by):
    change_number(row, "proof", by)


def change_answer(row, _, by):
    change_number(row, "answer", by)


def change_instance(row, _, by):
    change_number(row, "instance", by)


def better_objective(row, _, by):
    row["objective"] = by.choice([row["objective"] + step for step in (-10, -1, 1, 10)] + [0, None])
    if row["objective"] is None:
        row["answer"] = None


def change_tree(row, _, by):
    tree = row["proof"].get("tree")
    if not tree:
        return change_number(row, "proof", by)
    at, other = by.randrange(len(tree)), by.randrange(len(tree))
    change = by.choice(["drop", "repeat", "swap", "cut", "weight", "collapse"])
    if change == "drop":
        del tree[at]
    elif change == "repeat":
        tree.insert(other, copy.deepcopy(tree[at]))
    elif change == "swap":
        tree[at], tree[other] = tree[other], tree[at]
    elif change == "cut":
        del tree[at:]
    elif change == "collapse":
        row["proof"]["tree"] = [tree[at]]
    elif isinstance(tree[at], list) and len(tree[at]) > 1:
        del tree[at][by.randrange(1, len(tree[at]))]
    return None


def other_proof(row, others, by):
    row["proof"] = copy.deepcopy(by.choice(others)["proof"])


def other_instance(row, others, by):
    same = [one for one in others if one["task"] == row["task"]]
    row["instance"] = copy.deepcopy(by.choice(same)["instance"])


def worse_answer(row, _, by):
    """Another feasible answer with its objective. Only the proof can show that there is a better one."""
    lists = [row["answer"]] + [one for one in row["answer"] if isinstance(one, list)]
    one, other = by.choice(lists), by.choice(lists)
    at, to = by.randrange(len(one)), by.randrange(len(other))
    change = by.choice(["swap", "swap", "move", "drop", "copy"])
    if change == "swap":
        one[at], other[to] = other[to], one[at]
    elif change == "move":
        other.insert(to, one.pop(at))
    elif change == "drop":
        del one[at]
    else:
        one[at] = copy.deepcopy(other[to])
    try:
        row["objective"] = check_certificate.part("tasks", row["task"]).objective(row["instance"], row["answer"])
    except (Wrong, *check_certificate.BROKEN):  # it is infeasible
        pass


def other_answer(row, others, by):
    same = by.choice([one for one in others if one["task"] == row["task"]])
    row["answer"], row["objective"] = copy.deepcopy(same["answer"]), by.choice([row["objective"], same["objective"]])


def other_kind(row, _, by):
    row["proof"]["kind"] = by.choice([*KINDS, "none", "../tasks/tsp", "", 1, None])


def drop_field(row, _, by):
    here = by.choice([row, row["proof"], row["instance"]])
    del here[by.choice(list(here))]


FORGERIES = (
    change_proof,
    change_proof,
    change_tree,
    change_tree,
    change_tree,
    change_answer,
    change_instance,
    worse_answer,
    worse_answer,
    better_objective,
    other_proof,
    other_instance,
    other_answer,
    other_kind,
    drop_field,
)


def forged(row, others, by):
    """A line, and the names of its forgeries."""
    row = copy.deepcopy(row)
    if by.random() < 0.05:
        line = json.dumps(row)
        return line[: by.randrange(len(line))], "cut_off"
    names = []
    for _ in range(by.choice([1, 1, 1, 2])):
        forgery = by.choice(FORGERIES)
        # An earlier forgery may have removed that part of the row.
        with contextlib.suppress(KeyError, TypeError, IndexError, ValueError):
            forgery(row, others, by)
        names.append(forgery.__name__)
    return json.dumps(row), "+".join(names)


def lists_in(value):
    """All lists, including the outer ones."""
    if isinstance(value, dict):
        value = list(value.values())
    elif isinstance(value, list):
        yield value
    else:
        return
    for one in value:
        yield from lists_in(one)


def mutant(row, by):
    """The same claim and proof for another instance, with a changed number or list element."""
    row = copy.deepcopy(row)
    for _ in range(by.choice([1, 1, 2])):
        lists = [one for one in lists_in(row["instance"]) if one]
        if not lists or by.random() < 0.5:
            change_number(row, "instance", by)
            continue
        one = by.choice(lists)
        at, to = by.randrange(len(one)), by.randrange(len(one))
        change = by.choice(["swap", "drop", "repeat", "copy"])
        if change == "swap":
            one[at], one[to] = one[to], one[at]
        elif change == "drop":
            del one[at]
        elif change == "repeat":
            one.insert(to, copy.deepcopy(one[at]))
        else:
            one[to] = copy.deepcopy(one[at])
    return json.dumps(row)


def proven(lines):
    """The program's proofs for the instances of these certificates: the objective, or the reason for having none."""
    rows = [json.loads(line) for line in lines]
    given = "".join(json.dumps({"task": row["task"], "instance": row["instance"]}) + "\n" for row in rows)
    done = subprocess.run(
        [BINARY, "solve", "-", "--device", "cpu", "--quiet"], input=given, capture_output=True, text=True
    )
    found = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode not in (0, 1) or len(found) != len(rows):
        sys.exit(f"{BINARY} solve ended with {done.returncode}: {done.stderr[-300:]}")
    return [
        f"refused: {one['error']}" if "error" in one else one["objective"] if one["proven"] else NOT_PROVEN
        for one in found
    ]


def is_true(line, truth):
    """Whether it claims at most what was proven: that instance's objective."""
    row = json.loads(line)
    key = (row.get("task"), json.dumps(row.get("instance"), sort_keys=True))
    return row.get("certified") is False or (key in truth and truth[key] == row.get("objective"))


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("file")
    options.add_argument("--count", type=int, default=2000)
    options.add_argument("--seed", type=int, default=0)
    given = options.parse_args()
    rows = [json.loads(line) for line in pathlib.Path(given.file).read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row.get("certified")]
    truth = {(row["task"], json.dumps(row["instance"], sort_keys=True)): row["objective"] for row in rows}
    known = {row["key"]: (row["task"], row["instance"]) for row in rows}
    whole = [json.dumps(row) for row in rows]
    by, done, lies, mutants = random.Random(given.seed), collections.Counter(), [], []
    for count in range(given.count):
        line = whole[count % len(rows)]
        if count // len(rows) % 4 == 3:
            while line == whole[count % len(rows)]:
                line = mutant(rows[count % len(rows)], by)
            try:
                check_certificate.check(check_certificate.parsed(line))
                mutants.append(line)
            except Wrong:
                done["mutants of instances refused"] += 1
            continue
        while line == whole[count % len(rows)]:  # a forgery may find nothing to change
            line, what = forged(rows[count % len(rows)], rows, by)
        try:
            reason = check_certificate.check(check_certificate.parsed(line), known)
        except Wrong:
            done["refused"] += 1
            continue
        true = reason is not None or is_true(line, truth)
        done["accepted, still true" if true else "ACCEPTED"] += 1
        if not true:
            lies.append((what, line))
    for line, objective in zip(mutants, proven(mutants)):
        if objective == NOT_PROVEN:  # the program does not know within its budget, but the checker did
            done["mutants of instances accepted, open"] += 1
            continue
        true = objective == json.loads(line)["objective"]
        done["mutants of instances accepted, still true" if true else "MUTANTS OF INSTANCES ACCEPTED"] += 1
        if not true:
            lies.append((f"a change of its instance (the program says {objective})", line))
    for what, line in lies[:20]:
        print(f"accepted after {what}: {line[:2000]}")
    print(", ".join(f"{number:,} {name}" for name, number in sorted(done.items())))
    print(f"taken although untrue, of forgeries like these: {Rate(len(lies), given.count).claim()}")
    return 1 if lies or not done["refused"] + done["mutants of instances refused"] else 0


if __name__ == "__main__":
    sys.exit(main())
