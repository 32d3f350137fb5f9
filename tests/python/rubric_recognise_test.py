"""`optgap rubric import --from rlvrr --recognise`, the whole command, on labels made of the shipped sample."""

import json
import pathlib
import re
import subprocess
import sys

import pytest

from optgap import score
from optgap.__main__ import native_program
from optgap.data.rubrics import proving

SPLIT = "[[[SPLIT]]]"
BY_SHAPE = {
    "def f(r): return 60 <= len(r.split()) <= 180": 0.4,
    "def f(r):\n    return 'however' not in r.lower()": 0.3,
}
BY_CALL = {"def f(r): return eval('True')": 0.2, "import re\ndef f(r): return True": 0.1}


def holds():
    found = subprocess.run([native_program(), "sandbox", "--json"], capture_output=True, check=False).stdout
    return any(
        isolation_level["usable"] and isolation_level["language"] == "python"
        for isolation_level in json.loads(found)["isolation_levels"]
    )


sandboxed = pytest.mark.skipif(not holds(), reason="no isolation level holds Python here")


def labels(codes):
    """A label for each question of `optgap rubric sample`, with these checks in Python as its style."""
    sample = subprocess.run([native_program(), "rubric", "sample"], capture_output=True, check=True).stdout.decode()
    first = {row["group"]: row for row in reversed([json.loads(line) for line in sample.splitlines()])}
    for group, row in first.items():
        rubric = row["chain"]
        keywords = [[point["references"][0]["keywords"]] for point in rubric["content"]["points"]]
        style = {"key_points": [{"verification_code": code, "weight": weight} for code, weight in codes.items()]}
        yield {"id": group, "label": SPLIT.join([rubric["references"][0], repr(keywords), repr(style)])}


def recognise(tmp_path, lines, *options):
    file = tmp_path / "labels.jsonl"
    file.write_text(
        "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines), encoding="utf-8"
    )
    done = subprocess.run([sys.executable, "-m", "optgap", "rubric", "import", str(file), "--from", "rlvrr", "--recognise", *options],
                          capture_output=True, check=False)  # fmt: skip
    return done, [json.loads(line) for line in done.stdout.decode().splitlines()]


@sandboxed
def test_usual_shapes_of_the_sample_become_data_and_reward_the_same(tmp_path):
    rows = list(labels({**BY_SHAPE, **BY_CALL}))
    done, found = recognise(tmp_path, rows)
    assert done.returncode == 0, done.stderr.decode()
    assert [row["id"] for row in found] == [row["id"] for row in rows]
    said = done.stderr.decode()
    assert "6 of 12 checks in Python are data now (50.0 %, by weight 70.0 %)" in said
    assert "3 not: a call of eval" in said
    kinds = [["code" if "code" in check else "data" for check in row["chain"]["style"]] for row in found]
    assert kinds == [["data", "data", "code", "code"]] * 3
    assert [check["weight"] for check in found[0]["chain"]["style"]] == [0.4, 0.3, 0.2, 0.1]
    plain = subprocess.run([native_program(), "rubric", "import", str(tmp_path / "labels.jsonl"), "--from", "rlvrr", "--quiet"],
                           capture_output=True, check=True)  # fmt: skip
    coded = [json.loads(line) for line in plain.stdout.decode().splitlines()]
    assert [row["chain_key"] for row in coded] != [row["chain_key"] for row in found]
    texts = ["Too short.", coded[0]["chain"]["references"][0], "However, " + "word " * 90]
    one, other = (score([{**row, "completion": text} for row in several for text in texts], isolation="auto")
                  for several in (coded, found))  # fmt: skip
    assert [row["checks"] for row in one] == [row["checks"] for row in other]
    assert [row["total"] for row in one] == [row["total"] for row in other]
    assert len({tuple(row["checks"]) for row in one}) > 1


