"""A run's folder: one writer, whatever is killed in it, and files that are damaged in every way."""

import contextlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sysconfig
import time
from pathlib import Path

import pytest
from in_process import main
from known_model import KnownModel
from rubric_make_test import ROWS, answer
from stand_in_server import Reply, StandIn

from optgap.core.files.run_folder import WRITER, Busy, Lines, contents, one_writer, replace, replacing
from optgap.data.rubrics.making import Replies
from optgap.measure.benchmark.rollouts import RolloutFile
from optgap.measure.endpoint import Reply as Said

ENTRY = Path(sysconfig.get_path("scripts")) / "optgap"


def rows_of(path):
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def until(true, seconds=20.0):
    ends = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < ends
        time.sleep(0.01)


def bench(server, out, *more):
    return ["bench-model", "--base-url", server.base_url, "--model", "stand-in", "--out", str(out), "--device", "cpu",
            "--tasks", "knapsack,tsp", "--level", "easy", "--count", "8", "--samples", "2", "--twins", "0", "--format",
            "forge", "--concurrency", "4", "--quiet", *more]  # fmt: skip


def calibrate(server, out, *more):
    return ["bench-model", "--base-url", server.base_url, "--model", "stand-in", "--out", str(out), "--device", "cpu",
            "--tasks", "tsp", "--calibrate", "--count", "8", "--format", "forge", "--quiet", *more]  # fmt: skip


def make(server, out, *more):
    rows = out.parent / "rows.jsonl"
    if not rows.exists():
        rows.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return ["rubric", "make", str(rows), "--base-url", server.base_url, "--model", "stand-in", "--out", str(out),
            "--concurrency", "1", "--quiet", *more]  # fmt: skip


@pytest.fixture(scope="module")
def model(engine):
    return KnownModel(engine, ["knapsack", "tsp"])


def any_answer(model):
    return lambda request: model.answer(request) if request.prompt in model.prompts else answer(request)


