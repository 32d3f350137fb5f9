"""What adapters know of a reward with a spec per task, and that rows are rewarded by their own task's."""

import json

import pytest

import optgap
from optgap.trainers.common import reward_rules
from optgap.trainers.common.evaluation import evaluate, fingerprint
from optgap.trainers.trl import reward as trl
from optgap.trainers.verl import reward as verl
from optgap.trainers.verl.estimators import keeps_feasible_apart

RULE = {"default": "forge", "tasks": {"knapsack": {"shape": "power", "exponent": 10}, "*_set": "binary"}}
PENALTY = {"limit": 100, "buffer": 50, "factor": 1}


def test_every_spec_of_a_rule_is_looked_at():
    strict = {"tasks": {"tsp": {"truncated": "exclude"}}}
    zero = {"default": {"truncated": "zero"}}
    long = {"tasks": {"tsp": {"length": PENALTY}}}
    for plain in ("forge", "recommended", RULE, json.dumps(RULE)):
        assert not reward_rules.excludes_truncated(plain)
        assert not reward_rules.reads_truncation(plain) and not reward_rules.reads_lengths(plain)
    assert reward_rules.excludes_truncated(strict) and reward_rules.reads_truncation(strict)
    assert reward_rules.reads_truncation(zero) and not reward_rules.excludes_truncated(zero)
    assert reward_rules.reads_lengths(long)
    assert {spec["shape"] for spec in reward_rules.specs("recommended")} == {"forge", "power", "binary", "normalized"}


def test_what_a_trainer_cannot_do_is_refused_for_one_task_too():
    with pytest.raises(optgap.Error, match="exclude"):
        verl.compute_score(
            "optgap/tsp/easy", "x", "tsp@1:train:easy:1", reward={"tasks": {"tsp": {"truncated": "exclude"}}}
        )
    with pytest.raises(optgap.Error, match="length"):
        verl.compute_score("optgap/tsp/easy", "x", "tsp@1:train:easy:1", reward={"tasks": {"tsp": {"length": PENALTY}}})
    with pytest.raises(optgap.Error, match="truncated"):
        trl.reward_functions("reward", spec={"tasks": {"tsp": {"truncated": "zero"}}})
    assert keeps_feasible_apart({"tasks": {"tsp": {"infeasible": "graded"}}})
    assert not keeps_feasible_apart({"tasks": {"futoshiki": "recommended"}})


def test_a_length_penalty_goes_into_every_spec():
    added = json.loads(reward_rules.with_length(RULE, PENALTY))
    assert all(spec["length"] == PENALTY for spec in (added["default"], *added["tasks"].values()))
    assert set(added["tasks"]) == set(RULE["tasks"]) and added["tasks"]["knapsack"]["exponent"] == 10
    assert json.loads(reward_rules.with_length("binary", PENALTY)) == {"shape": "binary", "length": PENALTY}
    with pytest.raises(optgap.Error, match="recommended"):
        reward_rules.with_length("recommended", PENALTY)


def test_rows_of_a_mixed_batch_are_rewarded_by_their_tasks():
    engine = optgap.Engine("cpu")
    names = ["tsp", "knapsack", "independent_set"]
    known = [engine.generate(name, "easy", 1, seed=3) for name in names]
    texts = [
        f"<think>x</think><answer>{json.dumps(one)}</answer>" for each in known for one in engine.greedy(each).tolist()
    ]
    keys = [each.keys[0] for each in known]
    mixed = evaluate(texts, keys, reward=RULE).rows
    for at, shape in enumerate(("forge", {"shape": "power", "exponent": 10}, "binary")):
        (alone,) = evaluate([texts[at]], [keys[at]], reward=shape).rows
        assert {**mixed[at], "fingerprint": ""} == {**alone, "fingerprint": ""}, names[at]
    assert len({row["score"] for row in mixed}) == 3
    assert len({fingerprint(RULE), fingerprint("forge"), fingerprint("recommended")}) == 3
