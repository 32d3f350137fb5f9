"""Python checks recognised as data: every recognised form gives the code's own verdicts on 200 texts and more, run in
the sandbox."""

import json
import os
import pathlib
import sys
import unittest

from optgap_process import lines, rows, run

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "python"))
from optgap.data.rubrics import proving, recognising  # noqa: E402

HOLDS = any(
    isolation_level["usable"] and isolation_level["language"] == "python"
    for isolation_level in json.loads(run("sandbox", "--json").stdout)["isolation_levels"]
)
HAS_RE2 = "error" not in rows(run("score", "-", stdin=lines({"chain": {"chain": 1, "style": [
    {"check": "pattern", "expression": "a+", "min": 1}]}, "completion": "a"})))[0]  # fmt: skip
REFERENCE = "The sea rises twice a day. The Moon pulls on it.\n\n- bulge\n- ocean\n\nHowever, the Sun does, too!"

ONE_LINE = r"""
100 <= len(r.split()) <= 300
len(r) < 200
len(r.split()) != 3
len(re.findall(r'^\s*[-*]\s', r, re.MULTILINE)) >= 3
bool(re.search(r'^#{1,6} ', r, re.MULTILINE))
2 <= len([p for p in r.split('\n\n') if p.strip()]) <= 5
len([p for p in re.split(r'\n\s*\n', r) if p.strip()]) >= 2
len(r.split('\n\n')) >= 3
len([s for s in re.split(r'[.!?]+', r) if s.strip()]) <= 10
any(w in r.lower() for w in ['however', 'but', 'think', 'sk'])
all(w in r for w in ('Title', 'Text'))
not re.search(r'\b(I|me|my|we)\b', r, re.IGNORECASE)
len(re.findall(r'\bword\b', r)) < 5
r.count('?') == 0 and '**' not in r
r.strip().endswith(('.', '!', '?'))
r.startswith('Dear')
r.strip().lower().startswith(('first', 'dear'))
sum(1 for line in r.split('\n') if line.strip().startswith('- ')) >= 2
sum(1 for line in r.splitlines() if line.strip().startswith(('-', '*', '•'))) >= 2
any(re.match(r'^\d+\.', line.strip()) for line in r.splitlines())
len([l for l in r.splitlines() if l.strip()]) >= 4
sum(w in r.lower() for w in ['data', 'the', 'word']) >= 2
len(re.findall(r'\w+', r)) >= 20
re.search(r'in conclusion|all is well', r, re.I) is not None
len(re.findall(r'[A-Z]\w*', r)) > 3
True if len(r) > 9 else '#' in r
""".strip().split("\n")
LONGER = [
    "def a(t):\n    'At least two.'\n    count = 0\n    for line in t.split('\\n'):\n"
    "        if line.strip().startswith('- ') or line.strip().startswith('* '):\n            count += 1\n    return count >= 2",
    "def a(t):\n    words = t.split()\n    if len(words) < 50:\n        return False\n    if len(words) > 300:\n        return False\n"
    "    return True",
    "def a(t):\n    for word in ['however', 'think']:\n        if word in t.lower():\n            return True\n    return False",
]
SHAPES = [f"def f(r): return {line}" for line in ONE_LINE] + LONGER
NOT_SHAPES = ["import re\ndef f(r): return True", "def f(r): return bool(re.search(r'(\\w)\\1', r))", "def f(r): return eval('1')",
              "def f(r): return open('/etc/passwd')", "def f(r", "x = 1", "", "def f(r): return bool(re.search(r'(?<!a)b', r))",
              "def f(r, s): return True", "def f(r): return max(len(l) for l in r.split('\\n')) < 80", "@x\ndef f(r): return True",
              "def f(r): return " + "-" * 5000 + "1", "def f(r): return " + "(" * 150 + "1" + ")" * 150 + "[0]", "(" * 8000, "\0",
              "def f(r): return bool(re.search('" + "(" * 600 + "', r))", "def f(r): return bool(re.search('(a{999}){999}x\\\\b', r))",
              "def f(r): yield 1", "def f(r): return " + " and ".join(["r"] * 2000), "#" * 9000]  # fmt: skip


def score(given):
    return rows(run("score", "-", "--quiet", "--isolation", "auto", stdin=lines(*given)))


class Shapes(unittest.TestCase):
    def test_usual_shapes_are_read_and_nothing_else_is(self):
        for code in SHAPES:
            with self.subTest(code):
                self.assertIsInstance(recognising.recognise(code), dict)
        for code in NOT_SHAPES:
            with self.subTest(code[:60]), self.assertRaises(recognising.Unknown):
                recognising.recognise(code)

    def test_texts_are_many_and_the_same_every_time(self):
        texts = proving.texts_for([SHAPES[0]], [REFERENCE])
        self.assertGreaterEqual(len(texts), proving.MIN_TEXTS)
        self.assertEqual(texts, proving.texts_for([SHAPES[0]], [REFERENCE]))


@unittest.skipUnless(HOLDS or "sandbox" in os.environ.get("OPTGAP_REQUIRE", ""), "no isolation level holds Python here")
class Proven(unittest.TestCase):
    @unittest.skipUnless(HAS_RE2, "this build has no RE2")
    def test_recognised_checks_have_the_codes_verdicts(self):
        self.assertEqual(proving.proven(SHAPES, [REFERENCE], score)[1], {})

    def test_a_wrong_proposal_is_found_out(self):
        right = proving.recognise
        proving.recognise = lambda code: {"check": "words", "min": 3}  # counts \w+ runs, where the code counts pieces
        self.addCleanup(setattr, proving, "recognise", right)
        code = "def f(r): return len(r.split()) >= 3"
        sound, refused = proving.proven([code], [REFERENCE], score)
        self.assertEqual(sound, {})
        self.assertTrue(refused[code].startswith("unequal"), refused)

    def test_rubrics_are_rewritten_and_coverage_is_counted(self):
        rubric = {"chain": 1, "references": [REFERENCE], "style": [
            {"check": "code", "code": "def f(r): return len(r.split()) >= 3", "weight": 0.75},
            {"check": "code", "code": "def f(r): return eval('1')", "weight": 0.25}]}  # fmt: skip
        found = proving.with_recognised([{"chain": rubric}], score)
        self.assertEqual(rubric["style"], [{"check": "pieces", "min": 3, "weight": 0.75},
                                          {"check": "code", "code": "def f(r): return eval('1')", "weight": 0.25}])  # fmt: skip
        self.assertEqual((found.checks, found.recognised, found.recognised_weight, found.weight), (2, 1, 0.75, 1.0))
        self.assertIn("1 of 2", found.sentence())
        self.assertIn("by weight 75.0 %", found.sentence())
        self.assertEqual(found.reasons, {"a call of eval": 1})


if __name__ == "__main__":
    unittest.main()
