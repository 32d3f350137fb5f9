"""Rows of every kind earn in an episode, in each adapter, what they earn as rows."""

import json
import pathlib
import re

import drivers
import pytest

import optgap
import optgap.rows.external as external

ROOT = pathlib.Path(__file__).resolve().parents[3]
KINDS = ("program", "text", "proposal", "judgement", "external", "problem")
OWN = {"TRL environment_factory", "verifiers"}
"""Adapters that ask for instances of optgap's tasks alone: a tool's answer has no text around it, and a taskset makes its own."""


@pytest.fixture(scope="module", autouse=True)
def toys():
    external.configure(tasks={"mine/toy": "toys:Toy"}, trusted=True)
    yield
    external.configure()


def case(kind):
    """A row of the kind without its completion, two texts, the better one last, and options that it needs."""
    if kind == "problem":
        (row,) = external.rows("mine/toy", ["d3"], [1])
        right = sum(json.loads(row.ground_truth)["problem"]["numbers"])
        texts = [f"<think>so</think><answer>{answer}</answer>" for answer in (right + 50, right)]
        return json.loads(row.ground_truth), texts, {}
    kept = []
    for line in (ROOT / "tests/rows/rows.jsonl").read_bytes().splitlines():
        if re.match(rb'\{"id": "%s: ' % kind.encode(), line):
            kept.append(json.loads(line))
    row = {name: value for name, value in kept[0].items() if name not in ("id", "completion")}
    texts = ["nothing", kept[0].get("completion")]
    if kind == "proposal":
        texts[1] = f"<question>{json.dumps(row.pop('proposal'))}</question>"
        row["role"] = "proposer"
    return row, texts, {"isolation": "auto"} if kind == "program" else {}


def asked(kind):
    row, texts, options = case(kind)
    assert all(isinstance(text, str) for text in texts)
    return {"prompt": "Say it.", **row}, texts, options


@pytest.mark.parametrize("kind", KINDS)
def test_an_episode_earns_what_its_texts_earn_as_rows(kind):
    row, texts, options = asked(kind)
    episode = optgap.Episode(row, turns=2, reward_shape="best", **options)
    alone = [episode.score(text) for text in texts]
    turns = [episode.submit(text) for text in texts]
    assert [turn.reward for turn in turns] == [one["reward"] for one in alone]
    assert [turn.grade["code"] for turn in turns] == [one["code"] for one in alone]
    assert turns[0].message and episode.done and turns[0].reward < turns[1].reward == episode.reward


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", [name for name in drivers.TABLE if name not in ("Episode", *OWN)])
def test_each_adapter_earns_what_the_episode_earns(kind, name, monkeypatch):
    play, needed = drivers.TABLE[name]
    if not drivers.installed(*needed):
        pytest.skip(f"needs {', '.join(needed)}")
    row, texts, options = asked(kind)
    monkeypatch.setattr(drivers, "TRUTH", json.dumps(row))
    monkeypatch.setattr(drivers, "PROMPT", [{"role": "user", "content": row["prompt"]}])
    for count in (1, 2):
        settings = {"turns": count, "reward_shape": "improve", **options}
        earned, total = play(texts[-count:], **settings)
        expected, whole = drivers.by_episode(texts[-count:], **settings)
        assert total == pytest.approx(whole), (kind, count)
        assert earned is None or earned == pytest.approx(expected)
