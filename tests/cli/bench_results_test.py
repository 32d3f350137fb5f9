"""optgap bench --record, merge, compare and goals --from: lines of results, and the comparison of two runs."""

import json
import pathlib
import random
import subprocess
import tempfile
import time
import unittest

from optgap_process import BINARY, lines, run

GOALS = {
    "improve_moves",
    "verify_gain",
    "generate_gain",
    "step_16_cores",
    "interference",
    "step_2_cores",
    "improve_scales",
    "solve_scales",
    "cost_flat",
}


def line(rate=100.0, task="tsp", noise=0.02, seed=1, **other):
    """A result with samples that differ by this much."""
    draw = random.Random(f"{seed} {task}")
    samples = sorted(rate * (1 + noise * draw.uniform(-1, 1)) for _ in range(15))
    return {
        "benchmark": "solve",
        "task": task,
        "level": "benchmark",
        "batch": 64,
        "unit": "labels",
        "rate": rate,
        "samples": samples,
        "machine": "here",
        "device": "cpu: 1 thread, isa_v3",
        "instruction_set": "isa_v3",
        "threads": 1,
        "text_bytes": 63000,
        "steps": 200,
        "commit": "c0ffee",
        "date": "2026-01-01",
        "command": "optgap bench",
    } | other


class InAFolder(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.here = pathlib.Path(scratch.name)

    def file(self, name, *made):
        path = self.here / name
        path.write_text(lines(*made), encoding="utf-8")
        return str(path)

    def lines_of(self, path):
        return [json.loads(one) for one in pathlib.Path(path).read_text(encoding="utf-8").splitlines()]

    def refused(self, said, *arguments):
        done = run("bench", *arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
        self.assertIn(said, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, "one sentence")


class Record(InAFolder):
    def measure(self, path, *arguments):
        done = run(
            "bench", *arguments, "--device", "cpu", "--threads", "1", "--quiet", "--seconds", "0", "--record", path
        )
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_run_takes_the_place_of_an_older_one_of_the_same_and_leaves_the_others(self):
        path = self.file("r.jsonl", line(1.0, "knapsack", machine="elsewhere"))
        self.measure(path, "solve", "mix", "--task", "sorting", "--batch", "8", "--machine", "here", "--commit", "one")
        first = self.lines_of(path)
        self.measure(path, "solve", "--task", "sorting", "--batch", "8", "--machine", "here", "--commit", "two")
        second = self.lines_of(path)
        named = [(one["machine"], one["benchmark"], one.get("task", one.get("case"))) for one in second]
        self.assertEqual(
            named,
            [
                ("elsewhere", "solve", "knapsack"),
                ("here", "ceiling", "copy"),
                ("here", "ceiling", "integer_add"),
                ("here", "ceiling", "read"),
                ("here", "mix", "sorting"),
                ("here", "solve", "sorting"),
            ],
        )
        self.assertEqual(len(first), len(second))
        self.assertEqual((second[0], second[4]), (first[0], first[4]), "what was not measured again stays as it was")
        self.assertEqual([one["commit"] for one in second[1:]], ["two"] * 3 + ["one", "two"])
        self.assertEqual(sorted(path.name for path in self.here.iterdir()), ["r.jsonl"], "no draft is left behind")
        for one in second[1:]:
            self.assertLessEqual(len(one["samples"]), 15)
            self.assertEqual(one["samples"], [float(f"{value:.4g}") for value in one["samples"]])
        self.measure(path, "solve", "--task", "sorting", "--batch", "9", "--machine", "here")
        self.assertEqual(len(self.lines_of(path)), len(second) + 1, "another batch is another measurement")

    def test_a_report_and_its_line_are_the_same_rates(self):
        report = self.here / "report.json"
        done = run(
            "bench",
            "solve",
            "--task",
            "sorting",
            "--batch",
            "8",
            "--device",
            "cpu",
            "--threads",
            "1",
            "--quiet",
            "--seconds",
            "0.02",
            "--json",
        )
        report.write_text(done.stdout, encoding="utf-8")
        merged = self.here / "merged.jsonl"
        self.assertEqual(run("bench", "merge", str(merged), str(report), "--quiet").returncode, 0)
        row = json.loads(done.stdout)["rows"][0]
        found = next(one for one in self.lines_of(merged) if one["benchmark"] == "solve")
        self.assertAlmostEqual(found["rate"] / row["rate"], 1, places=5)
        self.assertEqual(found["taken"], len(row["samples_s"]))
        self.assertAlmostEqual(found["latency_s"]["p99"] / row["latency_s"]["p99"], 1, places=5)
        compared = json.loads(run("bench", "compare", str(report), str(merged), "--json").stdout)
        self.assertEqual({one["new_is"] for one in compared["rows"]}, {"same", "the machine"})
        for one in compared["rows"]:
            self.assertAlmostEqual(one["ratio"], 1, places=3)

    def test_a_run_that_is_ended_has_kept_what_it_had_measured(self):
        path = self.here / "r.jsonl"
        command = [
            BINARY,
            "bench",
            "generate",
            "solve",
            "--task",
            "tsp",
            "--device",
            "cpu",
            "--threads",
            "1",
            "--quiet",
        ]
        running = subprocess.Popen([*command, "--seconds", "1", "--record", path], stdout=subprocess.DEVNULL)
        for _ in range(600):
            if path.exists() and '"benchmark":"generate"' in path.read_text(encoding="utf-8"):
                break
            self.assertIsNone(running.poll(), "it ended before a row was there")
            time.sleep(0.05)
        running.kill()
        running.wait()
        found = {(one["benchmark"], one.get("case")) for one in self.lines_of(path)}
        self.assertEqual(found, {("generate", None), *(("ceiling", case) for case in ("copy", "integer_add", "read"))})

    def test_ceilings_of_an_earlier_run_are_taken_where_they_are_of_this_device(self):
        path = str(self.here / "r.jsonl")
        common = ("--device", "cpu", "--threads", "1", "--quiet", "--seconds", "0", "--batch", "8")
        run("bench", "solve", "--task", "clique", *common, "--record", path)
        made = run("bench", "verify", "--task", "clique", *common, "--json", "--ceilings", path)
        report = json.loads(made.stdout)
        kept = {one["case"]: one["rate"] for one in self.lines_of(path) if one["benchmark"] == "ceiling"}
        self.assertEqual({one["name"]: one["median"] for one in report["ceilings"]}, kept)
        self.assertEqual(report["rows"][0]["ceiling"], "copy")
        others = (
            "bench",
            "verify",
            "--task",
            "clique",
            "--device",
            "cpu",
            "--threads",
            "2",
            "--quiet",
            "--seconds",
            "0",
        )
        refused = run(*others, "--ceilings", path)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("holds no ceiling of cpu: 2 threads", refused.stderr)

    def test_a_file_that_holds_no_results_is_refused_before_anything_is_measured(self):
        path = self.file("r.jsonl", {"key": "tsp@1"})
        self.refused(
            "r.jsonl, line 1: 'benchmark' is missing, expected a text", "solve", "--record", path, "--device", "cpu"
        )
        self.assertEqual(self.lines_of(path), [{"key": "tsp@1"}])


class Help(unittest.TestCase):
    def test_each_verb_says_what_it_takes_and_how_it_ends(self):
        for verb, says in (("compare", "Exit code 1: some row is slower"), ("merge", "later ones")):
            shown = run("bench", verb, "--help").stdout
            self.assertIn(f"optgap bench {verb}", shown.split("Examples:")[1])
            self.assertIn(says, shown)
        self.assertIn("Exit code 1: a goal is not met.", run("bench", "--help").stdout)


class Compare(InAFolder):
    TASKS = [f"t{number}" for number in range(20)]

    def compare(self, old, new, *arguments, code):
        done = run("bench", "compare", old, new, "--json", *arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(done.stdout)

    def test_a_planted_regression_is_seen_and_noise_is_not(self):
        old = self.file("old.jsonl", *(line(task=task, seed=1) for task in self.TASKS))
        noise = self.file("noise.jsonl", *(line(task=task, seed=2) for task in self.TASKS))
        found = self.compare(old, noise, "--tolerance", "0.02", code=0)
        self.assertEqual({row["new_is"] for row in found["rows"]}, {"same"})
        self.assertAlmostEqual(found["geometric_mean"]["ratio"], 1, delta=0.01)
        planted = self.file(
            "planted.jsonl", *(line(90.0 if task == "t7" else 100.0, task, seed=2) for task in self.TASKS)
        )
        found = self.compare(old, planted, "--tolerance", "0.02", code=1)
        self.assertEqual([row["row"] for row in found["rows"] if row["new_is"] == "slower"], ["solve t7 benchmark x64"])
        row = next(row for row in found["rows"] if row["new_is"] == "slower")
        self.assertLess(row["least"], 0.9)
        self.assertLess(row["most"], 0.98)
        self.compare(old, planted, "--tolerance", "0.2", code=0)
        done = run("bench", "compare", old, planted)
        self.assertEqual(done.returncode, 1, "without a tolerance an interval below 1 is enough")
        self.assertRegex(done.stdout, r"solve t7 benchmark x64 +100 +90 +labels +0\.\d+ +0\.\d+ to 0\.\d+ +slower")

    def test_the_numbers_are_those_of_the_cases_that_are_known(self):
        old = self.file(
            "old.jsonl", line(samples=[1, 2, 4, 8], rate=3.0), line(task="few", samples=[4.0] * 3, rate=4.0)
        )
        new = self.file(
            "new.jsonl", line(samples=[4, 8, 16, 32], rate=12.0), line(task="few", samples=[1.0] * 3, rate=1.0)
        )
        found = self.compare(old, new, code=0)
        few, many = found["rows"]
        self.assertEqual((many["ratio"], many["least"], many["most"], many["new_is"]), (4, 0.5, 32, "same"))
        self.assertEqual(
            (few["ratio"], few["least"], few["most"], few["new_is"]), (0.25, None, None, "too few samples")
        )
        self.assertAlmostEqual(found["geometric_mean"]["ratio"], 1)

    def test_ceilings_are_shown_and_not_judged_and_rows_of_one_file_are_named(self):
        limit = {"benchmark": "ceiling", "case": "read", "unit": "bytes/s"}
        halves = [line(rate, **limit) for rate in (100.0, 50.0)]
        for half in halves:
            del half["task"], half["level"], half["batch"]
        old = self.file("old.jsonl", halves[0], line(), line(task="gone"))
        new = self.file("new.jsonl", halves[1], line(), line(task="fresh"))
        found = self.compare(old, new, code=0)
        self.assertEqual(
            [(row["row"], row["new_is"]) for row in found["rows"]],
            [("ceiling read", "the machine"), ("solve tsp benchmark x64", "same")],
        )
        self.assertEqual(found["geometric_mean"], {"ratio": 1.0, "least": None, "most": None})
        self.assertEqual(
            (found["only_old"], found["only_new"]), (["solve gone benchmark x64"], ["solve fresh benchmark x64"])
        )
        self.assertIn("only in " + old + ": solve gone benchmark x64\n", run("bench", "compare", old, new).stdout)

    def test_results_of_other_machines_sets_and_threads_are_compared_only_when_told(self):
        old = self.file("old.jsonl", line())
        for other in ({"machine": "there"}, {"instruction_set": "isa_v4"}, {"threads": 2}):
            new = self.file("new.jsonl", line(50.0, **other))
            self.refused(
                "expected the same machine, instruction set and threads, or --any-machine", "compare", old, new
            )
            found = self.compare(old, new, "--any-machine", code=1)
            self.assertAlmostEqual(found["rows"][0]["ratio"], 0.5, delta=0.01)
        both = self.file("both.jsonl", line(), line(machine="there"))
        self.refused("holds 'solve tsp benchmark x64' twice", "compare", both, old, "--any-machine")

    def test_files_that_cannot_be_compared_say_what_and_where(self):
        good = self.file("good.jsonl", line())
        self.refused("no row is in both", "compare", good, self.file("other.jsonl", line(task="clique")))
        self.refused("cannot read '/no/such/file'", "compare", good, "/no/such/file")
        text = json.dumps(line())
        report = json.dumps(
            {
                "rows": [{"workload": "solve"}],
                "device": "cpu",
                "machine": "m",
                "instruction_set": "i",
                "commit": "c",
                "threads": 1,
                "text_bytes": 1,
                "steps": 1,
                "command": "x",
                "ceilings": [],
            },
            indent=1,
        )
        goal = {name: value for name, value in line().items() if name not in ("samples", "rate")} | {
            "benchmark": "goal",
            "case": "x",
        }
        for name, made, said in (
            ("empty", "", "holds no result"),
            ("blank", "\n \n", "holds no result"),
            ("cut", text[:-40], "line 1: is cut or no JSON at byte"),
            ("cut_report", report[:-30], "is cut or no JSON at byte"),
            ("list", "[1, 2]", "line 1: expected an object"),
            ("number", "1e999", "line 1: is cut or no JSON"),
            ("bytes", "\x00\x01", "line 1: is cut or no JSON at byte 0"),
            ("deep", "[" * 50_000, "line 1: is cut or no JSON"),
            ("row", report, "rows[0]: 'items_per_sample' is missing, expected a number above 0"),
            (
                "rows",
                report.replace('[\n  {\n   "workload": "solve"\n  }\n ]', "7"),
                "'rows' is something else, expected a list",
            ),
            ("zero", json.dumps(line(rate=0.0)), "'rate' is something else, expected a number above 0"),
            (
                "text",
                json.dumps(line(samples="many")),
                "'samples' is something else, expected a list of numbers above 0",
            ),
            ("none", json.dumps(line(samples=[])), "'samples' is something else"),
            ("sixteen", json.dumps(line(samples=[1.0] * 16)), "expected 15 numbers at most"),
            ("threads", json.dumps(line(threads="two")), "'threads' is something else, expected a whole number from 1"),
            ("task", json.dumps(line(task=7)), "'task' is something else, expected a text"),
            ("goals", json.dumps(goal), "holds no rates"),
        ):
            path = self.here / name
            path.write_text(made, encoding="utf-8")
            self.refused(said, "compare", good, str(path))
            self.refused(said, "compare", str(path), good)
        binary = self.here / "binary"
        binary.write_bytes(b'{"benchmark": "\xff"}')
        self.refused("line 1: is cut or no JSON", "compare", good, str(binary))


class RecordedGoals(InAFolder):
    def goal(self, name, value, **other):
        made = {key: known for key, known in line().items() if key not in ("samples", "rate", "task", "level", "batch")}
        return made | {"benchmark": "goal", "case": name, "value": value, "unit": "times"} | other

    def judge(self, path, code):
        done = run("bench", "goals", "--from", path, "--json")
        self.assertEqual(done.returncode, code, done.stderr)
        return {goal["goal"]: goal for goal in json.loads(done.stdout)["goals"]}

    def test_goals_are_judged_by_lines_and_what_has_none_counts_neither_way(self):
        met = self.file("met.jsonl", self.goal("solve_scales", 1.95), self.goal("step_2_cores", 0.01), line())
        found = self.judge(met, 0)
        self.assertEqual(set(found), GOALS)
        self.assertEqual((found["solve_scales"]["verdict"], found["step_2_cores"]["verdict"]), ("met", "met"))
        self.assertEqual(
            (found["cost_flat"]["verdict"], found["cost_flat"]["note"]), ("not measured", f"no line in {met}")
        )
        self.assertTrue(run("bench", "goals", "--from", met).stdout.endswith("2 met, 0 not met, 7 not measured\n"))
        self.file("unmet.jsonl", self.goal("step_2_cores", 0.07, verdict="met"))
        found = self.judge(str(self.here), 1)
        self.assertEqual(found["step_2_cores"]["verdict"], "not met", "what was promised then does not count")

    def test_a_goal_without_a_number_is_refused(self):
        self.refused(
            "the goal solve_scales of here (cpu, isa_v3, 1 thread) has no 'value', expected a number",
            "goals",
            "--from",
            self.file("x.jsonl", self.goal("solve_scales", "fast")),
        )
        empty = self.here / "none"
        empty.mkdir()
        self.refused("holds no *.jsonl", "goals", "--from", str(empty))


if __name__ == "__main__":
    unittest.main()
