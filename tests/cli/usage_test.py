"""Exit codes, help and hints."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from optgap_process import BINARY, run

HANDED_OVER = pathlib.Path(__file__).resolve().parents[1] / "support/handed_over.sh"


def listed_commands():
    return re.findall(r"^  ([a-z][a-z-]*)(?:  |$)", run("--help").stdout.split("Examples:")[0], re.MULTILINE)


def run_without_python(*words):
    environment = {**os.environ, "OPTGAP_PYTHON": "/nowhere/python"}
    return subprocess.run([BINARY, *words], env=environment, capture_output=True, text=True, timeout=60)


class Usage(unittest.TestCase):
    def test_every_command_has_help_with_examples(self):
        for command in listed_commands():
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
        self.assertIn("did you mean generate? there are: generate", done.stderr)
        offered = done.stderr.split("there are: ")[1].strip().split(", ")
        self.assertEqual(sorted(offered), sorted(listed_commands()))

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

    def test_without_python_its_commands_say_how_to_get_it(self):
        for words in (
            *(
                ["audit"],
                ["bench-model", "--model", "m"],
                ["filter", "x"],
                ["recipe", "show"],
                ["external", "check", "x"],
            ),
            *(["bench", "trainer"], ["rubric", "tables", "x"], ["stats", "page", "x"], ["tasks", "rows.parquet"]),
            *(["bench-set", "tsp", "--hf", "folder"], ["store", "export", "x.db", "--format", "parquet", "-o", "x"]),
        ):
            with tempfile.TemporaryDirectory() as folder:
                pathlib.Path(folder, "rows.parquet").touch()
                words = [os.path.join(folder, word) if word.endswith(".parquet") else word for word in words]
                done = run_without_python(*words)
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1), words)
            self.assertIn("pip install optgap", done.stderr)
        listed = run("--help").stdout
        for there in ("  bench-model ", "  preflight "):
            self.assertIn(there, listed)
        self.assertNotIn("  ray ", listed)
        self.assertIn("optgap.data.ray.recompute", run("ray", "--anything").stderr)

    def test_the_words_of_a_python_command_are_read_here(self):
        environment = {**os.environ, "OPTGAP_PYTHON": str(HANDED_OVER)}
        words = ["--threads", "3", "filter", "a.jsonl", "b.jsonl", "--keep", "2", "--json"]
        done = subprocess.run([BINARY, *words], env=environment, capture_output=True, text=True)
        module, given = done.stdout.split("\n", 1)
        given = json.loads(given)
        self.assertEqual((module, given["words"]), ("filter", words))
        wanted = {
            "files": ["a.jsonl", "b.jsonl"],
            "keep": 2,
            "max_per_task": None,
            "quality": "0.5",
            "threads": 3,
            "json": True,
        }
        self.assertEqual({name: given["options"][name] for name in wanted}, wanted)
        done = subprocess.run(
            [BINARY, "dataset", "--from=x", "--out", "y"], env=environment, capture_output=True, text=True
        )
        self.assertTrue(done.stdout.startswith("dataset__from\n"))

    def test_the_help_of_score_fits_a_screen(self):
        lines = run("score", "--help").stdout.splitlines()
        self.assertLessEqual(len(lines), 45)
        self.assertLessEqual(max(map(len, lines)), 100)
        kinds = [kind["kind"] for kind in json.loads(run("kinds", "--json").stdout) if kind["options"]]
        whole = run("score", "--help", "all").stdout
        for kind in json.loads(run("kinds", "--json").stdout):
            shown = run("score", "--help", kind["kind"]).stdout if kind["kind"] in kinds else ""
            for option in kind["options"]:
                self.assertIn(f"--{option['name']}", shown)
                self.assertIn(f"--{option['name']}", whole)
        self.assertIn("did you mean program?", run("score", "--help", "progrm").stderr)

    def test_the_groups_of_the_help(self):
        headings = re.findall(r"^(\w+):$", run("--help").stdout, re.MULTILINE)
        self.assertEqual(headings, ["Options", "Look", "Make", "Score", "Prove", "Measure", "Train", "Examples"])

    def test_a_mistyped_word_is_answered_with_the_nearest(self):
        row = '{"key": "tsp@1:train:easy:1", "complction": "x"}'
        for words, said in (
            (["scorre", "-"], "did you mean score?"),
            (["store", "exprt", "x"], "did you mean export?"),
            (["generate", "tsp", "--levle", "easy"], "no option is named --levle; did you mean --level?"),
            (["score", "-", "--isolaton", "auto"], "did you mean --isolation?"),
            (["generate", "tsp", "--level", "esay"], "did you mean easy?"),
            (["kinds", "progrm"], "did you mean program?"),
        ):
            done = run(*words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(said, done.stderr)
        self.assertIn("did you mean completion by complction?", run("score", "-", stdin=row).stdout)

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
