"""tools/gpu_check.sh with stand-ins for the driver's tools and the programs: which stages run, and what its JSON says."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from optgap_process import BINARY

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

SMI = """#!/bin/sh
case $1 in
--list-gpus) echo "GPU 0: Stand-in 9000 (UUID: none)" ;;
*) echo "Stand-in 9000, 999.1, 1000, 2000, 1900, 2600, 40, [N/A]" ;;
esac
"""
SANITIZER = """#!/bin/sh
echo "sanitizer $*" >>"$CALLS"
case $* in *racecheck*) echo "Device not supported" ;; esac
"""
TESTS = """#!/bin/sh
[ "$OPTGAP_REQUIRE" = cuda ] || exit 9
for argument; do
    case $argument in --gtest_output=json:*) cat "$STAND_INS/tests.json" >"${argument#--gtest_output=json:}" ;; esac
done
exit "${TESTS_END_WITH:-0}"
"""
OPTGAP = """#!/bin/sh
echo "optgap $*" >>"$CALLS"
case $* in
"bench merge"*) exec "$MERGES" "$@" ;;
*"${BENCH_FAILS:-nothing at all}"*) echo "no memory" >&2; exit 3 ;;
*"${BENCH_GARBLES:-nothing at all}"*) echo "no json"; exit 0 ;;
*goals*) cat "$STAND_INS/goals.json"; exit 1 ;;
*"--device cpu"*) cat "$STAND_INS/cpu.json" ;;
*) cat "$STAND_INS/cuda.json" ;;
esac
"""
HEAD = {
    "instruction_set": "isa_v3",
    "threads": 16,
    "text_bytes": 63000,
    "steps": 200,
    "commit": "unknown",
    "command": "optgap bench",
}


def report(device, ceiling, **more):
    """As `optgap bench --json` prints it."""
    found = {"name": ceiling, "unit": "bytes/s", "median": 2.0, "samples": [1.0, 2.0, 3.0]}
    return {"device": device, **HEAD, "rows": [], "ceilings": [found], **more}


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
GOALS = report(
    "cuda: Stand-in 9000",
    "shared_load",
    goals=[
        {"goal": "improve_moves", "verdict": "not met", "value": 1.0, "note": "stand-in", "unit": "moves/s"},
        {"goal": "step_16_cores", "verdict": "not measured", "value": None, "note": "needs 16 cores", "unit": "s"},
    ],
)
ROW = {
    "workload": "verify",
    "task": "tsp",
    "level": "benchmark",
    "batch": 16,
    "unit": "answers",
    "items_per_sample": 16.0,
    "rate": 8.0,
    "spread": 0.0,
    "samples_s": [2.0] * 40,
}
REPORTS = {
    "goals": GOALS,
    "cpu": report("cpu: 16 threads, isa_v3", "read", rows=[ROW]),
    "cuda": report("cuda: Stand-in 9000", "shared_load", rows=[ROW]),
}


class GpuCheck(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.here = pathlib.Path(scratch.name)
        (self.here / "tools").mkdir()
        shutil.copy(ROOT / "tools/gpu_check.sh", self.here / "tools")
        self.folder = self.here / "folder"
        self.report = REPORT
        for path, text in (
            ("path/nvidia-smi", SMI),
            ("path/compute-sanitizer", SANITIZER),
            ("folder/optgap", OPTGAP),
            ("folder/optgap_cuda_tests", TESTS),
        ):
            (self.here / path).parent.mkdir(exist_ok=True)
            (self.here / path).write_text(text, encoding="utf-8")
            (self.here / path).chmod(0o755)
        (self.folder / "provenance.json").write_text(
            json.dumps({"commit": "0123456789abcdef", "kernel_sources": "k", "modified": False}), encoding="utf-8"
        )

    def check(self, *arguments, path=None, **environment):
        """The finished process, its JSON or None, and the calls that the stand-ins saw."""
        (self.here / "tests.json").write_text(json.dumps(self.report), encoding="utf-8")
        for name, made in REPORTS.items():
            (self.here / f"{name}.json").write_text(json.dumps(made), encoding="utf-8")
        calls = self.here / "calls"
        calls.write_text("", encoding="utf-8")
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
                "OUT": str(self.here / "out"),
                **environment,
            },
        )
        made = sorted((self.here / "out").glob("*.json")) if (self.here / "out").exists() else []
        made = [file for file in made if file.name.startswith("gpu_check-")]
        result = json.loads(made[0].read_text(encoding="utf-8")) if made else None
        self.name = made[0].name if made else None
        return done, result, calls.read_text(encoding="utf-8")

    def stages(self, result):
        return {stage["name"]: stage["status"] for stage in result["stages"]}

    def test_everything_that_passes(self):
        done, result, calls = self.check("--folder", str(self.folder))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(
            self.stages(result),
            {
                "build": "prebuilt",
                "tests": "passed",
                "memcheck": "passed",
                "racecheck": "unavailable",
                "initcheck": "passed",
                "synccheck": "passed",
                "bench_device": "passed",
                "bench_cuda": "passed",
                "bench_interference": "passed",
                "bench_calls": "passed",
                "bench_goals": "unmet",
                "bench_cpu": "passed",
            },
        )
        self.assertEqual(self.name, "gpu_check-stand-in-9000-01234567.json")
        self.assertEqual(
            (result["device"], result["driver"], result["commit"]), ("Stand-in 9000", "999.1", "0123456789abcdef")
        )
        self.assertEqual(result["gpu_before"]["clock_sm_max_mhz"], 1900.0)
        self.assertIsNone(result["gpu_after"]["power_w"], "a value that the driver does not give is no number")
        self.assertEqual(result["tests"], {"run": 3, "failed": [], "skipped": []})
        self.assertEqual([found["name"] for found in result["ceilings"]], ["shared_load"])
        self.assertEqual(result["goals"], GOALS["goals"])
        self.assertEqual(set(result["bench"]), {"device", "cuda", "interference", "calls", "goals", "cpu"})
        self.assertIn("step_16_cores          not measured", done.stdout)
        self.assertEqual(calls.count("sanitizer"), 4)

    def test_measurements_become_lines_that_say_where_they_are_from(self):
        self.check("--folder", str(self.folder), "--machine", "stand-in")
        lines = [json.loads(line) for line in (self.here / "out/gpu.jsonl").read_text(encoding="utf-8").splitlines()]
        found = {
            (line["benchmark"], line.get("case", line.get("task")), line["device"].split(":")[0]): line
            for line in lines
        }
        self.assertEqual(
            sorted(found),
            [
                ("ceiling", "read", "cpu"),
                ("ceiling", "shared_load", "cuda"),
                ("goal", "improve_moves", "cuda"),
                ("gpu_check", "bench", "cuda"),
                ("gpu_check", "tests", "cuda"),
                ("verify", "tsp", "cpu"),
                ("verify", "tsp", "cuda"),
            ],
        )
        for line in lines:
            self.assertEqual(
                (line["machine"], line["driver"], line["kernel_sources"], line["commit"]),
                ("stand-in", "999.1", "k", "0123456789abcdef"),
            )
        row = found["verify", "tsp", "cuda"]
        self.assertEqual((row["rate"], row["median_s"], row["taken"], len(row["samples"])), (8.0, 2.0, 40, 15))
        self.assertEqual(found["gpu_check", "tests", "cuda"]["tests"], {"run": 3, "failed": [], "skipped": []})
        self.assertEqual(found["gpu_check", "bench", "cuda"]["stages"]["bench_goals"]["status"], "unmet")
        self.check("--folder", str(self.folder), "--machine", "stand-in")
        again = (self.here / "out/gpu.jsonl").read_text(encoding="utf-8").splitlines()
        self.assertEqual(len(again), len(lines), "a second run takes the first one's place")
        shutil.rmtree(self.here / "out")
        self.check("--folder", str(self.folder), "--quick")
        self.assertFalse((self.here / "out/gpu.jsonl").exists(), "a quick run measures too little to be kept")

    def test_the_parts_together_are_the_whole(self):
        seen = set()
        for part, absent in (("tests", "bench_cuda"), ("bench", "tests")):
            _, result, _ = self.check("--folder", str(self.folder), "--part", part, OUT=str(self.here / "out"))
            self.assertEqual(result["part"], part)
            self.assertEqual(self.name, f"gpu_check-stand-in-9000-01234567-{part}.json")
            self.assertNotIn(absent, self.stages(result))
            seen |= set(self.stages(result))
            shutil.rmtree(self.here / "out")
        _, result, _ = self.check("--folder", str(self.folder))
        self.assertEqual(seen, set(self.stages(result)))

    def test_each_part_ends_within_ten_minutes(self):
        text = (ROOT / "tools/gpu_check.sh").read_text(encoding="utf-8")
        limits = {"tests": 0, "bench": 0}
        for line in text.split("if $quick; then\n        bench device")[1].splitlines():
            words = line.split()
            if words[:1] == ["bench"] and words[2].isdigit():
                limits["bench"] += int(words[2])
        limits["tests"] = 180 + 3 * (60 + 10) + 160 + 10
        self.assertIn("stage tests 180 ", text)
        self.assertIn("for tool in memcheck initcheck synccheck; do", text)
        self.assertIn('sanitize "$tool" 60\n', text)
        self.assertIn("sanitize racecheck 160 ", text)
        self.assertIn('timeout --kill-after=10 "$limit" compute-sanitizer', text)
        self.assertGreater(limits["bench"], 300, "the limits were not found")
        for part, seconds in limits.items():
            self.assertLess(seconds, 600, part)

    def test_a_bench_that_fails_or_prints_no_json_is_not_passed_over(self):
        for disturbance in ("BENCH_FAILS", "BENCH_GARBLES"):
            done, result, _ = self.check("--folder", str(self.folder), **{disturbance: "interference"})
            self.assertEqual(done.returncode, 1, disturbance)
            self.assertEqual(self.stages(result)["bench_interference"], "failed", disturbance)
            self.assertIsNone(result["bench"]["interference"])
            self.assertEqual(self.stages(result)["bench_goals"], "unmet", "the stages after it still run")
            self.assertIn("bench_interference", done.stdout.splitlines()[-1])

    def test_failed_and_skipped_tests_are_named(self):
        self.report = json.loads(json.dumps(REPORT))
        self.report["testsuites"][0]["testsuite"][1]["result"] = "SKIPPED"
        self.report["testsuites"][0]["testsuite"][2]["failures"] = [{"failure": "no"}]
        done, result, _ = self.check("--folder", str(self.folder), "--part", "tests", TESTS_END_WITH="1")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(result["tests"], {"run": 3, "failed": ["cuda_teams.breaks"], "skipped": ["cuda_teams.skips"]})
        done, _, _ = self.check("--folder", str(self.folder), "--part", "tests")
        self.assertEqual(done.returncode, 1, "a skipped test is not passed")

    def test_bad_usage_and_a_machine_without_a_gpu(self):
        for arguments in (["--part", "none"], ["--part"], ["--folder"], ["--fast"], ["--folder", str(self.here)]):
            done, result, calls = self.check(*arguments)
            self.assertEqual((done.returncode, result, calls), (2, None, ""), arguments)
            self.assertTrue(done.stderr, arguments)
        bare = self.here / "bare"
        bare.mkdir()
        for tool in ("bash", "dirname", "sed"):
            (bare / tool).symlink_to(shutil.which(tool))
        if not any(
            pathlib.Path(folder, "nvidia-smi").exists() for folder in ("/usr/local/cuda/bin", "/usr/local/nvidia/bin")
        ):
            done, result, _ = self.check(path=str(bare))
            self.assertEqual((done.returncode, result), (3, None))
            self.assertIn("nothing was checked", done.stderr)
        (self.here / "path/nvidia-smi").write_text("#!/bin/sh\necho no devices were found; exit 6\n", encoding="utf-8")
        done, result, _ = self.check()
        self.assertEqual((done.returncode, result), (3, None))


if __name__ == "__main__":
    unittest.main()
