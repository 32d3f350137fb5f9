"""`optgap problem`: what new writes passes check, and check finds each fault that an author may make.

Tests that run programs are skipped by name where `optgap sandbox` finds no isolation level, unless OPTGAP_REQUIRE has it.
"""

import json
import pathlib
import tempfile
import unittest

from optgap_process import run
from own_problems_test import ALONE, needs_sandbox

RIGHT = """import sys
read = sys.stdin.buffer
sizes = [int(size) for size in read.readline().split()]
given, printed = read.read(sizes[0]).split(), read.read(sizes[1]).split()
"""


class Commands(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name) / "vans"

    def new(self, *options):
        done = run("problem", "new", str(self.folder), *options)
        self.assertEqual(done.returncode, 0, done.stderr)

    def checks(self, *options, code=0):
        done = run("problem", "check", str(self.folder), "--json", "--instances", "2", *options)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return {one["check"]: (one["result"], one["found"]) for one in json.loads(done.stdout)["checks"]}

    def failed(self, *options):
        return {name: found for name, (result, found) in self.checks(*options, code=1).items() if result == "failed"}


@needs_sandbox
class Checking(Commands):
    def test_what_new_writes_passes(self):
        self.new()
        found = self.checks()
        self.assertEqual({result for result, _ in found.values()}, {"passed"}, found)
        self.assertIn("min: the reference is better than the floor on 2 of 2", found["direction of scores"][1])
        again = run("problem", "new", str(self.folder))
        self.assertEqual((again.returncode, "is there already" in again.stderr), (2, True))

    def test_what_new_writes_in_cpp_passes(self):
        self.new("--language", "cpp")
        found = self.checks()
        self.assertEqual({result for result, _ in found.values()}, {"passed"}, found)

    def test_each_fault_of_an_author_is_found(self):
        faults = {
            "generator, twice": ("generator.py", "import os\ninput()\nprint(2, 100)\nprint(*os.urandom(2))"),
            "generator, by seed": ("generator.py", "input()\nprint(2, 100)\nprint(10, 20)"),
            "generator": ("generator.py", "raise ValueError('no seed')"),
            "reference": ("reference.py", "print('x')"),
            "direction of scores": ("problem.toml", None),
            "judge, no output breaks it": ("judge.py", RIGHT + "print('score', len({int(one) for one in printed}))"),
            "judge, not content with everything": ("judge.py", "print('score 1')"),
            "judge, can be satisfied": ("judge.py", "print('wrong never')"),
            "judge, twice": (
                "judge.py",
                RIGHT + "import os\nprint('wrong x' if len(printed) < 2 else 'score %d' % os.urandom(1)[0])",
            ),
        }
        for check, (name, text) in faults.items():
            with self.subTest(check=check):
                self.folder = self.folder.parent / check.replace(" ", "-")
                self.new()
                before = (self.folder / name).read_text()
                (self.folder / name).write_text(before.replace('"min"', '"max"') if text is None else text)
                self.assertIn(check, self.failed())

    def test_candidates_that_their_author_knows_are_held_to_it(self):
        self.new()
        good, bad = self.folder.parent / "good.py", self.folder.parent / "bad.py"
        good.write_text(ALONE)
        bad.write_text("print('none')")
        found = self.checks("--good", str(good), "--bad", str(bad))
        self.assertEqual(found["good good.py"], ("passed", "2 of 2 valid"))
        self.assertIn("judged_wrong", found["bad bad.py"][1])
        self.assertEqual(set(self.failed("--good", str(bad), "--bad", str(good))), {"good bad.py", "bad good.py"})

    def test_hostile_candidates_are_held(self):
        self.new()
        found = {name: result for name, result in self.checks().items() if name.startswith("candidate ")}
        self.assertEqual(found["candidate that prints for ever"], ("passed", "run_output"))
        self.assertEqual(found["candidate that exits with 3"][1], "run_exit")
        self.assertIn("candidate that writes to the judge's files", found)

    def test_tests_are_checked_without_a_generator(self):
        self.folder.mkdir()
        (self.folder / "tests").mkdir()
        (self.folder / "problem.toml").write_text('tests = "tests"\nreference = "sum.py"\n')
        (self.folder / "statement.md").write_text("Add two numbers.\n")
        (self.folder / "sum.py").write_text("print(sum(map(int, input().split())))\n")
        (self.folder / "tests/a.in").write_text("1 2\n")
        (self.folder / "tests/a.out").write_text("3\n")
        self.assertEqual(self.checks()["reference"][0], "passed")
        (self.folder / "tests/a.out").write_text("4\n")
        self.assertIn("reference", self.failed())


class Rows(Commands):
    def test_rows_hold_prompt_seeds_and_digest(self):
        self.new()
        done = run("problem", "rows", str(self.folder), "--count", "2", "--instances", "3", "--seed", "7")
        self.assertEqual(done.returncode, 0, done.stderr)
        first, second = map(json.loads, done.stdout.splitlines())
        self.assertEqual((first["seeds"], second["seeds"]), ([7, 8, 9], [10, 11, 12]))
        self.assertRegex(first["problem"], r"/vans@[0-9a-f]{32}$")
        for part in ("Parcels go into vans", "3 hidden inputs", "minimise it", "500 ms", "```python"):
            self.assertIn(part, first["prompt"])

    def test_misuse_is_named(self):
        self.new()
        for words, expected in (
            (("rows", str(self.folder), "--format", "boxed"), "expected one that reads programs"),
            (("check", str(self.folder / "none")), "is no folder and no archive"),
            (("pack", str(self.folder / "none")), "is no folder and no archive"),
            (("new", str(self.folder), "--language", "rust"), "expected one of: python, cpp"),
            ((), "subcommand"),
        ):
            done = run("problem", *words)
            self.assertEqual(done.returncode, 2, (words, done.stderr))
            self.assertIn(expected, done.stderr)


if __name__ == "__main__":
    unittest.main()
