"""Each command on small rows with outcomes that were computed by hand."""

import json
import pathlib
import struct
import tempfile
import unittest

from optgap_process import KNAPSACK4, TSP4, forge, lines, rows, run

TSP_FILE = """NAME: four
TYPE: TSP
DIMENSION: 4
EDGE_WEIGHT_TYPE: EUC_2D
NODE_COORD_SECTION
1 0 0
2 3 0
3 3 4
4 0 4
EOF
"""


def float32(x):
    return struct.unpack("f", struct.pack("f", x))[0]


class Verify(unittest.TestCase):
    def test_golden_verdicts(self):
        cases = [
            ("[0,1,3,2,0]", True, 80, "ok"),
            ([0, 1, 3, 2], True, 80, "ok"),
            ("[0,1,3]", False, None, None),
            ("[0,1,1,2]", False, None, "repeated"),
            ("no", False, None, "unparsable"),
            ("[0,1,2,9]", False, None, "out_of_range"),
            ([0, 1.0, 2, 3], False, None, "not_integer"),
            (None, False, None, "unparsable"),
        ]
        done = run("verify", "-", stdin=lines(*({"task": "tsp", "instance": TSP4, "answer": a} for a, *_ in cases)))
        for row, (answer, feasible, objective, code) in zip(rows(done), cases, strict=True):
            self.assertIs(row["feasible"], feasible, answer)
            self.assertEqual(row["objective"], objective, answer)
            if code is not None:
                self.assertEqual(row["code"], code, answer)
            self.assertLessEqual(row["violation"], row["violation_max"])
            self.assertEqual(feasible, row["violation"] == 0)
            self.assertIsInstance(row["where"], int)


class SolveAndImprove(unittest.TestCase):
    def test_solve_proves_the_small_ones(self):
        found = rows(
            run(
                "solve",
                "-",
                stdin=lines({"task": "tsp", "instance": TSP4, "id": 1}, {"task": "knapsack", "instance": KNAPSACK4}),
            )
        )
        self.assertEqual([r["objective"] for r in found], [80, 26])
        for row in found:
            self.assertEqual((row["status"], row["proven"], row["bound"]), ("optimal", True, row["objective"]))
            self.assertIsInstance(row["steps"], int)
        self.assertEqual(sorted(found[1]["answer"]), [1, 2, 3])
        self.assertEqual(found[0]["floor"], 10 + 35 + 30 + 20)

    def test_solve_reads_tsp_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "four.TSP")
            path.write_text(TSP_FILE)
            row = rows(run("solve", str(path)))[0]
            self.assertEqual((row["task"], row["name"], row["objective"], row["proven"]), ("tsp", "four", 14, True))
            self.assertRegex(row["key"], r"^tsp@1:x:[0-9a-f]{32}$")
            self.assertNotIn("instance", row)
            whole = run("solve", str(path), "--with-instance")
            checked = rows(run("verify", "-", stdin=whole.stdout))[0]
            self.assertEqual((checked["feasible"], checked["objective"]), (True, 14))
            path.write_text("NAME: broken\nDIMENSION: 4\n")
            broken = run("solve", str(path))
            self.assertEqual(broken.returncode, 1)
            self.assertIn("rule", rows(broken)[0]["error"])

    def test_improve_starts_from_the_answer(self):
        row = {"task": "tsp", "instance": TSP4}
        starts = [dict(row, answer=a) for a in ("[0,1,2,3]", [0, 0], "nothing")]
        done = run("improve", "-", "--steps", "100", stdin=lines(*starts))
        self.assertEqual(done.returncode, 1)
        found = rows(done)
        self.assertEqual((found[0]["start_objective"], found[0]["objective"]), (95, 80))
        self.assertEqual((found[1]["start_objective"], found[1]["objective"], found[1]["moves"]), (None, None, 0))
        self.assertEqual(found[2]["error"]["field"], "answer")


