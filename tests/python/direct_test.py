"""Tasks that are too long for a prompt: left out where a word names several, refused by name, and still asked of programs."""

import pytest

import optgap
from optgap.commands import preflight
from optgap.core import keys
from optgap.data import dataset
from optgap.data.benchmark_set import benchmark_set
from optgap.measure.benchmark import questions

LONG = "chests is not asked in a prompt"


def test_what_is_not_direct_is_chests(engine):
    assert [task.name for task in engine.tasks if not task.direct] == ["chests"]
    every = [task.name for task in engine.tasks]
    assert [every[index] for index in keys.task_indices("all", direct=True)] == [
        name for name in every if name != "chests"
    ]
    assert keys.task_indices("all") == list(range(len(every))) and keys.task_indices("chests") == [
        every.index("chests")
    ]


def test_its_name_is_refused_before_anything_is_written(engine, tmp_path):
    out = tmp_path / "rows.jsonl"
    made = engine.generate("chests", "easy", 1)
    calls = [
        lambda: engine.prompts(made),
        lambda: keys.task_indices(["tsp", "chests"], direct=True),
        lambda: keys.task_indices("family:chests", direct=True),
        lambda: dataset.export(out, "trl", ["tsp", "chests"], "easy", 2, engine=engine),
        lambda: questions.of_level(engine, ["chests"], "easy", 1, 1, "test", "forge"),
        lambda: preflight.check(None, tasks=["chests"], engine=engine),
        lambda: benchmark_set(["chests"], "easy", 1),
    ]
    for call in calls:
        with pytest.raises(optgap.Error, match=LONG):
            call()
    assert not out.exists()


def test_a_word_for_several_leaves_it_out(engine, tmp_path):
    report = dataset.export(tmp_path / "rows.jsonl", "trl", "all", "d0", 1, engine=engine)
    found = (tmp_path / "rows.jsonl").read_text().splitlines()
    assert report.rows == len(found) > 30 and not any("chests@" in line for line in found)
    asked = questions.of_level(engine, "all", "d0", 1, 1, "test", "forge")
    assert len(asked.tasks) == len(engine.tasks) - 1 and "chests" not in asked.tasks
    plan = optgap.Curriculum({"policy": "static"}, "all")
    assert "chests" not in set(plan.draws(2000).task)


def test_programs_are_asked_for_it():
    [problem] = optgap.problems(["chests"], count=1, instances=2)
    assert "hardness" in problem["prompt"]
