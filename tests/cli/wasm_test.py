"""The isolation level wasm: modules that try to break out, the same bytes and steps at any load, C++ where a compiler
is found. Skipped by name where there is no wasmtime (OPTGAP_WASMTIME names its library; the oracles' environment may
have it)."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

from optgap_process import BINARY
from sandbox_processes import alive_parent, brokers_of, eventually

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MODULES = sorted((ROOT / "tests/programs/modules").iterdir())
INPUT = ROOT / "tests/programs/input.txt"
LIMITS = '{"cpu_ms": 100, "memory_mb": 96, "output_kb": 256}'
PACKAGE = "lib/python3*/site-packages/wasmtime/linux-*/_libwasmtime.so"
for found in (ROOT / "build/venv-oracle").glob(PACKAGE):
    os.environ.setdefault("OPTGAP_WASMTIME", str(found))
# Hostile C++ programs whose end differs from the native one; "compile_error" of most means that the call does not
# exist.
OTHER_ENDS = {
    "allocates_64_gib.cpp": ("run_crash", "run_memory"),  # size_t has 32 bits
    "answer_then_fault.cpp": ("ok",),  # address 0 is ordinary memory here; it affects only the module itself
    "calls_the_32_bit_way.cpp": ("compile_error",),
    "calls_the_x32_way.cpp": ("compile_error",),
    "cores.cpp": ("compile_error",),
    "endless_loop.cpp": ("run_steps",),
    "fork_bomb.cpp": ("compile_error",),
    "ignores_signals.cpp": ("run_steps",),
    "maps_without_reserve.cpp": ("compile_error",),
    "stretches_time.cpp": ("compile_error",),
    "template_bomb.cpp": ("compile_limit", "compile_error", "run_exit"),  # clang may finish within the limit
    "ten_thousand_threads.cpp": ("compile_error",),
}


def look(*arguments, **how):
    done = subprocess.run([BINARY, "sandbox", "--json", *arguments], capture_output=True, text=True, timeout=300, **how)
    return done, json.loads(done.stdout) if done.stdout else None


def run_files(*paths, limits=LIMITS, more=()):
    done, report = look(
        "--isolation", "wasm", "--limits", limits, "--input", str(INPUT), *more, "--run", *map(str, paths)
    )
    assert done.returncode == 0, done.stderr
    return report["runs"]


ISOLATION_LEVELS = {row["language"]: row for row in look("--isolation", "wasm")[1]["isolation_levels"]}


class Scale(unittest.TestCase):
    """Steps are the reason for `auto` to choose this isolation level, and no other one counts them."""

    def chosen(self, name, *more):
        done, report = look("--run", str(ROOT / "tests/programs/hostile" / name), *more)
        return done, report["chosen"], report.get("runs")

    def test_auto_is_native_without_steps(self):
        done, chosen, _ = self.chosen("flags_by_pragma.cpp")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(chosen["cpp"], ("namespaces", "jail"))

    def test_auto_is_wasm_with_steps(self):
        done, chosen, runs = self.chosen("endless_loop.cpp", "--limits", '{"steps": 70000}')
        if not ISOLATION_LEVELS["cpp"]["usable"]:
            self.assertEqual(done.returncode, 3)
            return
        self.assertEqual(chosen["cpp"], "wasm")
        self.assertEqual((runs[0]["code"], runs[0]["steps"]), ("run_steps", 70000))

    def test_no_native_isolation_level_takes_steps(self):
        for name, isolation_level in (
            ("endless_loop.cpp", "jail"),
            ("endless_loop.cpp", "namespaces"),
            ("endless_loop.py", "auto"),
        ):
            done, _, runs = self.chosen(name, "--isolation", isolation_level, "--limits", '{"steps": 70000}')
            self.assertEqual((done.returncode, runs), (3, None))
            self.assertIn("counts no steps", done.stderr)

    def test_rows_whose_limits_name_steps(self):
        lines = [json.loads(line) for line in (ROOT / "examples/programs/rows.jsonl").read_text().splitlines()]
        rows = [row for row in lines if row["id"] in ("tsp_floor.cpp", "tsp_greedy.cpp", "tsp_floor.py")]
        text = "".join(
            json.dumps({**row, "limits": limits}) + "\n" for row in rows for limits in ("train", {"steps": 50_000_000})
        )
        told = set()
        for slots in ("1", "16"):
            done = subprocess.run(
                [BINARY, "score", "--isolation", "auto", "--slots", slots],
                input=text,
                capture_output=True,
                text=True,
                timeout=300,
            )
            told.add(done.stdout)
        self.assertEqual(len(told), 1)
        rewarded = [json.loads(line) for line in told.pop().splitlines()]
        for native, counted in zip(rewarded[::2], rewarded[1::2], strict=True):
            with self.subTest(row=native.get("id")):
                self.assertIn(native["isolation"], ("namespaces", "jail"))
                if native["program"]["language"] == "python" or not ISOLATION_LEVELS["cpp"]["usable"]:
                    self.assertIn("counts no steps", counted["error"])
                else:
                    self.assertEqual(counted["isolation"], "wasm")
                    self.assertEqual((counted["codes"], counted["objectives"]), (native["codes"], native["objectives"]))


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
        names = ("asks_the_clock.wat", "floods_stdout.wat", "keeps_a_count.wat", "memory_bomb.wat", "recursion.wat")
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
            for name, data in {
                "cut.wasm": b"\0asm\1\0\0\0\1\xff",
                "text.wasm": b"(module",
                "empty.wasm": b"",
                "elf.wasm": b"\x7fELF" * 99,
            }.items():
                (pathlib.Path(folder) / name).write_bytes(data)
            for row in run_files(*sorted(pathlib.Path(folder).iterdir())):
                self.assertEqual(row["code"], "compile_error", row)

    def test_without_wasmtime_it_is_refused(self):
        for named, said in (
            ("none", "OPTGAP_WASMTIME says none"),
            ("/nowhere.so", "/nowhere.so is not a file"),
            (str(INPUT), "input.txt"),
        ):
            done, report = look(
                "--isolation", "wasm", "--run", str(MODULES[0]), env={**os.environ, "OPTGAP_WASMTIME": named}
            )
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn(said, done.stderr)
            self.assertNotIn("runs", report)


class Processes(unittest.TestCase):
    """One process makes a program's runs, here two of an endless loop. Its death is not charged to a run that has not
    been alone."""

    def ended_by(self, *signals):
        """Its rows when each of its processes in turn gets a signal."""
        path = next(path for path in MODULES if path.name == "endless_loop.wat")
        with subprocess.Popen(
            [
                BINARY,
                "sandbox",
                "--json",
                "--isolation",
                "wasm",
                "--slots",
                "1",
                "--limits",
                '{"steps": 2000000000}',
                "--repeat",
                "2",
                "--run",
                str(path),
            ],
            stdout=subprocess.PIPE,
            text=True,
        ) as here:
            seen = set()
            for number in signals:
                self.assertTrue(eventually(lambda: self.running(here.pid) - seen))
                process = (self.running(here.pid) - seen).pop()
                seen.add(process)
                os.kill(process, number)
            rows = json.loads(here.communicate(timeout=120)[0])["runs"]
        self.assertEqual(len(rows), 2)
        self.assertEqual({row["steps"] for row in rows if row["code"] == "run_steps"}, {2000000000})
        return sorted((row["code"], row["where"], row["tries"], row["suspected"]) for row in rows)

    def test_a_run_has_an_alarm_for_its_own_time(self):
        """By hand and without the jail, since a run's alarm under any limits comes after more than ten seconds."""
        library = ISOLATION_LEVELS["wasm"]["found"].split(",")[0]
        helper = str(pathlib.Path(look()[1]["broker"]).with_name("optgap-wasm"))

        def hold(asked, module):
            with tempfile.TemporaryFile() as given:
                given.write(module)
                given.seek(0)
                return subprocess.run(
                    ["bash", "-c", f'ulimit -s 81920; exec "$0" hold "$1" 3<&{given.fileno()}', helper, library],
                    input=asked,
                    capture_output=True,
                    pass_fds=(given.fileno(),),
                    timeout=60,
                )

        made = hold(b"compile\n", next(path for path in MODULES if path.name == "endless_loop.wat").read_bytes())
        self.assertEqual((made.returncode, made.stderr), (0, b"optgap-wasm ok\n"))
        done = hold(b"runs 1000000000000 16 16 50 1 1\n12", made.stdout)
        self.assertEqual((done.returncode, done.stdout), (77, b""), done.stderr)

    @staticmethod
    def running(engine):
        """Processes of an engine that have run a module for 50 ms."""
        found, parents = set(), brokers_of(engine)
        for entry in pathlib.Path("/proc").iterdir():
            if entry.name.isdigit() and alive_parent(entry) in parents:
                try:
                    words = (entry / "cmdline").read_bytes().split(b"\0")
                    ticks = int((entry / "stat").read_text().rpartition(")")[2].split()[11])
                    if words[0].endswith(b"optgap-wasm") and ticks >= 5:
                        found.add(int(entry.name))
                except OSError:
                    pass
        return found

    def test_a_crash_costs_no_run(self):
        self.assertEqual(self.ended_by(signal.SIGABRT), [("run_steps", -1, 1, False), ("run_steps", -1, 2, False)])

    def test_a_crash_of_a_run_that_is_alone_is_its_own(self):
        self.assertEqual(
            self.ended_by(signal.SIGKILL, signal.SIGABRT),
            [("run_crash", signal.SIGABRT, 2, False), ("run_steps", -1, 1, False)],
        )


