"""A user's kind of rows from a package (tests/extension/packages/toy_kind): the same bytes by every way that rows are scored, and
errors that cost one row."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import pytest

import optgap
from optgap.__main__ import native_program

PACKAGES = pathlib.Path(__file__).resolve().parents[1] / "extension/packages"
PAGE = PACKAGES.parents[2] / "docs/kinds.md"
OPTIMUM = "<think>hm</think><answer>[0, 4, 2, 15, 5, 9, 12, 8, 7, 1, 10, 3, 6, 13, 11, 14]</answer>"
ANSWER = {"key": "tsp@1:train:easy:1", "completion": OPTIMUM}
SUMS = [
    {"addends": [1, 2, 3], "completion": "6"},
    {"addends": [1, 2, 3], "completion": "6"},
    {"addends": [1, 2, 3], "completion": "7"},
    ANSWER,
    {"addends": [4], "completion": "4", "beside": ANSWER},
    {"addends": [4], "completion": "4", "beside": {"addends": [1, 2, 3], "completion": "6"}},
    {"addends": [4], "completion": "4", "beside": {"key": "nothing"}},
    {"addends": [4], "completion": "é"},
]
BROKEN = [
    {"addends": "four", "completion": "4"},
    {"addends": [4]},
    {"addends": [5], "completion": "die"},
    {"addends": [5], "completion": "raise"},
]
BONUS = {"kinds": "toy_kind", "toy_sums_bonus": 1}


@pytest.fixture(scope="module", autouse=True)
def on_the_path():
    """The folder of packages, where Python and the program look for modules."""
    former = os.environ.get("PYTHONPATH")
    sys.path.append(str(PACKAGES))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [former, str(PACKAGES)]))
    yield
    sys.path.remove(str(PACKAGES))
    os.environ.pop("PYTHONPATH")
    if former is not None:
        os.environ["PYTHONPATH"] = former


@pytest.fixture(scope="module")
def engine():
    return optgap.Engine("cpu", threads=2, server="off")


def command(*words, rows=(), path=None):
    environment = {**os.environ, "OPTGAP_PYTHON": sys.executable}
    if path is not None:
        environment["PYTHONPATH"] = str(path)
    text = "".join(json.dumps(row) + "\n" for row in rows)
    return subprocess.run(
        [native_program(), *words],
        input=text,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def scored(*words, rows):
    return [json.loads(line) for line in command("score", "-", *words, rows=rows).stdout.splitlines()]


def test_every_way_gives_the_same_rows(engine):
    rows = SUMS + BROKEN
    expected = scored("--kinds", "toy_kind", "--toy-sums-bonus", "1", rows=rows)
    assert [row.get("reward") for row in expected[:3]] == [1.0, 1.0, 0.0]  # two share 1 and the bonus
    assert [row.get("sharers") for row in expected[:3]] == [2, 2, None] and expected[2]["code"] == "wrong_sum"
    assert expected[0]["advantage"] > 0 > expected[2]["advantage"]
    assert expected[4]["reward"] == 1.0 - expected[3]["reward"]  # shares with the next one
    assert expected[7]["code"] == "no_number" and expected[7]["format"] == 0
    assert [row["error"]["field"] for row in expected[8:]] == ["addends", "completion", "worker", "worker"]
    assert expected[6]["error"]["field"].startswith("beside.")
    assert expected[10]["error"]["rule"] == "the worker ended with exit status 7"
    assert "RuntimeError: no sum today (__init__.py:" in expected[11]["error"]["rule"]

    scorer = optgap.Scorer(engine, **BONUS)
    assert scorer.score(rows) == expected
    assert scorer.score(rows) == expected
    assert optgap.score(rows, device="cpu", kinds=["toy_kind"], toy_sums_bonus=1) == expected
    with optgap.Scheduler(engine, rows=BONUS) as scheduler:
        tickets = [scheduler.submit_row(row) for row in rows]
        assert scheduler.collect_rows(tickets, timeout=120).rows == expected


def test_a_daemon_does_not_start_with_a_kind_that_there_is_not(tmp_path):
    done = command("serve", "--socket", str(tmp_path / "serve.sock"), "--device", "cpu", "--kinds", "toy_knd")
    assert done.returncode == 2 and "did you mean toy_kind?" in done.stderr


def test_help_table_and_explanations_show_it(engine):
    assert "toy-sums-bonus" not in command("score", "--help").stdout
    assert "toy-sums-bonus" in command("score", "--help", "--kinds", "toy_kind").stdout
    page = command("kinds", "toy_sums", "--kinds", "toy_kind").stdout
    assert "known by `addends`" in page and "right rows of the group" in page
    about = json.loads(command("kinds", "toy_sums", "--kinds=toy_kind", "--json").stdout)[0]
    assert [one["name"] for one in about["codes"]] == ["no_number", "wrong_sum", "unsettled"]
    told = command("explain", "-", "--row", "3", "--kinds", "toy_kind", rows=SUMS).stdout
    assert "1 + 2 + 3 = 6, and the completion says 7" in told and "wrong_sum" in told
    feedback = command("explain", "-", "--row", "3", "--feedback", "rule", "--kinds", "toy_kind", rows=SUMS).stdout
    assert feedback == optgap.feedback(SUMS[2], device="cpu", kinds="toy_kind") + "\n"
    assert "The integer is not the sum of the addends." in feedback
    assert optgap.explain(SUMS[2], device="cpu", kinds="toy_kind").splitlines()[-1].endswith("the completion says 7")
    table = json.loads(command("eval", "-", "--json", "--kinds", "toy_kind", rows=SUMS[:3]).stdout)
    assert any(one["task"] == "toy_sums" for one in table["summaries"])


def test_nothing_is_loaded_that_is_not_named(engine):
    row = optgap.Scorer(engine).score(SUMS[:1])[0]
    assert "reward" not in row and "toy_kind" not in sys.modules
    with pytest.raises(optgap.Error, match="toy_sums_bonus"):
        optgap.Scorer(engine, toy_sums_bonus=1)
    optgap.Scorer(engine, kinds="toy_kind").score(SUMS[:1])
    assert "toy_kind" not in sys.modules


def test_a_hanging_row_is_lost_alone():
    rows = [{"addends": [5], "completion": text} for text in ("5", "hang", "6")]
    found = scored("--kinds", "toy_kind", rows=rows)
    assert found[0]["reward"] == 1.0 and found[2]["code"] == "wrong_sum"
    assert found[1]["error"] == {"row": 2, "field": "worker", "rule": "the worker took longer than 2 s"}


def test_a_cancelled_ticket_stops_its_worker(engine, tmp_path):
    slow = copy_of(tmp_path, "slow_toy", "toy_sums", "slow_sums", '"seconds": 2', '"seconds": 600')
    sys.path.append(str(slow.parent))
    try:
        with optgap.Scheduler(engine, rows={"kinds": "slow_toy"}) as scheduler:
            quick = scheduler.submit_row({"addends": [1], "completion": "1"})
            assert scheduler.collect_rows([quick], timeout=60).outcomes == ["scored"]
            begun = time.monotonic()
            ticket = scheduler.submit_row({"addends": [1], "completion": "hang"})
            time.sleep(0.5)
            scheduler.cancel([ticket])
            assert scheduler.collect_rows([ticket], timeout=60).outcomes == ["cancelled"]
        assert time.monotonic() - begun < 60  # leaving waits for what runs, and an hour has not passed
    finally:
        sys.path.remove(str(slow.parent))


def copy_of(folder, name, *changes):
    """The toy under another name, with old and new texts of its files in turn."""
    made = folder / name
    shutil.copytree(PACKAGES / "toy_kind", made, ignore=shutil.ignore_patterns("__pycache__"))
    for file in (made / "kind.json", made / "__init__.py"):
        text = (
            file.read_text()
            .replace("toy-sums-bonus", f"{name.replace('_', '-')}-bonus")
            .replace("toy_sums_bonus", f"{name}_bonus")
        )
        for old, new in zip(changes[::2], changes[1::2]):
            text = text.replace(old, new)
        file.write_text(text)
    return made


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (
            '"claims": ["addends"]',
            '"claims": ["numbers"]',
            "kind.json: claims[0]: must be a column that `reads` declares",
        ),
        ('"type": "json"', '"type": "jsn"', "kind.json: reads[0].type: is 'jsn'; expected json"),
        ('"codes"', '"code"', "kind.json: code: is unknown; expected codes"),
        ('"kind": "toy_sums"', '"kind": "answer"', "kind.json: kind: answer is a kind of this build already"),
        ('"name": "sum"', '"name": "reward"', "kind.json: adds[0].name: reward is a column of rows of every kind"),
        ('"default": 0', '"default": 10', "kind.json: options[0].default: must be a number from 0 to 9"),
        ('"limits": {', '"limits": [', "kind.json: byte"),
        ('"class": "Sums"', '"class": "Sum"', "kind.json: class: TypeError: broken.Sum is no class"),
        ('"seconds": 2', '"seconds": "2"', "kind.json: limits.seconds: must be a number"),
    ],
)
def test_a_broken_declaration_is_named_by_file_and_field(tmp_path, old, new, why):
    folder = copy_of(tmp_path, "broken", old, new)
    done = command("score", "-", "--kinds", "broken", path=tmp_path)
    assert done.returncode == 2 and str(folder / "kind.json") in done.stderr and why in done.stderr, done.stderr


def test_a_wrong_name_is_answered_with_the_nearest(engine):
    done = command("score", "-", "--kinds", "toy_knd")
    assert done.returncode == 2 and "no package 'toy_knd'" in done.stderr and "did you mean toy_kind?" in done.stderr
    with pytest.raises(optgap.Error, match="did you mean toy_kind"):
        optgap.Scorer(engine, kinds="toy_kin")
    assert "has no kind.json" in command("score", "-", "--kinds", "json").stderr
    done = command("score", "-", "--kinds", "toy_kind", "--toy-sums-bonu", "1")
    assert done.returncode == 2 and "--toy-sums-bonus" in done.stderr


def test_a_settling_that_fails_leaves_codes_and_a_sentence(tmp_path):
    copy_of(tmp_path, "unsettling", "toy_sums", "unsettling", "right = [one", "right = [one.nothing")
    done = command("score", "-", "--kinds", "unsettling", rows=SUMS[:3], path=tmp_path)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["code"], row["reward"]) for row in rows] == [("unsettled", 0.0)] * 3
    assert done.returncode == 1 and "3 rows of kind unsettling could not be settled: AttributeError" in done.stderr


def test_an_entry_point_names_a_package(tmp_path):
    copy_of(tmp_path, "pointed_at", "toy_sums", "pointed_sums")
    info = tmp_path / "own_rows-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: own-rows\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[optgap.kinds]\nown-rows = pointed_at\n")
    done = command("score", "-", "--kinds", "own-rows", rows=SUMS[:1], path=tmp_path)
    assert json.loads(done.stdout)["reward"] == 1.0, done.stderr


def test_the_page_works_as_it_says(tmp_path):
    page = PAGE.read_text(encoding="utf-8")
    package = tmp_path / "lengths"
    package.mkdir()
    for language, name in (("json", "kind.json"), ("python", "__init__.py")):
        (package / name).write_text(re.search(rf"^```{language}\n(.*?)^```", page, re.S | re.M).group(1))
    lines = re.search(r"^```console\n(.*?)^```", page, re.S | re.M).group(1).splitlines()
    folder = str(pathlib.Path(native_program()).parent)
    environment = {**os.environ, "OPTGAP_PYTHON": sys.executable, "PATH": f"{folder}:{os.environ['PATH']}"}
    texts = []
    for line in lines:
        done = subprocess.run(
            line.removeprefix("$ "), shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        texts.append(done.stdout)
    row = json.loads(texts[0])
    assert (row["reward"], row["missed"], row["code"]) == (0.5, 1, "wrong_length")
    assert "letters too many or too few" in texts[1] and "--lengths-slack" in texts[2]


def test_the_fingerprint_follows_code_and_options(tmp_path):
    def fingerprint(*words):
        found = command("score", "-", "--kinds", "changing", *words, rows=SUMS[:1], path=tmp_path)
        return json.loads(found.stdout)["fingerprint"]

    folder = copy_of(tmp_path, "changing")
    first = fingerprint()
    assert fingerprint() == first != fingerprint("--changing-bonus", "1")
    with open(folder / "__init__.py", "a") as file:
        file.write("# one more line\n")
    assert fingerprint() != first
