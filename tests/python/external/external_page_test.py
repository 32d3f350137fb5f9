"""docs/external.md as it stands: its environment is made, checked, scored beside optgap's and fed to a curriculum."""

import json
import os
import pathlib
import re
import subprocess
import sys

from optgap.rows.external.settings import checked

PAGE = (pathlib.Path(__file__).resolve().parents[3] / "docs/external.md").read_text(encoding="utf-8")


def blocks(kind):
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.M | re.S)


def run(folder, *command):
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_page_runs(tmp_path):
    toy, example = blocks("python")
    assert toy.startswith("# my_toy.py\n")
    (tmp_path / "my_toy.py").write_text(toy)
    own, theirs = blocks("console")
    assert own.startswith("optgap external check mine/toy") and "rg/" in theirs  # the second: tests/python/peers
    shown = run(tmp_path, sys.executable, "-m", *own.replace("\\\n", " ").split())
    assert "mine/toy@1, 30 problems a level" in shown and "broken" not in shown
    (tmp_path / "example.py").write_text(example)
    assert run(tmp_path, sys.executable, "example.py").startswith("[")


def test_the_pages_settings_are_settings():
    line, _ = blocks("sh")  # the second: tests/cli/readme_test.py
    settings = checked(json.loads(re.search("'(.*)'", line)[1]), "page")
    assert settings.trusted and settings.workers == 4 and settings.tasks == {"mine/toy": "my_toy:Toy"}
