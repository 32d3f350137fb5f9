"""Counters add up, and are those of the native program."""

import json
import math
import pickle

import numpy as np
import pytest
from completion import complete

import optgap


@pytest.fixture(scope="module")
def scored(engine, instances, solved):
    answers = engine.noisy_greedy(instances, 4).tolist()
    texts = [complete(answer) if row % 5 else "no answer" for row, answer in enumerate(answers)]
    return texts, engine.score(instances, texts, solved)


def test_a_table_is_the_native_programs(instances, scored, solved, run_native, tmp_path):
    texts, scores = scored
    table = optgap.Statistics()
    table.add(instances, scores)
    lines = [
        json.dumps({"key": instances.keys[row // 4], "completion": text, "baseline": solved.records()[row // 4]})
        for row, text in enumerate(texts)
    ]
    run_native("score", "-", "--stats", str(tmp_path / "native.json"), lines=lines)
    theirs = json.loads((tmp_path / "native.json").read_text())
    ours = json.loads(table.to_json())
    assert ours["cells"] == theirs["cells"] and ours["total"] == theirs["total"]
    assert ours["run"] == theirs["run"] and ours["correct_from"] == theirs["correct_from"]
    assert repr(table) == f"Statistics({len(texts)} rows, {len(instances)} groups)"


def test_processes_add_up_in_any_order(instances, scored, engine, solved):
    texts, scores = scored
    whole = optgap.Statistics()
    whole.add(instances, scores)
    parts = []
    for first in range(0, len(instances), 3):
        some = instances[first : first + 3]
        part = optgap.Statistics()
        part.add(some, engine.score(some, texts[4 * first : 4 * (first + 3)], solved.records()[first : first + 3]))
        parts.append(pickle.loads(pickle.dumps(part)))
    total = parts.pop()
    for part in parts:
        total.merge(part)
    assert total.to_json() == whole.to_json() == optgap.Statistics.from_json(whole.to_json()).to_json()


def test_runs_that_differ_do_not_add_up():
    with pytest.raises(optgap.Error, match="reward"):
        optgap.Statistics().merge(optgap.Statistics(reward="binary"))
    for text in ("{", "{}", '{"statistics": 2}'):
        with pytest.raises(optgap.Error):
            optgap.Statistics.from_json(text)


def test_a_users_own_instances_have_a_cell_of_their_own(engine):
    own = engine.from_json("tsp", engine.generate("tsp", level="d0").json)
    table = optgap.Statistics()
    table.add(own, engine.score(own, [""]))
    assert [cell["level"] for cell in json.loads(table.to_json())["cells"]] == ["explicit"]


def test_groups_that_have_something_to_learn_from_are_kept():
    found = optgap.filter_groups([1, 1, 0, 1, np.nan, 2, 2], ["a", "b", "b", "a", "b", "c", "d"])
    assert found.keep.tolist() == [False, True, True, False, False, False, False]
    assert (found.groups, found.kept, found.collapsed) == (4, 1, 1)
    assert found.effective_prompt_ratio == 0.25 and found.collapsed_share == 0.25 and found.pair_collision == 0.5
    empty = optgap.filter_groups([], [])
    assert len(empty.keep) == 0 and math.isnan(empty.effective_prompt_ratio)
    with pytest.raises(optgap.Error):
        optgap.filter_groups([1.0], [1, 2])
