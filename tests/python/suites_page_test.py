"""The Python and the endpoint's command of docs/suites.md as they stand; its other commands: tests/cli/readme_test.py."""

import os
import pathlib
import re
import subprocess
import sysconfig

from stand_in_server import StandIn

from optgap.data import suites

PAGE = (pathlib.Path(__file__).resolve().parents[2] / "docs/suites.md").read_text(encoding="utf-8")


def test_everything_on_the_page_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```(console|python)\n(.*?)^```", PAGE, re.M | re.S)
    assert [kind for kind, _ in blocks] == ["console", "python", "python"]
    environment = {**os.environ, "PATH": f"{sysconfig.get_path('scripts')}:/usr/bin:/bin"}
    with StandIn() as server:
        for kind, text in blocks:
            if kind == "python":
                exec(compile(text, "suites.md", "exec"), {"__name__": "docs"})
                continue
            for command in re.findall(r"^\$ (.*)$", text.replace("http://localhost:8000/v1", server.base_url), re.M):
                done = subprocess.run(
                    ["/bin/sh", "-ec", command], env=environment, capture_output=True, text=True, check=False
                )
                assert done.returncode == 0, f"{command}: {done.stderr}"


def test_the_table_lists_every_suite():
    listed = re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`.*?`) \| (?:problems|train|test) \|", PAGE, re.M)))
    assert sorted(listed) == sorted(suites.names())
