"""The declarative tasks' pages show the program's output, and the script detects where they do not."""

import contextlib
import io
import json
import pathlib
import shutil
import sys
import tempfile
import unittest

from optgap_process import run

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import family_pages  # noqa: E402


def said(arguments):
    """Exit code and everything printed."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
        code = family_pages.main(arguments)
    return code, text.getvalue()


class FamilyPages(unittest.TestCase):
    def test_no_page_of_the_tree_is_stale(self):
        self.assertEqual(said([]), (0, ""))

    def test_a_page_that_says_something_else_is_named_and_mended_below_the_prose(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(ROOT / "kernels/tasks/vertex_cover", pathlib.Path(folder) / "vertex_cover")
            page = pathlib.Path(folder) / "vertex_cover" / "README.md"
            good = page.read_text(encoding="utf-8")
            page.write_text("Prose.\n" + good.replace("| `uncovered_edge` |", "| `uncovered` |"), encoding="utf-8")
            tree, family_pages.TASKS = family_pages.TASKS, pathlib.Path(folder)
            try:
                code, text = said([])
                self.assertEqual(code, 1)
                self.assertIn("vertex_cover/README.md is stale: tools/family_pages.py --write", text)
                self.assertEqual(said(["--write"])[0], 0)
                self.assertEqual(page.read_text(encoding="utf-8"), "Prose.\n" + good)
                page.write_text(good.replace(family_pages.END, ""), encoding="utf-8")
                with self.assertRaisesRegex(SystemExit, "needs these two lines"):
                    said([])
            finally:
                family_pages.TASKS = tree

    def test_tasks_say_their_fields_verdicts_sizes_and_examples(self):
        tasks = {task["name"]: task for task in json.loads(run("tasks", "--json").stdout)}
        cover = tasks["vertex_cover"]
        self.assertEqual([field["name"] for field in cover["layout"]], ["edges", "weights"])
        self.assertEqual(cover["layout"][1]["words"], "n")
        codes = [row["code"] for row in cover["verdicts"]]
        self.assertEqual(codes, ["unparsable", "bad_depth", "out_of_range", "repeated", "uncovered_edge"])
        self.assertIn("empty", [row["code"] for row in tasks["dominating_set"]["verdicts"]])
        self.assertEqual(cover["sizes"][3]["n"], [24, 24])
        self.assertEqual(cover["examples"][0]["objective"], 2)
        self.assertEqual(cover["examples"][-1]["sentence"], "edges[0][1]: must be a vertex, an integer from 0 to 1")
        kinds = [field["kind"] for field in tasks["set_cover"]["layout"]]
        self.assertEqual(kinds, ["number", "size", "sets", "list, optional"])
        self.assertEqual(tasks["tsp"]["layout"], [])
        self.assertEqual(len(tasks["futoshiki"]["prompts"]), 4)


if __name__ == "__main__":
    unittest.main()
