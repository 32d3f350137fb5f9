"""docs/scale.md as it stands: its commands run in one folder, in their order, and do what the page says of them."""

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
    def test_the_commands_run(self):
        text = PAGE.read_text(encoding="utf-8")
        blocks = re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S)
        self.assertEqual(len(blocks), 4)
        with tempfile.TemporaryDirectory() as scratch:
            here = pathlib.Path(scratch)
            (here / "tools").symlink_to(ROOT / "tools")
            (here / "bin").mkdir()
            (here / "bin" / "optgap").symlink_to(pathlib.Path(BINARY).resolve())
            environment = {**os.environ, "PATH": f"{here / 'bin'}:{os.environ['PATH']}"}
            said = {}
            for command in (line for block in blocks for line in block.splitlines()):
                ended = subprocess.run(["/bin/sh", "-ec", command], cwd=here, env=environment, capture_output=True, text=True,
                                       timeout=300)
                self.assertEqual(ended.returncode, 0, f"{command}: {ended.stderr}")
                said[command] = ended
            again = next(ended for command, ended in said.items() if command.endswith("# nothing to do"))
            self.assertIn("nothing to do", again.stderr)
            scored = next(ended for command, ended in said.items() if "optgap score" in command)
            self.assertRegex(scored.stderr, r"frozen\.db \(content [0-9a-f]{8}\): 1 baseline, 0 solved")
            exported = subprocess.run([BINARY, "store", "export", str(here / "frozen.db")], capture_output=True, text=True, check=True)
            known = {row["key"].split("#")[0]: row for row in map(json.loads, exported.stdout.splitlines())}
            row = json.loads((here / "scored.jsonl").read_text(encoding="utf-8"))
            self.assertEqual(row["baseline"]["objective"], known[row["key"]]["objective"])


if __name__ == "__main__":
    unittest.main()
