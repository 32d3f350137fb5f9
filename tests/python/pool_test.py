"""A pool through Python: the same pool as the commands make, ranks that share a file, and what is refused."""

import json
import pathlib
import re

import numpy as np
import pytest
from completion import complete

import optgap


@pytest.fixture
def brought(engine):
    return engine.generate(["tsp", "knapsack"], "d3", 6)


def rollouts(engine, draws, wrong=2):
    """Optimal answers, but for every `wrong`th."""
    answers = engine.solve(draws.instances).answers.tolist()
    texts = [complete(answer if row % wrong else [0]) for row, answer in enumerate(answers)]
    return engine.score(draws.instances, texts, draws.baselines)


def test_a_step_of_python_is_a_step_of_the_commands(engine, brought, run_native, tmp_path):
    pool = optgap.Pool(tmp_path / "a.db", seed=5, policy="regret", window=3, capacity=5)
    got = pool.add(brought)
    assert (got.code, len(pool)) == (["ok"] * 12, 0)
    assert pool.add(engine.relabel(brought).instances).code == ["duplicate"] * 12
    assert pool.step() == (12, 0, 0, 2)
    draws = pool.draw(20)
    assert np.array_equal(draws.baselines.objective, engine.solve(draws.instances).objective), "labels keep the optimum"
    scores = rollouts(engine, draws)
    pool.observe(draws, scores)
    assert pool.step() == (0, 0, len(set(draws.entry.tolist())), 0)

    rows = tmp_path / "rows.jsonl"
    rows.write_text("".join(json.dumps({"key": str(key)}) + "\n" for key in brought.keys))
    run_native(
        "pool", "init", str(tmp_path / "b.db"), "--seed", "5", "--policy", "regret", "--window", "3", "--capacity", "5"
    )
    run_native("pool", "add", str(tmp_path / "b.db"), str(rows))
    drawn = [json.loads(line) for line in run_native("pool", "sample", str(tmp_path / "b.db"), "--count", "20")]
    assert [row["key"] for row in drawn] == draws.instances.keys
    assert [row["entry"] for row in drawn] == draws.entry.tolist()
    for row, normalized, optimal in zip(drawn, scores.normalized.tolist(), scores.optimal.tolist()):
        row.update(normalized=normalized, optimal=int(optimal))
    rows.write_text("".join(json.dumps(row) + "\n" for row in drawn))
    run_native("pool", "observe", str(tmp_path / "b.db"), str(rows))
    assert "".join(run_native("pool", "hash", str(tmp_path / "b.db"))).strip() == pool.hash
    known = [json.loads(line) for line in run_native("pool", "stats", str(tmp_path / "b.db"), "--weights", "band")]
    assert [row["weight"] for row in known] == pool.weights("band").tolist()
    assert pool.verify() == []


def test_ranks_share_a_file_and_any_dealing_gives_one_hash(engine, brought, tmp_path):
    alone = optgap.Pool(tmp_path / "alone.db")
    writer = optgap.Pool(tmp_path / "shared.db")
    reader = optgap.Pool(tmp_path / "shared.db", writes=False)
    for step in range(3):
        alone.add(brought[4 * step : 4 * step + 4])
        writer.add(brought[[4 * step + 3, 4 * step]])
        reader.add(brought[[4 * step + 1, 4 * step + 2, 4 * step]])
        if step:
            draws = alone.draw(8)
            assert reader.draw(4, first=4).entry.tolist() == draws.entry[4:].tolist()
            scores = rollouts(engine, draws)
            alone.observe(draws, scores)
            writer.observe_rows(draws.entry[:3], scores.normalized[:3], scores.optimal[:3])
            reader.observe_rows(draws.entry[3:], scores.normalized[3:], scores.optimal[3:])
        deltas = [reader.delta(1), writer.delta(0)]
        assert reader.delta(1) == deltas[0]
        assert [writer.merge(delta) for delta in [*deltas, deltas[0]]] == [True, True, False]
        assert writer.step() == (4, 1, len(set(draws.entry.tolist())) if step else 0, 0)
        assert writer.merge(deltas[0]) is False, "it is in already"
        alone.step()
        reader.refresh()
        assert (reader.hash, reader.steps, len(reader)) == (writer.hash, step + 1, 4 * step + 4)
        assert alone.hash == writer.hash


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda pool, _: pool.draw(1, policy="best"), "expected uniform, step"),
        (lambda pool, _: pool.draw(-1), "expected 0 or more"),
        (lambda pool, rows: pool.add(rows, origin="edit"), "row 0: expected one for edit"),
        (lambda pool, rows: pool.add(rows, origin="made"), "row 0 is 'made'"),
        (lambda pool, rows: pool.add(rows, "edit", ["tsp@1:c:00"] * 12), "expected 32 lower-case hex digits"),
        (lambda pool, rows: pool.add(rows, parent=[None]), "expected 12 entries"),
        (lambda pool, _: pool.observe_rows([99], [1.0], [True]), "row 0: expected an entry of the pool"),
        (lambda pool, _: pool.observe_rows([0], [np.nan], [True]), "row 0: expected a number from -1 to 1"),
        (lambda pool, _: pool.observe_rows([0, 1], [1.0], [True]), "expected 2 entries"),
        (lambda pool, _: pool.merge("no"), "line 1"),
        (lambda pool, _: optgap.Pool(pool.path), "one writer a file"),
        (lambda pool, _: optgap.Pool(pool.path, writes=False).step(), "writes=True"),
        (lambda pool, _: optgap.Pool(pool.path, seed=8, writes=False), "was made with 0"),
        (lambda pool, _: optgap.Pool(pool.path, capacity=8, writes=False), "was made with 0"),
        (lambda pool, _: optgap.Pool(pool.path + "x", writes=False), "pool.dbx"),
    ],
)
def test_what_is_wrong_is_said_and_changes_nothing(brought, tmp_path, call, said):
    pool = optgap.Pool(tmp_path / "pool.db")
    pool.add(brought)
    pool.step()
    before = pool.hash
    with pytest.raises(optgap.Error, match=said):
        call(pool, brought)
    pool.step()
    assert optgap.Pool(tmp_path / "pool.db", writes=False).hash == pool.hash != before
    assert len(pool) == 12


def test_the_block_of_the_page_runs(engine, tmp_path, monkeypatch):
    page = pathlib.Path(__file__).resolve().parents[2] / "docs" / "coevolution.md"
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
    blocks = [block for block in blocks if "pool.draw(8)" in block or "plan.draw(" in block]
    assert len(blocks) == 2
    monkeypatch.chdir(tmp_path)
    session = {"completions": [complete([0, 1, 2, 3, 4])] * 32}
    exec(compile(blocks[0], "coevolution.md", "exec"), session)
    pool = session["pool"]
    assert (len(pool), pool.steps, len(session["prompts"])) == (16, 2, 8)
    assert len(set(pool.weights("signal").tolist())) > 2, "what was observed moved the weights"
    exec(compile(blocks[1], "coevolution.md", "exec"), session)
    assert (pool.steps, session["plan"].inner.steps, len(session["draws"])) == (3, 1, 8)
