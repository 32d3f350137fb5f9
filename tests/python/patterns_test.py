"""Checks of kind `pattern` in the package: the module asks google-re2, the program has RE2 linked, and both say the same."""

import json
import pathlib
import random
import subprocess
import sys
import threading

import numpy as np
import pytest

from optgap.__main__ import native_program
from optgap.core.errors import Error
from optgap.data.rubrics import Rubrics

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = json.loads((ROOT / "tests/checks/pattern_counts.json").read_text(encoding="utf-8"))


def rubric(*checks):
    return {"chain": 1, "text": {"part": "all"}, "style": list(checks)}


def by_program(rows):
    done = subprocess.run([native_program(), "score", "-", "--quiet"], input="".join(json.dumps(row) + "\n" for row in rows).encode(),
                          stdout=subprocess.PIPE, check=False)  # fmt: skip
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


def program_lacks_re2():
    (row,) = by_program([{"chain": rubric({"check": "pattern", "expression": "a+", "min": 1}), "completion": "a"}])
    return "error" in row


def test_the_program_has_re2_where_this_machine_has_its_library():
    libraries = [*pathlib.Path("/usr/lib").glob("libre2.a"), *pathlib.Path("/usr/lib").glob("*/libre2.a")]
    if not libraries or not pathlib.Path("/usr/include/re2/re2.h").is_file():
        pytest.skip("no libre2-dev here")
    assert not program_lacks_re2()


@pytest.mark.parametrize("expression, ignore_case, multiline, text, count", SHARED["rows"])
def test_matches_are_counted_as_everywhere(expression, ignore_case, multiline, text, count):
    given = {"check": "pattern", "expression": expression, "ignore_case": ignore_case, "multiline": multiline}
    found = Rubrics.compile([{"chain": rubric({**given, "equals": count}, {**given, "min": count + 1})}]).score(
        [text or " "]
    )
    if text:  # a blank completion has no text for any check
        assert found.check.tolist() == [1, 0]


def drawn_expression(draw, depth=0):
    atoms = [
        "a",
        "b",
        "É",
        "日",
        ".",
        "[a-c]",
        "[^a]",
        "\\w",
        "\\s",
        "\\d",
        "\\b",
        "^",
        "$",
        "\\pL",
        "[[:upper:]]",
        "(?i:k)",
        "(?:x*)",
        "\\x{65e5}",
    ]
    parts = []
    for _ in range(draw.randrange(1, 4)):
        one = draw.choice(atoms) if depth > 2 or draw.random() < 0.6 else f"({drawn_expression(draw, depth + 1)})"
        parts.append(
            one + draw.choice(("", "", "", "*", "+", "?", "{1,3}", "*?")) if one not in ("^", "$", "\\b") else one
        )
    return draw.choice(("", "|")).join(parts)


def test_module_and_program_give_the_same_verdicts():
    if program_lacks_re2():
        pytest.skip("this package's program has no RE2")
    draw = random.Random(20110)
    texts = ["".join(draw.choices("abcAkK\u212axyz 1.\né日本\u0301\u200b", k=draw.randrange(1, 40))) for _ in range(20)]
    texts += ["x\ud800".encode("utf-8", "surrogatepass").decode("utf-8", "replace"), "a" * 3000, "\n\n a\nb\n"]
    checks = [{"check": "pattern", "expression": drawn_expression(draw), "ignore_case": draw.random() < 0.5, "multiline": draw.random() < 0.5,
               "min": draw.randrange(1, 5)} for _ in range(200)]  # fmt: skip
    rows = [
        {"chain": rubric(*checks[at : at + 50]), "completion": text}
        for at in range(0, len(checks), 50)
        for text in texts
    ]
    compiled = Rubrics.compile(rows)
    found = compiled.score([row["completion"] for row in rows], threads=2)
    wanted = by_program(rows)
    assert [found.check[a:b].tolist() for a, b in zip(found.check_offsets, found.check_offsets[1:], strict=False)] == [
        row["checks"] for row in wanted]  # fmt: skip
    assert np.allclose(found.total, [row["total"] for row in wanted])
    passed = found.check.mean()
    assert 0.1 < passed < 0.9, passed


@pytest.mark.parametrize("expression", SHARED["refused"])
def test_what_re2_refuses_is_refused_by_both_for_the_same_reason(expression):
    row = {"chain": rubric({"check": "pattern", "expression": expression, "min": 1}), "completion": "a"}
    with pytest.raises(Error, match="is no expression of RE2") as refused:
        Rubrics.compile([row])
    if not program_lacks_re2():
        assert by_program([row])[0]["error"]["rule"].partition(" is no ")[0] in str(refused.value)


def test_threads_may_share_an_expression():
    compiled = Rubrics.compile([{"chain": rubric({"check": "pattern", "expression": "(a|b)+c", "min": 1})}])
    found = []

    def score():
        found.append(compiled.score(["abc ", "ab", "bc"] * 50, [0] * 150, threads=2).check.tolist())

    threads = [threading.Thread(target=score) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert found == [[1, 0, 1] * 50] * 4


@pytest.mark.parametrize(
    "stand_in, said", [("None", "this Python has none"), ("type(sys)('re2')", "another than google-re2")]
)
def test_without_google_re2_the_refusal_names_the_extra(stand_in, said):
    code = f"""
import json, sys
sys.modules["re2"] = {stand_in}
from optgap.data.rubrics import Rubrics
from optgap.core.errors import Error
rubrics = Rubrics.compile([{{"chain": {rubric({"check": "words", "min": 1})!r}}}])  # others need none
for check in ({{"check": "pattern", "expression": "a+", "min": 1}}, {{"check": "keywords:existence", "keywords": ["a.b"], "mode": "peer"}}):
    try:
        Rubrics.compile([{{"chain": {{"chain": 1, "style": [check]}}}}])
    except Error as refused:
        print(refused)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert len(lines) == 2
    for line in lines:
        assert "needs RE2" in line and said in line and "pip install 'optgap[patterns]'" in line, line
