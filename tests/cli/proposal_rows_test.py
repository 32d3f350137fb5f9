"""`optgap score` on rows in which a model poses a problem (docs/coevolution.md)."""

import json
import pathlib
import random
import tempfile
import unittest

from optgap_process import forge, lines, rows, run

GATES = [
    "not_json",
    "unknown_field",
    "unknown_task",
    "too_long",
    "too_large",
    "bad_instance",
    "held_out",
    "duplicate",
    "near_duplicate",
    "unproven",
    "no_answer_exists",
    "trivial",
]
PARENT = "knapsack@1:train:easy:0"
SACK = {"capacity": 20, "weights": [3, 5, 7, 9, 4, 6], "values": [4, 9, 11, 12, 5, 8]}


def posed(task, instance):
    return {"task": task, "instance": instance}


def edited(*operations, parent=PARENT):
    return {"parent": parent, "edit": list(operations)}


def score(*given, options=()):
    done = run("score", "-", *options, stdin=lines(*[row if "role" in row else {"proposal": row} for row in given]))
    return rows(done)


def solved(*given):
    return rows(run("solve", "-", stdin=lines(*given)))


class ProposalRows(unittest.TestCase):
    def test_each_gate_gives_its_code_and_later_ones_cost_less(self):
        with tempfile.TemporaryDirectory() as folder:
            kept = pathlib.Path(folder) / "val.jsonl"
            kept.write_text(run("generate", "tsp", "--level", "d6", "--split", "val", "--canonical").stdout)
            held = json.loads(kept.read_text())["instance"]
            turned = {"points": [[y, -x] for x, y in held["points"]], "metric": "euc_2d"} if "points" in held else held
            hard = {"task": "bisection", "level": "hard", "seed": 3}
            impossible = {"universe": 3, "sets": [[0], [1]]}
            given = [
                "nothing",
                {"task": "tsp", "level": "d2", "sead": 1},
                {"task": "tps", "level": "d2", "seed": 1},
                posed("knapsack", {"capacity": 1, "weights": [1] * 6000, "values": [1] * 6000}),
                posed("clique", {"n": 2147483647, "edges": []}),
                posed("knapsack", {**SACK, "capacity": -1}),
                posed("tsp", turned),
                edited({"op": "replace", "path": "/weights/3", "value": 17}),
                edited({"op": "replace", "path": "/weights/3", "value": 17}),
                hard,
                posed("set_cover", impossible),
                posed("knapsack", {"capacity": 9, "weights": [1, 1], "values": [1, 1]}),
            ]
            found = score(*given, options=("--held-out", str(kept), "--budget", "500"))
        codes = [row["code"] for row in found]
        self.assertEqual(codes[:7], GATES[:7])
        self.assertEqual(codes[7:], ["ok", "duplicate", "unproven", "no_answer_exists", "trivial"])
        rewarded = [row["reward"] for row in found if row["code"] != "ok"]
        self.assertEqual(rewarded, sorted(rewarded))
        self.assertEqual((rewarded[0], rewarded[-1]), (-0.5, -0.125))
        self.assertEqual([row["reward"] for row in found if row["code"] == "ok"], [1.0])
        self.assertEqual(found[8]["duplicate_of"], found[7]["key"])
        self.assertEqual((found[5]["field"], found[5]["rule"]), ("capacity", "must be an integer from 0 to 2147483647"))
        self.assertEqual(found[0]["where"], 0)
        self.assertTrue(all(row["instance"] is None for row in found if row["code"] != "ok"))

    def test_completions_are_read_by_the_question_tags(self):
        said = json.dumps({"task": "tsp", "level": "d5", "seed": 1})
        texts = [
            f"<question>{said}</question>",
            f"<think><question>x</question></think><question>{said}</question>",
            "hm",
            f"<question>{said}</question><question>{said}</question>",
            f"<question>{said}",
        ]
        given = [{"role": "proposer", "completion": text} for text in texts]
        given[4]["finish"] = "length"
        found = score(*given, {"role": "proposer", "completion": forge(said), "format": "forge"})
        self.assertEqual(
            [row["code"] for row in found],
            ["ok", "duplicate", "format_missing_answer", "format_repeated", "truncated", "duplicate"],
        )
        self.assertEqual([row["reward"] for row in found[2:5]], [-1.0] * 3)
        self.assertEqual(found[0]["key"], "tsp@1:train:d5:1#" + found[0]["key"][-8:])
        self.assertEqual(texts[0][slice(*found[0]["span"])], said)

    def test_a_near_one_and_one_beyond_the_steps(self):
        nudged = [edited({"op": "replace", "path": "/weights/3", "value": weight}) for weight in (22, 23, 60)]
        open_, near = score(*nudged), score(*nudged, options=("--proposals", '{"near": [1, 2]}'))
        self.assertEqual([row["code"] for row in open_], ["ok"] * 3)
        self.assertEqual([row["code"] for row in near], ["ok", "near_duplicate", "ok"])
        self.assertGreater(open_[1]["steps"], 0)
        total = {"steps": 100000 + open_[0]["steps"]}  # the limit that the first two may use up
        few = score(*nudged, options=("--budget", "100000", "--proposals", json.dumps(total)))
        self.assertEqual([row["code"] for row in few], ["ok", "ok", "not_run"])
        none = score(*nudged, options=("--budget", "100", "--proposals", '{"steps": 99}'))
        self.assertEqual({(row["code"], row["reward"]) for row in none}, {("not_run", None)})

    def test_what_is_constrained_lifts_to_a_best_answer_that_obeys(self):
        draw = random.Random(3)
        kinds = [
            ("clique", "medium", 1),
            ("independent_set", "easy", 1),
            ("set_cover", "medium", 1),
            ("knapsack", "easy", 1),
            ("subset_sum", "hard", 1),
        ]
        for task, level, taken in kinds:
            for seed in range(3):
                key = f"{task}@1:train:{level}:{seed}"
                (parent,) = solved({"key": key})
                names = draw.sample(parent["answer"], taken)
                size = len(parent.get("instance", {}).get("values", [])) or max(parent["answer"]) + 1
                out = [v for v in range(size) if v not in parent["answer"]][:2]
                (row,) = score({"parent": key, "require": names, "forbid": out})
                if row["code"] not in ("ok", "trivial"):
                    self.fail(f"{key}: {row['code']} {row['rule']}")
                self.assertEqual(row["taken"], names)
                if row["code"] == "trivial":
                    continue
                (child,) = solved({"task": task, "instance": row["instance"]})
                lifted = [row["lift"][v] for v in child["answer"]] + names
                verdict = rows(run("verify", "-", stdin=lines({"key": key, "answer": lifted})))[0]
                self.assertTrue(verdict["feasible"], verdict)
                self.assertEqual(verdict["objective"], parent["objective"])  # the constraints allow the optimum

    def test_colours_that_are_lifted_are_colours(self):
        key = "coloring@1:train:hard:0"
        edges = {tuple(edge) for edge in rows(run("generate", "coloring", "--level", "hard"))[0]["instance"]["edges"]}
        apart = next((0, v) for v in range(1, 20) if (0, v) not in edges)
        (row,) = score({"parent": key, "require": [list(apart)], "forbid": [[1, 2]]})
        self.assertEqual(row["code"], "ok", row)
        (child,) = solved({"task": "coloring", "instance": row["instance"]})
        colours = [child["answer"][v] for v in row["lift"]]
        self.assertEqual(colours[apart[0]], colours[apart[1]])
        self.assertNotEqual(colours[1], colours[2])
        self.assertTrue(rows(run("verify", "-", stdin=lines({"key": key, "answer": colours})))[0]["feasible"])

    def test_rows_do_not_depend_on_batches_and_stand_beside_answers(self):
        given = [{"proposal": {"task": "tsp", "level": "d4", "seed": seed % 7}, "id": seed} for seed in range(40)]
        answer = {"key": "tsp@1:train:easy:1", "completion": forge("[0]")}
        whole = rows(run("score", "-", stdin=lines(*given, answer)))
        self.assertEqual([row["code"] for row in whole[:14]], ["ok"] * 5 + ["trivial", "ok"] + ["duplicate"] * 7)
        self.assertEqual(whole[-1]["code"], "wrong_length")
        self.assertEqual([row["id"] for row in whole[:-1]], list(range(40)))
        again = rows(run("rescore", "-", stdin=lines(*whole)))
        self.assertEqual([row["code"] for row in again], [row["code"] for row in whole])

    def explained(self, row, *before, options=()):
        done = run("explain", "-", "--row", str(len(before) + 1), *options, stdin=lines(*before, row))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_explain_shows_the_place_the_gate_and_the_reward_of_a_proposal(self):
        sound = {"proposal": {"task": "clique", "level": "d5", "seed": 1}}
        deep = {"proposal": '{"task": "tsp", "instance": {"distances": [[0, 5, 7], [5, 0, 9], [7, 8, 0]]}}'}
        for row, pieces in (
            (
                {"proposal": '{"task": "tsp" "level"'},
                (
                    '"tsp" >>>"<<<level',
                    "no   not_json",
                    "expected a comma or }, at byte 15",
                    "-0.5000 = -1/2 + 3/8 * 0/11: gate 1 of 12",
                ),
            ),
            (
                {"proposal": posed("knapsack", {**SACK, "weights": [3, 5, True, 9, 4, 6]})},
                (">>>true<<<", "no   bad_instance", "why       weights[2] must be an integer"),
            ),
            (
                {"proposal": edited({"op": "replace", "path": "/weights/99", "value": 1})},
                ('>>>"/weights/99"<<<', "why       edit[0].path leads nowhere"),
            ),
            (deep, (">>>9<<<", "why       distances[1][2] must equal distances[2][1]", "gate 6 of 12")),
            (
                {"proposal": posed("knapsack", {**SACK, "capacity": 12345678901})},
                (">>>1<<<2345678901", "no   too_large", "10 digits"),
            ),
            ({"role": "proposer", "completion": "none"}, ("not looked at", "no answer part <question>", "-1: the")),
            (sound, ("yes  unproven", "key       clique@1:train:d5:1", "canonical clique@1:c:", "16 noisy ones")),
        ):
            text = self.explained(row)
            for piece in pieces:
                self.assertIn(piece, text)
        text = self.explained(sound, {"key": "tsp@1:train:easy:1", "completion": ""}, sound)
        self.assertIn("why       is the same problem as clique@1:train:d5:1", text)
        text = self.explained(sound, options=("--proposals", '{"words": 3}'))
        self.assertIn("no   too_large", text)

    def test_explain_names_each_gate_of_score_in_its_order(self):
        text = self.explained({"proposal": {"task": "clique", "level": "d5", "seed": 1}})
        listed = [line.split()[1] for line in text.splitlines() if line.startswith(("  yes", "  no ", "  -  "))]
        self.assertEqual(listed, [*GATES, "over_quota"])

    def test_a_quota_is_counted_by_task_and_step(self):
        given = [
            {"proposal": {"task": "tsp", "level": "d6", "seed": seed}, "step": seed // 20} for seed in range(3, 32)
        ]
        few = rows(run("score", "-", "--proposals", '{"quota": 2}', stdin=lines(*given)))
        all_of = rows(run("score", "-", stdin=lines(*given)))
        for step in (0, 1):
            sound = [row["key"] for row in all_of if row["step"] == step and row["code"] == "ok"]
            passed = [row["key"] for row in few if row["step"] == step and row["code"] == "ok"]
            self.assertEqual(passed, sound[:2])
            over = [row for row in few if row["step"] == step and row["code"] == "over_quota"]
            self.assertEqual([row["key"] for row in over], sound[2:])
            self.assertEqual({(row["reward"], row["instance"]) for row in over}, {(0.0, None)})
        last = [number for number, row in enumerate(few) if row["code"] == "over_quota"][-1]
        text = self.explained(given[last], *given[:last], options=("--proposals", '{"quota": 2}'))
        self.assertIn("yes  trivial", text)
        self.assertIn("no   over_quota", text)
        self.assertIn("why       its task had 2 in this step", text)

    def test_what_cannot_be_is_refused(self):
        both = {"proposal": "x", "chain": {}}
        self.assertEqual(rows(run("score", "-", stdin=lines(both)))[0]["error"]["field"], "chain")
        for options, named in (
            (("--proposals", '{"wrods": 1}'), "wrods"),
            (("--proposals", '{"quota": 0}'), "quota"),
            (("--proposals", "7"), "object"),
            (("--held-out", "/nowhere"), "/nowhere"),
        ):
            done = run("score", "-", *options, stdin="")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(named, done.stderr)


if __name__ == "__main__":
    unittest.main()
