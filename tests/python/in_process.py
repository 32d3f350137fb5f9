"""A command that needs Python, in this process: its words are read by the program, as ever."""

import json
import os
import pathlib
import subprocess
import sys
from types import SimpleNamespace

from optgap import commands
from optgap.__main__ import native_program

_STAND_IN = pathlib.Path(__file__).resolve().parents[1] / "support/handed_over.sh"


def handed_over(words):
    """The finished program, which prints the module of the command and the values that it hands over."""
    environment = {**os.environ, "OPTGAP_PYTHON": str(_STAND_IN)}
    return subprocess.run(
        [native_program(), *words],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def options_of(*words):
    """The values that the command gets."""
    done = handed_over(words)
    assert done.returncode == 0, done.stderr
    given = json.loads(done.stdout.partition("\n")[2])
    return SimpleNamespace(**given["options"], words=given["words"])


def main(words):
    """Exit code of the command."""
    done = handed_over(words)
    if done.returncode != 0:
        sys.stderr.write(done.stderr)
        return done.returncode
    module, _, given = done.stdout.partition("\n")
    return commands.run(module, json.loads(given))
