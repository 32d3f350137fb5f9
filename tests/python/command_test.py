"""The entry point `optgap`: the native program, and what needs Python."""

import pathlib
import re
import subprocess
import sys
import sysconfig

import optgap
from optgap.__main__ import COMMANDS, native_program

ROOT = pathlib.Path(__file__).resolve().parents[2]
ENTRY = pathlib.Path(sysconfig.get_path("scripts")) / "optgap"


def run(*arguments):
    return subprocess.run([ENTRY, *arguments], capture_output=True, text=True, check=False)


def test_the_entry_point_is_the_native_program():
    ours = run("tasks", "--json")
    native = subprocess.run([native_program(), "tasks", "--json"], capture_output=True, text=True, check=True)
    assert ours.returncode == 0 and ours.stdout == native.stdout
    assert run("no-such-command").returncode == 2


def test_subcommands_that_need_python_run_here():
    spelled = {"lm_eval_task": "lm-eval-task", "chain__recognise": "chain --recognise",
               "bench_set__hf": "bench-set --hf x", "dataset__from": "dataset --from x", "store__format": "store --format parquet"}  # fmt: skip
    commands = sorted(spelled.get(path.stem, path.stem.replace("_", " ")) for path in COMMANDS.glob("[a-z]*.py"))
    assert {"bench trainer", "dataset", "preflight"} <= set(commands)
    for command in commands:
        for shared in ([], ["--quiet"], ["--threads", "1"]):
            done = run(*shared, *command.split(), "--help")
            assert done.returncode == 0 and f"usage: optgap {command.partition(' --')[0]} [-h]" in done.stdout


def test_module_and_entry_point_agree():
    done = subprocess.run([sys.executable, "-m", "optgap", "--version"], capture_output=True, text=True, check=False)
    assert done.stdout == run("--version").stdout and optgap.__version__ in done.stdout


def test_everything_on_the_docs_page_runs(tmp_path, monkeypatch):
    """The python and console blocks of docs/python.md, in their order, in one folder and one session."""
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```(console|python)\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) > 5 and "```sh" not in page
    session = {"__name__": "docs"}
    environment = {"PATH": f"{ENTRY.parent}:/usr/bin:/bin"}
    monkeypatch.chdir(tmp_path)
    for kind, text in blocks:
        if kind == "python":
            exec(compile(text, "docs/python.md", "exec"), session)
            continue
        for command in re.findall(r"^\$ (.*)$", text, re.MULTILINE):
            subprocess.run(["/bin/sh", "-ec", command], env=environment, capture_output=True, check=True)


def test_the_reference_is_what_the_docstrings_say():
    done = subprocess.run([sys.executable, ROOT / "tools" / "python_reference.py", "--check"], check=False)
    assert done.returncode == 0, "run tools/python_reference.py with the installed package"
