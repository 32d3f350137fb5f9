"""`optgap compare`: pairs, differences, intervals, tests and flows against numbers worked out by hand."""

import json
import math
import pathlib
import re
import shlex

import numpy as np
import pytest
from comparison_rows import FINGERPRINT, folder, keys, scored, write
from in_process import main
from known_model import KnownModel
from stand_in_server import StandIn

from optgap.measure.comparison import differences
from optgap.measure.comparison.model_rows import RATES, ModelRows, Outcome, Place
from optgap.measure.comparison.pairing import paired

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "compare.md"


def compare(capsys, *arguments, code=0):
    """The comparison as JSON, or what stderr says where the code is another one."""
    capsys.readouterr()
    assert main(["compare", *map(str, arguments), "--json"]) == code
    said = capsys.readouterr()
    return json.loads(said.out) if said.out else said.err


@pytest.fixture
def two(tmp_path):
    """Two files of four instances with two samples each; B is better in one instance, and worse in two."""
    a = [1, 1, 0.5, 0.5, None, None, 1, None]
    b = [1, 1, 1.0, None, 0.8, None, None, None]
    samples = [(key, sample) for key in keys(2) + keys(2, "knapsack", "hard") for sample in (0, 1)]
    rows = [[scored(key, q, s, tokens=t) for (key, s), q in zip(samples, of)] for of, t in ((a, 100), (b, 160))]
    rows[1][0]["usage"] = None  # not counted: this pair is in no mean of tokens
    return [write(tmp_path / name, of) for name, of in zip(("a.jsonl", "b.jsonl"), rows)]


def test_differences_tests_and_flows_are_those_of_the_rows(two, capsys):
    made = compare(capsys, *two)
    whole = made["all"]
    assert (whole["pairs"], whole["instances"]) == (8, 4)
    assert (whole["sr"]["a"], whole["sr"]["b"], whole["sr"]["difference"]) == (5 / 8, 4 / 8, -1 / 8)
    assert whole["qr"]["a"] == pytest.approx(4 / 8) and whole["qr"]["difference"] == pytest.approx(-0.2 / 8)
    assert whole["optimal"]["difference"] == 0
    # SR by instance: equal, worse by one, better by one, worse by one.
    assert whole["sr"]["sign_test"] == {"better": 1, "worse": 2, "equal": 1, "p": 1.0}
    assert (whole["tokens"]["pairs"], whole["tokens"]["difference"]) == (7, 60)
    assert whole["tokens"]["interval"] == [60, 60]
    assert {(f["a"], f["b"]): f["pairs"] for f in whole["flows"]} == {
        ("ok", "ok"): 3, ("ok", "wrong_length"): 2, ("wrong_length", "ok"): 1, ("wrong_length", "wrong_length"): 2,
    }  # fmt: skip
    assert made["tasks"]["tsp"]["sr"]["difference"] == -1 / 4 and made["tasks"]["knapsack"]["sr"]["difference"] == 0
    assert [(cell["task"], cell["level"]) for cell in made["levels"]] == [("tsp", "easy"), ("knapsack", "hard")]
    assert len(made["categories"]) == 2 and made["categories"]["path planning"]["pairs"] == 4
    assert made["unpaired"] == {"a": [], "b": []}


def test_the_other_way_round_every_difference_changes_its_sign(two, capsys):
    there, back = compare(capsys, *two)["all"], compare(capsys, *reversed(two))["all"]
    for name in differences.MEASURES:
        assert back[name]["difference"] == pytest.approx(-there[name]["difference"], abs=1e-12)
        low, high = there[name]["interval"]
        assert low <= there[name]["difference"] <= high
        # The draws are the same; the nearest of 1,000 drawn values may be a neighbour on the other side.
        assert back[name]["interval"] == pytest.approx([-high, -low], abs=0.05)


def test_the_same_rows_in_another_order_give_the_same_rates(two, tmp_path, capsys):
    lines = pathlib.Path(two[1]).read_text().splitlines(keepends=True)
    turned = tmp_path / "turned.jsonl"
    turned.write_text("".join(reversed(lines)))
    first, second = compare(capsys, *two), compare(capsys, two[0], turned)
    assert first["all"] == second["all"] and first["tasks"] == second["tasks"]


def test_what_both_models_find_hard_does_not_widen_the_interval(tmp_path, capsys):
    """Pairs: whole instances are easy or hard for both, and B is better by 0.1 in each."""
    hard = [0.1 + 0.8 * (place % 2) for place in range(40)]
    a = write(tmp_path / "a.jsonl", [scored(key, q) for key, q in zip(keys(40), hard)])
    b = write(tmp_path / "b.jsonl", [scored(key, q + 0.1) for key, q in zip(keys(40), hard)])
    low, high = compare(capsys, a, b)["all"]["qr"]["interval"]
    assert low == pytest.approx(0.1) and high == pytest.approx(0.1)


