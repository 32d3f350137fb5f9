#!/usr/bin/env python3
"""Compiles tsp's search, which takes the most registers of all kernels, for a GPU that this build does not target.

    newer_cards.py BUILD        for sm_100 (35 s); tests/compile/kernels.sh checks the targets of the build itself

Fails where it spills, as builds for sm_80 and sm_90 do. Only the GPU differs from the build's own command. Exit code 77
where the build's nvcc does not know that GPU.
"""

import json
import pathlib
import re
import shlex
import subprocess
import sys

CARD = "100"
UNIT = "kernels/tasks/tsp/tsp_search.cu"


def command_for(entry):
    """The build's command, with another card and no object."""
    words = [word for word in shlex.split(entry["command"]) if not word.startswith("--generate-code")]
    words = words[next(k for k, word in enumerate(words) if word.endswith("nvcc")) :]
    words[words.index("-o") + 1] = "/dev/null"
    return [*words, f"--generate-code=arch=compute_{CARD},code=[sm_{CARD}]"]


def main(build):
    entries = json.loads((pathlib.Path(build) / "compile_commands.json").read_text())
    (entry,) = [entry for entry in entries if entry["file"].endswith(UNIT)]
    command = command_for(entry)
    known = subprocess.run([command[0], "--list-gpu-code"], capture_output=True, text=True, check=True).stdout
    if f"sm_{CARD}" not in known.split():
        print(f"SKIPPED: {command[0]} does not know sm_{CARD}")
        return 77
    done = subprocess.run(command, cwd=entry["directory"], capture_output=True, text=True)
    said = done.stdout + done.stderr
    if done.returncode != 0:
        print(said)
        return 1
    spilled = [int(number) for number in re.findall(r"(\d+) bytes spill", said)]
    kernels = re.findall(r"Compiling entry function '\w*?(improve[a-z_]*_kernel)", said)
    print(f"{UNIT} for sm_{CARD}: {len(kernels)} kernels, {sum(spilled)} bytes spilled")
    return 0 if kernels and spilled and sum(spilled) == 0 else 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
