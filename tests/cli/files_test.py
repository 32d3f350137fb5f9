"""External instance files, tests/files: what `solve` proves for each, or that one sentence refuses it.

`expected.json` names task, verdict ("solve", "refuse", "either") and optimum. Files of one task go to one process.
"""

import gzip
import json
import pathlib
import tempfile
import unittest

from optgap_process import rows, run

FILES = pathlib.Path(__file__).resolve().parent.parent / "files"


def solve(task, *paths):
    """The rows, one per file."""
    return rows(run("solve", "--quiet", "--task", task, *map(str, paths)))


class Files(unittest.TestCase):
    def test_each_file_is_proven_or_refused_in_one_sentence(self):
        cases = json.loads((FILES / "expected.json").read_text())
        self.assertEqual({case["file"] for case in cases}, {path.name for path in FILES.iterdir()} - {"expected.json"})
        for task in sorted({case["task"] for case in cases}):
            group = [case for case in cases if case["task"] == task]
            found = solve(task, *(FILES / case["file"] for case in group))
            self.assertEqual(len(found), len(group), (task, found))
            for case, row in zip(group, found, strict=True):
                with self.subTest(file=case["file"]):
                    if "error" in row:
                        self.assertIn(case["verdict"], ("refuse", "either"), row)
                        self.assertLess(len(row["error"]["rule"]), 400)
                    else:
                        self.assertIn(case["verdict"], ("solve", "either"), row)
                        self.assertEqual((row["proven"], row["objective"]), (True, case["optimum"]))

    def test_convert_writes_what_it_reads(self):
        """Files that it writes are read back as the same instance."""
        cases = [case for case in json.loads((FILES / "expected.json").read_text()) if case["verdict"] == "solve"]
        for case in cases:
            path = str(FILES / case["file"])
            with self.subTest(file=case["file"]):
                (row,) = rows(run("convert", path, "--task", case["task"]))
                self.assertEqual(row["task"], case["task"])
                done = run("convert", "-", "--to", "file", stdin=json.dumps(row))
                self.assertEqual((done.returncode, done.stderr), (0, ""))
        text = "NAME : instance\nTYPE : TSP\nDIMENSION : 5\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n"
        done = run("convert", str(FILES / "cities.csv"), "--task", "tsp", "--to", "file")
        self.assertTrue(done.stdout.startswith(text + "1 30 40\n"), done.stdout)
        row = {"task": "tsp", "instance": {"points": [[0.5, 0], [3, 4], [1, 1]], "metric": "euc_2d"}}
        for given, expected in (
            (json.dumps(row), "euc_2d_doubles"),
            (json.dumps({"key": "queens@1:test:easy:1"}), "has no format of files"),
            ("", "writes one instance, but 0 are given"),
            (
                json.dumps({"key": "tsp@1:test:easy:1"}) + "\n" + json.dumps({"key": "tsp@1:test:easy:2"}),
                "but 2 are given",
            ),
        ):
            done = run("convert", "-", "--to", "file", stdin=given)
            self.assertNotEqual(done.returncode, 0)
            self.assertEqual(done.stdout, "")
            self.assertIn(expected, done.stderr)

    def test_what_stands_around_a_text_is_taken_off(self):
        text = (FILES / "matrix.csv").read_bytes()
        packed = gzip.compress(text)
        with tempfile.TemporaryDirectory() as folder:
            here = pathlib.Path(folder)
            files = {
                "mark.csv": (b"\xef\xbb\xbf" + text, 102),
                "packed.csv.gz": (packed, 102),
                "MATRIX.CSV": (text, 102),
                "unnamed": (text, 102),
                "named_wrong.csv": (packed, 102),
                "members.csv.gz": (gzip.compress(text[:20]) + gzip.compress(text[20:]), 102),
                "cut.csv.gz": (packed[:-9], "it is packed by gzip and cut"),
                "broken.csv.gz": (packed[:12] + b"\xff" * 9 + packed[21:], "it begins as gzip does, but is broken"),
                "more.csv.gz": (packed + b"x", "it is packed by gzip, and further bytes stand behind"),
                "returns.csv": (text.replace(b"\n", b"\r"), 102),
                "wide.csv": (text.decode().encode("utf-16"), "the file is UTF-16"),
            }
            for name, (data, _) in files.items():
                (here / name).write_bytes(data)
            found = solve("tsp", *(here / name for name in files))
            for (name, (_, expected)), row in zip(files.items(), found, strict=True):
                with self.subTest(name=name):
                    if isinstance(expected, int):
                        self.assertEqual(row.get("objective"), expected, row)
                    else:
                        self.assertTrue(row["error"]["rule"].startswith(expected), row)

    def test_rows_stay_rows_and_a_foreign_file_is_one_sentence(self):
        row = '{"task": "tsp", "instance": {"distances": [[0, 1, 2], [1, 0, 3], [2, 3, 0]]}}\n'
        with tempfile.TemporaryDirectory() as folder:
            here = pathlib.Path(folder)
            for name in ("rows.txt", "rows.json", "rows.csv", "rows.jsonl", "rows"):
                (here / name).write_text("rubbish\n" + row * 2)
                found = solve("tsp", here / name)
                self.assertEqual([each.get("objective", "error") for each in found], ["error", 6, 6], name)
            (here / "letter").write_text("Dear colleague,\nthe distances are below.\n" * 100)
            done = run("solve", str(here / "letter"))
            self.assertNotEqual(done.returncode, 0)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertIn("holds no rows of JSON and no task knows its extension", done.stderr)
            (here / "empty.csv").write_text("\n")
            (refused,) = solve("tsp", here / "empty.csv")
            self.assertTrue(refused["error"]["rule"].startswith("the file is empty"), refused)
            (here / "code").write_text("int main()\n{\n    return 0;\n}\n" * 50)
            self.assertEqual(len(run("solve", str(here / "code")).stderr.splitlines()), 1)
            (refused,) = solve("tsp", here / "code")
            self.assertIn("expected the keywords of a TSPLIB file", refused["error"]["rule"])
            (refused,) = solve("queens", here / "letter")
            self.assertIn("the task reads no files of others", refused["error"]["rule"])


if __name__ == "__main__":
    unittest.main()
