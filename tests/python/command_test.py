"""The entry point `optgap`: the native program, and what needs Python."""

import json
import os
import pathlib
import re
import subprocess
import sys
import sysconfig

import optgap
from optgap.__main__ import native_program

ROOT = pathlib.Path(__file__).resolve().parents[2]
ENTRY = pathlib.Path(sysconfig.get_path("scripts")) / "optgap"


def run(*arguments):
    return subprocess.run([ENTRY, *arguments], capture_output=True, text=True, check=False)


def test_the_entry_point_is_the_native_program():
    ours = run("tasks", "--json")
    native = subprocess.run([native_program(), "tasks", "--json"], capture_output=True, text=True, check=True)
    assert ours.returncode == 0 and ours.stdout == native.stdout
    assert run("no-such-command").returncode == 2


def declared_commands():
    """The words of each command that needs Python, with the option that makes another command of it."""
    for path in sorted((pathlib.Path(optgap.__file__).parent / "commands").glob("*.json")):
        said = json.loads(path.read_text(encoding="utf-8"))
        assert path.with_suffix(".py").is_file(), path
        second = said.get("second", "")
        first = [said["command"], *([second] if second and not second.startswith("-") else [])]
        name, _, value = second.partition("=")
        takes = not any(option["name"] == name and option.get("type") == "flag" for option in said["options"])
        yield first, [name, *([value or "x"] if takes else [])] if second.startswith("-") else []
        for below in said.get("commands", []):
            yield [*first, below["command"]], []


def test_commands_that_need_python_are_the_programs():
    commands = list(declared_commands())
    assert (["bench", "trainer"], []) in commands and (["dataset"], ["--from", "x"]) in commands and len(commands) > 15
    for words, option in commands:
        for shared in ([], ["--quiet"], ["--threads", "1"]):
            done = run(*shared, *words, "--help", *option)
            assert done.returncode == 0 and f"Usage: optgap {' '.join(words)} [OPTIONS]" in done.stdout, words
            assert "Examples:" in done.stdout


def test_a_wrong_word_is_answered_with_the_nearest():
    for words, said in (
        (("filtre", "x"), "did you mean filter?"),
        (("filter", "x", "--qualty", "1"), "no option is named --qualty; did you mean --quality?"),
        (("dataset", "tsp", "--trainer", "ver", "--level", "easy", "--out", "x.jsonl"), "did you mean verl?"),
        (("dataset", "tps", "--trainer", "verl", "--level", "easy", "--out", "x.jsonl"), "did you mean tsp?"),
        (("dataset", "tsp", "--trainer", "verl", "--level", "esay", "--out", "x.jsonl"), "did you mean easy?"),
    ):
        done = run(*words)
        assert done.returncode == 2 and said in done.stderr, (words, done.stderr)


def test_a_checkouts_program_runs_the_same_commands(tmp_path):
    rows = tmp_path / "rows.jsonl"
    rows.write_text("")
    asked = [native_program(), "filter", rows]
    environment = {name: value for name, value in os.environ.items() if name != "OPTGAP_PYTHON"}
    there = subprocess.run(
        asked, env={**environment, "OPTGAP_PYTHON": sys.executable}, capture_output=True, text=True, check=False
    )
    assert there.returncode == 2 and "nothing is left" in there.stderr
    absent = subprocess.run(
        asked,
        env={**environment, "OPTGAP_PYTHON": str(tmp_path / "python")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert absent.returncode == 2 and "pip install optgap" in absent.stderr and len(absent.stderr.splitlines()) == 1


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