class Cpp(unittest.TestCase):
    def setUp(self):
        if not ISOLATION_LEVELS["cpp"]["usable"]:
            self.skipTest(ISOLATION_LEVELS["cpp"]["found"])

    def test_hostile_programs(self):
        limits = '{"cpu_ms": 200, "memory_mb": 96, "output_kb": 256, "compile_cpu_ms": 1000, "compile_memory_mb": 512}'
        paths = sorted((ROOT / "tests/programs/hostile").glob("*.cpp"))
        for row in run_files(*paths, limits=limits, more=("--slots", "2")):
            path = pathlib.Path(row["program"])
            with self.subTest(program=path.name):
                codes, _, where = path.read_text().splitlines()[0].split(maxsplit=1)[1].partition(" ")
                other = OTHER_ENDS.get(path.name)
                self.assertIn(row["code"], other or codes.split("|"), row)
                if where and not other:
                    self.assertEqual(str(row["where"]), where, row)
                self.assertNotIn("ALLOWED", row["output"])
                for secret in ("root:x:0", "root:*:"):
                    self.assertNotIn(secret, row["output"] + row["errors"])

    def test_a_fault_of_one_run_is_none_of_the_next(self):
        """Of a program's runs on thirty instances some trap, some loop, some fill the memory. One process gives the
        same rows as thirty."""
        text = "#include <bits/stdc++.h>\nint main() { std::string line, all; while (std::getline(std::cin, line)) all += line;\n"
        text += "unsigned kind = 0; for (char c : all) kind += c; std::vector<int*> kept; volatile int turns = 0;\n"
        text += 'std::fprintf(stderr, "kind %u", kind % 5); std::cout << "0 1" << std::endl;\n'
        text += "if (kind % 5 == 1) __builtin_trap(); while (kind % 5 == 2) turns = turns + 1;\n"
        text += "while (kind % 5 == 3) kept.push_back(new int[100000]); return kind % 5 == 4 ? 7 : 0; }\n"
        row = {
            "key": "tsp@1:train:easy:1*30",
            "language": "cpp",
            "limits": {"steps": 20_000_000, "memory_mb": 32},
            "completion": f"```cpp\n{text}\n```",
        }
        told = set()
        for slots in ("1", "64"):
            done = subprocess.run(
                [BINARY, "score", "-", "--isolation", "wasm", "--slots", slots, "--quiet"],
                input=json.dumps(row) + "\n",
                capture_output=True,
                text=True,
                timeout=300,
            )
            told.add(done.stdout)
        self.assertEqual(len(told), 1, told)
        codes = set(json.loads(told.pop())["codes"])
        self.assertLessEqual({"run_crash", "run_steps", "run_memory", "run_exit"}, codes)

    def test_the_same_steps_beside_others(self):
        """A program that reads clocks and randomness: equal bytes and steps on one slot, on sixteen, and under load."""
        text = "#include <bits/stdc++.h>\nint main() { std::random_device seed; std::mt19937 next(seed()); long long sum = 0;\n"
        text += "auto start = std::chrono::steady_clock::now(); int turns = 0;\n"
        text += "for (; std::chrono::steady_clock::now() - start < std::chrono::milliseconds(20); ++turns) sum += next() % 1000;\n"
        text += "std::cout << turns << ' ' << sum << ' ' << clock() << ' ' << std::sqrt(double(sum)) << '\\n'; }\n"
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "loops.cpp"
            path.write_text(text)
            told = {
                (row["code"], row["steps"], row["output"])
                for row in run_files(path, more=("--slots", "1", "--repeat", "2"))
            }
            neighbours = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(3)]
            try:
                told |= {
                    (row["code"], row["steps"], row["output"])
                    for row in run_files(path, more=("--slots", "16", "--repeat", "16"))
                }
            finally:
                for each in neighbours:
                    each.kill()
                    each.wait()
        self.assertEqual([code for code, _, _ in told], ["ok"], told)

    def test_a_program(self):
        text = (
            "#include <bits/stdc++.h>\nint main() { std::vector<int> v; for (int x; std::cin >> x;) v.push_back(x);\n"
        )
        text += "std::sort(v.begin(), v.end()); for (int x : v) std::cout << x << ' '; std::printf(\"%d\\n\", int(clock() < CLOCKS_PER_SEC)); }\n"
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "sorts.cpp"
            path.write_text(text)
            rows = run_files(path, more=("--repeat", "2"))
            self.assertEqual({row["steps"] for row in rows}, {rows[0]["steps"]})
            self.assertEqual(
                (rows[0]["code"], sorted(rows[0]["output"].split())), ("ok", ["1", "1", "2", "3"]), rows[0]
            )
            path.write_text("int main() { throw 1; }\n")
            self.assertRegex(run_files(path)[0]["first_line"], "line 1: cannot use 'throw'")
            path.write_text('#include "/etc/passwd"\nint main() {}\n')
            row = run_files(path)[0]
            self.assertEqual(row["code"], "compile_error")
            self.assertNotIn("root:x:0", row["errors"])
            path.write_text("#include <vector>\nint main() { std::vector<int> v; for (;;) v.push_back(1); }\n")
            self.assertEqual(run_files(path)[0]["code"], "run_memory")


if __name__ == "__main__":
    if not ISOLATION_LEVELS["wasm"]["usable"]:
        print(f"wasm: {ISOLATION_LEVELS['wasm']['found']}: {ISOLATION_LEVELS['wasm']['fix']}")
        sys.exit(77)
    unittest.main()
