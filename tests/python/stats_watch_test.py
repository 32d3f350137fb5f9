"""`optgap stats watch` and `stats page` over a folder that a run writes, and what docs/statistics.md shows."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import sysconfig

import pytest

import optgap
from optgap.measure import report, stats_folder
from optgap.measure.curves import page, sinks, table
from optgap.measure.curves.timeline import Timeline

ROOT = pathlib.Path(__file__).resolve().parents[2]
HOSTILE = "mine/\x1b[31m red\n" + "x" * 90


def row(task, level, good):
    return dict(
        score=2.0 if good else -0.5, feasible=float(good), quality=1.0 * good, normalized=1.0 * good, truncated=int(not good),
        format=1.0, code=0, data_source=f"optgap/{task}/{level}",
    )  # fmt: skip


def write(folder, tasks, steps, monkeypatch, curriculum=True):
    """A run in which task k has k of 8 rollouts right, and moves up every other step."""
    monkeypatch.setenv("OPTGAP_STATS", str(folder))
    monkeypatch.setattr(stats_folder, "_process", stats_folder._Process())
    for step in range(steps):
        names = [f"rg/task{k:02d}" for k in range(tasks)]
        if curriculum:
            windows = [{"name": name, "low": 0, "high": step // 2, "status": "learning"} for name in names]
            stats_folder.record_curriculum(step, json.dumps({"tasks": windows}))
        for k, name in enumerate(names):
            rows = [row(name, f"d{step // 2}", at < k % 9) for at in range(8)]
            stats_folder.record(rows, [False] * 8, [f"{name} {step}"] * 8, ("forge", -1, ""))
    stats_folder.flush()
    return folder


def watch(*words, code=0):
    command = [sys.executable, "-m", "optgap", "stats", "watch", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


def test_the_table_stays_readable_at_sixty_tasks(tmp_path, monkeypatch):
    folder = write(tmp_path / "stats", 60, 10, monkeypatch)
    lines = watch(folder, "--once").splitlines()
    assert len({len(lines[k]) for k in (1, 62)}) == 1 and max(map(len, lines)) < 130
    assert [line.split()[0] for line in lines[2:62]] == [f"rg/task{k:02d}" for k in range(60)]
    cells = dict(zip(lines[0].replace(" %", "").split(), lines[5].split()))
    assert (cells["task"], cells["rows"], cells["SR"], cells["norm."]) == ("rg/task03", "80", "37.5", "37.5")
    assert lines[5].split()[-5:] == ["d0-d4", "2.0", "4", "62.5", "0.0"]
    assert lines[63].split()[:2] == ["all", "4800"]
    assert (
        lines[-1]
        == f"step 9, {float(json.loads(watch(folder, '--once', '--json'))['seconds']):.0f} s, 2 files, split train"
    )


def test_json_has_the_same_figures_and_sorting_sorts(tmp_path, monkeypatch):
    folder = write(tmp_path / "stats", 9, 4, monkeypatch)
    found = json.loads(watch(folder, "--once", "--json"))
    for k in range(9):
        task = found["tasks"][f"rg/task{k:02d}"]
        assert (task["rows"], task["sr"], task["level"], task["levels"], task["h"]) == (32, k / 8, 0.5, "d0-d1", 1)
        assert (
            task["zero_variance_groups"] == (k % 8 == 0)
            and task["effective_prompts"] == 1 - task["zero_variance_groups"]
        )
        assert task["trend"] == [k / 8] * 4 and task["truncated"] == 1 - k / 8
    assert found["all"]["rows"] == 9 * 32 and found["all"]["sr"] == 0.5 and found["step"] == 3
    lines = watch(folder, "--once", "--sort", "sr").splitlines()
    rates = [float(line.split()[2]) for line in lines[2:11]]
    assert rates == sorted(rates) and rates[0] == 0
    with pytest.raises(optgap.Error, match="sort"):
        table.text(found, "colour")


def test_hostile_names_cannot_reach_the_terminal(tmp_path, monkeypatch):
    monkeypatch.setenv("OPTGAP_STATS", str(tmp_path / "stats"))
    monkeypatch.setattr(stats_folder, "_process", stats_folder._Process())
    stats_folder.record([row(HOSTILE, "d1", True)], [True], ["k"], ("forge", -1, ""))
    stats_folder.flush()
    shown = watch(tmp_path / "stats", "--once")
    assert "\x1b" not in shown and len(shown.splitlines()) == 6 and max(map(len, shown.splitlines())) < 150


def test_a_watcher_follows_and_ends_well(tmp_path, monkeypatch):
    folder = write(tmp_path / "stats", 2, 1, monkeypatch)
    command = [sys.executable, "-m", "optgap", "stats", "watch", str(folder), "--every", "0.05", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert json.loads(child.stdout.readline())["all"]["rows"] == 16
        write(folder, 3, 2, monkeypatch)
        while json.loads(child.stdout.readline())["all"]["rows"] != 16 + 48:
            pass
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=60)
    assert child.returncode == 0 and said == ""


def test_what_cannot_work_is_said(tmp_path, monkeypatch):
    assert "OPTGAP_STATS names it" in watch(tmp_path / "none", "--once", code=2)
    (tmp_path / "empty").mkdir()
    assert watch(tmp_path / "empty", "--once").splitlines()[-1].startswith("0 s, 0 files")
    assert "every" in watch(tmp_path / "empty", "--every", "0", code=2)
    assert "neither tensorboard[:DIR] nor wandb" in watch(tmp_path / "empty", "--to", "excel", code=2)
    command = [sys.executable, "-m", "optgap", "stats", "page", str(tmp_path / "empty")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "no counters" in done.stderr
    for name, package in (("tensorboard", "tensorboard"), ("wandb", "wandb")):
        monkeypatch.setitem(sys.modules, package, None)
        with pytest.raises(optgap.Error, match=f"pip install {name}"):
            sinks.opened(name, Timeline(tmp_path / "empty"))


def charts(description):
    return [chart for section in description["sections"] for chart in section.get("charts", [])]


@pytest.mark.parametrize("tasks", [3, 60])
def test_the_page_has_the_three_plots_at_any_number_of_tasks(tmp_path, monkeypatch, tasks):
    timeline = Timeline(write(tmp_path / "stats", tasks, 10, monkeypatch))
    timeline.update()
    described = page.described(timeline)
    assert [section["heading"] for section in described["sections"]][:3] == ["Tasks", "h", "Effective prompts"]
    by_title = {chart["title"]: chart for chart in charts(described)}
    assert by_title["h at the end"]["series"][0]["values"] == [4] * tasks
    if tasks == 3:
        (h, histogram) = described["sections"][1]["charts"]
        assert histogram["kind"] == "histogram"
        assert h["series"][1]["points"] == [[float(step), step // 2] for step in range(10)]
        effective = by_title["Effective prompts"]["series"]
        assert [[value for _, value in one["points"]] for one in effective] == [[0.0] * 10, [100.0] * 10, [100.0] * 10]
    else:
        assert by_title["h: 60 tasks, median and 10-90 %"]["series"][0]["points"][-1] == [9.0, 4, 4, 4]
        drawn = [one["name"] for chart in described["sections"][1]["charts"][2:] for one in chart["series"]]
        assert sorted(drawn) == [f"rg/task{k:02d}" for k in range(60)]
    assert max(len(chart["series"]) for chart in charts(described)) <= page.TOGETHER
    assert report.html(described).startswith("<!DOCTYPE html>") and "h at the end" in report.markdown(described)


def test_a_run_without_a_curriculum_has_no_h(tmp_path, monkeypatch):
    timeline = Timeline(write(tmp_path / "stats", 2, 2, monkeypatch, curriculum=False))
    timeline.update()
    described = page.described(timeline)
    assert "h" not in [section["heading"] for section in described["sections"]]
    assert charts(described)[0]["x"]["label"] == "minutes"
    report.html(described)


def test_everything_on_the_docs_page_runs(tmp_path, monkeypatch):
    """The console and python blocks of docs/statistics.md, in their order and in one folder."""
    text = (ROOT / "docs" / "statistics.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```(console|python)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) > 2 and "```sh" not in text
    environment = {**os.environ, "PATH": f"{sysconfig.get_path('scripts')}:/usr/bin:/bin"}
    environment.pop("OPTGAP_STATS", None)
    monkeypatch.chdir(tmp_path)
    for kind, block in blocks:
        if kind == "python":
            pathlib.Path("step.py").write_text(block, encoding="utf-8")
            continue
        for command in re.findall(r"^\$ (.*)$", block.replace("\\\n", " "), re.MULTILINE):
            done = subprocess.run(
                ["/bin/sh", "-ec", command], env=environment, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, f"{command}: {done.stderr}"
    assert (
        "optgap/" not in pathlib.Path("run.html").read_text()[:50] and pathlib.Path("run.html").stat().st_size > 10_000
    )


def test_the_table_over_steps_stays_readable_at_sixty_tasks(tmp_path, monkeypatch):
    folder = write(tmp_path / "stats", 60, 23, monkeypatch)
    lines = watch(folder, "--once", "--steps").splitlines()
    assert lines[0].split() == ["effective", "prompts", "%", "groups", "wasted", "0-1", "2-3", "4-5", "6-8", "9-10", "11-12",
                                "13-15", "16-17", "18-19", "20-22", "run"]  # fmt: skip
    # Of tasks 0 to 59 those with k % 9 in (0, 8) never disagree: 7 and 6 of 60.
    wasting = [f"rg/task{k:02d}" for k in range(60) if k % 9 in (0, 8)]
    assert lines[2].split() == ["all", str(60 * 23), str(13 * 23), *["78.3"] * 11]
    assert [line.split()[0] for line in lines[3:15]] == wasting[:12]
    assert lines[3].split()[1:] == ["23", "23", *["0.0"] * 11]
    assert lines[15].split()[:3] == ["48", "other", "tasks"] and lines[15].split()[3:5] == [str(48 * 23), "23"]
    assert len(lines) == 16 and max(map(len, lines)) < 130
    found = json.loads(watch(folder, "--once", "--steps", "--top", "0", "--json"))
    assert [line["name"] for line in found["lines"]] == ["all", "60 other tasks"]
    assert found["lines"][0]["effective"] == found["lines"][1]["effective"]
    assert "--last and --sort are not read" in watch(folder, "--once", "--steps", "--last", "9", code=2)
    assert "top" in watch(folder, "--once", "--top", "-1", code=2)


def test_tasks_of_this_build_are_rolled_up_by_class_and_family(tmp_path, monkeypatch):
    monkeypatch.setenv("OPTGAP_STATS", str(tmp_path / "stats"))
    monkeypatch.setattr(stats_folder, "_process", stats_folder._Process())
    cells = [task.name for task in optgap.tasks() if task.family == "cells"][:3]
    lone = next(task.name for task in optgap.tasks() if task.task_class == "exact")
    for step in range(2):
        for good, name in enumerate([*cells, lone]):
            rows = [row(name, "d1", at < 2 * good) for at in range(8)]
            stats_folder.record(rows, [False] * 8, [f"{name} {step}"] * 8, ("forge", -1, ""))
    stats_folder.flush()
    found = json.loads(watch(tmp_path / "stats", "--once", "--json"))
    assert lone in found["tasks"] and not any("exact" in label for label in found["rollups"]), "one task is no roll-up"
    family = found["rollups"]["family:cells"]
    mine = [found["tasks"][name] for name in cells]
    assert family["rows"] == sum(task["rows"] for task in mine) == 48 and family["h"] is None
    assert family["sr"] == pytest.approx(sum(task["sr"] for task in mine) / 3)
    assert family["effective_prompts"] == pytest.approx(2 / 3)
    lines = watch(tmp_path / "stats", "--once").splitlines()
    assert [line.split()[0] for line in lines[2:]][4] == "-" * len(lines[1].split()[0])
    labels = [line.split()[0] for line in lines[7:]]
    assert "family:cells" in labels and labels.index("family:cells") < labels.index("all")
    steps = watch(tmp_path / "stats", "--once", "--steps").splitlines()
    assert any(line.split()[:3] == ["family:cells", "6", "2"] for line in steps)
    assert "family:cells" in report.markdown(page.described(of(tmp_path / "stats")))


def of(folder):
    timeline = Timeline(folder)
    timeline.update()
    return timeline
