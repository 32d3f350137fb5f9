"""optgap advantages, and rewards where no answer exists."""

import json
import unittest

from optgap_process import forge, lines, rows, run


def advantages(*rows_in, estimator="grpo"):
    text = estimator if isinstance(estimator, str) else json.dumps(estimator)
    return run("advantages", "-", "--estimator", text, stdin=lines(*rows_in))


class Advantages(unittest.TestCase):
    def values(self, *rows_in, estimator="grpo"):
        done = advantages(*rows_in, estimator=estimator)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [row["advantage"] for row in rows(done)]

    def test_groups_may_be_mixed_and_named_by_anything(self):
        found = self.values(
            {"group": "a", "reward": 1},
            {"group": [2], "reward": 5},
            {"group": "a", "reward": 0},
            {"group": [2], "reward": 5},
            estimator="dr_grpo",
        )
        self.assertEqual(found, [0.5, 0, -0.5, 0])

    def test_a_masked_row_takes_no_part(self):
        found = self.values(
            {"group": 1, "reward": 1}, {"group": 1, "reward": None}, {"group": 1, "reward": 3}, estimator="rloo"
        )
        self.assertEqual(found, [-2, 0, 2])

    def test_other_keys_pass_through_and_an_old_advantage_is_replaced(self):
        done = advantages({"group": 1, "reward": 1, "advantage": 9, "note": "é"}, {"group": 1, "reward": 0})
        self.assertEqual(rows(done)[0]["note"], "é")
        self.assertLess(rows(done)[0]["advantage"], 1)

    def test_river_ranks_a_matrix(self):
        scores = [[9, 1], [8, None], [7, 1], [6, 1]]
        found = self.values(*({"group": 0, "scores": s} for s in scores), estimator="river")
        self.assertEqual(found[0], (1 + 0.5) / 2)
        self.assertEqual(found[1], (0.5 - 1) / 2)

    def test_bad_rows_are_rejected_by_field_and_the_others_are_done(self):
        done = advantages(
            {"group": 1, "reward": 1},
            {"reward": 1},
            {"group": 1, "reward": "x"},
            {"group": 1},
            {"group": 1, "reward": 0},
        )
        self.assertEqual(done.returncode, 1)
        self.assertEqual(
            [row.get("error", {}).get("field") for row in rows(done)], [None, "group", "reward", "reward", None]
        )

    def test_rows_that_an_estimator_cannot_read_are_rejected(self):
        done = advantages({"group": 1, "reward": 1}, estimator="opo")
        self.assertEqual(rows(done)[0]["error"]["field"], "length")
        done = advantages(
            {"group": 1, "scores": [1, 2]}, {"group": 1, "scores": [1]}, {"group": 1, "scores": ["x"]}, estimator="raw"
        )
        self.assertEqual([row.get("error", {}).get("field") for row in rows(done)], [None, "scores", "scores[0]"])

    def test_misuse_is_named(self):
        for estimator, words in [
            ("ppo", "advantage.estimator"),
            ({"beta": 1}, "belongs to rs_grpo"),
            ({"estimator": "river", "tie": "x"}, "advantage.tie"),
            ({"epsilon": -1}, "epsilon"),
        ]:
            done = advantages({"group": 1, "reward": 1}, estimator=estimator)
            self.assertEqual(done.returncode, 2, estimator)
            self.assertIn(words, done.stderr)
        done = advantages({"group": 1, "scores": [1]}, estimator="river")
        self.assertEqual(done.returncode, 2)
        self.assertIn("at least 4", done.stderr)

    def test_rows_without_a_reward_may_leave_a_group_too_small_for_river(self):
        given = [
            {"group": 1, "reward": None, "scores": [9]},
            *({"group": 1, "reward": 0, "scores": [k]} for k in (1, 2, 3)),
        ]
        done = advantages(*given, estimator="river")
        self.assertEqual([row["advantage"] for row in rows(done)], [0, 0, 0, 0])
        self.assertIn("1 group of fewer than 4", done.stderr)
        done = advantages(*given, estimator={"estimator": "river", "of_small": "rank_uniform"})
        self.assertEqual([row["advantage"] for row in rows(done)], [0, -1, 0, 1])
        done = advantages(*given, estimator={"estimator": "river", "of_small": "refuse"})
        self.assertEqual(done.returncode, 2)


class ClaimsThatNoAnswerExists(unittest.TestCase):
    HOPELESS = {"task": "set_cover", "instance": {"universe": 3, "sets": [[0, 1], [1]]}}
    POSSIBLE = {"task": "set_cover", "instance": {"universe": 2, "sets": [[0, 1], [1]]}}

    def rewards(self, base, *answers):
        done = run("score", "-", stdin=lines(*({**base, "completion": forge(answer)} for answer in answers)))
        return [(row["reward"], row["code"]) for row in rows(done)]

    def test_only_the_claim_earns_where_none_exists(self):
        self.assertEqual(
            self.rewards(self.HOPELESS, "Impossible", "[]", "[0, 1]", "impossible."),
            [(2, "ok"), (2, "ok"), (-0.5, "uncovered"), (2, "ok")],
        )

    def test_saying_nothing_claims_nothing(self):
        self.assertEqual(self.rewards(self.HOPELESS, "", " ", "**"), [(-0.5, "unparsable")] * 3)

    def test_a_false_claim_earns_nothing(self):
        self.assertEqual(
            self.rewards(self.POSSIBLE, "Impossible", "[]", "[0]"), [(-0.5, "empty"), (-0.5, "empty"), (2, "ok")]
        )


if __name__ == "__main__":
    unittest.main()
