"""tools/gpu_check.sh with stand-ins for the driver's tools and the programs: which stages run, which files exist when
one is ended early, and the contents of the results."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from optgap_process import BINARY

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools/gpu_check"))
import stages as table  # noqa: E402

SMI = """#!/bin/sh
case $1 in
--list-gpus) echo "GPU 0: Stand-in 9000 (UUID: none)" ;;
*) echo "Stand-in 9000, 999.1, 1000, 2000, 1900, 2600, 40, [N/A]" ;;
esac
"""
SANITIZER = """#!/bin/sh
echo "sanitizer $*" >>"$CALLS"
case $* in
*initcheck*) echo "Device not supported" ;;
*"${RACES:-nothing at all}"*) echo "========= a race"; exit 99 ;;
esac
"""
TESTS = """#!/bin/sh
[ "$OPTGAP_REQUIRE" = cuda ] || exit 9
for argument; do
    case $argument in
    --gtest_output=json:*) [ -z "$HANGS" ] && cat "$STAND_INS/tests.json" >"${argument#--gtest_output=json:}" ;;
    esac
done
if [ "$HANGS" = tests ]; then echo "[       OK ] cuda_teams.agree (3 ms)"; exec sleep 60; fi
exit "${TESTS_END_WITH:-0}"
"""
PYTEST = """#!/bin/sh
echo "pytest $*" >>"$CALLS"
"""
OPTGAP = """#!{python}
import json, os, sys, time
words = sys.argv[1:]
with open(os.environ["CALLS"], "a") as calls:
    calls.write("optgap " + " ".join(words) + "\\n")
said = " ".join(words)
if words[0] == "tasks":
    print(json.dumps([{{"name": "clique"}}, {{"name": "tsp"}}]))
    sys.exit()
if os.environ.get("FAILS", "nothing at all") in said:
    sys.exit("no memory")
if words[:2] == ["bench", "merge"]:
    os.execv(os.environ["MERGES"], [os.environ["MERGES"], *words])
if "--record" not in words:
    sys.exit()
option = lambda name, usual="": words[words.index(name) + 1] if name in words else usual
head = {{"instruction_set": "isa_v3", "threads": 16, "text_bytes": 63000, "steps": 200, "date": "2026-01-02",
         "device": "cuda: Stand-in 9000" if option("--device") == "cuda" else "cpu: 16 threads, isa_v3",
         "commit": option("--commit"), "machine": option("--machine"), "command": "optgap " + said}}
row = {{"task": option("--task", "mixed"), "level": "benchmark", "batch": 16, "unit": "rows", "rate": 8.0,
        "median_s": 2.0, "spread": 0.0, "taken": 3, "samples": [7.0, 8.0, 9.0]}}
with open(option("--record"), "a") as to:
    if words[1] == "start_up":
        to.write(json.dumps({{"benchmark": "ceiling", "case": "copy", "unit": "bytes/s", "rate": 2.0, "taken": 1,
                              "samples": [2.0], **head}}) + "\\n")
    elif words[1] == "goals":
        to.write(json.dumps({{"benchmark": "goal", "case": "improve_moves", "task": "tsp", "level": "benchmark",
                              "unit": "moves/s", "at_least": 2.0, "value": 1.0, "verdict": "not met",
                              "note": "stand-in", **head}}) + "\\n")
    else:
        to.write(json.dumps({{"benchmark": words[1], **row, **head}}) + "\\n")
if (os.environ.get("HANGS") or "nothing at all") in said:
    time.sleep(60)
