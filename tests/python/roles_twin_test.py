"""Rewards of roles against their twins in plain Python; OPTGAP_LONG=1 compares 10^5 rows of each."""

import math
import os
import random

import numpy as np
import pytest
import roles_twin as twin

from optgap import Engine, Error, _native
from optgap.trainers.roles import cluster_questions, judge_report, read_judgements, reward_judges, reward_proposers

LONG = os.environ.get("OPTGAP_LONG") == "1"
ROWS = 100_000 if LONG else 4_000
PRESETS = ("proof", "mae_paper", "mae_repo", "azr", "r_zero", "r_zero_paper", "sqlm", "regret")
PARSERS = ("strict", "mae_repo")


def proposals(count, seed):
    draw = random.Random(seed)
    rows = []
    for _ in range(count):
        code = draw.choice([0] * 6 + [1, 2, 5, *range(10000, 10014)])
        size = draw.choice([0, 1, 2, 8, draw.randrange(1000)])
        kinds = [lambda: draw.randrange(twin.UNIT + 1), lambda: draw.choice([0, twin.UNIT])]
        x = [draw.choice(kinds)() for _ in range(size)]
        feasible = draw.randrange(size + 1)
        batch = draw.randrange(1, 200)
        rows.append({
            "code": code, "kind": draw.randrange(1, 5), "rows": size, "feasible": feasible,
            "solved": draw.randrange(feasible + 1), "sum": sum(x), "sum_sq": sum(one * one for one in x),
            "before": draw.choice([0, 1, draw.randrange(10**6), 2**62]), "equal": draw.randrange(1, 9),
            "greedy_gap": draw.randrange(twin.UNIT + 1), "reference_gap": draw.randrange(1, twin.UNIT + 1),
            "prompt": draw.randrange(5000), "prompt_target": draw.randrange(3000), "prompt_limit": draw.randrange(1, 5000),
            "quality": draw.choice([-1, 0, 734003, 734004, draw.randrange(twin.UNIT + 1)]),
            "form": draw.choice([0, twin.UNIT // 2, twin.UNIT]), "cluster": draw.randrange(batch + 1), "batch": batch,
        })  # fmt: skip
    return rows


@pytest.mark.parametrize("preset", PRESETS)
def test_a_proposer_earns_what_its_twin_says(preset):
    rows = proposals(ROWS, preset)
    found = reward_proposers(preset, {name: [row[name] for row in rows] for name in rows[0]})
    names = ("reward", "signal", "novelty", "hardness", "price", "excluded")
    for row, got in zip(rows, zip(*(found[name].tolist() for name in names))):
        assert got == twin.proposer(preset, row), row


def test_signal_of_right_and_wrong_answers_is_the_unbiased_estimate():
    for n, k in ((8, 3), (2, 1), (16, 16), (5, 0)):
        found = reward_proposers(
            "proof", {"rows": [n], "sum": [k << 20], "sum_sq": [k << 40], "feasible": [n], "kind": [1]}
        )
        assert found["signal"][0] / twin.UNIT == pytest.approx(min(1, 4 * k * (n - k) / (n * (n - 1))), abs=2e-6)


def test_wrong_numbers_and_names_are_refused():
    for columns, field in (({"rows": [3], "sum": [4 << 20]}, "group.sum"), ({"rows": [2], "feasible": [3]}, "group.feasible"),
                           ({"rows": [2], "sum": [1 << 20], "sum_sq": [0]}, "group.sum_sq"), ({"equal": [0]}, "equal"),
                           ({"rowz": [1]}, "rowz"), ({}, "at least one")):  # fmt: skip
        with pytest.raises(Error, match=field):
            reward_proposers("proof", columns)
    with pytest.raises(Error, match="one of proof, mae_paper"):
        reward_proposers("prof", {"rows": [0]})


def texts(count, seed):
    draw = random.Random(seed)
    pieces = ["<score>", "</score>", "<SCORE>", "</Score>", "7", "10", "0", "11", "-3", " ", "\n", "8/10", "3.5", "1/0", "x", "é",
              "99999999999", "007", ".", "/", "think", "<score>7</score>", "<score> 10 </score>", "<score>4", "_5"]  # fmt: skip
    return ["".join(draw.choice(pieces) for _ in range(draw.randrange(8))) for _ in range(count)]


def test_scores_are_read_as_the_twins_read_them():
    given = [*texts(ROWS, 1), "<score>8/10</score>", "<score>score: 7.5 of 10</score>", "<score></score>"]
    plain, repository = read_judgements(given), read_judgements(given, "mae_repo")
    for row, text in enumerate(given):
        code, value = twin.strict(text)
        assert plain.code[row] == code, text
        assert (None if math.isnan(plain.value[row]) else plain.value[row]) == value, text
        assert plain.form[row] == (twin.form(text) if code == "ok" else 0.0), text
        assert repository.form[row] == (twin.form(text) if twin.is_readable(text) else 0.0), text
        assert repository.value[row] == twin.repository(text), text
    assert repository.value[ROWS] == 0.0  # 8/10 is read as 0.8


def judged(count, seed, groups):
    draw = random.Random(seed)
    rows = []
    for _ in range(count):
        band = draw.randrange(-1, 3)
        truth = [math.nan, 0.0, draw.choice([1 / 3, 0.5, 2 / 3, draw.uniform(1 / 3, 2 / 3)]), 1.0][band + 1]
        value = draw.choice([None, *[s / 9 for s in range(10)]])
        rows.append((value, draw.choice([0.0, 0.5, 1.0]), band, truth, draw.randrange(groups)))
    return rows


def said_of(rows):
    found = read_judgements([""] * len(rows))
    return type(found)(found.code, np.asarray([math.nan if row[0] is None else row[0] for row in rows]),
                       np.asarray([row[1] for row in rows]))  # fmt: skip


@pytest.mark.parametrize("by", ["format", "band", "brier", "pairs"])
def test_a_judge_earns_what_its_twin_says(by):
    count = ROWS if by != "pairs" else ROWS // 4
    rows = judged(count, by, max(1, count // 12))
    # The twin of pairs compares all rows with all: group by group it has less to do.
    wanted = [None] * count
    if by == "pairs":
        for group in range(count // 12):
            places = [place for place, row in enumerate(rows) if row[4] == group]
            for place, value in zip(places, twin.judge(by, [rows[place] for place in places])):
                wanted[place] = value
    else:
        wanted = twin.judge(by, rows)
    _, _, bands, truths, groups = zip(*rows)
    found = reward_judges(said_of(rows), bands, truths, groups, by)
    for got, value in zip(found.tolist(), wanted):
        assert math.isnan(got) if value is None else got == pytest.approx(value, rel=3e-7, abs=3e-7)


def test_no_constant_judge_earns_anything():
    for by in ("band", "brier", "pairs"):
        rows = judged(300, by, 20)
        for score in range(10):
            always = [(score / 9, *row[1:]) for row in rows]
            _, _, bands, truths, groups = zip(*always)
            rewarded = reward_judges(said_of(always), bands, truths, groups, by)
            assert np.nanmean(rewarded) <= 1e-6
            assert by != "pairs" or not np.nanmax(np.abs(rewarded)) > 0


def test_the_report_is_the_twins():
    for rows in (judged(600, 3, 9), [(1.0, 1.0, 2, 1.0, 0)] * 5):
        _, _, bands, truths, _ = zip(*rows)
        found = judge_report(said_of(rows), bands, truths)
        confusion, kappa, auc, calibration = twin.report(rows)
        assert found.confusion == confusion
        assert [found.kappa, found.auc] == pytest.approx([kappa, auc], nan_ok=True)
        assert found.calibration == pytest.approx(calibration, abs=2e-6, nan_ok=True)


@pytest.mark.parametrize(("estimator", "start"), [("rae", 0.0), ('{"estimator": "rae", "start": "first"}', None)])
def test_rae_is_spirals_baseline_and_keeps_its_state(estimator, start):
    draw = random.Random(5)
    rows = [(draw.randrange(3), draw.randrange(4), draw.choice([-1.0, 0.0, 0.25, 1.0])) for _ in range(ROWS)]
    means = {(role, cohort): twin.SpiralBaseline(start=start) for role in range(3) for cohort in range(4)}
    wanted = [means[role, cohort].advantage(reward) for role, cohort, reward in rows]
    by, cut = _native.RoleAdvantages(estimator), ROWS // 3

    def part(of, some):
        columns = [np.asarray(column, np.int32) for column in zip(*[(r, c) for r, c, _ in some])]
        return of.advantages(columns[0], np.asarray([x for *_, x in some], np.float32), columns[0], columns[1])

    first = part(by, rows[:cut])
    other = _native.RoleAdvantages(by.table)
    other.restore(by.means)
    found = np.concatenate([first, part(other, rows[cut:])])
    assert found == pytest.approx(np.asarray(wanted, np.float32), rel=1.3e-7, abs=1e-12)


def test_rae_that_starts_at_the_first_reward_gives_constant_cohorts_exactly_nothing():
    draw = random.Random(6)
    worth = {cohort: np.float32(draw.uniform(-3, 3)) for cohort in range(50)}
    cohort = np.asarray([draw.randrange(50) for _ in range(ROWS)], np.int32)
    reward = np.asarray([worth[one] for one in cohort.tolist()], np.float32)
    lost = draw.sample(range(ROWS), ROWS // 10)
    reward[lost] = math.nan
    role = np.zeros(ROWS, np.int32)
    for decay in (0.0, 0.1, 0.95, 1.0):
        by = _native.RoleAdvantages(f'{{"estimator": "rae", "decay": {decay}, "start": "first"}}')
        assert not by.advantages(role, reward, role, cohort).any()
        kept = _native.RoleAdvantages(by.table)
        kept.restore(by.means)
        assert not kept.advantages(role, reward, role, cohort).any()
        assert {cohort: mean for _, cohort, mean in by.means} == {cohort: float(one) for cohort, one in worth.items()}
    assert _native.RoleAdvantages("rae").advantages(role, reward, role, cohort).any()


def test_a_table_gives_each_role_its_estimator_and_constant_cohorts_exactly_nothing():
    table = '{"roles": {"proposer": "task_reinforce_pp", "solver": "grpo", "judge": "dr_grpo"}}'
    by = _native.RoleAdvantages(table)
    draw = random.Random(9)
    rows = [(draw.randrange(3), draw.randrange(5), draw.randrange(3), draw.random()) for _ in range(600)]
    rows += [(0, 90, 7, 0.3)] * 12 + [(1, 91, 0, 0.1)] * 12 + [(2, 92, 0, 0.7)] * 12
    role, group, cohort = (np.asarray(column, np.int32) for column in list(zip(*rows))[:3])
    reward = np.asarray([row[3] for row in rows], np.float32)
    found = by.advantages(role, reward, group, cohort)
    assert not found[600:].any()
    engine = Engine("cpu", threads=1)
    for place, name in enumerate(("task_reinforce_pp", "grpo", "dr_grpo")):
        own = role == place
        assert np.array_equal(found[own], engine.advantages(reward[own], group[own], name, cohort=cohort[own]))
    proposers = role == 0
    for of in set(cohort[proposers].tolist()):
        those = proposers & (cohort == of)
        assert found[those] == pytest.approx(twin.whitened(reward[those].tolist()), rel=1e-5, abs=1e-6)
    for text, message in (('{"roles": {"solver": "grpo"}}', "proposer"), ('{"roles": {}, "beta": 1}', "nothing else"),
                          ('{"estimator": "rae", "epsilon": 1}', "epsilon"), ("raee", "not one of"),
                          ('{"estimator": "rae", "start": "last"}', 'start is "last", expected "zero" or "first"'),
                          ('{"estimator": "rae", "start": 0}', 'start is 0, expected "zero" or "first"')):  # fmt: skip
        with pytest.raises(Error, match=message):
            _native.RoleAdvantages(text)


def questions(draw, count):
    """Some are written anew with a word changed, taken out or put in, so that means lie on both sides of a threshold."""
    words = ["how", "many", "are", "left", "when", "seven", "boats", "of", "the", "harbour", "sail", "?", "3", "12"]
    out = [" ".join(draw.choice(words) for _ in range(draw.randrange(13))) for _ in range(3)]
    while len(out) < count:
        again = draw.choice(out).split()
        for _ in range(draw.randrange(4)):
            at = draw.randrange(len(again) + 1)
            again[at : at + draw.randrange(2)] = [draw.choice(words)] * draw.randrange(2)
        out.append(draw.choice([" ", "\n", " \t"]).join(again))
    draw.shuffle(out)
    return out


def test_questions_fall_into_the_clusters_of_their_twin():
    draw = random.Random(9)
    sizes = set()
    for _ in range(400 if LONG else 60):
        texts = questions(draw, draw.randrange(1, 15))
        threshold = draw.choice([0.0, 0.25, 0.5, 0.5, 0.75, 1.0])
        found = cluster_questions(texts, threshold).tolist()
        assert found == twin.clusters(texts, threshold), (texts, threshold)
        sizes.add(len(set(found)))
    assert len(sizes) > 5
    assert cluster_questions([]).tolist() == []
    assert cluster_questions(["a b c d e", b"x", "a b c d e", ""]).tolist() == [0, 1, 0, 2]
    for threshold in (-0.1, 1.5, "0.5"):
        with pytest.raises(Error, match="threshold"):
            cluster_questions(["a"], threshold)
