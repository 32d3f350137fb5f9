"""reasoning-gym under the audit: what its own extraction and scoring reward."""

import json
import subprocess
import sys

import pytest

reasoning_gym = pytest.importorskip("reasoning_gym", reason="needs reasoning-gym: pip install reasoning-gym")


def audit(name, *options):
    command = [sys.executable, "-m", "optgap", "audit", "--env", f"reasoning-gym:{name}", "--json", "--quiet", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    return done.returncode, json.loads(done.stdout) if done.stdout else done.stderr


def test_drafts_that_its_extraction_takes_are_found():
    """`extract_answer` takes the last answer part of the whole text, also one in reasoning that never ends."""
    code, found = audit("shortest_path", "--count", "4", "--steps", "200")
    (subject,) = found["subjects"]
    faults = {one["attack"] for one in subject["findings"] if one["fault"] == "false reward"}
    assert code == 1 and {"cut_off", "draft_alone", "draft_unclosed"} <= faults
    assert subject["totals"]["false_refusal"]["found"] == subject["totals"]["failed"]["found"] == 0
    assert max(find["gain"] for find in subject["attacker"]) == 1.0


def test_the_gold_answer_is_rewarded_and_another_rows_is_not():
    _, found = audit("gcd", "--count", "6", "--steps", "0")
    (subject,) = found["subjects"]
    by_attack = {row["attack"]: row for row in subject["attacks"]}
    assert by_attack["right"]["false_refusal"]["found"] == by_attack["wrong"]["false_reward"]["found"] == 0
    assert by_attack["wrong"]["false_reward"]["tried"] >= 6


def test_a_data_set_that_is_none_is_told():
    code, said = audit("no_such_set")
    assert code == 2 and "no_such_set" in said and "Traceback" not in said