def test_intervals_hold_the_true_difference_as_often_as_they_say():
    """100 tasks of 100 instances, of which B solves each with a chance that is 0.1 above A's, but never above 1."""
    draw = np.random.Generator(np.random.Philox(7))
    chances = draw.random((100, 100))

    def model(shift):
        found = ModelRows("m", "f")
        for (task, place), solved in np.ndenumerate(draw.random(chances.shape) < np.minimum(chances + shift, 1)):
            found.places[f"{task} {place}"] = Place(f"t{task}", "easy")
            found.outcomes[f"{task} {place}", 0] = Outcome(
                "ok", {**dict.fromkeys(RATES, float(solved)), "tokens": None}
            )
        return found

    a, b = model(0), model(0.1)
    cells = differences.made(a, b, paired(a, b))["tasks"].values()
    held = sum(cell["sr"]["interval"][0] <= 0.095 <= cell["sr"]["interval"][1] for cell in cells)
    assert len(cells) == 100 and 88 <= held <= 99


@pytest.mark.parametrize("better, worse", [(0, 0), (0, 1), (5, 0), (3, 3), (7, 19), (0, 40), (400, 500)])
def test_the_sign_test_is_the_exact_binomial(better, worse):
    rows = better + worse
    tail = sum(math.comb(rows, k) for k in range(min(better, worse) + 1)) / 2**rows
    assert differences.sign_test(better, worse) == pytest.approx(min(1, 2 * tail))


def test_rates_of_folders_are_those_of_their_reports(engine, tmp_path, capsys):
    model = KnownModel(engine, ["knapsack", "tsp"])
    right = dict(zip(model.prompts, model.solved.answers.tolist()))

    def perfect(request):
        return f"<think>hm</think><answer>{json.dumps(right[request.prompt])}</answer>"

    for name, answer in (("known", model.answer), ("perfect", perfect)):
        with StandIn(answer) as server:
            assert main(["bench-model", "--base-url", server.base_url, "--model", name, "--out", str(tmp_path / name),
                         "--tasks", "knapsack,tsp", "--count", "8", "--samples", "2", "--level", "easy", "--format",
                         "forge", "--twins", "0", "--device", "cpu", "--quiet"]) == 0  # fmt: skip
    made = compare(capsys, tmp_path / "known", tmp_path / "perfect", "--device", "cpu")
    for side, name in (("a", "known"), ("b", "perfect")):
        report = json.loads((tmp_path / name / "report.json").read_text())
        assert made[side]["model"] == name and made[side]["fingerprints"] == [report["fingerprint"]]
        for cell, of in [
            (made["all"], report["all"]),
            *((made["tasks"][t], report["tasks"][t]) for t in report["tasks"]),
        ]:
            for rate in ("sr", "qr", "normalized", "optimal"):
                assert cell[rate][side] == pytest.approx(of[rate], abs=1e-12)
            assert cell["tokens"][side] == of["tokens_mean"]
    assert made["all"]["optimal"]["b"] == 1 and made["settings"] == {}
    assert {flow["a"] for flow in made["all"]["flows"] if flow["b"] == "ok"} == {
        "ok",
        "out_of_range",
        "format_missing_reasoning",
    }
    assert compare(capsys, tmp_path / "perfect/report.json", tmp_path / "known/rollouts.jsonl")["all"]["pairs"] == 32


def test_rows_without_a_partner_are_counted_and_named(two, tmp_path, capsys):
    rows = [json.loads(line) for line in pathlib.Path(two[1]).read_text().splitlines()]
    failed = {"key": rows[0]["key"], "sample": 0, "error": "the server said no"}
    less = write(tmp_path / "less.jsonl", [failed, *rows[1:-1], {**rows[1], "sample": 5}])
    made = compare(capsys, two[0], less)
    assert made["unpaired"] == {
        "a": [{"instance": keys(1)[0], "sample": 0}, {"instance": keys(2, "knapsack", "hard")[1], "sample": 1}],
        "b": [{"instance": keys(1)[0], "sample": 5}],
    }
    assert (made["all"]["pairs"], made["b"]["failed"], made["b"]["rows"]) == (6, 1, 8)
    assert main(["compare", two[0], less]) == 0
    assert f"A has 2 rows without a partner: {keys(1)[0]} sample 0, " in capsys.readouterr().out


