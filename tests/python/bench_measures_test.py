"""What the report of `optgap bench-model` computes, against slower or other ways to say the same."""

import itertools
import json

import numpy as np
import pytest

import optgap
from optgap.measure.benchmark import format_choice, measures, report, settings
from optgap.measure.benchmark.rollouts import RolloutFile
from optgap.measure.benchmark.table import FAILED, SCORED, Table
from optgap.measure.endpoint import Reply

QUALITIES = [0.9, 0.0, 0.4, 1.0, 0.4]


@pytest.mark.parametrize("k", range(1, 6))
def test_pass_and_best_are_means_over_all_subsets(k):
    chosen = list(itertools.combinations(QUALITIES, k))
    assert measures.best_of(QUALITIES, k) == pytest.approx(np.mean([max(one) for one in chosen]))
    for passed in range(6):
        rows = [True] * passed + [False] * (5 - passed)
        subsets = list(itertools.combinations(rows, k))
        assert measures.pass_at(5, passed, k) == pytest.approx(np.mean([any(one) for one in subsets]))


def test_sizes_of_k_are_doublings_and_all():
    assert [measures.sizes_of_k(n) for n in (1, 2, 4, 6)] == [[1], [1, 2], [1, 2, 4], [1, 2, 4, 6]]


def a_table(questions=40, samples=3):
    table = Table(questions, samples)
    draws = np.random.default_rng(1)
    table.state[:] = np.where(draws.random((questions, samples)) < 0.8, SCORED, FAILED)
    table.feasible[:] = table.scored & (draws.random((questions, samples)) < 0.6)
    table.quality[:] = np.where(table.feasible, draws.random((questions, samples)), 0)
    return table


def test_failures_are_in_no_rate():
    table = a_table()
    rates = measures.rates_of(table)
    assert rates["sr"].value == pytest.approx(table.feasible[table.scored].mean())
    assert rates["qr"].value == pytest.approx(table.quality[table.scored].mean(), rel=1e-6)
    counted = measures.counts_of(table, np.arange(40))
    assert counted["rollouts"] + counted["errors"] == 120 and counted["errors"] > 0
    empty = Table(2, 2)
    assert measures.rates_of(empty)["sr"].value is None
    assert measures.intervals_of(measures.rates_of(empty), "x") == dict.fromkeys(["sr", "qr", "normalized", "optimal"])


def test_intervals_are_a_function_of_name_and_numbers_and_hold_the_truth():
    rates = measures.rates_of(a_table())
    assert measures.intervals_of(rates, "a") == measures.intervals_of(rates, "a") != measures.intervals_of(rates, "b")
    low, high = measures.intervals_of(rates, "a")["sr"]
    assert low < rates["sr"].value < high
    inside = 0
    for seed in range(100):  # 95 % of the intervals hold the chance that made them, give or take
        drawn = np.random.default_rng(seed).random(60) < 0.3
        low, high = measures.intervals_of({"x": measures.Ratio(drawn.astype(float), np.ones(60))}, "c")["x"]
        inside += low <= 0.3 <= high
    assert 0.88 <= inside / 100 <= 0.99


def test_anchors_are_what_score_says_of_the_same_answers(engine, instances, solved):
    greedy = engine.greedy(instances)
    texts = [
        f"<answer>{answer if isinstance(answer, str) else json.dumps(answer)}</answer>" for answer in greedy.tolist()
    ]
    scores = engine.score(instances, texts, solved, format="answer_only")
    senses = np.asarray([optgap.tasks()[index].sense == "minimise" for index in instances.task])
    anchors = measures.anchors_of(solved, senses)
    assert len(set(instances.task.tolist())) >= 10
    assert (anchors["greedy"]["qr"].astype(np.float32) == np.where(scores.feasible, scores.quality, 0)).all()
    assert np.allclose(anchors["greedy"]["normalized"], np.where(scores.feasible, scores.normalized, 0), atol=1e-6)
    assert (anchors["greedy"]["sr"] == scores.feasible).all()


def test_lengths_fall_back_on_characters_where_tokens_were_not_counted():
    table = a_table()
    table.chars[:], table.tokens[:] = 100, 30
    assert report.lengths(table)["unit"] == "tokens" and sum(report.lengths(table)["counts"]) == table.scored.sum()
    assert [one["from"] for one in report.by_tokens(table)] == [16]
    table.tokens[tuple(np.argwhere(table.scored)[0])] = -1
    assert report.lengths(table)["unit"] == "characters" and report.by_tokens(table)[0]["from"] == 64
    assert report.lengths(Table(1, 1)) == {"unit": "characters", "width": 1, "counts": [0]}


@pytest.mark.parametrize("text, name", [
    ("plain", "forge"), ("hm</think>[1]", "answer_only"), ("<think>hm", "answer_only"),
    ("[THINK]hm[/THINK]", "magistral"),
    ("analysis hm assistantfinal", "harmony"), ("an analysis", "forge"), ("<|channel>thought", "gemma4"),
    ("<seed:think>", "seed"), ("◁think▷", "kimi"), ("<|START_THINKING|>", "cohere"),
])  # fmt: skip
def test_the_format_follows_the_marks_in_an_answer(text, name):
    assert format_choice.suiting(Reply(text)) == name
    assert format_choice.suiting(Reply(text, reasoning="hm")) == "answer_only"


def test_a_torn_line_and_failures_are_mended_and_the_order_is_that_of_the_questions(tmp_path):
    path = tmp_path / "rollouts.jsonl"
    file = RolloutFile(path, ["a", "b"], 2)
    file.append((1, 1), {"key": "b", "completion": "late", "finish": "stop"})
    assert path.read_bytes().endswith(b'"sample": 1}\n')  # it is there before the next is asked
    file.append((1, 0), {"key": "b", "error": "no"})
    file.append((0, 1), {"key": "a", "completion": "early", "finish": "stop"})
    file.close()
    with open(path, "ab") as torn:
        torn.write(b'{"key": "a", "completion": "never wh')
    again = RolloutFile(path, ["a", "b"], 2)
    assert [place for place, _ in again.read()] == [(1, 1), (0, 1)]
    assert path.read_bytes().count(b"\n") == 2 and path.read_bytes().endswith(b"}\n")
    again.append((0, 0), {"key": "a", "completion": "first", "finish": "stop"})
    again.order()
    assert [json.loads(line)["completion"] for line in path.read_bytes().splitlines()] == ["first", "early", "late"]
    last = RolloutFile(path, ["a", "b"], 2)
    assert [place for place, _ in last.read()] == [(0, 0), (0, 1), (1, 1)]


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '{"key": "c", "sample": 0, "completion": "", "finish": "stop"}',
        '{"key": "a", "sample": 2, "completion": "", "finish": "stop"}',
        '{"key": "a"}',
        '{"key": "b", "sample": 0, "finish": "stop"}',
    ],
)
def test_a_line_that_is_no_row_of_the_run_is_refused_by_its_number(tmp_path, line):
    path = tmp_path / "rollouts.jsonl"
    path.write_text(f'{{"key": "a", "sample": 0, "completion": "", "finish": "stop"}}\n{line}\n', encoding="utf-8")
    with pytest.raises(optgap.Error, match="line 2"):
        list(RolloutFile(path, ["a", "b"], 2).read())


def test_settings_that_cannot_be_read_are_refused(tmp_path):
    (tmp_path / "settings.json").write_text("{", encoding="utf-8")
    with pytest.raises(optgap.Error, match="cannot be read"):
        settings.begin(str(tmp_path), {})
