"""docs/own_tasks.md as it stands: its class is made, checked, and used by every command that the page names."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/own_tasks.md").read_text(encoding="utf-8")


def blocks(kind):
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE, re.M | re.S)


def run(folder, *command):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_page_runs(tmp_path):
    signs, program = blocks("python")
    (tmp_path / "signs.py").write_text(signs)
    begin, use = (block.strip().splitlines() for block in blocks("console"))
    said = [run(tmp_path, sys.executable, "-m", *line.split()) for line in [*begin, *use]]
    assert "wrong answers wrong    100 %" in said[1] and "broken" not in said[1]
    assert len(said[2].splitlines()) == 4 and len((tmp_path / "train.jsonl").read_text().splitlines()) == 40
    assert "signs/Signs" in said[4]
    (tmp_path / "program.py").write_text(program)
    assert "optgap/signs/Signs/d" in run(tmp_path, sys.executable, "program.py")


def test_the_example_passes_its_check():
    shown = run(ROOT / "examples/own_tasks", sys.executable, "-m", "optgap", "task", "check", "signs.py:Signs", "--trusted",
                "--levels", "d0,d6", "--count", "60", "--quiet")  # fmt: skip
    assert "signs/Signs@1" in shown and "broken" not in shown
