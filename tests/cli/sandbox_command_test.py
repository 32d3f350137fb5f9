"""The isolation level `command`: a site's own wrapper, named by OPTGAP_SANDBOX_COMMAND. The wrappers here do not
isolate, so the programs are harmless ones; bubblewrap's does, where it is installed."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from optgap_process import BINARY
from sandbox_processes import eventually, files_left, line_of, processes_left
from sandbox_test import HOSTILE_FILE, ROOT, begin, look

PLAIN = ["env", "-i", "{program}"]
SHELL = [
    "sh",
    "-c",
    '"$@"; exit $?',
    "sh",
    "{program}",
]  # the program is a grandchild; a signal that ends it gives 128 + signal
LIMITS = '{"cpu_ms": 300, "memory_mb": 256, "output_kb": 256}'
BUBBLEWRAP = ["bwrap", "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--", "{program}"]


def named(words):
    return {**os.environ, "OPTGAP_SANDBOX_COMMAND": words if isinstance(words, str) else json.dumps(words)}


class Wrapped(unittest.TestCase):
    def tearDown(self):
        self.assertTrue(eventually(lambda: not processes_left(), 2), processes_left())
        self.assertEqual(files_left(), [])

    def runs(self, words, *paths, limits=LIMITS, more=()):
        done, report = look(
            "--isolation",
            "command",
            "--limits",
            limits,
            "--input",
            str(ROOT / "tests/programs/input.txt"),
            *more,
            "--run",
            *map(str, paths),
            env=named(words),
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return report, report["runs"]

    def test_ends_have_their_names(self):
        with tempfile.TemporaryDirectory() as folder:
            sources = {
                "prints.py": "print(sum(map(int, input().split())))",
                "exits.py": "import sys; sys.exit(7)",
                "silent.py": "",
                "never.py": "while True: pass",
                "floods.py": "while True: print('x' * 1000)",
                "dies.py": "import os; os.abort()",
                "sleeps.py": "import time, select; select.select([], [], [], 60)",
            }
            for name, text in sources.items():
                (pathlib.Path(folder) / name).write_text(text)
            for words in (PLAIN, SHELL):
                with self.subTest(words=words):
                    report, rows = self.runs(words, *(f"{folder}/{name}" for name in sources))
                    found = {pathlib.Path(row["program"]).name: (row["code"], row["where"]) for row in rows}
                    self.assertEqual(
                        found,
                        {
                            "prints.py": ("ok", -1),
                            "exits.py": ("run_exit", 7),
                            "silent.py": ("run_no_output", -1),
                            "never.py": ("run_time", -1),
                            "floods.py": ("run_output", -1),
                            "dies.py": ("run_crash", 6),
                            "sleeps.py": ("run_time", -1),
                        },
                    )
                    self.assertEqual((rows[0]["output"], rows[0]["isolation"]), ("6\n", "command"))
                    self.assertEqual(report["chosen"], {"python": "command"})
                    # The limit applies to what the wrapper started, also where that is not the broker's child.
                    never = next(row for row in rows if row["program"].endswith("never.py"))
                    self.assertGreater(never["cpu_ms"], 290)
                    self.assertLess(never["cpu_ms"], 900)

    def test_what_is_let_through_is_shown(self):
        _, rows = look("--isolation", "command", env=named(PLAIN))
        for row in rows["isolation_levels"]:
            if row["isolation"] == "command":
                self.assertTrue(row["usable"], row)
                self.assertIn("isolation is the site's", row["found"])
                self.assertIn("start a process", row["found"])
                self.assertIn("ALLOWED start a process", row["self_test"])

    def test_placeholders_are_filled(self):
        words = ["sh", "-c", 'echo "$1 $2 $3"; ls "$3"', "sh", "{cpu_ms}", "m={memory_mb}", "{folder}", "{program}"]
        done, report = look("--isolation", "command", env=named(words))
        self.assertEqual(done.returncode, 3)  # it runs no program, so it is unusable
        row = next(row for row in report["isolation_levels"] if row["isolation"] == "command")
        self.assertEqual(row["self_test"][0].split()[:2], ["5000", "m=512"])
        self.assertEqual(row["self_test"][1], "program")
        self.assertIn("passes stdin", row["fix"])

    def test_native_programs(self):
        _, rows = self.runs(PLAIN, HOSTILE_FILE("aborts.cpp"), ROOT / "examples/programs/tsp_floor.cpp")
        self.assertEqual((rows[0]["code"], rows[0]["where"]), ("run_crash", 6))
        self.assertNotIn(rows[1]["code"], ("infrastructure", "compile_error"))

    @unittest.skipUnless(shutil.which("bwrap"), "SKIPPED: no bwrap")
    def test_a_wrapper_that_holds(self):
        if subprocess.run([*BUBBLEWRAP[:-1], "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("SKIPPED: bwrap makes no namespaces here")
        _, rows = self.runs(
            BUBBLEWRAP, HOSTILE_FILE("opens_sockets.py"), HOSTILE_FILE("endless_loop.cpp"), limits='{"cpu_ms": 300}'
        )
        self.assertEqual(rows[1]["code"], "run_time")

    def test_what_a_wrapper_leaves_is_ended(self):
        words = ["sh", "-c", 'setsid sleep 67 & "$@"', "sh", "{program}"]
        with tempfile.NamedTemporaryFile("w", suffix=".py") as source:
            source.write("print(1)")
            source.flush()
            _, rows = self.runs(words, source.name)
        self.assertEqual([row["code"] for row in rows], ["ok"])
        left = [
            entry
            for entry in pathlib.Path("/proc").iterdir()
            if entry.name.isdigit() and b"sleep\x0067" in line_of(entry)
        ]
        self.assertEqual(left, [])

    def test_it_is_never_taken_unasked_and_a_wrong_one_is_refused(self):
        done, report = look(env=named(PLAIN))
        self.assertNotIn("command", report["chosen"].values())
        row = next(row for row in report["isolation_levels"] if row["isolation"] == "command")
        self.assertEqual((row["usable"], row["self_test"]), (False, []))
        for words, said in [
            ("", "names no wrapper"),
            ('["no-such-wrapper", "{program}"]', "no no-such-wrapper in PATH"),
        ]:
            done, _ = look("--isolation", "command", env=named(words))
            self.assertEqual(done.returncode, 3)
            self.assertIn(said, done.stderr)
        for words, said in [
            ("env", "no JSON array"),
            ([1], "array of strings"),
            ([], "no wrapper"),
            (["{program}"], "no wrapper"),
            (["env"], "{program} 0 times"),
            (["env", "{program}", "{program}"], "2 times"),
            (["env", "{seconds}", "{program}"], "{seconds}"),
            (["env", "-p={program}"], "words of its own"),
        ]:
            done = subprocess.run(
                [BINARY, "sandbox", "--isolation", "command"], capture_output=True, text=True, env=named(words)
            )
            self.assertEqual(done.returncode, 2, (words, done.stderr))
            self.assertIn(said, done.stderr)


if __name__ == "__main__":
    begin()
