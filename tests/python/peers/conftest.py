"""The evaluators' own programs on the commands of docs/evaluators.md, against a server that says what is known in advance.
Without the programs nothing here is collected; tools/peers_test.sh insists."""

import importlib.util
import os
import pathlib
import subprocess
import sys

import pytest
from stand_in_server import StandIn

if any(importlib.util.find_spec(name) is None for name in ("inspect_ai", "lm_eval", "reasoning_gym", "datasets")):
    collect_ignore_glob = ["*_test.py"]

HERE = pathlib.Path(__file__).resolve().parent


@pytest.fixture
def server():
    """Answers what `server.replies` has for a prompt."""
    replies = {}
    with StandIn(lambda request: replies[request.prompt]) as running:
        running.replies = replies
        yield running


@pytest.fixture
def run(tmp_path, server):
    """Runs lines of the page in a folder of their own, with the server for localhost:8000; returns what they print."""
    log = tmp_path / "left"
    environment = {
        **os.environ,
        "PATH": f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(HERE / "loopback"),
        "LOOPBACK_LOG": str(log),
        "HF_HOME": str(tmp_path / "hf-home"),
        "HF_HUB_OFFLINE": "1",
        "INSPECT_LOG_DIR": "logs",
        "INSPECT_LOG_FORMAT": "json",
        "INSPECT_DISPLAY": "plain",
    }

    def run_lines(script, shorter=(), code=0):
        for long, short in (("http://localhost:8000/v1", server.base_url), *shorter):
            assert long in script or long.startswith("http"), long
            script = script.replace(long, short)
        done = subprocess.run(
            ["bash", "-e", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300,
            check=False,
        )  # fmt: skip
        assert done.returncode == code, f"{script}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        assert not log.exists(), f"connections that left this machine: {log.read_text()}"
        return done.stdout + done.stderr

    run_lines.log = log
    return run_lines
