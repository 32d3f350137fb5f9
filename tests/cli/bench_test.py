"""optgap bench: refused arguments, the measured tasks, and the shape of its goals and of interference."""

import json
import unittest

from optgap_process import run


class Bench(unittest.TestCase):
    def report(self, *arguments):
        done = run(
            "bench", *arguments, "--device", "cpu", "--json", "--quiet", "--commit", "c0ffee", "--machine", "here"
        )
        made = json.loads(done.stdout)
        unmet = [goal for goal in made.get("goals", []) if goal["verdict"] == "not met"]
        self.assertEqual(done.returncode, 1 if unmet else 0, done.stderr)
        self.assertEqual(made["machine"], "here")
        self.assertRegex(made["date"], r"^\d{4}-\d\d-\d\d$")
        self.assertEqual((made["commit"], made["device"].split(":")[0]), ("c0ffee", "cpu"))
        self.assertEqual({ceiling["name"] for ceiling in made["ceilings"]}, {"read", "copy", "integer_add"})
        return made

    def test_rows_name_the_ceiling_that_binds_them(self):
        rows = self.report("verify", "improve", "--task", "tsp", "--batch", "64", "--seconds", "0")["rows"]
        rows += self.report("ranks", "--batch", "64", "--seconds", "0")["rows"]
        self.assertEqual(
            [(row["workload"], row["ceiling"]) for row in rows],
            [("verify", "copy"), ("improve", "integer_add"), ("ranks", "copy")],
        )
        for row in rows:
            self.assertGreater(row["share_of_ceiling"], 0)
            self.assertGreaterEqual(len(row["samples_s"]), 5)

    def test_a_row_over_several_tasks_is_over_those_that_are_named(self):
        names = ("parse", "mix", "score", "rewards", "step", "sample_1", "rollouts", "serve_1")
        few = ("--level", "d3", "--batch", "32", "--text-bytes", "500", "--seconds", "0")
        rows = self.report(*names, "--task", "clique", "--task", "sorting", *few)["rows"]
        self.assertEqual([(row["workload"], row["task"]) for row in rows], [(name, "clique+sorting") for name in names])
        rows = self.report("mix", "parse", *few)["rows"]
        self.assertEqual([row["task"] for row in rows], ["one of each", "mixed"])
        done = run("bench", "parse", "--task", "chests", "--device", "cpu", "--quiet")
        self.assertEqual(done.returncode, 2)
        self.assertIn("chests", done.stderr, "it is asked of programs alone: there are no rollouts of it")

    def test_a_task_is_refused_where_it_has_no_effect(self):
        own = (
            "advantages",
            "river",
            "ranks",
            "start_up",
            "curriculum",
            "judgements",
            "chains",
            "program_cpp",
            "store",
            "pool",
        )
        for name in own:
            done = run("bench", "verify", name, "--task", "tsp", "--device", "cpu", "--quiet")
            self.assertEqual((done.returncode, done.stdout), (2, ""), name)
            self.assertIn(f"'bench {name}' has data of its own: --task has no effect there", done.stderr)

    def test_all_of_a_task_is_what_it_takes_part_in(self):
        rows = self.report(
            "all", "--task", "sorting", "--level", "d1", "--batch", "16", "--text-bytes", "500", "--seconds", "0"
        )["rows"]
        self.assertEqual({row["task"] for row in rows}, {"sorting"})
        self.assertTrue({"generate", "solve", "mix", "step", "serve_solve"} <= {row["workload"] for row in rows})

    def test_proposals_are_measured_before_and_through_their_canonical_form(self):
        made = self.report(
            "proposals",
            "canonical",
            "--task",
            "clique",
            "--task",
            "tsp",
            "--level",
            "d2",
            "--batch",
            "10",
            "--seconds",
            "0",
        )
        self.assertEqual(
            [(row["workload"], row["task"]) for row in made["rows"]],
            [(work, task) for work in ("proposals", "canonical") for task in ("clique", "tsp")],
        )
        for row in made["rows"]:
            self.assertGreater(row["rate"], 0)

    def test_judgements_are_read_with_and_without_a_score(self):
        made = self.report("judgements", "--batch", "2", "--text-bytes", "5000", "--seconds", "0")
        self.assertEqual(
            [(row["workload"], row["task"], row["batch"]) for row in made["rows"]], [("judgements", "mixed", 2)]
        )
        self.assertGreater(made["rows"][0]["rate"], 0)
        self.assertEqual(set(made["rows"][0]["stages_s"]), {"with a score", "mae_repo"})

    def test_what_it_takes_until_the_first_call_is_told_in_parts(self):
        (process,) = self.report("start_up", "--seconds", "0")["rows"]
        (call,) = self.report("first_call", "--task", "tsp", "--level", "d3", "--seconds", "0")["rows"]
        self.assertEqual(set(process["stages_s"]), {"process", "engine"})
        self.assertEqual(set(call["stages_s"]), {"made", "first", "next"})
        self.assertEqual((process["task"], call["task"]), ("mixed", "tsp"))
        done = run("bench", "crossover_verify", "--device", "cpu")
        self.assertEqual(done.returncode, 2)
        self.assertIn("measures a GPU and needs --device cuda", done.stderr)

    def test_interference_measures_each_alone_and_both_together(self):
        made = self.report("interference", "--task", "knapsack", "--seconds", "0.02", "--quick", "--steps", "20")
        rows = made["interference"]
        self.assertEqual(
            {(row["loop"], row["workload"], row["process"]) for row in rows},
            {
                (loop, verb, process)
                for loop in ("multiply_add", "memory_copy")
                for verb in ("verify", "improve")
                for process in ("the loop's", "its own")
            },
        )
        self.assertEqual(made["rows"], [])
        for row in rows:
            self.assertEqual(len(row["rounds"]), 3)
            slowdowns = sorted(one["loop_alone"] / one["loop_beside"] - 1 for one in row["rounds"])
            self.assertAlmostEqual(row["slowdown"], slowdowns[1])
            self.assertIn(row["holds"], ("yes", "no", "unclear"))
            self.assertEqual(
                row["default"],
                row["threads"] == max(other["threads"] for other in rows) and row["process"] == "the loop's",
            )
            self.assertGreater(min(min(one.values()) for one in row["rounds"]), 0)
            self.assertNotIn("multiprocessors", row, "a CPU has none")

    def test_goals_that_need_a_gpu_have_no_number_here(self):
        made = self.report("goals", "--quick", "--seconds", "0", "--task", "knapsack", "--level", "easy")
        goals = {goal["goal"]: goal for goal in made["goals"]}
        self.assertEqual(len(goals), 9)
        for goal in goals.values():
            if goal["device"] == "cuda":
                self.assertEqual((goal["value"], goal["verdict"], goal["note"]), (None, "not measured", "needs a GPU"))
            elif goal["value"] is None:
                self.assertEqual(goal["verdict"], "not measured")
                self.assertTrue(goal["note"])
            else:
                holds = goal["value"] >= goal["at_least"] if "at_least" in goal else goal["value"] <= goal["at_most"]
                self.assertEqual(goal["verdict"], "met" if holds else "not met")
        self.assertEqual({goal["task"] for goal in made["goals"]}, {"knapsack"})
        self.assertIsNone(goals["cost_flat"]["value"], "a quick run streams too little to judge it")

    def test_chains_are_timed_in_parts_that_add_up(self):
        row = self.report("chains", "--seconds", "0.02", "--batch", "64")["rows"][0]
        stages = row["stages_s"]
        self.assertEqual(
            list(stages), ["content", "with six checks", "with gates, too", "83 instruction types", "these on one text"]
        )
        self.assertAlmostEqual(stages["with six checks"], 1 / row["rate"])
        self.assertGreater(min(stages.values()), 0)

    def test_a_store_costs_little_beside_its_labels(self):
        row = self.report("store", "--quick", "--seconds", "0.02", "--batch", "64")["rows"][0]
        stages, ratios = row["stages_s"], row["ratios"]
        many = f"{50 * 64} rows"  # with a batch of 20,000 it would be a million
        self.assertEqual(
            set(ratios),
            {
                "write / label",
                "lookup / label",
                f"open {many} / a label",
                f"lookup in {many} / label",
                f"lookup in {many} / lookup",
            },
        )
        self.assertEqual(set(stages), {"label", "write", "lookup", f"open {many}", f"lookup in {many}"})
        self.assertAlmostEqual(ratios["lookup / label"], stages["lookup"] / stages["label"])
        self.assertLess(ratios["lookup / label"], 1, "then there would be no use in a store")

    def test_a_pool_is_measured_by_what_its_steps_cost(self):
        row = self.report("pool", "--quick", "--seconds", "0.02", "--batch", "2000")["rows"][0]
        self.assertEqual(
            (row["batch"], set(row["stages_s"])), (2000, {"step", "step p90", "part", "weights", "draw", "open"})
        )
        self.assertLess(row["stages_s"]["draw"], row["stages_s"]["step"])

    def test_programs_are_timed_beside_others_ways(self):
        done = run("bench", "program_python", "--device", "cpu", "--batch", "1", "--seconds", "0", "--quiet")
        if done.returncode == 2:
            self.assertRegex(
                done.stderr, "nothing to measure: program_python: no isolation level holds programs in python"
            )
            self.skipTest("no jail")
        rows = {
            row["workload"]: row
            for row in self.report(
                "program_python", "program_slots", "program_beside", "--batch", "2", "--seconds", "0"
            )["rows"]
        }
        costs = rows["program_python"]
        self.assertEqual(list(costs["stages_s"]), ["a run", "of it the program's process", "subprocess.run", "bash"])
        self.assertLess(costs["stages_s"]["of it the program's process"], costs["stages_s"]["a run"])
        self.assertAlmostEqual(costs["stages_s"]["a run"], 1 / costs["rate"])
        self.assertGreater(min(costs["ratios"]["of subprocess.run"], costs["ratios"]["of bash"]), 0)
        self.assertEqual(
            list(rows["program_slots"]["ratios"]), ["slots busy", "speed of subprocess.run", "speed of bash"]
        )
        self.assertLess(rows["program_slots"]["ratios"]["slots busy"], 1)
        self.assertEqual(
            {name.split()[0] for name in rows["program_beside"]["ratios"]}, {"multiply_add", "memory_copy", "programs"}
        )

    def test_bad_requests_say_what_was_expected(self):
        for arguments, said in (
            (["interferences"], "expected interference"),
            (["device_verify"], "needs --device cuda"),
            ([], "WHAT"),
            (["goals", "--quick", "--record", "x.jsonl"], "measures too little to be kept"),
            (["solve", "--from", "x.jsonl"], "expected goals alone"),
            (["goals", "--from", "x.jsonl", "--record", "x.jsonl"], "measures nothing"),
            (["goals", "--from", "/no/such/file"], "cannot read"),
        ):
            done = run("bench", *arguments, "--device", "cpu", "--quiet")
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(said, done.stderr)


if __name__ == "__main__":
    unittest.main()
