"""Suites: the lists, what a build makes of them, rows and rates by them, and the errors of a wrong one."""

import json
import pathlib
import tempfile
import unittest

from optgap_process import lines, rows, run

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TASKS = {task["name"]: task for task in json.loads(run("tasks", "--json").stdout)}
OWN = {
    "suite": "own",
    "role": "test",
    "levels": "d0..d2",
    "count": 5,
    "entries": [
        {"task": "sudoku"},
        {"task": "tsp", "levels": ["easy", "hard"], "count": 3},
        {"task": "rlve/NoSuchThing", "class": "exact"},
        {"task": "no_such_task"},
    ],
}


def shown(name):
    done = run("suite", "show", name, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Suites(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.here = pathlib.Path(self.scratch.name)

    def tearDown(self):
        self.scratch.cleanup()

    def own(self, **changes):
        path = self.here / "own.json"
        path.write_text(json.dumps({**OWN, **changes}), encoding="utf-8")
        return str(path)

    def refused(self, text, *arguments):
        done = run(*arguments)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn(text, done.stderr)

    def test_the_lists_are_those_of_the_papers(self):
        listed = {row["suite"]: row for row in json.loads(run("suite", "list", "--json").stdout)}
        self.assertEqual(
            {name: (row["role"], row["tasks"]) for name, row in listed.items() if name != "default"},
            {
                "rlve_c1": ("train", 1),
                "rlve_c4": ("train", 4),
                "rlve_c16": ("train", 16),
                "rlve_c256": ("train", 256),
                "rlve_all": ("train", 400),
                "rlve_ood": ("test", 50),
            },
        )
        tasks = {name: {entry["task"] for entry in shown(name)["entries"]} for name in listed}
        self.assertEqual(tasks["rlve_c1"], {"rlve/Multiplication"})
        self.assertLess(tasks["rlve_c1"], tasks["rlve_c4"])
        self.assertLess(tasks["rlve_c4"], tasks["rlve_c16"])
        self.assertLess(tasks["rlve_c16"], tasks["rlve_c256"])
        self.assertFalse(tasks["rlve_c256"] & tasks["rlve_ood"])
        self.assertLess(tasks["rlve_c256"] | tasks["rlve_ood"], tasks["rlve_all"])
        ood = shown("rlve_ood")["entries"]
        self.assertEqual(
            {(tuple(entry["levels"]), tuple(entry["counts"])) for entry in ood},
            {(("d0", "d1", "d2", "d3", "d4"), (10,) * 5)},
        )
        kinds = [entry["class"] for entry in ood]
        self.assertEqual([kinds.count(kind) for kind in ("exact", "optimise", "satisfy")], [29, 11, 10])

    def test_the_default_suite_is_the_registry_without_what_no_prompt_asks_for(self):
        entries = shown("default")["entries"]
        self.assertEqual([entry["task"] for entry in entries], [name for name, task in TASKS.items() if task["direct"]])
        self.assertNotIn("chests", [entry["task"] for entry in entries])
        for entry in entries:
            task = TASKS[entry["task"]]
            self.assertEqual(
                (entry["place"], entry["version"], entry["class"], entry["levels"], entry["count"]),
                ("native", task["version"], task["class"], ["benchmark"], 100),
            )
        self.assertEqual(shown("default")["role"], "problems")

    def test_a_task_poses_the_environments_it_names(self):
        twins = {f"rlve/{name}": task["name"] for task in reversed(TASKS.values()) for name in task["rlve"]}
        for suite in ("rlve_ood", "rlve_c16"):
            for entry in shown(suite)["entries"]:
                native = twins.get(entry["task"])
                self.assertEqual(
                    (entry["place"], entry["native"]), ("native", native) if native else ("external", None)
                )
        self.assertEqual(twins["rlve/FutoshikiPuzzle"], "futoshiki")

    def test_the_table_is_what_the_json_says(self):
        text = run("suite", "show", "rlve_ood").stdout
        for entry in shown("rlve_ood")["entries"]:
            line = next(line for line in text.splitlines() if line.startswith(entry["task"] + " "))
            self.assertIn(f" {entry['place']} ", line)
            self.assertIn(f"{entry['native']}@" if entry["native"] else "needs a checkout of RLVE", line)

    def test_a_hash_names_what_is_asked_and_who_asks_it(self):
        own = shown(self.own())
        name, digits = run("suite", "hash", self.own()).stdout.strip().split("#")
        self.assertEqual((name, digits), ("own", own["hash"]))
        self.assertRegex(digits, "^[0-9a-f]{32}$")
        self.assertEqual(shown(self.own(title="another"))["hash"], own["hash"])
        for change in (
            {"count": 6},
            {"levels": "d0..d3"},
            {"role": "train"},
            {"seed": 2},
            {"split": "val"},
            {"entries": OWN["entries"][:2]},
        ):
            other = shown(self.own(**change))
            self.assertNotEqual((other["list_hash"], other["hash"]), (own["list_hash"], own["hash"]), change)
        whole = shown("rlve_c16")["hash"]
        self.assertEqual(shown(f"rlve_c16#{whole[:8]}")["hash"], whole)
        self.refused(f"rlve_c16 is {whole} in this build, not '00000000'", "suite", "show", "rlve_c16#00000000")

    def test_a_wrong_suite_is_refused_by_its_place(self):
        self.refused("'nope' is none of default, rlve_all, rlve_c1", "suite", "show", "nope")
        self.refused("cannot read the file", "suite", "show", str(self.here / "none.json"))
        bad = self.here / "bad.json"
        bad.write_text("[")
        self.refused("bad.json: expected a JSON object with suite, role and entries", "suite", "show", str(bad))
        for change, sentence in (
            ({"role": "both"}, 'role: "both" is not one of test, train, problems'),
            ({"size": 3}, "size is unknown; expected suite, title"),
            ({"levels": "d4..d0"}, "levels: 'd4..d0' has no steps"),
            ({"levels": "d0..easy"}, "is no range: expected two steps of the difficulty scale"),
            ({"levels": "d0,d0"}, "names d0 twice"),
            ({"levels": "silly"}, "levels: "),
            ({"count": 2}, "entries[0].count: 2 is less than one for each of its 3 levels"),
            ({"count": 0}, "count: 0 is not an integer from 1"),
            ({"split": "dev"}, 'split: "dev" is not one of train, val, test'),
            ({"entries": []}, "entries: expected a list of one entry or more"),
            ({"entries": [{"tasks": "tsp"}]}, "entries[0]: expected an object with a task"),
            ({"entries": [{"task": "a b"}]}, 'entries[0].task: "a b" is no name'),
            ({"entries": [{"task": "tsp", "level": "d0"}]}, "entries[0].level is unknown"),
            (
                {"entries": [{"task": "tsp"}, {"task": "tsp", "levels": "d2..d5"}]},
                "entries[1]: tsp at d2 stands in entries[0]",
            ),
            ({"hash": "0" * 32}, "a frozen list does not change"),
        ):
            self.refused(sentence, "suite", "show", self.own(**change))

    def test_bench_set_writes_a_suite_in_one_file_and_says_what_is_not_in_it(self):
        done = run("bench-set", "--suite", self.own(), "--signal-count", "1", "--out", str(self.here / "set"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("proven: 8 of 8 baselines", done.stdout)
        self.assertIn("2 of the suite's 4 entries are not in this file", done.stdout)
        self.assertEqual([path.name for path in (self.here / "set").glob("*.jsonl")], ["own.jsonl"])
        found = rows(run("verify", str(self.here / "set/own.jsonl")))
        self.assertEqual(
            [(row["task"], row["level"]) for row in found],
            [("sudoku", level) for level in ("d0", "d0", "d1", "d1", "d2")]
            + [("tsp", level) for level in ("easy", "easy", "hard")],
        )
        self.assertTrue(all(row["feasible"] and row["proven"] and ":test:" in row["key"] for row in found))
        self.assertEqual([row["style"] for row in found[:5]], [0, 1, 2, 3, 4])
        index = json.loads((self.here / "set/index.json").read_text())
        self.assertEqual(
            [(task["task"], task["file"], task["rows"], task["unproven"]) for task in index["tasks"]],
            [("sudoku", "own.jsonl", 5, []), ("tsp", "own.jsonl", 3, [])],
        )
        self.assertEqual(
            [(entry["task"], entry["place"]) for entry in index["suite"]["left_out"]],
            [("rlve/NoSuchThing", "external"), ("no_such_task", "missing")],
        )
        self.assertEqual(index["suite"]["hash"], shown(self.own())["hash"])

    def test_a_range_of_levels_shares_the_count(self):
        done = run(
            "bench-set",
            "sudoku",
            "--level",
            "d0..d2,hard",
            "--count",
            "6",
            "--seed",
            "3",
            "--signal-count",
            "1",
            "--out",
            str(self.here / "set"),
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        found = [json.loads(line) for line in (self.here / "set/sudoku.jsonl").read_text().splitlines()]
        self.assertEqual([row["level"] for row in found], ["d0", "d0", "d1", "d1", "d2", "hard"])
        self.assertEqual(len({row["hash"] for row in found}), 6)
        self.assertIn("proven: 6 of 6 baselines", done.stdout)
        self.refused(
            "--count: 2 is less than one for each of the 3 levels",
            "bench-set",
            "sudoku",
            "--level",
            "d0..d2",
            "--count",
            "2",
            "--out",
            str(self.here / "other"),
        )
        for option in (["--level", "d0"], ["--count", "3"], ["--seed", "4"], ["tsp"]):
            self.refused("--suite", "bench-set", "--suite", "rlve_c1", *option, "--out", str(self.here / "other"))
        none = self.own(entries=OWN["entries"][2:])
        self.refused("poses none of its 2 entries", "bench-set", "--suite", none, "--out", str(self.here / "other"))

    def test_what_is_not_proven_is_listed_with_its_gap(self):
        # The default budget cuts this size; the row must report it, in the table and in the index.
        done = run(
            "bench-set",
            "steiner_tree",
            "--level",
            "d57",
            "--count",
            "1",
            "--signal-count",
            "1",
            "--out",
            str(self.here / "set"),
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        index = json.loads((self.here / "set/index.json").read_text())
        open_rows = [row for task in index["tasks"] for row in task["unproven"]]
        self.assertEqual(len(open_rows), 1)
        self.assertEqual(open_rows[0]["gap"], abs(open_rows[0]["bound"] - open_rows[0]["objective"]))
        self.assertGreater(open_rows[0]["gap"], 0)
        self.assertIn("proven: 0 of 1 baselines", done.stdout)
        self.assertIn(open_rows[0]["key"], done.stdout)

    def test_eval_rolls_up_what_is_held_out_beside_what_is_seen(self):
        scored = {"reward": 1.0, "feasible": 1, "quality": 0.5, "normalized": 0.5, "truncated": False}
        keys = [
            "sorting@1:test:d1:1",
            "sorting@1:test:d1:2",
            "futoshiki@1:test:d4:1",
            "futoshiki@1:test:d9:1",
            "rlve/CRT@73:test:d3:1#0baf992e",
            "tsp@1:test:easy:1",
        ]
        given = lines(*({"key": key, **scored, "quality": 0.25 * place} for place, key in enumerate(keys)))
        done = run("eval", "-", "--suite", "rlve_c4", "--suite", "rlve_ood", "--json", "--bootstrap", "0", stdin=given)
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual(
            [(row["suite"], row["training"], row["rows"], row["qr"]) for row in report["suites"]],
            [("rlve_c4", "seen", 2, 0.125), ("rlve_ood", "held out", 2, 0.75), ("in none", "-", 2, 1.0)],
        )
        c4, ood = report["coverage"]
        self.assertEqual(
            (c4["answered"], c4["tasks"], c4["absent"]),
            (1, 4, ["rlve/Division", "rlve/EuclidGame", "rlve/Multiplication"]),
        )
        self.assertEqual((ood["answered"], ood["tasks"], len(ood["absent"])), (2, 50, 48))
        self.assertEqual(
            {row["class"]: row["rows"] for row in report["classes"]}, {"exact": 3, "satisfy": 2, "optimise": 1}
        )
        table = run("eval", "-", "--suite", "rlve_ood", "--bootstrap", "0", stdin=given).stdout
        self.assertRegex(table, r"(?m)^rlve_ood +held out +2 ")
        self.assertIn("rows of 2 of its 50 tasks", table)
        self.assertNotIn("suites", json.loads(run("eval", "-", "--json", stdin=given).stdout))

    def test_a_curriculum_with_a_wrong_suite_is_refused(self):
        self.refused(
            "'nope' is none of", "curriculum", "simulate", "--policy", '{"policy": "window", "held_out": "nope"}'
        )
        self.refused(
            "expected a suite or a list of suites",
            "curriculum",
            "simulate",
            "--policy",
            '{"policy": "window", "held_out": 3}',
        )


if __name__ == "__main__":
    unittest.main()
