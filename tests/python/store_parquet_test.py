"""store export --format parquet: the rows of the JSONL export, column by column."""

import json
import subprocess

import pytest
from in_process import main

from optgap.__main__ import native_program

pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'optgap[dataset]'")
import pyarrow.parquet  # noqa: E402


@pytest.fixture
def store(tmp_path):
    path = tmp_path / "a.db"
    lines = json.dumps(
        {"task": "knapsack", "instance": {"capacity": 20, "weights": [3, 4, 7, 8], "values": [4, 5, 10, 11]}}
    )
    for words in (
        ["--spec", "tsp:benchmark:test:0-3,division:easy:val:0-3,vehicle_routing:easy:test:0"],
        ["--in", "-"],
    ):
        subprocess.run(
            [native_program(), "recompute", "--store", path, "--budget", "20", "--quiet", *words],
            input=lines,
            text=True,
            check=True,
        )
    return path


def test_the_rows_are_those_of_the_export(store, tmp_path):
    out = tmp_path / "a.parquet"
    assert main(["store", "export", str(store), "--format", "parquet", "-o", str(out), "--quiet"]) == 0
    wanted = [
        json.loads(line)
        for line in subprocess.run(
            [native_program(), "store", "export", store], capture_output=True, check=True
        ).stdout.splitlines()
    ]
    table = pyarrow.parquet.read_table(out)
    found = table.to_pylist()
    assert len(found) == len(wanted) == 10
    for row, other in zip(found, wanted, strict=True):
        for name in ("answer", "instance"):
            row[name] = None if row[name] is None else json.loads(row[name])
        assert {name: value for name, value in row.items() if value is not None or name in other} == other
    info = subprocess.run([native_program(), "store", "info", store, "--json"], capture_output=True, check=True)
    assert table.schema.metadata[b"optgap.content"].decode() == json.loads(info.stdout)["content"]
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".part")] == []


def test_what_is_wrong_is_said(store, tmp_path, capsys):
    assert (
        main(["--threads", "x", "store", "export", str(store), "--format", "parquet", "-o", str(tmp_path / "x")]) == 2
    )
    assert "threads" in capsys.readouterr().err
    assert main(["store", "export", str(store), "--format", "parquet"]) == 2
    assert "--out is required" in capsys.readouterr().err
    assert main(["store", "export", str(tmp_path / "none.db"), "--format", "parquet", "-o", str(tmp_path / "x")]) == 3
    assert "none.db" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()
