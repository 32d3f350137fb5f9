"""OPTGAP_STATS: what processes append to a folder adds up to one process's Statistics, whatever becomes of a process."""

import atexit
import json
import logging
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from completion import complete
from forking import in_child

import optgap
from optgap.measure import stats_folder
from optgap.measure.curves.rates import by_task
from optgap.measure.curves.timeline import Timeline, named
from optgap.trainers.common.evaluation import evaluate

SIZE = 4


@pytest.fixture(scope="module")
def rollouts(engine, instances, solved):
    """(text, ground truth) of SIZE rollouts an instance: good, bad, none; some groups are all alike."""
    truths = [json.dumps({"key": key, "baseline": record}) for key, record in zip(instances.keys, solved.records())]
    answers = engine.noisy_greedy(instances, SIZE).tolist()
    texts = [complete(answer) if row % 5 else "no answer" for row, answer in enumerate(answers)]
    for row in range(2 * SIZE):
        texts[row] = complete(solved.answers.tolist()[row // SIZE])
    return [(text, truths[row // SIZE]) for row, text in enumerate(texts)]


@pytest.fixture(scope="module")
def whole(engine, instances, solved, rollouts):
    """One process's table over the same rows."""
    table = optgap.Statistics()
    table.add(instances, engine.score(instances, [text for text, _ in rollouts], solved))
    return json.loads(table.to_json())


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("OPTGAP_STATS", str(tmp_path / "stats"))
    monkeypatch.setattr(stats_folder, "_process", stats_folder._Process())
    return tmp_path / "stats"


def score(rows, **more):
    texts, truths = zip(*rows)
    return evaluate(texts, truths, **more)


def score_and_wait_for_the_end(rows):
    """In a child of multiprocessing, which ends without atexit."""
    for row in rows:
        score([row])


def merged(folder, run_native):
    return json.loads("".join(run_native("stats", "merge", str(folder))))


def same_as(whole, folder, run_native):
    """The program's sum, and the package's, are `whole`."""
    theirs = merged(folder, run_native)
    assert theirs["cells"] == whole["cells"] and theirs["run"] == whole["run"] and theirs["total"] == whole["total"]
    timeline = Timeline(folder)
    timeline.update()
    cells = {(cell["task"], cell["level"]): cell for cell in whole["cells"]}
    mine = timeline.total()
    assert mine.keys() == cells.keys()
    for place, counts in mine.items():
        shown = {name: count for name, count in named(counts).items() if name != "normalized_sum_2p32"}
        assert shown == {name: cells[place][name] for name in shown}, place
        assert counts[-64:].tolist() == cells[place]["quality_histogram"]
    return timeline


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_that_share_groups_add_up_to_one_process(folder, rollouts, whole, run_native, method):
    context = multiprocessing.get_context(method)
    share = 3  # rollouts of one group land on all of them
    children = [
        context.Process(target=score_and_wait_for_the_end, args=(rollouts[at::share],)) for at in range(1, share)
    ]
    for child in children:
        child.start()
    score(rollouts[::share])
    for child in children:
        child.join(60)
        assert child.exitcode == 0
    stats_folder.flush()
    timeline = same_as(whole, folder, run_native)
    assert timeline.folder.files == share and timeline.folder.notes == []


def test_rows_in_batches_and_one_at_a_time_from_threads_count_alike(folder, rollouts, whole, run_native):
    half = len(rollouts) // 2
    threads = [threading.Thread(target=lambda k=k: [score([row]) for row in rollouts[half:][k::4]]) for k in range(4)]
    for thread in threads:
        thread.start()
    score(rollouts[:half])
    for thread in threads:
        thread.join()
    stats_folder.flush()
    stats_folder.flush()
    assert len(next(folder.iterdir()).read_text().splitlines()) == 2, (
        "a header, and one line: nothing new, nothing written"
    )
    same_as(whole, folder, run_native)


def test_the_normalised_sum_is_that_of_the_rows(folder, rollouts):
    rows = score(rollouts).rows
    stats_folder.flush()
    timeline = Timeline(folder)
    timeline.update()
    tasks = by_task(timeline.total())
    assert len(tasks) > 5
    for task, cells in tasks.items():
        values = [row["normalized"] for row in rows if row["data_source"].split("/")[1] == task]
        assert cells.rates()["normalized"] == pytest.approx(sum(values) / len(values), abs=1e-8)


def test_a_fork_writes_nothing_of_its_parents(folder, rollouts, whole, run_native):
    def goes_on():
        score(rollouts[9:])
        atexit._run_exitfuncs()
        return ""

    score(rollouts[:9])
    in_child(goes_on)
    stats_folder.flush()
    same_as(whole, folder, run_native)


def test_a_killed_process_loses_what_it_had_not_written_and_no_more(folder, rollouts, run_native, monkeypatch):
    monkeypatch.setenv("OPTGAP_STATS_EVERY", "0.01")
    script = f"""
import json, sys
sys.path.insert(0, {os.path.dirname(__file__)!r})
from optgap.trainers.common.evaluation import evaluate
rows = json.load(sys.stdin)
while True:
    evaluate(*zip(*rows))
    print("scored", flush=True)
"""
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        json.dump(rollouts, child.stdin)
        child.stdin.close()
        batches = sum(1 for _ in zip(range(20), child.stdout))
        deadline = time.monotonic() + 30
        while not (folder.exists() and any(len(path.read_bytes().splitlines()) > 5 for path in folder.iterdir())):
            assert time.monotonic() < deadline
        child.send_signal(signal.SIGKILL)
    (path,) = folder.iterdir()
    text = path.read_bytes()
    whole_lines = text[: text.rindex(b"\n") + 1]
    rows = sum(cell["rows"] for line in whole_lines.splitlines() for cell in json.loads(line).get("cells", []))
    assert rows >= len(rollouts) and batches == 20
    for cut in (whole_lines, whole_lines + text[:30], whole_lines + b'{"time":'):
        path.write_bytes(cut)
        timeline = Timeline(folder)
        timeline.update()
        assert sum(int(counts[0]) for counts in timeline.total().values()) == rows
        assert merged(folder, run_native)["total"]["rows"] == rows
        assert ["is not whole" in note for note in timeline.folder.notes] == [True] * (cut != whole_lines)
    path.write_bytes(whole_lines)
    assert not timeline.update() and timeline.folder.notes == [], "a reader that goes on"


def test_a_line_that_is_none_is_passed_over_and_said(folder, rollouts, run_native):
    score(rollouts)
    stats_folder.flush()
    (path,) = folder.iterdir()
    good = path.read_bytes()
    cell = b'{"time":1,"cells":[{"task":"tsp","level":"d1",%s}]%s}\n'
    for bad in (
        b"{}\n",
        b"[]\n",
        b"\xff\xfe\n",
        b'{"time":1,"cells":[{"task":3}]}\n',
        b"\n",
        b'{"time":1,"cells":3}\n',
        cell % (b'"rows":-1', b""),
        cell % (b'"rows":"x"', b""),
        cell % (b'"quality_histogram":{"64":1}', b""),
        cell % (b'"rows":1', b',"groups":[["u",7,[1]]]'),
        cell % (b'"rows":1', b',"keys":[["u",0,["x"]]]'),
    ):
        path.write_bytes(good + bad + good.splitlines(keepends=True)[1])
        timeline = Timeline(folder)
        timeline.update()
        assert sum(int(counts[0]) for counts in timeline.total().values()) == 2 * len(rollouts), bad
        assert len(timeline.folder.notes) == 1, bad
        assert merged(folder, run_native)["total"]["rows"] == 2 * len(rollouts), bad


def test_a_folder_that_cannot_be_written_is_said_once_and_costs_no_reward(rollouts, monkeypatch, caplog, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("OPTGAP_STATS", str(tmp_path / "file" / "stats"))
    monkeypatch.setattr(stats_folder, "_process", stats_folder._Process())
    with caplog.at_level(logging.WARNING, "optgap"):
        for _ in range(3):
            found = score(rollouts)
            stats_folder.flush()
    assert len(found.rows) == len(rollouts) and [record.message.count("file") for record in caplog.records] == [2]
    (tmp_path / "file").unlink()
    stats_folder.flush()
    timeline = Timeline(tmp_path / "file" / "stats")
    timeline.update()
    assert sum(int(counts[0]) for counts in timeline.total().values()) == 3 * len(rollouts), "nothing is lost meanwhile"


def test_a_full_disk_leaves_no_half_line(folder, rollouts, monkeypatch, whole, run_native):
    score(rollouts)
    left = [200]
    write = os.write

    def short(file, data):
        if not left:
            return write(file, data)
        if left[0] == 0:
            left.clear()
            raise OSError(28, "No space left on device")
        done = write(file, bytes(data)[: left[0]])
        left[0] -= done
        return done

    monkeypatch.setattr(stats_folder.os, "write", short)
    stats_folder.flush()
    assert next(folder.iterdir()).read_bytes() == b""
    stats_folder.flush()
    same_as(whole, folder, run_native)


def test_rows_without_a_verdict_are_counted_apart_and_other_splits_by_themselves(folder, rollouts, engine):
    validation = engine.generate("tsp", level="easy", count=1, seed=5, split="val")
    own = json.dumps({"task": "tsp", "instance": json.loads(engine.generate("tsp", level="d0").json[0])})
    score([rollouts[0], ("x", "unreadable"), ("x", validation.keys[0]), ("x", own)])
    stats_folder.flush()
    timeline = Timeline(folder)
    timeline.update()
    assert timeline.not_evaluated == 1
    assert sorted(level for _, level in timeline.total()) == ["easy", "explicit", "val:easy"]
    assert sum(cells.rates()["rows"] for cells in by_task(timeline.total()).values()) == 2
    assert by_task(timeline.total(), "val")["tsp"].levels == {"easy": 1}


def fake(source, score=1.0, **more):
    """A row as an adapter's; external tasks have names with slashes."""
    row = dict(
        score=score, feasible=1.0, quality=0.5, normalized=0.25, truncated=0, format=1.0, code=0, data_source=source
    )
    return {**row, **more}


def record(rows, names, **more):
    stats_folder.record(rows, [False] * len(rows), names, ("forge", -1, ""), **more)


def test_tasks_from_outside_have_their_whole_names(folder):
    record([fake("optgap/rg/spell/backward/d3"), fake("optgap/mine/toy/d1")], ["a", "b"])
    stats_folder.flush()
    timeline = Timeline(folder)
    timeline.update()
    tasks = by_task(timeline.total())
    assert {task: cells.level_range() for task, cells in tasks.items()} == {"mine/toy": "d1", "rg/spell/backward": "d3"}


def test_groups_of_one_ground_truth_are_told_apart_by_name_step_or_time(folder, monkeypatch, run_native):
    def groups():
        stats_folder.flush()
        timeline = Timeline(folder)
        timeline.update()
        counts = next(iter(timeline.total().values()))
        total = merged(folder, run_native)["total"]
        found = [named(counts)[name] for name in ("groups", "kept_groups", "zero_variance_groups")]
        assert found == [total[name] for name in ("groups", "kept_groups", "zero_variance_groups")]
        return found

    source, clock = "optgap/tsp/d1", [1000.0]
    monkeypatch.setattr(stats_folder.time, "time", lambda: clock[0])
    record([fake(source, 1), fake(source, 2)], ["k", "k"])
    assert groups() == [1, 1, 0]
    clock[0] += 200
    record([fake(source, 1)], ["k"])
    assert groups() == [1, 1, 0], "the same group's late rollout"
    clock[0] += 400
    record([fake(source, 2), fake(source, 2)], ["k", "k"])
    assert groups() == [2, 1, 1], "the data set came round"
    record([fake(source, 1), fake(source, 1)], ["k", "k"], groups=["u1", "u2"])
    assert groups() == [4, 1, 1], "the trainer's names"
    for at in (7, 8):
        record([fake(source, at), fake(source, at)], ["k", "k"], step=at)
    assert groups() == [6, 1, 3], "steps"
    record([fake(source, float("nan")), fake(source, 3)], ["n", "n"])
    assert groups()[1:] == [1, 3], "a row without a reward takes no part"


def test_a_curriculum_is_kept_with_its_steps(folder, engine):
    plan = optgap.Curriculum({"policy": "window", "samples": 1}, ["tsp", "knapsack"], seed=1)
    for step in range(3):
        instances = plan.instances(engine, 8)
        solved = engine.solve(instances)
        plan.observe(
            instances, engine.score(instances, [complete(answer) for answer in solved.answers.tolist()], solved)
        )
        plan.merge(plan.delta())
        plan.step()
        stats_folder.record_curriculum(step + 1, plan.state_dict())
        record([fake("optgap/tsp/d1")], [f"{step}"])
        stats_folder.flush()
    timeline = Timeline(folder)
    timeline.update()
    assert timeline.by_step and sorted(timeline.slots) == [1, 2, 3]
    state = {task["name"]: task["high"] for task in json.loads(plan.state_dict())["tasks"]}
    assert {task: moves[-1][2] for task, moves in timeline.windows.items()} == state and max(state.values()) > 0
    assert timeline.windows["tsp"][0][0] == 1
    assert sum(path.read_text().count('"curriculum"') for path in folder.iterdir()) == 3, "each step is noted once"


def test_without_the_variable_nothing_is_counted_or_started(rollouts, monkeypatch):
    monkeypatch.delenv("OPTGAP_STATS", raising=False)
    monkeypatch.setattr(stats_folder, "_process", stats_folder._Process())
    score(rollouts[:2])
    stats_folder.record_curriculum(1, "{}")
    assert stats_folder._process._writers == {}


def test_rows_that_cannot_be_counted_cost_no_reward(folder, caplog):
    with caplog.at_level(logging.WARNING, "optgap"):
        for _ in range(3):
            record([fake("optgap/tsp/d1", quality="much")], ["k"])
            stats_folder.record_curriculum(1, "no state")
            stats_folder.flush()
    assert len(caplog.records) == 2 and "not counted" in caplog.text and "not noted" in caplog.text


def test_what_waits_too_long_is_given_up_and_later_rows_are_readable(folder, monkeypatch):
    monkeypatch.setattr(stats_folder, "BACKLOG", 100)
    write = os.write
    monkeypatch.setattr(stats_folder.os, "write", lambda file, data: (_ for _ in ()).throw(OSError(28, "full")))
    record([fake("optgap/tsp/d1")], ["k"])
    stats_folder.flush()
    monkeypatch.setattr(stats_folder.os, "write", write)
    record([fake("optgap/tsp/d1")] * 2, ["k"] * 2)
    stats_folder.flush()
    timeline = Timeline(folder)
    timeline.update()
    assert [int(counts[0]) for counts in timeline.total().values()] == [2]


def test_an_interval_that_is_none_is_said(monkeypatch, caplog):
    for text in ("0", "-1", "nan", "inf", "often"):
        monkeypatch.setenv("OPTGAP_STATS_EVERY", text)
        with caplog.at_level(logging.WARNING, "optgap"):
            assert stats_folder._every() == 10.0
    assert len(caplog.records) == 5
