"""Twins: the same problems under other labels."""

import json

import numpy as np
import pytest
from completion import complete

import optgap


@pytest.fixture(scope="module")
def instances(engine):
    """Two of every task that has axes."""
    return engine.generate([task.name for task in engine.tasks if task.axes], level="easy", count=2, seed=5)


@pytest.fixture(scope="module")
def solved(engine, instances):
    return engine.solve(instances)


def test_twins_are_explicit_instances_of_their_own(engine, instances):
    twins = engine.relabel(instances, seed=3)
    assert len(twins) == len(instances) == len(twins.labels)
    assert (twins.instances.task == instances.task).all() and (twins.instances.split == -1).all()
    assert not set(twins.instances.hashes) & set(instances.hashes)
    for task, key in zip(twins.instances.task, twins.instances.keys):
        assert key.startswith(f"{engine.tasks[task].name}@{engine.tasks[task].version}:x:")
    again = engine.relabel(instances[::-1], seed=3).instances
    assert again.keys[::-1] == twins.instances.keys
    assert engine.relabel(instances, seed=4).instances.keys != twins.instances.keys
    assert engine.relabel(instances).instances.keys == engine.relabel(instances, 0).instances.keys


def test_the_optimum_and_the_reward_are_the_originals(engine, instances, solved):
    twins = engine.relabel(instances, seed=1)
    there = engine.solve(twins.instances)
    known = solved.proven  # an open optimum's search goes its own way under other labels
    assert (there.proven == known).all() and known.mean() > 0.9
    assert (there.objective == solved.objective)[known].all()
    texts = [complete(answer) for answer in twins.answers(solved.answers).tolist()]
    assert (engine.score(twins.instances, texts, there).reward == 2)[known].all()
    wrong = [complete(answer) for answer in solved.answers.tolist()]
    assert (engine.score(twins.instances, wrong, there).reward < 2).any(), "what was learned by heart is not right"


def test_answers_go_there_and_back(engine, instances):
    twins = engine.relabel(instances, seed=2)
    answers = engine.noisy_greedy(instances, 3, seed=1)
    moved = twins.answers(answers)
    verdicts, theirs = engine.verify(instances, answers), engine.verify(twins.instances, moved)
    for name in ("feasible", "objective", "code", "violation", "violation_max"):
        assert (getattr(verdicts, name) == getattr(theirs, name)).all(), name
    back = twins.originals(moved)
    assert back.tolist() == answers.tolist() and (back.task == answers.task).all()


def test_labels_say_what_became_of_each_vertex(engine):
    instances = engine.from_json("coloring", {"n": 4, "edges": [[0, 1], [1, 2], [2, 3]]})
    twins = engine.relabel(instances, seed=5)
    labels = twins.labels[0]["vertex"].tolist()
    edges = sorted(sorted((labels[u], labels[v])) for u, v in ([0, 1], [1, 2], [2, 3]))
    assert json.loads(twins.instances.json[0]) == {"n": 4, "edges": edges}
    moved = twins.answers([[7, 8, 9, 7]]).tolist()[0]
    assert [moved[new] for new in labels] == [7, 8, 9, 7]


def test_answers_of_any_form_and_any_row(engine):
    instances = engine.generate("tsp", count=2, seed=1)
    twins = engine.relabel(instances, seed=1)
    first, second = (labels["city"] for labels in twins.labels)
    moved = twins.answers(["[0, 1]", [1, 0], None, "no answer", (2, -5)], instance_of=[1, 0, 1, 0, 1])
    assert moved.tolist() == [[second[0], second[1]], [first[1], first[0]], [], [], [second[2], -5]]
    assert moved.codes == ["ok", "ok", "unparsable", "unparsable", "ok"]
    each = twins.answers([[0], [1], [0], [1]])
    assert each.tolist() == [[first[0]], [first[1]], [second[0]], [second[1]]]


def test_labels_stand_along_the_axes_of_the_task(engine, instances):
    twins = engine.relabel(instances)
    for task, labels in zip(instances.task, twins.labels):
        assert tuple(labels) == engine.tasks[task].axes
        for new in labels.values():
            assert sorted(new) == list(range(new.min(), new.min() + len(new)))


def test_no_rows_are_no_twins(engine, instances):
    twins = engine.relabel(instances[:0], seed=1)
    assert len(twins) == 0 and twins.labels == [] and twins.answers([]).tolist() == []
    assert "Twins" in repr(twins)


def test_misuse_is_named(engine, instances):
    for seed in (-1, 2**64, 1.5, "1"):
        with pytest.raises(optgap.Error, match="seed"):
            engine.relabel(instances, seed)
    twins = engine.relabel(instances, seed=1)
    with pytest.raises(optgap.Error, match="instance_of"):
        twins.answers([[0]])
    with pytest.raises(optgap.Error, match="instance_of"):
        twins.answers([[0]], instance_of=[len(instances)])
    for broken in (np.zeros_like(twins.label_words), twins.label_words + 1, twins.label_words - 2**30):
        with pytest.raises(optgap.Error, match="labels"):
            optgap.Twins(twins.instances, broken, twins.label_offsets).answers(engine.greedy(instances))


def test_the_program_makes_the_same_twins(engine, instances, solved, run_native):
    twins = engine.relabel(instances, seed=11)
    answers = solved.answers.tolist()
    lines = [json.dumps({"key": key, "answer": answer}) for key, answer in zip(instances.keys, answers)]
    rows = [json.loads(line) for line in run_native("relabel", "-", "--seed", "11", lines=lines)]
    assert [row["key"] for row in rows] == twins.instances.keys
    assert [row["twin_of"] for row in rows] == instances.keys
    assert [row["answer"] for row in rows] == twins.answers(solved.answers).tolist()
    assert [row["labels"] for row in rows] == [
        {axis: new.tolist() for axis, new in labels.items()} for labels in twins.labels
    ]
