"""optgap relabel: relabelled copies of rows, with their answers and prompts."""

import json
import unittest

from optgap_process import KNAPSACK4, TSP4, forge, lines, rows, run

TASKS = json.loads(run("tasks", "--json").stdout)
# Fields that the program leaves out of a relabelled copy's row.
ORIGINALS_OWN = {
    "completion": forge("[0]"),
    "completions": [forge("[0]")],
    "span": [1, 2],
    "where": 3,
    "floor": 4,
    "greedy": 5,
    "noisy": [[0]],
    "steps": 6,
    "reward": 2.0,
    "advantage": 0.5,
    "keep": 1,
    "finish": "stop",
    "length": 9,
}


def relabel(*given, seed=1):
    return run("relabel", "-", "--seed", str(seed), "--quiet", stdin=lines(*given))


class Relabel(unittest.TestCase):
    def test_the_solved_rows_of_every_task_with_axes_have_twins(self):
        names = [task["name"] for task in TASKS if task["axes"]]
        solved = rows(run("solve", "-", stdin=run("generate", *names, "--level", "easy", "--count", "3").stdout))
        twins = rows(relabel(*solved))
        again = rows(run("solve", "-", stdin=lines(*(dict(twin, answer=None) for twin in twins))))
        judged = rows(run("verify", "-", stdin=lines(*twins)))
        for original, twin, solved_again, verdict in zip(solved, twins, again, judged):
            self.assertEqual(twin["twin_of"], original["key"])
            self.assertEqual(twin["key"], f"{original['key'].split(':')[0]}:x:{twin['hash']}")
            self.assertNotEqual(twin["instance"], original["instance"], twin["twin_of"])
            self.assertEqual(solved_again["proven"], original["proven"])
            if original["proven"]:
                self.assertEqual(solved_again["objective"], original["objective"])
            self.assertEqual((verdict["feasible"], verdict["objective"]), (True, original["objective"]))
            axes = next(task["axes"] for task in TASKS if task["name"] == twin["task"])
            self.assertEqual(list(twin["labels"]), axes)
            for labels in twin["labels"].values():
                self.assertEqual(sorted(labels), list(range(min(labels), min(labels) + len(labels))))

    def test_the_seed_and_the_instance_say_which_twin(self):
        row = {"task": "knapsack", "instance": KNAPSACK4}
        first, second = rows(relabel(row, dict(row, id=7)))
        self.assertEqual(first["instance"], second["instance"])
        self.assertEqual(relabel(row).stdout, relabel(row).stdout)
        self.assertGreater(len({relabel(row, seed=seed).stdout for seed in range(8)}), 4)

    def test_labels_say_what_became_of_each_item(self):
        (twin,) = rows(relabel({"task": "knapsack", "instance": KNAPSACK4, "answer": "[0, 2]"}))
        labels = twin["labels"]["item"]
        for old, new in enumerate(labels):
            self.assertEqual(twin["instance"]["weights"][new], KNAPSACK4["weights"][old])
            self.assertEqual(twin["instance"]["values"][new], KNAPSACK4["values"][old])
        self.assertEqual(twin["answer"], [labels[0], labels[2]])

    def test_a_row_without_a_key_names_its_original_by_hash(self):
        row = {"task": "tsp", "instance": TSP4}
        (twin,) = rows(relabel(row))
        self.assertRegex(twin["twin_of"], r"^tsp@\d+:x:[0-9a-f]{32}$")
        self.assertEqual(
            rows(run("verify", "-", stdin=lines(dict(row, key=twin["twin_of"], answer=[0, 1, 2, 3]))))[0]["feasible"],
            True,
        )
        self.assertEqual(rows(relabel(twin))[0]["twin_of"], twin["key"])

    def test_answers_that_cannot_be_read_stay(self):
        for answer in ("nope", None, "[1, 2", [0.5], {"a": 1}, "Impossible"):
            (twin,) = rows(relabel({"task": "tsp", "instance": TSP4, "answer": answer}))
            self.assertEqual(twin["answer"], answer)
        sets = {"task": "set_cover", "instance": {"universe": 3, "sets": [[0], [1]]}, "answer": "impossible"}
        self.assertEqual(rows(relabel(sets))[0]["answer"], "Impossible")
        self.assertNotIn("answer", rows(relabel({"task": "tsp", "instance": TSP4}))[0])

    def test_what_a_twin_does_not_have_is_left_out_and_the_rest_passes_through(self):
        done = relabel({"task": "tsp", "instance": TSP4, "objective": 80, "mine": 1.0, **ORIGINALS_OWN})
        self.assertEqual(done.returncode, 0, done.stderr)
        (twin,) = rows(done)
        self.assertEqual(set(twin), {"objective", "mine", "key", "task", "instance", "hash", "twin_of", "labels"})
        self.assertIn('"mine":1.0', done.stdout)

    def test_prompts_are_written_anew_in_format_and_style(self):
        made = rows(run("generate", "clique", "--level", "easy", "--prompts", "--format", "boxed", "--style", "3"))
        (twin,) = rows(relabel(*made))
        self.assertNotEqual(twin["prompt"], made[0]["prompt"])
        self.assertEqual(twin["prompt"].splitlines()[-1], made[0]["prompt"].splitlines()[-1])
        self.assertEqual((twin["format"], twin["prompt_chars"]), ("boxed", len(twin["prompt"])))
        (bare,) = rows(relabel(dict(made[0], prompt=[{"role": "user", "content": "?"}])))
        self.assertFalse({"prompt", "prompt_chars"} & set(bare))
        (unknown,) = rows(relabel(dict(made[0], format="nonsense")))
        self.assertEqual(unknown["error"]["field"], "format")

    def test_a_broken_row_stands_among_good_ones_in_order(self):
        good = {"task": "tsp", "instance": TSP4}
        done = relabel(dict(good, id=1), '{"id": 2, broken', {"id": 3, "key": "tsp@1:x:" + "0" * 32}, dict(good, id=4))
        self.assertEqual(done.returncode, 1)
        self.assertEqual(["error" in row for row in rows(done)], [False, True, True, False])
        self.assertEqual(relabel(dict(good, format=7)).returncode, 0, "a scored row's format is a number")


if __name__ == "__main__":
    unittest.main()
