"""`optgap rubric import`: the data set's own keys, JSON arrays, gates that have nothing to compare with."""

import json
import pathlib
import tempfile
import unittest

from optgap_process import lines, rows, run

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NO_COMMA = {"instruction_id_list": ["punctuation:no_comma"], "kwargs": [{}]}
WORDS = "One two three four five six"


def imported(text, *options):
    return run("rubric", "import", "-", "--quiet", "--from", "ifbench", *options, stdin=text)


class Keys(unittest.TestCase):
    def test_a_key_of_the_data_set_is_no_claim_of_a_task(self):
        given = [
            {**NO_COMMA, "key": key, "prompt": "p", "group": 1, "completion": WORDS} for key in (7, "7", "abc-7", "a:b")
        ]
        made = imported(lines(*given))
        self.assertEqual(made.returncode, 0, made.stderr)
        rewarded = run("score", "-", "--quiet", stdin=made.stdout)
        self.assertEqual([row["reward"] for row in rows(rewarded)], [1.0] * 4)
        self.assertEqual([row["key"] for row in rows(rewarded)], [row["key"] for row in given])
        for command in (("eval", "-", "--quiet", "--json"), ("advantages", "-", "--quiet")):
            done = run(*command, stdin=rewarded.stdout)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_key_of_ours_is_one(self):
        made = imported(lines({**NO_COMMA, "completion": WORDS}))
        rewarded = run("score", "-", "--quiet", stdin=lines({**rows(made)[0], "key": "tsp@1:train:easy:1"}))
        self.assertEqual(rows(rewarded)[0]["error"]["field"], "key")


class Arrays(unittest.TestCase):
    GIVEN = [
        {**NO_COMMA, "key": key, "group": 1, "prompt": 'of ] } \\" and [ {', "completion": WORDS} for key in range(3)
    ]

    def test_an_array_is_read_as_lines_are(self):
        as_lines = imported(lines(*self.GIVEN))
        for text in (json.dumps(self.GIVEN), json.dumps(self.GIVEN, indent=2), " \r\n[\r\n" + json.dumps(self.GIVEN)[1:] + "\n\n",
                     "\ufeff" + json.dumps(self.GIVEN, indent=1)):  # fmt: skip
            made = imported(text)
            self.assertEqual(made.returncode, 0, made.stderr)
            self.assertEqual(rows(made), rows(as_lines))
            self.assertEqual(len(made.stdout.splitlines()), 3)

    def test_every_command_over_rows_reads_one_in_files_and_twice(self):
        rewarded = run("score", "-", "--quiet", stdin=imported(json.dumps(self.GIVEN)).stdout)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "rewarded.json"
            path.write_text(json.dumps(rows(rewarded), indent=2), encoding="utf-8")
            for command in ("eval", "advantages"):  # advantages reads its rows twice
                wanted = run(command, "-", "--quiet", stdin=rewarded.stdout)
                for file, given in ((str(path), ""), ("-", path.read_text(encoding="utf-8"))):
                    found = run(command, file, "--quiet", stdin=given)
                    self.assertEqual(found.returncode, 0, found.stderr)
                    self.assertEqual(
                        found.stdout.replace(" ", "").split("\n"), wanted.stdout.replace(" ", "").split("\n")
                    )

    def test_many_objects_cross_the_reader_s_chunks(self):
        many = [{**self.GIVEN[0], "key": key, "text": '\\"[{' * (key % 97)} for key in range(20000)]
        made = imported(json.dumps(many))
        self.assertEqual([row["key"] for row in rows(made)], list(range(20000)))
        self.assertEqual(rows(made)[96]["text"], many[96]["text"])

    def test_what_is_no_array_of_objects_is_refused(self):
        for text, said in (('[{"key": 1}, {"key": 2}', "it ends without ] behind its object 2"),
                           ('[{"key": 1}] {"key": 2}', "there is more behind its object 1"),
                           ('[{"key": 1}, 2]', "no other object stands behind its object 1"),
                           ('[{"key": 1} {"key": 2}]', "no comma stands behind its object 1"),
                           ('[{"key": 1},]', "no other object stands behind its object 1"),
                           ('[{"key": "1}]', "it ends without ] behind its object 0")):  # fmt: skip
            done = imported(text)
            self.assertEqual(done.returncode, 2, text)
            self.assertIn("'stdin' is no JSON array of objects: " + said, done.stderr)
        # A line that begins with a bracket and has no object after it is a line, but not a row.
        self.assertIn("not a JSON object", imported("[1, 2]\n").stdout)


class Gates(unittest.TestCase):
    REFERENCE = "The Moon raises two bulges in the ocean and the Earth turns below them"
    CONTENT = {"points": [{"references": [{"keywords": ["Moon", "ocean"]}]}]}

    def refusal(self, row, **rubric):
        (scored,) = rows(
            run("score", "-", "--quiet", stdin=lines({"completion": "x", **row, "chain": {"chain": 1, **rubric}}))
        )
        return scored["error"]["field"], scored["error"]["rule"]

    def test_a_gate_without_a_reference_is_refused_by_name(self):
        style = [{"check": "words", "min": 1}]
        for gate in ("repetition", "copy", "hidden"):
            field, rule = self.refusal({"prompt": "p"}, style=style, gates=[gate])
            self.assertEqual(field, f"limits.{gate}")
            self.assertIn(f"the gate `{gate}` measures by it", rule)
            done = run(
                "chain",
                "compile",
                "-",
                "--quiet",
                stdin=lines({"chain": {"chain": 1, "style": style, "gates": [gate]}}),
            )
            self.assertEqual(done.returncode, 1)
            (row,) = rows(run("score", "-", "--quiet", stdin=lines(
                {"prompt": "p", "completion": "x", "chain": {"chain": 1, "style": style, "gates": [gate], "limits": {gate: 500}}})))  # fmt: skip
            self.assertEqual(list(row["gates"]), [gate])

    def test_a_reference_without_words_measures_nothing(self):
        for gate in ("density", "length"):
            field, rule = self.refusal({}, references=["…"], content=self.CONTENT, gates=[gate])
            self.assertEqual((field, rule), ("gates", f"{gate} measures by a reference's words, and one has none"))

    def test_copy_that_is_asked_for_needs_a_prompt(self):
        rubric = {"references": [self.REFERENCE], "content": self.CONTENT}
        self.assertEqual(self.refusal({}, **rubric, gates=["copy"])[0], "prompt")
        whole = {"chain": 1, **rubric}
        for command in ("check", "floors"):
            done = run("chain", command, "-", "--quiet", stdin=lines({"chain": {**whole, "gates": ["copy"]}}))
            self.assertEqual((done.returncode, rows(done)[0]["error"]["field"]), (1, "prompt"))
        for row in ({"prompt": "p", "chain": {**whole, "gates": ["copy"]}}, {"chain": {**whole, "gates": ["copy"], "prompt": "p"}},
                    {"chain": whole}):  # fmt: skip
            (scored,) = rows(run("score", "-", "--quiet", stdin=lines({"completion": self.REFERENCE, **row})))
            self.assertEqual(scored["reward"], 1.0)


if __name__ == "__main__":
    unittest.main()
