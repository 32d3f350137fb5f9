#!/usr/bin/env python3
"""Checks of style: Unicode tables, samples against other implementations (tests/oracle/checks), vacuity, refusals,
loose."""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROWS = pathlib.Path(os.environ.get("OPTGAP_BINARY", ROOT / "build/release/optgap")).parent / "optgap_check_rows"
HERE = ROOT / "tests/oracle/checks"


def run(script, *arguments):
    return subprocess.run(
        [sys.executable, "-B", str(script), *map(str, arguments)], capture_output=True, text=True, check=False
    )


def ask(*rows):
    asked = "".join(json.dumps(row) + "\n" for row in rows)
    done = subprocess.run([ROWS], input=asked, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.split("\n") if line]


class Evidence(unittest.TestCase):
    def passes(self, done):
        self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-2000:])

    def test_unicode_tables_are_what_their_hash_and_their_tool_say(self):
        self.passes(run(ROOT / "tools/unicode/tables.py", "--check"))

    def test_measures_and_splits_are_those_of_plain_python(self):
        self.passes(run(HERE / "check_measures.py", ROWS, "--texts", 200))

    def test_types_as_published_are_those_of_plain_python_and_of_unpacked_peers(self):
        offline = [] if (ROOT / "build/check-peers/lm_eval").is_dir() else ["--offline"]
        self.passes(run(HERE / "check_peers.py", ROWS, "--texts", 400, *offline))

    def test_a_constant_word_earns_a_third_as_published_and_nothing_in_our_form(self):
        done = run(HERE / "vacuity.py", ROWS)
        self.passes(done)
        found = {mode: re.findall(rf" {mode}: .* passes ([0-9.]+) %", done.stdout) for mode in ("peer", "strict")}
        self.assertEqual(len(found["peer"]), 3)
        page = (ROOT / "docs/checks.md").read_text(encoding="utf-8")
        self.assertIn("\n| `peer` | " + " | ".join(f"{share} %" for share in found["peer"]) + " |\n", page)
        self.assertIn(
            "\n| `strict` | "
            + " | ".join("0" if share == "0.0" else f"{share} %" for share in found["strict"])
            + " |\n",
            page,
        )


class Page(unittest.TestCase):
    def test_the_tables_are_fresh(self):
        done = subprocess.run(
            [sys.executable, "-B", str(ROOT / "tools/checks/page.py")],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "OPTGAP_CHECK_ROWS": str(ROWS)},
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_its_examples_are_checks(self):
        page = (ROOT / "docs/checks.md").read_text(encoding="utf-8")
        examples = [
            line for block in re.findall(r"^```json\n(.*?)^```", page, re.S | re.M) for line in block.splitlines()
        ]
        self.assertGreater(len(examples), 4)
        for line in examples:
            self.assertNotIn("error", ask({"check": json.loads(line), "texts": ["a"]})[0], line)


