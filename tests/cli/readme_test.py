"""Every command in README.md and docs runs as it stands there.

Blocks fenced as ```sh are run line by line in a scratch folder that looks like the checkout. The long ones, which set up,
build and test (tools/demo.sh, tools/test.sh, tools/setup.sh, tools/gpu_check.sh), are only checked to exist: CI runs them.
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BINARY = os.environ.get("OPTGAP_BINARY", str(ROOT / "build/release/optgap"))
LONG = ("tools/demo.sh", "tools/test.sh", "tools/setup.sh", "tools/gpu_check.sh", "tools/device_folder.sh", "cmake ")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "kernels/tasks").glob("*/README.md"))]


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
            for name in ("tools", "kernels", "bench", "docs"):
                (here / name).symlink_to(ROOT / name)
            (here / "build/release").mkdir(parents=True)
            (here / "build/release/optgap").symlink_to(BINARY)
            environment = {**os.environ, "PATH": f"{here / 'build/release'}:{os.environ['PATH']}"}
            for page in PAGES:
                for command in commands(page):
                    checked += 1
                    with self.subTest(page=page.name, command=command):
                        if command.startswith(LONG):
                            self.assertTrue((ROOT / command.split()[0]).exists() or shutil.which(command.split()[0]))
                            continue
                        done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=here, env=environment,
                                              capture_output=True, text=True, timeout=300)
                        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        self.assertGreaterEqual(checked, 10, "README.md documents too little to mean anything")


if __name__ == "__main__":
    unittest.main()
