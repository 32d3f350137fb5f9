"""Tests of the installed package; nothing is built here (tools/python_test.sh)."""

import signal
import subprocess
import sys

import pytest
from completion import complete

import optgap
from optgap.__main__ import native_program

# A shell's background job, such as a test run under nohup, is started with the signal ignored, and so are its children:
# tests that interrupt a child would wait for ever.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def engine():
    return optgap.Engine(device="cpu")


@pytest.fixture(scope="session")
def instances(engine):
    """Two instances of every task."""
    return engine.generate("all", level="easy", count=2, seed=5)


@pytest.fixture(scope="session")
def solved(engine, instances):
    return engine.solve(instances)


@pytest.fixture(scope="session")
def completions(solved):
    """An optimal completion per instance."""
    return [complete(answer) for answer in solved.answers.tolist()]


@pytest.fixture(scope="session")
def run_native():
    """Runs the native program on JSONL; returns the lines it writes."""

    def run(*arguments, lines=(), codes=(0,)):
        done = subprocess.run(
            [native_program(), *arguments, "--device", "cpu", "--quiet"],
            input="".join(line + "\n" for line in lines).encode("utf-8"),
            capture_output=True,
            check=False,
        )
        assert done.returncode in codes, done.stderr.decode()
        return done.stdout.decode("utf-8").splitlines()

    return run


@pytest.fixture(scope="session")
def run_python():
    """Runs a script in a fresh interpreter; returns what it prints."""

    def run(script):
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return run
