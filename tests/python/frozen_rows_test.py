"""Rows of every kind from Python: `optgap.score`, the adapters' batch and its tickets give the bytes in tests/rows/golden.

OPTGAP_FREEZE=1 pytest tests/python/frozen_rows_test.py    writes them anew, after a change of behaviour that is meant"""

import asyncio
import json
import os
import pathlib
import sys

import pytest

import optgap
from optgap.rows import external
from optgap.trainers.adapter import adapters as trainer_adapters
from optgap.trainers.common import ground_truth
from optgap.trainers.common.evaluation import evaluate, evaluate_one

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "rows"))
import adapters
import verbs
from frozen_rows import ROWS, golden, kept

from optgap.__main__ import native_program


def parsed(text):
    """The objects among the lines."""
    found = []
    for line in text.decode("utf-8", "replace").splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict):
            found.append(row)
    return found


GIVEN = [row for row in parsed(ROWS.read_bytes()) if ":" in str(row.get("id"))]
FINISH = [row.get("finish", "unknown") for row in GIVEN]
TEXTS = [row.get("completion", "") for row in GIVEN]
TRUTHS = [
    json.dumps({name: value for name, value in row.items() if name not in ("id", "completion", "external", "finish")})
    for row in GIVEN
]


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    for name in ("OPTGAP_EXTERNAL", "OPTGAP_PROGRAMS"):
        monkeypatch.delenv(name, raising=False)
    ground_truth.configure()
    external.configure()
    yield
    ground_truth.configure()


@pytest.fixture(scope="module")
def scored():
    found = optgap.score(GIVEN, isolation="auto", external=True, device="cpu")
    if any("no isolation level" in row.get("error", {}).get("rule", "") for row in found):
        pytest.skip("SKIPPED: optgap sandbox finds no isolation level that holds programs")
    return found


def bare(row):
    row = json.loads(kept(json.dumps(row, separators=(",", ":")).encode()))
    if "error" in row:
        row["error"].pop("row")  # the line in its file
    return row


def test_score_gives_the_command_lines_rows(scored):
    theirs = {row["id"]: bare(row) for row in parsed(golden("plain").read_bytes()) if ":" in str(row.get("id"))}
    ours = {row["id"]: bare(row) for row in scored}
    # Lines that are no rows stand in the file, and one more answer of the first instance among them.
    moved = {name for name in ours if ours[name] != theirs[name]}
    assert all(
        {**ours[name], "advantage": 0} == {**theirs[name], "advantage": 0} and name.startswith("answer")
        for name in moved
    )
    assert set(ours) == set(theirs)


def test_the_page_says_what_commands_that_need_python_make_of_each_kind(scored, monkeypatch):
    monkeypatch.setattr(verbs, "BINARY", str(native_program()))
    monkeypatch.setenv("OPTGAP_PYTHON", sys.executable)
    assert verbs.PAGE.read_text(encoding="utf-8") == verbs.written(python=True), "tests/rows/verbs.py --write"


def test_the_page_has_every_trainer():
    assert sorted(adapters.CALLS) == sorted(trainer_adapters())


def frozen(name, rows):
    text = "".join(json.dumps(row) + "\n" for row in rows).encode()
    if os.environ.get("OPTGAP_FREEZE"):
        golden(name).write_bytes(kept(text))
    assert kept(text).splitlines() == golden(name).read_bytes().splitlines()


def as_row(name, found, at):
    values = {**found.rows[at], "fingerprint": "*"}
    extra = {"objective": found.objective[at], "optimal": bool(found.optimal[at])}
    for column, known in (("pair", found.pairs), ("matrix", found.matrix)):
        if at in known:
            extra[column] = list(known[at])
    return {"id": name, **values, **extra}


def test_an_adapters_batch(scored):
    found = evaluate(TEXTS, TRUTHS, finish=FINISH)
    frozen("adapters", [as_row(row["id"], found, at) for at, row in enumerate(GIVEN)])


def test_an_adapters_tickets_say_the_same(scored):
    async def all_of_them():
        return await asyncio.gather(
            *(evaluate_one(text, truth, finish=finish) for text, truth, finish in zip(TEXTS, TRUTHS, FINISH))
        )

    found = asyncio.run(all_of_them())
    whole = [json.loads(line) for line in golden("adapters").read_text(encoding="utf-8").splitlines()]
    assert [as_row(row["id"], one, 0) for row, one in zip(GIVEN, found)] == whole