def test_other_instances_and_fingerprints_are_refused_unless_anyway(two, tmp_path, capsys):
    fewer = write(tmp_path / "fewer.jsonl", [scored(keys(2)[1], 1, 0)])
    said = compare(capsys, two[0], fewer, code=2)
    assert "3 of the 4 of a.jsonl" in said and keys(1)[0] in said and "--anyway" in said
    made = compare(capsys, two[0], fewer, "--anyway")
    assert made["all"]["pairs"] == 1 and len(made["unpaired"]["a"]) == 7 and "sets of instances" in made["ignored"][0]
    other = tmp_path / "other.jsonl"
    other.write_text(pathlib.Path(two[1]).read_text().replace(FINGERPRINT, "f" * 16))
    said = compare(capsys, two[0], other, code=2)
    assert FINGERPRINT in said and "f" * 16 in said
    assert compare(capsys, two[0], other, "--anyway")["all"]["pairs"] == 8
    foreign = write(tmp_path / "third_party.jsonl", [scored(key, 1) for key in keys(2, "clique")])
    assert "no row of a.jsonl" in compare(capsys, two[0], foreign, "--anyway", code=2)


def test_one_row_has_no_interval_and_fails_nothing(tmp_path, capsys):
    a, b = (write(tmp_path / name, [scored(keys(1)[0], q)]) for name, q in (("a", 1), ("b", None)))
    whole = compare(capsys, a, b, "--fail-under", "0")["all"]
    assert whole["sr"] == {
        "a": 1, "b": 0, "difference": -1, "interval": None, "pairs": 1,
        "sign_test": {"better": 0, "worse": 1, "equal": 0, "p": 1},
    }  # fmt: skip
    assert whole["tokens"]["difference"] is None
    assert main(["compare", a, b]) == 0
    assert "-100.0 " in capsys.readouterr().out


def test_fail_under_is_for_a_drop_beyond_the_interval(tmp_path, capsys):
    good, bad = ([scored(key, 1 if place >= few else None) for place, key in enumerate(keys(40))] for few in (0, 20))
    a, b = write(tmp_path / "a", good), write(tmp_path / "b", bad)
    assert main(["compare", a, b, "--fail-under", "0"]) == 1
    assert "SR, QR, norm. QR, optimal" in capsys.readouterr().err
    assert main(["compare", a, b, "--fail-under", "0.1"]) == 1
    assert main(["compare", a, b, "--fail-under", "0.6"]) == 0
    for same_or_better in ((b, a), (a, a)):
        assert main(["compare", *same_or_better, "--fail-under", "0"]) == 0
    assert main(["compare", a, b]) == 0
    for wrong in ("-0.1", "2", "nan"):
        assert main(["compare", a, b, "--fail-under", wrong]) == 2
        assert "expected " in capsys.readouterr().err


def test_one_file_with_a_model_column(two, tmp_path, capsys):
    rows = {
        name: [{**json.loads(line), "model": name} for line in pathlib.Path(path).read_text().splitlines()]
        for name, path in zip(("base", "tuned"), two)
    }
    both = write(tmp_path / "both.jsonl", rows["base"] + rows["tuned"])
    made = compare(capsys, both)
    assert (made["a"]["model"], made["b"]["model"]) == ("base", "tuned")
    assert made["all"] == compare(capsys, *two)["all"]
    turned = compare(capsys, both, "--models", "tuned", "base")
    assert turned["a"]["model"] == "tuned" and turned["all"]["sr"]["difference"] == 1 / 8
    assert "base, tuned" in compare(capsys, both, two[0], code=2)
    assert "has no rows of nobody" in compare(capsys, both, "--models", "base", "nobody", code=2)
    assert "no effect" in compare(capsys, *two, "--models", "base", "tuned", code=2)
    assert "expected two models of one file" in compare(capsys, two[0], code=2)
    three = write(tmp_path / "three.jsonl", rows["base"] + rows["tuned"] + [{**rows["base"][0], "model": "third"}])
    assert "base, tuned, third" in compare(capsys, three, code=2)
    assert compare(capsys, three, "--models", "base", "tuned")["all"]["pairs"] == 8


def test_style_and_hash_make_no_other_instance_and_samples_are_numbered_in_order(tmp_path, capsys):
    key = keys(1)[0]
    a = write(tmp_path / "a", [scored(f"{key}#9f3a1c2e", 1), scored(f"{key}:s1", 0.5)])
    b = write(tmp_path / "b", [scored(key, 1), scored(key, 1)])
    made = compare(capsys, a, b)["all"]
    assert (made["pairs"], made["instances"], made["qr"]["difference"]) == (2, 1, 0.25)


def test_rows_of_programs_others_environments_and_own_instances_have_a_task_and_a_level(tmp_path, capsys):
    own = {"task": "tsp@1", "instance": {"points": [[0, 0], [1, 1]], "metric": "euc_2d"}}
    names = ["tsp@1:train:d2:1*5#9f3a1c2e", "rg/spell@0.1:train:d4:17", f"clique@1:x:{'0' * 32}"]
    rows = [scored(name, 0.5) for name in names] + [{**scored("", 0.5), **own}]
    del rows[-1]["key"]
    a, b = write(tmp_path / "a", rows), write(tmp_path / "b", rows)
    made = compare(capsys, a, b)
    assert [(cell["task"], cell["level"]) for cell in made["levels"]] == [
        ("tsp", "d2"), ("rg/spell", "d4"), ("clique", "explicit"), ("tsp", "explicit"),
    ]  # fmt: skip
    assert made["categories"]["other"]["pairs"] == 1


