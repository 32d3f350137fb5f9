"""The checker of the tree's laws notices what breaks them, also behind a comment."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import check_layout  # noqa: E402


def rules(path, text):
    return [rule for _, rule in check_layout.breaches(pathlib.Path(path), text, {"tsp"})]


class Layout(unittest.TestCase):
    def test_task_code_has_no_floats_no_allocation_and_no_thread_index(self):
        for line, word in [("double x;", "integers only"), ("auto p = new int;", "allocates nothing"),
                           ("std::vector<int> v;", "allocates nothing"), ("int i = threadIdx.x;", "against a Team")]:
            text = f"// a comment first\n#pragma once\nint a;  // and another\n{line}\n"
            for path in ("kernels/tasks/tsp/tsp.hpp", "kernels/search/one_tree.hpp"):
                self.assertTrue(any(word in rule for rule in rules(path, text)), f"{path}: {line}")
            self.assertEqual(rules("kernels/tasks/tsp/tsp_reference.hpp", text), [])

    def test_comments_and_strings_break_nothing(self):
        text = '#pragma once\n// a double\n/* float\n threadIdx */ char const* s = "new thing";\n'
        self.assertEqual(rules("kernels/tasks/tsp/tsp.hpp", text), [])

    def test_a_header_may_be_included_twice(self):
        self.assertTrue(rules("host/x.hpp", "int a;\n"))
        self.assertEqual(rules("host/x.hpp", "#pragma once\nint a;\n"), [])

    def test_hosts_name_no_task_and_files_stay_short(self):
        self.assertTrue(rules("host/x.cpp", 'auto name = "tsp";\n'))
        self.assertEqual(rules("tools/cli/x.cpp", 'auto name = "tsp";\n'), [])
        self.assertTrue(rules("host/x.cpp", "int a;\n" * 401))
        self.assertTrue(rules("a/b/c/d/e/x.py", ""))


if __name__ == "__main__":
    unittest.main()
