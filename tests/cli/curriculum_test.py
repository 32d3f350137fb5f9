"""optgap curriculum simulate: its table, its JSON, its plot."""

import json
import pathlib
import tempfile
import unittest
import xml.etree.ElementTree

from optgap_process import run


def simulate(*arguments):
    done = run("curriculum", "simulate", *arguments)
    return done, json.loads(done.stdout) if "--json" in arguments and done.returncode == 0 else None


class Curriculum(unittest.TestCase):
    def test_the_adaptive_window_keeps_more_groups_informative_than_the_others(self):
        for learner in ("ability", "skills"):
            done, rows = simulate("--json", "--learner", learner, "--seeds", "2")
            self.assertEqual(done.returncode, 0, done.stderr)
            by_name = {row["name"]: row for row in rows}
            self.assertEqual(list(by_name), ["adaptive", "beta", "replay", "window", "stages", "mixed", "static"])
            best = by_name.pop("adaptive")
            for row in by_name.values():
                self.assertGreater(best["informative"], row["informative"], (learner, row["name"]))
                self.assertGreater(best["ability_range"][0], row["ability_range"][1], (learner, row["name"]))
            self.assertGreater(by_name["window"]["accuracy"], 0.85)
            self.assertIsNone(by_name["static"]["final_high"])
            self.assertIsNone(by_name["beta"]["final_high"])

    def test_several_runs_are_the_mean_of_single_ones(self):
        short = ("--json", "--steps", "30", "--policy", "beta")
        two, first, second = (
            simulate(*short, "--seed", seed, "--seeds", seeds)[1][0]
            for seed, seeds in (("4", "2"), ("4", "1"), ("5", "1"))
        )
        for field in ("ability", "informative", "accuracy"):
            self.assertAlmostEqual(two[field], (first[field] + second[field]) / 2)
        self.assertEqual(two["ability_range"], sorted([first["ability"], second["ability"]]))

    def test_the_same_seed_gives_the_same_bytes_and_another_one_others(self):
        first, again, other = (
            run("curriculum", "simulate", "--steps", "30", "--json", "--seed", seed).stdout for seed in ("1", "1", "2")
        )
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)

    def test_the_prompt_limit_binds_the_window(self):
        _, rows = simulate("--json", "--policy", "adaptive", "--steps", "400", "--max-prompt-chars", "900")
        self.assertEqual(rows[0]["final_high"], 5)
        self.assertEqual(rows[0]["frozen"], 8)

    def test_the_table_has_a_line_per_policy_and_the_plot_a_curve(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "plot.svg"
            done, _ = simulate(
                "--steps",
                "20",
                "--policy",
                "adaptive",
                "--policy",
                '{"policy": "window", "accuracy": 0.5}',
                "--svg",
                str(path),
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(len(done.stdout.splitlines()), 4)
            root = xml.etree.ElementTree.parse(path).getroot()
            self.assertEqual(len(root.findall("{http://www.w3.org/2000/svg}polyline")), 2)

    def test_shares_that_move_gain_where_tasks_cannot_be_learnt_and_lose_nothing_where_all_can(self):
        arms = [json.dumps({"policy": "adaptive", "mixing": by}) for by in ("uniform", "informative", "progress")]
        words = [word for arm in arms for word in ("--policy", arm)]
        for learner in ("ability", "skills"):
            words_of = ("--json", "--learner", learner, "--steps", "200", *words)
            _, (uniform, *moved) = simulate("--mixture", "uneven", *words_of)
            self.assertNotIn("mixing", uniform["policy"])
            for row in moved:
                self.assertGreater(row["ability_range"][0], uniform["ability_range"][1], (learner, row["name"]))
                self.assertGreater(row["informative"], uniform["informative"] + 0.1, (learner, row["name"]))
                self.assertGreater(row["teaching"], uniform["teaching"] + 0.1, (learner, row["name"]))
            _, (uniform, *moved) = simulate(*words_of)
            for row in moved:
                self.assertGreater(row["ability"], 0.98 * uniform["ability"], (learner, row["name"]))
                self.assertEqual(row["teaching"], 1)

    def test_an_uneven_mixture_has_arms_and_a_table_of_its_own(self):
        done, _ = simulate("--mixture", "uneven", "--steps", "5", "--seeds", "1")
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0].split(), "policy ability of runs worst task informative can learn".split())
        moved = ['{"policy":'] * 2
        self.assertEqual([line.split()[0] for line in lines[2:]], ["adaptive", *moved, "mixed", *moved])

    def test_bad_usage_is_told(self):
        for arguments, words in (
            (["--policy", "fancy"], "curriculum.policy"),
            (["--steps", "0"], "--steps"),
            (["--seeds", "0"], "--seeds"),
            (["--mixture", "odd"], "--mixture"),
            (["--policy", '{"mixing": {"memory": 64}}'], "curriculum.mixing.memory is not read"),
            (
                ["--policy", '{"mixing": {"groups": [{"tasks": "task9", "share": 5}]}}'],
                "curriculum.mixing.groups[0].tasks: 'task9' names none of this curriculum's 8 tasks",
            ),
            (["--learner", "genius"], "--learner"),
            (["--policy", '{"policy": "static", "up": 0.5}'], "not a field of the policy static"),
            (["--max-prompt-chars", "10"], "no prompts of at most 10 characters"),
        ):
            done, _ = simulate(*arguments)
            self.assertEqual(done.returncode, 2, (arguments, done.stderr))
            self.assertIn(words, done.stderr)
        self.assertEqual(run("curriculum").returncode, 2)
        self.assertEqual(simulate("--svg", "/no/such/folder/plot.svg", "--steps", "1")[0].returncode, 3)


if __name__ == "__main__":
    unittest.main()
