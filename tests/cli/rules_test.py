"""optgap rules: estimators and shapes as they declare themselves, and the tables of docs/ that come from them."""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest

from optgap_process import run

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools/tables"))
import rule_tables  # noqa: E402


def said(arguments):
    """Exit code and all that is printed."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        code = rule_tables.main(arguments)
    return code, text.getvalue()


class Rules(unittest.TestCase):
    def test_every_file_is_listed_and_its_defaults_are_what_the_parser_gives(self):
        declared = json.loads(run("rules", "--json").stdout)
        for kind, names in (("estimators", "estimators"), ("shapes", "shapes")):
            files = {path.stem for path in (ROOT / "kernels" / "reward" / names).glob("*.hpp")}
            self.assertEqual({row["name"] for row in declared[kind]}, files)
        river = next(row for row in declared["estimators"] if row["name"] == "river")
        self.assertEqual([river["reads"], river["scope"], river["device"]], [["scores"], "group", True])
        self.assertEqual({each["name"]: each["default"] for each in river["parameters"]}["tie"], "exact")
        opo = next(row for row in declared["estimators"] if row["name"] == "opo")
        self.assertEqual([opo["reads"], opo["device"]], [["rewards", "lengths"], False])

    def test_a_name_shows_parameters_and_presets(self):
        page = run("rules", "grpo", "power").stdout
        for part in ("grpo: (r - m) / (s1 + epsilon)", "grpo_trl_batch", "power: quality^exponent", "1 to 64"):
            self.assertIn(part, page)

    def test_an_unknown_name_lists_the_closest_first(self):
        done = run("rules", "rivr")
        self.assertEqual(done.returncode, 2)
        self.assertIn("expected one of: river", done.stderr)

    def test_no_page_of_the_tree_is_stale(self):
        self.assertEqual(said([]), (0, ""))

    def test_a_page_that_says_something_else_is_named_and_mended(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "advantages.md"
            good = rule_tables.PAGES["estimators"].read_text(encoding="utf-8")
            page.write_text(good.replace("| r - m |", "| r + m |"), encoding="utf-8")
            pages, rule_tables.PAGES = rule_tables.PAGES, {**rule_tables.PAGES, "estimators": page}
            try:
                self.assertEqual(said([]), (1, "advantages.md is stale: tools/tables/rule_tables.py --write\n"))
                self.assertEqual(said(["--write"]), (0, ""))
                self.assertEqual(page.read_text(encoding="utf-8"), good)
            finally:
                rule_tables.PAGES = pages


if __name__ == "__main__":
    unittest.main()
