"""Requirements on every JSONL command: order, untouched keys, one error row per broken row."""

import json
import subprocess
import tempfile
import unittest

from optgap_process import BINARY, KNAPSACK4, TSP4, lines, rows, run

GOOD = {"task": "tsp", "instance": TSP4, "answer": [0, 1, 3, 2]}


def verdict_of(row):
    return rows(run("verify", "-", stdin=lines(row)))[0]


class Rows(unittest.TestCase):
    def test_unknown_keys_pass_through_untouched(self):
        extra = (
            r'"a":1.0, "b" : 1e400 ,"c":123456789012345678901234567890,"d":"\u00e9\/\ud800","\u0065":[1, {"x":-0.0}]'
        )
        done = run("verify", "-", stdin="{" + extra + "," + json.dumps(GOOD)[1:] + "\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        for piece in (
            r'"a":1.0',
            r'"b":1e400',
            r'"c":123456789012345678901234567890',
            r'"d":"\u00e9\/\ud800"',
            r'"\u0065":[1, {"x":-0.0}]',
            '"feasible":true',
        ):
            self.assertIn(piece, done.stdout)

    def test_added_keys_replace_those_of_the_same_name(self):
        done = run("verify", "-", stdin=lines(dict(GOOD, objective="old", code=7)))
        self.assertEqual(done.stdout.count('"objective"'), 1)
        self.assertEqual(rows(done)[0]["objective"], 80)

    def test_a_broken_row_stands_among_good_ones_in_order(self):
        text = lines(dict(GOOD, id=1), '{"id": 2, broken', "", dict(GOOD, id=3, task="nope"), dict(GOOD, id=4))
        done = run("verify", "-", stdin=text)
        self.assertEqual(done.returncode, 1)
        found = rows(done)
        self.assertEqual([r.get("id") for r in found], [1, None, 3, 4])
        self.assertEqual(list(found[1]), ["error"])
        self.assertEqual(set(found[1]["error"]), {"row", "field", "rule"})
        self.assertEqual([r["error"]["row"] for r in found if "error" in r], [2, 4])
        self.assertEqual(found[2]["error"]["field"], "task")
        self.assertIn("tsp", found[2]["error"]["rule"])
        self.assertTrue(found[0]["feasible"] and found[3]["feasible"])

    def test_lines_that_are_not_objects_are_error_rows(self):
        for bad in (
            "[1]",
            "1",
            '"x"',
            "{}{}",
            '{"a":01}',
            '{"a":1,}',
            '{"a":"\t"}',
            '{"a":"\\x"}',
            "{" * 2000,
            '{"a":' + "[" * 2000 + "]" * 2000 + "}",
            '{"a":tru}',
            "\x00",
        ):
            done = run("verify", "-", stdin=bad + "\n")
            self.assertEqual(done.returncode, 1, bad[:20])
            self.assertEqual(list(rows(done)[0]), ["error"], bad[:20])

    def test_files_without_lines_are_told_with_what_reads_them(self):
        for head, what in ((b"PAR1\0", "is Parquet"), (b"\x1f\x8b\x08", "is compressed by gzip"),
                           (b"\x28\xb5\x2f\xfd\0", "is compressed by zstd")):  # fmt: skip
            with tempfile.NamedTemporaryFile() as file:
                file.write(head + b"\n" * 9)
                file.flush()
                done = run("score", file.name)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(f"'{file.name}' {what}, expected lines of JSON", done.stderr)

    def test_blank_lines_crlf_and_a_byte_order_mark_are_accepted(self):
        text = "\ufeff" + json.dumps(GOOD) + "\r\n\r\n  \n" + json.dumps(GOOD)
        done = run("verify", "-", binary_input=text.encode())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(done.stdout.splitlines()), 2)
        self.assertIn(b"2 blank lines", done.stderr)

    def test_bytes_that_are_not_utf8_pass_through(self):
        line = b'{"note":"\xff\xfe",' + json.dumps(GOOD).encode()[1:]
        done = run("verify", "-", binary_input=line)
        self.assertEqual(done.returncode, 0)
        self.assertIn(b'"note":"\xff\xfe"', done.stdout)

    def test_an_empty_input_gives_no_rows(self):
        for command in (["verify", "-"], ["solve", "-"], ["score", "-"], ["improve", "-", "--steps", "1"]):
            done = run(*command)
            self.assertEqual((done.returncode, done.stdout), (0, ""), command)

    def test_several_files_are_read_one_after_another(self):
        import tempfile

        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            file.write(lines(dict(GOOD, id="file")))
            file.flush()
            done = run("verify", file.name, "-", file.name, stdin=lines(dict(GOOD, id="pipe")))
        self.assertEqual([r["id"] for r in rows(done)], ["file", "pipe", "file"])

    def test_more_rows_than_a_batch_keep_their_order(self):
        done = run("verify", "-", stdin=lines(*(dict(GOOD, id=i) for i in range(5000))))
        self.assertEqual([r["id"] for r in rows(done)], list(range(5000)))

    def test_a_closed_pipe_ends_quietly(self):
        process = subprocess.Popen(
            [BINARY, "generate", "tsp", "--level", "easy", "--count", "100000"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        process.stdout.readline()
        process.stdout.close()
        self.assertEqual(process.stderr.read(), b"")
        process.stderr.close()
        process.wait(60)

    def test_an_error_of_an_earlier_command_stays(self):
        old = {"error": {"row": 9, "field": "line", "rule": "first cause"}}
        done = run("verify", "-", stdin=lines(old))
        self.assertEqual(done.returncode, 1)
        self.assertEqual(rows(done)[0], old)
        self.assertNotIn("error", verdict_of(dict(GOOD, **old)))


class Instances(unittest.TestCase):
    key = rows(run("generate", "knapsack", "--level", "easy", "--seed", "5"))[0]

    def error_of(self, row):
        found = verdict_of(row)
        self.assertIn("error", found, row)
        return found["error"]["field"]

    def test_key_alone_and_key_with_instance_agree(self):
        alone = verdict_of({"key": self.key["key"], "answer": "[0]"})
        both = verdict_of(dict(self.key, answer="[0]"))
        self.assertEqual(alone["objective"], both["objective"])
        without_hash = verdict_of({"key": self.key["key"].split("#")[0], "answer": "[0]"})
        self.assertEqual(alone["objective"], without_hash["objective"])

    def test_key_and_instance_that_differ_are_an_error_row(self):
        self.assertEqual(self.error_of({"key": self.key["key"], "instance": KNAPSACK4, "answer": "[0]"}), "instance")

    def test_key_and_task_that_differ_are_an_error_row(self):
        self.assertEqual(self.error_of({"key": self.key["key"], "task": "tsp", "answer": "[0]"}), "task")

    def test_a_wrong_hash_in_the_key_is_an_error_row(self):
        base = self.key["key"].split("#")[0]
        self.assertEqual(self.error_of({"key": base + "#00000000", "answer": "[0]"}), "key")

    def test_keys_this_build_cannot_read_are_error_rows(self):
        for key in (
            "knapsack@2:train:easy:5",
            "nope@1:train:easy:5",
            "knapsack@1:dev:easy:5",
            "knapsack@1:train:easy:-1",
            "knapsack@1:train:d9999999:1",
            "knapsack@1:train:easy:5:s99",
            "",
            7,
        ):
            self.assertEqual(self.error_of({"key": key, "answer": "[0]"}), "key")
        self.assertIn("knapsack@1", verdict_of({"key": "knapsack@2:train:easy:5", "answer": "[]"})["error"]["rule"])

    def test_an_explicit_key_needs_its_instance_and_its_hash(self):
        solved = rows(run("solve", "-", stdin=lines({"task": "knapsack", "instance": KNAPSACK4})))[0]
        self.assertEqual(solved["objective"], 26)
        self.assertEqual(self.error_of({"key": "knapsack@1:x:" + "0" * 32, "answer": "[0]"}), "instance")
        self.assertEqual(
            self.error_of({"key": "knapsack@1:x:" + "0" * 32, "instance": KNAPSACK4, "answer": "[0]"}), "key"
        )

    def test_bad_explicit_instances_name_field_and_rule(self):
        bad = {"capacity": 20, "weights": [3, 4], "values": [4]}
        self.assertNotEqual(self.error_of({"task": "knapsack", "instance": bad, "answer": "[0]"}), "")
        row = '{"task": "knapsack", "instance": {"capacity": 1e400, "weights": [1], "values": [1]}, "answer": "[0]"}'
        self.assertEqual(self.error_of(row), "instance")

    def test_rows_without_an_instance_or_an_answer_are_error_rows(self):
        self.assertEqual(self.error_of({"answer": "[0]"}), "key")
        self.assertEqual(self.error_of({"instance": TSP4, "answer": "[0]"}), "task")
        self.assertEqual(self.error_of({"task": "tsp", "answer": "[0]"}), "instance")
        self.assertEqual(self.error_of({"task": "tsp", "instance": TSP4}), "answer")


if __name__ == "__main__":
    unittest.main()
