"""The rung of modules: modules that try ways out, the same bytes and steps at any load, C++ where a compiler is found. Skipped by name
where there is no wasmtime (OPTGAP_WASMTIME names its library; the environment of the oracles may have it)."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from optgap_process import BINARY

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MODULES = sorted((ROOT / "tests/programs/modules").iterdir())
INPUT = ROOT / "tests/programs/input.txt"
LIMITS = '{"cpu_ms": 100, "memory_mb": 96, "output_kb": 256}'
for found in (ROOT / "build/venv-oracle").glob("lib/python3*/site-packages/wasmtime/linux-*/_libwasmtime.so"):
    os.environ.setdefault("OPTGAP_WASMTIME", str(found))


def look(*arguments, **how):
    done = subprocess.run([BINARY, "sandbox", "--json", *arguments], capture_output=True, text=True, timeout=300, **how)
    return done, json.loads(done.stdout) if done.stdout else None


def run_files(*paths, limits=LIMITS, more=()):
    done, report = look("--isolation", "wasm", "--limits", limits, "--input", str(INPUT), *more, "--run", *map(str, paths))
    assert done.returncode == 0, done.stderr
    return report["runs"]


RUNGS = {row["language"]: row for row in look("--isolation", "wasm")[1]["rungs"]}


class Modules(unittest.TestCase):
    def test_ways_out(self):
        wanted = {str(path): path.read_text().splitlines()[0].split()[1:] for path in MODULES}
        for row in run_files(*MODULES):
            with self.subTest(program=pathlib.Path(row["program"]).name):
                code, *where = wanted[row["program"]]
                self.assertEqual((row["code"], row["isolation"]), (code, "wasm"), row)
                if where:
                    self.assertEqual(str(row["where"]), where[0], row)

    def test_the_same_bytes_and_steps_beside_others(self):
        names = ("asks_the_clock.wat", "floods_stdout.wat", "recursion.wat")
        paths = [path for path in MODULES if path.name in names]
        told = set()
        neighbours = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(3)]
        try:
            for slots in ("1", "16"):
                for row in run_files(*paths, more=("--slots", slots, "--repeat", "3")):
                    told.add((row["program"], row["code"], row["steps"], row["output"], row["errors"]))
        finally:
            for each in neighbours:
                each.kill()
                each.wait()
        self.assertEqual(len(told), len(names), told)

    def test_steps_are_the_limit(self):
        path = next(path for path in MODULES if path.name == "endless_loop.wat")
        row = run_files(path, limits='{"steps": 1000000}')[0]
        self.assertEqual((row["code"], row["steps"]), ("run_steps", 1000000))

    def test_what_is_no_module(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, data in {"cut.wasm": b"\0asm\1\0\0\0\1\xff", "text.wasm": b"(module", "empty.wasm": b"", "elf.wasm": b"\x7fELF" * 99}.items():
                (pathlib.Path(folder) / name).write_bytes(data)
            for row in run_files(*sorted(pathlib.Path(folder).iterdir())):
                self.assertEqual(row["code"], "compile_error", row)

    def test_without_wasmtime_it_is_refused(self):
        for named, said in (("none", "OPTGAP_WASMTIME says none"), ("/nowhere.so", "/nowhere.so is not a file"), (str(INPUT), "input.txt")):
            done, report = look("--isolation", "wasm", "--run", str(MODULES[0]), env={**os.environ, "OPTGAP_WASMTIME": named})
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn(said, done.stderr)
            self.assertNotIn("runs", report)


class Cpp(unittest.TestCase):
    def setUp(self):
        if not RUNGS["cpp"]["usable"]:
            self.skipTest(RUNGS["cpp"]["found"])

    def test_a_program(self):
        text = "#include <bits/stdc++.h>\nint main() { std::vector<int> v; for (int x; std::cin >> x;) v.push_back(x);\n"
        text += "std::sort(v.begin(), v.end()); for (int x : v) std::cout << x << ' '; std::printf(\"%d\\n\", int(clock() < CLOCKS_PER_SEC)); }\n"
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "sorts.cpp"
            path.write_text(text)
            rows = run_files(path, more=("--repeat", "2"))
            self.assertEqual({row["steps"] for row in rows}, {rows[0]["steps"]})
            self.assertEqual((rows[0]["code"], sorted(rows[0]["output"].split())), ("ok", ["1", "1", "2", "3"]), rows[0])
            path.write_text("int main() { throw 1; }\n")
            self.assertRegex(run_files(path)[0]["first_line"], "line 1: cannot use 'throw'")
            path.write_text('#include "/etc/passwd"\nint main() {}\n')
            row = run_files(path)[0]
            self.assertEqual(row["code"], "compile_error")
            self.assertNotIn("root:x:0", row["errors"])
            path.write_text("#include <vector>\nint main() { std::vector<int> v; for (;;) v.push_back(1); }\n")
            self.assertEqual(run_files(path)[0]["code"], "run_memory")


if __name__ == "__main__":
    if not RUNGS["wasm"]["usable"]:
        print(f"wasm: {RUNGS['wasm']['found']}: {RUNGS['wasm']['fix']}")
        sys.exit(77)
    unittest.main()
