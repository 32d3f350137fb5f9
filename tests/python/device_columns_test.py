"""Columns in a GPU's memory by DLPack, over the tests' stand-in for the CUDA runtime: its device memory is the host's, and a
producer that says its memory is CUDA's stands for torch."""

import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import optgap
from optgap.core.device import Column, DeviceStore, stream_number

ROOT = pathlib.Path(__file__).resolve().parents[2]
FAKE = ROOT / "build" / "release" / "liboptgap_fake_cuda.so"

PRODUCER = '''
import ctypes
import weakref

import numpy as np
import optgap
from optgap.core.device import DeviceStore

pointer = ctypes.pythonapi.PyCapsule_GetPointer
pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def set_device(capsule, kind, ordinal):
    device = ctypes.cast(pointer(capsule, b"dltensor") + 8, ctypes.POINTER(ctypes.c_int32))
    before = device[0], device[1]
    device[0], device[1] = kind, ordinal
    return before


class OnGpu:
    """A NumPy array whose owner says that it lies on a GPU."""

    def __init__(self, values, dtype=None, ordinal=0):
        self.values, self.ordinal, self.streams = np.array(values, dtype), ordinal, []

    def __dlpack_device__(self):
        return 2, self.ordinal

    def __dlpack__(self, *, stream=None):
        self.streams.append(stream)
        capsule = self.values.__dlpack__()
        assert set_device(capsule, 2, self.ordinal) == (1, 0)
        return capsule


def error(call, *given, **more):
    try:
        call(*given, **more)
    except optgap.Error as told:
        return f"{told.status}: {told}"
    raise AssertionError("nothing was raised")


gpu = optgap.Engine(device="cuda")
cpu = optgap.Engine(device="cpu")
made = cpu.generate(["tsp", "knapsack", "clique"], level="easy", count=3, seed=4)
which = np.arange(36, dtype=np.int32) * 7 % len(made)
answers = cpu.noisy_greedy(made[which], 1, seed=2)
expected = cpu.verify(made, answers, instance_of=which)
rows = len(which)
store = DeviceStore(gpu, memory=1 << 20)
kept = store.keep(made)
'''


