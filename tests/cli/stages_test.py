"""tools/test.sh with stand-ins for cmake, ctest and the scripts: a failure planted in any stage fails the run and is named."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

# PLANT is "what:where": a build, a test, a hang or an unfinished test, in one preset or script.
CMAKE = """#!/bin/bash
for argument; do last=$argument; done
case $* in
"--preset "*) [[ $* == *OPTGAP_UNITY=ON* ]] && echo "$2" >>joined; exit 0 ;;
*"--preset $WHERE "*) [[ $WHAT == build ]] && { echo "error: planted"; exit 1; } ;;&
*"--preset $WHERE "*) [[ $WHAT == hang ]] && sleep 60 ;;
esac
exit 0
"""
CTEST = """#!/bin/bash
preset=$2
while [[ $1 != --output-junit ]]; do shift; done
echo "$preset ${OPTGAP_LONG:-0}" >>samples
[[ $WHAT:$WHERE == crash:$preset ]] && exit 8
status=run end=0
[[ $WHAT:$WHERE == test:$preset ]] && status=fail end=8
[[ $WHAT:$WHERE == none:$preset ]] && { echo "<testsuite/>" >"$2"; exit 8; }
said=
[[ $WHAT == many ]] && said="[==========] 56 tests from 9 test suites ran. (1 ms total)
[  PASSED  ] 53 tests.
[  SKIPPED ] 2 tests."
[[ $WHAT:$WHERE == many:$preset ]] && status=fail end=8 said="[  FAILED  ] tasks/laws.b/x, where GetParam() = 0 (3 ms)
$said"
echo "<testsuite><testcase name='a' status='run'/>
<testcase name='b' status='$status'><system-out>$said</system-out></testcase></testsuite>" >"$2"
exit $end
"""
SCRIPT = """#!/bin/bash
name=$(basename "$0" .sh)
name=${name%_test}
[[ $WHAT:$WHERE == hang:$name ]] && sleep 60
[[ $WHAT:$WHERE == test:$name ]] && { echo "1 passed, 1 failed, 0 skipped"; exit 1; }
[[ $WHAT:$WHERE == none:$name ]] && exit 0
echo "2 passed, 0 failed, 0 skipped"
"""
OPTGAP = """#!/bin/bash
[[ $WHAT:$WHERE == bytes:cuda && $0 == */cuda/* ]] && echo "another row"
[[ $WHAT:$WHERE == crash:bytes && $1 == solve ]] && exit 3
echo "a row"
"""
PLANTS = [
    ("build", "release"),
    ("build", "cuda"),
    ("build", "asan"),
    ("build", "fuzz"),
    ("build", "tsan"),
    ("test", "release"),
    ("test", "cuda"),
    ("test", "asan"),
    ("test", "fuzz"),
    ("test", "tsan"),
    ("crash", "release"),
    ("none", "tsan"),
    ("bytes", "cuda"),
    ("crash", "bytes"),
    ("test", "lint"),
    ("none", "lint"),
    ("test", "python"),
    ("none", "python"),
    ("test", "trainers"),
    ("none", "trainers"),
    ("test", "peers"),
    ("none", "peers"),
    ("test", "ray"),
    ("none", "ray"),
    ("test", "environments"),
    ("none", "environments"),
]


class Stages(unittest.TestCase):
    def run_with(self, what, where, form="--trainers", **settings):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        here = self.here = pathlib.Path(scratch.name)
        for folder in ("tools", "path", "tests/fuzz", "build/release", "build/cuda"):
            (here / folder).mkdir(parents=True)
        shutil.copy(ROOT / "tools/test.sh", here / "tools")
        (here / "tests/fuzz/fuzz_a.cpp").touch()
        for path, text in (
            ("path/cmake", CMAKE),
            ("path/ctest", CTEST),
            ("path/nvcc", "#!/bin/sh\n"),
            ("path/clang++", "#!/bin/sh\n"),
            ("tools/setup.sh", "#!/bin/sh\n"),
            ("tools/trainers_setup.sh", "#!/bin/sh\n"),
            ("tools/environment.sh", ""),
            ("tools/lint.sh", SCRIPT),
            ("tools/python_test.sh", SCRIPT),
            ("tools/trainers_test.sh", SCRIPT),
            ("tools/peers_test.sh", SCRIPT),
            ("tools/ray_test.sh", SCRIPT),
            ("tools/environments_test.sh", SCRIPT),
            ("tools/stress.sh", SCRIPT),
            ("tools/oracle.sh", SCRIPT),
            ("build/release/optgap", OPTGAP),
            ("build/cuda/optgap", OPTGAP),
        ):
            (here / path).write_text(text, encoding="utf-8")
            (here / path).chmod(0o755)
        environment = {
            **os.environ,
            # The interpreter's own folder comes before a shim of pyenv, which takes 0.1 s a start: one run starts
            # Python ten times.
            "PATH": f"{here / 'path'}:{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}",
            "WHAT": what,
            "WHERE": where,
            "OPTGAP_LONG": "",
            **settings,
        }
        return subprocess.run(
            ["bash", "tools/test.sh", form], cwd=here, env=environment, capture_output=True, text=True, timeout=100
        )

    def test_a_run_without_a_failure_counts_every_stage(self):
        done = self.run_with("nothing", "nowhere")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        # Two of each of five builds and six scripts, and the comparison of bytes.
        self.assertEqual(done.stdout.splitlines()[-1], "23 passed, 0 failed, 0 skipped")
        self.assertEqual((self.here / "joined").read_text().split(), ["release", "asan", "tsan"])
        self.assertNotIn(" 1", (self.here / "samples").read_text())

    def test_the_long_form_takes_whole_samples_in_every_stage(self):
        done = self.run_with("nothing", "nowhere", "--long")
        self.assertEqual(done.stdout.splitlines()[-1], "25 passed, 0 failed, 0 skipped", done.stdout)
        stages = (self.here / "samples").read_text().split("\n")
        self.assertEqual(stages, ["release 1", "cuda 1", "asan 1", "fuzz 1", "tsan_whole 1", ""])
        self.assertEqual(
            (self.here / "joined").read_text().split(), ["release", "tsan"]
        )  # asan: every source compiles by itself

    def test_ci_runs_one_of_two_sanitizers_by_the_commit(self):
        for commit, here, left_out in (("ab0000e", "asan", ["tsan"]), ("ab0000f", "tsan", ["asan", "fuzz"])):
            with self.subTest(commit=commit):
                done = self.run_with("nothing", "nowhere", "--ci", OPTGAP_COMMIT=commit)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertRegex(done.stdout, rf"(?m)^{here} +passed")
                for stage in left_out:
                    self.assertRegex(done.stdout, rf"(?m)^{stage} +skipped")

    def test_a_failure_in_any_stage_fails_the_run(self):
        for what, where in PLANTS:
            with self.subTest(what=what, where=where):
                done = self.run_with(what, where)
                self.assertEqual(done.returncode, 1, done.stdout)
                stage = "cuda" if where == "bytes" else where
                self.assertRegex(done.stdout, rf"(?m)^{stage} +FAILED")
                self.assertEqual(done.stdout.count(" FAILED "), 1, done.stdout)

    def test_an_entry_of_many_gtests_counts_as_gtest_says(self):
        done = self.run_with("many", "asan")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stdout, r"(?m)^asan +FAILED +54 +1 +2 ")
        self.assertRegex(done.stdout, r"(?m)^tsan +passed +54 +0 +2 ")
        self.assertIn("failed: tasks/laws.b/x", done.stderr)

    def test_a_stage_that_hangs_is_stopped_and_named(self):
        for where in ("asan", "python"):
            with self.subTest(where=where):
                done = self.run_with("hang", where, OPTGAP_STAGE_SECONDS="1")
                self.assertEqual(done.returncode, 1, done.stdout)
                self.assertRegex(done.stdout, rf"(?m)^{where} +FAILED.*stopped: after 1 s: ")


if __name__ == "__main__":
    unittest.main()