sys.exit(words[1] == "goals")
"""
REPORT = {
    "tests": 3,
    "testsuites": [
        {
            "name": "cuda_teams",
            "testsuite": [
                {"name": "agree", "result": "COMPLETED"},
                {"name": "skips", "result": "COMPLETED"},
                {"name": "breaks", "result": "COMPLETED"},
            ],
        }
    ],
}


class GpuCheck(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.here = pathlib.Path(scratch.name)
        (self.here / "tools").mkdir()
        shutil.copy(ROOT / "tools/gpu_check.sh", self.here / "tools")
        shutil.copytree(ROOT / "tools/gpu_check", self.here / "tools/gpu_check")
        self.folder = self.here / "folder"
        self.report = REPORT
        for path, text in (
            ("path/nvidia-smi", SMI),
            ("path/compute-sanitizer", SANITIZER),
            ("path/ncu", SANITIZER),
            ("folder/optgap", OPTGAP.format(python=sys.executable)),
            ("folder/optgap_cuda_tests", TESTS),
        ):
            (self.here / path).parent.mkdir(exist_ok=True)
            (self.here / path).write_text(text, encoding="utf-8")
            (self.here / path).chmod(0o755)
        (self.folder / "provenance.json").write_text(
            json.dumps({"commit": "0123456789abcdef", "kernel_sources": "k", "modified": False}), encoding="utf-8"
        )
        self.change("command=('true',)", "'{python}' in one.command")  # the machine of the tests need not have torch

    def change(self, change, where):
        """The stages of the copy under test."""
        path = self.here / "tools/gpu_check/stages.py"
        text = path.read_text(encoding="utf-8")
        changed = f"tuple(dataclasses.replace(one, {change}) if {where} else one for one in STAGES)"
        path.write_text(f"{text}\nSTAGES = {changed}\n", encoding="utf-8")

    def shorten(self, name, limit):
        self.change(f"limit={limit}", f"one.name == {name!r}")

    def check(self, *arguments, path=None, **environment):
        """The finished process, its stages by name, its lines, and the calls that the stand-ins received."""
        (self.here / "tests.json").write_text(json.dumps(self.report), encoding="utf-8")
        calls = self.here / "calls"
        calls.write_text("", encoding="utf-8")
        out = self.here / "out"
        done = subprocess.run(
            ["bash", str(self.here / "tools/gpu_check.sh"), *arguments],
            cwd="/",
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            env={
                **os.environ,
                "PATH": path or f"{self.here / 'path'}:{os.environ['PATH']}",
                "CALLS": str(calls),
                "STAND_INS": str(self.here),
                "MERGES": str(pathlib.Path(BINARY).resolve()),
                "OUT": str(out),
                "HANGS": "",
                **environment,
            },
        )

        def lines(name):
            return (
                [json.loads(line) for line in (out / name).read_text(encoding="utf-8").splitlines()]
                if (out / name).exists()
                else []
            )

        self.ended = {line["stage"]: line for line in lines("stages.jsonl")}
        self.lines = lines("gpu.jsonl")
        return done, {name: line["status"] for name, line in self.ended.items()}, calls.read_text(encoding="utf-8")

    def test_everything_that_passes(self):
        done, ended, calls = self.check("--folder", str(self.folder), "--machine", "stand-in")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        expected = {stage.name: "passed" for stage in table.STAGES} | {"initcheck": "unavailable", "goals": "unmet"}
        self.assertEqual(ended, expected)
        self.assertEqual(list(ended)[:2], ["info", "start_up"], "the ceilings come before what takes them")
        self.assertEqual(self.ended["tests"]["tests"], {"run": 3, "failed": [], "skipped": []})
        self.assertEqual(self.ended["kernels"]["tasks"], 2)
        for task in ("clique", "tsp"):
            self.assertIn(f"bench device_generate device_verify device_improve --task {task} --device cuda", calls)
        self.assertEqual(calls.count("--tool racecheck"), 2)
        self.assertIn("improve_moves          not met", done.stdout)
        self.assertTrue(done.stdout.endswith("gpu_check: all stages passed\n"), done.stdout)

    def test_lines_say_where_they_are_from(self):
        self.check("--folder", str(self.folder), "--machine", "stand-in")
        for line in self.lines:
            self.assertEqual(
                (line["machine"], line["driver"], line["kernel_sources"], line["commit"]),
                ("stand-in", "999.1", "k", "0123456789abcdef"),
            )
        whole = [line for line in self.lines if line["benchmark"] == "gpu_check"]
        self.assertEqual(len(whole), 1)
        self.assertEqual(whole[0]["gpu_before"]["clock_sm_max_mhz"], 1900.0)
        self.assertIsNone(whole[0]["gpu_after"]["power_w"], "a value that the driver does not give is no number")
        self.assertEqual(whole[0]["stages"]["goals"]["status"], "unmet")
        into = self.here / "kept.jsonl"
        for _ in range(2):
            merged = subprocess.run(
                [BINARY, "bench", "merge", str(into), str(self.here / "out/gpu.jsonl"), "--quiet"],
                capture_output=True,
                text=True,
                check=False,
            )
            self.assertEqual(merged.returncode, 0, merged.stderr)
        kept = into.read_text(encoding="utf-8").splitlines()
        self.assertEqual(sum('"kernels"' in line or '"device_generate"' in line for line in kept), 3)

    def test_what_was_found_is_on_disk_when_a_stage_is_ended(self):
        self.shorten("tests", 1)
        done, ended, _ = self.check("--folder", str(self.folder), "--part", "tests", HANGS="tests")
        self.assertEqual((done.returncode, ended["tests"]), (1, "timed_out"))
        self.assertEqual(
            self.ended["tests"]["tests"], {"run": 1, "failed": [], "skipped": []}, "the lines printed so far"
        )
        self.shorten("mixed", 1)
        self.shorten("kernels", 2)
        done, ended, _ = self.check("--folder", str(self.folder), "--part", "kernels", HANGS="device_mixed_step")
        self.assertEqual((done.returncode, ended["mixed"], ended["ncu_improve_tsp"]), (1, "timed_out", "passed"))
        self.assertIn("device_mixed_verify", [line["benchmark"] for line in self.lines], "its row was recorded before")
        done, ended, _ = self.check("--folder", str(self.folder), "--part", "kernels", HANGS="device_verify")
        self.assertEqual(ended["kernels"], "timed_out")
        self.assertIn("clique", self.ended["kernels"]["unfinished"])
        self.assertIn("not passed: kernels", done.stdout)

    def test_the_limits_of_each_call_fit_a_machine_that_is_lent_for_minutes(self):
        of_all = sum(stage.limit for stage in table.STAGES if stage.part == table.ALWAYS)
        seen = []
        for parts, most in table.CALLS:
            seen += parts
            limits = of_all + sum(stage.limit for stage in table.STAGES if stage.part in parts)
            self.assertLessEqual(limits, most, parts)
            self.assertGreater(limits, most / 2, "the limits were not found")
        self.assertEqual(sorted(seen), sorted(table.PARTS))

    def test_a_task_s_failure_is_named_and_the_others_go_on(self):
        done, ended, _ = self.check("--folder", str(self.folder), "--part", "kernels", FAILS="--task clique")
        self.assertEqual((done.returncode, ended["kernels"], ended["mixed"]), (1, "failed", "passed"))
        self.assertEqual(self.ended["kernels"]["failed_tasks"], ["clique"])
        self.assertIn("clique: no memory", done.stdout)
        done, ended, _ = self.check("--folder", str(self.folder), "--part", "tests", RACES="--task tsp")
        self.assertEqual((done.returncode, self.ended["racecheck"]["failed_tasks"]), (1, ["tsp"]))

    def test_failed_skipped_and_absent_tests_are_not_passed(self):
        self.report = json.loads(json.dumps(REPORT))
        self.report["testsuites"][0]["testsuite"][1]["result"] = "SKIPPED"
        self.report["testsuites"][0]["testsuite"][2]["failures"] = [{"failure": "no"}]
        done, _, _ = self.check("--folder", str(self.folder), "--part", "tests", TESTS_END_WITH="1")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(
            self.ended["tests"]["tests"], {"run": 3, "failed": ["cuda_teams.breaks"], "skipped": ["cuda_teams.skips"]}
        )
        done, ended, _ = self.check("--folder", str(self.folder), "--part", "tests")
        self.assertEqual((done.returncode, ended["tests"]), (1, "failed"), "a skipped test is not passed")
        self.report = {"tests": 0, "testsuites": []}
        done, ended, _ = self.check("--folder", str(self.folder), "--part", "tests")
        self.assertEqual((done.returncode, ended["tests"]), (1, "failed"), "a program that ran no test has not passed")

    def test_a_packed_folder_and_a_quick_check(self):
        subprocess.run(["tar", "-C", str(self.folder), "-cJf", str(self.here / "folder.tar.xz"), "."], check=True)
        done, ended, _ = self.check("--folder", str(self.here / "folder.tar.xz"), "--quick")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(set(ended), {stage.name for stage in table.STAGES if stage.quick})
        self.assertTrue((self.here / "out/logs.tar.xz").exists())

    def test_bad_usage_and_a_machine_without_a_gpu(self):
        for arguments in (["--part", "none"], ["--part"], ["--folder"], ["--fast"], ["--folder", str(self.here)]):
            done, ended, calls = self.check(*arguments)
            self.assertEqual((done.returncode, ended, calls), (2, {}, ""), arguments)
            self.assertTrue(done.stderr, arguments)
        bare = self.here / "bare"
        bare.mkdir()
        for tool in ("bash", "dirname", "python3"):
            (bare / tool).symlink_to(shutil.which(tool))
        if not any(
            pathlib.Path(folder, "nvidia-smi").exists() for folder in ("/usr/local/cuda/bin", "/usr/local/nvidia/bin")
        ):
            done, ended, _ = self.check(path=str(bare))
            self.assertEqual((done.returncode, ended), (3, {}))
            self.assertIn("nothing was checked", done.stderr)
        (self.here / "path/nvidia-smi").write_text("#!/bin/sh\necho no devices were found; exit 6\n", encoding="utf-8")
        done, ended, _ = self.check()
        self.assertEqual((done.returncode, ended), (3, {}))


if __name__ == "__main__":
    unittest.main()
