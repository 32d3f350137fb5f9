"""`optgap score` and `optgap eval` on rows in which a model judges (docs/coevolution.md)."""

import json
import unittest

from optgap_process import forge, lines, rows, run

KEY = "tsp@1:train:d3:7"


def judged(completion, score=7, **more):
    return {
        "role": "judge",
        "completion": f"hm <score> {score}</score>",
        "judged": {"key": KEY, "completion": completion},
        **more,
    }


def answers():
    """An optimal tour, an invalid one, a worse one."""
    (best,) = rows(run("solve", "-", stdin=lines({"key": KEY})))
    tour = best["answer"]
    others = [[0, 2, 1, 3, 4], [0, 1, 2, 3, 4], [0, 3, 1, 2, 4], [0, 1, 3, 2, 4], [0, 2, 3, 1, 4]]
    found = rows(run("verify", "-", stdin=lines(*[{"key": KEY, "answer": other} for other in others])))
    worse = next(other for other, row in zip(others, found) if row["objective"] > best["objective"])
    return forge(json.dumps(tour)), forge("[0,0,1,2,3]"), forge(json.dumps(worse))


class JudgementRows(unittest.TestCase):
    def test_truth_is_what_is_proven_of_the_judged_answer(self):
        best, broken, worse = answers()
        found = rows(
            run("score", "-", stdin=lines(judged(best, 9), judged(broken, 2), judged(worse, 5), judged(worse, 10)))
        )
        self.assertEqual([row["code"] for row in found], ["ok"] * 4)
        self.assertEqual([row["score"] for row in found], [9, 2, 5, 10])
        self.assertEqual([row["truth_band"] for row in found], ["8-10", "1-3", "4-7", "4-7"])
        self.assertEqual([found[0]["truth"], found[1]["truth"]], [1.0, 0.0])
        self.assertTrue(1 / 3 <= found[2]["truth"] <= 2 / 3 + 1e-6)
        # A constant score of 4 to 7 is right twice and near twice: 3/4.
        self.assertEqual([row["reward"] for row in found], [0.25, 0.25, 0.25, -0.25])
        self.assertEqual({row["baseline_kind"] for row in found}, {"proven"})
        self.assertEqual(found[0]["judged"], judged(best, 9)["judged"])

    def test_codes_of_scores_that_cannot_be_read(self):
        best, *_ = answers()
        texts = [
            "none",
            "<score>7</score><score>7</score>",
            "<score>11</score>",
            "<score>8/10</score>",
            "<score>0",
            "<score>3</score>",
        ]
        given = [{**judged(best), "completion": text} for text in texts]
        given[4]["finish"] = "length"
        found = rows(run("score", "-", stdin=lines(*given)))
        self.assertEqual(
            [row["code"] for row in found], ["no_score", "several", "out_of_range", "no_score", "truncated", "ok"]
        )
        self.assertEqual([row["score"] for row in found], [None] * 5 + [3])
        lax = rows(run("score", "-", "--judge-parser", "mae_repo", stdin=lines(*given)))
        self.assertEqual(lax[3]["value"], 0.0)  # 8/10 is read as 0.8
        self.assertEqual(lax[0]["value"], 0.5)

    def test_each_reward(self):
        best, broken, worse = answers()
        given = lines(judged(best, 9), judged(broken, 9), judged(worse, 5), judged(broken, 1))
        pairs = [row["reward"] for row in rows(run("score", "-", "--judge", "pairs", stdin=given))]
        self.assertEqual([round(one, 4) for one in pairs], [0.3333, -0.25, 0.1667, 0.5])
        form = [row["reward"] for row in rows(run("score", "-", "--judge", "format", stdin=given))]
        self.assertEqual(form, [1.0] * 4)
        brier = [row["reward"] for row in rows(run("score", "-", "--judge", "brier", stdin=given))]
        self.assertGreater(brier[0], brier[1])
        wrong = run("score", "-", "--judge", "bands", stdin=given)
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("format, band, brier, pairs", wrong.stderr)

    def test_a_scored_proposal_is_judged_by_its_gates(self):
        posed = rows(
            run(
                "score",
                "-",
                stdin=lines({"proposal": "nothing"}, {"proposal": {"task": "tsp", "level": "d6", "seed": 3}}),
            )
        )
        given = [{"role": "judge", "completion": "<score>2</score>", "judged": row} for row in posed]
        found = rows(run("score", "-", stdin=lines(*given)))
        self.assertEqual(found[0]["truth_band"], "1-3")
        self.assertEqual(found[1]["truth_band"], {"ok": "8-10", "trivial": "4-7"}[posed[1]["code"]])
        (row,) = rows(run("score", "-", stdin=lines({**given[0], "judged": {"proposal": "nothing"}})))
        self.assertEqual(row["error"]["field"], "judged.code")

    def test_nothing_is_proven_of_free_text_and_its_judges_are_rewarded_by_form(self):
        asked = [{"question": "What is 5 - 3?"}, {"question": "What is 5 - 3?", "completion": "2"}]
        given = [
            {"role": "judge", "completion": text, "judged": one}
            for one in asked
            for text in ("<score>7</score>", "none")
        ]
        found = rows(run("score", "-", "--judge", "format", stdin=lines(*given)))
        self.assertEqual([row["reward"] for row in found], [1, 0, 1, 0])
        self.assertEqual([row["code"] for row in found], ["ok", "no_score"] * 2)
        self.assertEqual({row["truth"] for row in found}, {None})
        for rule in ("band", "brier", "pairs"):
            self.assertEqual(
                {row["reward"] for row in rows(run("score", "-", "--judge", rule, stdin=lines(*given)))}, {None}
            )
        # They leave what others earn as it is.
        best, broken, _ = answers()
        proven = [judged(best, 9), judged(broken, 2)]
        alone = rows(run("score", "-", stdin=lines(*proven)))
        beside = rows(run("score", "-", stdin=lines(*given, *proven)))
        self.assertEqual([row["reward"] for row in beside[4:]], [row["reward"] for row in alone])
        shown = run("explain", "-", "--row", "3", stdin=lines(*given)).stdout
        self.assertIn("an answer in free text", shown)
        self.assertIn("nothing is proven of it", shown)
        wrong = rows(run("score", "-", stdin=lines({"role": "judge", "completion": "", "judged": {"question": 7}})))
        self.assertEqual(wrong[0]["error"]["field"], "judged.question")

    def test_what_judges_nothing_is_an_error_row(self):
        best, *_ = answers()
        given = [
            {"role": "judge", "completion": "<score>2</score>"},
            {**judged(best), "judged": judged(best)},
            {**judged(best), "judged": {"key": "tsp@1:train:d3:x", "completion": best}},
            {**judged(best), "chain": {}},
        ]
        done = run("score", "-", stdin=lines(*given, judged(best)))
        self.assertEqual(done.returncode, 1)
        found = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([row["error"]["field"] for row in found[:4]], ["judged", "judged.role", "judged.key", "chain"])
        self.assertEqual(found[4]["code"], "ok")

    def explained(self, number, given, *options):
        done = run("explain", "-", "--row", str(number), *options, stdin=lines(*given))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_explain_ends_with_the_reward_that_score_rewards(self):
        best, broken, worse = answers()
        posed = rows(run("score", "-", stdin=lines({"proposal": {"task": "tsp", "level": "d6", "seed": 3}})))
        given = [
            judged(best, 9), {"key": KEY, "completion": worse}, judged(broken, 9), judged(worse, 5),
            {**judged(broken), "completion": "<score>8/10</score>"}, {**judged(best, 2), "finish": "length"},
            {"role": "judge", "completion": "<score>2</score>", "judged": posed[0]},
        ]  # fmt: skip
        for options in ((), ("--judge", "pairs"), ("--judge", "brier"), ("--judge", "format"), ("--judge-parser", "mae_repo"),
                        ("--reward", '{"truncated": "zero"}'), ("--reward", '{"truncated": "exclude"}')):  # fmt: skip
            found = rows(run("score", "-", *options, stdin=lines(*given)))
            for number, row in enumerate(found, 1):
                if number != 2:
                    last = self.explained(number, given, *options).splitlines()[-1].split()
                    self.assertEqual(last[0], "reward")
                    if row["reward"] is None:
                        self.assertEqual(last[1], "none")
                    else:
                        self.assertAlmostEqual(float(last[1]), row["reward"], 6)

    def test_explain_shows_what_was_read_what_is_proven_and_why_it_earns(self):
        best, broken, worse = answers()
        given = [judged(best, 9), judged(broken, 9), judged(worse, 5), {**judged(best), "completion": "ten"}]
        for number, options, pieces in (
            (1, (), ("an answer to tsp", "<score> >>>9<<<</score>", "score 9, which is worth (9 - 1)/9 = 0.8889, of band 8-10",
                     f"key       {KEY}", "ok: proven optimal; right is 8-10, truth 1", "said 8-10, right is 8-10: the band",
                     "over 4 judgements")),
            (2, (), ("repeated: breaks the format or a rule; right is 1-3, truth 0", "right is 1-3: the other end")),
            (3, (), ("ok: feasible, not optimal, normalised quality ", "right is 4-7, truth (1 + 0.")),
            (4, (), ("no_score: no integer stands alone", "its score cannot be read")),
            (4, ("--judge-parser", "mae_repo"), ("mae_repo takes it for 0.5",)),
            (1, ("--judge", "pairs"), ("row 2        truth 1 against 0, score 9 against 9", "1/2\n",
                                       "share of 2 pairs in the right order", "0.75\n")),
            (2, ("--judge", "brier"), ("1 - (0.8889 - 0.0000)^2",)),
        ):  # fmt: skip
            text = self.explained(number, given, *options)
            for piece in pieces:
                self.assertIn(piece, text)
        posed = rows(run("score", "-", stdin=lines({"proposal": "nothing"})))[0]
        text = self.explained(1, [{"role": "judge", "completion": "<score>2</score>", "judged": posed}])
        self.assertIn("not_json: a gate fails; right is 1-3, truth 0", text)
        refused = run("explain", "-", stdin=lines({"role": "judge", "completion": "<score>2</score>"}))
        self.assertEqual(refused.returncode, 1)
        self.assertIn("row 1 is rejected: judged: missing", refused.stdout)
        self.assertEqual(run("explain", "-", "--instance", "0", stdin=lines(judged(best))).returncode, 2)
        self.assertEqual(run("explain", "-", "--row", "2", stdin=lines(judged(best))).returncode, 2)

    def test_roles_have_estimators_of_their_own(self):
        best, broken, worse = answers()
        table = {"roles": {"proposer": "rae", "solver": "dr_grpo", "judge": "rae"}}
        given = [
            {"key": KEY, "completion": best},
            {"key": KEY, "completion": broken},
            judged(best, 9),
            judged(worse, 9),
            judged(broken, 9),
            {"proposal": "nothing"},
        ]
        found = rows(run("score", "-", "--advantage", json.dumps(table), stdin=lines(*given)))
        first = found[0]["reward"] - (found[0]["reward"] + found[1]["reward"]) / 2
        self.assertAlmostEqual(found[0]["advantage"], first, 5)
        mean = 0.0
        for row in found[2:5]:
            self.assertAlmostEqual(row["advantage"], row["reward"] - mean, 6)
            mean = 0.95 * mean + 0.05 * row["reward"]
        self.assertEqual(found[5]["advantage"], -0.5)
        plain = rows(run("score", "-", stdin=lines(*given)))
        self.assertNotEqual(plain[0]["fingerprint"], found[0]["fingerprint"])
        table["roles"]["judge"] = {"estimator": "rae", "start": "first"}
        begun = rows(run("score", "-", "--advantage", json.dumps(table), stdin=lines(*given)))
        self.assertNotEqual(begun[0]["fingerprint"], found[0]["fingerprint"])
        self.assertEqual(begun[2]["advantage"], 0.0)
        mean = begun[2]["reward"]
        for row in begun[3:5]:
            self.assertAlmostEqual(row["advantage"], row["reward"] - mean, 6)
            mean += 0.05 * (row["reward"] - mean)

    def test_eval_says_how_judgements_agree(self):
        best, broken, worse = answers()
        given = lines(
            judged(best, 9, step=2),
            judged(broken, 9, step=2),
            judged(worse, 5, step=10),
            judged(broken, 1, step=10),
            {**judged(broken), "completion": "hm", "step": 10},
        )
        scored = run("score", "-", stdin=given).stdout
        for text in (given, scored):
            found = json.loads(run("eval", "-", "--json", stdin=text).stdout)["judgements"]
            self.assertEqual([row["step"] for row in found], [2, 10, None])
            self.assertEqual([row["rows"] for row in found], [2, 3, 5])
            self.assertEqual(found[2]["confusion"], [[1, 0, 1], [0, 1, 0], [0, 0, 1]])
            self.assertEqual(found[2]["unreadable"], 1)
        table = run("eval", "-", stdin=scored).stdout
        self.assertIn("judgements at step", table)
        self.assertIn("kappa", table)

    def test_rows_of_all_kinds_stand_in_one_file_and_are_what_they_are_alone(self):
        best, broken, worse = answers()
        answer, posed = {"key": KEY, "completion": worse}, {"proposal": {"task": "tsp", "level": "d6", "seed": 3}}
        outside = {"key": "mine/toy@1:train:d3:17", "completion": forge("7"), "external": {"reward": 0.5}}
        judge = [judged(best, 9), judged(broken, 9)]
        given = [judge[0], answer, posed, outside, judge[1]]
        found = rows(run("score", "-", "--external", stdin=lines(*given)))
        self.assertEqual([row["baseline_kind"] for row in found], ["proven"] * 3 + ["external", "proven"])
        shared = set(found[1]) - set(answer)
        self.assertTrue(all(shared <= set(row) for row in found))
        alone = rows(run("score", "-", "--external", stdin=lines(*judge)))
        self.assertEqual([found[0], found[4]], alone)
        self.assertEqual([found[1]], rows(run("score", "-", stdin=lines(answer))))


if __name__ == "__main__":
    unittest.main()
