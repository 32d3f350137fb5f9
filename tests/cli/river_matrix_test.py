"""Repeats a slice of the matrix behind docs/river.md: the same codes and objectives.

Skipped by name where `optgap sandbox` finds no isolation level, unless OPTGAP_REQUIRE names the sandbox.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from optgap_process import BINARY

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "examples/programs/policy"
MATRIX = json.loads((ROOT / "python/optgap/examples/river_matrix.json").read_text(encoding="utf-8"))
HELD = subprocess.run([BINARY, "sandbox", "--json"], capture_output=True, text=True, timeout=120).returncode == 0
REQUIRED = "sandbox" in os.environ.get("OPTGAP_REQUIRE", "")
AGAIN = ["large_alone", "nearest", "half", "by_root", "everything"]


class Matrix(unittest.TestCase):
    @unittest.skipUnless(HELD or REQUIRED, "SKIPPED: optgap sandbox finds no isolation level that holds programs")
    def test_a_slice_is_made_again(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "slice.json"
            command = [sys.executable, "-B", str(FOLDER / "make_matrix.py"), "--only", *AGAIN, "--out", str(out)]
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=300, env={**os.environ, "OPTGAP_BINARY": BINARY}
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            made = json.loads(out.read_text(encoding="utf-8"))
        for task in MATRIX:
            kept = [row for row in MATRIX[task]["programs"] if row["name"].partition(".")[0] in AGAIN]
            self.assertEqual(len(kept), 3)
            self.assertEqual(made[task], {**MATRIX[task], "programs": kept})

    def test_every_program_has_its_row_and_every_row_its_program(self):
        for task in MATRIX:
            files = sorted(file.name for file in (FOLDER / task).glob("*.*"))
            self.assertEqual([row["name"] for row in MATRIX[task]["programs"]], files)
            self.assertEqual(len(files), 16)


if __name__ == "__main__":
    unittest.main()
