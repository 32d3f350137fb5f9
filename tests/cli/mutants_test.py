"""The faults of tools/mutants.sh still apply to the tree, and its report names those that survived."""

import argparse
import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import mutants  # noqa: E402


class Mutants(unittest.TestCase):
    def test_every_old_text_stands_in_its_file_once(self):
        known = mutants.load()
        self.assertGreaterEqual(len(known), 20)
        self.assertEqual(list(mutants.misplaced(known)), [])

    def test_each_is_named_once_and_changes_something(self):
        known = mutants.load()
        self.assertEqual(len({mutant["name"] for mutant in known}), len(known))
        for mutant in known:
            self.assertEqual(list(mutant), ["name", "fault", "file", "old", "new", "target", "filter"], mutant["name"])
            self.assertNotEqual(mutant["old"], mutant["new"], mutant["name"])

    def test_what_moved_away_or_stands_twice_is_told(self):
        (one, *_) = mutants.load()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, one["file"])
            path.parent.mkdir(parents=True)
            for text, count in (("", 0), (one["old"] * 2, 2)):
                path.write_text(text)
                (problem,) = mutants.misplaced([one], pathlib.Path(folder))
                self.assertIn(f"found it {count} times", problem)
            path.unlink()
            (problem,) = mutants.misplaced([one], pathlib.Path(folder))
            self.assertIn("found it 0 times", problem)

    def test_the_failed_tests_are_read_from_the_output(self):
        said = (
            "[  FAILED  ] a.b (3 ms)\n[  FAILED  ] tasks/laws.c/tsp, where GetParam() = 9 (0 ms)\n"
            "[  FAILED  ] 2 tests, listed below:\n[  FAILED  ] a.b\n[  PASSED  ] 1 test.\n"
        )
        self.assertEqual(mutants.failures(said), ["a.b", "tasks/laws.c/tsp"])

    def test_a_survivor_is_counted_and_the_file_is_restored(self):
        faults = [dict(name=name, file="a.cpp", old="x", new="y", target="t", filter="*") for name in ("one", "two")]
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder)
            (tree / "a.cpp").write_text("int x;")
            seen = []
            real, mutants.judge = (
                mutants.judge,
                lambda mutant, _: (
                    seen.append((tree / "a.cpp").read_text()) or (["t.noticed"] if mutant["name"] == "one" else [])
                ),
            )
            printed = io.StringIO()
            try:
                with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
                    survived = mutants.run(faults, argparse.Namespace(tree=tree, applied=tree / "applied"))
            finally:
                mutants.judge = real
            self.assertEqual((survived, seen, (tree / "a.cpp").read_text()), (1, ["int y;", "int y;"], "int x;"))
        self.assertIn("two     SURVIVED  a.cpp\n", printed.getvalue())
        self.assertIn("2 mutants, 1 caught, 1 survived", printed.getvalue())


if __name__ == "__main__":
    unittest.main()
