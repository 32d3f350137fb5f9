"""`optgap score` of tests/rows/rows.jsonl, rows of every kind: the frozen bytes in tests/rows/golden.

OPTGAP_BINARY=build/release/optgap python3 tests/cli/frozen_rows_test.py --write    after a change of behaviour that is meant"""

import pathlib
import re
import sys
import unittest

from optgap_process import run

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "rows"))
from frozen_rows import ROWS, RUNS, golden, kept
from make_rows import KINDS, lines
from program_rows_test import needs_sandbox
from verbs import PAGE, written

ROOT = pathlib.Path(__file__).resolve().parents[2]


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


class KindFolders(unittest.TestCase):
    @needs_sandbox
    def test_each_has_a_page_with_a_row_that_is_scored_and_all_its_files(self):
        for kind in KINDS:
            folder = ROOT / "host/rows" / kind
            page = (folder / "README.md").read_text(encoding="utf-8")
            row = re.search(r"^```json\n(.*?)^```", page, re.S | re.M)[1]
            done = run("score", "-", "--isolation", "auto", "--external", stdin=row)
            self.assertEqual(done.returncode, 0, (kind, done.stderr))
            named = re.findall(r"^\| `([\w.{},]+)` \|", page, re.M)
            there = {f"{name.partition('.')[0]}.{end}" for name in named for end in re.findall(r"[ch]pp", name)}
            self.assertEqual(there, {path.name for path in folder.glob("*.?pp")}, kind)


def write():
    for name in RUNS:
        golden(name).parent.mkdir(exist_ok=True)
        golden(name).write_bytes(scored(name)[0])


if __name__ == "__main__":
    write() if sys.argv[1:] == ["--write"] else unittest.main()
