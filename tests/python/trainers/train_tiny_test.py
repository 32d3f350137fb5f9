"""The example that learns: its problem's texts, and the short run, which fails when it does not learn."""

import json
import subprocess
import sys

import pytest

import optgap
from optgap.examples.tiny_model import END, byte_tokenizer
from optgap.examples.tiny_picture import draw
from optgap.examples.tiny_problem import (
    CITIES,
    COMPLETION_TOKENS,
    FORMAT,
    LEVELS,
    PROMPT_BYTES,
    best_constant,
    completion,
    drawn,
)


@pytest.fixture(scope="module")
def engine():
    return optgap.Engine("cpu", threads=2)


@pytest.mark.parametrize("level", LEVELS)
def test_optimal_answers_are_rewarded_and_all_texts_have_one_length(engine, level):
    asked = drawn(engine, "val", level, 50, seed=3)
    scores = engine.score(asked.instances, asked.completions(), asked.baselines, format=FORMAT)
    assert scores.optimal.all() and (scores.normalized == 1).all()
    tokenizer = byte_tokenizer()
    assert {len(ids) for ids in tokenizer(asked.prompts).input_ids} == {PROMPT_BYTES}
    answers = [text + END for text in asked.completions()]
    assert max(len(ids) for ids in tokenizer(answers).input_ids) <= COMPLETION_TOKENS
    kept = tokenizer.batch_decode(tokenizer(answers).input_ids, skip_special_tokens=True)
    assert kept == asked.completions()


def test_a_table_holds_every_distance(engine):
    asked = drawn(engine, "train", "d0", 20, seed=0)
    for text, instance in zip(asked.prompts, asked.instances.json):
        distances = json.loads(instance)["distances"]
        assert [[int(cell) for cell in line.split()] for line in text.splitlines()] == [
            distances[city][:city] for city in range(1, CITIES)
        ]


def test_a_tour_has_one_text():
    tours = [[0, 3, 1, 4, 2], [1, 4, 2, 0, 3], [2, 4, 1, 3, 0], [3, 0, 2, 4, 1]]
    assert {completion(tour) for tour in tours} == {"<think>.</think><answer>[0,2,4,1,3]</answer>"}


def test_the_best_constant_answer_beats_the_task_s_own(engine):
    asked = drawn(engine, "val", "d0", 300, seed=0)
    # The task's constant policy has normalised quality 0.
    assert 0 <= best_constant(engine, asked, asked) < 0.3


def test_the_short_run_learns(tmp_path):
    picture = tmp_path / "curve.png"
    command = [sys.executable, "-m", "optgap.examples.train_tiny", "--quick", "--out", str(picture)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1200, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(picture.with_suffix(".json").read_text())
    (run,) = found["runs"]
    before, after = (run[when]["sampled"]["normalized"] for when in ("start", "end"))
    assert after >= max(before, run["constant"]) + 0.1
    assert run["end"]["greedy"]["feasible"] > 0.95
    assert run["trained_on_val"] == 0
    assert run["curve"][0][0] == 0 and len(run["curve"]) > 3
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_picture_shows_runs_under_several_rewards(tmp_path):
    runs = [
        {"reward": reward, "constant": 0.1, "curve": [(0, 0.2), (10, 0.4)]}
        for reward in ("forge", "normalized", "forge")
    ]
    draw(str(tmp_path / "curve.png"), runs, title="two points a line")
    assert (tmp_path / "curve.png").stat().st_size > 1000
