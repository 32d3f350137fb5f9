"""A shard as optgap.data.ray makes it on a node, without Ray: the files are those of the native program, whole or not
there."""

import contextlib
import json
import pathlib
import sqlite3
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

import optgap
from optgap.__main__ import native_program
from optgap.data.ray import Labeller, recompute, shard_files

SPEC = "sorting:easy:test:0-4999"


def content(path):
    done = subprocess.run([native_program(), "store", "export", str(path)], capture_output=True, check=True)
    return done.stdout


def native(store, *arguments):
    subprocess.run(
        [native_program(), "recompute", "--store", str(store), "--spec", SPEC, "--quiet", *arguments], check=True
    )


def test_shards_are_the_native_ones_and_seen_when_finished(tmp_path):
    folder = tmp_path / "runs"
    folder.mkdir()
    for shard in range(3):
        path = shard_files.path_of(folder, shard, 3)
        assert not shard_files.is_finished(path, SPEC)
        assert shard_files.make(SPEC, -1, str(folder), shard, 3, 1, str(tmp_path)) is None
        assert shard_files.is_finished(path, SPEC)
        assert not shard_files.is_finished(path, shard_files.asked(SPEC, 9))
    assert sorted(path.name for path in folder.iterdir()) == [f"000{shard}-of-0003.db" for shard in range(3)]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["runs"], "nothing is left on the node's disk"
    native(tmp_path / "one.db")
    assert content(folder) == content(tmp_path / "one.db")


def test_a_shard_goes_on_from_what_the_folder_has(tmp_path):
    native(tmp_path, "--shard", "0/2")
    path = shard_files.path_of(tmp_path, 0, 2)
    whole = content(path)
    with sqlite3.connect(path) as base:
        base.execute("DELETE FROM baselines WHERE seed > 1000")
        base.execute("UPDATE runs SET finished=0")
        (kept,) = base.execute("SELECT count(*) FROM baselines").fetchone()
        base.execute("UPDATE times SET rows=0")  # so that it counts what is solved from here on
    base.close()
    assert not shard_files.is_finished(path, SPEC)
    assert shard_files.make(SPEC, -1, str(tmp_path), 0, 2, 1, None) is None
    assert content(path) == whole
    with sqlite3.connect(path) as base:
        assert base.execute(
            "SELECT count(*) - ? - (SELECT sum(rows) FROM times) FROM baselines", (kept,)
        ).fetchone() == (0,)
    base.close()


def test_failures_are_the_programs_own_sentences(tmp_path):
    code, said = shard_files.make("tsp:hardest:test:0-9", -1, str(tmp_path), 0, 1, 1, None)
    assert code == 2 and "hardest" in said
    (tmp_path / "0000-of-0001.db").write_text("x" * 9999)
    code, said = shard_files.make(SPEC, -1, str(tmp_path), 0, 1, 1, None)
    assert code == 3 and "no SQLite file" in said
    assert not list(tmp_path.glob(".*")), "no parts are left"


def test_a_killed_worker_takes_its_program_along(tmp_path):
    script = f"from optgap.data.ray import shard_files; shard_files.make('apples:hard:val:0-499999', 300, {str(tmp_path)!r}, 0, 1, 1, {str(tmp_path)!r})"
    worker = subprocess.Popen([sys.executable, "-c", script])
    try:
        while not list(tmp_path.glob("optgap-recompute-*/*.db")):
            assert worker.poll() is None
            time.sleep(0.01)
    finally:
        worker.kill()
        worker.wait()
    scratch = str(next(tmp_path.glob("optgap-recompute-*")))
    for _ in range(500):
        if not any(scratch in text for text in commands_of_processes()):
            break
        time.sleep(0.02)
    else:
        pytest.fail("the program outlives its worker")
    assert not shard_files.path_of(tmp_path, 0, 1).exists()


def commands_of_processes():
    for one in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            yield one.read_text()


def test_arguments(tmp_path):
    pytest.importorskip("ray", reason="Ray is not installed: tools/ray_test.sh")
    for wrong in ({"shards": 0}, {"shards": 2.5}, {"shards": 2, "cpus": 0}, {"shards": 2, "budget": -2}):
        with pytest.raises(optgap.Error, match=next(reversed(wrong))):
            recompute(SPEC, store=tmp_path, **wrong)
    (tmp_path / "0001-of-0004.db").write_text("")
    with pytest.raises(optgap.Error, match="one of 4"):
        recompute(SPEC, store=tmp_path, shards=2)


def test_without_ray_the_error_says_what_to_install(tmp_path, run_python):
    said = run_python(
        textwrap.dedent(f"""
        import sys
        sys.modules["ray"] = None
        import optgap.data.ray
        try:
            optgap.data.ray.recompute("tsp:easy:test:0", store={str(tmp_path)!r}, shards=1)
        except optgap.Error as failed:
            print(failed)
    """)
    )
    assert "pip install 'optgap[ray]'" in said


def test_a_labeller_adds_what_solving_finds(engine):
    keys = [f"{task}@1:test:easy:{seed}" for task in ("tsp", "knapsack", "hamiltonian") for seed in range(3)]
    made = Labeller(budget=300)({"key": np.array(keys), "id": np.arange(9)})
    wanted = engine.solve(engine.instances(keys), 300)
    for name in ("objective", "bound", "floor", "greedy", "steps", "proven"):
        assert made[name].tolist() == getattr(wanted, name).tolist(), name
    assert [json.loads(answer) for answer in made["answer"]] == wanted.answers.tolist()
    assert made["id"].tolist() == list(range(9))
    with pytest.raises(optgap.Error, match="no column 'key'"):
        Labeller()({"id": np.arange(9)})
