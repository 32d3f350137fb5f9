"""recompute --keep expensive: labels that are not kept are proven, inexpensive and reproducible, and the kept ones are those
of a store of everything."""

import json
import pathlib
import re
import signal
import subprocess
import time

from optgap_process import BINARY, TSP4, lines
from store_test import Case

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SPEC = "sorting:easy:test:0-4999,tsp:easy:test:0-99,coloring:hard:test:0-99,flow_shop:benchmark:val:0-5"

SORTED, TOURS, BLOCK = 100_000, 100, 1024  # rows of the spec that is killed, rows of a block


def expensive_steps():
    """The constants in the tasks' folders, by task; 0 where there is none."""
    said = {}
    for text in ROOT.glob("kernels/tasks/*/*_text.cpp"):
        steps = re.findall(r"\.expensive_steps = (\d+),", text.read_text(encoding="utf-8"))
        said[text.parent.name] = int(steps[0]) if steps else 0
    return said


class Expensive(Case):
    def made(self, name, *arguments, spec=SPEC):
        return self.done("recompute", "--store", self.path(name), "--spec", spec, *arguments).stderr

    def rows(self, name):
        return {row["key"]: row for row in map(json.loads, self.export(self.path(name)).splitlines())}

    def test_the_steps_are_of_tasks(self):
        """A task without a constant keeps every label that takes a step, so a new task needs none."""
        said = expensive_steps()
        self.assertEqual(set(said), {task["name"] for task in json.loads(self.done("tasks", "--json").stdout)})
        self.assertGreater(sum(steps > 0 for steps in said.values()), 20)

    def test_what_is_left_out_is_proven_and_inexpensive(self):
        self.made("all.db", "--budget", "300")
        said = self.made("expensive.db", "--budget", "300", "--keep", "expensive")
        every, expensive, steps = self.rows("all.db"), self.rows("expensive.db"), expensive_steps()
        self.assertIn(f"{len(every)} of {len(every)} rows solved, {len(expensive)} changed", said)
        for key, row in every.items():
            self.assertLessEqual(row["steps"], 300)
            inexpensive = row["proven"] and max(row["steps"], row["bound_steps"]) <= steps[row["task"]]
            self.assertEqual(expensive.get(key), None if inexpensive else row, key)
        kept = {row["task"] for row in expensive.values()}
        self.assertEqual(kept, {"tsp", "flow_shop"})
        self.assertGreater(
            sum(row["task"] == "tsp" for row in every.values()), sum(row["task"] == "tsp" for row in expensive.values())
        )
        self.done("store", "verify", self.path("expensive.db"))

    def test_a_second_run_knows_what_the_file_does_not_hold(self):
        log = self.here / "log"
        first = ("--budget", "300", "--keep", "expensive", "--log", str(log))
        self.made("a.db", *first)
        before = log.read_text(encoding="utf-8")
        self.assertIn("nothing to do, 5206 of 5206 rows are there, or not expensive", self.made("a.db", *first))
        self.assertEqual(log.read_text(encoding="utf-8"), before)
        self.assertIn("rows solved", self.made("a.db", "--budget", "300"), "all of them is another question")
        self.made("all.db", "--budget", "300")
        self.assertEqual(self.rows("a.db"), self.rows("all.db"))

    def test_kills_change_nothing(self):
        spec = f"sorting:easy:test:0-{SORTED - 1},tsp:hard:test:0-{TOURS - 1}"
        command = [
            BINARY,
            "recompute",
            "--store",
            self.path("a.db"),
            "--spec",
            spec,
            "--keep",
            "expensive",
            "--threads",
            "1",
            "--log",
            self.path("log"),
        ]

        def logged():
            log = self.here / "log"
            return log.stat().st_size if log.exists() else 0

        kills, stopped = 6, 0
        for k in range(kills):
            before, started = logged(), subprocess.Popen(command, stderr=subprocess.DEVNULL)
            while logged() < before + 100 * k and started.poll() is None:  # two lines more each time
                time.sleep(0.001)
            stopped += started.poll() is None
            started.send_signal(signal.SIGKILL if k % 2 else signal.SIGTERM)
            started.wait()
        self.assertGreater(stopped, 1)
        self.done(*command[1:])
        self.made("b.db", "--keep", "expensive", spec=spec)
        self.assertEqual(self.rows("a.db"), self.rows("b.db"))
        # A kill costs a block: for inexpensive rows the file records only the finished blocks.
        done = [json.loads(line) for line in (self.here / "log").read_text(encoding="utf-8").splitlines()]
        solved = sum(one["rows"] for one in done)
        self.assertLessEqual(solved, SORTED + TOURS + kills * BLOCK)
        self.assertGreaterEqual(solved, SORTED + TOURS - kills * BLOCK)

    def test_scoring_rewards_the_same(self):
        spec = "tsp:easy:val:0-39"
        self.made("all.db", spec=spec)
        self.made("expensive.db", "--keep", "expensive", spec=spec)
        rollouts = lines(
            *(
                {"key": f"tsp@1:val:easy:{seed}", "completion": "<think>x</think><answer>[0]</answer>"}
                for seed in range(40)
            )
        )
        rewarded = []
        for name in ("all", "expensive"):
            self.done("store", "snapshot", self.path(f"{name}.db"), "-o", self.path(f"{name}-frozen.db"))
            ended = self.done("score", "-", "--baselines", self.path(f"{name}-frozen.db"), stdin=rollouts)
            rewarded.append(
                [
                    {name: value for name, value in json.loads(line).items() if name != "fingerprint"}
                    for line in ended.stdout.splitlines()
                ]
            )
        self.assertEqual(rewarded[0], rewarded[1])
        self.assertIn(len(self.rows("expensive.db")), range(1, 40))

    def test_it_is_for_specs(self):
        self.done(
            "recompute",
            "--store",
            self.path("x.db"),
            "--in",
            "-",
            "--keep",
            "expensive",
            stdin=lines({"task": "tsp", "instance": TSP4}),
            code=2,
        )


if __name__ == "__main__":
    import unittest

    unittest.main()
