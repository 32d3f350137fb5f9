"""`optgap.explain` and `optgap.feedback`: the page's examples, the command line's bytes, what is refused."""

import contextlib
import io
import json
import os
import pathlib
import re
import subprocess

import pytest

import optgap

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/feedback.md").read_text(encoding="utf-8")
BINARY = os.environ.get("OPTGAP_BINARY", str(ROOT / "build/release/optgap"))
LEVELS = ("verdict", "rule", "place")
TWICE = {"key": "tsp@1:train:easy:1", "completion": "<think>hm</think><answer>[0, 1, 2, 1]</answer>"}


def first_rows():
    """Two of each kind that is scored without a sandbox."""
    kept = {}
    for line in (ROOT / "tests/rows/rows.jsonl").read_bytes().splitlines():
        name = re.match(rb'\{"id": "(\w+): ', line)
        if name and name[1] != b"program" and len(kept.setdefault(name[1], [])) < 2:
            kept[name[1]].append(json.loads(line))
    assert len(kept) >= 5
    return [row for rows in kept.values() for row in rows]


def by_command(row, *options):
    command = [BINARY, "explain", "-", "--external", "--device", "cpu", *options]
    done = subprocess.run(command, input=json.dumps(row) + "\n", capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def test_the_page_prints_what_it_shows():
    names = {"__name__": "docs"}
    blocks = re.findall(r"^```(python|text)\n(.*?)^```", PAGE, re.M | re.S)
    assert [kind for kind, _ in blocks] == ["python", "text", "python", "text", "python"]
    for at, (kind, text) in enumerate(blocks):
        if kind == "python":
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(text, "feedback.md", "exec"), names)
            if at + 1 < len(blocks):
                assert printed.getvalue() == blocks[at + 1][1]
            else:
                assert "16 cities exactly once" in printed.getvalue() and "optimum" in printed.getvalue()


def test_the_command_line_says_the_same():
    scorer = optgap.Scorer(optgap.Engine(device="cpu", threads=1), external=True)
    for row in first_rows():
        try:
            whole = scorer.explain(row)
        except optgap.Error as refused:
            assert by_command(row) == (1, f"row 1 is rejected: {refused.field}: {refused.rule}\n")
            continue
        assert by_command(row) == (0, whole)
        before = ""
        for level in LEVELS:
            text = scorer.feedback(row, level)
            assert by_command(row, "--feedback", level) == (0, text + "\n")
            assert text.startswith(before) and len(text.encode()) <= 1000 and text.isprintable()
            assert scorer.explain(row, level) == text
            before = text


def test_arrays_say_what_rows_say():
    engine = optgap.Engine(device="cpu", threads=1)
    instances = engine.generate("clique", level="easy", count=2, seed=3)
    baselines = engine.solve(instances)
    texts = [
        "<think>x</think><answer>[0, 0]</answer>",
        "no",
        "<think>x</think><answer>[1]</answer>",
        "\x1b[31m" * 100_000,
    ]
    for level in LEVELS:
        told = engine.feedback(instances, texts, baselines, level=level, finish=["stop", "stop", "length", "stop"])
        for at, text in enumerate(texts):
            row = {"key": instances.keys[at // 2], "completion": text, "finish": ["stop", "length"][at == 2]}
            assert told[at] == optgap.feedback(row, level, device="cpu")


def test_a_hidden_instance_is_refused_where_there_is_none():
    with pytest.raises(optgap.Error, match="--instance belongs to rows"):
        optgap.explain(TWICE, instance=0)
    with pytest.raises(optgap.Error, match="instance: has no effect on feedback"):
        optgap.explain(TWICE, "rule", instance=0)
    assert by_command(TWICE, "--feedback", "rule", "--instance", "0")[0] == 2


def test_levels_and_rows_are_checked():
    with pytest.raises(optgap.Error, match="feedback 'optimum': expected verdict, rule, place"):
        optgap.feedback(TWICE, "optimum")
    with pytest.raises(optgap.Error, match="level"):
        optgap.feedback(TWICE, 2)
    with pytest.raises(optgap.Error) as refused:
        optgap.feedback({"key": "tsp@1:train:easy:1"})
    assert (refused.value.field, refused.value.rule) == ("completion", "missing: what the model wrote")
    with pytest.raises(optgap.Error, match=r"rows\[0\]: is no dict|rows\[0\]"):
        optgap.feedback({1: 2})
    assert by_command(TWICE, "--feedback", "optimum")[0] == 2


def test_an_answer_without_a_completion_is_explained():
    row = {"key": "tsp@1:train:easy:1", "answer": [0, 1, 1]}
    assert optgap.feedback(row) == "The form is right. The answer breaks a rule. One of the values stands there twice."
    assert "reward" not in optgap.explain(row)
