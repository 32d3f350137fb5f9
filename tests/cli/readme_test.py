"""Every command in README.md and docs runs as it stands there.

Blocks fenced as ```sh are run line by line in a scratch folder that looks like the checkout and holds a few files of the
reader's own. The long ones, which set up, build, test and measure (LONG), are only checked to exist: CI runs most of them.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BINARY = os.environ.get("OPTGAP_BINARY", str(ROOT / "build/release/optgap"))
LONG = ("tools/demo.sh", "tools/test.sh", "tools/setup.sh", "tools/gpu_check.sh", "tools/device_folder.sh",
        "tools/oracle.sh", "tools/python_test.sh", "tools/trainers_", "tools/peers_", "tools/task.sh",
        "tools/ci_times.sh", "tools/stress.sh", "python3 bench/", "cmake ", "ctest ")
# Rows for `optgap advantages`, as a reader might have them.
REWARDS = [{"reward": reward, "group": group} for group in range(2) for reward in (0.0, 1.0, 1.0, 2.5)]
SCORES = [{"scores": scores, "group": 1} for scores in ([3.0, 8.0], [5.0, 8.5], [5.0, 2.0], [9.0, None])]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")),
         *sorted((ROOT / "kernels/tasks").glob("*/README.md"))]


def write_readers_files(here):
    """rollouts, two ranks' shares of them and a trainer's dump, and rewards."""
    lines = (ROOT / "tools/demo/rollouts.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (here / "rollouts").mkdir()
    for name, rows in (("rollouts.jsonl", lines), ("rank0.jsonl", lines[:9]), ("rank1.jsonl", lines[9:18]),
                       ("rollouts/120.jsonl", lines[:18])):
        (here / name).write_text("".join(rows), encoding="utf-8")
    for name, rows in (("rewards.jsonl", REWARDS), ("scores.jsonl", SCORES)):
        (here / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def commands(page):
    for block in re.findall(r"^```sh\n(.*?)^```", page.read_text(encoding="utf-8"), re.S | re.M):
        for line in block.replace("\\\n", " ").splitlines():
            line = re.sub(r"\s+#.*$", "", line).strip()
            if line and not line.startswith("#"):
                yield line


class documented_commands(unittest.TestCase):
    def test_every_command_runs(self):
        checked = 0
        with tempfile.TemporaryDirectory() as scratch:
            here = pathlib.Path(scratch)
            for name in ("tools", "kernels", "bench", "docs", "examples", "tests"):
                (here / name).symlink_to(ROOT / name)
            (here / "build/release").mkdir(parents=True)
            (here / "build/release/optgap").symlink_to(BINARY)
            write_readers_files(here)
            environment = {**os.environ, "PATH": f"{here / 'build/release'}:{os.environ['PATH']}"}
            for page in PAGES:
                for command in commands(page):
                    checked += 1
                    with self.subTest(page=page.name, command=command):
                        if command.startswith(LONG):
                            program = command.split()[1 if command.startswith("python3 ") else 0]
                            self.assertTrue((ROOT / program).exists() or shutil.which(program), program)
                            continue
                        done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=here, env=environment,
                                              capture_output=True, text=True, timeout=300)
                        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        self.assertGreaterEqual(checked, 10, "README.md documents too little to mean anything")


if __name__ == "__main__":
    unittest.main()
