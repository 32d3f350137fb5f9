"""The same bytes as the native program, for every task."""

import json

import numpy as np
import pytest
from completion import complete

import optgap

LEVELS = ["easy", "hard", "d0", "d3"]


def line(row):
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))


def objective(value):
    return None if value == optgap.NO_OBJECTIVE else int(value)


@pytest.mark.parametrize("level", LEVELS)
def test_generate(engine, run_native, level):
    direct = [task.name for task in engine.tasks if task.direct]
    made = engine.generate(direct, level=level, count=3, seed=2**63, split="val", style=1)
    names = [task.name for task in engine.tasks]
    prompts = engine.prompts(made, format="boxed")
    rows = zip(made.keys, made.task, made.json, made.hashes, prompts)
    ours = [
        f'{{"key":"{key}","task":"{names[task]}","level":"{level}","instance":{instance},"hash":"{hash}",'
        f'"prompt":{line(prompt)},"format":"boxed","prompt_chars":{len(prompt)}}}'
        for key, task, instance, hash, prompt in rows
    ]
    flags = f"--level {level} --count 3 --seed {2**63} --split val --style 1 --prompts --format boxed".split()
    assert ours == run_native("generate", "all", *flags)


def test_solve_and_verify(engine, instances, solved, run_native):
    lines = [line({"key": key}) for key in instances.keys]
    kinds = [engine.tasks[task].bound_kinds for task in instances.task]
    ours = []
    for row, key in enumerate(instances.keys):
        answer = solved.answers.tolist()[row]
        ours.append(
            line(
                {
                    "key": key,
                    "answer": answer,
                    "objective": objective(solved.objective[row]),
                    "bound": objective(solved.bound[row]),
                    "bound_kind": kinds[row][solved.bound_kind[row]],
                    "status": solved.statuses[row],
                    "proven": bool(solved.proven[row]),
                    "steps": int(solved.steps[row]),
                    "floor": objective(solved.floor[row]),
                    "greedy": objective(solved.greedy[row]),
                }
            )
        )
    assert ours == run_native("solve", "-", lines=lines)


ANSWERS = [
    [],
    [0],
    [0, 0],
    [[0], [1]],
    [[]],
    [1.5],
    [True],
    [2**40],
    [[1, [2]]],
    [0, [1]],
    None,
    "[1, 2",
    "Impossible",
    "",
]


@pytest.mark.parametrize("answer", ANSWERS, ids=str)
def test_verify(engine, instances, run_native, answer):
    answers = [answer] * len(instances)
    found = engine.verify(instances, answers)
    ours = [
        line(
            {
                "key": key,
                "answer": answer,
                "feasible": bool(found.feasible[row]),
                "objective": objective(found.objective[row]),
                "code": found.codes[row],
                "where": int(found.where[row]),
                "violation": int(found.violation[row]),
                "violation_max": int(found.violation_max[row]),
            }
        )
        for row, key in enumerate(instances.keys)
    ]
    given = [line({"key": key, "answer": answer}) for key in instances.keys]
    assert ours == run_native("verify", "-", lines=given)


@pytest.mark.parametrize(
    "reward", ["forge", "power", {"shape": "normalized", "infeasible": "graded", "truncated": "zero"}]
)
@pytest.mark.parametrize("advantage", ["grpo", "dr_grpo", {"estimator": "river"}], ids=str)
def test_score(engine, instances, run_native, reward, advantage):
    group = 4
    answers = engine.noisy_greedy(instances, group, seed=3).tolist()
    texts = [complete(answer, "Ünïcode 数 " * (row % 3)) for row, answer in enumerate(answers)]
    texts[1], texts[2], texts[5] = "no answer at all", texts[2] + " and more", texts[5][:-12]
    finish = ["length" if row % 5 == 0 else "stop" for row in range(len(texts))]
    scores = engine.score(instances, texts, finish=finish, reward=reward, advantage=advantage)
    keys = np.repeat(instances.keys, group).tolist()
    given = [line({"key": k, "completion": t, "finish": f}) for k, t, f in zip(keys, texts, finish)]
    flags = [spec if isinstance(spec, str) else json.dumps(spec) for spec in (reward, advantage)]
    for row, theirs in enumerate(run_native("score", "-", "--reward", flags[0], "--advantage", flags[1], lines=given)):
        base = row // group
        proven = bool(scores.proven[row])
        known = {
            "objective": objective(scores.baselines.objective[base]),
            "bound": objective(scores.baselines.bound[base]),
        }
        ours = {
            "key": keys[row],
            "completion": texts[row],
            "finish": finish[row],
            "reward": float(scores.reward[row]),
            "advantage": float(scores.advantage[row]),
            "format": int(scores.format[row]),
            "feasible": int(scores.feasible[row]),
            "quality": float(scores.quality[row]),
            "raw_ratio": float(scores.raw_ratio[row]),
            "normalized": float(scores.normalized[row]),
            "optimal": float(scores.optimal[row]),
            "length_penalty": float(scores.length_penalty[row]),
            "objective": objective(scores.objective[row]),
            "violation": int(scores.violation[row]),
            "code": scores.codes[row],
            "span": [int(scores.begin[row]), int(scores.end[row])],
            "baseline": {**known, "proven": proven},
            "proven": proven,
            "truncated": bool(scores.truncated[row]),
        }
        read = json.loads(theirs)
        assert {name: read[name] for name in ours} == ours
