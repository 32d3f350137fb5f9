"""Python checks of rubrics: run in the sandbox, one process for one code and a list of texts, including hostile
ones."""

import json
import os
import unittest

from optgap_process import lines, rows, run

HERE = json.loads(run("sandbox", "--json").stdout)
HOLDS = any(
    isolation_level["usable"] and isolation_level["language"] == "python"
    for isolation_level in HERE["isolation_levels"]
)

HOSTILE = {
    "def f(r):\n    while True: pass": "run_time",
    "def f(r):\n    while True:\n        try:\n            while True: pass\n        except BaseException: pass": "run_time",
    "def f(r):\n    return bool(re.match('(a+)+$', 'a' * 40 + 'b'))": "run_time",
    "def f(r):\n    return len('x' * 10 ** 10)": "run_memory",
    "import os\ndef f(r): return True": "imports os",
    "def f(r):\n    import subprocess\n    return True": "imports subprocess",
    "def f(r):\n    return open('/etc/passwd').read()": "raises FileNotFoundError|raises PermissionError",
    "def f(r):\n    json.codecs.sys.modules['posix']._exit(7)": "run_no_output|run_exit",
    "def f(r):\n    json.codecs.sys.modules['posix'].kill(0, 9)": "raises PermissionError|run_crash",
    "def f(r):\n    raise SystemExit(0)": "raises SystemExit",
    "def f(r": "raises SyntaxError",
    "def f(r):\n    return f(r)": "raises NameError",  # functions do not see the scope that they are bound in, as published
    "f = lambda r: (lambda g: g(g))(lambda g: g(g))": "raises RecursionError",
    "import re\ndef f(r): return True": "raises TypeError",  # the first name is the module: so it is published
    "1 + 1": "binds no name",
    "(" * 3000: "raises SyntaxError|raises MemoryError|run_crash",
    "\x00": "raises ",
}


def rubric(*codes):
    return {"chain": 1, "style": [{"check": "code", "code": code} for code in codes]}


def score(*given, isolation="auto"):
    done = run("score", "-", "--quiet", *(("--isolation", isolation) if isolation else ()), stdin=lines(*given))
    return done, rows(done)


class Refused(unittest.TestCase):
    def test_nothing_runs_unasked_and_every_command_says_so(self):
        row = {"chain": {**rubric("def f(r): return True"), "references": ["a b c d"]}, "completion": "a"}
        done, (found,) = score(row, isolation=None)
        self.assertEqual((done.returncode, found["error"]["field"]), (1, "chain.style"))
        self.assertIn("--isolation auto", found["error"]["rule"])
        done, (found,) = score(row, isolation="wasm")
        self.assertEqual((done.returncode, found["error"]["field"]), (1, "isolation"))
        self.assertIn("wasm", found["error"]["rule"])
        for command in ("check", "floors"):
            (found,) = rows(run("chain", command, "-", "--quiet", stdin=lines(row)))
            self.assertEqual(found["error"]["field"], "chain.style", command)
        done = run("rubric", "explain", "-", stdin=lines(row))
        self.assertEqual(done.returncode, 2)
        self.assertIn("check in Python", done.stderr)
        long = {"chain": rubric("#" * 8193), "completion": "a"}
        self.assertIn("8193 bytes", score(long)[1][0]["error"]["rule"])