class Generate(unittest.TestCase):
    def test_columns_and_seeds(self):
        found = rows(
            run("generate", "tsp", "knapsack", "--level", "easy", "--count", "3", "--seed", "7", "--split", "val")
        )
        self.assertEqual(
            [r["key"].split("#")[0] for r in found],
            [f"{t}@1:val:easy:{s}" for t in ("tsp", "knapsack") for s in (7, 8, 9)],
        )
        for row in found:
            self.assertEqual(list(row), ["key", "task", "level", "instance", "hash"])
            self.assertTrue(row["hash"].startswith(row["key"].split("#")[1]))

    def test_scale_and_level_name_the_same(self):
        self.assertEqual(
            run("generate", "tsp", "--difficulty", "3").stdout, run("generate", "tsp", "--level", "d3").stdout
        )

    def test_prompts_of_every_style(self):
        train = rows(run("generate", "tsp", "--level", "easy", "--prompts", "--style", "all", "--format", "boxed"))
        test = rows(run("generate", "tsp", "--level", "easy", "--prompts", "--style", "all", "--split", "test"))
        self.assertEqual(len(test), len(train) + 1)
        self.assertEqual(len({r["prompt"] for r in train}), len(train))
        for row in train:
            self.assertEqual((row["prompt_chars"], row["format"]), (len(row["prompt"]), "boxed"))
            self.assertIn("boxed", row["prompt"])

    def test_a_drawn_style_is_one_of_all_but_the_last_by_the_key(self):
        for split in ("train", "test"):
            words = ("generate", "tsp", "--level", "easy", "--prompts", "--split", split)
            drawn = rows(run(*words, "--count", "24", "--style", "drawn"))
            every = {r["key"]: r["prompt"] for r in rows(run(*words, "--count", "24", "--style", "all"))}
            last = max(int(key.partition(":s")[2].partition("#")[0] or 0) for key in every) + (split == "train")
            styles = set()
            for row in drawn:
                self.assertEqual(row["prompt"], every[row["key"]])
                styles.add(int(row["key"].partition(":s")[2].partition("#")[0] or 0))
            self.assertEqual(len(drawn), 24)
            self.assertLess(max(styles), last)
            self.assertGreater(len(styles), 1)
        alone = rows(run("generate", "tsp", "--level", "easy", "--seed", "7", "--style", "drawn"))
        self.assertEqual(
            alone[0]["key"],
            rows(run("generate", "tsp", "--level", "easy", "--count", "8", "--style", "drawn"))[7]["key"],
        )
        self.assertIn("or say all or drawn", run("generate", "tsp", "--level", "easy", "--style", "any").stderr)

    def test_long_prompts_are_refused(self):
        done = run("generate", "tsp", "--level", "hard", "--count", "2", "--max-prompt-chars", "50")
        self.assertEqual(done.returncode, 1)
        self.assertIn("longest prompt", done.stderr)
        self.assertEqual(len(rows(done)), 2)
        for row in rows(done):
            self.assertEqual(row["error"]["field"], "prompt")
            self.assertNotIn("instance", row)

    def test_any_number_of_threads_gives_the_same_bytes(self):
        command = ["generate", "all", "--level", "medium", "--count", "5", "--prompts", "--threads"]
        self.assertEqual(run(*command, "1").stdout, run(*command, "3").stdout)


