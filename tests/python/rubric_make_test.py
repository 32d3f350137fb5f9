"""`optgap rubric make`: by word lists, and against a stand-in server whose replies are known."""

import json
import pathlib
import re
import shlex

import pytest
from in_process import main
from stand_in_server import Reply, StandIn

from optgap.data.rubrics import Rubrics
from optgap.data.rubrics.word_lists import Frequencies, by_chance
from optgap.data.rubrics.wording import read_checks, read_keywords, read_list, read_points

MOON = "The Moon pulls on the ocean and raises two bulges. The Earth turns below them, so each shore meets a bulge twice a day."
SAND = "Glass is molten sand. A furnace melts sand with soda and lime, and the melt cools without crystals into glass."
ROWS = [
    {"id": 1, "prompt": "Why are there tides?", "references": [MOON]},
    {"id": 2, "prompt": "How is glass made?", "reference": SAND},
]
POINTS = {"tides": ["the cause", "the rhythm"], "glass": ["the stuff", "the making"]}
KEYWORDS = {"tides": [["Moon", "ocean", "gravity"], ["Earth turns", "twice"]],
            "glass": [["sand", "a b c"], ["furnace", "lime", "crystals", 7]]}  # fmt: skip
STYLE = [
    {"check": "words", "in": [5, 60], "weight": 0.6},
    {"check": "no such check", "min": 1},
    {"check": "sentences", "min": 1},
]


def answer(request):
    """As a model would: the step is told by its request, the row by its words."""
    row = "tides" if "tides" in request.prompt or "Moon" in request.prompt else "glass"
    if "List the key points" in request.prompt:
        return "<think>[so]</think>Here:\n```json\n" + json.dumps(POINTS[row]) + "\n```"
    if "choose the words" in request.prompt:
        return json.dumps(KEYWORDS[row])
    if "how a good answer looks" in request.prompt:
        return json.dumps(STYLE)
    return MOON if row == "tides" else SAND


def make(tmp_path, *options, rows=ROWS, out="made"):
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return main(["rubric", "make", str(file), "--out", str(tmp_path / out), *options])


def by_model(tmp_path, server, *options, **more):
    return make(tmp_path, "--base-url", server.base_url, "--model", "stand-in", "--quiet", *options, **more)


def rows_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("how", ["tfidf", "random"])
def test_word_lists_make_rubrics_that_reward_their_reference(tmp_path, how):
    assert make(tmp_path, "--by", how, "--share", "0.3") == 0
    rows = rows_of(tmp_path / "made/rubrics.jsonl")
    assert [row["id"] for row in rows] == [1, 2]
    keywords = [row["chain"]["content"]["points"][0]["references"][0]["keywords"] for row in rows]
    assert [len(words) for words in keywords] == [7, 6]  # 0.3 of 21 and of 17 different words, rounded up
    assert Rubrics.compile(rows).score([MOON, SAND]).content.tolist() == [1.0, 1.0]
    assert make(tmp_path, "--by", how, "--share", "0.3", out="again") == 0
    assert (tmp_path / "again/rubrics.jsonl").read_bytes() == (tmp_path / "made/rubrics.jsonl").read_bytes()


def test_tfidf_takes_what_is_rare_elsewhere_and_chance_hangs_on_its_seed():
    known = Frequencies([MOON, SAND, "The and a the."])
    assert known.keywords("The Moon and ocean", 0.5) == ["Moon", "ocean"]
    assert by_chance(MOON, 0.5, "1") == by_chance(MOON, 0.5, "1") != by_chance(MOON, 0.5, "2")
    assert known.keywords("", 0.5) == by_chance("", 0.5, "1") == []


def test_a_models_replies_become_rubrics(tmp_path):
    with StandIn(answer) as server:
        assert by_model(tmp_path, server) == 0
        assert len(server.requests) == 6  # points, keywords and style of two rows; references are there
    rows = rows_of(tmp_path / "made/rubrics.jsonl")
    points = rows[0]["chain"]["content"]["points"]
    assert [point["name"] for point in points] == POINTS["tides"]
    assert [point["references"][0]["keywords"] for point in points] == [["Moon", "ocean"], ["Earth turns", "twice"]]
    assert [check["check"] for check in rows[0]["chain"]["style"]] == ["words", "sentences"]
    assert [check["weight"] for check in rows[0]["chain"]["style"]] == [0.6, 1]
    report = json.loads((tmp_path / "made/report.json").read_text(encoding="utf-8"))
    assert report["chains"] == report["rubrics"]  # its former name
    assert (report["rubrics"], report["dropped"], report["refused_checks"], report["keywords_not_in_reference"]) == (
        2,
        0,
        2,
        1,
    )
    assert report["usage"] == {"prompt_tokens": 60, "completion_tokens": 30}
    assert Rubrics.compile(rows).score([MOON, SAND]).total.tolist() == [1.0, 1.0]


