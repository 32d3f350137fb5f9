"""tools/task_costs.py: lines of a task by what they are."""

import json
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = ROOT / "tools/task_costs.py"


def said(*arguments):
    return subprocess.run([sys.executable, "-B", PROGRAM, *arguments], capture_output=True, text=True)


class TaskCosts(unittest.TestCase):
    def test_every_line_of_code_is_counted_once(self):
        rows = {row["task"]: row for row in json.loads(said("--json").stdout)}
        folders = {
            path.parent.name for path in (ROOT / "kernels/tasks").glob("*/*.cu") if path.stem == path.parent.name
        }
        self.assertEqual(set(rows), folders)
        for task, row in rows.items():
            files = [
                path for path in (ROOT / "kernels/tasks" / task).rglob("*") if path.suffix in (".hpp", ".cu", ".cpp")
            ]
            lines = sum(len(path.read_bytes().splitlines()) for path in files)
            self.assertEqual(row["law"] + row["text"] + row["reference"] + row["tests"], lines, task)
            self.assertTrue(row["law"] and row["text"] and row["reference"] and row["frozen"] and row["oracle"], row)

    def test_the_table_has_a_row_each_and_a_median(self):
        lines = said("vertex_cover", "futoshiki").stdout.splitlines()
        self.assertEqual([line.split()[0] for line in lines], ["task", "vertex_cover", "futoshiki", "median"])

    def test_a_build_without_kernels_is_named(self):
        for folder, expected in (("nowhere", "expected a build folder with CUDA"), (".", "expected a build folder")):
            done = said("clique", "--cuda", folder)
            self.assertEqual(done.returncode, 1)
            self.assertIn(expected, done.stderr)

    def test_what_nvcc_takes_for_a_task_is_measured_where_kernels_are_built(self):
        build = next(
            (
                ROOT / "build" / name
                for name in ("cuda", "device")
                if (ROOT / "build" / name / "CMakeCache.txt").exists()
            ),
            None,
        )
        if build is None:
            self.skipTest("SKIPPED: no build with CUDA here")
        (row,) = json.loads(said("subset_sum", "--cuda", str(build), "--json").stdout)
        self.assertGreater(row["nvcc_cpu_s"], 1)
        self.assertGreater(row["device_code_kb"], 50)

    def test_an_unknown_task_is_named(self):
        done = said("vertex_cver")
        self.assertEqual(done.returncode, 2)
        self.assertIn("vertex_cver", done.stderr)


if __name__ == "__main__":
    unittest.main()
