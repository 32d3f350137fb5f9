"""What a model may be told of a program that it wrote. Needs an isolation level, as tests/cli/program_rows_test.py."""

import re
import unittest

from optgap_process import lines, run
from program_rows_test import FLOOR, needs_sandbox, program


@needs_sandbox
class Feedback(unittest.TestCase):
    def test_feedback_tells_the_first_failure_and_nothing_of_hidden_instances(self):
        right = "The form is right. The program keeps every rule."
        wrong = "The form is right. The program breaks a rule."
        for given, beginning in (
            (program(FLOOR), right),
            (program("import sys; sys.stdout.write(sys.stdin.read() * 3)"), f"{wrong} On a hidden instance its answer is wrong: "),
            (program("print(0)"), f"{wrong} On a hidden instance its answer is wrong: the list has the wrong length."),
            (program("raise SystemExit(7)"), f"{wrong} On a hidden instance it ended with another"),
            (program("int main() { return x; }", "cpp"), f"{wrong} The compiler refuses it. The compiler says: "),
            ({**program(FLOOR), "completion": "no program"}, "The form is wrong. There is no complete fenced block"),
        ):  # fmt: skip
            done = run("explain", "-", "--isolation", "auto", "--feedback", "place", stdin=lines(given))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(done.stdout.startswith(beginning), done.stdout)
            if "hidden" in done.stdout:
                self.assertTrue(done.stdout.endswith("The first such instance is number 0, counted from 0.\n"))
                self.assertEqual(re.findall(r"\d+", done.stdout.replace("than 0. ", "")), ["0", "0"])
        self.assertEqual(run("explain", "-", stdin=lines(program(FLOOR))).returncode, 1)


if __name__ == "__main__":
    unittest.main()
