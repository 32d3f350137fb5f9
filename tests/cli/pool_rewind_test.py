"""optgap pool rewind: every step of a pool that evicts entries, what is kept of evicted ones, kills, and refusals."""

import pathlib
import random
import shutil
import sqlite3
import subprocess
import time
import unittest

from optgap_process import BINARY
from pool_test import LONG, Case

STEPS = 4


class Rewind(Case):
    def grown(self, name):
        """A pool with room for 6 entries per task after STEPS steps of problems and observations; its output and
        content after each, and the parts of each."""
        path = self.path(name)
        self.done("pool", "init", path, "--capacity", "6")
        told, parts = [self.told(path)], []
        for step in range(STEPS):
            text = self.instances("tsp", "knapsack", "--level", "d3", "--count", "5", "--seed", str(4 * step))
            part, seen = self.path(f"part{step}.jsonl"), []
            if step:
                seen = ["--observed", self.path("observed.jsonl")]
                pathlib.Path(seen[1]).write_text(self.scored(path, 6))
            self.done("pool", "add", path, "-", *seen, "--delta", part, stdin=text)
            self.done("pool", "merge", path, part)
            told.append(self.told(path))
            parts.append(part)
        return path, told, parts

    def told(self, path):
        """Hash, export, weights and draws."""
        if self.info(path)["entries"] == 0:
            return self.hash(path)
        return (
            self.hash(path),
            self.done("pool", "export", path).stdout,
            self.done("pool", "stats", path, "--weights", "signal").stdout,
            self.done("pool", "sample", path, "--count", "20", "--prompts").stdout,
        )

    def test_each_step_is_what_it_was_and_the_same_parts_lead_back(self):
        path, told, parts = self.grown("a.db")
        self.assertIn('"gone":true', told[-1][1])
        for step in range(STEPS):
            back = self.path(f"back{step}.db")
            shutil.copy(path, back)
            ended = self.done("pool", "rewind", back, "--step", str(step))
            self.assertIn(f"{back}: {STEPS - step} steps dropped, with ", ended.stderr)
            kept = f"{back}.dropped-{step}-{told[-1][0][:8]}"
            self.assertIn(f"{kept}: what was dropped; optgap pool merge {back} {kept} brings it back", ended.stderr)
            self.assertEqual(self.told(back), told[step])
            self.assertEqual(ended.stdout.strip(), self.hash(back))
            again = self.path(f"again{step}.db")
            shutil.copy(back, again)
            self.done("pool", "merge", again, *parts[step:])
            self.assertEqual(self.told(again), told[-1], "the same parts lead to the same pool")
            self.done("pool", "merge", back, kept)
            self.assertEqual(self.told(back), told[-1], "and so does what was kept")
            self.assertIn("0 wrong", self.done("pool", "verify", back).stdout)

    def test_a_step_that_it_is_at_changes_nothing(self):
        path, told, _ = self.grown("a.db")
        before = pathlib.Path(path).read_bytes()
        ended = self.done("pool", "rewind", path, "--step", str(STEPS))
        self.assertIn(f"is at step {STEPS} already, nothing is dropped", ended.stderr)
        self.assertEqual(ended.stdout.strip(), told[-1][0])
        self.named(f"step: {STEPS + 1}: expected one from 0 to {STEPS}", "pool", "rewind", path, "--step", "5", code=2)
        self.named("--step", "pool", "rewind", path, "--step", "-1", code=2)
        self.named("--step", "pool", "rewind", path, code=2)
        self.named("none.db", "pool", "rewind", self.path("none.db"), "--step", "0")
        self.assertEqual(pathlib.Path(path).read_bytes(), before)
        self.assertEqual(sorted(self.here.glob("*dropped*")), [])

    def test_a_damaged_file_is_refused_as_it_is(self):
        path, _, _ = self.grown("a.db")
        with sqlite3.connect(path) as base:
            base.execute("UPDATE outcome SET attempts = attempts + 1 WHERE step = 2")
        base.close()
        before = pathlib.Path(path).read_bytes()
        self.named("chain of hashes", "pool", "rewind", path, "--step", "1")
        self.assertEqual(pathlib.Path(path).read_bytes(), before)
        self.assertEqual(sorted(self.here.glob("*dropped*")), [])

    def test_kills_at_random_instants_leave_the_pool_before_or_after(self):
        path, told, _ = self.grown("a.db")
        whole, kills, found = pathlib.Path(path).read_bytes(), 0, set()
        draw = random.Random(2)
        while kills < (50 if LONG else 10):
            started = subprocess.Popen(
                [BINARY, "pool", "rewind", path, "--step", "1", "--quiet"], stdout=subprocess.DEVNULL
            )
            time.sleep(draw.uniform(0, 0.06))
            kills += started.poll() is None
            started.kill()
            started.wait()
            found.add(self.hash(path))
            self.done("pool", "rewind", path, "--step", "1")
            self.assertEqual(self.told(path), told[1])
            pathlib.Path(path).write_bytes(whole)
        self.assertLessEqual(found, {told[1][0], told[-1][0]})


if __name__ == "__main__":
    unittest.main()