class Score(unittest.TestCase):
    def score(self, *rows_in, options=()):
        done = run("score", "-", *options, stdin=lines(*rows_in))
        return done, rows(done)

    def row(self, answer, **more):
        return dict({"task": "tsp", "instance": TSP4, "completion": forge(answer)}, **more)

    def test_golden_row(self):
        text = forge("[0,2,1,3]", "gr\u00fc\u00dfe")
        _, (row,) = self.score(self.row("", completion=text, id=1.0))
        begin, end = row.pop("span")
        self.assertEqual(text.encode()[begin:end], b"[0,2,1,3]")
        row.pop("instance")
        self.assertRegex(row.pop("fingerprint"), "^[0-9a-f]{16}$")
        self.assertEqual(
            row,
            {
                "task": "tsp",
                "completion": text,
                "id": 1.0,
                "reward": 7545 / 4096,
                "advantage": 0.0,
                "format": 1,
                "feasible": 1,
                "quality": float32(80 / 95),
                "raw_ratio": float32(80 / 95),
                "keep": 0,
                "format_name": "forge",
                "normalized": 0.0,
                "optimal": 0.0,
                "length_penalty": 0.0,
                "objective": 95,
                "violation": 0,
                "code": "ok",
                "baseline": {"objective": 80, "bound": 80, "proven": True},
                "proven": True,
                "baseline_kind": "proven",
                "truncated": False,
            },
        )

    def test_groups_by_instance_by_default_and_by_group_when_given(self):
        _, plain = self.score(self.row("[0,1,3,2]"), self.row("[0,1,2,3]"))
        self.assertGreater(plain[0]["advantage"], 0)
        self.assertAlmostEqual(plain[0]["advantage"], -plain[1]["advantage"])
        _, split = self.score(self.row("[0,1,3,2]", group="a"), self.row("[0,1,2,3]", group="b"))
        self.assertEqual([r["advantage"] for r in split], [0, 0])
        _, dr = self.score(self.row("[0,1,3,2]"), self.row("[0,1,2,3]"), options=("--advantage", "dr_grpo"))
        self.assertAlmostEqual(dr[0]["advantage"], (plain[0]["reward"] - plain[1]["reward"]) / 2)

    def test_groups_may_be_spread_over_more_rows_than_a_batch(self):
        filler = self.row("[0,1,3,2]", group="filler")
        _, found = self.score(self.row("[0,1,3,2]", group=7), *[filler] * 4200, self.row("[9]", group=7))
        self.assertGreater(found[0]["advantage"], 0)
        self.assertLess(found[-1]["advantage"], 0)
        self.assertEqual({r["advantage"] for r in found[1:-1]}, {0})

    def test_broken_format_and_infeasible_answers(self):
        _, found = self.score(self.row("", completion="[0,1,3,2]"), self.row("[0,1]"), self.row("Impossible, sorry"))
        self.assertEqual(found[0]["reward"], -2.5)
        self.assertEqual((found[0]["format"], found[0]["feasible"], found[0]["objective"]), (0, 0, None))
        self.assertTrue(found[0]["code"].startswith("format_"))
        self.assertEqual([r["reward"] for r in found[1:]], [-0.5, -0.5])

    def test_a_rows_own_format_wins_and_another_one_is_a_conflict(self):
        boxed = self.row("", completion="so \\boxed{[0,1,3,2]}", format="boxed")
        self.assertEqual(self.score(boxed)[1][0]["feasible"], 1)
        done, (row,) = self.score(boxed, options=("--format", "forge"))
        self.assertEqual((done.returncode, row["error"]["field"]), (1, "format"))
        self.assertEqual(self.score(boxed, options=("--format", "forge", "--force-format"))[1][0]["feasible"], 0)
        self.assertEqual(self.score(dict(boxed, format="nope"))[1][0]["error"]["field"], "format")

    def test_excluded_rows_have_no_reward(self):
        done, found = self.score(
            self.row("[0,1,3,2]", finish="length"),
            self.row("[0,1,3,2]", finish="late"),
            options=("--reward", '{"truncated": "exclude"}'),
        )
        self.assertEqual((found[0]["reward"], found[0]["advantage"], found[0]["truncated"]), (None, 0, True))
        self.assertEqual((done.returncode, found[1]["error"]["field"]), (1, "finish"))

    def test_given_baselines_are_used_and_beating_them_is_reported(self):
        done, (row,) = self.score(self.row("[0,1,3,2]", baseline={"objective": 90, "bound": 70, "proven": False}))
        self.assertEqual((row["quality"], row["raw_ratio"]), (1.0, 1.125))
        self.assertIs(row["proven"], False)
        self.assertIn("beat", done.stderr)
        done, _ = self.score(self.row("[0,1,3,2]", baseline={"objective": 90, "bound": 90, "proven": True}))
        self.assertIn("ALARM", done.stderr)
        for bad in (5, {"objective": 1.5}, {"objective": 9, "bound": 8, "proven": True}, {"objective": 9, "proven": 1}):
            self.assertIn("baseline", self.score(self.row("[0]", baseline=bad))[1][0]["error"]["field"])

    def test_violation_agrees_with_feasible(self):
        no_answer = {"objective": None, "bound": None, "proven": True}
        light = {"capacity": 5, "weights": [3, 2], "values": [0, 4]}
        _, found = self.score(
            self.row("[]", baseline=no_answer),
            self.row("[0,1,3,2]", baseline=no_answer),
            {"task": "knapsack", "instance": light, "completion": forge("[0]")},
        )
        self.assertEqual(
            [(r["feasible"], r["violation"], r["code"]) for r in found],
            [(1, 0, "ok"), (0, 8, "empty"), (0, 1, "empty")],
        )

    def test_surrogates_and_long_lines(self):
        long = "\\ud83d lone \\ude00 pair \\ud83d\\ude00" + "x" * 3_000_000
        _, (row,) = self.score(json.dumps(self.row("[0,1,3,2]")).replace("hm", long))
        self.assertEqual(row["reward"], 2)
        begin, end = row["span"]
        self.assertEqual(row["completion"].encode("utf-8", "surrogatepass")[begin:end], b"[0,1,3,2]")

    def test_files_and_pipes_give_the_same_bytes(self):
        text = lines(self.row("[0,1,3,2]"), self.row("[0,1,2,3]"), "broken", self.row("[0]"))
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            file.write(text)
            file.flush()
            self.assertEqual(run("score", file.name).stdout, run("score", "-", stdin=text).stdout)