def test_references_are_asked_for_where_there_are_none(tmp_path):
    rows = [{"prompt": row["prompt"]} for row in ROWS]
    with StandIn(answer) as server:
        assert by_model(tmp_path, server, "--references", "2", rows=rows) == 0
        assert len(server.requests) == 2 * 2 + 6  # both references are the same text, which counts once
    assert [row["chain"]["references"] for row in rows_of(tmp_path / "made/rubrics.jsonl")] == [[MOON], [SAND]]


def test_rows_whose_reference_fails_its_own_rubric_are_dropped(tmp_path):
    def strict(request):
        if "how a good answer looks" in request.prompt and "glass" in request.prompt:
            return '[{"check": "words", "min": 500, "weight": 1}]'
        if "choose the words" in request.prompt and "Moon" in request.prompt:
            return '[["gravity"], ["orbit"]]'
        return answer(request)

    with StandIn(strict) as server:
        assert by_model(tmp_path, server) == 0
    dropped = rows_of(tmp_path / "made/dropped.jsonl")
    assert [row["dropped"] for row in dropped] == ["no keyword stands in a reference",
                                                   "the reference earns less than 0.7 in content or style"]  # fmt: skip
    assert (dropped[1]["reference_content"], dropped[1]["reference_style"]) == (1.0, 0.0)
    assert rows_of(tmp_path / "made/rubrics.jsonl") == []


