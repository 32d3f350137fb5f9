"""`optgap external check` finds what is wrong with an environment, and nothing in one that is right."""

import json
import pathlib

import pytest
from in_process import main

from optgap.rows.external.check import measure
from optgap.rows.external.check_report import broken_rules, spellings
from optgap.rows.external.settings import checked

HERE = pathlib.Path(__file__).resolve().parent

FAULTS = {
    "Sorted": "",
    "Toy": "",
    "Unrepeatable": "repeatability: 20 of 20 seeds made another problem",
    "Moody": "repeatability: .* verdicts were others",
    "Constant": "guessability: the constant '[1, 2, 3]' is right in 100%",
    "PaysNothing": "guessability: an empty answer has quality 0.75",
    "PaysTheQuestion": "guessability: the prompt as an answer has quality 0.75",
    "RefusesItsOwn": "ambiguity: 20 of 20 right answers of its own are refused",
    "OneSpelling": "ambiguity: 20 of 20 right answers are refused with other blanks",
    "OneProblem": "diversity: 5% of its problems are distinct",
    "Liar": "calls failed: .* external_verdict; the first: reward is 7",
    "Fragile": "calls failed: .* external_error; the first: RuntimeError: no such problem",
}


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_breaks_its_rule(name):
    import re

    settings = checked({"tasks": {"mine/it": f"toys:{name}"}, "trusted": True}, "test")
    found = measure(settings, "mine/it", [4], 20)
    broken = broken_rules(found)
    wanted = re.escape(FAULTS[name]).replace(r"\.\*", ".*")
    assert broken == [] if not wanted else any(re.search(wanted, one) for one in broken), broken
    if name == "Toy":
        assert "7.0 for 7: 0 of 20 accepted" in spellings(found)


def test_the_command_prints_a_table_or_json_and_its_exit_code_judges(capsys, monkeypatch):
    monkeypatch.syspath_prepend(str(HERE))
    common = ["external", "check", "mine/it", "--levels", "d0,d3", "--count", "10", "--trusted"]
    assert main([*common, "--module", "toys:Sorted"]) == 0
    shown = capsys.readouterr().out
    assert "mine/it@1, 10 problems a level" in shown and " d0 " in shown and "broken" not in shown
    assert main([*common, "--module", "toys:OneProblem", "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert (
        said["version"] == "1"
        and said["isolation"] == "trusted"
        and len(said["levels"]) == 2
        and "diversity" in " ".join(said["broken"])
    )
    assert main([*common, "--module", "toys:unloadable"]) == 2
    assert "its data are missing" in capsys.readouterr().err
    assert main(["external", "check", "mine/it", "--count", "0"]) == 2
