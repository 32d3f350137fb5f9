"""--trace writes a Chrome trace: complete events with names, times and threads that nest properly."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BINARY = os.environ.get("OPTGAP_BINARY", str(ROOT / "build/release/optgap"))
ROW = '{"key": "knapsack@1:train:easy:1", "completion": "<think>hm</think><answer>[0]</answer>"}\n'


def optgap(*arguments, **more):
    return subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=120, check=False, **more)


class Trace(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def traced(self, *arguments, text=ROW):
        path = self.folder / "trace.json"
        done = optgap(*arguments, "--trace", str(path), "--device", "cpu", input=text)
        self.assertEqual(done.returncode, 0, done.stderr)
        trace = json.loads(path.read_text(encoding="utf-8"))
        self.assertEqual(trace["otherData"], {"dropped_events": 0})
        events = [event for event in trace["traceEvents"] if event["ph"] == "X"]
        for event in events:
            self.assertEqual({"name", "cat", "ph", "pid", "tid", "ts", "dur"}, set(event))
            self.assertGreaterEqual(event["ts"], 0)
            self.assertGreaterEqual(event["dur"], 0)
        return done, events

    def test_score_shows_its_stages_inside_of_itself(self):
        done, events = self.traced("score", "-")
        names = {event["name"] for event in events}
        self.assertLessEqual({"solve", "grade", "parse", "verify", "rewards", "advantages"}, names)
        whole = next(event for event in events if event["name"] == "grade")
        for stage in ("parse", "verify", "rewards"):
            inside = [e for e in events if e["name"] == stage and e["tid"] == whole["tid"] and e["ts"] >= whole["ts"]]
            self.assertTrue(inside, stage)
            self.assertLessEqual(inside[0]["ts"] + inside[0]["dur"], whole["ts"] + whole["dur"] + 0.01)
        self.assertEqual(done.stdout, optgap("score", "-", "--device", "cpu", input=ROW).stdout, "a trace changes rows")

    def test_solve_and_bench_take_it_too(self):
        self.assertIn("solve", {event["name"] for event in self.traced("solve", "-")[1]})
        _, events = self.traced(
            "bench", "step", "--batch", "160", "--level", "easy", "--text-bytes", "200", "--seconds", "0.01"
        )
        names = {event["name"] for event in events}
        self.assertLessEqual({"issue", "submit", "collect", "batch", "grade"}, names)
        threads = {event["tid"] for event in events if event["name"] in ("submit", "batch")}
        self.assertGreaterEqual(len(threads), 2, "batches run beside the submitter")

    def test_a_file_that_cannot_be_written_is_refused_at_once(self):
        done = optgap("score", "-", "--trace", str(self.folder / "none/trace.json"), input=ROW)
        self.assertEqual(done.returncode, 3)
        self.assertIn("cannot write the trace", done.stderr)
        self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main()
