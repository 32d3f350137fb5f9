"""The node's daemon and the GPU's verbs, from Python."""

import pickle
import subprocess

import pytest
from completion import complete
from forking import in_child

import optgap
from optgap.__main__ import native_program


@pytest.fixture
def daemon(tmp_path):
    """The path of a daemon that takes every call."""
    path = str(tmp_path / "serve.sock")
    command = [
        native_program(),
        "serve",
        "--socket",
        path,
        "--device",
        "cpu",
        "--threads",
        "2",
        "--take-all",
        "--quiet",
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert "listening" in process.stdout.readline()
    yield path
    process.terminate()
    assert process.wait(timeout=30) == 0
    process.stdout.close()


def scores_of(by, instances, solved):
    texts = [complete(answer) for answer in by.noisy_greedy(instances, 4).tolist()]
    return by.score(instances, texts, solved)


def same(a, b):
    return all((getattr(a, name) == getattr(b, name)).all() for name in a.columns)


def test_a_daemon_gives_the_bytes_of_the_process(daemon, engine):
    client = optgap.Engine("cpu", threads=1, server=daemon)
    assert client.server_status()["state"] == "idle"
    instances = client.generate("all", count=3)
    solved = client.solve(instances)
    assert same(solved, engine.solve(engine.generate("all", count=3)))
    assert same(scores_of(client, instances, solved), scores_of(engine, instances, solved))
    status = client.server_status()
    assert status["state"] == "connected" and status["path"] == daemon
    assert status["calls"] == 3 and status["fallbacks"] == 0, status
    assert engine.server_status()["state"] == "off"


def test_a_scheduler_uses_its_engines_daemon(daemon):
    client = optgap.Engine("cpu", threads=1, server=daemon)
    issued = client.issue("tsp", count=2)
    client.submit(issued.tickets, ["<think>x</think><answer>[0]</answer>"] * 2)
    client.collect(issued.tickets)
    assert client.server_status()["calls"] > 0


def test_a_pickled_engine_and_a_forked_childs_use_the_daemon(daemon):
    client = optgap.Engine("cpu", threads=1, server=daemon)
    instances = client.generate("tsp", count=2)
    copy = pickle.loads(pickle.dumps(client))
    copy.greedy(instances)
    assert copy.server_status()["calls"] == 1

    def child():
        client.greedy(instances)
        return client.server_status()["calls"] == 1

    assert in_child(child) == "True"


def test_a_missing_daemon_costs_nothing_but_a_note(tmp_path, engine):
    client = optgap.Engine("cpu", threads=1, server=tmp_path / "nobody")
    instances = client.generate("knapsack", count=2)
    assert same(client.solve(instances), engine.solve(instances))
    status = client.server_status()
    assert status["state"] == "unreachable" and status["fallbacks"] == 2 and "nobody" in status["last_reason"]


def test_the_environment_names_a_daemon_for_automatic_engines(daemon, monkeypatch):
    monkeypatch.setenv("OPTGAP_SERVER", daemon)
    automatic = optgap.Engine(threads=1)
    automatic.generate("tsp", count=1)
    assert automatic.server_status()["calls"] == 1
    assert optgap.Engine("cpu", threads=1).server_status()["state"] == "off"
    assert optgap.Engine(threads=1, server="off").server_status()["state"] == "off"
    monkeypatch.setenv("OPTGAP_SERVER", "off")
    assert optgap.Engine(threads=1).server_status()["state"] == "off"


def test_a_path_that_cannot_be_is_named():
    with pytest.raises(optgap.Error, match="server"):
        optgap.Engine("cpu", server="")
    with pytest.raises(optgap.Error, match="server"):
        optgap.Engine("cpu", server=b"bytes")


def test_release_and_resume_leave_the_cpu_at_work(engine):
    engine.release()
    assert engine.device_status()["state"] == "cpu" and engine.device_status()["fallbacks"] == 0
    instances = engine.generate("tsp", count=1)
    engine.resume()
    assert same(engine.solve(instances), engine.solve(instances))
