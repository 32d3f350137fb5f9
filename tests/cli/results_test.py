"""bench/results: every line is a result, each measurement occurs once, and the pages' numbers are those of the
lines."""

import contextlib
import io
import json
import pathlib
import shutil
import sys
import tempfile
import unittest

from optgap_process import run

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RESULTS = ROOT / "bench/results"
sys.path.insert(0, str(RESULTS))
import pages  # noqa: E402

TEXTS = {"benchmark", "machine", "device", "instruction_set", "commit", "date", "command"}
MAX_LINES = 2000
MEASURED = {"task", "level", "batch", "unit", "rate", "median_s", "spread", "taken", "samples", "text_bytes", "steps"}
WHOLE = {"ceiling", "goal", "interference", "peers", "gpu_check"}  # benchmarks whose lines have another form


def lines_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def said(arguments, root=ROOT):
    """Exit code and everything printed."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
        code = pages.main(arguments, root)
    return code, text.getvalue()


class Lines(unittest.TestCase):
    def test_every_line_says_what_was_measured_and_where(self):
        count = 0
        for path in RESULTS.glob("*.jsonl"):
            for number, line in enumerate(lines_of(path), 1):
                count += 1
                with self.subTest(file=path.name, line=number):
                    for field in TEXTS:
                        self.assertTrue(isinstance(line[field], str) and line[field], field)
                    self.assertRegex(line["date"], r"^\d{4}-\d\d-\d\d$")
                    self.assertRegex(line["commit"], r"^[0-9a-f]{40}$")
                    self.assertGreater(line["threads"], 0)
                    self.assertLessEqual(len(line.get("samples", [])), 15)
                    if line["benchmark"] not in WHOLE:
                        self.assertEqual(MEASURED - set(line), set())
                        # Except for the samples' rounding. Spreads are of times, whose median gives the rate.
                        self.assertLessEqual(min(line["samples"]), line["rate"] * 1.001)
                        self.assertGreaterEqual(max(line["samples"]), line["rate"] * 0.999)
        self.assertLess(count, MAX_LINES)
        self.assertGreater(count, 100)

    def test_each_measurement_stands_there_once_and_in_its_place(self):
        with tempfile.TemporaryDirectory() as folder:
            for path in RESULTS.glob("*.jsonl"):
                merged = pathlib.Path(folder) / path.name
                done = run("bench", "merge", str(merged), str(path), "--quiet")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(
                    merged.read_text(encoding="utf-8"), path.read_text(encoding="utf-8"), "optgap bench merge"
                )

    def test_nothing_else_lies_beside_them(self):
        self.assertEqual(
            {path.suffix for path in RESULTS.iterdir() if path.is_file()}, {".jsonl", ".json", ".py", ".sh"}
        )


class Pages(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.here = pathlib.Path(scratch.name)
        shutil.copytree(RESULTS, self.here / "bench/results")
        shutil.copytree(ROOT / "docs", self.here / "docs")
        shutil.copy(ROOT / "README.md", self.here)

    def change(self, name, old, new):
        path = self.here / name
        text = path.read_text(encoding="utf-8")
        self.assertIn(old, text)
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    def mixes(self):
        """The line of README.md's mixes: of one thread, the newest."""
        lines = lines_of(self.here / "bench/results/cpu.jsonl")
        mixes = [line for line in lines if line["benchmark"] == "mix" and line["threads"] == 1]
        return max(mixes, key=lambda line: line["date"])

    def mended(self, name):
        """Whether --write restores a page to its content in the tree."""
        self.assertEqual(said(["--write"], self.here)[0], 0)
        return (self.here / name).read_text(encoding="utf-8") == (ROOT / name).read_text(encoding="utf-8")

    def test_no_number_of_the_tree_is_another_than_its_line_s(self):
        self.assertEqual(said(["--check"]), (0, ""))

    def test_a_number_that_is_stale_is_named_with_its_claim_and_mended(self):
        proven = pages.shown(self.mixes()["rate"], "figure")
        for page, old, new, expected in (
            (
                "README.md",
                f"proven: {proven} times",
                "proven: 123456 times",
                "README.md: 'Benchmark level, one thread of `{mix.machine}`, commit",
            ),
            (
                "README.md",
                f"proven: {proven} times",
                "proven: 123456 times",
                f"{{mix.rate|figure}} is '123456', expected '{proven}'",
            ),
            (
                "docs/performance.md",
                "| RiVER ranks, on `epyc-2vcpu` | ",
                "| RiVER ranks, on `epyc-2vcpu` | 1",
                "docs/performance.md: '| RiVER ranks, on `{river.machine}` | {river.rate|si:2}",
            ),
            (
                "docs/evidence.md",
                " CP-SAT |",
                " CPSAT |",
                "docs/evidence.md: the table 'Peers' is not what its lines are",
            ),
            (
                "docs/resident.md",
                "ms (`meeting`)",
                "s (`meeting`)",
                "docs/resident.md: 'Two hundred steps of 256 searches",
            ),
        ):
            with self.subTest(page=page, expected=expected):
                self.change(page, old, new)
                code, text = said(["--check"], self.here)
                self.assertEqual(code, 1)
                self.assertIn(expected, text)
                self.assertTrue(self.mended(page))
                self.assertEqual(said(["--check"], self.here)[0], 0)

    def test_white_space_may_be_broken_anywhere(self):
        text = (self.here / "README.md").read_text(encoding="utf-8")
        self.change("README.md", "One instance of every", "One\ninstance  of\nevery")
        self.assertEqual(said(["--check"], self.here), (0, ""))
        self.change("README.md", "One\ninstance  of\nevery", "One instance of every")
        self.assertEqual((self.here / "README.md").read_text(encoding="utf-8"), text)

    def test_a_claim_or_a_line_that_is_gone_is_no_silence(self):
        self.change("README.md", "generated and", "made and")
        code, text = said(["--write"], self.here)
        self.assertEqual(code, 1)
        self.assertIn("stands there 0 times, expected 1", text)
        self.change("README.md", "made and", "generated and")
        self.change("README.md", "| [`tsp`]", "| [`tps`]")
        self.assertIn("bench/results has no line 'solve'", said(["--check"], self.here)[1])
        self.change("README.md", "| [`tps`]", "[`tsp`]")
        self.assertIn("stands there 9 times, expected 10", said(["--check"], self.here)[1])
        self.change("docs/evidence.md", "<!-- Peers ends. -->\n", "")
        self.assertIn("needs these two lines", said(["--check"], self.here)[1])

    def test_a_newer_run_on_another_machine_takes_the_pages_over(self):
        path = self.here / "bench/results/cpu.jsonl"
        fresh, old = [], self.mixes()
        for line in lines_of(path):
            if line["machine"] != old["machine"]:
                continue
            for field in ("rate", "value"):
                if field in line:
                    line[field] *= 2
            fresh.append(
                line | {"machine": "a newer one, 2 processors", "date": "2999-01-01", "commit": "abcdef0" + "1" * 33}
            )
        with path.open("a", encoding="utf-8") as out:
            out.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in fresh)
        self.assertEqual(said(["--write"], self.here)[0], 0)
        self.assertEqual(said(["--check"], self.here), (0, ""))
        readme = (self.here / "README.md").read_text(encoding="utf-8")
        self.assertIn("one thread of `a newer one, 2 processors`, commit abcdef0.", readme)
        self.assertIn(f"proven: {pages.shown(2 * old['rate'], 'figure')} times", readme)
        self.assertNotIn(f"`{old['machine']}`", readme)
        card = next(line for line in lines_of(self.here / "bench/results/gpu.jsonl") if line["benchmark"] == "ceiling")
        self.assertIn(f"machine `{card['machine']}`", (self.here / "docs/performance.md").read_text(encoding="utf-8"))

    def test_numbers_are_written_one_way(self):
        for form, value, text in (
            ("si", 1189000, "1.19 M"),
            ("si", 246.1, "246"),
            ("si:2", 9.153e9, "9.2 G"),
            ("si", 999_960, "1.00 M"),
            ("time", 9.19e-3, "9.2 ms"),
            ("time", 8.51e-4, "851 µs"),
            ("time", 1.76e-6, "1.8 µs"),
            ("time", 12, "12 s"),
            ("percent", 0.0049, "0.49 %"),
            ("percent", 0.603, "60 %"),
            ("ratio", 1763.2, "1,763"),
            ("ratio", 2.59, "2.6"),
            ("fixed", 1.999, "2.00"),
            ("figure", 3.88, "3.9"),
            ("figure", 250.9, "251"),
            ("figure", 0, "0"),
            ("first", "f78e6e40d3", "f78e6e4"),
            ("one_in", 405, "130"),
            ("text", 441, "441"),
        ):
            self.assertEqual(pages.shown(value, form), text, (form, value))
        with self.assertRaisesRegex(pages.Problem, "no format 'metres'"):
            pages.shown(1, "metres")


if __name__ == "__main__":
    unittest.main()
