"""Checks of kind `pattern` by google-re2: the counts of the build with RE2 (tests/cli/checks_test.py reads the same table)."""

import json
import pathlib
import subprocess
import sys

import pytest
from optgap import Error
from optgap.chains import Chains

TABLE = json.loads((pathlib.Path(__file__).resolve().parent.parent / "checks/pattern_counts.json").read_text())


def passed(expression, ignore_case, multiline, bound, texts):
    check = {"check": "pattern", "expression": expression, "ignore_case": ignore_case, "multiline": multiline, **bound}
    scores = Chains.compile([{"chain": {"chain": 1, "style": [check]}}]).score(texts, [0] * len(texts))
    return scores.check.tolist()


def test_patterns_count_what_the_build_with_re2_counts():
    pytest.importorskip("re2")
    for expression, ignore_case, multiline, text, count in TABLE["rows"]:
        assert passed(expression, ignore_case, multiline, {"equals": count}, [text]) == [1], (expression, text)
        assert passed(expression, ignore_case, multiline, {"equals": count + 1}, [text]) == [0], (expression, text)


def test_many_threads_ask_one_pattern():
    pytest.importorskip("re2")
    texts = ["ab " * (k % 7) + "\xff" for k in range(500)]
    assert passed("ab", False, False, {"min": 3}, texts) == [int(k % 7 >= 3) for k in range(500)]
    assert passed("a.?", False, False, {"equals": 1}, [b"a\xff", b"\xffa\xe6\x97"]) == [1, 1]


def test_what_is_no_expression_is_refused_with_its_place():
    pytest.importorskip("re2")
    for expression in TABLE["refused"]:
        with pytest.raises(Error, match="style.*RE2"):
            passed(expression, False, False, {"min": 1}, [""])


def test_without_google_re2_the_refusal_says_what_to_install():
    script = (
        "import sys; sys.modules['re2'] = None\n"
        "from optgap import Error\nfrom optgap.chains import Chains\n"
        "try:\n    Chains.compile([{'chain': {'chain': 1, 'style': [{'check': 'pattern', 'expression': 'a', 'min': 1}]}}])\n"
        "except Error as refused:\n    print(refused)\n"
    )
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert "optgap[patterns]" in said
