"""optgap certify and tools/check_certificate.py: every task's certificates are valid, omissions are reported, forgeries
are refused."""

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
    return subprocess.run(
        [sys.executable, "-B", os.fspath(ROOT / program), *map(os.fspath, arguments)],
        capture_output=True,
        text=True,
        timeout=300,
    )


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

    def test_instances_that_no_generator_draws_hold(self):
        clauses = [[1, 2], [-3, -1], [1], [-1, 2], [-2], [3], []]
        ways = [[0, 9, 4, 7], [9, 0, 5, 8], [4, 5, 0, 6], [7, 8, 6, 0]]
        edges = [[0, 1, 3], [1, 2, -2], [2, 3, 4], [0, 3, -1], [0, 2, 2], [0, 4, -3], [1, 4, -3], [2, 4, 5], [3, 4, 1]]
        wide = {
            "sat": {"n": 3, "clauses": [[1, 2], [-1], [2, -3, 1]]},
            "max_sat": {"n": 3, "clauses": clauses, "weights": [1, 1, 3, 2, 4, 1, 5], "hard": [1, 1, 0, 0, 0, 0, 0]},
            "max_cut": {"n": 5, "edges": edges},
            "set_cover": {"universe": 4, "sets": [[0, 1], [1, 2], [0, 2, 3], [3], [0]], "costs": [4, 3, 5, 2, 1]},
            "vehicle_routing": {"capacity": 9, "demands": [0, 4, 3, 5], "distances": ways},
        }
        made = run("certify", "-", stdin=lines(*({"task": name, "instance": one} for name, one in wide.items())))
        found = {row["task"]: row["objective"] for row in rows(made)}
        best = {"sat": 3, "max_sat": 7, "max_cut": 11, "set_cover": 6, "vehicle_routing": 32}
        self.assertEqual(found, best)
        done = self.check(made.stdout)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_small_steps_and_every_level_hold(self):
        names = [task["name"] for task in TASKS]
        for level in ("d0", "easy", "medium"):
            made = run(
                "certify", "-", "--quiet", stdin=run("generate", *names, "--level", level, "--count", "2").stdout
            )
            self.assertEqual((made.returncode, made.stderr), (0, ""))
            self.assertEqual(self.check(made.stdout, "--quiet").returncode, 0, level)

    def test_instances_without_an_answer_are_certified_too(self):
        given = [
            {"task": "set_cover", "instance": {"universe": 2, "sets": [[0]]}},
            {"task": "subset_sum", "instance": {"target": 5, "values": [2, 4]}},
            {"task": "coin_change", "instance": {"coins": [3], "amount": 4}},
        ]
        made = run("certify", "-", "--quiet", stdin=lines(*given))
        for row in rows(made):
            self.assertEqual((row["answer"], row["objective"], row["certified"]), (None, None, True), row)
        self.assertEqual(self.check(made.stdout).returncode, 0)

    def test_nothing_is_shortened(self):
        given = [row for row in map(json.loads, self.given.splitlines()) if row["task"] == "tsp"]
        (small, *_) = rows(run("certify", "-", "--max-bytes", "100", stdin=lines(*given)))
        self.assertEqual(
            (small["certified"], small["reason"]), (False, "the proof is longer than 100 bytes (--max-bytes)")
        )
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
        for change, said in (
            ({"objective": row["objective"] + 1}, "the answer is worth"),
            ({"answer": row["answer"][:-1], "objective": row["objective"] - 1}, "room for a better"),
            ({"proof": {"kind": "linear", "tree": []}}, "missing"),
            ({"proof": {"kind": "table"}}, "malformed"),
            ({"proof": {"kind": "../tasks/tsp"}}, "no name"),
            ({"task": "tsp"}, "malformed"),
            ({"objective": True}, "truth value"),
            ({"objective": 4.0}, "no whole number"),
        ):
            done = self.check(json.dumps({**row, **change}) + "\n")
            self.assertEqual(done.returncode, 1)
            self.assertIn("WRONG: ", done.stdout)
            self.assertIn(said, done.stdout)
        self.assertIn("not a line of JSON", self.check(json.dumps(row)[:-5]).stdout)
        self.assertIn("stands twice", self.check('{"certified": true, "certified": true}').stdout)
        self.assertEqual(python("tools/check_certificate.py", self.path.with_name("none")).returncode, 2)

    def test_a_better_answer_and_too_much_work_are_verdicts_of_their_own(self):
        made = {row["task"]: row for row in rows(self.made)}
        swapped = made["flow_shop"]
        swapped["answer"] = sorted(swapped["answer"])  # in the order of the jobs' numbers
        times = swapped["instance"]["times"]
        free = [0] * len(times[0])
        for job in times:
            now = 0
            for machine, time in enumerate(job):
                now = free[machine] = max(now, free[machine]) + time
        self.assertGreater(free[-1], swapped["objective"])
        swapped["objective"] = free[-1]
        done = self.check(lines(swapped))
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"BETTER ANSWER: an answer is better than {free[-1]}", done.stdout)
        coins = {
            "task": "coin_change",
            "instance": {"coins": [1, 5], "amount": 8},
            "answer": [8, 0],
            "objective": 8,
            "certified": True,
            "proof": {"kind": "table"},
        }
        self.assertIn("BETTER ANSWER: the best there is is 4, not 8", self.check(lines(coins)).stdout)
        graph = {
            "n": 40,
            "edges1": [[v, (v + 1) % 40] for v in range(40)],
            "edges2": [[v, (v + 1) % 20 + v // 20 * 20] for v in range(40)],
        }
        alike = {
            "task": "graph_isomorphism",
            "instance": graph,
            "answer": list(range(40)),
            "objective": 38,
            "certified": True,
            "proof": {"kind": "walk"},
        }
        path = pathlib.Path(self.folder.name, "own.jsonl")
        path.write_text(lines(alike))
        program = (
            f"import sys; sys.path.insert(0, {os.fspath(ROOT / 'tools')!r}); import check_certificate\n"
            f"from kinds import walk; walk.MOST = 5000  # 200,000 take seconds\n"
            f"sys.argv[1:] = [{os.fspath(path)!r}]; sys.exit(check_certificate.main())"
        )
        done = subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("TOO LONG: the walk has more than 5000 cases", done.stdout)

    def test_a_branch_proof_is_replayed(self):
        row = next(row for row in rows(self.made) if row["task"] == "bisection")
        self.assertEqual(row["proof"]["kind"], "branch")
        tree = row["proof"]["tree"]
        leaf = next(at for at, node in enumerate(tree) if isinstance(node, list))
        for change, said in (
            (tree[:-1], "1 cases of the tree are missing"),
            ([*tree, [0]], "goes on after its last case"),
            ([0, *tree], "split by what is not open"),
            ([-1, *tree], "split by what is not open"),
            ([*tree[:leaf], [10**6], *tree[leaf + 1 :]], "leaves room for a better answer"),
            ([*tree[:leaf], [], *tree[leaf + 1 :]], "malformed"),
        ):
            done = self.check(lines({**row, "proof": {"kind": "branch", "tree": change}}))
            self.assertEqual(done.returncode, 1)
            self.assertIn(said, done.stdout)

    def test_no_forgery_is_accepted_unless_it_is_true(self):
        done = python("tests/certificates/forge.py", self.path, "--count", "1600")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("mutants of instances refused", done.stdout)
        self.assertIn("like these: 0 of 1,600: below 1 in 530 at 95 %", done.stdout)

    def test_the_checker_shares_no_code_and_stays_short(self):
        folder = ROOT / "tools/certificates"
        core = [ROOT / "tools/check_certificate.py", folder / "common.py"]
        kinds, tasks, proofs = (sorted((folder / name).glob("*.py")) for name in ("kinds", "tasks", "proofs"))
        length = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in [*core, *kinds, *tasks, *proofs]}
        self.assertLessEqual(sum(length[path] for path in core), 320)
        self.assertLessEqual(max(length[path] for path in kinds), 80)
        self.assertLessEqual(max(length[path] for path in tasks), 55)
        self.assertLessEqual(max(length[path] for path in proofs), 45)
        self.assertLessEqual({path.stem for path in proofs}, {path.stem for path in tasks})
        words = {
            "common",
            "argparse",
            "importlib",
            "json",
            "pathlib",
            "re",
            "sys",
            "time",
            "math",
            "itertools",
            "collections",
        }
        for path in length:
            used = {
                line.split()[1]
                for line in path.read_text(encoding="utf-8").splitlines()
                if line.startswith(("import ", "from "))
            }
            own = {f"tasks.{path.stem}", "kinds.walk"} if path in proofs else set()
            self.assertLessEqual(used, words | own, path)
        self.assertEqual({path.stem for path in tasks}, {task["name"] for task in TASKS if task["certificates"]})


if __name__ == "__main__":
    unittest.main()
