"""optgap solve --start: the source of each answer, refused starts, and that no start is lost."""

import json
import os
import pathlib
import tempfile
import unittest

from optgap_process import KNAPSACK4, TSP4, lines, rows, run

TASKS = [task["name"] for task in json.loads(run("tasks", "--json").stdout)]


class Starts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def solve(self, given, starts, *options):
        path = self.folder / "starts.jsonl"
        path.write_text(lines(*starts))
        return run("solve", "-", "--start", os.fspath(path), *options, stdin=lines(*given))

    def test_every_task_keeps_its_starts_in_any_order(self):
        given = rows(run("generate", *TASKS, "--level", "hard", "--count", "2"))
        best = rows(run("solve", "-", stdin=lines(*given)))
        starts = [{"key": row["key"], "answer": row["answer"]} for row in best if row["answer"] is not None]
        for budget in ("0", "3"):
            done = self.solve(given, list(reversed(starts)), "--budget", budget)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            for row, first in zip(rows(done), best):
                self.assertEqual(row["objective"], first["objective"], row["key"])

    def test_a_start_is_found_by_key_by_instance_and_by_an_explicit_key(self):
        given = {"task": "knapsack", "instance": KNAPSACK4}
        solved = rows(run("solve", "-", stdin=lines(given)))[0]
        path = self.folder / "own.jsonl"
        path.write_text(lines(given))
        key = rows(run("relabel", "-", "--seed", "1", stdin=lines(given)))[0]["twin_of"]
        for start in ({**given, "answer": [0]}, {"key": key, "answer": "[0]"}):
            done = self.solve([given], [start], "--budget", "1000")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(rows(done)[0]["objective"], solved["objective"])
        none = self.solve([given], [{**given, "answer": None}])
        self.assertEqual((none.returncode, rows(none)[0]["objective"]), (0, solved["objective"]))

    def test_an_infeasible_start_rejects_its_row_alone(self):
        given = [{"task": "knapsack", "instance": KNAPSACK4}, {"task": "tsp", "instance": TSP4}]
        done = self.solve(given, [{**given[0], "answer": [0, 0]}, {**given[1], "answer": [0, 1, 2, 3]}])
        self.assertEqual(done.returncode, 1)
        refused, kept = rows(done)
        self.assertEqual((refused["error"]["row"], refused["error"]["field"]), (1, "start"))
        self.assertIn("starts.jsonl, row 1: not a feasible answer: repeated", refused["error"]["rule"])
        self.assertTrue(kept["proven"])

    def test_rows_that_are_no_starts_are_named_before_anything_is_solved(self):
        given = {"task": "tsp", "instance": TSP4}
        for start, said in (
            ({"task": "tsp"}, "row 1: instance: missing"),
            ({"answer": [0]}, "row 1: key: missing"),
            ("no json", "row 1: line"),
            (given, "row 1: answer: missing"),
            ({**given, "answer": "what?"}, "row 1: answer: is none to start from"),
            ({"key": "sudoko@1:x:" + "0" * 32, "answer": [0]}, "sudoko"),
        ):
            done = self.solve([given], [start])
            self.assertEqual((done.returncode, done.stdout), (2, ""), start)
            self.assertIn(said, done.stderr)
        two = [{**given, "answer": [0, 1, 2, 3]}, {**given, "answer": [0, 1, 3, 2]}]
        self.assertIn("row 2: another answer to the instance of row 1", self.solve([given], two).stderr)
        self.assertEqual(self.solve([given], [two[0], two[0]]).returncode, 0)

    def test_starts_of_other_instances_are_complained_of(self):
        given = [{"task": "tsp", "instance": TSP4}, {"task": "knapsack", "instance": KNAPSACK4}]
        starts = [{**given[0], "answer": [0, 1, 2, 3]}, {**given[1], "answer": [0]}]
        done = self.solve(given[:1], starts)
        self.assertEqual((done.returncode, len(rows(done))), (1, 1))
        self.assertIn("1 row to start from of instances that were not among those to solve, first row 2", done.stderr)

    def test_a_longer_search_goes_on_from_a_shorter_one(self):
        given = rows(run("generate", "tsp", "--level", "d50", "--count", "3"))
        first = rows(run("solve", "-", "--budget", "0", stdin=lines(*given)))
        better = rows(run("improve", "-", "--steps", "500", stdin=lines(*first)))
        done = rows(self.solve(given, better, "--budget", "1"))
        for row, start in zip(done, better):
            self.assertLessEqual(row["objective"], start["objective"])


if __name__ == "__main__":
    unittest.main()