class Rules(unittest.TestCase):
    def verdicts(self, check, *texts, **more):
        result = ask({"check": check, "texts": texts, **more})[0]
        self.assertNotIn("error", result)
        return result["passed"]

    def refused(self, check, *parts):
        sentence = ask({"check": check, "texts": ["a"]})[0].get("error", "")
        for part in parts:
            self.assertIn(part, sentence)

    def test_combinations_count_their_parts(self):
        short, long = {"check": "words", "max": 2}, {"check": "words", "min": 4}
        self.assertEqual(self.verdicts({"any": [short, long]}, "a", "a b c", "a b c d"), "101")
        self.assertEqual(self.verdicts({"all": [short, {"not": long}]}, "a", "a b c"), "10")
        self.assertEqual(
            self.verdicts({"at_least": 2, "of": [short, {"check": "commas", "equals": 0}, long]}, "a", "a,", "a b c"),
            "100",
        )

    def test_scopes_judge_parts(self):
        each = {"check": "words", "in": [2, 3], "scope": {"each": "sentence"}}
        self.assertEqual(self.verdicts(each, "A b. C d e.", "A b. C.", ""), "100")
        self.assertEqual(
            self.verdicts(
                {"check": "first_word", "word": "so", "scope": {"paragraph": -1}}, "a\n\nSo it is", "So\n\na"
            ),
            "10",
        )
        self.assertEqual(self.verdicts({"check": "bullets", "min": 1, "scope": {"some": "line"}}, "x\n- y", "x"), "10")

    def test_ratios_are_per_mille_of_what_the_measure_is_a_share_of(self):
        self.assertEqual(self.verdicts({"check": "upper_letters", "ratio_max": 200}, "Abcde", "ABcde", "12"), "100")

    def test_loose_takes_any_of_eight_texts(self):
        check = {"check": "startend:quotation"}
        texts = ['Sure:\n"a b"', '*"a b"*', 'x "a b"']
        self.assertEqual(self.verdicts(check, *texts), "000")
        self.assertEqual(self.verdicts(check, *texts, loose=True), "110")

    def test_a_users_table_stands_for_a_detector(self):
        table = {"en": ["the", "is"], "de": ["der", "ist"]}
        check = {"check": "language:response_language", "language": "de", "table": table}
        self.assertEqual(self.verdicts(check, "der Hund ist da", "the dog is the best", "12"), "100")
        self.assertEqual(self.verdicts({**check, "mode": "peer"}, "12"), "1")

    def test_bad_checks_are_refused_with_place_and_field(self):
        self.refused({"check": "wrods", "min": 1}, "check.check", "wrods", "docs/checks.md")
        self.refused({"check": "words"}, "a bound is missing")
        self.refused({"check": "words", "min": 5, "max": 2}, "nothing is from 5 to 2")
        self.refused({"check": "words", "min": 1, "equals": 2}, "one of min and max, in, equals")
        self.refused({"check": "lines", "ratio_min": 1}, "share of nothing")
        self.refused({"check": "words", "min": 1, "case": True}, "check.case", "no such field")
        self.refused({"check": "words", "min": -1}, "check.min", "integer")
        self.refused({"check": "headings", "min": 1, "scope": {"page": 1}}, "check.scope", "paragraph")
        self.refused({"check": "nesting", "of": "stars", "min": 1}, "brackets quotes")
        self.refused({"all": []}, "check.all", "something in it")
        self.refused({"at_least": 3, "of": [{"check": "commas", "max": 1}]}, "3 of 1")
        self.refused({"all": [{"check": "commas", "max": 1, "weight": 1}]}, "check.all[0].weight")
        self.refused({"check": "ratio:stop_words", "percentage": 5}, "stop_words", "table of the user's")
        self.refused({"check": "words:odd_even_syllables"}, "syllables", "table of the user's")
        self.refused({"check": "language:response_language", "language": "de"}, "no language detector")
        self.refused(
            {"check": "keywords:frequency", "keyword": "a", "frequency": 2, "relation": "more"}, "less than, at least"
        )
        self.refused({"check": "code"}, "code: the check's Python is missing")
        self.refused({"check": "count:words_japanese", "N": 0}, "1 or more")
        nested = {"check": "commas", "max": 1}
        for _ in range(9):
            nested = {"not": nested}
        self.refused(nested, "deep in each other")

    def test_patterns_are_re2_or_refused_by_name(self):
        result = ask(
            {
                "check": {"check": "pattern", "expression": "^[a-z]+$", "multiline": True, "equals": 2},
                "texts": ["ab\ncd", "ab 1"],
            }
        )[0]
        if "error" in result:
            self.assertIn("no", result["error"])
            self.assertIn("RE2", result["error"])
            return
        self.assertEqual(result["passed"], "10")
        shared = json.loads((pathlib.Path(__file__).resolve().parent.parent / "checks/pattern_counts.json").read_text())
        for expression, ignore_case, multiline, text, count in shared["rows"]:
            row = {
                "check": {
                    "check": "pattern",
                    "expression": expression,
                    "ignore_case": ignore_case,
                    "multiline": multiline,
                },
                "texts": [text],
            }
            self.assertEqual(ask(row)[0]["values"], [[count, 1]], row)
        for expression in shared["refused"]:
            self.refused({"check": "pattern", "expression": expression}, "check.expression", "RE2")
        self.refused({"check": "pattern", "expression": "a" * 100 + "|" * 101}, "at most 200")


if __name__ == "__main__":
    if not ROWS.exists():
        print(f"SKIPPED: no {ROWS}; the target optgap_check_rows builds it")
        sys.exit(1 if "oracle" in os.environ.get("OPTGAP_REQUIRE", "").split() else 77)
    unittest.main()
