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
        self.folder = folder.name
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

    def frozen(self, name, budget):
        """A snapshot of four instances, and its content hash."""
        store, frozen = (os.path.join(self.folder, f"{name}{end}") for end in (".db", "-frozen.db"))
        made = run("recompute", "--store", store, "--spec", "tsp:hard:val:0-3", "--budget", budget)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertEqual(run("store", "snapshot", store, "-o", frozen).returncode, 0)
        return store, frozen, json.loads(run("store", "info", frozen, "--json").stdout)["content"]

    def test_a_snapshot_is_one_for_all_clients_of_a_node(self):
        store, frozen, content = self.frozen("greedy", "0")
        _, other, _ = self.frozen("better", "300")
        self.start("--take-all", "--baselines", frozen)
        self.assertEqual(self.status()["snapshot"], {"path": frozen, "content": content})
        rows = "".join(
            json.dumps({"key": f"tsp@1:val:hard:{seed}", "completion": "<think>x</think><answer>[0]</answer>"}) + "\n"
            for seed in range(6)
        )
        named, home = ("--server", self.path), run("score", "-", "--baselines", frozen, input=rows)
        self.assertIn("4 baselines, 2 solved", home.stderr)
        # Its snapshot by name or as "served" gives the same bytes, fingerprint included. Instances outside of it are
        # proven in this process.
        for baselines in (frozen, "served"):
            rewarded = run("score", "-", "--baselines", baselines, *named, input=rows)
            self.assertEqual((rewarded.stdout, rewarded.returncode), (home.stdout, 0), rewarded.stderr)
            self.assertIn(f"{frozen} (content {content[:8]}): 4 baselines, 2 solved", rewarded.stderr)
        served = self.status()
        self.assertEqual((served["verbs"]["solve"]["rows"], served["refused"]["baselines"]), (4, 0))
        # Another snapshot is refused by name, and the client computes with its own snapshot's bytes. Without any, the
        # daemon serves.
        rewarded = run("score", "-", "--baselines", other, *named, input=rows)
        self.assertEqual(rewarded.stdout, run("score", "-", "--baselines", other, input=rows).stdout)
        self.assertNotEqual(rewarded.stdout, home.stdout)
        served = self.status()
        self.assertEqual(served["verbs"]["solve"]["rows"], 4)
        self.assertGreater(served["refused"]["baselines"], 0)
        self.assertIn(f"the snapshot of content {content[:8]}, and the client's of ", served["last_refusal"])
        self.assertEqual(run("score", "-", *named, input=rows).stdout, run("score", "-", input=rows).stdout)
        self.assertEqual(self.status()["verbs"]["solve"]["rows"], 10)

    def test_what_is_served_must_be_there(self):
        store, frozen, _ = self.frozen("a", "0")
        rows = '{"key": "tsp@1:val:hard:0", "completion": "x"}\n'
        refused = run("serve", "--socket", self.path, "--baselines", store)
        self.assertEqual(refused.returncode, 3)
        self.assertIn(f"optgap store snapshot {store}", refused.stderr)
        self.assertIn("no daemon is named", run("score", "-", "--baselines", "served", input=rows).stderr)
        gone = run("score", "-", "--baselines", "served", "--server", self.path, input=rows)
        self.assertEqual(gone.returncode, 3)
        self.assertIn("none answers", gone.stderr)
        daemon = self.start()
        said = run("score", "-", "--baselines", "served", "--server", self.path, input=rows)
        self.assertIn("optgap serve --baselines SNAPSHOT", said.stderr)
        # A file other than the one at its start is reported, and nothing is scored.
        daemon.kill()
        daemon.wait()
        _, other, _ = self.frozen("b", "300")
        self.start("--baselines", frozen)
        os.replace(other, frozen)
        said = run("score", "-", "--baselines", "served", "--server", self.path, input=rows)
        self.assertEqual((said.returncode, said.stdout), (3, ""))
        self.assertIn("expected the same file", said.stderr)

    def test_commands_find_no_daemon_by_themselves(self):
        self.start("--take-all")
        named = {**os.environ, "OPTGAP_SERVER": self.path}
        rows = run("generate", "tsp", "--level", "easy", "--count", "2", env=named).stdout
        self.assertEqual(rows.count("\n"), 2)
        self.assertEqual(self.status()["verbs"]["generate"]["calls"], 0)
        self.assertEqual(run("bench", "generate", "--server", self.path).returncode, 2)


if __name__ == "__main__":
    unittest.main()