COMMANDS = {
    "bench-model": (bench, "rollouts.jsonl", ["settings.json", "report.json", "report.md", "report.html"]),
    "calibration": (calibrate, "rollouts/tsp-d0-0.jsonl", ["settings.json", "calibration.json", "curriculum.json"]),
    "rubric make": (make, "replies.jsonl", ["settings.json", "rubrics.jsonl", "dropped.jsonl"]),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_second_writer_is_refused_and_a_killed_one_leaves_nothing_locked(model, tmp_path, name):
    """Two processes on one folder, the first killed in the middle: the results have the bytes of an undisturbed run."""
    command, rows, results = COMMANDS[name]
    whole, out = tmp_path / "whole", tmp_path / "out"
    reply = any_answer(model) if name != "calibration" else lambda request: "<think>a</think><answer>[0]</answer>"
    with StandIn(lambda request: Reply(reply(request), delay=0.02)) as server:
        assert main(command(server, whole)) == 0
        first = subprocess.Popen([ENTRY, *command(server, out)], stderr=subprocess.PIPE)
        until(lambda: (out / rows).exists() and len((out / rows).read_bytes().splitlines()) >= 2)
        os.kill(first.pid, signal.SIGSTOP)  # in the middle, for as long as this takes
        for more in ((), ("--resume",)):
            second = subprocess.run([ENTRY, *command(server, out, *more)], capture_output=True, text=True, check=False)
            assert second.returncode == 3 and second.stdout == ""
            assert f"{out}: is being written by host " in second.stderr and f"pid {first.pid}, since 2" in second.stderr
        first.kill()
        first.communicate()
        assert (out / WRITER).exists()  # it means nothing
        assert main(command(server, out, "--resume")) == 0
    assert not (out / WRITER).exists()
    for file in results:
        assert (out / file).read_bytes() == (whole / file).read_bytes()


def test_of_several_that_start_at_once_one_writes(model, tmp_path):
    with StandIn(lambda request: Reply(model.answer(request), delay=0.05)) as server:
        runs = [subprocess.Popen([ENTRY, *bench(server, tmp_path / "out")], stderr=subprocess.PIPE) for _ in range(4)]
        said = [run.communicate()[1].decode() for run in runs]
    codes = [run.returncode for run in runs]
    assert codes.count(0) == 1
    assert all("is being written by" in text or "is there already" in text for code, text in zip(codes, said) if code)
    assert len(rows_of(tmp_path / "out/rollouts.jsonl")) == 32


def test_a_torn_last_line_is_done_again_wherever_it_was_torn(tmp_path):
    """At every byte of it: the rows before stay, and the row that comes again makes the file what it was."""
    keys, path = [f"key {number}" for number in range(3)], tmp_path / "rollouts.jsonl"
    rows = [{"key": key, "completion": "Mond – \U0001f319" * 5, "finish": "stop", "reasoning": None} for key in keys]
    file = RolloutFile(path, keys, 1)
    for number, row in enumerate(rows):
        file.append((number, 0), row)
    file.close()
    whole = path.read_bytes()
    last = whole.rindex(b"\n", 0, -1) + 1
    for end in range(last, len(whole)):
        path.write_bytes(whole[:end])
        file = RolloutFile(path, keys, 1)
        assert [place for place, _ in file.read()] == [(0, 0), (1, 0)]
        assert path.read_bytes() == whole[:last]
        file.append((2, 0), rows[2])
        file.close()
        assert path.read_bytes() == whole


def test_a_torn_reply_is_asked_again_wherever_it_was_torn(tmp_path):
    path = tmp_path / "replies.jsonl"
    said = [Said(text, finish="stop", reasoning=None, usage={"prompt_tokens": 1}, model="m", seconds=0.0)
            for text in ("one", "two – zwei")]  # fmt: skip
    replies = Replies(str(path))
    for number, reply in enumerate(said):
        replies.store(str(number), reply)
    replies.close()
    whole = path.read_bytes()
    for end in range(whole.index(b"\n") + 1, len(whole)):
        path.write_bytes(whole[:end])
        replies = Replies(str(path))
        assert (replies.get("0"), replies.get("1")) == ("one", None)
        replies.store("1", said[1])
        replies.close()
        assert path.read_bytes() == whole


def damages(data):
    chance = random.Random(1)
    flipped = bytearray(data)
    for _ in range(60):
        flipped[chance.randrange(len(data))] = chance.randrange(256)
    third = len(data) // 3
    return {
        "empty": b"", "cut": data[: len(data) // 2], "noise": chance.randbytes(len(data)), "flipped": bytes(flipped),
        "zeros": data[:third] + bytes(third) + data[2 * third :], "a list": b"[]\n", "a number": b"7\n",
        "other fields": b'{"key":[],"sample":{}}\n', "deep": b"[" * 100_000 + b"\n", "a folder": None,
    }  # fmt: skip


HARMLESS = {"rollouts.jsonl": {"empty", "cut"}, "replies.jsonl": {"empty", "cut"}}
"""Whole lines or half a last one: the rest is asked again."""


@pytest.mark.parametrize("name", ["bench-model", "rubric make"])
def test_a_damaged_file_of_a_run_is_named_and_nothing_is_lost(model, tmp_path, capsys, name):
    command, rows, _ = COMMANDS[name]
    with StandIn(any_answer(model)) as server:
        assert main(command(server, tmp_path / "whole")) == 0
        for file in ("settings.json", rows):
            for damage, data in damages((tmp_path / "whole" / file).read_bytes()).items():
                out = tmp_path / "out"
                shutil.rmtree(out, ignore_errors=True)
                shutil.copytree(tmp_path / "whole", out)
                (out / file).unlink()
                (out / file).mkdir() if data is None else (out / file).write_bytes(data)
                capsys.readouterr()
                code, said = main(command(server, out, "--resume")), capsys.readouterr().err
                if damage in HARMLESS.get(file, ()):
                    assert code == 0, (file, damage, said)
                    continue
                assert code in (2, 3) and said.count("\n") == 1 and str(out) in said, (file, damage, said)
                if file == rows and data is not None:
                    assert f"{file}, line " in said and (out / file).read_bytes() == data
                assert not (out / WRITER).exists()


@pytest.mark.parametrize("size", [0, 1500, 6000])
def test_a_full_disk_ends_with_3_and_the_run_goes_on_later(model, tmp_path, size):
    """By a limit on files' sizes, which cuts a write as a full disk does."""
    out = tmp_path / "out"

    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    with StandIn(model.answer) as server:
        assert main(bench(server, tmp_path / "whole")) == 0
        done = subprocess.run(
            [ENTRY, *bench(server, out)], capture_output=True, text=True, preexec_fn=limited, check=False
        )
        assert done.returncode == 3 and str(out) in done.stderr and "Traceback" not in done.stderr, done.stderr
        for file in out.glob("*.jsonl"):
            assert not file.read_bytes() or file.read_bytes().endswith(b"\n")
        assert main(bench(server, out, "--resume")) == 0
    assert (out / "report.json").read_bytes() == (tmp_path / "whole/report.json").read_bytes()


def test_a_stdout_or_stderr_that_takes_nothing_is_no_traceback(model, tmp_path):
    with StandIn(model.answer) as server, open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [ENTRY, *bench(server, tmp_path / "out")], stdout=full, stderr=subprocess.PIPE, check=False
        )
        assert done.returncode == 3 and done.stderr.count(b"\n") == 1 and b"No space left" in done.stderr
        for words in (["filter", "/no/such/file"], ["eval", "/no/such/file"], ["no-such-command"]):
            assert subprocess.run([ENTRY, *words], stderr=full, check=False).returncode in (2, 3)


def test_a_run_that_ends_while_baselines_are_proven_ends_with_its_sentence(model, tmp_path):
    """The interpreter ends under a thread that is in the native program: no abort."""
    with StandIn(model.answer) as server:
        many = [word if word != "8" else "400" for word in bench(server, tmp_path / "out")]
        out = tmp_path / "out"
        assert subprocess.run([ENTRY, *many, "--timeout", "5", "--base-url", "http://127.0.0.1:9", "--attempts", "1"],
                              capture_output=True, check=False).returncode == 3  # fmt: skip
        (out / "rollouts.jsonl").write_text('{"key": "of another run"}\n', encoding="utf-8")
        for _ in range(3):
            done = subprocess.run([ENTRY, *many, "--resume"], capture_output=True, text=True, check=False)
            assert done.returncode == 2 and "line 1 is no row of this run" in done.stderr
            assert "terminate" not in done.stderr


def test_a_file_is_the_old_one_until_the_new_one_is_whole(tmp_path):
    path = tmp_path / "report.json"
    replace(path, "old")
    with contextlib.suppress(ZeroDivisionError), replacing(path) as file:
        file.write(b"half of the n")
        file.flush()
        assert path.read_text(encoding="utf-8") == "old"
        raise ZeroDivisionError
    assert path.read_text(encoding="utf-8") == "old" and os.listdir(tmp_path) == ["report.json"]
    (tmp_path / "report.json.unfinished").write_text("what a kill left, longer than the new one", encoding="utf-8")
    with replacing(path) as file, pytest.raises(Busy, match="one writer a file"), replacing(path):
        pass
    assert path.read_bytes() == b""
    (tmp_path / "link").symlink_to(path)
    replace(tmp_path / "link", "new")
    assert path.read_text(encoding="utf-8") == "new" and (tmp_path / "link").is_symlink()
    for wrong in (tmp_path, "/dev/null"):
        with pytest.raises(OSError, match="is there and no file"):
            replace(wrong, "new")


def test_a_folder_that_nothing_came_into_goes(tmp_path):
    with one_writer(tmp_path / "a" / "b"):
        assert contents(tmp_path / "a" / "b") == []
        with pytest.raises(Busy, match=f"pid {os.getpid()}, since"), one_writer(tmp_path / "a" / "b"):
            pass
    assert not (tmp_path / "a" / "b").exists()
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="is there and no folder"), one_writer(tmp_path / "file"):
        pass
    with one_writer(tmp_path / "c"):
        Lines(tmp_path / "c/rows.jsonl").append({"row": 1})
    assert contents(tmp_path / "c") == ["rows.jsonl"]
