"""One instance, one reward: the same row and texts earn the same in every adapter, in one turn and in several."""

import itertools

import pytest
from drivers import BEST, BROKEN, KEY, NOTHING, TABLE, WORSE, by_episode, installed

import optgap
from optgap.environments.adapter import adapters

SHAPES = ("last", "best", "improve", "first")
GAMES = [(BEST,), (BROKEN,), (NOTHING,), (WORSE, BEST), (BEST, BROKEN), (NOTHING, WORSE, BEST), (BEST, WORSE, BROKEN)]


@pytest.fixture(params=TABLE)
def driver(request):
    play, needed = TABLE[request.param]
    if not installed(*needed):
        pytest.skip(f"needs {', '.join(needed)}")
    return request.param, play


@pytest.mark.parametrize("shape", SHAPES)
def test_the_same_texts_earn_the_same_everywhere(driver, shape):
    name, play = driver
    for texts in GAMES:
        if name.endswith("factory") and NOTHING in texts:
            continue  # a tool's answer has its form by construction
        settings = {"turns": len(texts), "reward_shape": shape, "feedback": "place"}
        earned, total = play(texts, **settings)
        expected, whole = by_episode(texts, **settings)
        assert total == pytest.approx(whole), (texts, total)
        assert earned is None or earned == pytest.approx(expected)


def test_a_single_turn_is_what_score_gives(driver):
    _, play = driver
    for text in (BEST, WORSE, BROKEN):
        (row,) = optgap.score([{"key": KEY, "completion": text}], device="cpu")
        assert play((text,), turns=1)[1] == pytest.approx(row["reward"])


def test_every_adapter_is_in_the_table():
    known = " ".join(TABLE).lower()
    for name, record in adapters().items():
        if name in ("reasoning_gym", "unsloth"):
            continue  # one turn, in its own test; and TRL's class
        assert record.title.split(",")[0].lower() in known, name


def test_shapes_differ_where_they_should():
    totals = {shape: by_episode((BEST, WORSE, BROKEN), turns=3, reward_shape=shape)[1] for shape in SHAPES}
    assert totals == {"last": -0.5, "best": 2.0, "improve": 2.0, "first": 2.0}
    assert len(set(itertools.chain(totals.values()))) == 2
