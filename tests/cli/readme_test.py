"""Every command in README.md and docs runs as it stands there.

Blocks fenced as ```sh are run command by command in a scratch folder that looks like the checkout and contains a few
files of the reader's own. The long ones, which set up, build, test and measure (LONG), are only checked to exist: CI
runs most of them. Blocks fenced as ```console need a model, a server or hours: their subcommands and options are looked
up in the program's help. Other shells' names are refused.
"""

import functools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/support"))
from page_commands import (  # noqa: E402
    commands_in,
    languages,
    optgap_calls,
    run_commands,
    shown_commands,
    simple_commands,
    unknown_options,
)

BINARY = os.environ.get("OPTGAP_BINARY", str(ROOT / "build/release/optgap"))
LONG = (
    "tools/demo.sh",
    "tools/test.sh",
    "tools/setup.sh",
    "tools/lint.sh",
    "tools/gpu_check.sh",
    "tools/device_folder.sh",
    "tools/oracle.sh",
    "tools/python_test.sh",
    "tools/trainers_",
    "tools/peers_",
    "tools/task.sh",
    "tools/ci_times.sh",
    "tools/stress.sh",
    "python3 bench/",
    "cmake ",
    "ctest ",
)
# Rows for `optgap advantages`, as a reader might have them.
REWARDS = [{"reward": reward, "group": group} for group in range(2) for reward in (0.0, 1.0, 1.0, 2.5)]
SCORES = [{"scores": scores, "group": 1} for scores in ([3.0, 8.0], [5.0, 8.5], [5.0, 2.0], [9.0, None])]
LANGUAGES = {"sh", "console", "text", "python", "cpp", "json", "yaml", "cmake", ""}
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "kernels/tasks").glob("*/README.md")),
]


def write_readers_files(here):
    """Makes rollouts, two ranks' shares of them, a trainer's dump, and rewards."""
    lines = (ROOT / "tools/demo/rollouts.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (here / "rollouts").mkdir()
    for name, rows in (
        ("rollouts.jsonl", lines),
        ("rank0.jsonl", lines[:9]),
        ("rank1.jsonl", lines[9:18]),
        ("rollouts/120.jsonl", lines[:18]),
    ):
        (here / name).write_text("".join(rows), encoding="utf-8")
    for name, rows in (("rewards.jsonl", REWARDS), ("scores.jsonl", SCORES)):
        (here / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


@functools.cache
def help_of(call):
    """With the options that stand under topics, and those of all commands. Empty for a call of no command."""
    kinds = call.index("--kinds") if "--kinds" in call else len(call)  # of a package that a page shows
    known = (*call[:kinds], *call[kinds + 2 :])
    shown = [
        subprocess.run([BINARY, *words], capture_output=True, text=True, timeout=60)
        for words in ([*known, "--help"], [*known, "--help", "all"], ["--help"])
    ]
    return "" if any(done.returncode for done in shown) else "".join(done.stdout for done in shown)


class documented_commands(unittest.TestCase):
    def test_every_command_runs(self):
        checked = 0
        with tempfile.TemporaryDirectory() as scratch:
            here = pathlib.Path(scratch)
            for name in ("tools", "kernels", "bench", "docs", "examples", "tests"):
                (here / name).symlink_to(ROOT / name)
            (here / "build/release").mkdir(parents=True)
            (here / "build/release/optgap").symlink_to(BINARY)
            write_readers_files(here)
            environment = {**os.environ, "PATH": f"{here / 'build/release'}:{os.environ['PATH']}"}
            for page in PAGES:
                for command in run_commands(page):
                    checked += 1
                    with self.subTest(page=page.name, command=command):
                        if command.startswith(LONG):
                            program = command.split()[1 if command.startswith("python3 ") else 0]
                            self.assertTrue((ROOT / program).exists() or shutil.which(program), program)
                            continue
                        done = subprocess.run(
                            ["bash", "-o", "pipefail", "-c", command],
                            cwd=here,
                            env=environment,
                            capture_output=True,
                            text=True,
                            timeout=300,
                        )
                        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        self.assertGreaterEqual(checked, 10, "README.md documents too little to mean anything")

    def test_fences_are_of_languages_that_are_looked_at(self):
        for page in PAGES:
            self.assertEqual(
                set(languages(page)) - LANGUAGES, set(), f"{page}: write ```sh, which is run, or ```console"
            )

    def test_commands_that_are_shown_have_options_that_there_are(self):
        checked = 0
        for page in PAGES:
            for command in shown_commands(page):
                for call in simple_commands(command):
                    program = call[1] if call[0] in ("python3", "bash") and len(call) > 1 else call[0]
                    if program.startswith(("tools/", "bench/", "examples/")):
                        self.assertTrue((ROOT / program).exists(), f"{page}: {program}")
                for call in optgap_calls(command):
                    with self.subTest(page=page.name, command=command):
                        checked += 1
                        self.assertTrue(help_of(tuple(call)), "no such command")
                        self.assertEqual(unknown_options(call, help_of), [])
        self.assertGreaterEqual(checked, 10)

    def test_commands_are_cut_where_they_end(self):
        lines = [
            "optgap tasks   # a list",
            "# nothing",
            "",
            'echo \'{"a":',
            "1}' |",
            "    optgap score - --budget 3 > x",
        ]
        self.assertEqual(list(commands_in(lines)), ["optgap tasks", "\n".join(lines[3:])])
        self.assertEqual(list(optgap_calls(lines[-1])), [["score", "-", "--budget", "3"]])
        self.assertEqual(
            list(optgap_calls("A=1 uvx optgap demo --quick && optgap info; ls")), [["demo", "--quick"], ["info"]]
        )
        self.assertEqual(
            unknown_options(["score", "x", "--budgets", "3", "-q"], lambda _: "--budget N, -q"), ["--budgets"]
        )
        with self.assertRaises(ValueError):
            list(commands_in(["echo 'open"]))


if __name__ == "__main__":
    unittest.main()
