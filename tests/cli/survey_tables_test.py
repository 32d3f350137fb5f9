"""docs/external.md has the tables that the recorded surveys give, and a survey becomes a record without what is by chance."""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "tables"))
import survey_tables  # noqa: E402


def survey(*exceptions):
    one = {"name": "ab/toy", "version": "1", "exceptions": list(exceptions)}
    return {"isolation": "trusted", "environments": [one, {**one, "name": "ab/fair", "exceptions": []}]}


class SurveyTables(unittest.TestCase):
    def test_the_page_is_current(self):
        with contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertEqual(survey_tables.main([]), 0, said.getvalue())

    def test_sentences_lose_what_is_by_chance(self):
        found = survey_tables.record(
            survey(
                "the wrong answer 'ghijkmnopqabcdefghijkmnopqabcdef' is accepted",
                "the wrong answer '1000006' is accepted",
                "no problem of d2, seed 1: external_error: ValueError: /home/me/x.py",
                "no problem of d0, seed 0: external_error: ValueError: /home/me/x.py",
            )
        )
        self.assertEqual(
            found["exceptions"],
            {
                "toy": {
                    "the wrong answer letters by chance is accepted": 1,
                    "the wrong answer is accepted": 1,
                    "no problem: external_error: ValueError: x.py": 2,
                }
            },
        )
        self.assertEqual(found["source"], "ab/*")

    def test_a_record_replaces_the_one_of_its_source_and_makes_the_page_stale(self):
        with tempfile.TemporaryDirectory() as folder:
            records, page, made = (pathlib.Path(folder) / name for name in ("r.jsonl", "p.md", "s.json"))
            page.write_text(survey_tables.begin("ab/*") + survey_tables.END)
            before = survey_tables.RECORDS, survey_tables.PAGE, survey_tables.ROOT
            survey_tables.RECORDS, survey_tables.PAGE, survey_tables.ROOT = records, page, pathlib.Path(folder)
            counts = dict.fromkeys(("made", "problems_asked", "accepted", "references", "refused", "wrong_answers",
                                    "run_answers_as_code", "with_exceptions"), 1)  # fmt: skip
            try:
                for sentence in ("first", "its reference 'x' is refused"):
                    made.write_text(json.dumps({**survey(sentence), **counts}))
                    self.assertEqual(survey_tables.main(["--record", str(made)]), 0)
                self.assertEqual(len(records.read_text().splitlines()), 1)
                with contextlib.redirect_stdout(io.StringIO()) as said:
                    self.assertEqual(survey_tables.main([]), 1)
                self.assertIn("is stale", said.getvalue())
                self.assertEqual(survey_tables.main(["--write"]), 0)
                self.assertEqual(survey_tables.main([]), 0)
                self.assertIn("| its reference is refused | `toy` 1 |", page.read_text())
            finally:
                survey_tables.RECORDS, survey_tables.PAGE, survey_tables.ROOT = before


if __name__ == "__main__":
    unittest.main()
