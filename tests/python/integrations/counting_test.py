"""Every adapter's rows are counted once for OPTGAP_STATS, in the groups that the trainer names."""

import asyncio
import types

import pytest
from slime_stand_in import Sample, arguments

from optgap.measure import stats_folder
from optgap.measure.curves.rates import by_task
from optgap.measure.curves.timeline import Timeline
from optgap.trainers.common.evaluation import evaluate, evaluate_one
from optgap.trainers.common.stream import CurriculumRows
from optgap.trainers.openrlhf.reward import reward_func
from optgap.trainers.slime import reward as slime
from optgap.trainers.trl.reward import reward_functions
from optgap.trainers.verl.reward import compute_score_async


@pytest.fixture
def counted(tmp_path, monkeypatch):
    monkeypatch.setenv("OPTGAP_STATS", str(tmp_path))
    monkeypatch.setattr(stats_folder, "_process", stats_folder._Process())

    def read():
        stats_folder.flush()
        timeline = Timeline(tmp_path)
        timeline.update()
        return timeline

    return read


def figures(timeline, task="tsp"):
    """Rows, groups, kept and zero-variance ones."""
    cells = by_task(timeline.total())[task]
    rates = cells.rates()
    return tuple(round(rates[name] * (1 if name in ("rows", "groups") else rates["groups"]))
                 for name in ("rows", "groups", "effective_prompts", "zero_variance_groups"))  # fmt: skip


def test_trl_counts_a_batch_once_and_tells_steps_apart(rows, counted):
    functions = reward_functions("reward", "feasible", "quality")
    texts = [rows.optimal[0], "x", rows.optimal[1], rows.optimal[1]]
    truths = [rows.ground_truths[0]] * 2 + [rows.ground_truths[1]] * 2
    for step in (3, 4):
        for function in functions:
            function([""] * 4, texts, ground_truth=truths, trainer_state=types.SimpleNamespace(global_step=step))
    timeline = counted()
    assert figures(timeline) == (8, 4, 2, 2) and sorted(timeline.slots) == [3, 4]


def test_slime_and_verl_count_single_samples(rows, counted):
    samples = [Sample(group_index=at // 2, response=text, label=rows.ground_truths[0])
               for at, text in enumerate([rows.optimal[0], "x", "x", "y"])]  # fmt: skip
    asyncio.run(slime.rm(arguments(), samples))
    assert figures(counted()) == (4, 2, 1, 1)

    async def verl():
        texts = [rows.optimal[1], "x"]
        await asyncio.gather(*(compute_score_async("optgap/tsp/easy", text, rows.ground_truths[1]) for text in texts))
        await asyncio.gather(*(evaluate_one(text, rows.ground_truths[1], group="uid") for text in "ab"))

    asyncio.run(verl())
    assert figures(counted()) == (8, 4, 2, 2)


def test_openrlhf_counts_what_it_scores(rows, counted):
    for text in (rows.optimal[0], "x"):
        reward_func(["ask" + text], ["ask"], [rows.ground_truths[0]])
    assert figures(counted()) == (2, 1, 1, 0)


def test_a_curriculums_rows_count_at_its_steps(counted):
    stream = CurriculumRows("adaptive", {"tsp": 1, "knapsack": 1}, seed=3)
    for _ in range(3):
        batch = stream.rows(4)
        truths = [row["ground_truth"] for row in batch]
        stream.observe(truths, evaluate(["x"] * 4, truths).rows, list(range(4)))
        stream.merge(stream.delta())
        stream.step()
    timeline = counted()
    assert sorted(timeline.slots) == [0, 1, 2, 3] and set(timeline.windows) == {"tsp", "knapsack"}
    assert sum(int(counts[0]) for counts in timeline.total().values()) == 12
