"""docs/environments.md: its blocks print what they show, its tables are the package's."""

import contextlib
import io
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/environments.md").read_text(encoding="utf-8")
FRAMEWORKS = ("GRPOTrainer", "AgentExecutor")
"""Blocks with these belong to a run of a framework: frameworks_test.py and trl_environment_test.py run the like."""


def test_the_page_prints_what_it_shows():
    names = {"__name__": "docs"}
    blocks = re.findall(r"^```(\w+)\n(.*?)^```", PAGE, re.M | re.S)
    shown = 0
    for at, (kind, text) in enumerate(blocks):
        if kind != "python" or any(name in text for name in FRAMEWORKS):
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(text, "environments.md", "exec"), names)
        if at + 1 < len(blocks) and blocks[at + 1][0] == "text":
            assert printed.getvalue() == blocks[at + 1][1]
            shown += 1
    assert shown >= 1


def test_the_tables_are_the_packages():
    command = [sys.executable, ROOT / "tools/tables/environments_table.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
