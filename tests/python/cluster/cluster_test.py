"""optgap.data.ray on a local cluster of two nodes, as tools/ray_test.sh runs it: a worker is killed and a node
removed while shards are made, and the folder holds what one process makes. Skipped without Ray (0.8 GB)."""

import json
import os
import pathlib
import signal
import subprocess
import threading
import time

import pytest

ray = pytest.importorskip("ray", reason="Ray is not installed: tools/ray_test.sh makes an environment with it")

from ray.cluster_utils import Cluster  # noqa: E402

import optgap.data.ray  # noqa: E402
from optgap.__main__ import native_program  # noqa: E402
from optgap.data.ray import shard_files  # noqa: E402

SPEC, SHARDS = "tsp:benchmark:test:0-8191", 8
OBJECTS = 80 * 1024 * 1024


def info(path):
    done = subprocess.run(
        [native_program(), "store", "info", str(path), "--json"], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def scratch_of(local):
    return list(pathlib.Path(local).glob("optgap-recompute-*"))


def programs():
    """The native programs that run, by process."""
    found = []
    for place in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (place / "cmdline").read_bytes().split(b"\0")
            if b"recompute" in words and os.fsencode(native_program()) in words:
                found.append((int(place.name), int((place / "stat").read_text().rsplit(")", 1)[1].split()[1])))
        except OSError:
            pass
    return found


@pytest.fixture
def cluster():
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "object_store_memory": OBJECTS})
    made.lost = made.add_node(num_cpus=1, object_store_memory=OBJECTS)
    ray.init(address=made.address, log_to_driver=False)
    yield made
    ray.shutdown()
    made.shutdown()


def test_a_killed_worker_and_a_lost_node_change_nothing(cluster, tmp_path):
    store, local = tmp_path / "runs", tmp_path / "disks"
    local.mkdir()
    said = []

    def disturb():
        """Kills a worker while its program runs, and then takes the second node away."""
        until = time.monotonic() + 60
        while not programs() and time.monotonic() < until:
            time.sleep(0.01)
        os.kill(programs()[0][1], signal.SIGKILL)
        said.append("worker")
        while len(list(store.glob("*.db"))) < 2 and time.monotonic() < until:
            time.sleep(0.01)
        assert len(list(store.glob("*.db"))) < SHARDS - 1
        cluster.remove_node(cluster.lost, allow_graceful=False)
        said.append("node")

    hand = threading.Thread(target=disturb)
    hand.start()
    made = optgap.data.ray.recompute(SPEC, store=store, shards=SHARDS, budget=2000, local=local)
    hand.join()
    assert said == ["worker", "node"]
    assert (made.shards, made.there, made.done) == (SHARDS, 0, SHARDS)
    single = tmp_path / "one.db"
    subprocess.run(
        [native_program(), "recompute", "--store", str(single), "--spec", SPEC, "--budget", "2000", "--quiet"],
        check=True,
    )
    found = info(store)
    assert (found["content"], found["rows"], found["missing"]) == (info(single)["content"], 8192, "")
    assert not list(store.glob(".*")), "no part of a file is left"
    again = optgap.data.ray.recompute(SPEC, store=store, shards=SHARDS, budget=2000, local=local)
    assert (again.there, again.done) == (SHARDS, 0)
    shard_files.path_of(store, 3, SHARDS).unlink()
    again = optgap.data.ray.recompute(SPEC, store=store, shards=SHARDS, budget=2000, local=local)
    assert (again.there, again.done) == (SHARDS - 1, 1)
    assert info(store)["content"] == found["content"]
    with pytest.raises(optgap.Error, match=r"shard \d/2: .*hardest"):
        optgap.data.ray.recompute("tsp:hardest:test:0-9", store=tmp_path / "other", shards=2)
