"""`optgap gates`: the requirements of a task's levels."""

import json
import unittest

from optgap_process import run


class Gates(unittest.TestCase):
    def test_a_level_s_row_is_measured_and_judged(self):
        done = run("gates", "vertex_cover", "--count", "30", "--levels", "benchmark", "d40", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        [of] = json.loads(done.stdout)
        self.assertEqual([row["level"] for row in of["levels"]], ["benchmark", "d40"])
        for row in of["levels"]:
            self.assertEqual((row["proven"], row["worst_gap"], row["distinct"]), (1, 0, 1))
            self.assertGreaterEqual(row["most_steps"], row["median_steps"])
            self.assertGreaterEqual(row["most_seconds"], row["median_seconds"])
        self.assertTrue(all(gate["holds"] for gate in of["gates"]))
        self.assertEqual(len(of["gates"]), 10)

    def test_a_broken_gate_is_named_and_ends_with_1(self):
        done = run("gates", "vertex_cover", "--count", "10", "--levels", "benchmark", "--budget", "0")
        self.assertEqual(done.returncode, 1)
        self.assertIn("vertex_cover: benchmark: proven by the default budget", done.stdout)

    def test_an_unknown_task_is_bad_usage(self):
        self.assertEqual(run("gates", "vertex_cver").returncode, 2)


if __name__ == "__main__":
    unittest.main()
