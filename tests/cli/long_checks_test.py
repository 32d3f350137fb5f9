"""tests/long: a sample of the long checks agrees, planted faults are found, a mismatch's key reproduces it, a log
continues."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from optgap_process import BINARY, run

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TASKS = [task["name"] for task in json.loads(run("tasks", "--json").stdout)]


class LongChecks(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.log = pathlib.Path(self.folder.name, "log.jsonl")

    def checks(self, *options, log=True):
        options = [*options, *(["--log", os.fspath(self.log)] if log else [])]
        return subprocess.run(
            [
                sys.executable,
                "-B",
                os.fspath(ROOT / "tests/long/run.py"),
                "--quiet",
                "--threads",
                "1",
                "--binary",
                f"{BINARY}_long_checks",
                *options,
            ],
            capture_output=True,
            text=True,
            timeout=300,
        )

    def chunks(self):
        return [row for row in map(json.loads, self.log.read_text().splitlines()[1:]) if "chunk" in row]

    def test_a_chunk_of_every_task_agrees_and_holds_feasible_and_infeasible_rows(self):
        done = self.checks("--rows", str(2 * 4096 * len(TASKS) - 2000), "--by-task")  # a chunk has up to 4,096 rows
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        found = self.chunks()
        self.assertEqual(
            {(row["check"], row["task"]) for row in found},
            {(check, task) for check in ("answers", "completions") for task in TASKS},
        )
        for row in found:
            self.assertEqual(row["mismatches"], 0)
            self.assertGreater(row["feasible"], row["rows"] / 200, row)
            self.assertLess(row["feasible"], row["rows"] * 39 / 40, row)
        for check in ("answers", "completions"):
            rows = sum(row["rows"] for row in found if row["check"] == check)
            self.assertRegex(done.stdout, rf"like these: 0 of {rows:,}: below 1 in [0-9,]+ at 95 %")

    def test_planted_faults_are_found_and_their_keys_repeat_them(self):
        for fault, check, task in (
            ("objective", "answers", "tsp"),
            ("rule", "answers", "clique"),
            ("parser", "completions", "knapsack"),
            ("objective", "completions", "sat"),
        ):
            log = self.log.with_name(f"{fault}-{check}.jsonl")
            given = ("--rows", "20000", "--check", check, "--task", task)
            done = self.checks(*given, "--plant", fault, "--log", os.fspath(log), log=False)
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            told = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"mismatch')]
            self.assertTrue(told, fault)
            self.assertRegex(done.stdout, r"like these: [1-9][0-9,]* of [0-9,]+: below ")
            key = told[0]["mismatch"]
            again = self.checks("--only", key, "--plant", fault, log=False)
            self.assertEqual(again.returncode, 1)
            self.assertIn(f"fast: {told[0]['fast']}\nslow: {told[0]['slow']}\n", again.stdout)
            honest = self.checks("--only", key, log=False)
            self.assertEqual((honest.returncode, " 0 of the case's" in f" {honest.stdout.splitlines()[-1]}"), (0, True))

    def test_a_log_goes_on_where_it_was_cut_off(self):
        given = ("--check", "answers", "--task", "clique", "--task", "sorting")
        self.assertEqual(self.checks(*given, "--rows", "20000").returncode, 0)
        whole = self.log.read_text().splitlines()
        self.log.write_text("\n".join(whole[:3]) + "\n" + whole[3][:20])
        self.assertEqual(self.checks(*given, "--rows", "20000").returncode, 0)
        without_time = [
            [line.split('"cpu_seconds"')[0] for line in lines] for lines in (whole, self.log.read_text().splitlines())
        ]
        self.assertEqual(without_time[0], without_time[1])
        other = self.checks("--rows", "20000", "--seed", "2", *given)
        self.assertEqual((other.returncode, "is of another run" in other.stderr), (2, True))

    def test_what_is_wrong_is_said(self):
        for options, said in (
            (("--rows", "0"), "--rows: expected a whole number from 1 on, got '0'"),
            (("--speed", "1"), "--speed: no such option"),
            (("--check", "all"), "expected one of answers, completions, got 'all'"),
            (("--task", "nope"), "nope"),
            (("--only", "answers:tsp:1"), "expected CHECK:TASK:SEED"),
            (("--only", "answers:tsp:1:0:0:100000"), "there is no row 100000"),
        ):
            done = self.checks(*options, log=False)
            self.assertEqual(done.returncode, 2, options)
            self.assertIn(said, done.stderr)


if __name__ == "__main__":
    unittest.main()
