"""Draws of a pool as trainers' rows: what the adapters need to reward them stands in each."""

import json

import pytest
from completion import complete

import optgap
from optgap.trainers.verl.reward import compute_score


@pytest.fixture
def drawn(engine, tmp_path):
    pool = optgap.Pool(tmp_path / "a.db", seed=3)
    pool.add(engine.generate(["tsp", "knapsack"], "d3", 6))
    pool.step()
    plan = optgap.PoolCurriculum({"policy": "pool", "inner": "static"}, pool, ["clique"], seed=1)
    return pool.draw(6), plan.draw(engine, 12)


def test_every_row_is_rewarded_by_its_ground_truth_alone(engine, drawn):
    for draws in drawn:
        answers = engine.solve(draws.instances).answers.tolist()
        for place, row in enumerate(optgap.pool_rows("verl", engine, draws)):
            truth = row["reward_model"]["ground_truth"]
            assert "answer" not in json.loads(truth)
            assert row["extra_info"]["role"] == "solver" and row["extra_info"]["entry"] == draws.entry[place]
            assert row["prompt"][-1]["content"] == engine.prompts(draws.instances)[place]
            rewarded = compute_score(row["data_source"], complete(answers[place]), truth, row["extra_info"])
            assert rewarded["score"] == 2, "the proven optimum"
            record = json.loads(truth)
            assert record["baseline"]["proven"]
            given = record.get("instance")
            own = engine.from_json(record["task"], given) if given else engine.instances([record["key"]])
            assert own.hashes == draws.instances[place].hashes


def test_each_trainer_has_its_form(engine, drawn):
    pool, mixed = drawn
    trl = optgap.pool_rows("trl", engine, mixed, format="boxed", system="Be brief.")
    assert [row["entry"] for row in trl] == mixed.entry.tolist() and {row["role"] for row in trl} == {"solver"}
    assert (
        trl[0]["prompt"][0] == {"role": "system", "content": "Be brief."}
        and "\\boxed" in trl[0]["prompt"][1]["content"]
    )
    assert optgap.pool_rows("slime", engine, pool)[0]["metadata"]["entry"] == pool.entry[0]
    assert set(optgap.pool_rows("openrlhf", engine, pool)[0]) == {"input", "label", "datasource"}
    sources = {row["data_source"] for row in trl}
    assert all(source.startswith("optgap/") for source in sources)
    with pytest.raises(optgap.Error, match="trainer"):
        optgap.pool_rows("ppo", engine, pool)