@sandboxed
def test_other_columns_and_rows_that_cannot_be_read_stay_as_they_are(tmp_path):
    (row,) = list(labels(BY_SHAPE))[:1]
    odd = (
        json.dumps(row)[:-1]
        + r', "n": 0.10, "far": 1e400, "big": 123456789012345678901234567890, "half": "\ud800", "at": {"n": [1.0,{}]}}'
    )
    done, found = recognise(tmp_path, [odd, {"label": "x"}, row])
    assert done.returncode == 1
    assert "1 of 3 rows cannot be read" in done.stderr.decode()
    line = done.stdout.decode().splitlines()[0]
    for piece in ("0.10", "1e400", "123456789012345678901234567890", r"\ud800", "[1.0,{}]"):
        assert piece in line.replace(" ", "")
    assert [("error" in row) for row in found] == [False, True, False]
    assert found[0]["chain"] == found[2]["chain"] and found[0]["chain_key"] == found[2]["chain_key"]
    assert "code" not in json.dumps(found[0]["chain"]["style"])
    assert recognise(tmp_path, [row], "--quiet")[0].stderr == b""


def test_a_code_that_nothing_recognises_needs_no_sandbox(tmp_path):
    done, found = recognise(tmp_path, labels(BY_CALL), "--isolation", "no such isolation level")
    assert done.returncode == 0, done.stderr.decode()
    assert "0 of 6 checks" in done.stderr.decode()
    assert [check["check"] for row in found for check in row["chain"]["style"]] == ["code"] * 6


@pytest.mark.parametrize("arguments, word", [(("rubric", "import", "x", "--from", "ifeval", "--recognise"), "rlvrr"),
                                             (("rubric", "check", "x", "--from", "rlvrr", "--recognise"), "rubric import"),
                                             (("rubric", "import", "/no/such/file", "--from", "rlvrr", "--recognise"), "/no/such/file")])  # fmt: skip
def test_wrong_use_is_refused(arguments, word):
    done = subprocess.run([sys.executable, "-m", "optgap", *arguments], capture_output=True, check=False)
    assert done.returncode in (2, 3) and word in done.stderr.decode(), done.stderr.decode()


def test_a_hundred_codes_are_asked_for_at_once():
    """Texts of all codes of a data set would not fit into memory."""
    calls = []

    def score(rows):
        calls.append(len(rows))
        return [{"checks": [1, 1]} for _ in rows]

    codes = [f"def f(r): return len(r.split()) >= {number}" for number in range(250)]
    sound, refused = proving.proven(codes, [], score)
    assert (len(sound), refused) == (250, {})
    assert calls[0] == 250 and len(calls) == 4


@sandboxed
def test_the_commands_of_the_page(tmp_path):
    """Three lines that hand a file on: labels, their rubrics as code and as data, rollouts scored."""
    page = (pathlib.Path(__file__).resolve().parents[2] / "docs/rubrics.md").read_text(encoding="utf-8")
    commands = re.findall(r"^\$ (optgap (?:rubric import|score rollouts).*)$", page, re.M)
    assert len(commands) == 3 and any("--recognise" in command for command in commands)
    (tmp_path / "labels.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in labels(BY_SHAPE)), encoding="utf-8"
    )
    for command in commands:
        if "rollouts" in command:
            rubrics = [
                json.loads(line) for line in (tmp_path / "rubrics.jsonl").read_text(encoding="utf-8").splitlines()
            ]
            (tmp_path / "rollouts.jsonl").write_text(
                "".join(json.dumps({**row, "completion": "A."}) + "\n" for row in rubrics), encoding="utf-8"
            )
        subprocess.run(
            command.replace("optgap", f"{sys.executable} -m optgap", 1),
            shell=True,
            cwd=tmp_path,
            check=True,
            capture_output=True,
        )
    scored = [json.loads(line) for line in (tmp_path / "scored.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["checks"] for row in scored] == [[0, 1]] * 3
