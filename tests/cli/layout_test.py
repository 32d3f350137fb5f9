"""The checkers of the tree's rules detect violations, also after a comment."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import check_layout  # noqa: E402


def rules(path, text):
    return [rule for _, rule in check_layout.breaches(pathlib.Path(path), text, {"tsp"})]


class Layout(unittest.TestCase):
    def test_task_code_has_no_floats_no_allocation_and_no_thread_index(self):
        for line, word in [
            ("double x;", "integers only"),
            ("auto p = new int;", "allocates nothing"),
            ("std::vector<int> v;", "allocates nothing"),
            ("int i = threadIdx.x;", "against a Team"),
        ]:
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

    def test_cub_is_called_in_one_place(self):
        text = "#pragma once\n#include <cub/device/device_scan.cuh>\n"
        self.assertTrue(any("pending" in rule for rule in rules("kernels/reward/reward.cuh", text)))
        self.assertEqual(rules("kernels/launch/cub_calls.cuh", text), [])

    def test_a_folder_holds_25_files_of_code_and_its_tests(self):
        def crowded(*names):
            return check_layout.crowded(map(pathlib.PurePath, names))

        full = [f"kernels/tasks/tsp/part_{i}.hpp" for i in range(25)]
        beside = [
            f"kernels/tasks/tsp/{name}" for name in ("a_test.cpp", "b_reference.hpp", "c_fixture.hpp", "golden.jsonl")
        ]
        self.assertEqual(crowded(*full, *beside, "kernels/tasks/tsp/deeper/x.hpp"), [])
        self.assertEqual(crowded(*full, "kernels/tasks/tsp/x.hpp"), [("kernels/tasks/tsp", 26)])
        self.assertEqual(crowded(*(f"tests/host/{i}.cpp" for i in range(30))), [])

    def test_a_type_is_defined_once_in_a_namespace(self):
        text = "#pragma once\nnamespace {} {{\nstruct walk {{\n    int a;\n}};\nstruct other;\n}}\n"
        sound = [
            ("kernels/search/a.hpp", text.format("search")),
            ("kernels/tasks/tsp/a.hpp", text.format("tasks::tsp")),
        ]
        self.assertEqual(list(check_layout.named_twice(sound)), [])
        found = list(check_layout.named_twice([*sound, ("kernels/families/b.hpp", text.format("search"))]))
        self.assertEqual(found, [("kernels/families/b.hpp", 3, "search::walk is defined in kernels/search/a.hpp, too")])


SOUND = {
    "include/optgap/engine.hpp": "#pragma once\n",
    "host/engine/state.hpp": '#pragma once\n#include "host/cpu/pool.hpp"\n#include "optgap/engine.hpp"\n',
    "host/cpu/pool.hpp": '#pragma once\n#include "optgap/engine.hpp"\n',
    "python/src/module.cpp": '#include "optgap/engine.hpp"\n',
    "python/optgap/__init__.py": "",
    "python/optgap/core/results.py": "import json\n",
    "python/optgap/core/engine.py": "from .results import Scores\n",
    "python/optgap/trainers/trl/__init__.py": "",
    "python/optgap/trainers/trl/reward.py": "import optgap.core.engine\n",
}
"""A small tree that follows the rules."""


class Arrows(unittest.TestCase):
    def said(self, planted):
        """Exit code and lines of the checker over the small tree with these files in it."""
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder)
            for name, text in {**SOUND, **planted}.items():
                (tree / name).parent.mkdir(parents=True, exist_ok=True)
                (tree / name).write_text(text, encoding="utf-8")
            for name in ("tools/check_arrows.py", "docs/architecture.md"):
                (tree / name).parent.mkdir(exist_ok=True)
                shutil.copy(ROOT / name, tree / name)
            done = subprocess.run(
                [sys.executable, "-B", tree / "tools/check_arrows.py"], capture_output=True, text=True, check=False
            )
            return done.returncode, done.stdout.splitlines()

    def refuses(self, planted, line):
        code, lines = self.said(planted)
        self.assertEqual((code, lines[:-1]), (1, [line]))

    def test_a_sound_tree_passes(self):
        code, lines = self.said({})
        self.assertEqual((code, lines[-1].split(", ")[1:]), (0, ["6 arrows", "0 breaches"]))

    def test_a_wrong_include(self):
        self.refuses(
            {"python/src/module.cpp": '// first\n#include "host/cpu/pool.hpp"\n'},
            "python/src/module.cpp:2: python/src may not use host/cpu (host/cpu/pool.hpp)",
        )
        self.refuses(
            {"elsewhere/x.cpp": '#include "optgap/engine.hpp"\n'},
            "elsewhere/x.cpp:1: lies in no room of tools/check_arrows.py",
        )

    def test_a_circle_of_includes(self):
        self.refuses(
            {"host/cpu/pool.hpp": '#pragma once\n#include "host/engine/state.hpp"\n'},
            "host/cpu/pool.hpp:2: host/cpu may not use host/engine (host/engine/state.hpp)",
        )

    def test_a_wrong_import(self):
        for text in ("from ..trainers.trl import reward\n", "def late():\n    import optgap.trainers.trl.reward\n"):
            line = text.count("\n")
            self.refuses(
                {"python/optgap/core/results.py": text},
                f"python/optgap/core/results.py:{line}: python/optgap/core may not use python/optgap/trainers/trl "
                "(python/optgap/trainers/trl/reward.py)",
            )

    def test_a_circle_of_modules(self):
        for text in (
            "from .engine import Engine\n",
            "if TYPE_CHECKING:\n    from .engine import Engine\n",
            "def late():\n    from optgap.core import engine\n",
        ):
            self.refuses(
                {"python/optgap/core/results.py": text},
                "python/optgap/core/engine.py: imports itself: python/optgap/core/engine.py -> python/optgap/core/results.py -> "
                "python/optgap/core/engine.py",
            )


if __name__ == "__main__":
    unittest.main()