@pytest.mark.parametrize("line, words", [
    ("not JSON", "is no JSON"),
    ('{"key": "nonsense", "reward": 1, "feasible": 1, "quality": 1}', "no TASK@VERSION"),
    ('{"reward": 1, "feasible": 1, "quality": 1}', "expected `key`"),
    ('{"key": "tsp@1:test:easy:1", "reward": 1, "feasible": 1, "quality": "good"}', "expected a number"),
    ('{"key": "tsp@1:test:easy:1", "reward": 1, "feasible": 1, "quality": 1, "sample": -1}', "expected a whole number"),
    ('{"key": "tsp@1:test:easy:2", "reward": 1, "feasible": 1, "quality": 1, "sample": 0}', "stood in"),
    ('{"key": "tsp@9:test:easy:1", "completion": "x"}', "tsp@9"),
    ('{"key": "tsp@1:test:easy:1"}', "completion"),
])  # fmt: skip
def test_broken_rows_are_refused_with_their_place(tmp_path, capsys, line, words):
    a = write(tmp_path / "a.jsonl", [scored(keys(2)[1], 1, 0)])
    b = tmp_path / "b.jsonl"
    b.write_text(f"{json.dumps(scored(keys(2)[1], 1, 0))}\n{line}\n")
    said = compare(capsys, a, b, code=2)
    assert words in said and re.search(r"b\.jsonl, line 2", said), said


def test_what_is_no_result_is_refused(tmp_path, capsys):
    (tmp_path / "empty").mkdir()
    (tmp_path / "nothing.jsonl").write_text("")
    a = write(tmp_path / "a.jsonl", [scored(keys(1)[0], 1)])
    assert "holds no rollouts.jsonl" in compare(capsys, a, tmp_path / "empty", code=2)
    damaged = folder(tmp_path / "damaged", "m", [1])
    (tmp_path / "damaged/settings.json").write_text("{")
    assert "settings.json is no JSON" in compare(capsys, a, damaged, code=2)
    assert "has no rows" in compare(capsys, a, tmp_path / "nothing.jsonl", code=2)
    assert "No such file" in compare(capsys, a, tmp_path / "absent.jsonl", code=3)
    assert "must end in .html or .md" in compare(capsys, a, a, "--html", tmp_path / "page.txt", code=2)


def test_error_rows_without_an_instance_are_counted(tmp_path, capsys):
    broken = {"error": {"row": 1, "field": "row", "rule": "is no JSON"}}
    a, b = (write(tmp_path / name, [scored(keys(1)[0], 1), *more]) for name, more in (("a", []), ("b", [broken])))
    made = compare(capsys, a, b)
    assert (made["b"]["rows"], made["b"]["failed"], made["all"]["pairs"]) == (2, 1, 1)


def test_the_page_holds_the_tables_and_loads_nothing(tmp_path, capsys):
    hostile = "<script src='http://example.org/x.js'></script>"
    a = folder(tmp_path / "a", "base", [1, 0.5, None], settings={"temperature": 0.6})
    b = folder(tmp_path / "b", hostile, [1, 1, 1], settings={"temperature": 1.0})
    page = tmp_path / "page.html"
    assert main(["compare", a, b, "--html", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert hostile not in text and "&lt;script" in text
    assert not re.search(r"""<(script|link|img)[^>]*(src|href)=""", text)
    for words in ("Codes of A and of B", "wrong_length", "0.6 and 1.0", "exact sign test"):
        assert words in text
    assert main(["compare", a, b, "--html", str(tmp_path / "page.md")]) == 0
    assert "| wrong_length" in (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "temperature: 0.6 in A, 1.0 in B" in capsys.readouterr().out


def test_every_command_of_the_page_in_docs_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for place, name in enumerate(("base", "tuned", "big")):
        folder(tmp_path / name, name, [1, 0.5 + place / 4, None])
    rows = [
        json.loads(line)
        for name in ("base", "tuned")
        for line in (tmp_path / name / "rollouts.jsonl").read_text().splitlines()
    ]
    write(tmp_path / "both.jsonl", [{**row, "model": name} for row, name in zip(rows, ["base"] * 3 + ["tuned"] * 3)])
    blocks = re.findall(r"^```console\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    commands = [line for block in blocks for line in re.findall(r"^\$ optgap (.*)$", block, re.MULTILINE)]
    assert len(commands) > 4
    for command in commands:
        assert main(shlex.split(command, comments=True)) == 0, command
