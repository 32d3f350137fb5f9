"""Commands of the Python package that pages show in ```console blocks: each exists and has the options that they write. Those of
the program are looked up by tests/cli/readme_test.py."""

import functools
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
from page_commands import optgap_calls, shown_commands, unknown_options  # noqa: E402

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
COMMANDS = {path.stem for path in (ROOT / "python/optgap/commands").glob("*.py")}


@functools.cache
def help_of(words):
    done = subprocess.run([sys.executable, "-m", "optgap", *words], capture_output=True, text=True, timeout=60)
    return done.stdout if done.returncode == 0 else ""


def asking_for_help(call):
    """What asks for the help of the package's command that this calls; empty for one of the program's."""
    first = next((place for place, word in enumerate(call) if word.startswith("-")), len(call))
    words = call[: min(first, 2)]
    module = words[0].replace("-", "_")
    # `A` with an option `--B`, wherever that stands, is a__b.py.
    other = [option for option in call[first:] if f"{module}__{option[2:]}" in COMMANDS]
    known = other or module in COMMANDS or "_".join([module, *words[1:]]) in COMMANDS
    return (*words, "--help", *other) if known else ()


def test_commands_that_are_shown_have_options_that_there_are():
    calls = {(page.name, *call) for page in PAGES for command in shown_commands(page) for call in optgap_calls(command)}
    ours = {call: asking for call in sorted(calls) if (asking := asking_for_help(list(call[1:])))}
    assert len(ours) > 20
    wrong = {}
    for call, asking in ours.items():
        said = help_of(asking)
        if found := unknown_options(list(call[1:]), lambda _, said=said: said) or not said:
            wrong[call] = found
    assert wrong == {}
