"""The sandbox: programs that are a function, slots with a processor. Like sandbox_test.py skipped by name where no
isolation level is usable."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import time
import unittest

from optgap_process import BINARY, run
from sandbox_processes import brokers_of, descendants_of
from sandbox_test import ISOLATION_LEVELS, ROOT, Held, begin


class Solve(Held):
    """The interface solve: its harness is in the candidate's process, so a manipulated harness can only print something
    else."""

    PROGRAMS = sorted((ROOT / "tests/programs/solve").iterdir())

    def test_at_the_first_isolation_level(self):
        rows = self.check(ISOLATION_LEVELS[0], self.PROGRAMS, "--interface", "solve")
        self.assertEqual(
            {name: rows[name]["output"] for name in ("answers.py", "replaces_the_harness.py", "prints_and_leaves.py")},
            {"answers.py": "4\n3 4 7 8\n", "replaces_the_harness.py": "4\n", "prints_and_leaves.py": "3\n"},
        )
        self.assertEqual(rows["reads_its_name.py"]["output"], "3\nprogram\n1\nit's\n")
        self.assertEqual(rows["looks_for_labels.py"]["output"], "3\nnothing\n")
        self.assertEqual(rows["prints_at_exit.py"]["output"], "3\nbehind\n")
        self.assertIn("defines no function solve", rows["defines_no_solve.py"]["errors"])
        self.assertIn("list of strings", rows["returns_numbers.py"]["errors"])
        self.assertEqual(rows["is_no_python.py"]["first_line"][:7], "line 3:")

    def test_at_the_second_isolation_level(self):
        if len(ISOLATION_LEVELS) < 2:
            self.skipTest("this machine has one isolation level")
        self.check(ISOLATION_LEVELS[1], self.PROGRAMS, "--interface", "solve")

    def test_it_is_of_python(self):
        with tempfile.NamedTemporaryFile("w", suffix=".cpp") as source:
            done = run("sandbox", "--interface", "solve", "--run", source.name)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("function of Python", done.stderr)


class Compiled(unittest.TestCase):
    """Python runs get the code that the check compiled; large code (more than a megabyte) comes as source, and is the
    same program."""

    TELLS = """import sys, time
kept = {"a": (1, 2.5, None, b"x", "\u00e9"), "b": frozenset({1, 2})}
def solve(*given, **fields):
    def inner(x, *, y=3):
        return [x + y for x in range(x)]
    told = [__name__, inner.__code__.co_filename, inner(2), sorted(map(str, kept)), kept["a"], time.time() < 1.7e9 + 9,
            hash("seed"), [*{"b", "a", "c"}], "" in sys.path]
    try:
        1 / 0
    except ZeroDivisionError as fault:
        told.append(fault.__traceback__.tb_lineno)
    return [repr(told)]
if __name__ == "__main__":
    print(*solve())
"""

    def test_is_the_same_program(self):
        padding = "def padding():\n    return [" + ", ".join(f"'{k:05}' * 800" for k in range(300)) + "]\n"
        with tempfile.TemporaryDirectory() as folder:
            short, long = pathlib.Path(folder, "short.py"), pathlib.Path(folder, "long.py")
            short.write_text(self.TELLS, encoding="utf-8")
            long.write_text(self.TELLS + padding, encoding="utf-8")
            for interface, name in (("stdio", "__main__"), ("solve", "program")):
                with open(os.path.join(folder, "fields.json"), "w", encoding="utf-8") as fields:
                    fields.write("{}")
                done = run(
                    "sandbox",
                    "--json",
                    "--isolation",
                    ISOLATION_LEVELS[-1],
                    "--interface",
                    interface,
                    "--input",
                    fields.name,
                    "--run",
                    str(short),
                    str(long),
                )
                rows = json.loads(done.stdout)["runs"]
                self.assertEqual([row["code"] for row in rows], ["ok", "ok"], rows)
                self.assertEqual(rows[0]["output"], rows[1]["output"])  # equal hashes, too, since their seed is fixed
                self.assertTrue(rows[0]["output"].endswith("False, 9]\n"), rows)
                self.assertTrue(
                    rows[0]["output"].startswith(
                        f"['{name}', 'program.py', [3, 4], ['a', 'b'], (1, 2.5, None, b'x', '\u00e9'), True, "
                    ),
                    rows,
                )


class Slots(unittest.TestCase):
    """One processor per slot, where the machine has enough; the kernel is asked while programs run."""

    def masks(self, isolation_level, slots, cache):
        with tempfile.NamedTemporaryFile("w", suffix=".py") as source:
            source.write("while True: pass")
            source.flush()
            environment = {**os.environ, "OPTGAP_SANDBOX_CACHE": cache}
            with subprocess.Popen(
                [
                    BINARY,
                    "sandbox",
                    "--json",
                    "--isolation",
                    isolation_level,
                    "--slots",
                    str(slots),
                    "--repeat",
                    str(slots),
                    "--limits",
                    '{"cpu_ms": 700}',
                    "--run",
                    source.name,
                ],
                stdout=subprocess.PIPE,
                text=True,
                env=environment,
            ) as here:
                seen = {}
                while here.poll() is None:
                    for broker in brokers_of(here.pid):
                        for entry in descendants_of(broker):
                            try:
                                if b"-s\0-S\0-B" in (entry / "cmdline").read_bytes():
                                    status = (entry / "status").read_text()
                                    seen[entry.name] = re.search("Cpus_allowed_list:\\s*(.*)", status)[1]
                            except OSError:
                                pass
                    time.sleep(0.01)
                report = json.load(here.stdout)
        return report, list(seen.values())

    def test_a_run_stays_on_its_slot_s_processor(self):
        usable = os.sched_getaffinity(0)
        for isolation_level in ISOLATION_LEVELS:
            with tempfile.TemporaryDirectory() as cache:
                os.chmod(cache, 0o755)
                report, masks = self.masks(isolation_level, 1, cache)
                self.assertEqual(len(report["processors"]), 1, report["unpinned"])
                self.assertIn(report["processors"][0], usable)
                # The last look may have seen a child before it was pinned; the self-test's child is not pinned.
                self.assertIn(str(report["processors"][0]), masks)

    def test_nothing_is_pinned_where_processors_are_fewer(self):
        usable = len(os.sched_getaffinity(0))
        if usable > 8:
            self.skipTest("more processors than this test starts programs")
        with tempfile.TemporaryDirectory() as cache:
            os.chmod(cache, 0o755)
            report, masks = self.masks(ISOLATION_LEVELS[-1], usable + 1, cache)
        self.assertEqual(report["processors"], [])
        self.assertIn(f"{usable + 1} slots, ", report["unpinned"])
        self.assertEqual({len(numbers_in(mask)) for mask in masks}, {usable})

    def test_it_is_said(self):
        text = run("sandbox").stdout
        self.assertRegex(text, r"slots   \d+, (pinned to processors \d|not pinned: \d+ slots, )")


def numbers_in(mask):
    """Processors of a mask such as "0-2,5"."""
    parts = [part.partition("-") for part in mask.split(",")]
    return [number for low, _, high in parts for number in range(int(low), int(high or low) + 1)]


if __name__ == "__main__":
    begin()
