"""The tasks that a word names: `optgap tasks` with its filters, and the words wherever several tasks may be named."""

import json
import unittest

from optgap_process import rows, run

TASKS = json.loads(run("tasks", "--json").stdout)


def names(*options):
    done = run("tasks", "--json", *options)
    assert done.returncode == 0, done.stderr
    return [task["name"] for task in json.loads(done.stdout)]


class Tasks(unittest.TestCase):
    def test_every_task_says_class_family_and_names(self):
        for task in TASKS:
            self.assertIn(task["class"], ["optimise", "satisfy", "exact"], task["name"])
            self.assertTrue(task["family"], task["name"])
            self.assertTrue(task["tags"], task["name"])
            self.assertIsInstance(task["rlve"], list)

    def test_every_task_says_how_answers_may_be_written(self):
        written = {task["name"]: [task["alphabet"], task["expressions"], task["numbers"]] for task in TASKS}
        self.assertEqual(written["multiplication"], ["", False, "digits"])
        self.assertEqual(written["division"], ["", False, "digit_rows"])
        self.assertEqual(written["tsp"], ["", False, "none"])

    def test_tasks_whose_optima_are_not_proven_are_named_below_the_table(self):
        open_ones = [task["name"] for task in TASKS if "proves" not in task["abilities"]]
        self.assertIn("apples", open_ones)
        line = run("tasks").stdout.splitlines()[-2]
        self.assertEqual(
            line,
            f"no optimum is proven at the named levels: {', '.join(open_ones)}; a baseline there is the "
            "best answer found, with a bound",
        )
        self.assertNotIn("no optimum", run("tasks", "--family", "cells").stdout)
        made = rows(run("solve", "-", stdin=run("generate", *open_ones, "--level", "benchmark", "--count", "1").stdout))
        self.assertEqual({(row["status"], row["proven"]) for row in made}, {("bounded", False)})

    def test_what_is_too_long_for_a_prompt_is_asked_of_programs_alone(self):
        long_ones = [task["name"] for task in TASKS if not task["direct"]]
        self.assertEqual(long_ones, ["chests"])
        self.assertEqual(
            run("tasks").stdout.splitlines()[-1],
            "too long for a prompt: chests; programs that solve them are asked for",
        )
        self.assertNotIn("too long", run("tasks", "--family", "cells").stdout)
        sentence = "chests is not asked in a prompt"
        for words in (
            ["chests", "--prompts"],
            ["chests/chests", "--prompts"],
            ["tsp", "chests", "--max-prompt-chars", "9999"],
        ):
            done = run("generate", *words, "--level", "easy")
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn(sentence, done.stderr)
        made = rows(run("generate", "all", "--level", "d0", "--prompts"))
        self.assertEqual([row["task"] for row in made], [task["name"] for task in TASKS if task["direct"]])
        self.assertEqual(len(rows(run("generate", "all", "--level", "d0"))), len(TASKS))
        [asked] = rows(run("generate", "chests", "--level", "easy", "--candidate", "program", "--prompts"))
        self.assertIn("hardness", asked["prompt"])
        for command in (["bench-set", "chests", "--out", "never"], ["bench-set", "chest*", "--out", "never"]):
            done = run(*command, "--count", "1")
            self.assertEqual(done.returncode, 2)
            self.assertIn(sentence, done.stderr)
        self.assertEqual(
            list(TASKS[[task["name"] for task in TASKS].index("chests")]["sizes"][0]),
            ["level", "n", "words"],
        )

    def test_filters_keep_what_all_of_them_say(self):
        for kind in ("optimise", "satisfy"):
            self.assertEqual(names("--class", kind), [task["name"] for task in TASKS if task["class"] == kind])
        self.assertEqual(names("--family", "cells"), [task["name"] for task in TASKS if task["family"] == "cells"])
        self.assertEqual(names("--family", "subset", "--rlve", "SubsetSum"), ["subset_sum"])
        self.assertEqual(names("--family", "cells", "--rlve", "SubsetSum"), [])
        for task in TASKS:
            for name in task["rlve"]:
                self.assertIn(task["name"], names("--rlve", name))

    def test_a_value_that_no_task_has_lists_those_that_there_are(self):
        done = run("tasks", "--rlve", "SubsetSun")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("SubsetSum", done.stderr)

    def test_generate_takes_words_that_name_several(self):
        made = [
            row["task"]
            for row in rows(
                run("generate", "class:satisfy", "tsp", "*_cover", "--level", "easy", "--count", "1", "--seed", "1")
            )
        ]
        wanted = [task["name"] for task in TASKS if task["class"] == "satisfy"] + ["tsp"]
        wanted += [task["name"] for task in TASKS if task["name"].endswith("_cover")]
        self.assertEqual(made, wanted)


if __name__ == "__main__":
    unittest.main()
