"""Exit codes, help and hints."""

import re
import unittest

from optgap_process import run

COMMANDS = [
    "tasks",
    "info",
    "kinds",
    "rules",
    "sandbox",
    "generate",
    "solve",
    "certify",
    "improve",
    "verify",
    "score",
    "advantages",
    "eval",
    "explain",
    "curriculum",
    "bench",
    "bench-set",
    "gates",
    "relabel",
    "convert",
    "rescore",
    "diff",
    "stats",
    "page",
    "suite",
    "demo",
]


class Usage(unittest.TestCase):
    def test_every_command_has_help_with_examples(self):
        for command in COMMANDS:
            done = run(command, "--help")
            self.assertEqual(done.returncode, 0, command)
            self.assertIn("Examples:", done.stdout, command)
            self.assertIn(f"optgap {command}", done.stdout, command)

    def test_version(self):
        done = run("--version")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"^optgap \d+\.\d+\.\d+\n$")

    def test_no_command_is_bad_usage(self):
        self.assertEqual(run().returncode, 2)

    def test_an_unknown_command_lists_the_closest_first(self):
        done = run("genrate", "tsp")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there are: generate", done.stderr)
        offered = done.stderr.split("there are: ")[1].strip().split(", ")
        listed = re.findall(r"^  ([a-z][a-z-]*)  ", run("--help").stdout.split("Examples:")[0], re.MULTILINE)
        self.assertEqual(sorted(offered), sorted(listed))

    def test_an_unknown_task_lists_the_closest_first(self):
        done = run("generate", "tps", "--level", "easy")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"no task is named 'tps'.*: tsp, ")

    def test_an_unknown_version_is_refused_by_name(self):
        done = run("generate", "tsp@99", "--level", "easy")
        self.assertEqual(done.returncode, 2)
        self.assertIn("tsp@99", done.stderr)

    def test_bad_values_are_bad_usage(self):
        for arguments in (
            ["generate", "tsp"],
            ["generate", "tsp", "--level", "silly"],
            ["generate", "tsp", "--level", "easy", "--count", "0"],
            ["generate", "tsp", "--level", "easy", "--style", "99"],
            ["generate", "tsp", "--level", "easy", "--split", "dev"],
            ["generate", "tsp", "--level", "easy", "--seed", str(2**64 - 1), "--count", "2"],
            ["generate", "tsp", "--level", "easy", "--seed", "-1"],
            ["generate", "tsp", "--level", "easy", "--seed", str(2**64)],
            ["generate", "tsp", "--level", "easy", "--seed", "010"],
            ["generate", "tsp", "--level", "easy", "--count", "010"],
            ["generate", "tsp", "--level", "easy", "--count", str(2**64)],
            ["improve", "-", "--steps", "1", "--seed", "-1"],
            ["generate", "tsp", "--level", "easy", "--threads", "-1"],
            ["verify"],
            ["verify", "/no/such/file"],
            ["improve", "-"],
            ["score", "-", "--reward", "nonsense"],
            ["score", "-", "--format", "nonsense"],
            ["score", "-", "--force-format"],
            ["tasks", "--device", "tpu"],
        ):
            done = run(*arguments)
            self.assertEqual(done.returncode, 2, (arguments, done.stderr))
            self.assertNotEqual(done.stderr, "", arguments)

    def test_python_commands_are_answered_with_a_hint(self):
        commands = ("audit", "bench-model", "dataset", "external", "filter", "lm-eval-task", "preflight", "recipe")
        for command in commands:
            done = run(command, "--anything", "x")
            self.assertEqual(done.returncode, 2)
            self.assertIn("pip install optgap", done.stderr)
        listed = run("--help").stdout
        for there in ("  bench-model ", "  preflight "):
            self.assertIn(there, listed)
        self.assertNotIn("  ray ", listed)
        self.assertIn("optgap.ray.recompute", run("ray", "--anything").stderr)

    def test_an_option_that_needs_python_says_so_before_it_asks_for_more(self):
        done = run("bench-set", "tsp", "--hf", "folder")
        self.assertEqual(done.returncode, 2)
        self.assertIn("pip install 'optgap[hf]'", done.stderr)
        self.assertIn("pip install 'optgap[dataset]'", run("store", "export", "x.db", "--format", "parquet").stderr)

    def test_common_options_stand_before_or_after_the_command(self):
        before = run("--json", "--device", "cpu", "tasks")
        after = run("tasks", "--json", "--device", "cpu")
        self.assertEqual(before.returncode, 0)
        self.assertEqual(before.stdout, after.stdout)

    def test_a_device_may_name_its_gpu(self):
        self.assertEqual(run("tasks", "--device", "auto:1").stdout, run("tasks", "--device", "cpu").stdout)
        for wrong in ("tpu", "cuda:", "cuda:-1", "cpu:0", "auto:1x"):
            done = run("tasks", "--device", wrong)
            self.assertEqual(done.returncode, 2, wrong)
            self.assertIn(f"device '{wrong}': expected auto, cpu, cuda, or cuda:N", done.stderr)

    def test_tasks_and_info_are_tables_and_json(self):
        import json

        names = [task["name"] for task in json.loads(run("tasks", "--json").stdout)]
        self.assertIn("tsp", names)
        for name in names:
            self.assertIn(f"{name}@1", run("tasks").stdout)
        facts = json.loads(run("info", "--json", "--threads", "3", "--device", "cpu").stdout)
        self.assertEqual(facts["threads"], 3)
        self.assertIn("instruction_set", facts)
        if not facts["cuda"]["usable"]:
            self.assertTrue(facts["cuda"]["why_not"])
            self.assertEqual(run("tasks", "--device", "cuda").returncode, 3)


if __name__ == "__main__":
    unittest.main()