def test_what_was_answered_is_never_asked_again(tmp_path, capsys):
    def failing(request):
        return (
            Reply(status=400, raw=b"{}")
            if "choose the words" in request.prompt and "sand" in request.prompt
            else answer(request)
        )

    with StandIn(failing) as server:
        assert by_model(tmp_path, server) == 1
    assert "1 requests failed for good, so 1 rows have no rubric" in capsys.readouterr().err
    assert [row["id"] for row in rows_of(tmp_path / "made/rubrics.jsonl")] == [1]
    with (tmp_path / "made/replies.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"request": "cut o')  # as a kill leaves it
    with StandIn(answer) as server:
        assert by_model(tmp_path, server) == 2  # without --resume
        assert by_model(tmp_path, server, "--resume", "--references", "3") == 2  # other settings
        assert by_model(tmp_path, server, "--resume") == 0
        assert len(server.requests) == 1
    assert [row["id"] for row in rows_of(tmp_path / "made/rubrics.jsonl")] == [1, 2]


def test_it_is_priced_before_anything_is_asked(tmp_path, capsys):
    with StandIn(answer) as server:
        assert by_model(tmp_path, server, "--dry-run", "--price-in", "1", "--price-out", "1000") == 0
        assert server.requests == []
    said = capsys.readouterr().err
    assert "6 requests at most" in said and "1668 of replies" in said  # 2 x (234 + 103 + 497)
    assert re.search(r", 1\.6\d at these prices", said)
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize("options, word", [((), "--by and --base-url"), (("--by", "tfidf", "--model", "x"), "model"),
                                           (("--by", "tfidf", "--seed", "3"), "seed"), (("--by", "random", "--share", "2"), "share"),
                                           (("--base-url", "http://localhost:1/v1"), "model"), (("--by", "tfidf", "--resume"), "resume")])  # fmt: skip
def test_options_without_effect_are_refused(tmp_path, capsys, options, word):
    assert make(tmp_path, *options) == 2
    assert word in capsys.readouterr().err


@pytest.mark.parametrize(
    "row",
    [
        {"prompt": ""},
        {"references": ["x"]},
        {"prompt": "p", "references": [7]},
        {"prompt": "p", "references": ["x"] * 9},
    ],
)
def test_rows_that_cannot_be_say_so(tmp_path, capsys, row):
    assert make(tmp_path, "--by", "tfidf", rows=[ROWS[0], row]) == 2
    assert "line 2" in capsys.readouterr().err


def test_the_commands_of_the_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (pathlib.Path(__file__).resolve().parents[2] / "docs/rubrics.md").read_text(encoding="utf-8")
    (tmp_path / "questions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    commands = re.findall(r"^\$ optgap (rubric make questions.*)$", page, re.M)
    assert len(commands) == 3
    with StandIn(answer) as server:
        for command in commands:
            assert main(shlex.split(command.replace("http://localhost:8000/v1", server.base_url))) == 0, command
    assert len(rows_of(tmp_path / "made/rubrics.jsonl")) == len(rows_of(tmp_path / "arm/rubrics.jsonl")) == 2


def test_replies_are_read_as_data_whatever_they_hold():
    assert read_list("<think>[1]</think> so: [no] then [2, 3] end") == [2, 3]
    assert read_list("nothing") is None and read_list("[" * 100000) is None and read_list("[x " * 100000) is None
    assert read_points('["a", "", 7, "a", " b "]') == ["a", "b"]
    assert read_keywords('[["one two three", "ok", "ok", "OK", 5, "' + "x" * 65 + '"], "no"]', 3) == [["ok"], [], []]
    assert read_checks('[{"check": "words", "weight": true}, {"weight": -1}, 3, {"weight": 0.12345678}]') == [
        {"check": "words", "weight": 1}, {"weight": 1}, {"weight": 0.123457}]  # fmt: skip


DEEP = '{"not": ' * 400 + '{"check": "words", "min": 1}' + "}" * 400
HOSTILE = {
    "not JSON": "Sure! Here are the key points you asked for:",
    "empty": "",
    "no content": Reply(text=None),
    "blank": " \n\t ",
    "an open thought": "<think>" + json.dumps(POINTS["tides"]),
    "cut off": Reply(text='["the cause", "the rh', finish="length"),
    "too long": "[" + ", ".join(['"point"'] * 300_000) + "]",
    "one long text": json.dumps(["x" * 2_000_000]),
    "brackets": "[" * 200_000,
    "an object": '{"points": {"a": 1}}',
    "numbers": "[1, 2.5, NaN, -Infinity, 1e999, true, null]",
    "a number of many digits": "[" + "9" * 100_000 + "]",
    "lists": "[[[[]]], [], [[1]]]",
    "halves of surrogates": r'["\ud800", ["\udfff x", "a\ud800"], {"check": "contains", "texts": ["\ud800"], "min": 1}]',
    "zeros": r'["\u0000", ["\u0000"], {"check": "\u0000"}]',
    "objects": '[{"check": 7}, {"check": ["words"]}, {"weight": "heavy"}, {}, {"check": "words", "in": {"low": 1}}]',
    "weights": '[{"check": "words", "min": 1, "weight": 1e999}, {"check": "words", "min": NaN}, {"check": "words", "weight": -1}]',
    "deep": f"[{DEEP}]",
    "Python": '[{"check": "code", "code": "def f(r): return True", "weight": 1}]',
    "a judge": '[{"check": "external", "external": "nice", "weight": 1}, {"all": [{"check": "external", "external": "x"}]}]',
    "templates": '["{0.__class__}", ["{prompt}"], {"check": "{most}"}]',
}
STEPS = {"points": "List the key points", "keywords": "choose the words", "style": "how a good answer looks"}


@pytest.mark.parametrize("step", ["reference", *STEPS])
def test_hostile_replies_cost_their_row_and_nothing_else(tmp_path, step):
    """Each reply at each step, for one row of many: another row gets its rubric, and none vanishes without a word."""
    rows = [{"id": name, "prompt": f"Why are there tides ({name})?",
             **({} if step == "reference" else {"references": [f"{MOON} ({name})"]})} for name in HOSTILE]  # fmt: skip
    good = {"id": "good", "prompt": "How is glass made?", "references": [SAND]}

    def hostile(request):
        name = next((name for name in HOSTILE if f"({name})" in request.prompt), None)
        asked = next((one for one, words in STEPS.items() if words in request.prompt), "reference")
        return HOSTILE[name] if asked == step and name is not None else answer(request)

    with StandIn(hostile) as server:
        assert by_model(tmp_path, server, rows=[*rows, good]) == 0
    kept, dropped = rows_of(tmp_path / "made/rubrics.jsonl"), rows_of(tmp_path / "made/dropped.jsonl")
    assert sorted(row["id"] for row in kept + dropped) == sorted([*HOSTILE, "good"])
    assert "good" in [row["id"] for row in kept]
    assert all(row["dropped"] for row in dropped)
    report = json.loads((tmp_path / "made/report.json").read_text(encoding="utf-8"))
    assert report["rows"] == report["rubrics"] + report["dropped"] == len(HOSTILE) + 1
    for row in kept:
        assert "code" not in row["chain"].get("style", "") and "external" not in json.dumps(
            row["chain"].get("style", "")
        )
    Rubrics.compile(kept)
    if step == "style":
        assert {row["id"] for row in kept} == {"good", "weights"}  # a weight that is none counts as 1
        reasons = {row["id"]: row["dropped"] for row in dropped}
        assert reasons["cut off"] == "the reply holds no checks, cut off at the limit of tokens"
        assert reasons["Python"] == reasons["a judge"] == reasons["deep"] == "no check can be read"
    if step == "reference":
        reasons = {row["id"]: row["dropped"] for row in dropped}
        assert (
            reasons["empty"] == reasons["blank"] == reasons["an open thought"] == "no reference: every reply is empty"
        )
        assert reasons["cut off"] == "no reference: every reply is empty or cut off"
        assert "cut off" not in [row["id"] for row in kept]


def test_a_damaged_file_of_replies_is_named(tmp_path, capsys):
    with StandIn(answer) as server:
        assert by_model(tmp_path, server) == 0
        file = tmp_path / "made/replies.jsonl"
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
        file.write_text("".join([lines[0], "[7]\n", *lines[1:]]), encoding="utf-8")
        assert by_model(tmp_path, server, "--resume") == 2
    assert "replies.jsonl, line 2 is no JSON object" in capsys.readouterr().err


def test_half_a_pair_of_surrogates_is_refused_with_its_line(tmp_path, capsys):
    assert make(tmp_path, "--by", "tfidf", rows=[ROWS[0], {"prompt": "p", "references": ["a \ud800 b"]}]) == 2
    assert "line 2: references: holds half a pair of surrogates" in capsys.readouterr().err
