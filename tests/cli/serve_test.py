#!/usr/bin/env python3
"""optgap serve: start, status, stop, refusals."""

import json
import os
import signal
import subprocess
import tempfile
import unittest

BINARY = os.environ["OPTGAP_BINARY"]


def run(*arguments, **options):
    return subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=60, **options)


class Serve(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "s")

    def start(self, *arguments):
        process = subprocess.Popen(
            [BINARY, "serve", "--socket", self.path, "--device", "cpu", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

        def end():
            process.kill()
            process.communicate()

        self.addCleanup(end)
        self.assertIn(f"listening at {self.path}", process.stdout.readline())
        return process

    def status(self):
        said = run("serve", "--status", "--socket", self.path)
        self.assertEqual(said.returncode, 0, said.stderr)
        return json.loads(said.stdout)

    def test_serves_says_so_and_stops(self):
        process = self.start("--take-all")
        rows = run("generate", "all", "--level", "easy", "--count", "2").stdout
        solved = run("solve", "-", input=rows).stdout
        for _ in range(2):
            self.assertEqual(run("solve", "-", "--server", self.path, input=rows).stdout, solved)
        status = self.status()
        self.assertEqual(status["pid"], process.pid)
        count = rows.count("\n")
        self.assertEqual(status["verbs"]["solve"]["calls"], 2)
        self.assertEqual(status["verbs"]["solve"]["rows"], 2 * count)
        self.assertEqual(status["baselines"]["misses"], count)
        self.assertEqual(status["baselines"]["hits"], count)
        self.assertGreater(status["verbs"]["solve"]["max"], 0)
        self.assertEqual(set(status["refused"].values()), {0})
        self.assertEqual(run("serve", "--stop", "--socket", self.path).returncode, 0)
        self.assertEqual(process.wait(timeout=30), 0)
        self.assertFalse(os.path.exists(self.path))

    def test_signals_end_it_in_order(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            process = self.start()
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=30), 0)
            self.assertFalse(os.path.exists(self.path))

    def test_a_second_one_is_refused_and_a_dead_ones_socket_replaced(self):
        first = self.start()
        second = run("serve", "--socket", self.path, "--device", "cpu")
        self.assertEqual(second.returncode, 2)
        self.assertIn("another daemon listens", second.stderr)
        first.kill()
        first.wait()
        self.assertTrue(os.path.exists(self.path))
        gone = run("serve", "--status", "--socket", self.path)
        self.assertEqual(gone.returncode, 3)
        self.assertIn("none answers", gone.stderr)
        self.start()
        self.assertEqual(self.status()["connections"], 1)

    def test_commands_find_no_daemon_by_themselves(self):
        self.start("--take-all")
        named = {**os.environ, "OPTGAP_SERVER": self.path}
        rows = run("generate", "tsp", "--level", "easy", "--count", "2", env=named).stdout
        self.assertEqual(rows.count("\n"), 2)
        self.assertEqual(self.status()["verbs"]["generate"]["calls"], 0)
        self.assertEqual(run("bench", "generate", "--server", self.path).returncode, 2)


if __name__ == "__main__":
    unittest.main()
