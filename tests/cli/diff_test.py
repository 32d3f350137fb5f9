"""optgap diff: what changed between two scored files, and why."""

import json
import os
import tempfile
import unittest

from optgap_process import TSP4, forge, lines, rows, run


def tsp(answer, **more):
    return dict({"task": "tsp", "instance": TSP4, "completion": forge(answer)}, **more)


class Diff(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        table = [tsp("[0,1,3,2]", id="a"), tsp("[0,2,1,3]", id="b"), tsp("[0,0]", id="c"), tsp("[0,1,3,2]", id="d")]
        self.scored = rows(run("score", "-", stdin=lines(*table)))

    def diff(self, a, b, *options):
        paths = []
        for name, table in (("a", a), ("b", b)):
            paths.append(os.path.join(self.folder.name, name))
            with open(paths[-1], "w") as file:
                file.write(lines(*table))
        return run("diff", *paths, *options)

    def found(self, b, *options, code=1):
        done = self.diff(self.scored, b, "--json", *options)
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(done.stdout)

    def changed(self, at, **fields):
        return [dict(row, **fields) if i == at else row for i, row in enumerate(self.scored)]

    def test_equal_files_end_with_0(self):
        self.assertEqual(self.found(self.scored, code=0)["equal"], 4)
        self.assertEqual(self.found([dict(row, note="mine") for row in self.scored], code=0)["changed"], 0)

    def test_the_cause_comes_before_its_effects(self):
        for why, fields in (
            ("instance", {"task": "x", "code": "y"}),
            ("completion", {"completion": "", "reward": 0.0}),
            ("format", {"format_name": "boxed", "format": 0}),
            ("cut off", {"truncated": True}),
            ("baseline", {"baseline": None, "quality": 0.5, "reward": 1.5}),
            ("code", {"code": "repeated", "quality": 0.0}),
            ("quality", {"quality": 0.5, "reward": 1.5}),
            ("reward spec", {"reward": 1.5, "advantage": 0.0}),
            ("advantage", {"advantage": 9.0}),
        ):
            self.assertEqual(self.found(self.changed(1, **fields))["why"], {why: 1})

    def test_codes_and_greatest_changes_are_listed(self):
        b = self.changed(0, code="repeated", reward=-0.5)
        b[1] = dict(b[1], reward=1.0)
        found = self.found(b)
        self.assertEqual(
            found["codes"], [{"old": "ok", "new": "ok", "rows": 1}, {"old": "ok", "new": "repeated", "rows": 1}]
        )
        self.assertEqual([(t["row_a"], t["old_reward"], t["new_reward"]) for t in found["top"]][0], (1, 2.0, -0.5))
        self.assertEqual(len(self.found(b, "--top", "1")["top"]), 1)
        text = self.diff(self.scored, b).stdout
        self.assertIn("2 rows equal, 2 changed", text)
        self.assertIn("ok -> repeated", text)

    def test_rows_are_joined_by_a_field(self):
        turned = self.scored[::-1]
        self.assertGreater(self.found(turned)["changed"], 0)
        self.assertEqual(self.found(turned, "--on", "id", code=0)["equal"], 4)
        found = self.found(turned[1:] + [dict(turned[0], id="new")], "--on", "id")
        self.assertEqual((found["equal"], found["only_a"], found["only_b"]), (3, 1, 1))
        self.assertEqual(self.diff(self.scored, [{}], "--on", "id").returncode, 2)

    def test_missing_rows_and_rejected_ones_differ(self):
        self.assertEqual(self.found(self.scored[:3])["only_a"], 1)
        found = self.found(self.scored[:3] + [{"error": {"row": 4, "field": "key", "rule": "x"}}])
        self.assertEqual(found["codes"], [{"old": "ok", "new": "(rejected)", "rows": 1}])
        self.assertEqual(self.found(self.scored[:3] + ["broken"])["codes"][0]["new"], "(no JSON object)")

    def test_the_part_of_the_run_that_differs_is_named(self):
        other = rows(run("rescore", "-", "--reward", '{"infeasible": "graded"}', stdin=lines(*self.scored)))
        found = self.found(other)
        self.assertEqual(found["fingerprint"], "reward")
        self.assertEqual(found["why"]["reward spec"], 1)
        self.assertIn("differ in reward", self.diff(self.scored, other).stdout)
        same = [dict(row, fingerprint="0" * 16) for row in self.scored]
        self.assertEqual(self.found(same, code=0)["equal"], 4)

    def test_bad_usage(self):
        self.assertEqual(run("diff", "-", "-").returncode, 2)
        self.assertEqual(run("diff", "/no/such/file", "-").returncode, 2)


if __name__ == "__main__":
    unittest.main()
