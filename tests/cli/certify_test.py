"""optgap certify and tools/check_certificate.py: every task's certificates hold, what is left out is said, forgeries are
refused."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from optgap_process import TSP4, lines, rows, run

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TASKS = json.loads(run("tasks", "--json").stdout)


def python(program, *arguments):
    return subprocess.run([sys.executable, "-B", os.fspath(ROOT / program), *map(os.fspath, arguments)],
                          capture_output=True, text=True, timeout=300)


class Certify(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name, "certificates.jsonl")
        cls.given = run("generate", "all", "--level", "benchmark", "--count", "2").stdout
        cls.made = run("certify", "-", stdin=cls.given)
        cls.path.write_text(cls.made.stdout)
        cls.solved = {row["key"]: row for row in rows(run("solve", "-", stdin=cls.given))}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def check(self, text, *options):
        path = pathlib.Path(self.folder.name, "own.jsonl")
        path.write_text(text)
        return python("tools/check_certificate.py", path, *options)

    def test_every_task_with_a_kind_is_certified_at_benchmark_level(self):
        self.assertEqual(self.made.returncode, 0, self.made.stderr)
        made = rows(self.made)
        shown = {task["name"]: task["certificates"] for task in TASKS}
        self.assertEqual([row["key"] for row in made], [json.loads(line)["key"] for line in self.given.splitlines()])
        for row in made:
            self.assertEqual(row["certified"], bool(shown[row["task"]]), row["key"])
            self.assertEqual("reason" in row, not row["certified"])
            self.assertEqual(row["objective"], self.solved[row["key"]]["objective"])
        for row in made:
            if row["certified"]:
                self.assertIn(row["proof"]["kind"], shown[row["task"]])
        for name in shown:
            self.assertIn(name, self.made.stderr, "the summary names every task")

    def test_the_checker_finds_every_one_good(self):
        done = python("tools/check_certificate.py", self.path)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        said = [line.split(": ", 1)[1] for line in done.stdout.splitlines() if ".jsonl:" in line]
        self.assertEqual([one == "ok" for one in said], [row["certified"] for row in rows(self.made)])
        given = pathlib.Path(self.folder.name, "given.jsonl")
        given.write_text(self.given)
        self.assertEqual(python("tools/check_certificate.py", self.path, "--instances", given, "--quiet").returncode, 0)

    def test_small_steps_and_every_level_hold(self):
        names = [task["name"] for task in TASKS]
        for level in ("d0", "easy", "medium"):
            made = run("certify", "-", "--quiet", stdin=run("generate", *names, "--level", level, "--count", "2").stdout)
            self.assertEqual((made.returncode, made.stderr), (0, ""))
            self.assertEqual(self.check(made.stdout, "--quiet").returncode, 0, level)

    def test_instances_without_an_answer_are_certified_too(self):
        given = [{"task": "set_cover", "instance": {"universe": 2, "sets": [[0]]}},
                 {"task": "subset_sum", "instance": {"target": 5, "values": [2, 4]}},
                 {"task": "coin_change", "instance": {"coins": [3], "amount": 4}}]
        made = run("certify", "-", "--quiet", stdin=lines(*given))
        for row in rows(made):
            self.assertEqual((row["answer"], row["objective"], row["certified"]), (None, None, True), row)
        self.assertEqual(self.check(made.stdout).returncode, 0)

    def test_nothing_is_shortened(self):
        given = [row for row in map(json.loads, self.given.splitlines()) if row["task"] == "tsp"]
        (small, *_) = rows(run("certify", "-", "--max-bytes", "100", stdin=lines(*given)))
        self.assertEqual((small["certified"], small["reason"]), (False, "the proof is longer than 100 bytes (--max-bytes)"))
        (open_row, *_) = rows(run("certify", "-", "--budget", "0", stdin=lines(*given)))
        self.assertEqual((open_row["certified"], open_row["reason"]), (False, "not proven by this budget"))
        done = self.check(lines(small))
        self.assertEqual((done.returncode, "not certified: the proof is longer" in done.stdout), (1, True))

    def test_rows_and_exit_codes_are_those_of_solve(self):
        done = run("certify", "-", stdin=lines({"task": "tsp", "instance": TSP4}, "no json", {"task": "nope"}))
        self.assertEqual((done.returncode, len(rows(done))), (1, 3))
        self.assertEqual([("error" in row) for row in rows(done)], [False, True, True])
        self.assertEqual(run("certify").returncode, 2)
        self.assertIn("optgap certify rows.jsonl", run("certify", "--help").stdout)

    def test_what_is_wrong_is_said(self):
        row = next(row for row in rows(self.made) if row["task"] == "clique")
        for change, said in (({"objective": row["objective"] + 1}, "the answer is worth"),
                             ({"answer": row["answer"][:-1], "objective": row["objective"] - 1}, "room for a better"),
                             ({"proof": {"kind": "linear", "tree": []}}, "missing"),
                             ({"proof": {"kind": "table"}}, "malformed"),
                             ({"proof": {"kind": "../tasks/tsp"}}, "no name"),
                             ({"task": "tsp"}, "malformed"),
                             ({"objective": True}, "truth value"),
                             ({"objective": 4.0}, "no whole number")):
            done = self.check(json.dumps({**row, **change}) + "\n")
            self.assertEqual(done.returncode, 1)
            self.assertIn("WRONG: ", done.stdout)
            self.assertIn(said, done.stdout)
        self.assertIn("not a line of JSON", self.check(json.dumps(row)[:-5]).stdout)
        self.assertIn("stands twice", self.check('{"certified": true, "certified": true}').stdout)
        self.assertEqual(python("tools/check_certificate.py", self.path.with_name("none")).returncode, 2)

    def test_no_forgery_is_accepted_unless_it_is_true(self):
        done = python("tests/certificates/forge.py", self.path, "--count", "1500")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("refused", done.stdout)

    def test_the_checker_shares_no_code_and_stays_short(self):
        folder = ROOT / "tools/certificates"
        core = [ROOT / "tools/check_certificate.py", folder / "common.py"]
        kinds, tasks = sorted((folder / "kinds").glob("*.py")), sorted((folder / "tasks").glob("*.py"))
        length = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in [*core, *kinds, *tasks]}
        self.assertLessEqual(sum(length[path] for path in core), 300)
        self.assertLessEqual(max(length[path] for path in kinds), 80)
        # A rule has 40 lines; what a proof may use beside it (inequalities, a search's rule) 40 more.
        self.assertLessEqual(max(length[path] for path in tasks), 80)
        words = {"common", "argparse", "importlib", "json", "pathlib", "re", "sys", "time", "math", "itertools", "collections"}
        for path in length:
            used = {line.split()[1] for line in path.read_text(encoding="utf-8").splitlines()
                    if line.startswith(("import ", "from "))}
            self.assertLessEqual(used, words, path)
        self.assertEqual({path.stem for path in tasks}, {task["name"] for task in TASKS if task["certificates"]})


if __name__ == "__main__":
    unittest.main()
