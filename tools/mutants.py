#!/usr/bin/env python3
"""The faults of tools/mutants.json: what tools/mutants.sh does with them in its copy of the tree.

A fault names a file, a text that stands in it once, what stands there instead, and the gtest program and filter that
must fail then.
"""

import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TEST_SECONDS = 300


def load(names=()):
    """All mutants, or those of the names."""
    mutants = json.loads((ROOT / "tools/mutants.json").read_text())
    known = [mutant["name"] for mutant in mutants]
    for name in names:
        if name not in known:
            sys.exit(f"mutants: no mutant '{name}'; there are: {', '.join(known)}")
    return [mutant for mutant in mutants if not names or mutant["name"] in names]


def misplaced(mutants, root=ROOT):
    """Yields a sentence for each mutant that cannot be put into the tree."""
    for mutant in mutants:
        path = root / mutant["file"]
        count = path.read_text().count(mutant["old"]) if path.is_file() else 0
        if count != 1:
            yield f"{mutant['name']}: expected the old text once in {mutant['file']}, found it {count} times"


def failures(output):
    """The failed tests that a gtest program names."""
    return sorted(set(re.findall(r"^\[  FAILED  \] ([\w/]+\.[\w./]+)", output, re.MULTILINE)))


def judge(mutant, options):
    """What notices the mutant: a list of tests, or of one word for a hang or a crash; empty when it survives."""
    build = options.tree / "build/release"
    built = subprocess.run(
        [
            *shlex.split(options.through),
            "cmake",
            "--build",
            build,
            "-j",
            str(options.jobs),
            "--target",
            mutant["target"],
        ],
        capture_output=True,
        text=True,
    )
    if built.returncode != 0:
        sys.exit(f"{mutant['name']} does not compile:\n{built.stdout[-3000:]}{built.stderr[-1000:]}")
    try:
        ran = subprocess.run(
            [
                "timeout",
                str(TEST_SECONDS),
                build / mutant["target"],
                "--gtest_brief=1",
                f"--gtest_filter={mutant['filter']}",
            ],
            cwd=options.tree,
            capture_output=True,
            text=True,
        )
    except UnicodeDecodeError:
        return ["(no text)"]
    if ran.returncode == 0 and not re.search(r"^\[==========\] [1-9]", ran.stdout, re.MULTILINE):
        sys.exit(f"{mutant['name']}: no test of {mutant['target']} matches {mutant['filter']}")
    if ran.returncode == 0:
        return []
    return failures(ran.stdout) or ["(hangs)" if ran.returncode == 124 else "(crashes)"]


def run(mutants, options):
    """Judges each, prints the table, and returns how many survived."""
    rows = []
    for mutant in mutants:
        path = options.tree / mutant["file"]
        sound = path.read_text()
        options.applied.write_text(mutant["file"])
        path.write_text(sound.replace(mutant["old"], mutant["new"]))
        try:
            noticed = judge(mutant, options)
        finally:
            path.write_text(sound)
        first = noticed[0] if noticed else ""
        more = f" and {len(noticed) - 1} more" if len(noticed) > 1 else ""
        rows.append((mutant["name"], "caught" if noticed else "SURVIVED", mutant["file"], first + more))
        print(f"{len(rows)}/{len(mutants)} {mutant['name']}: {rows[-1][1]}", file=sys.stderr, flush=True)
    head = ("mutant", "result", "file", "noticed by")
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    for row in [head, tuple("-" * width for width in widths), *rows]:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    survived = sum(row[1] == "SURVIVED" for row in rows)
    print(f"\n{len(rows)} mutants, {len(rows) - survived} caught, {survived} survived")
    return survived


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="*", help="mutants; none: all")
    parser.add_argument("--check", action="store_true", help="only see that each old text stands in its file once")
    parser.add_argument("--targets", action="store_true", help="only print the programs to build")
    parser.add_argument("--tree", type=pathlib.Path, help="the copy, built in build/release")
    parser.add_argument("--applied", type=pathlib.Path, help="where to note the file that was changed last")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--through", default="", help="a command that builds are run by")
    options = parser.parse_args()
    mutants = load(options.name)
    if options.targets:
        print(*sorted({mutant["target"] for mutant in mutants}))
        return 0
    problems = list(misplaced(mutants))
    if problems or options.check:
        print(*problems, sep="\n", end="\n" if problems else "")
        return 1 if problems else 0
    return 1 if run(mutants, options) else 0


if __name__ == "__main__":
    sys.exit(main())
