"""docs/scale.md: its commands run in one folder, in their order, with the results that the page describes."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from optgap_process import BINARY

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "scale.md"


class Page(unittest.TestCase):
    def run_it(self, command, here, environment):
        ended = subprocess.run(
            ["/bin/sh", "-ec", command], cwd=here, env=environment, capture_output=True, text=True, timeout=300
        )
        self.assertEqual(ended.returncode, 0, f"{command}: {ended.stderr}")
        return ended

    def job_array(self, text, here, environment):
        """The page's job script with less work, as four uncoordinated elements of an array."""
        script = re.search(r"^```\n(#!/bin/bash\n.*?)^```", text, re.M | re.S)[1]
        small = "tsp:easy:train:0-4999"
        script, changes = re.subn(r"all:benchmark:train:0-9999999", small, script)
        self.assertEqual(changes, 1)
        (here / "job.sh").write_text(script, encoding="utf-8")
        array = {
            **environment,
            "HOME": str(here),
            "SLURM_ARRAY_TASK_MIN": "0",
            "SLURM_ARRAY_TASK_MAX": "3",
            "SLURM_ARRAY_TASK_COUNT": "4",
        }
        jobs = [
            subprocess.Popen(
                ["/bin/bash", "job.sh"],
                cwd=here,
                env={**array, "SLURM_ARRAY_TASK_ID": str(k)},
                stderr=subprocess.DEVNULL,
            )
            for k in range(4)
        ]
        self.assertEqual([job.wait(timeout=300) for job in jobs], [0] * 4)
        self.run_it(
            f"mv runs slurm && optgap recompute --store single.db --spec '{small}' && optgap store diff single.db slurm",
            here,
            environment,
        )

    def test_the_commands_run(self):
        text = PAGE.read_text(encoding="utf-8")
        blocks = re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S)
        self.assertEqual(len(blocks), 6)
        self.assertEqual(
            [re.search(r"optgap (store )?(\w+)", line)[2] for line in blocks[0].splitlines()],
            ["recompute", "recompute", "recompute", "snapshot", "score", "report"],
            "six commands",
        )
        with tempfile.TemporaryDirectory() as scratch:
            here = pathlib.Path(scratch)
            (here / "tools").symlink_to(ROOT / "tools")
            (here / "tests").symlink_to(ROOT / "tests")
            (here / "bin").mkdir()
            (here / "bin" / "optgap").symlink_to(pathlib.Path(BINARY).resolve())
            environment = {**os.environ, "PATH": f"{here / 'bin'}:{os.environ['PATH']}"}
            said = {}
            for command in (line for block in blocks for line in block.splitlines()):
                said[command] = self.run_it(command, here, environment)
            killed, goes_on, *_ = said
            self.assertTrue(goes_on.endswith("# goes on"))
            self.assertIn("nothing to do", self.run_it(goes_on, here, environment).stderr)
            # A killed and resumed run gives the bytes of an undisturbed one.
            spec = re.search("--spec '(.*?)'", goes_on)[1]
            self.assertIn(f"'{spec}'", killed)
            for line in (
                f"optgap recompute --store whole.db --spec '{spec}' --budget 2000",
                "optgap recompute --store whole.db --in tools/demo/instances/tsp --budget 2000",
                "optgap store diff whole.db bench.db",
            ):
                ended = self.run_it(line, here, environment)
            self.assertRegex(
                ended.stdout,
                r"same 4\d\d\d\nadded 0\ngone 0\nbetter 0\nworse 0\nnewly proven 0\nno longer proven 0\nother steps or origin 0",
            )
            self.assertIn("Stored baselines", (here / "report.html").read_text(encoding="utf-8"))
            self.assertIn("No row got worse", (here / "report.md").read_text(encoding="utf-8"))
            self.assertIn("## Throughput", (here / "times.md").read_text(encoding="utf-8"))
            self.job_array(text, here, environment)
            scored = next(ended for command, ended in said.items() if "optgap score" in command)
            self.assertRegex(scored.stderr, r"frozen\.db \(content [0-9a-f]{8}\): 1 baseline, 0 solved")
            exported = subprocess.run(
                [BINARY, "store", "export", str(here / "frozen.db")], capture_output=True, text=True, check=True
            )
            known = {row["key"].split("#")[0]: row for row in map(json.loads, exported.stdout.splitlines())}
            row = json.loads((here / "scored.jsonl").read_text(encoding="utf-8"))
            self.assertEqual(row["baseline"]["objective"], known[row["key"]]["objective"])


if __name__ == "__main__":
    unittest.main()
