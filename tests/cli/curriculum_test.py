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
        two, first, second = (simulate(*short, "--seed", seed, "--seeds", seeds)[1][0]
                              for seed, seeds in (("4", "2"), ("4", "1"), ("5", "1")))
        for field in ("ability", "informative", "accuracy"):
            self.assertAlmostEqual(two[field], (first[field] + second[field]) / 2)
        self.assertEqual(two["ability_range"], sorted([first["ability"], second["ability"]]))

    def test_the_same_seed_gives_the_same_bytes_and_another_one_others(self):
        first, again, other = (run("curriculum", "simulate", "--steps", "30", "--json", "--seed", seed).stdout
                               for seed in ("1", "1", "2"))
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)

    def test_the_prompt_limit_binds_the_window(self):
        _, rows = simulate("--json", "--policy", "adaptive", "--steps", "400", "--max-prompt-chars", "900")
        self.assertEqual(rows[0]["final_high"], 5)
        self.assertEqual(rows[0]["frozen"], 8)

    def test_the_table_has_a_line_per_policy_and_the_plot_a_curve(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "plot.svg"
            done, _ = simulate("--steps", "20", "--policy", "adaptive", "--policy",
                               '{"policy": "window", "accuracy": 0.5}', "--svg", str(path))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(len(done.stdout.splitlines()), 4)
            root = xml.etree.ElementTree.parse(path).getroot()
            self.assertEqual(len(root.findall("{http://www.w3.org/2000/svg}polyline")), 2)

    def test_bad_usage_is_told(self):
        for arguments, words in ((["--policy", "fancy"], "curriculum.policy"), (["--steps", "0"], "--steps"),
                                 (["--seeds", "0"], "--seeds"),
                                 (["--learner", "genius"], "--learner"),
                                 (["--policy", '{"policy": "static", "up": 0.5}'], "not a field of the policy static"),
                                 (["--max-prompt-chars", "10"], "no prompts of at most 10 characters")):
            done, _ = simulate(*arguments)
            self.assertEqual(done.returncode, 2, (arguments, done.stderr))
            self.assertIn(words, done.stderr)
        self.assertEqual(run("curriculum").returncode, 2)
        self.assertEqual(simulate("--svg", "/no/such/folder/plot.svg", "--steps", "1")[0].returncode, 3)


if __name__ == "__main__":
    unittest.main()
