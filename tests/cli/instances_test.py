"""Public instance files: those in tools/demo/instances are proven; the larger collection beside the checkout loads.

The collection is in ../shared/data, outside of the tree. Without it its test is skipped, and fails under
OPTGAP_REQUIRE=data.
"""

import os
import pathlib
import re
import unittest

from optgap_process import rows, run

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HERE = ROOT / "tools/demo/instances"
OUTSIDE = ROOT.parent / "shared/data"
# Folder of the collection -> the task of its files, by their ending.
TASKS = {
    "tsplib": {".tsp": "tsp"},
    "tsplib_more": {".tsp": "tsp"},
    "hamiltonian": {".col": "hamiltonian"},
    "dimacs": {".col": "coloring", ".clq": "clique", ".b": "clique"},
    "graph": {".graph": "bisection"},
    "set_cover": {".txt": "set_cover"},
    "knapsack": {".txt": "knapsack"},
}
LOW_IS_GOOD = {"tsp", "coloring", "bisection", "set_cover"}


def solve(task, path, *options):
    """The only row of the file, without an error."""
    (row,) = rows(run("solve", "--task", task, *options, str(path)))
    assert "error" not in row, f"{path}: {row}"
    return row


class Instances(unittest.TestCase):
    def test_the_published_optima_of_the_trees_own_files_are_proven(self):
        table = [line.split() for line in (HERE / "optima.txt").read_text().splitlines()]
        found = {str(path.relative_to(HERE)) for path in HERE.glob("*/*")}
        self.assertEqual({name for name, _ in table}, found)
        notice = (HERE / "NOTICE").read_text()
        for name, optimum in table:
            with self.subTest(name=name):
                row = solve(name.split("/")[0], HERE / name)
                self.assertEqual((row["objective"], row["proven"]), (int(optimum), True))
                self.assertIn(pathlib.Path(name).name.split(".")[0], notice)

    def test_the_demo_shows_them(self):
        shown = run("demo", "--device", "cpu", "--text-bytes", "1000").stdout
        for name, optimum in (line.split() for line in (HERE / "optima.txt").read_text().splitlines()):
            task, file = name.split("/")
            self.assertRegex(shown, rf"(?m)^{task} +{re.escape(file)} +\d+ +{optimum} +{optimum} +yes +{optimum} +\d+")

    def test_files_outside_of_the_tree_load_and_keep_to_the_published_values(self):
        if not OUTSIDE.is_dir():
            self.assertNotEqual(os.environ.get("OPTGAP_REQUIRE"), "data", f"no files at {OUTSIDE}")
            self.skipTest(f"SKIPPED: no files at {OUTSIDE}")
        for folder, tasks in TASKS.items():
            text = (OUTSIDE / folder / "optima.txt").read_text()
            optima = re.findall(r"(?m)^(\w\S*)(?: :)? (\d+)( best known)?", text)
            self.assertEqual(len(optima), len(list((OUTSIDE / folder).iterdir())) - 1)
            for name, optimum, known_only in optima:
                path = OUTSIDE / folder / name
                if not path.is_file():
                    (path,) = (OUTSIDE / folder).glob(f"{name}.*[!0-9]")
                with self.subTest(file=str(path)):
                    task = tasks[path.suffix]
                    large = path.stat().st_size > 30_000
                    row = solve(task, path, "--budget", "0" if large else "20000")
                    low, high = (row["bound"], row["objective"])[:: 1 if task in LOW_IS_GOOD else -1]
                    self.assertLessEqual(low, int(optimum))
                    self.assertTrue(known_only or int(optimum) <= high, (optimum, high))


if __name__ == "__main__":
    unittest.main()
