"""`optgap score --external`: external verdicts beside our own rows. tests/python/external has their rewards."""

import json
import pathlib
import tempfile
import unittest

from optgap_process import KNAPSACK4, forge, lines, rows, run

TSP = "tsp@1:train:easy:1"
MINE = "mine/toy@1:train:d3:17#9f3a1c2e"


def outside(verdict, key=MINE, answer="7", **more):
    return {"key": key, "completion": forge(answer), "external": verdict, **more}


class ExternalScore(unittest.TestCase):
    def score(self, *given, options=("--external",)):
        done = run("score", "-", *options, stdin=lines(*given))
        return done, rows(done)

    def error_of(self, row, options=("--external",)):
        done, (found,) = self.score(row, options=options)
        self.assertEqual(done.returncode, 1)
        self.assertEqual({name: found[name] for name in row}, row)
        return found["error"]["field"]

    def test_a_mixed_file_keeps_its_order_and_counts_every_task(self):
        ours = {"key": TSP, "completion": forge("[0,1]"), "id": 1}
        given = [
            ours,
            outside({"reward": 0.5}, id=2),
            outside({"reward": 7}, id=3),
            dict(ours, id=4),
            outside({"reward": 1, "correct": True}, id=5),
            outside({"objective": 8, "sense": "minimise", "anchors": {"objective": 4}}, "a/b@2:val:d0:1", id=6),
        ]
        with tempfile.TemporaryDirectory() as folder:
            stats = pathlib.Path(folder) / "stats.json"
            done, found = self.score(*given, options=("--external", "--stats", str(stats)))
            cells = json.loads(stats.read_text())["cells"]
        self.assertEqual(done.returncode, 1)
        self.assertEqual([row["id"] for row in found], [1, 2, 3, 4, 5, 6])
        self.assertEqual(found[2]["error"]["field"], "external.reward")
        self.assertEqual(found[2]["error"]["row"], 3)
        rewarded = found[:2] + found[3:]
        self.assertEqual(
            [row["baseline_kind"] for row in rewarded], ["proven", "external", "proven", "external", "external"]
        )
        self.assertEqual([row["reward"] for row in rewarded], [-0.5, 1.75, -0.5, 2.0, 1.5])
        self.assertEqual([row["keep"] for row in rewarded], [0, 1, 0, 1, 0])  # grouped by key
        self.assertEqual([row["code"] for row in rewarded], ["wrong_length", "ok", "wrong_length", "ok", "ok"])
        self.assertEqual([row["objective"] for row in rewarded], [None] * 4 + [8])
        self.assertEqual(rewarded[4]["baseline"], {"objective": 4, "bound": None, "proven": False})
        self.assertEqual(rewarded[1]["span"], [len("<think>hm</think><answer>"), len("<think>hm</think><answer>7")])
        self.assertEqual(len({row["fingerprint"] for row in rewarded}), 1)
        self.assertEqual(
            [(cell["task"], cell["level"], cell["rows"]) for cell in cells],
            [("a/b", "d0", 1), ("mine/toy", "d3", 2), ("tsp", "easy", 2)],
        )

    def test_the_shape_environment_hands_rewards_through(self):
        given = [
            outside({"reward": -0.5, "quality": 0, "code": "rejected"}),
            outside({"reward": 0.3, "quality": 0.3, "correct": True}),
            outside({"reward": 0.25}),
            outside({"reward": 0.3}) | {"completion": "<answer>7"},
            outside({"reward": -0.75}, answer="", accepts_empty=True),
            outside({"reward": -0.75}, answer=""),
            outside({"objective": 8, "sense": "minimise", "anchors": {"objective": 6}}),
        ]
        _, found = self.score(*given, options=("--external", "--reward", "environment"))
        wanted = [-0.5, 0.3, 0.25, -1, -0.75, -1, 0.5]
        for row, reward in zip(found, wanted, strict=True):
            self.assertAlmostEqual(row["reward"], reward, 6)
        self.assertEqual([row["feasible"] for row in found], [0, 1, 1, 0, 1, 0, 1])
        self.assertEqual([row["optimal"] for row in found], [0, 1, 0, 0, 0, 0, 0])
        _, others = self.score(*given[:3], options=("--external",))
        self.assertEqual([row["quality"] for row in others], [0, 0.30000001192092896, 0.625])

    def test_our_rows_are_what_they_are_without_the_option(self):
        ours = {"key": TSP, "completion": forge("[0,1]")}
        _, together = self.score(ours, outside({"reward": 1}), ours)
        _, alone = self.score(ours, ours, options=())
        self.assertEqual([together[0], together[2]], alone)

    def test_a_scored_row_is_scored_again_and_evaluated(self):
        done, first = self.score(outside({"reward": 0.5}), outside({"reward": -1}))
        self.assertEqual((done.returncode, self.score(*first)[1]), (0, first))
        shown = run("eval", "-", "--json", stdin=lines(*first))
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("mine/toy", shown.stdout)

    def test_the_row_says_its_group_format_and_end(self):
        boxed = outside({"reward": 1}, format="boxed", finish="stop", group="a") | {"completion": "so \\boxed{7}"}
        _, found = self.score(
            boxed, outside({"reward": 0}, group="a"), outside({"reward": -1}, finish="length", group="b")
        )
        self.assertEqual([row["format_name"] for row in found], ["boxed", "forge", "forge"])
        self.assertEqual([row["keep"] for row in found], [1, 1, 0])
        self.assertEqual([row["truncated"] for row in found], [False, False, True])
        _, (empty,) = self.score(outside({"reward": 1}, answer=" "))
        self.assertEqual((empty["code"], empty["feasible"]), ("empty", 0))

    def test_without_the_option_a_verdict_is_an_error_row_that_names_it(self):
        for row in (outside({"reward": 1}), outside({"reward": 1}, key=TSP)):
            done, (found,) = self.score(row, options=())
            self.assertEqual((done.returncode, found["error"]["field"]), (1, "external"))
            self.assertIn("--external", found["error"]["rule"])

    def test_a_verdict_never_stands_beside_a_task_of_ours(self):
        self.assertEqual(self.error_of(outside({"reward": 1}, key=TSP)), "external")
        self.assertEqual(self.error_of(outside({"reward": 1}, instance=KNAPSACK4)), "external")
        ours = {"task": "knapsack", "instance": KNAPSACK4, "completion": forge("[0]"), "external": {"reward": 1}}
        self.assertEqual(self.error_of(ours), "external")
        self.assertEqual(self.error_of(outside({"reward": 1}, task="tsp")), "task")
        self.assertEqual(self.error_of({"completion": "", "external": {"reward": 1}}), "key")

    def test_what_is_missing_is_named(self):
        for broken, field in (
            ({"key": MINE, "completion": forge("7")}, "external"),
            (outside(None), "external"),
            ({"key": MINE, "external": {"reward": 1}}, "completion"),
            (outside({}), "external.reward"),
            (outside({"objective": 1, "sense": "maximise"}), "external.anchors"),
            (outside({"objective": 1, "anchors": {"objective": 1}}), "external.sense"),
            (outside({"objective": 1, "sense": "maximise", "anchors": {}}), "external.anchors.objective"),
        ):
            self.assertEqual(self.error_of(broken), field)
        lengths = ("--external", "--reward", '{"length": {"limit": 9, "buffer": 3}}')
        self.assertEqual(self.error_of(outside({"reward": 1}), lengths), "length")

    def test_numbers_and_types_that_are_none_are_named(self):
        anchors = {"objective": 1}
        for verdict, field in (
            ({"reward": 7}, "reward"),
            ({"reward": "1"}, "reward"),
            ({"reward": True}, "reward"),
            ({"reward": 1, "correct": "yes"}, "correct"),
            ({"reward": 0.5, "quality": -0.5}, "quality"),
            ({"objective": 1, "sense": "maximise", "anchors": anchors, "quality": 1}, "quality"),
            ({"reward": 1, "code": 1}, "code"),
            ({"reward": 1, "score": 1}, "score"),
            ({"reward": 1, "anchors": anchors}, "anchors"),
            ({"objective": 1.5, "sense": "maximise", "anchors": anchors}, "objective"),
            ({"objective": 2**63, "sense": "maximise", "anchors": anchors}, "objective"),
            ({"objective": -(2**63), "sense": "maximise", "anchors": anchors}, "objective"),
            ({"objective": 1, "sense": "up", "anchors": anchors}, "sense"),
            ({"objective": 1, "sense": "maximise", "anchors": dict(anchors, floor="x")}, "anchors.floor"),
            ({"objective": 1, "sense": "maximise", "anchors": dict(anchors, best=1)}, "anchors.best"),
        ):
            self.assertEqual(self.error_of(outside(verdict)), f"external.{field}")
        for wrong in (7, "1", [1]):
            self.assertEqual(self.error_of(outside(wrong)), "external")
        for text, field in (("1e400", "external.reward"), ("-1e400", "external.reward"), ("NaN", "line")):
            _, (found,) = self.score(lines(outside({"reward": 0.25})).strip().replace("0.25", text))
            self.assertEqual(found["error"]["field"], field)
        _, (tiny,) = self.score(lines(outside({"reward": 0.25})).strip().replace("0.25", "1e-400"))
        self.assertEqual(tiny["quality"], 0.5)


if __name__ == "__main__":
    unittest.main()