class Pipes(unittest.TestCase):
    def test_generate_solve_verify_score_eval(self):
        solved = run("solve", "-", stdin=run("generate", "all", "--level", "easy", "--count", "4").stdout)
        self.assertEqual(solved.returncode, 0, solved.stderr)
        for row in rows(run("verify", "-", stdin=solved.stdout)):
            self.assertTrue(row["feasible"], row)
        rollouts = [dict(r, completion=forge(json.dumps(r["answer"]))) for r in rows(solved)]
        scored = run("score", "-", stdin=lines(*rollouts))
        self.assertEqual({r["reward"] for r in rows(scored)}, {2.0})
        from_scored = json.loads(run("eval", "-", "--json", stdin=scored.stdout).stdout)
        from_raw = json.loads(run("eval", "-", "--json", stdin=lines(*rollouts)).stdout)
        self.assertEqual(from_scored, from_raw)
        self.assertEqual(from_raw["summaries"][-1]["sr"], 1.0)
        self.assertIn("tsp", run("eval", "-", stdin=scored.stdout).stdout)


class Eval(unittest.TestCase):
    def test_rates_and_zero_variance_groups(self):
        pairs = (("[0,1,3,2]", 1), ("[0,1,3,2]", 1), ("[0,1,3,2]", 2), ("[0]", 2))
        text = lines(*({"task": "tsp", "instance": TSP4, "completion": forge(a), "group": g} for a, g in pairs))
        summary = json.loads(run("eval", "-", "--json", stdin=text).stdout)["summaries"][-1]
        self.assertEqual(
            (summary["sr"], summary["qr"], summary["groups"], summary["zero_variance_groups"]), (0.75, 0.75, 2, 1)
        )

    def test_styles_and_hashes_of_a_key_make_no_other_group(self):
        made = rows(run("generate", "tsp", "--level", "easy", "--prompts", "--style", "all"))
        keys = [row["key"] for row in made] + [made[0]["key"].split("#")[0]]
        text = lines(*({"key": key, "completion": forge("[0]")} for key in keys))
        for source in (text, run("score", "-", stdin=text).stdout):
            summary = json.loads(run("eval", "-", "--json", stdin=source).stdout)["summaries"][-1]
            self.assertEqual((summary["groups"], summary["zero_variance_groups"]), (1, 1))


class Explain(unittest.TestCase):
    def test_shows_span_rule_optimum_and_arithmetic(self):
        row = {"task": "tsp", "instance": TSP4}
        text = lines(
            dict(row, completion=forge("[0,1,1,2]", "x\u001b[31m" * 1000)),
            dict(row, completion=forge("[0,2,1,3]")),
            dict(row, answer=[0, 1, 3]),
            "broken",
        )
        broken = run("explain", "-", "--row", "1", stdin=text)
        self.assertEqual(broken.returncode, 0, broken.stderr)
        for piece in (">>>[0,1,1,2]<<<", "repeated", "objective 80", "bytes ...]", "-0.5"):
            self.assertIn(piece, broken.stdout)
        self.assertNotIn("\x1b", broken.stdout)
        fine = run("explain", "-", "--row", "2", stdin=text).stdout
        for piece in ("80 / 95", "+0.8421", "1.842041016", "feasible"):
            self.assertIn(piece, fine)
        self.assertIn("infeasible", run("explain", "-", "--row", "3", stdin=text).stdout)
        self.assertEqual(run("explain", "-", "--row", "4", stdin=text).returncode, 1)
        self.assertEqual(run("explain", "-", "--row", "5", stdin=text).returncode, 2)


if __name__ == "__main__":
    unittest.main()
