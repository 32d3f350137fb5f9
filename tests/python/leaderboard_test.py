"""`optgap leaderboard`: models of one set beside the references, and models of several sets told apart."""

import json
import re

import pytest
from comparison_rows import folder
from in_process import handed_over, main


def leaderboard(capsys, *arguments, code=0):
    """The leaderboard as JSON, or what stderr says where the code is another one."""
    capsys.readouterr()
    assert main(["leaderboard", *map(str, arguments), "--json"]) == code
    said = capsys.readouterr()
    return json.loads(said.out) if said.out else said.err


def test_models_stand_by_quality_beside_the_references(tmp_path, capsys):
    weak = folder(tmp_path / "w", "weak", [1, None, None, None])
    strong = folder(tmp_path / "s", "strong", [1, 1, 0.5, None])
    made = leaderboard(capsys, weak, f"{strong}/report.json")
    (of,) = made["sets"]
    assert [(one["model"], one["sr"], one["qr"]) for one in of["models"]] == [
        ("strong", 0.75, 0.625),
        ("weak", 0.25, 0.25),
    ]
    assert of["models"][0]["intervals"]["sr"] == [0.375, 0.75] and of["models"][0]["tasks"]["tsp"]["optimal"] == 0.5
    assert (of["tasks"], of["levels"], of["instances"]) == (["tsp"], ["easy"], 4)
    assert of["references"] == [
        {"name": "proven optimum", "sr": 1, "qr": 1, "normalized": 1, "optimal": 1},
        {"name": "greedy", "sr": 1, "qr": 0.9, "normalized": 0.7, "optimal": None},
        {"name": "constant policy", "sr": 1, "qr": 0.5, "normalized": 0, "optimal": None},
    ]


def test_the_terminal_has_the_same_lines(tmp_path, capsys):
    weak, strong = folder(tmp_path / "w", "weak", [1, None]), folder(tmp_path / "s", "strong", [1, 1])
    assert main(["leaderboard", weak, strong]) == 0
    said = capsys.readouterr()
    lines = [line.split("  ")[0] for line in said.out.splitlines()[3:]]
    assert lines == ["strong", "weak", "proven optimum", "greedy", "constant policy"] and said.err == ""
    assert "50.0 [25.0, 50.0]" in said.out and "2 instances of tsp at easy" in said.out


def test_other_instances_baselines_or_fingerprints_get_a_table_of_their_own(tmp_path, capsys):
    paths = [
        folder(tmp_path / "a", "a", [1, 1]),
        folder(tmp_path / "more", "more", [1, 1, 1]),
        folder(tmp_path / "other", "other", [1, 1], task="clique"),
        folder(tmp_path / "measured", "measured", [1, 1], greedy=0.8),
        folder(tmp_path / "older", "older", [1, 1], fingerprint="f" * 16),
        folder(tmp_path / "b", "b", [1, None]),
    ]
    page = tmp_path / "page.html"
    assert main(["leaderboard", *paths, "-o", str(page)]) == 0
    assert "5 sets of instances" in capsys.readouterr().err
    assert "not to be compared" in page.read_text(encoding="utf-8")
    made = leaderboard(capsys, *paths)
    assert [[one["model"] for one in of["models"]] for of in made["sets"]] == [
        ["a", "b"], ["more"], ["other"], ["measured"], ["older"],
    ]  # fmt: skip


def test_a_model_that_was_run_twice_is_told_apart_by_its_folder(tmp_path, capsys):
    paths = [folder(tmp_path / name, "same", [1, 1], settings={"format": name}) for name in ("forge", "boxed")]
    (of,) = leaderboard(capsys, *paths)["sets"]
    assert {one["model"] for one in of["models"]} == {f"same ({path})" for path in paths}


def test_without_the_rows_the_set_is_that_of_the_questions(tmp_path, capsys):
    paths = [folder(tmp_path / name, name, [1, 1]) for name in "ab"]
    for name in "ab":
        (tmp_path / name / "rollouts.jsonl").unlink()
    (of,) = leaderboard(capsys, *paths)["sets"]
    assert of["set"] == "questions 77" and len(of["models"]) == 2


def test_the_page_holds_every_model_and_loads_nothing(tmp_path, capsys):
    hostile = "<img src=http://example.org/x>"
    paths = [folder(tmp_path / "a", hostile, [1, 0.5]), folder(tmp_path / "b", "plain", [None, None])]
    page = tmp_path / "page.html"
    assert main(["leaderboard", *paths, "-o", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert hostile not in text and "&lt;img src=http" in text and "constant policy" in text and "plain" in text
    assert not re.search(r"""<(script|link|img)[^>]*(src|href)=""", text)
    assert main(["leaderboard", *paths, "-o", str(tmp_path / "page.md"), "--quiet"]) == 0
    assert "proven optimum" in (tmp_path / "page.md").read_text(encoding="utf-8")
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("change, words", [
    (lambda path: (path / "report.json").unlink(), "holds no report.json"),
    (lambda path: (path / "report.json").write_text("{"), "is no JSON"),
    (lambda path: (path / "report.json").write_text('{"tasks": {}}'), "no report of bench-model"),
    (lambda path: (path / "report.json").write_text('{"tasks": {"tsp": 1}, "levels": [], "all": {}}'), "no report of"),
    (lambda path: (path / "rollouts.jsonl").write_text("{}\n"), "no row of"),
    (lambda path: (path / "rollouts.jsonl").write_text("nothing\n"), "rollouts.jsonl, line 1"),
])  # fmt: skip
def test_what_is_no_report_is_refused_by_name(tmp_path, capsys, change, words):
    good, bad = folder(tmp_path / "good", "a", [1]), folder(tmp_path / "bad", "b", [1])
    change(tmp_path / "bad")
    said = leaderboard(capsys, good, bad, code=2)
    assert words in said and "bad" in said


def test_usage(tmp_path, capsys):
    good = folder(tmp_path / "good", "a", [1])
    assert "named twice" in leaderboard(capsys, good, f"{good}/", code=2)
    assert "must end in .html or .md" in leaderboard(capsys, good, "-o", tmp_path / "page.txt", code=2)
    (tmp_path / "rows.jsonl").write_text("")
    assert "expected a folder" in leaderboard(capsys, tmp_path / "rows.jsonl", code=2)
    assert "optgap leaderboard qwen3 llama" in handed_over(["leaderboard", "--help"]).stdout
