"""optgap score --stats, --improved and keep; optgap stats."""

import itertools
import json
import os
import subprocess
import tempfile
import unittest

from optgap_process import BINARY, KNAPSACK4, TSP4, forge, lines, rows, run


def tsp(answer, **more):
    return dict({"task": "tsp", "instance": TSP4, "completion": forge(answer)}, **more)


class Scratch(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def stats(self, name, *table, options=()):
        done = run("score", "-", "--stats", self.path(name), *options, stdin=lines(*table))
        self.assertIn(done.returncode, (0, 1), done.stderr)
        with open(self.path(name)) as file:
            return json.load(file)


class Stats(Scratch):
    table = [
        tsp("[0,1,3,2]", group=1),
        tsp("[0,2,1,3]", group=1, finish="length"),
        tsp("[0,0]", group=2),
        tsp("", completion="[0]", group=2),
        tsp("[0,1,3,2]", group=3),
        tsp("[0,1,3,2]", group=3),
        {"task": "knapsack@1", "instance": KNAPSACK4, "completion": forge("[0]"), "group": 4, "level": 7},
    ]

    def test_counts_rows_and_groups_per_task_and_level(self):
        found = self.stats("a.json", *self.table, "broken")
        cells = {(c["task"], c["level"]): c for c in found["cells"]}
        self.assertEqual(set(cells), {("tsp", "explicit"), ("knapsack", "explicit")})
        cell = cells["tsp", "explicit"]
        self.assertEqual(
            [
                cell[name]
                for name in (
                    "rows",
                    "feasible",
                    "correct",
                    "optimal",
                    "truncated",
                    "format_broken",
                    "groups",
                    "kept_groups",
                    "zero_variance_groups",
                )
            ],
            [6, 4, 3, 3, 1, 1, 3, 2, 1],
        )
        self.assertEqual(sum(cell["quality_histogram"]), 4)
        self.assertEqual(cell["quality_histogram"][63], 3)
        self.assertAlmostEqual(cell["rates"]["qr"], (3 + 80 / 95) / 6, places=6)
        self.assertAlmostEqual(cell["rates"]["pair_collision"], 1 / 3)
        self.assertEqual(found["total"]["rows"], 7)
        self.assertEqual(self.stats("b.json", *self.table, options=("--correct", "0.8"))["total"]["correct"], 4)

    def test_keep_marks_rows_of_groups_whose_rewards_differ(self):
        self.assertEqual([r["keep"] for r in rows(run("score", "-", stdin=lines(*self.table)))], [1, 1, 1, 1, 0, 0, 0])

    def test_merging_processes_in_any_order_gives_the_whole(self):
        whole = run("stats", "merge", self.path("whole.json")) if self.stats("whole.json", *self.table) else None
        parts = [self.table[:2], self.table[2:4], self.table[4:]]
        for i, part in enumerate(parts):
            self.stats(f"{i}.json", *part)
        for order in itertools.permutations("012"):
            merged = run("stats", "merge", *(self.path(f"{i}.json") for i in order))
            self.assertEqual(merged.returncode, 0, merged.stderr)
            self.assertEqual(merged.stdout, whole.stdout)
        self.assertIn("knapsack", run("stats", "show", self.path("whole.json")).stdout)

    def test_tables_of_other_runs_are_refused_by_the_part_that_differs(self):
        self.stats("a.json", self.table[0])
        self.stats("b.json", self.table[0], options=("--reward", "binary"))
        merge = ("stats", "merge", self.path("a.json"), self.path("b.json"))
        done = run(*merge)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("differ in reward;", done.stderr)
        self.assertEqual(json.loads(run(*merge, "--allow-drift").stdout)["total"]["rows"], 2)

    def test_what_is_no_table_is_bad_usage(self):
        for text in ("", "[]", "{}", '{"statistics": 1}'):
            with open(self.path("bad.json"), "w") as file:
                file.write(text)
            self.assertEqual(run("stats", "show", self.path("bad.json")).returncode, 2, text)
        self.assertEqual(run("stats", "merge", self.path("absent.json")).returncode, 2)
        self.assertEqual(run("score", "-", "--stats", self.path("no/such/folder"), stdin="").returncode, 2)


class Folder(Scratch):
    """Records that a trainer's processes append (docs/statistics.md), read by the program alone."""

    def write(self, name, *table):
        os.makedirs(self.path("run"), exist_ok=True)
        with open(self.path(f"run/{name}.jsonl"), "w") as file:
            file.write(lines(*table) if table else "")

    def setUp(self):
        super().setUp()
        self.whole = self.stats("whole.json", *Stats.table)
        self.header = {"optgap_stats": 1, "time": 0, "correct_from": 1.0, "run": self.whole["run"]}

    def cell(self, **more):
        return dict({"task": "tsp", "level": "d1", "rows": 2, "feasible": 1, "quality_histogram": {"63": 1}}, **more)

    def merged(self, *options, code=0):
        done = run("stats", "merge", self.path("run"), *options)
        self.assertEqual(done.returncode, code, done.stderr)
        return (json.loads(done.stdout)["total"] if code == 0 else None), done.stderr

    def test_groups_of_several_files_are_put_together(self):
        self.write(
            "a",
            self.header,
            {"time": 10, "cells": [self.cell()], "groups": [["u", 0, [1, None]]], "keys": [["k", 0, [2]]]},
        )
        self.write(
            "b",
            self.header,
            {"time": 99, "cells": [self.cell()], "groups": [["u", 0, [2]]], "keys": [["k", 0, [2]]]},
            {"time": 900, "cells": [self.cell(rows=1)], "groups": [["u", 0, [2]]], "keys": [["k", 0, [5]]]},
        )
        total, said = self.merged()
        self.assertEqual((total["rows"], total["feasible"], total["quality_histogram"][63], said), (5, 3, 3, ""))
        # u is 1, 2, 2 and kept; k is 2, 2, a zero-variance group, and much later 5, alone.
        self.assertEqual(
            [total[name] for name in ("groups", "kept_groups", "zero_variance_groups", "pairs", "equal_pairs")],
            [3, 1, 1, 8, 4],
        )

    def test_what_is_no_line_is_said_and_passed_over(self):
        good = {"time": 1, "cells": [self.cell()]}
        for bad in (
            [],
            {"time": 1, "cells": [{"task": "tsp"}]},
            {"time": 1, "cells": [self.cell(rows=-1)]},
            {"time": 1, "cells": 3},
            {"time": 1, "cells": [self.cell(quality_histogram={"64": 1})]},
            "text",
            None,
            {"time": 1, "cells": [self.cell()], "groups": [["u", 7, [1]]]},
        ):
            self.write("a", self.header, bad, good)
            total, said = self.merged()
            self.assertEqual(total["rows"], 2, bad)
            self.assertIn("a.jsonl: line 2", said)
        self.write("a", self.header, good)
        with open(self.path("run/a.jsonl"), "a") as file:
            file.write('{"time": 1, "cells"')
        total, said = self.merged()
        self.assertEqual(total["rows"], 2)
        self.assertIn("line 3 is not whole", said)

    def test_another_reward_in_the_folder_is_refused(self):
        self.write("a", self.header, {"time": 1, "cells": [self.cell()]})
        other = self.stats("other.json", Stats.table[0], options=("--reward", "binary"))["run"]
        self.write("b", dict(self.header, run=other), {"time": 1, "cells": [self.cell()]})
        self.assertIn("differ in reward", self.merged(code=2)[1])
        self.assertEqual(self.merged("--allow-drift")[0]["rows"], 4)
        self.write("a")
        self.write("b")
        self.assertIn("no counters", self.merged(code=2)[1])


class ImprovedBaselines(Scratch):
    def test_answers_that_beat_a_baseline_are_appended_with_their_kind(self):
        weak = {"objective": 90, "bound": 70, "proven": False}
        wrong = {"objective": 90, "bound": 90, "proven": True}
        key = rows(run("generate", "tsp", "--level", "easy"))[0]["key"]
        solved = rows(run("solve", "-", stdin=lines({"key": key})))[0]
        beaten = {"objective": solved["objective"] + 1, "bound": 0, "proven": False}
        text = lines(
            tsp("[0]", baseline=weak),
            tsp("[0,1,3,2]", baseline=weak),
            tsp("[0,1,3,2]", baseline=wrong, group="another"),
            {"key": key, "completion": forge(json.dumps(solved["answer"])), "baseline": beaten},
        )
        for command in ("score", "eval", "rescore"):
            done = run(command, "-", "--improved", self.path("improved"), stdin=text)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("ALARM", done.stderr)
        with open(self.path("improved")) as file:
            found = [json.loads(line) for line in file]
        self.assertEqual(len(found), 9, "three answers of three runs")
        self.assertEqual(
            [(r["kind"], r["objective"]) for r in found[:3]],
            [("unproven", 80), ("proven", 80), ("unproven", solved["objective"])],
        )
        self.assertEqual((found[0]["answer"], found[0]["baseline"], found[0]["instance"]), ([0, 1, 3, 2], weak, TSP4))
        self.assertEqual((found[2]["key"], "instance" in found[2]), (key, False))
        for row in rows(run("verify", "-", stdin=lines(*found))):
            self.assertTrue(row["feasible"])
        with open(self.path("improved"), "a") as file:
            file.write('{"kind": "unpro')  # the rest of a write to a full disk
        at_once = [subprocess.Popen([BINARY, "score", "-", "--improved", self.path("improved")], stdin=subprocess.PIPE,
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True)
                   for _ in range(4)]  # fmt: skip
        for one in at_once:
            one.communicate(text)
        with open(self.path("improved")) as file:
            self.assertEqual(len([json.loads(line) for line in file]), 9 + 3 * 4)


class Drift(unittest.TestCase):
    def test_eval_refuses_rows_of_two_fingerprints(self):
        text = lines(tsp("[0,1,3,2]"))
        one = run("score", "-", stdin=text).stdout
        two = run("score", "-", "--reward", "binary", "--advantage", "dr_grpo", stdin=text).stdout
        done = run("eval", "-", stdin=one + two)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("differ in reward and advantage;", done.stderr)
        self.assertEqual(run("eval", "-", "--allow-drift", stdin=one + two).returncode, 0)
        self.assertEqual(run("rescore", "-", stdin=one + two).returncode, 2)
        plain = dict(rows(run("score", "-", stdin=text))[0])
        del plain["fingerprint"]
        self.assertEqual(run("eval", "-", stdin=two + lines(plain)).returncode, 0)

    def test_eval_refuses_answers_of_two_models(self):
        text = lines({**tsp("[0,1,3,2]"), "model": "one"}, {**tsp("[0,1,3,2]"), "model": "two"}, tsp("[0,1,2,3]"))
        for given in (text, run("score", "-", stdin=text).stdout):
            done = run("eval", "-", stdin=given)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("row 2 is an answer of model 'two', row 1 of 'one': `optgap compare A B`", done.stderr)
            self.assertEqual(run("eval", "-", "--allow-drift", stdin=given).returncode, 0)
            self.assertEqual(run("eval", "-", stdin=given.replace('"two"', '"one"')).returncode, 0)


class Explain(unittest.TestCase):
    rewards = [
        "forge",
        "binary",
        '{"shape": "power", "range": [0, 1]}',
        '{"shape": "threshold", "steps": [[0.5, 1]]}',
        '{"shape": "normalized", "from": "greedy", "proven_bonus": 0.25}',
        '{"shape": "weighted", "weights": {"format": 0.1, "quality": 1, "normalized": 0.5, "optimal": 0.25}}',
        '{"infeasible": "graded", "truncated": "zero"}',
        '{"truncated": "exclude"}',
    ]

    def test_every_shape_lines_up_and_ends_in_the_reward_that_score_gives(self):
        table = [tsp("[0,2,1,3]"), tsp("[0,1,1,2]"), tsp("[0,1,3,2]", finish="length")]
        for reward in self.rewards:
            scored = rows(run("score", "-", "--reward", reward, stdin=lines(*table)))
            for number, row in enumerate(scored, 1):
                done = run("explain", "-", "--row", str(number), "--reward", reward, stdin=lines(*table))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertNotRegex(done.stdout, r"(?m) $")
                steps = done.stdout[done.stdout.index("\nreward, code") :].splitlines()[2:]
                ends = [len(line) for line in steps if line.split()[0] in ("sum", "reward", "normalized")]
                self.assertEqual(len(set(ends)), 1, done.stdout)
                value = next(line.split()[-1] for line in steps if line.startswith("  reward "))
                self.assertEqual(
                    None if value == "none" else float(value), row["reward"] and float(f"{row['reward']:.10g}")
                )


if __name__ == "__main__":
    unittest.main()
