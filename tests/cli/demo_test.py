"""optgap demo: its embedded data, what --quick leaves out, and the hashes that are the same everywhere."""

import json
import os
import pathlib
import resource
import subprocess
import tempfile
import unittest

from optgap_process import BINARY, lines, run

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PARTS = ("benchmark_set", "verdicts")


def run_in(folder, *arguments):
    return subprocess.run(
        [os.path.abspath(BINARY), *arguments], cwd=folder, capture_output=True, text=True, timeout=300
    )


class Quick(unittest.TestCase):
    def test_it_needs_no_file_and_says_what_it_leaves_out(self):
        with tempfile.TemporaryDirectory() as empty:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = run_in(empty, "demo", "--quick", "--threads", "1", "--device", "cpu")
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("berlin52.tsp  ", done.stdout)
        self.assertIn("7542", done.stdout)
        self.assertNotIn("ch150.tsp", done.stdout)
        self.assertNotIn("4. One training step", done.stdout)
        self.assertIn("Left out by --quick", done.stdout)
        self.assertLess(after.ru_utime - before.ru_utime, 3, "seconds of one core")

    def test_every_task_earns_something_and_what_is_not_proven_is_named(self):
        with tempfile.TemporaryDirectory() as empty:
            done = run_in(empty, "demo", "--text-bytes", "200")
        part = done.stdout.split("2. ")[1].split("Baselines: ")
        rates = [line.split() for line in part[0].splitlines()[4:] if line]
        self.assertEqual([row[0] for row in rates if float(row[2]) == 0], [], "all answers of a task fall")
        self.assertGreater(len(rates), 40)
        self.assertRegex(part[1], r"^\d+ of 200 proven optimal; best found, with a bound: apples, pairs\.\n")

    def test_a_users_own_rows_take_the_place_of_the_built_in_ones(self):
        rows = (ROOT / "tools/demo/rollouts.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
        with tempfile.TemporaryDirectory() as here:
            pathlib.Path(here, "own.jsonl").write_text("\n" + rows[0], encoding="utf-8")
            done = run_in(here, "demo", "--quick", "--rollouts", "own.jsonl")
            self.assertIn("The tsp rows of them", done.stdout)
            self.assertNotIn("knapsack           33", done.stdout)
            pathlib.Path(here, "own.jsonl").write_text(rows[0] + "{", encoding="utf-8")
            broken = run_in(here, "demo", "--quick", "--rollouts", "own.jsonl")
            self.assertEqual(broken.returncode, 2)
            self.assertIn("own.jsonl, row 2", broken.stderr)

    def test_settings_without_effect_are_refused(self):
        for arguments in (
            ["--quick", "--hash"],
            ["--quick", "--text-bytes", "9"],
            ["--quick", "--data", "x"],
            ["--hash", "--rollouts", "x"],
            ["--against", "x"],
            ["--task", "tsp"],
            ["--data", "/no/such/folder"],
            ["--rollouts", "/no/such/file"],
        ):
            done = run("demo", *arguments)
            self.assertEqual(done.returncode, 2, (arguments, done.stderr))


class Hash(unittest.TestCase):
    """One run in JSON, compared with the frozen rows beside the tasks."""

    @classmethod
    def setUpClass(cls):
        cls.done = run("demo", "--hash", "--json", "--threads", "1")
        cls.found = json.loads(cls.done.stdout)
        cls.tasks = {row["task"]: row for row in cls.found["tasks"]}

    FEW = ("clique", "division", "tsp")  # a few tasks show what is compared; all of them take 20 s

    def against(self, changed):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(changed, file)
            file.flush()
            return run(
                "demo", "--hash", "--against", file.name, *(word for name in self.FEW for word in ("--task", name))
            )

    def test_the_tasks_that_are_named_have_the_bytes_that_they_have_among_all(self):
        done = run("demo", "--hash", "--json", "--task", "tsp", "--task", "clique")
        self.assertEqual(json.loads(done.stdout)["tasks"], [self.tasks["clique"], self.tasks["tsp"]])
        self.assertEqual(run("demo", "--hash", "--task", "chess").returncode, 2)

    def test_every_task_has_its_frozen_bytes(self):
        self.assertEqual(self.done.returncode, 0, self.done.stdout)
        for name, row in self.tasks.items():
            frozen = json.loads((ROOT / f"kernels/tasks/{name}/golden_hash.json").read_text(encoding="utf-8"))
            self.assertEqual(frozen, {key: row[key] for key in ("version", *PARTS)}, name)
            self.assertEqual(row["same"], dict.fromkeys(PARTS, True), name)
        for part in PARTS:
            self.assertEqual(len({row[part] for row in self.tasks.values()}), len(self.tasks))
            whole = self.found["all"][part]
            self.assertEqual((whole["same"], whole["hash"]), (True, whole["expected"]))
        self.assertGreaterEqual(len(self.tasks) * self.found["verdicts_per_task"], 100_000)

    def test_the_benchmark_sets_hash_is_that_of_its_file(self):
        with tempfile.TemporaryDirectory() as folder:
            run("bench-set", "--out", folder, "clique", "set_cover", "--signal-count", "1")
            index = json.loads(pathlib.Path(folder, "index.json").read_text(encoding="utf-8"))
        listed = {entry["file"]: entry["xxh3_128"] for entry in index["files"]}
        for name in ("clique", "set_cover"):
            self.assertEqual(listed[f"{name}.jsonl"], self.tasks[name]["benchmark_set"])

    def test_another_machines_hashes_are_compared_and_a_changed_byte_says_no(self):
        same = self.against(self.found)
        self.assertEqual(same.returncode, 0, same.stdout)
        self.assertEqual(same.stdout.count("same bytes: yes"), 2)
        changed = json.loads(json.dumps(self.found))
        row = next(row for row in changed["tasks"] if row["task"] == "tsp")
        row["verdicts"] = row["verdicts"][:-1] + ("0" if row["verdicts"][-1] != "0" else "1")
        changed["tasks"] = [row for row in changed["tasks"] if row["task"] != "clique"]
        differs = self.against(changed)
        self.assertEqual(differs.returncode, 1)
        table = {line.split()[0]: line.split()[1:] for line in differs.stdout.splitlines() if "@" in line}
        self.assertEqual(
            {name: (cells[1], cells[3]) for name, cells in table.items() if "yes" not in cells[3]},
            {"tsp@1": ("yes", "NO"), "clique@1": ("-", "-")},
        )
        self.assertEqual(
            [line.rpartition(": ")[2] for line in differs.stdout.splitlines() if "same bytes" in line], ["yes", "no"]
        )
        self.assertIn("Not compared, since nothing is frozen of them: clique.", differs.stdout)

    def test_another_version_of_a_task_is_another_hash(self):
        changed = json.loads(json.dumps(self.found))
        next(row for row in changed["tasks"] if row["task"] == "division")["version"] += 1
        self.assertEqual(self.against(changed).stdout.count("same bytes: no"), 2)

    def test_a_file_that_is_none_is_refused(self):
        for wrong in (
            [],
            {},
            {"tasks": [{}]},
            {"tasks": [{"task": "tsp"}]},
            {"tasks": [{"task": "tsp", "version": 1}]},
        ):
            done = self.against(wrong)
            self.assertEqual(done.returncode, 2, wrong)
            self.assertNotEqual(done.stderr, "")


class Page(unittest.TestCase):
    """optgap page: reading and writing its description; tests/host/page_test.cpp has the pages."""

    page = {"title": "t", "sections": [{"heading": "h", "table": {"columns": [{"name": "a"}], "rows": [["x"]]}}]}

    def test_markdown_goes_to_stdout_and_files_are_what_their_names_say(self):
        markdown = run("page", "-", stdin=lines(self.page))
        self.assertEqual((markdown.returncode, markdown.stdout), (0, "# t\n\n## h\n\n| a   |\n| --- |\n| x   |\n"))
        with tempfile.TemporaryDirectory() as here:
            source = pathlib.Path(here, "page.json")
            source.write_text(json.dumps(self.page), encoding="utf-8")
            for name, begins in (("p.html", "<!DOCTYPE html>"), ("p.md", "# t\n")):
                self.assertEqual(run("page", str(source), "-o", f"{here}/{name}").returncode, 0)
                self.assertTrue(pathlib.Path(here, name).read_text(encoding="utf-8").startswith(begins))

    def test_what_cannot_be_done_says_why(self):
        for arguments, code, word in (
            (["/no/such/file"], 2, "cannot read"),
            (["-", "-o", "x.pdf"], 2, ".html or .md"),
            (["-", "-o", "/no/folder/x.html"], 3, "cannot write"),
        ):
            done = run("page", *arguments, stdin=lines(self.page))
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(word, done.stderr)
        self.assertIn("sections: is missing", run("page", "-", stdin='{"title": "t"}').stderr)


if __name__ == "__main__":
    unittest.main()
