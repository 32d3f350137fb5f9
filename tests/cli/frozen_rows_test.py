"""`optgap score` of tests/rows/rows.jsonl, rows of every kind: the frozen bytes in tests/rows/golden.

OPTGAP_BINARY=build/release/optgap python3 tests/cli/frozen_rows_test.py --write    after a change of behaviour that is meant"""

import pathlib
import sys
import unittest

from optgap_process import run

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "rows"))
from frozen_rows import ROWS, RUNS, golden, kept
from make_rows import lines
from program_rows_test import needs_sandbox
from verbs import PAGE, written


def scored(name, *options):
    done = run("score", str(ROWS), "--isolation", "auto", "--external", *RUNS[name], *options, binary_input=b"")
    return kept(done.stdout), done


class FrozenRows(unittest.TestCase):
    def test_the_file_is_what_its_script_writes(self):
        self.assertEqual(ROWS.read_bytes(), b"".join(line + b"\n" for line in lines()))

    @needs_sandbox
    def test_every_run_gives_its_golden_bytes(self):
        for name in RUNS:
            with self.subTest(name):
                rows, done = scored(name)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertEqual(rows.splitlines(), golden(name).read_bytes().splitlines())

    @needs_sandbox
    def test_threads_and_a_pipe_change_nothing(self):
        whole, _ = scored("plain")
        for options in (("--threads", "1"), ("--threads", "3"), ("--slots", "1")):
            self.assertEqual(scored("plain", *options)[0], whole)
        done = run("score", "-", "--isolation", "auto", "--external", binary_input=ROWS.read_bytes())
        self.assertEqual(kept(done.stdout), whole)


class RowVerbs(unittest.TestCase):
    @needs_sandbox
    def test_the_page_says_what_each_command_makes_of_each_kind(self):
        self.assertEqual(PAGE.read_text(encoding="utf-8"), written(), "tests/rows/verbs.py --write")


def write():
    for name in RUNS:
        golden(name).parent.mkdir(exist_ok=True)
        golden(name).write_bytes(scored(name)[0])


if __name__ == "__main__":
    write() if sys.argv[1:] == ["--write"] else unittest.main()
