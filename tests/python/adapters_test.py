"""Adapters of trainers: a folder and its record each."""

import dataclasses
import json
import os
import pathlib
import subprocess
import sys

import optgap
from optgap.trainers.adapter import adapters

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = sorted(path.parent.name for path in pathlib.Path(optgap.__file__).parent.glob("trainers/*/reward.py"))


def test_every_folder_has_a_record_without_a_gap():
    assert sorted(adapters()) == FOLDERS and len(FOLDERS) >= 4
    for name, record in adapters().items():
        for field in dataclasses.fields(record):
            assert field.name == "blind" or getattr(record, field.name), (name, field.name)
        assert all(one.setting and one.reason for one in record.refused)


def test_the_page_s_tables_are_those_of_the_records():
    done = subprocess.run(
        [sys.executable, ROOT / "tools/tables/trainers_table.py"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_a_record_loads_neither_its_trainer_nor_the_native_module(run_python):
    said = run_python(
        "import sys\nfrom optgap.trainers.adapter import adapters\nadapters()\n"
        "print([name for name in ('verl', 'trl', 'torch', 'optgap._native') if name in sys.modules])"
    )
    assert said.strip() == "[]"


def test_an_adapter_of_another_package_needs_no_edit_here(tmp_path):
    folder = ROOT / "tests/extension/adapters"
    script = (
        "import json, optgap.data.dataset\nfrom optgap.measure.preflight.readers import TRAINERS\n"
        f"optgap.data.dataset.export({str(tmp_path / 'toy.jsonl')!r}, 'toy', ['tsp'], count=2)\n"
        "class Words:\n  def decode(self, ids): return ' '.join(map(str, ids)) + '  '\n"
        "print(TRAINERS['toy'](Words(), '', [1, 2], 'forge', None))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False,
                          env={**os.environ, "PYTHONPATH": str(folder)})  # fmt: skip
    assert done.returncode == 0 and done.stdout == "1 2\n", done.stderr
    rows = [json.loads(line) for line in (tmp_path / "toy.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 2 and all(set(row) == {"question", "truth"} for row in rows)
    assert all("key" in json.loads(row["truth"]) for row in rows)
