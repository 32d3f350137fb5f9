"""OPTGAP_STATS of runs that are resumed: what was counted behind the checkpoint is in no table, and in the folder still."""

import json

import pytest

from optgap.measure import stats_folder
from optgap.measure.curves import table
from optgap.measure.curves.timeline import Timeline

RUN = ("forge", -1, "")


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """Takes a process's life in a folder; each begins a new one."""

    def begin(name):
        stats_folder.flush()
        monkeypatch.setenv("OPTGAP_STATS", str(tmp_path / name))
        monkeypatch.setattr(stats_folder, "_process", stats_folder._Process())
        return tmp_path / name

    return begin


def row(good, level="d1"):
    return dict(score=float(good), feasible=1.0, quality=0.5, normalized=0.5, truncated=0, format=1.0, code=0,
                data_source=f"optgap/tsp/{level}")  # fmt: skip


def batch(step, split="train", told=True):
    """Of a trainer that says its step, or of a worker that is told none: of step k, k rollouts in a group that differ in one."""
    rows = [row(at == 0) for at in range(step + 2)]
    truth = json.dumps({"key": f"tsp@1:{split}:d1:{step}"})
    stats_folder.record(rows, [False] * len(rows), [truth] * len(rows), RUN, step=step if told else None)


def told(folder, run_native):
    """Both readers' tables, of training and of val."""
    stats_folder.flush()
    timeline = Timeline(folder)
    timeline.update()
    shown = [table.summary(timeline, split) for split in ("train", "val")]
    merged = json.loads("".join(run_native("stats", "merge", str(folder))))
    kept = ("tasks", "rollups", "all", "step", "not_evaluated")
    return [{name: one[name] for name in kept} for one in shown], merged["cells"], timeline.windows


def test_a_trainer_that_says_its_steps_is_counted_once(folders, run_native):
    """It evaluates at step 4, and then saves; it is killed at 7, and again at 6."""
    whole = folders("whole")
    for step in range(9):
        if step == 4:
            batch(4, "val")
        batch(step)
    killed = folders("killed")
    for step in range(7):
        if step == 4:
            batch(4, "val")
        batch(step)
    batch(6, "val")
    for first, last in ((4, 6), (4, 9)):
        folders("killed")
        for step in range(first, last):
            batch(step)
    found = told(killed, run_native)
    assert found == told(whole, run_native)
    assert found[0][0]["all"]["rows"] == sum(range(2, 11)) and found[0][1]["all"]["rows"] == 6
    lines = [json.loads(line) for path in killed.glob("*.jsonl") for line in path.read_text().splitlines()]
    assert [line["rewound"] for line in lines if "rewound" in line] == [4, 4]
    assert sum(cell["rows"] for line in lines for cell in line.get("cells", [])) > sum(range(2, 11)) + 6, "all is kept"


def test_a_trainer_that_goes_back_in_its_process_is_counted_once(folders, run_native):
    whole = folders("whole")
    for step in range(5):
        batch(step)
    back = folders("back")
    for step in (0, 1, 2, 3, 2, 3, 4):
        batch(step)
    assert told(back, run_native) == told(whole, run_native)


def test_a_run_that_begins_anew_takes_nothing_back(folders, run_native):
    twice = folders("twice")
    for _ in range(2):
        for step in range(3):
            batch(step)
        folders("twice")
    assert told(twice, run_native)[0][0]["all"]["rows"] == 2 * (2 + 3 + 4)


def noted(step, high):
    stats_folder.record_curriculum(
        step, json.dumps({"tasks": [{"name": "tsp", "low": 0, "high": high, "status": "learning"}]})
    )


def curriculum_life(first, last):
    """Notes before the state is there, as a curriculum that is made does."""
    noted(0, 0)
    if first:
        stats_folder.record_rewound(first)
        noted(first, first // 2)
    for step in range(first, last):
        batch(step, told=False)
        noted(step + 1, (step + 1) // 2)
        stats_folder.flush()


def test_a_curriculum_moves_as_in_a_run_that_was_left_alone(folders, run_native):
    whole = folders("whole")
    curriculum_life(0, 8)
    killed = folders("killed")
    curriculum_life(0, 7)
    folders("killed")
    curriculum_life(4, 6)
    folders("killed")
    curriculum_life(5, 8)
    found = told(killed, run_native)
    assert found == told(whole, run_native)
    assert [move[:3] for move in found[2]["tsp"]] == [(0, 0, 0), (2, 0, 1), (4, 0, 2), (6, 0, 3), (8, 0, 4)]


def test_workers_that_are_told_no_step_count_at_the_runs_last_one(folders, run_native, monkeypatch):
    """As verl's: the curriculum's actor and a worker are two processes."""

    def life(name, first, last):
        folder = folders(name)
        actor, worker = stats_folder._Process(), stats_folder._Process()

        def on(process, call, *arguments):
            monkeypatch.setattr(stats_folder, "_process", process)
            call(*arguments)
            stats_folder.flush()

        on(actor, noted, 0, 0)
        if first:
            on(actor, stats_folder.record_rewound, first)
        for step in range(first, last):
            on(worker, lambda step=step: batch(step, told=False))
            on(actor, noted, step + 1, 0)
        return folder

    whole = life("whole", 0, 6)
    life("killed", 0, 5)
    killed = life("killed", 3, 6)
    assert told(killed, run_native) == told(whole, run_native)


def test_a_reader_that_looked_before_the_mark_looks_again(folders):
    folder = folders("watched")
    for step in range(4):
        batch(step)
    timeline = Timeline(folder)
    timeline.update()
    assert sorted(timeline.slots) == [0, 1, 2, 3]
    folders("watched")
    batch(2)
    assert timeline.update() >= {0, 1, 2} and sorted(timeline.slots) == [0, 1, 2]
    again = Timeline(folder)
    again.update()
    assert table.summary(again)["tasks"] == table.summary(timeline)["tasks"]
