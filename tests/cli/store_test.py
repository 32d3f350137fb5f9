"""Stores of baselines: kills, full disks, shards and merges leave the bytes of the undisturbed run, or are named.

OPTGAP_KILLS=1000 python3 tests/cli/store_test.py Kills    the long form"""

import itertools
import json
import os
import pathlib
import random
import resource
import signal
import sqlite3
import subprocess
import tempfile
import time
import unittest

from optgap_process import BINARY, KNAPSACK4, TSP4, lines, run

BUDGET = ("--budget", "300")
# Minutes of work on any machine, in transactions of at most a second.
LONG = "apples:hard:val:0-499999"
# Three tasks, 2,160 rows, some of them unproven, in blocks of one transaction each.
PARTS = ("tsp:benchmark:test", "clique:d30:train", "coloring:val:hard")
SPEC = ",".join(f"{part}:{1000 * k}-{1000 * k + 29}" for k in range(24) for part in PARTS)
SMALL = "tsp:benchmark:test:0-39,coloring:hard:test:0-19"


class Case(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.here = pathlib.Path(self.scratch.name)

    def tearDown(self):
        self.scratch.cleanup()

    def path(self, name):
        return str(self.here / name)

    def done(self, *arguments, code=0, **how):
        ended = run(*arguments, **how)
        self.assertEqual(ended.returncode, code, ended.stderr)
        return ended

    def fill(self, name, *arguments, spec=SMALL):
        self.done("recompute", "--store", self.path(name), "--spec", spec, *BUDGET, *arguments)
        return self.path(name)

    def export(self, path):
        return self.done("store", "export", path).stdout

    def named(self, words, *arguments, code=3):
        self.assertIn(words, self.done(*arguments, code=code).stderr)

    @staticmethod
    def change(path, statement, digests=True):
        """Changes the file without the engine; without digests the file is one of schema 1, whose rows have none."""
        base = sqlite3.connect(path)
        base.execute(statement)
        if not digests:
            for table in ("baselines", "instances"):
                base.execute(f"ALTER TABLE {table} DROP COLUMN digest")
            base.execute("PRAGMA user_version=1")
        base.commit()
        base.close()


class Kills(Case):
    def test_kills_at_random_instants_change_nothing(self):
        wanted = int(os.environ.get("OPTGAP_KILLS", "50"))
        begun = time.monotonic()
        whole = self.fill("whole.db", "--threads", "1", spec=SPEC)
        # On a busy machine a process takes longer to start. Most kills should hit a working process, also on a fast
        # machine.
        most = min(0.4, max(0.06, (time.monotonic() - begun) / 20))
        path, log = self.path("killed.db"), self.here / "log"
        command = [BINARY, "recompute", "--store", path, "--spec", SPEC, *BUDGET, "--threads", "1", "--log", str(log)]
        draw, kills = random.Random(1), 0
        while kills < wanted:
            started = subprocess.Popen(command, stderr=subprocess.DEVNULL)
            time.sleep(draw.uniform(0, most))
            ended = started.poll() is not None
            started.kill()
            started.wait()
            kills += not ended
            if ended:  # it finished early, so start again from nothing
                pathlib.Path(path).unlink()
                log.unlink()
        self.done(*command[1:])
        self.assertEqual(self.export(path), self.export(whole))
        blocks = [json.loads(line)["block"] for line in log.read_text().splitlines()]
        self.assertEqual(len(blocks), len(set(blocks)), "a block was solved twice")
        self.assertFalse(json.loads(self.done("store", "info", path, "--json").stdout)["missing"])

    def test_a_term_signal_keeps_what_is_done_and_says_how_to_go_on(self):
        command = [BINARY, "recompute", "--store", self.path("a.db"), "--spec", LONG, *BUDGET, "--threads", "1"]
        command += ["--log", self.path("log")]
        started = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        while not os.path.exists(self.path("log")):
            time.sleep(0.01)
            self.assertIsNone(started.poll(), "it ended by itself")
        started.send_signal(signal.SIGTERM)
        _, said = started.communicate(timeout=60)
        self.assertEqual(started.returncode, 0, said)
        self.assertIn("resume with the same command", said)
        self.done("store", "verify", self.path("a.db"))


class Disks(Case):
    def test_a_full_disk_ends_with_3_and_leaves_the_store_whole(self):
        path = self.path("full.db")

        def little():
            resource.setrlimit(resource.RLIMIT_FSIZE, (120_000, 120_000))

        ended = subprocess.run(
            [BINARY, "recompute", "--store", path, "--spec", SPEC, *BUDGET],
            preexec_fn=little,
            capture_output=True,
            text=True,
            timeout=300,
        )
        self.assertEqual(ended.returncode, 3, ended.stderr)
        self.assertIn("full.db", ended.stderr)
        self.done("store", "verify", path)
        self.done("recompute", "--store", path, "--spec", SPEC, *BUDGET)
        self.assertEqual(self.export(path), self.export(self.fill("whole.db", spec=SPEC)))

    def test_a_store_that_may_not_be_written_is_named(self):
        path = self.fill("frozen.db")
        snapshot = self.done("store", "snapshot", path).stdout.strip()
        before = pathlib.Path(snapshot).read_bytes()
        with sqlite3.connect(path) as base:
            base.execute("CREATE TRIGGER no BEFORE INSERT ON baselines BEGIN SELECT RAISE(FAIL, 'not now'); END")
        base.close()
        self.named("not now", "recompute", "--store", path, "--spec", "tsp:benchmark:val:0-3", *BUDGET)
        self.assertEqual(pathlib.Path(snapshot).read_bytes(), before)
        if os.geteuid() != 0:
            self.named("expected", "recompute", "--store", snapshot, "--spec", "tsp:benchmark:val:0-3", *BUDGET)

    def test_a_store_that_becomes_read_only_in_mid_run_is_whole_and_goes_on(self):
        path, log = self.path("a.db"), self.path("log")
        command = ["recompute", "--store", path, "--spec", "tsp:benchmark:val:0-99999", *BUDGET]
        command += ["--log", log, "--threads", "1"]
        started = subprocess.Popen([BINARY, *command], stderr=subprocess.PIPE, text=True)
        while not os.path.exists(log):  # the first transaction is committed; some hundred follow
            time.sleep(0.01)
            self.assertIsNone(started.poll(), "it ended by itself")
        base = sqlite3.connect(path, timeout=120)
        for what in ("INSERT", "UPDATE"):
            base.execute(
                f"CREATE TRIGGER no_{what} BEFORE {what} ON baselines BEGIN SELECT RAISE(FAIL, 'read-only now'); END"
            )
        base.commit()
        _, said = started.communicate(timeout=120)
        self.assertEqual(started.returncode, 3, said)
        self.assertIn("read-only now", said)
        self.done("store", "verify", path)
        kept = [json.loads(line) for line in self.export(path).splitlines()]
        self.assertEqual(
            len(kept),
            sum(json.loads(line)["rows"] for line in pathlib.Path(log).read_text(encoding="utf-8").splitlines()),
            "what was committed, and no more",
        )
        for what in ("INSERT", "UPDATE"):
            base.execute(f"DROP TRIGGER no_{what}")
        base.commit()
        base.close()
        last = len(kept) + 9
        self.done("recompute", "--store", path, "--spec", f"tsp:benchmark:val:0-{last}", *BUDGET)
        whole = self.path("whole.db")
        self.done("recompute", "--store", whole, "--spec", f"tsp:benchmark:val:0-{last}", *BUDGET)
        self.assertEqual(self.export(path), self.export(whole))

    def test_the_second_writer_is_told_who_the_first_is(self):
        path = self.path("two.db")
        first = subprocess.Popen([BINARY, "recompute", "--store", path, "--spec", LONG], stderr=subprocess.DEVNULL)
        try:
            while not pathlib.Path(path).exists():
                time.sleep(0.005)
                self.assertIsNone(first.poll(), "it ended by itself")
            self.named(f"pid {first.pid}", "recompute", "--store", path, "--spec", SPEC)
            self.assertIn("is being written by", self.done("store", "info", path).stdout)
        finally:
            first.kill()
            first.wait()


class Contents(Case):
    def test_threads_shards_and_merges_give_one_hash(self):
        whole = self.fill("one.db", "--threads", "1")
        text = self.export(whole)
        for threads in ("2", "4"):
            self.assertEqual(self.export(self.fill(f"{threads}.db", "--threads", threads)), text)
        spec = "tsp:benchmark:test:0-2999,clique:d10:test:0-3000"
        content = json.loads(self.done("store", "info", self.fill("w.db", spec=spec), "--json").stdout)["content"]
        for shards in (4, 7):
            for shard in reversed(range(shards)):
                self.fill(f"d{shards}", "--shard", f"{shard}/{shards}", spec=spec)
            found = json.loads(self.done("store", "info", self.path(f"d{shards}"), "--json").stdout)
            self.assertEqual((found["content"], found["shards"], found["missing"]), (content, shards, ""))
        files = sorted(str(file) for file in (self.here / "d4").iterdir())
        self.done("store", "merge", self.path("m.db"), files[2], files[0], files[2])
        said = self.done("store", "merge", self.path("m.db"), files[3], files[1], self.path("d4")).stderr
        self.assertIn(content, said)

    def test_five_files_merge_to_one_content_in_all_120_orders(self):
        """The same rows tried with five budgets, and rows that only one file has: the kept answer and bound do not
        depend on the order."""
        files = []
        for k, budget in enumerate(("0", "5", "20", "60", "300")):
            files.append(self.path(f"f{k}.db"))
            spec = f"tsp:benchmark:test:0-9,coloring:hard:test:0-9,tsp:easy:val:{k}"
            self.done("recompute", "--store", files[k], "--budget", budget, "--spec", spec)
        contents = set()
        for order in itertools.permutations(files):
            again = [order[0], *order]  # one of them twice
            said = self.done("store", "merge", self.path("m.db"), *again).stderr
            contents.add(said.rpartition("content ")[2].strip())
            os.unlink(self.path("m.db"))
        self.assertEqual(len(contents), 1)
        self.assertNotIn(json.loads(self.done("store", "info", files[4], "--json").stdout)["content"], contents)

    def test_missing_shards_and_the_line_that_finishes_them(self):
        for shard in (0, 2, 3):
            self.fill("d", "--shard", f"{shard}/6", spec="tsp:easy:test:0-9999")
        self.assertIn("--array=1,4-5", self.done("store", "info", self.path("d")).stdout)

    def test_a_job_array_needs_nobody_who_coordinates_it(self):
        environment = {
            **os.environ,
            "SLURM_ARRAY_TASK_MIN": "0",
            "SLURM_ARRAY_TASK_MAX": "3",
            "SLURM_ARRAY_TASK_COUNT": "4",
        }
        command = [BINARY, "recompute", "--store", self.path("jobs"), "--spec", "tsp:easy:test:0-9999", *BUDGET]
        command += ["--shard", "slurm"]
        jobs = [
            subprocess.Popen([*command, "--quiet"], env={**environment, "SLURM_ARRAY_TASK_ID": str(k)})
            for k in range(4)
            if k != 2
        ]
        self.assertEqual([job.wait() for job in jobs], [0, 0, 0])
        again = {
            **os.environ,
            "SLURM_ARRAY_TASK_MIN": "2",
            "SLURM_ARRAY_TASK_MAX": "2",
            "SLURM_ARRAY_TASK_COUNT": "1",
            "SLURM_ARRAY_TASK_ID": "2",
        }
        self.assertEqual(subprocess.run([*command, "--quiet"], env=again).returncode, 0)
        self.assertEqual(self.export(self.path("jobs")), self.export(self.fill("one.db", spec="tsp:easy:test:0-9999")))

    def test_budgets_continue_what_is_unproven_and_nothing_else(self):
        few = ("--budget", "20")
        self.done("recompute", "--store", self.path("old.db"), "--spec", SMALL, *few)
        path = self.path("a.db")
        self.done("recompute", "--store", path, "--spec", SMALL, *few)
        before = [json.loads(line) for line in self.export(path).splitlines()]
        self.assertIn("nothing to do", self.done("recompute", "--store", path, "--spec", SMALL, *few).stderr)
        self.assertIn(
            "nothing to do", self.done("recompute", "--store", path, "--spec", SMALL, "--budget", "10").stderr
        )
        said = self.done("recompute", "--store", path, "--spec", SMALL, "--budget", "3000").stderr
        unproven = sum(not row["proven"] for row in before)
        self.assertGreater(unproven, 5)
        self.assertIn(f"{unproven} of {len(before)} rows solved", said)
        for old, new in zip(before, map(json.loads, self.export(path).splitlines()), strict=True):
            self.assertEqual(old["key"], new["key"])
            self.assertLessEqual(new["objective"], old["objective"])
            self.assertGreaterEqual(new["bound"], old["bound"])
            if old["proven"]:
                self.assertEqual(old, new)
        self.assertEqual(self.done("store", "diff", self.path("old.db"), path, "--json").returncode, 0)

    def test_rows_that_take_few_of_their_steps_share_a_commit(self):
        log = self.here / "log"
        words = "--spec subset_sum:easy:test:0-2047 --threads 1".split()
        self.done("recompute", "--store", self.path("a.db"), *words, "--log", str(log))
        sizes = [json.loads(line)["rows"] for line in log.read_text(encoding="utf-8").splitlines()]
        self.assertEqual(sum(sizes), 2048)
        self.assertLess(sizes[0], 64, "the first may take its whole budget")
        self.assertEqual(sizes[-1], 1024)
        self.assertLess(len(sizes), 20)

    def test_the_export_is_canonical_and_comes_back(self):
        rows = [
            {"task": "tsp", "instance": TSP4},
            {"task": "knapsack", "instance": KNAPSACK4},
            {"key": "tsp@1:test:easy:7"},
        ]
        source = self.here / "rows.jsonl"
        source.write_text(lines(*rows), encoding="utf-8")
        self.done("recompute", "--store", self.path("own.db"), "--in", str(source), *BUDGET)
        text = self.export(self.path("own.db"))
        made = [json.loads(line) for line in text.splitlines()]
        self.assertEqual([row["key"].split(":")[1] for row in made], ["x", "test", "x"])
        self.assertTrue(all(list(row) == sorted(row) for row in made))
        self.done("store", "verify", self.path("own.db"), "--prove", "3")
        self.done("store", "import", self.path("back.db"), "-", "--budget", "300", stdin=text)
        again = [json.loads(line) for line in self.export(self.path("back.db")).splitlines()]
        for old, new in zip(made, again, strict=True):
            self.assertEqual(
                [old[name] for name in ("key", "answer", "objective", "bound", "hash")],
                [new[name] for name in ("key", "answer", "objective", "bound", "hash")],
            )
            self.assertEqual(new["solver"], "import:jsonl")


class Others(Case):
    KEY = "tsp@1:test:easy:7"

    def solved(self):
        return json.loads(self.done("solve", "-", stdin=lines({"key": self.KEY})).stdout)

    def test_answers_of_others_are_verified_and_prove_nothing(self):
        row, path = self.solved(), self.path("a.db")
        worse = [0, 1] + [v for v in range(len(row["answer"])) if v > 1]
        given = lines({"key": self.KEY, "answer": worse, "objective": 1, "bound": 1, "proven": True})
        self.done("store", "import", path, "-", "--name", "lkh", "--budget", "0", stdin=given)
        made = json.loads(self.export(path))
        self.assertLess(made["bound"], made["objective"])
        self.assertFalse(made["proven"])
        self.done("store", "import", path, "-", stdin=lines({"key": self.KEY, "answer": [0, 0, 1]}), code=1)
        self.assertEqual(json.loads(self.export(path)), made)
        self.done(
            "store", "import", self.path("b.db"), "-", stdin=lines({"key": self.KEY, "published": row["objective"]})
        )
        told = json.loads(self.export(self.path("b.db")))
        self.assertEqual(
            (told["bound"], told["bound_kind"], told["proven"], told["status"]),
            (row["objective"], "published", False, "unknown"),
        )
        self.done("store", "take-improved", path, "-", stdin=lines({"kind": "unproven", **row}))
        self.assertEqual(json.loads(self.export(path))["objective"], row["objective"])

    def test_an_answer_better_than_a_proof_is_an_alarm(self):
        row, path = self.solved(), self.path("a.db")
        self.done("recompute", "--store", path, "--spec", "tsp:easy:test:7")
        self.change(path, "UPDATE baselines SET bound=bound+5, objective=objective+5", digests=False)
        self.done("store", "merge", path, path)  # a file of schema 1 is trusted, and now has digests of its content
        before = self.export(path)
        ended = self.done("store", "take-improved", path, "-", code=3, stdin=lines(row))
        self.assertIn("ALARM", ended.stderr)
        self.assertEqual(self.export(path), before)


if __name__ == "__main__":
    unittest.main()
