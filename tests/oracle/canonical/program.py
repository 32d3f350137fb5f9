"""The programs: canonical keys of instances, and instances of usual levels."""

import json
import os
import subprocess

from rows import BINARY, Failed, optgap

ROWS = os.environ.get("OPTGAP_CANONICAL_ROWS", os.path.join(os.path.dirname(BINARY), "optgap_canonical_rows"))
LEVELS = ("d0", "d3", "easy")


def tasks():
    """Name -> whether it has labels."""
    done = subprocess.run([BINARY, "tasks", "--json"], capture_output=True, text=True, check=True)
    return {task["name"]: bool(task["axes"]) for task in json.loads(done.stdout)}


def keys_of(task, instances, *options):
    """A row for each: canonical and coarse, with --structures also listings; or error."""
    if not os.path.exists(ROWS):
        raise Failed(f"{ROWS} is missing: cmake --build build/release --target optgap_canonical_rows")
    instances = list(instances)
    asked = "".join(
        json.dumps({"task": task, "instance": instance}, separators=(",", ":")) + "\n" for instance in instances
    )
    done = subprocess.run([ROWS, *options], input=asked, capture_output=True, text=True)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode or len(found) != len(instances):
        raise Failed(
            f"{ROWS}: exit code {done.returncode}, {len(instances)} rows in, {len(found)} out: {done.stderr[-500:]}"
        )
    return found


def generated(task, count, seed):
    """`count` instances of each of the levels."""
    return [
        row["instance"]
        for level in LEVELS
        for row in optgap("generate", task, "--level", level, "--count", str(count), "--seed", str(seed))
    ]


def relabelled(task, instances, seed):
    """Relabels by `optgap relabel`."""
    rows = [{"task": task, "instance": instance} for instance in instances]
    return [row["instance"] for row in optgap("relabel", "-", "--seed", str(seed), rows=rows)]


def leaves(value, at=()):
    """(path, integer) of all integers inside."""
    if isinstance(value, int):
        yield at, value
    elif isinstance(value, (list, dict)):
        for name, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*at, name))


def one_number_changed(instance, random):
    """Replaces a number by another one of the same field: nearly the same problem, possibly not an instance."""
    all_of = list(leaves(instance))
    path, value = random.choice(all_of)
    others = [other for at, other in all_of if at[0] == path[0] and other != value] or [value + 1]
    changed = json.loads(json.dumps(instance))
    inner = changed
    for name in path[:-1]:
        inner = inner[name]
    inner[path[-1]] = random.choice(others)
    return changed