def run(script):
    if not FAKE.exists():
        pytest.skip(f"SKIPPED: no {FAKE}")
    environment = {
        **os.environ,
        "OPTGAP_CUDA_LIBRARY": str(FAKE),
        "OPTGAP_FAKE_FAULT_AFTER": "",
    }
    done = subprocess.run(
        [sys.executable, "-c", PRODUCER + script],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_rubric_on_the_gpu_has_the_engine_s_numbers():
    run(
        """
baselines = cpu.solve(made)
known = store.keep_baselines(baselines)
assert (len(kept), len(known)) == (9, 9)
words, offsets, of = OnGpu(answers.words), OnGpu(answers.offsets), OnGpu(which)
verdicts, rewarded = OnGpu(np.full((rows, 4), -7, np.int64)), OnGpu(np.zeros((rows, 10), np.float32))
rewards, out = OnGpu(np.zeros(rows, np.float32)), OnGpu(np.zeros(rows, np.float32))
assert store.verify(kept, words, offsets, verdicts, instance_of=of, stream=2) == 1
assert store.reward(kept, known, verdicts, rewarded, instance_of=of, rewards=rewards, stream=2) == 2
assert store.advantages(rewards, of, out, stream=2) == 3
assert {s for one in (words, offsets, of, verdicts, rewarded, rewards, out) for s in one.streams} == {2}
store.wait()
found = verdicts.values
assert (found.view(np.int32).reshape(rows, 8)[:, 0] == expected.code).all()
feasible = np.asarray(expected.feasible)
assert (found[feasible, 1] == expected.objective[feasible]).all() and (found[:, 2] == expected.violation).all()
texts = [f"<think>t</think><answer>{answer}</answer>" for answer in answers.tolist()]
scores = cpu.score(made, texts, baselines, instance_of=which)
columns = ("reward", "format", "feasible", "quality")
for place, name in enumerate(columns):
    assert (rewarded.values[:, place] == getattr(scores, name)).all(), name
assert (rewards.values == scores.reward).all()
assert (out.values == cpu.advantages(scores.reward, which)).all()
assert store.status()["calls"] == 3 and store.status()["held"] == 0
print("same")
"""
    )


def test_searches_and_rules_by_task_have_the_engine_s_numbers():
    run(
        """
expected = cpu.improve(made, answers, 40, seed=5, instance_of=which)
words, offsets, of = OnGpu(answers.words), OnGpu(answers.offsets), OnGpu(which)
room = max(kept.answer_words, int(np.diff(answers.offsets).max()))
better, ends = OnGpu(np.zeros(rows * room, np.int32)), OnGpu(np.zeros(rows + 1, np.int64))
searched, verdicts = OnGpu(np.zeros((rows, 4), np.int64)), OnGpu(np.zeros((rows, 4), np.int64))
assert store.improve(kept, words, offsets, better, ends, searched, steps=40, seed=5, instance_of=of, stream=2) == 1
assert store.verify(kept, better, ends, verdicts, instance_of=of, stream=2) == 2
store.wait()
assert {s for one in (words, offsets, better, ends, searched) for s in one.streams} == {2}
assert (ends.values == expected.answers.offsets).all()
assert (better.values[: ends.values[-1]] == expected.answers.words).all()
for place, name in enumerate(("start_objective", "objective", "moves")):
    assert (searched.values[:, place] == getattr(expected, name)).all(), name
assert searched.values[:, 3].sum() == expected.evaluations
baselines = cpu.solve(made)
known = store.keep_baselines(baselines)
rule = {"default": "forge", "tasks": {"tsp": {"shape": "power", "exponent": 3}, "clique": "binary"}}
rewarded, rewards = OnGpu(np.zeros((rows, 10), np.float32)), OnGpu(np.zeros(rows, np.float32))
store.verify(kept, words, offsets, verdicts, instance_of=of)
store.reward(kept, known, verdicts, rewarded, instance_of=of, rewards=rewards, reward=rule)
store.wait()
texts = [f"<think>t</think><answer>{answer}</answer>" for answer in answers.tolist()]
assert (rewards.values == cpu.score(made, texts, baselines, instance_of=which, reward=rule).reward).all()
assert not (rewards.values == cpu.score(made, texts, baselines, instance_of=which).reward).all()
"""
    )


def test_a_column_is_held_until_its_call_has_run():
    run(
        """
columns = [OnGpu(answers.words), OnGpu(answers.offsets), OnGpu(np.zeros((rows, 4), np.int64)), OnGpu(which)]
arrays = [weakref.ref(one.values) for one in columns]
words, offsets, out, of = columns
call = store.verify(kept, words, offsets, out, instance_of=of)
del columns, words, offsets, out, of
if store.status()["held"]:
    assert all(array() is not None for array in arrays)
else:
    assert store.ended() == call
store.wait()
assert store.ended() == call and store.status()["held"] == 0
assert all(array() is None for array in arrays)
# One that is refused is not held, nor is one whose call could not be made.
refused = OnGpu(np.zeros((rows, 3), np.int64))
array = weakref.ref(refused.values)
print(error(store.verify, kept, OnGpu(answers.words), OnGpu(answers.offsets), refused))
del refused
assert array() is None and store.status()["held"] == 0
# A store that goes waits for what it was given.
out = OnGpu(np.full((rows, 4), -7, np.int64))
store.verify(kept, OnGpu(answers.words), OnGpu(answers.offsets), out, instance_of=OnGpu(which))
del store
assert (out.values[:, 2] == expected.violation).all()
"""
    )


def test_what_does_not_fit_is_named():
    said = run(
        """
words, offsets, of = OnGpu(answers.words), OnGpu(answers.offsets), OnGpu(which)
out = OnGpu(np.zeros((rows, 4), np.int64))
call = lambda *given, **more: print(error(store.verify, kept, *given, instance_of=more.pop("instance_of", of), **more))
call(answers.words, offsets, out)
call([1, 2], offsets, out)
call(OnGpu(answers.words, ordinal=1), offsets, out)
call(OnGpu(answers.words, np.int64), offsets, out)
call(words, OnGpu(answers.offsets[:-1]), out)
strided = OnGpu(np.zeros((rows, 4), np.int64))
strided.values = np.zeros((rows, 8), np.int64)[:, ::2]
call(words, offsets, strided)
call(words, offsets, out, stream=0)
call(words, offsets, out, stream="main")
call(words, offsets, out, instance_of=None)
print(error(store.advantages, OnGpu(np.zeros(3, np.float32)), OnGpu([0, 0, 0], np.int32), OnGpu(np.zeros(3, np.float32)), "gpg"))
ends, found = OnGpu(np.zeros(rows + 1, np.int64)), OnGpu(np.zeros((rows, 4), np.int64))
search = lambda *given, **more: print(error(store.improve, kept, words, offsets, *given, instance_of=of, **more))
search(OnGpu(np.zeros(rows, np.int32)), ends, found, steps=1)
search(OnGpu(np.zeros(rows, np.int64)), ends, found, steps=1)
search(words, ends, found, steps=-1)
bad = which.copy()
bad[5] = 99
store.verify(kept, words, offsets, out, instance_of=OnGpu(bad))
print(error(store.wait))
assert (out.values[5, 1:] == [0, 1, 1]).all()
print(error(DeviceStore, cpu))
print(error(DeviceStore, gpu, memory=1000))
print(error(DeviceStore, gpu, steps_a_launch=0))
"""
    ).splitlines()
    expected = [
        "invalid_argument: words: is not on GPU 0, where the store is",
        "invalid_argument: words: is list, expected an array with __dlpack__ on GPU 0",
        "invalid_argument: words: is not on GPU 0, where the store is",
        "invalid_argument: words: expected int32",
        "invalid_argument: offsets: expected the shape (37,)",
        "invalid_argument: out: has gaps between its rows; expected a contiguous one",
        "invalid_argument: stream: is 0, expected 1 (legacy default)",
        "invalid_argument: stream: is 'main', expected 1 (legacy default)",
        "invalid_argument: instance_of: none is given for 36 rows, and the set has 9 instances",
        'invalid_argument: advantage: {"',
        "invalid_argument: out_words: expected at least ",
        "invalid_argument: out_words: expected int32",
        "invalid_argument: steps: is -1, expected 0 or more",
        "invalid_argument: instance_of: row 5 of an earlier call names no instance of its set",
        "device_unavailable: this engine has no GPU",
        "invalid_argument: memory: expected at least 1048576 bytes, got 1000",
        "invalid_argument: steps_a_launch: is 0, expected 1 or more",
    ]
    assert [line[: len(wanted)] for line, wanted in zip(said, expected)] == expected, said
    assert len(said) == len(expected)


def test_a_set_s_columns_go_out_as_they_lie():
    run(
        """
for name in ("task", "words", "offsets"):
    column = getattr(kept, name)
    assert column.__dlpack_device__() == (2, 0)
    capsule = column.__dlpack__(stream=1)
    assert set_device(capsule, 1, 0) == (2, 0)

    class Back:
        def __dlpack__(self, **more):
            return capsule

        def __dlpack_device__(self):
            return 1, 0

    back = np.from_dlpack(Back())
    assert (back == getattr(made, name)).all() and back.dtype == getattr(made, name).dtype
used = store.status()["used"]
print(error(kept.task.__dlpack__, stream=0))
assert store.keep(made) is not kept and store.status()["found"] == 1 and store.status()["used"] == used
"""
    )


def test_the_page_s_example_runs():
    """With a stand-in for torch that makes such columns."""
    page = (ROOT / "docs" / "resident.md").read_text(encoding="utf-8")
    examples = [block.partition("```")[0] for block in page.split("```python\n")[1:]]
    assert "import torch" in examples[0] and "store.improve" in examples[1]
    run(
        f"""
import sys
import types


def empty(*shape, dtype=np.float32, device):
    assert device == "cuda"
    return OnGpu(np.zeros(shape, dtype))


cuda = types.SimpleNamespace(is_initialized=lambda: False)
sys.modules["torch"] = types.SimpleNamespace(cuda=cuda, empty=empty, int32=np.int32, int64=np.int64)
engine, instances, baselines = gpu, made, cpu.solve(made)
words, offsets, group = OnGpu(answers.words), OnGpu(answers.offsets), OnGpu(which)
which = OnGpu(which)
{examples[0]}
store.wait()
assert (verdicts.values[:, 2] == expected.violation).all()
assert (advantages.values == cpu.advantages(rewarded.values[:, 0].copy(), which.values)).all()
longest = int(np.diff(answers.offsets).max())
{examples[1]}
store.wait()
better_by_host = cpu.improve(made, answers, 300, seed=1, instance_of=which.values)
feasible = better_by_host.objective > -(2**63)
assert feasible.any() and (verdicts.values[feasible, 1] == better_by_host.objective[feasible]).all()
"""
    )


def test_a_column_s_protocol():
    column = Column(None, "words", 3)
    assert column.__dlpack_device__() == (2, 3)
    with pytest.raises(BufferError, match="stays there"):
        column.__dlpack__(dl_device=(1, 0))
    with pytest.raises(BufferError, match="copy what you get"):
        column.__dlpack__(copy=True)


def test_streams_by_dlpack_s_numbers():
    class Stream:
        cuda_stream = 0

    assert stream_number(Stream(), 0) == 1
    Stream.cuda_stream = 0x7F0000001000
    assert stream_number(Stream(), 0) == 0x7F0000001000
    assert stream_number(None, 0) == 1
    assert stream_number(np.int64(2), 0) == 2
    for wrong in (0, -1, True, 1.0, 2**63):
        with pytest.raises(optgap.Error, match="stream: is"):
            stream_number(wrong, 0)


def test_an_engine_without_a_gpu_says_so():
    with pytest.raises(optgap.Error, match="has no GPU") as told:
        DeviceStore(optgap.Engine(device="cpu"))
    assert told.value.status == "device_unavailable"
