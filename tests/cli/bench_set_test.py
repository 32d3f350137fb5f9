"""The benchmark set, its card, and exports without repeated instances."""

import base64
import collections
import hashlib
import json
import pathlib
import re
import statistics
import tempfile
import unittest
import xml.etree.ElementTree as ET

from optgap_process import lines, rows, run

TASKS = json.loads(run("tasks", "--json").stdout)
ALL = [task["name"] for task in TASKS if task["direct"]]
PROVEN = {task["name"] for task in TASKS if task["direct"] and "proves" in task["abilities"]}
ROW = [
    "key",
    "task",
    "level",
    "instance",
    "hash",
    "prompt",
    "style",
    "format",
    "prompt_chars",
    "answer",
    "objective",
    "bound",
    "bound_kind",
    "status",
    "proven",
    "steps",
    "floor",
    "greedy",
]


def read_rows(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


class BenchSet(unittest.TestCase):
    """One small set over all tasks, made once."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.scratch.name, "a", "set")
        cls.made = run("bench-set", "--out", str(cls.folder), "--count", "4", "--signal-count", "3", "--seed", "7")
        assert cls.made.returncode == 0, cls.made.stderr
        cls.index = json.loads((cls.folder / "index.json").read_text(encoding="utf-8"))

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def test_every_task_has_its_rows(self):
        self.assertEqual([task["task"] for task in self.index["tasks"]], ALL)
        for name in ALL:
            found = read_rows(self.folder / f"{name}.jsonl")
            self.assertEqual(len(found), 4, name)
            for i, row in enumerate(found):
                self.assertEqual(list(row), ROW)
                self.assertEqual((row["task"], row["level"], row["format"]), (name, "benchmark", "forge"))
                self.assertRegex(row["key"], rf"^{name}@\d+:test:benchmark:\d+(:s{i})?#{row['hash'][:8]}$")
                self.assertEqual((row["style"], row["prompt_chars"]), (i, len(row["prompt"])))
            self.assertEqual(len({row["hash"] for row in found}), 4, name)

    def test_rows_are_what_generate_and_solve_say(self):
        for name in ALL:
            found = read_rows(self.folder / f"{name}.jsonl")
            again = rows(
                run("generate", name, "--level", "benchmark", "--split", "test", "--seed", "7", "--count", "4")
            )
            self.assertEqual([row["instance"] for row in found], [row["instance"] for row in again], name)
            solved = rows(run("solve", "-", stdin=lines(*again)))
            for row, proof in zip(found, solved, strict=True):
                self.assertEqual({key: row[key] for key in ROW[9:]}, {key: proof[key] for key in ROW[9:]}, name)
                self.assertEqual(
                    (row["proven"], row["status"]),
                    (True, "optimal") if name in PROVEN else (False, "bounded"),
                    row["key"],
                )

    def test_answers_are_feasible_and_worth_their_objective(self):
        for name in ALL:
            text = (self.folder / f"{name}.jsonl").read_text(encoding="utf-8")
            for row, before in zip(
                rows(run("verify", "-", stdin=text)), read_rows(self.folder / f"{name}.jsonl"), strict=True
            ):
                self.assertEqual((row["feasible"], row["objective"]), (True, before["objective"]), row["key"])

    def test_prompts_ask_for_what_the_key_s_style_says(self):
        for name in ALL:
            row = read_rows(self.folder / f"{name}.jsonl")[1]
            again = rows(
                run(
                    "generate",
                    name,
                    "--level",
                    "benchmark",
                    "--split",
                    "test",
                    "--seed",
                    "8",
                    "--style",
                    "1",
                    "--prompts",
                )
            )[0]
            self.assertEqual((row["key"], row["prompt"]), (again["key"], again["prompt"]))

    def test_the_index_lists_every_file_with_its_size_and_hash(self):
        listed = {entry["file"]: entry for entry in self.index["files"]}
        on_disk = {path.name for path in self.folder.iterdir()} - {"index.json"}
        self.assertEqual(set(listed), on_disk)
        for name, entry in listed.items():
            self.assertEqual(entry["bytes"], (self.folder / name).stat().st_size, name)
            self.assertRegex(entry["xxh3_128"], r"^[0-9a-f]{32}$")
        self.assertEqual(len({entry["xxh3_128"] for entry in listed.values()}), len(listed))
        self.assertRegex(self.index["engine"], r"^optgap \d+\.\d+\.\d+$")
        self.assertNotIn(str(self.folder), json.dumps(self.index))

    def test_the_card_is_one_well_formed_page_that_needs_nothing_else(self):
        page = (self.folder / "card.html").read_text(encoding="utf-8")
        root = ET.fromstring(page.removeprefix("<!DOCTYPE html>\n"))
        sections = root.findall("body/main/section")
        self.assertEqual([section.get("id") for section in sections], ["all-tasks", *ALL])
        for section in sections[1:]:
            drawings = list(section.iter("{http://www.w3.org/2000/svg}svg"))
            self.assertEqual(len(drawings), 7, f"{section.get('id')}: a picture and six histograms")
            for drawing in drawings:
                self.assertGreater(len(list(drawing)), 2)
        self.assertIn("prefers-color-scheme:dark", page)
        for outside in ("<link", "<img", "src=", "@import", "url("):
            self.assertNotIn(outside, page)
        self.assertTrue(all(link.get("href").startswith("#") for link in root.iter("a")))
        script = page[page.index("<script>") + 8 : page.index("</script>")]
        policy = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        self.assertIn(f"script-src 'sha256-{policy}'", page, "the page's own script runs, and no other")
        self.assertEqual(set(re.findall(r"https?://[^\"< ]+", page)), {"http://www.w3.org/2000/svg"})

    def test_pictures_are_files_that_the_markdown_card_shows(self):
        text = (self.folder / "card.md").read_text(encoding="utf-8")
        for name in ALL:
            self.assertIn(f"({name}.svg)", text)
            root = ET.parse(self.folder / f"{name}.svg").getroot()
            width, height = (float(x) for x in root.get("viewBox").split()[2:])
            for tag, x, y in (("circle", "cx", "cy"), ("rect", "x", "y"), ("text", "x", "y"), ("line", "x1", "y1")):
                for shape in root.iter("{http://www.w3.org/2000/svg}" + tag):
                    self.assertTrue(
                        0 <= float(shape.get(x)) <= width and 0 <= float(shape.get(y)) <= height,
                        f"{name}: {ET.tostring(shape)} is outside",
                    )

    def test_the_table_has_a_row_per_task(self):
        table, proofs, unproven = self.made.stdout.split("\n\n")
        self.assertEqual([line.split()[0] for line in table.splitlines()[2:]], ALL)
        self.assertEqual(proofs, f"proven: {4 * len(PROVEN)} of {4 * len(ALL)} baselines")
        listed = collections.Counter(line.split("@")[0] for line in unproven.splitlines()[2:])
        self.assertEqual(listed, {name: 4 for name in ALL if name not in PROVEN})

    def test_a_scale_that_keeps_the_rule_says_so_and_one_that_does_not_too(self):
        for task in self.index["tasks"]:
            signal = task["signal"]
            self.assertEqual(signal["met"], signal["sentence"].startswith("met from d"))
            self.assertEqual(
                [level["level"] for level in signal["levels"]][:5], ["easy", "medium", "hard", "benchmark", "d0"]
            )
            self.assertEqual({level["draws"] for level in signal["levels"]}, {300})
            judged = [level for level in signal["levels"] if level["level"] == f"d{signal['benchmark_step']}"]
            self.assertEqual(len(judged), 1)
            if signal["met"]:
                self.assertLessEqual(judged[0]["greedy_optimal"], 0.3)
                self.assertGreaterEqual(judged[0]["qualities"], 4)
            self.assertIn(signal["sentence"], (self.folder / "card.md").read_text(encoding="utf-8"))


class Signal(unittest.TestCase):
    def test_shares_are_those_of_the_instances_they_are_about(self):
        with tempfile.TemporaryDirectory() as folder:
            run("bench-set", "--out", folder, "knapsack", "--count", "1", "--signal-count", "20", "--seed", "3")
            signal = json.loads(pathlib.Path(folder, "index.json").read_text())["tasks"][0]["signal"]
        made = run("generate", "knapsack", "--level", "easy", "--seed", "3", "--count", "20")
        found = rows(run("solve", "-", stdin=made.stdout))
        optimal = sum(row["greedy"] == row["objective"] for row in found)
        easy = signal["levels"][0]
        self.assertEqual((easy["greedy_optimal"], easy["proven"]), (optimal / 20, sum(row["proven"] for row in found)))
        sizes = sorted(2 + 2 * len(row["instance"]["weights"]) for row in found)
        self.assertEqual(easy["words"], statistics.median_high(sizes))


class Reproducible(unittest.TestCase):
    def files(self, *options):
        with tempfile.TemporaryDirectory() as folder:
            done = run(
                "bench-set", "--out", folder, "tsp", "independent_set", "--count", "3", "--signal-count", "2", *options
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            return {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}, done.stdout

    def test_any_number_of_threads_and_any_order_of_tasks_give_the_same_bytes(self):
        first = self.files("--threads", "1")
        self.assertEqual(first, self.files("--threads", "3", "--quiet"))
        self.assertNotEqual(first[0]["tsp.jsonl"], self.files("--seed", "2")[0]["tsp.jsonl"])

    def test_json_prints_the_index(self):
        files, out = self.files("--json")
        self.assertEqual(out.encode(), files["index.json"])


class Unique(unittest.TestCase):
    level = ["clique", "--level", "d0", "--count", "3000", "--seed", "5"]

    def test_generate_leaves_out_repeated_instances_and_says_how_many(self):
        everything = rows(run("generate", *self.level))
        first = {}
        for row in everything:
            first.setdefault(row["hash"], row)
        self.assertLess(len(first), len(everything), "the level repeats nothing: choose a smaller one")
        done = run("generate", *self.level, "--unique")
        self.assertEqual(rows(done), list(first.values()))
        self.assertIn(f"left out {len(everything) - len(first)} of 3000", done.stderr)

    def test_with_canonical_keys_an_instance_under_other_labels_is_a_repeated_one(self):
        first = {}
        for row in rows(run("generate", *self.level, "--canonical")):
            first.setdefault(row["canonical"], row)
        done = run("generate", *self.level, "--canonical", "--unique")
        self.assertEqual(rows(done), list(first.values()))
        self.assertLess(len(first), len(rows(run("generate", *self.level, "--unique"))), "no two are twins")
        self.assertIn(f"left out {3000 - len(first)} of 3000", done.stderr)

    def test_every_style_of_an_instance_stays(self):
        styles = len(rows(run("generate", "clique", "--level", "d0", "--prompts", "--style", "all")))
        kept = rows(run("generate", *self.level, "--unique", "--prompts", "--style", "all"))
        self.assertEqual(len(kept), styles * len({row["hash"] for row in kept}))

    def made_set(self, count, *options):
        """Its rows and its index's entry for the task."""
        with tempfile.TemporaryDirectory() as folder:
            done = run(
                "bench-set",
                "--out",
                folder,
                "clique",
                "--level",
                "d0",
                "--count",
                str(count),
                "--seed",
                "5",
                "--signal-count",
                "1",
                "--json",
                *options,
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            return read_rows(pathlib.Path(folder, "clique.jsonl")), json.loads(done.stdout)

    def test_a_set_takes_the_next_seed_for_a_repeated_instance(self):
        count = len(rows(run("generate", *self.level, "--split", "test", "--unique")))
        found, index = self.made_set(count, "--keep-relabelled")
        self.assertEqual(len({row["hash"] for row in found}), count)
        last = int(re.search(r"d0:(\d+)", found[-1]["key"])[1])
        self.assertEqual(
            (index["tasks"][0]["repeated_seeds"], index["tasks"][0]["relabelled_seeds"]), (last - 5 + 1 - count, 0)
        )
        self.assertIn("--keep-relabelled", index["command"])

    def test_a_set_has_no_problem_under_two_labellings(self):
        """Each seed as generate keeps or skips it, with each kind of repetition counted."""
        made = rows(run("generate", *self.level, "--split", "test", "--canonical"))
        hashes, forms, expected, repeated, relabelled = set(), set(), [], 0, 0
        for row in made:
            if row["hash"] in hashes:
                repeated += 1
            elif row["canonical"] in forms:
                relabelled += 1
            else:
                expected.append(row["key"].split("#")[0])
            hashes.add(row["hash"])
            forms.add(row["canonical"])
            if len(expected) == 40:
                break
        found, index = self.made_set(40)
        self.assertEqual([re.sub(r"(:s\d+)?#.*", "", row["key"]) for row in found], expected)
        self.assertEqual(
            (index["tasks"][0]["repeated_seeds"], index["tasks"][0]["relabelled_seeds"]), (repeated, relabelled)
        )
        self.assertGreater(relabelled, 10)
        self.assertNotIn("--keep-relabelled", index["command"])

    def test_too_few_problems_are_a_sentence_that_names_the_way_out(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run(
                "bench-set",
                "--out",
                folder,
                "graph_isomorphism",
                "--level",
                "d0",
                "--count",
                "50",
                "--signal-count",
                "1",
            )
            self.assertEqual(done.returncode, 2)
            self.assertIn("or say --keep-relabelled", done.stderr)


class Misuse(unittest.TestCase):
    def test_bad_values_are_bad_usage(self):
        for arguments in (
            [],
            ["--out", "x", "nope"],
            ["--out", "x", "--level", "silly"],
            ["--out", "x", "--count", "0"],
            ["--out", "x", "--format", "nope"],
            ["--out", "x", "--signal-count", "0"],
            ["--out", "x", "--seed", "-1"],
        ):
            self.assertEqual(run("bench-set", *arguments).returncode, 2, arguments)
            self.assertFalse(pathlib.Path("x").exists())

    def test_a_folder_that_cannot_be_made_is_a_failure(self):
        done = run("bench-set", "--out", "/dev/null/set", "tsp", "--count", "1", "--signal-count", "1")
        self.assertEqual(done.returncode, 3)
        self.assertIn("/dev/null/set", done.stderr)


if __name__ == "__main__":
    unittest.main()
