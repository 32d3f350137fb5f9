"""optgap rescore: every dump that it reads, and its report on the changes."""

import json
import unittest

from optgap_process import KNAPSACK4, TSP4, forge, lines, rows, run

KEY, OTHER = (row["key"] for row in rows(run("generate", "tsp", "--level", "easy", "--count", "2")))
ANSWER = forge(json.dumps(rows(run("solve", "-", stdin=lines({"key": KEY})))[0]["answer"]))

DUMPS = {
    "verl": {"input": "a prompt", "output": ANSWER, "gts": KEY, "score": 0.5, "step": 3, "acc": 1.0},
    "trl": {"step": 3, "prompt": "a prompt", "completion": ANSWER, "key": KEY, "reward": 0.5, "advantage": 0.1},
    "trl's own table": {
        "step": 3,
        "prompt": [{"role": "user", "content": "a prompt"}],
        "optgap_reward": 0.5,
        "advantage": 0.1,
        "completion": [{"role": "assistant", "content": ANSWER}],
        "optgap_fingerprint": "0123456789abcdef",
        "optgap_ground_truth": json.dumps({"key": KEY}),
        "optgap_finish": "stop",
    },
    "slime": {
        "group_index": 4,
        "index": 9,
        "prompt": "a prompt",
        "response": ANSWER,
        "response_length": 20,
        "label": KEY,
        "reward": 0.5,
        "status": "completed",
        "metadata": {},
    },
    "openrlhf": {"input": "a prompt", "output": ANSWER, "label": KEY, "reward": 0.5},
    "optgap": {"key": KEY, "completion": ANSWER, "reward": 0.5, "feasible": 0, "quality": 0.1, "format": 1},
}


class Dumps(unittest.TestCase):
    def rescore(self, *table, options=()):
        done = run("rescore", "-", *options, stdin=lines(*table))
        return done, rows(done)

    def one(self, row, *options):
        done, (found,) = self.rescore(row, options=options)
        self.assertEqual(done.returncode, 0, (done.stderr, found))
        return found

    def test_every_source_is_read_by_name_and_by_its_fields(self):
        for source, row in DUMPS.items():
            named, found = self.one(row, "--from", source.partition("'")[0]), self.one(row)
            self.assertEqual(named, found, source)
            self.assertEqual((found["old_reward"], found["reward"], found["delta"]), (0.5, 2.0, 1.5), source)
            self.assertEqual((found["code"], found["key"]), ("ok", KEY), source)

    def test_the_truth_may_be_an_object_with_format_and_baseline(self):
        truth = {
            "task": "tsp",
            "instance": TSP4,
            "format": "boxed",
            "baseline": {"objective": 160, "bound": 80, "proven": False},
        }
        for value in (truth, json.dumps(truth), [json.dumps(truth)]):
            row = dict(DUMPS["verl"], gts=value, output="\\boxed{[0,1,3,2]}")
            self.assertEqual(self.one(row)["raw_ratio"], 2.0)
        nested = {"output": ANSWER, "score": 1, "extra_info": {"key": KEY}}
        self.assertEqual(self.one(nested)["delta"], 1.0)
        nested = {"output": ANSWER, "score": 1, "reward_model": {"style": "rule", "ground_truth": KEY}}
        self.assertEqual(self.one(nested)["delta"], 1.0)

    def test_cut_off_rollouts_are_known_in_every_source(self):
        cut = {
            "verl": {"truncated": 1},
            "trl": {"finish": "length"},
            "trl's own table": {"optgap_finish": "length"},
            "slime": {"status": "truncated"},
            "openrlhf": {"finish_reason": "length"},
            "optgap": {"truncated": True},
        }
        for source, more in cut.items():
            found = self.one(dict(DUMPS[source], **more), "--reward", '{"truncated": "exclude"}')
            self.assertEqual((found["truncated"], found["reward"], found["delta"]), (True, None, None), source)
        found = self.one(dict(DUMPS["slime"], status="aborted"), "--reward", '{"truncated": "zero"}')
        self.assertEqual(found["reward"], 0.0)

    def test_groups_are_the_trainers_own_or_one_prompt_at_one_step(self):
        bad = forge("[0]")
        _, found = self.rescore(
            DUMPS["verl"],
            dict(DUMPS["verl"], output=bad),
            dict(DUMPS["verl"], step=4),
            dict(DUMPS["verl"], gts=OTHER, output=bad),
        )
        self.assertEqual([r["keep"] for r in found], [1, 1, 0, 0])
        _, found = self.rescore(
            DUMPS["slime"], dict(DUMPS["slime"], response=bad), dict(DUMPS["slime"], response=bad, group_index=5)
        )
        self.assertEqual([r["keep"] for r in found], [1, 1, 0])

    def test_messages_stand_for_what_the_assistant_said_last(self):
        said = [
            {"role": "assistant", "content": "hm"},
            {"role": "tool", "content": "x"},
            {"role": "assistant", "content": ANSWER},
        ]
        self.assertEqual(self.one(dict(DUMPS["trl"], completion=said))["feasible"], 1)
        done, (row,) = self.rescore(dict(DUMPS["trl"], completion=[{"role": 3}]))
        self.assertEqual((done.returncode, row["error"]["field"]), (1, "completion"))

    def test_rows_of_other_tasks_and_broken_ones_are_rejected_in_their_place(self):
        done, found = self.rescore(
            DUMPS["verl"], dict(DUMPS["verl"], gts="42"), "broken", {"output": "x"}, {"a": 1}, DUMPS["verl"]
        )
        self.assertEqual(done.returncode, 1)
        self.assertEqual(
            [r.get("error", {}).get("field") for r in found], [None, "key", "line", "key", "completion", None]
        )
        self.assertIn("2 rows: 2 rewards changed (2 up, 0 down)", done.stderr)
        self.assertEqual(run("rescore", "-", "--from", "vrel").returncode, 2)

    def test_rows_without_a_reward_have_no_delta(self):
        row = {name: value for name, value in DUMPS["trl"].items() if name != "reward"}
        found = self.one(row)
        self.assertEqual((found["old_reward"], found["delta"], found["reward"]), (None, None, 2.0))
        self.assertEqual(self.one(dict(DUMPS["slime"], reward={"score": 1.5}))["delta"], 0.5)


