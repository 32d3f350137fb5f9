"""The table of versions in docs/trainers.md is what `tools/trainers_test.sh --matrix` found last, for the versions that
the requirements name."""

import importlib.util
import json
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("trainers_matrix", pathlib.Path(__file__).with_name("matrix.py"))
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.fixture(scope="module")
def results(tool):
    return json.loads(tool.RESULTS.read_text(encoding="utf-8"))


def test_the_page_shows_the_results(tool, results):
    page = tool.PAGE.read_text(encoding="utf-8")
    assert page == tool.with_table(page, results), "run tools/trainers_test.sh --matrix"


def test_the_results_are_of_the_versions_that_the_requirements_name(tool, results):
    assert [(row["trainer"], row["version"]) for row in results["versions"]] == tool.listed()
    assert results["beside"] == {name: version for name, version in tool.versions(tool.PINNED) if name in tool.BESIDE}


def test_pinned_versions_and_an_older_one_of_each_trainer_work(tool, results):
    found = {(row["trainer"], row["version"]): row["result"] for row in results["versions"]}
    assert set(found.values()) <= {"works", "fails", "untested"}
    pinned = {each for each in tool.versions(tool.PINNED) if each[0] in tool.NAMES}
    assert len(pinned) == 3 and all(found[each] == "works" for each in pinned)
    last = tool.oldest(results)
    assert all(last[trainer] != version for trainer, version in pinned)
    for trainer, version in last.items():
        assert f"| {tool.NAMES[trainer]} | {version} | works | a few tests |" in tool.table(results)
        assert all((tool.TESTS / name).exists() for name in tool.SMOKE[trainer])


def test_a_wrong_version_and_a_missing_import_are_told_apart(tool, tmp_path, monkeypatch):
    monkeypatch.setattr(tool, "FOLDERS", tmp_path)
    monkeypatch.setattr(tool, "TESTS", tmp_path)
    monkeypatch.setattr(tool, "VENV", pathlib.Path(tool.sys.prefix))
    (tmp_path / "trl-0").mkdir()
    for name, text, result, why in (
        ("good", "def test_it(): pass\n", "works", ""),
        ("bad", "def test_it(): assert False\n", "fails", "test_it"),
        ("lacks", "import nobody_has_this\n", "untested", "No module named 'nobody_has_this'"),
        ("skips", "import pytest\n@pytest.mark.skip\ndef test_it(): pass\n", "fails", "see the log"),
    ):
        (tmp_path / f"{name}.py").write_text(text)
        assert tool.tried("trl", "0", [f"{name}.py"])[:2] == (result, why), name
