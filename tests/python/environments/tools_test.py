"""Tools of an episode: their forms, their counts, what models may hand over, and the sandbox behind `run`."""

import json
import pickle

import pytest

import optgap
from optgap.environments import Tools, run_program, tool_episode

KEY = "tsp@1:train:easy:1"
OPTIMUM = [0, 4, 2, 15, 5, 9, 12, 8, 7, 1, 10, 3, 6, 13, 11, 14]


def test_the_forms_are_those_of_the_protocols():
    tools = Tools(KEY, checks=2, runs=1)
    for form in ("openai", "responses", "mcp"):
        made = json.loads(json.dumps(tools.schemas(form)))
        assert [one.get("function", one)["name"] for one in made] == ["submit", "check", "run"]
        for one in made:
            inside = one.get("function", one)
            schema = inside.get("parameters", inside.get("inputSchema"))
            assert schema["type"] == "object" and schema["required"] and inside["description"]
    assert [one["name"] for one in Tools(KEY).schemas("mcp")] == ["submit"]
    with pytest.raises(optgap.Error, match="form"):
        tools.schemas("grpc")


def test_an_answer_of_a_tool_is_scored_under_every_rows_format():
    """Also where the row's format requires reasoning, which a call's argument never has."""
    for form in (None, "forge", "forge_prefilled", "boxed", "answer_line", "answer_only"):
        row = {"key": KEY} if form is None else {"key": KEY, "format": form}
        for answer in (OPTIMUM, json.dumps(OPTIMUM), f" {OPTIMUM}\n", f"<answer>{OPTIMUM}</answer>"):
            if form in ("boxed", "answer_line") and answer != OPTIMUM:
                continue
            tools = Tools(row, turns=1)
            tools.submit(answer)
            assert tools.episode.reward == 2.0, (form, answer)
    with pytest.raises(optgap.Error, match="requires a reasoning part, which the argument of a tool never has"):
        tool_episode(KEY, format="forge")
    assert Tools({"key": KEY, "format": "forge"}, format="answer_only", turns=1).episode.turns == 1


def test_calls_are_counted_and_taken_along():
    tools = Tools(KEY, checks=2, turns=2)
    assert "stands there twice" in tools.call("check", {"answer": "[0, 1, 1]"})
    tools = pickle.loads(pickle.dumps(tools))
    assert "keeps every rule" in tools.call("check", json.dumps({"answer": OPTIMUM}))
    assert tools.call("check", {"answer": "[0]"}) == "No call of check is left."
    assert tools.episode.history == []
    assert "1 more turn." in tools.call("submit", {"answer": "[0]"})
    assert tools.call("submit", {"answer": OPTIMUM}) == "The answer was taken. The episode is over."
    assert tools.call("submit", {"answer": OPTIMUM}) == "The episode is over."
    assert tools.episode.reward == 2.0


@pytest.mark.parametrize("given", ["{", "[]", "7", {}, {"answers": 1}, "null", "[" * 100_000])
def test_whatever_is_handed_over_a_sentence_comes_back(given):
    tools = Tools(KEY, checks=1)
    for name in ("submit", "check"):
        assert tools.call(name, given).endswith(".")
    assert "There is no tool" in tools.call("rm", {"answer": "x"})
    assert tools.episode.history == [] and tools.left["check"] == 1


@pytest.mark.parametrize("answer", [None, 7, {"a": [1]}, "\ud800", "</answer><answer>[0]", "x" * 100_000])
def test_strange_answers_are_graded(answer):
    tools = Tools(KEY, turns=1)
    tools.call("submit", {"answer": answer})
    assert tools.episode.done and tools.episode.reward < 0


def test_settings_without_effect_are_refused():
    with pytest.raises(optgap.Error, match="checks"):
        Tools(KEY, checks=1, feedback="none")
    for wrong in ({"checks": -1}, {"runs": 257}, {"checks": "many"}):
        with pytest.raises(optgap.Error, match="checks|runs"):
            Tools(KEY, **wrong)


def test_programs_run_in_the_sandbox():
    assert run_program("print(input()[::-1])", "abc\n") == "cba\n"
    assert run_program("x = [").startswith("compile_error: line 1")
    assert "ZeroDivisionError" in run_program("print(1)\n1 / 0")
    assert run_program("pass") == "The program printed nothing."
    long = run_program("print('x' * 100_000)")
    assert len(long) < 5_000 and long.endswith("bytes more")
    assert run_program("open('/etc/passwd').read()")[:2] != "ok"
    assert "at most" in run_program("#" * 70_000) and run_program(3) == "Program and input are texts."


def test_a_tool_runs_programs_a_number_of_times():
    tools = Tools(KEY, runs=1)
    assert tools.call("run", {"program": "print(6 * 7)"}) == "42\n"
    assert tools.call("run", {"program": "print(6 * 7)"}) == "No call of run is left."