class OwnRows(unittest.TestCase):
    table = lines(
        {"key": KEY, "completion": ANSWER},
        {"key": KEY, "completion": forge("[0,0]")},
        {
            "task": "knapsack",
            "instance": KNAPSACK4,
            "completion": "\\boxed{[0, 3]}",
            "format": "boxed",
            "group": "g",
            "finish": "length",
        },
    )

    def test_the_same_reward_again_changes_nothing(self):
        scored = run("score", "-", stdin=self.table)
        again = run("rescore", "-", stdin=scored.stdout)
        self.assertIn("3 rows: 0 rewards changed", again.stderr)
        self.assertIn("now: the same", again.stderr)
        before = rows(scored)
        for old, new in zip(before, rows(again)):
            self.assertEqual({name: new[name] for name in old}, old)
            self.assertEqual(new["delta"], 0)

    def test_another_reward_is_the_one_score_would_have_given(self):
        graded = ("--reward", '{"infeasible": "graded"}', "--advantage", "dr_grpo")
        direct = rows(run("score", "-", *graded, stdin=self.table))
        done = run("rescore", "-", *graded, stdin=run("score", "-", stdin=self.table).stdout)
        found = rows(done)
        self.assertEqual([[r[n] for n in direct[0]] for r in found[:2]], [list(r.values()) for r in direct[:2]])
        self.assertGreater(found[1]["delta"], 0)
        self.assertIn("other reward and advantage", done.stderr)

    def test_rescored_dumps_can_be_evaluated(self):
        rescored = run("rescore", "-", stdin=lines(*DUMPS.values())).stdout
        summary = json.loads(run("eval", "-", "--json", stdin=rescored).stdout)["summaries"][-1]
        self.assertEqual((summary["rows"], summary["sr"]), (6, 1.0))


if __name__ == "__main__":
    unittest.main()
