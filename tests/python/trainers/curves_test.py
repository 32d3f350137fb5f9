"""`stats watch --to`: TensorBoard's event files read back by TensorBoard, wandb's offline run by wandb."""

import json
import os
import subprocess
import sys

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from optgap.measure import stats_folder


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two tasks, two steps, four rollouts each; a curriculum that moves one of them."""
    monkeypatch.setenv("OPTGAP_STATS", str(tmp_path / "stats"))
    monkeypatch.setattr(stats_folder, "_process", stats_folder._Process())
    for step in (5, 6):
        windows = [
            {"name": "tsp", "low": 0, "high": step - 3, "status": "learning"},
            {"name": "rg/x", "low": 0, "high": 1},
        ]
        stats_folder.record_curriculum(step, json.dumps({"tasks": windows}))
        for task in ("tsp", "rg/x"):
            rows = [
                dict(score=float(row < step - 4), feasible=float(row < step - 4), quality=0.5, normalized=0.25 * (row < step - 4),
                     truncated=0, format=1.0, code=0, data_source=f"optgap/{task}/d{step}")
                for row in range(4)
            ]  # fmt: skip
            stats_folder.record(rows, [False] * 4, [task] * 4, ("forge", -1, ""), step=step)
    stats_folder.flush()
    return tmp_path / "stats"


EXPECTED = {"sr": [0.25, 0.5], "qr": [0.125, 0.25], "normalized": [0.0625, 0.125], "effective_prompts": [1.0, 1.0],
            "level": [5.0, 6.0]}  # fmt: skip


def watch(*words, **more):
    command = [sys.executable, "-m", "optgap", "stats", "watch", *map(str, words), "--once", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, **more)
    assert done.returncode == 0, done.stderr


def test_tensorboard_reads_the_curves_at_their_steps(folder, tmp_path):
    watch(folder, "--to", f"tensorboard:{tmp_path / 'events'}")
    events = EventAccumulator(str(tmp_path / "events"))
    events.Reload()
    for task in ("tsp", "rg/x"):
        for name, values in EXPECTED.items():
            found = events.Scalars(f"optgap/{task}/{name}")
            assert [(one.step, one.value) for one in found] == list(zip((5, 6), values)), (task, name)
    assert [one.value for one in events.Scalars("optgap/tsp/h")] == [2, 3]
    assert [one.value for one in events.Scalars("optgap/rg/x/h")] == [1, 1]
    assert abs(events.Scalars("optgap/tsp/sr")[0].wall_time - folder.stat().st_mtime) < 60


def wandb_records(data):
    """The records of an offline run: LevelDB's log format, behind seven bytes. wandb has no reader of its own any more."""
    at, whole = 7, b""
    while at + 7 <= len(data):
        if 32768 - at % 32768 < 7:
            at += 32768 - at % 32768
            continue
        length, kind = int.from_bytes(data[at + 4 : at + 6], "little"), data[at + 6]
        whole += data[at + 7 : at + 7 + length]
        at += 7 + length
        if kind in (1, 4):  # whole, or a last part
            yield whole
            whole = b""


def test_wandb_keeps_the_curves_offline(folder, tmp_path):
    from wandb.proto.wandb_internal_pb2 import Record

    watch(folder, "--to", "wandb:curves", env={**os.environ, "WANDB_MODE": "offline", "WANDB_DIR": str(tmp_path)})
    (path,) = tmp_path.glob("wandb/offline-run-*/run-*.wandb")
    found = {}
    for data in wandb_records(path.read_bytes()):
        history = Record.FromString(data).history
        items = {item.key or "/".join(item.nested_key): json.loads(item.value_json) for item in history.item}
        if items:
            found[items["optgap/step"]] = items
    for name, values in EXPECTED.items():
        assert [found[step][f"optgap/rg/x/{name}"] for step in (5, 6)] == values, name
    assert [found[step]["optgap/tsp/h"] for step in (5, 6)] == [2, 3]
