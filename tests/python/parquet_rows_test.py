"""Parquet files where the native program reads rows."""

import json
import subprocess
import sysconfig
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

from optgap.data.parquet_rows import write_rows

ENTRY = Path(sysconfig.get_path("scripts")) / "optgap"


def run(*arguments):
    return subprocess.run([ENTRY, *map(str, arguments)], capture_output=True, text=True, check=False)


def written(path, rows, **schema):
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows, **schema), path, row_group_size=2)
    return path


@pytest.fixture(scope="module")
def rows(engine):
    instances = engine.generate("tsp", "d3", 5)
    answers = engine.solve(instances).answers.tolist()
    said = [f"<think>é</think><answer>{answer}</answer>" for answer in answers]
    return [{"key": key, "completion": text, "finish": "stop", "note": [{"a": 1, "b": [None, "ü"]}], "loss": float("nan")}
            for key, text in zip(instances.keys, said)]  # fmt: skip


def test_a_file_gives_the_rows_of_its_lines(rows, tmp_path):
    parquet = written(tmp_path / "rows.parquet", rows)
    lines = tmp_path / "rows.jsonl"
    lines.write_text(
        "".join(json.dumps({**row, "loss": None}, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8"
    )
    for command in (["score"], ["score", "--reward", "binary"], ["--threads", "1", "eval", "--json"]):
        plain, packed = run(*command, lines), run(*command, parquet)
        assert (packed.returncode, packed.stdout) == (0, plain.stdout), packed.stderr
    both = run("score", lines, parquet)
    assert len(both.stdout.splitlines()) == 2 * len(rows)
    first = json.loads(both.stdout.splitlines()[0])
    assert first["note"] == [{"a": 1, "b": [None, "ü"]}] and first["loss"] is None


def test_errors_name_the_row_and_exit_codes_are_the_program_s(rows, tmp_path):
    broken = written(tmp_path / "broken.parquet", [rows[0], {**rows[1], "key": "no key"}, rows[2]])
    done = run("score", broken)
    assert done.returncode == 1 and json.loads(done.stdout.splitlines()[1])["error"]["row"] == 2
    assert run("score", broken, "--no-such-option").returncode == 2
    assert run("score", tmp_path / "absent.parquet").returncode == 2


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (b"bytes", "row 2: Object of type bytes is not JSON serializable"),
        (float("inf"), "row 2: Out of range float values"),
    ],
)
def test_what_json_has_no_form_for_is_named(tmp_path, value, said):
    other = type(value)()
    file = written(tmp_path / "odd.parquet", [{"x": other if not isinstance(other, bytes) else None}, {"x": value}])
    done = run("score", file)
    assert done.returncode == 2 and said in done.stderr


def test_what_is_no_parquet_is_told(tmp_path):
    file = tmp_path / "text.parquet"
    file.write_text("{}\n")
    done = run("score", file)
    assert done.returncode == 2 and "text.parquet cannot be read as Parquet" in done.stderr


def test_without_pyarrow_the_fix_is_named(rows, tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(Exception, match=r"needs pyarrow: pip install 'optgap\[dataset\]'"):
        write_rows(str(tmp_path / "any.parquet"), str(tmp_path / "out"))
