"""`optgap pool observe`, `pool export` and `propose-prompt`: rows that leave a pool and come back."""

import json
import unittest

from optgap_process import TSP4, lines, rows, run
from pool_test import Case


class Rows(Case):
    def test_observe_is_a_step_of_outcomes_alone(self):
        path, other = self.fill("a.db"), self.fill("b.db")
        text = self.scored(path, 30)
        self.done("pool", "observe", path, "-", stdin=text)
        made = self.info(path)
        self.assertEqual((made["step"], made["entries"], sum(task["attempts"] for task in made["tasks"])), (2, 12, 30))
        delta = self.path("rank0.jsonl")
        self.done("pool", "observe", other, "-", "--delta", delta, stdin=text)
        self.done("pool", "merge", other, delta)
        self.assertEqual(self.hash(other), self.hash(path))
        self.named("none.db", "pool", "observe", self.path("none.db"), "-", stdin=text)
        found = rows(self.done("pool", "observe", path, "-", code=1, stdin=lines({"entry": 99, "normalized": 1})))
        self.assertEqual(found[0]["error"]["field"], "entry")

    def test_what_export_writes_makes_the_same_pool(self):
        path = self.fill("a.db")
        self.done(
            "pool",
            "add",
            path,
            "-",
            stdin=lines({"task": "tsp", "instance": TSP4, "origin": "edit", "parent": "tsp@1:c:" + "0" * 31 + "1"}),
        )
        self.done("pool", "observe", path, "-", stdin=self.scored(path, 20))
        out = rows(self.done("pool", "export", path))
        self.assertEqual([row["entry"] for row in out], list(range(13)))
        self.assertEqual(sum(row["attempts"] for row in out), 20)
        self.assertEqual(
            (out[12]["origin"], out[12]["parent"], out[12]["objective"]), ("edit", "tsp@1:c:" + "0" * 31 + "1", 80)
        )
        for row in rows(self.done("verify", "-", stdin=lines(*out))):
            self.assertEqual((row["feasible"], row["code"]), (True, "ok"))
        again = self.path("b.db")
        added = rows(self.done("pool", "add", again, "-", stdin=lines(*out)))
        self.assertEqual({row["code"] for row in added}, {"ok"})
        columns = ("canonical", "instance", "origin", "parent", "answer", "objective")
        self.assertEqual(
            sorted(json.dumps([row.get(c) for c in columns]) for row in rows(self.done("pool", "export", again))),
            sorted(json.dumps([row.get(c) for c in columns]) for row in out),
        )

    def test_prompts_show_problems_of_the_task_under_other_labels(self):
        path = self.fill("a.db")
        asked = rows(
            self.done(
                "propose-prompt",
                "tsp",
                "clique",
                "--pool",
                path,
                "--reference",
                "3",
                "--count",
                "4",
                "--target",
                "10-20",
            )
        )
        self.assertEqual(
            [(row["role"], row["asked"], row["index"]) for row in asked],
            [("proposer", task, i) for task in ("tsp", "clique") for i in range(4)],
        )
        known = {json.dumps(row["instance"]) for row in rows(self.done("pool", "export", path))}
        every = set()
        for row in asked:
            self.assertIn("10 to 20 percent", row["prompt"])
            shown = [json.loads(line) for line in row["prompt"].splitlines() if line.startswith('{"task"')]
            self.assertEqual({one["task"] for one in shown}, {row["asked"]})
            added = rows(self.done("pool", "add", path, "-", stdin=lines(*shown)))
            self.assertEqual({one["code"] for one in added}, {"duplicate"}, "the pool has them")
            self.assertEqual(len({one["duplicate_of"] for one in added}), 3, "each is another entry")
            every |= {json.dumps(one["instance"]) for one in shown}
            self.assertEqual(set(shown[0]), {"task", "instance"})
            self.assertNotIn("objective", row["prompt"])
        self.assertFalse(every & known, "none has the labels that it came with")
        self.assertGreater(len(every), 12, "labels change from draw to draw")
        later = rows(
            self.done("propose-prompt", "tsp", "--pool", path, "--reference", "3", "--first", "2", "--target", "10-20")
        )
        self.assertEqual(later, [asked[2]], "an index is the same in any piece")

    def test_a_prompted_proposal_is_rewarded(self):
        (row,) = rows(self.done("propose-prompt", "tsp"))
        self.assertIn('"distances": a symmetric matrix', row["prompt"])
        said = rows(run("generate", "tsp", "--level", "d6", "--seed", "3"))[0]["instance"]
        row["completion"] = f"<question>{json.dumps({'task': 'tsp', 'instance': said})}</question>"
        self.assertEqual(rows(self.done("score", "-", stdin=lines(row)))[0]["code"], "ok")
        self.named("--pool", "propose-prompt", "tsp", "--reference", "2", code=2)
        self.named("LOW-HIGH", "propose-prompt", "tsp", "--target", "20-10", code=2)


if __name__ == "__main__":
    unittest.main()
