"""`optgap rubric import --tables`: every documented instruction id of IFEval and IFBench, with and without tables."""

import json
import pathlib
import tempfile
import unittest

import published_rows
from optgap_process import lines, rows, run

TABLES = {
    "languages": {
        "en": ["the", "is", "and"],
        "kn": ["ಮತ್ತು", "ಒಂದು"],
        "ja": ["は", "の", "です"],
        "th": ["และ", "ที่", "มาก"],
    },
    "stop_words": ["the", "a", "of"],
    "verbs": ["write", "take"],
    "syllables": {"tide": 1, "water": 2},
}


class Tables(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.write(TABLES)

    def write(self, tables):
        for name, value in tables.items():
            (pathlib.Path(self.folder.name) / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")

    def imported(self, given, source, *options):
        return run("rubric", "import", "-", "--quiet", "--from", source, *options, stdin=lines(*given))

    def test_there_are_as_many_ids_as_are_documented(self):
        self.assertEqual((len(published_rows.IFEVAL), len(published_rows.IFBENCH)), (25, 58))
        page = (pathlib.Path(__file__).parents[2] / "docs/checks.md").read_text(encoding="utf-8")
        for name in {**published_rows.IFEVAL, **published_rows.IFBENCH}:
            self.assertIn(f"| `{name}` |", page)

    def test_rows_of_every_id_import_and_are_scored(self):
        for source, given in (("ifeval", published_rows.IFEVAL), ("ifbench", published_rows.IFBENCH)):
            for mode in ("strict", "peer"):
                made = self.imported(published_rows.rows(given), source, "--tables", self.folder.name, "--mode", mode)
                self.assertEqual(made.returncode, 0, made.stderr)
                self.assertEqual(len(rows(made)), len(given))
                rewarded = run(
                    "score",
                    "-",
                    "--quiet",
                    stdin=lines(*({**row, "completion": "Take the tide."} for row in rows(made))),
                )
                self.assertEqual(rewarded.returncode, 0, rewarded.stderr)

    def test_without_tables_six_are_refused_and_say_which_they_need(self):
        for source, given in (("ifeval", published_rows.IFEVAL), ("ifbench", published_rows.IFBENCH)):
            made = self.imported(published_rows.rows(given), source)
            refused = {row["instruction_id_list"][0]: row["error"]["rule"] for row in rows(made) if "error" in row}
            self.assertEqual(set(refused), {name for name in published_rows.NEED_TABLES if name in given})
            for name, rule in refused.items():
                self.assertIn(f"needs the table {published_rows.NEED_TABLES[name]}.json", rule)

    def test_the_key_says_which_tables_they_are(self):
        def key():
            row = published_rows.rows({"words:start_verb": {}})
            return rows(self.imported(row, "ifbench", "--tables", self.folder.name))[0]["chain_key"]

        before = key()
        self.assertEqual(key(), before)
        self.write({"verbs": ["write"]})
        self.assertNotEqual(key(), before)

    def test_languages_are_told_apart_also_without_blanks(self):
        texts = {"en": "The tide is high and the moon is full.", "kn": "ಸೂರ್ಯ ಮತ್ತು ಚಂದ್ರ ಒಂದು ಕಥೆ.", "ja": "東京は日本の首都です。",
                 "th": "อาหารและภาษาที่ดีมาก"}  # fmt: skip
        for asked in texts:
            made = self.imported(published_rows.rows({"language:response_language": {"language": asked}}), "ifeval",
                                 "--tables", self.folder.name)  # fmt: skip
            (row,) = rows(made)
            rewarded = rows(
                run("score", "-", "--quiet", stdin=lines(*({**row, "completion": text} for text in texts.values())))
            )
            self.assertEqual([one["reward"] for one in rewarded], [float(name == asked) for name in texts])

    def test_what_cannot_be_read_is_refused(self):
        row = published_rows.rows({"language:response_language": {"language": "xx"}})
        self.assertIn("asks for the language xx", self.imported(row, "ifeval", "--tables", self.folder.name).stdout)
        self.write({"verbs": {"write": 1}})
        row = published_rows.rows({"words:start_verb": {}})
        self.assertIn("verbs", rows(self.imported(row, "ifbench", "--tables", self.folder.name))[0]["error"]["rule"])
        (pathlib.Path(self.folder.name) / "verbs.json").write_text("[", encoding="utf-8")
        done = self.imported(row, "ifbench", "--tables", self.folder.name)
        self.assertEqual((done.returncode, "verbs.json is no JSON" in done.stderr), (2, True))
        with tempfile.TemporaryDirectory() as empty:
            done = self.imported(row, "ifbench", "--tables", empty)
            self.assertEqual((done.returncode, "holds none of languages.json" in done.stderr), (2, True))
        done = self.imported([], "rubric", "--tables", self.folder.name)
        self.assertEqual((done.returncode, "--tables are of instructions" in done.stderr), (2, True))


if __name__ == "__main__":
    unittest.main()
