"""Texts of every kind are read from where they are, and a strange one is a row, never an exception."""

import ctypes
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from completion import complete

import optgap

STRANGE = [
    "",
    "\ud800",
    "<think>\udfff</think><answer>[0]</answer>",
    b"\xff\xfe<think>x</think><answer>[0]</answer>",
    b"<think>\x80</think><answer>[\x00]</answer>",
    "<think>x</think><answer>[0" + ", 0" * 10000,
    "\0" * 100,
    "＜answer＞[0]",
]


def test_str_and_bytes_score_the_same(engine, instances, solved, completions):
    texts = [text.replace("Let", "Ünïcode 数 🦊 ") for text in completions]
    by_str = engine.score(instances, texts, solved)
    by_bytes = engine.score(instances, [text.encode() for text in texts], solved)
    for name in by_str.columns:
        assert (getattr(by_str, name) == getattr(by_bytes, name)).all(), name
    assert (by_str.quality == 1).all()


def test_megabytes_of_every_kind_are_read_by_several_threads(instances, solved, completions):
    """Texts of 1, 2 and 4 bytes a character, ASCII and bytes, in one batch; the odd sizes end within a block."""
    fillers = ["plain ", "für ", "数学 ", "🦊 and ", "\ud800 "]
    texts = [
        text.replace("Let", fillers[row % 5] * (20_000 + row)) if row % 7 else text.encode()
        for row, text in enumerate(completions * 2)
    ]
    encoded = [text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass") for text in texts]
    of = np.tile(np.arange(len(instances)), 2)
    wanted = optgap.Engine("cpu", threads=1).score(instances, encoded, solved, instance_of=of)
    for threads in (1, 2, 5):
        found = optgap.Engine("cpu", threads=threads).score(instances, texts, solved, instance_of=of)
        for name in wanted.columns:
            assert (getattr(found, name) == getattr(wanted, name)).all(), name
    assert (wanted.quality == 1).all()


def test_text_beyond_ascii_is_written_once_and_not_kept():
    """32 MiB of UTF-8 in a process of its own, whose most memory is looked at."""
    script = """
        import re, sys
        import optgap

        def most():  # getrusage's begins with the parent's
            return int(re.search("VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) >> 10

        texts = [("\\u00e4" * (1 << 20)) + str(row) for row in range(16)]
        size = sum(map(sys.getsizeof, texts))
        engine = optgap.Engine("cpu", threads=2)
        with optgap.Scheduler(engine) as scheduler:
            issued = scheduler.issue("tsp", count=16)
            engine.parse(["x"], "tsp")
            before = most()
            engine.parse(texts, "tsp")
            parsed = most()
            scheduler.submit(issued.tickets, texts)
            scheduler.collect(issued.tickets)
        print(parsed - before, most() - before, sum(map(sys.getsizeof, texts)) - size)
    """
    said = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=True)
    parsed, submitted, kept = map(int, said.stdout.split())
    assert 24 <= parsed <= 44 and submitted <= 44 and kept == 0, said.stdout


def test_utf8_that_python_keeps_is_read_where_it_is(engine):
    """What asked for it before, a tokenizer for instance, rewards; a lone surrogate has none."""
    as_utf8 = ctypes.pythonapi.PyUnicode_AsUTF8AndSize
    as_utf8.restype, as_utf8.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_void_p]
    text = "\xe4" * 1000 + "<think>a</think><answer>[0, 1]</answer>"
    size, plain = sys.getsizeof(text), engine.parse([text], "tsp")
    assert sys.getsizeof(text) == size and plain.format_code[0] == 0, "nothing is kept by being read"
    place = as_utf8(text, None)
    ctypes.memmove(place + 2000, b"<thinK>", 7)  # not seen by who writes its own
    found = engine.parse([text], "tsp")
    assert found.format_code[0] != 0 and found.begin[0] == plain.begin[0]


@pytest.mark.parametrize("text", STRANGE, ids=range(len(STRANGE)))
def test_a_strange_text_is_a_row_beside_sound_ones(engine, instances, solved, completions, text):
    texts = [text, *completions[1:]]
    scores = engine.score(instances, texts, solved)
    assert scores.codes[0] != "ok" and (scores.quality[1:] == 1).all()


def test_lone_surrogates_in_the_reasoning_do_not_matter(engine, instances, solved):
    texts = [complete(answer, "\ud83e \udd8a") for answer in solved.answers.tolist()]
    assert (engine.score(instances, texts, solved).quality == 1).all()


@pytest.mark.parametrize("before", ["plain", "é", "数学 🦊", "\ud800é", ""])
def test_spans_become_indices_into_the_str(engine, before):
    text = f"{before}<think>{before}.</think>{before}<answer> [1, 2] </answer>"
    found = engine.parse([text], "tsp")
    i, j = optgap.str_span(text, int(found.begin[0]), int(found.end[0]))
    assert text[i:j] == "[1, 2]"
    data = text.encode("utf-8", "surrogatepass")
    assert data[found.begin[0] : found.end[0]] == b"[1, 2]"


def test_any_sequence_of_texts_will_do(engine, instances, solved, completions):
    class Lazy:
        def __len__(self):
            return len(completions)

        def __getitem__(self, row):
            return completions[row]

    kinds = [tuple(completions), np.array(completions, object), Lazy()]
    for kind in kinds:
        assert (engine.score(instances, kind, solved).quality == 1).all()


def test_formats_are_one_for_all_or_one_a_row(engine, instances, solved):
    answers = solved.answers.tolist()[:2]
    two = instances[:2]
    texts = [complete(answers[0]), rf"so \boxed{{{answers[1]}}}"]
    assert list(engine.score(two, texts, solved.records()[:2], format=["forge", "boxed"]).format) == [True, True]
    assert list(engine.score(two, texts, solved.records()[:2], format="boxed").format) == [False, True]


def test_a_cut_off_text_is_truncated_by_finish(engine, instances, completions, solved):
    cut = [text[: text.index("<answer>")] for text in completions]
    found = engine.score(instances, cut, solved, finish=["length"] * len(cut))
    assert set(found.codes) == {"truncated"} and found.truncated.all()