@unittest.skipUnless(HOLDS or os.environ.get("OPTGAP_REQUIRE") == "sandbox", "no isolation level holds Python here")
class Run(unittest.TestCase):
    def test_hostile_codes_earn_nothing_and_say_why(self):
        good = {"check": "words", "min": 1}
        given = [{"chain": {"chain": 1, "style": [*rubric(code)["style"], good]}, "completion": text}
                 for code in HOSTILE for text in ("one two", "three")]  # fmt: skip
        done, found = score(*given)
        self.assertEqual(done.returncode, 0, done.stderr)
        for code, first, second in zip(HOSTILE, found[::2], found[1::2], strict=True):
            for row in (first, second):
                self.assertEqual((row["checks"], row["total"]), ([0, 1], 0.5), code)
                reason = row["check_reasons"]["0"]
                self.assertTrue(any(reason.startswith(one) for one in HOSTILE[code].split("|")), (code, reason))

    def test_verdicts_hang_on_one_text_alone(self):
        """A text that kills its process or takes too long does not affect other texts; the third such text is the
        last."""
        code = ("def f(r):\n    if r.startswith('die'): json.codecs.sys.modules['posix']._exit(3)\n"
                "    while r == 'loop': pass\n    return len(r.split()) >= 2")  # fmt: skip
        texts = ["a b", "die 1", "loop", "c d", "e", "die 2", "never asked", "a b"]
        found = score(*({"chain": rubric(code), "completion": text} for text in texts))[1]
        self.assertEqual([row["checks"][0] for row in found], [1, 0, 0, 1, 0, 0, 0, 1])
        reasons = [row.get("check_reasons", {}).get("0") for row in found]
        self.assertEqual(
            (reasons[0], reasons[2], reasons[4], reasons[6], reasons[7]), (None, "run_time", None, "not_run", None)
        )

    def test_the_first_name_is_called_and_truth_counts(self):
        codes = {"def f(r): return 'yes'": 1, "def f(r): return []": 0, "f = lambda r: r == 'x \\u00e9 \\u4e2d'": 1,
                 "def a(r): return True\ndef f(r): return False": 1, "def f(r):\n    print('[0, \"\"]')\n    return 1": 1}  # fmt: skip
        (row,) = score({"chain": rubric(*codes), "completion": "x é 中"})[1]
        self.assertEqual(row["checks"], list(codes.values()))
        combined = {"chain": 1, "style": [{"not": {"check": "code", "code": "def f(r): return False"}},
                                          {"not": {"check": "code", "code": "def f(r): return 1 / 0"}}]}  # fmt: skip
        (row,) = score({"chain": combined, "completion": "x"})[1]
        self.assertEqual((row["checks"], row["check_reasons"]), ([1, 0], {"1": "raises ZeroDivisionError"}))

    def test_labels_with_codes_are_rewarded(self):
        split = "[[[SPLIT]]]"
        style = {"key_points": [{"verification_code": "def f(r):\n    return len(r) < 9", "weight": 0.25},
                                {"verification_code": "def f(r):\n    return '#' in r", "weight": 0.75}]}  # fmt: skip
        label = f"The sea{split}[[['sea']]]{split}{style!r}"
        done = run("rubric", "import", "-", "--from", "rlvrr", stdin=lines({"label": label}))
        self.assertIn("2 checks of weight 1 are Python", done.stderr)
        (row,) = rows(done)
        (rewarded,) = score({**row, "completion": "The sea"})[1]
        self.assertEqual((rewarded["content"], rewarded["style"], rewarded["total"]), (1.0, 0.25, 1.25))

    def test_check_floors_and_explain_run_codes_as_score_does(self):
        codes = ("def f(r): return len(r.split()) >= 5", "def f(r):\n    return r.index('sea') >= 0")
        ebb, dry = "The sea rises and falls twice a day.", "Nothing here but sand and stone."
        given = [{"chain": {**rubric(*codes), "references": [text]}, "completion": text} for text in (ebb, dry)]
        done = run("rubric", "check", "-", "--isolation", "auto", stdin=lines(*given))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([(row["reference_style"], row["other_total"], row["sound"]) for row in rows(done)],
                         [(1.0, None, True), (0.5, 1.0, False)])  # fmt: skip
        floors = rows(run("rubric", "floors", "-", "--quiet", "--isolation", "auto", stdin=lines(*given)))
        texts = {"empty": "", "one_word": "Pst", "reference": dry, "other_reference": ebb}
        _, rewarded = score(*({"chain": given[1]["chain"], "completion": text} for text in texts.values()))
        for name, row in zip(texts, rewarded, strict=True):
            self.assertEqual(floors[1]["floors"][name], row["total"], name)
        self.assertEqual(floors[1]["floors"]["other_reference"], 1.0)
        done = run("rubric", "explain", "-", "--row", "2", "--isolation", "auto", stdin=lines(*given))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("raises ValueError", done.stdout)
        for command in (("check", "-"), ("floors", "-"), ("explain", "-", "--row", "1")):
            done = run("chain", *command, "--isolation", "wasm", stdin=lines(*given))
            self.assertIn("wasm", done.stdout + done.stderr)
            self.assertEqual(done.returncode, 3 if command[0] == "explain" else 1, command)

    def test_what_combinations_do_not_ask_at_first_is_asked_then(self):
        """`gathering` answers no to everything, so the second check of `all` is asked later, and alone."""
        yes = [{"check": "code", "code": f"def f(r): return len(r) > {n}"} for n in range(3)]
        row = {
            "chain": {
                "chain": 1,
                "references": ["five words are in here"],
                "style": [{"all": yes}, {"not": {"any": yes}}],
            }
        }
        (found,) = rows(run("rubric", "check", "-", "--quiet", "--isolation", "auto", stdin=lines(row)))
        self.assertEqual(found["reference_style"], 0.5)


if __name__ == "__main__":
    unittest.main()
