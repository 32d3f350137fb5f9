"""Preflight of programs: a right one is rewarded, a hostile one is not, and the report says so where it is otherwise."""

import pytest
from byte_tokenizer import ByteTokenizer

import optgap
from optgap.measure.preflight import programs as preflight


def check(engine, language, tasks):
    try:
        return preflight.check(ByteTokenizer(), ["openrlhf"], tasks=tasks, count=1, language=language, engine=engine)
    except optgap.Error as refused:
        if refused.status != "sandbox_unavailable":
            raise
        pytest.skip(f"SKIPPED: {refused}")


@pytest.mark.parametrize(("language", "tasks"), [("python", ("tsp", "knapsack")), ("cpp", ("tsp",))])
def test_a_right_program_is_rewarded_and_a_hostile_one_is_not(engine, language, tasks):
    found = check(engine, language, tasks)
    codes = {outcome.text: outcome.code for outcome in found.outcomes}
    assert found.passed, preflight.report(found)
    assert codes == {
        "right": "ok", "half an answer": codes["half an answer"], "a right answer, then a crash": codes["a right answer, then a crash"],
        "never ends": "run_time", "hostile": "run_no_output", "prose behind the program": "program_trailing",
        "cut off in the program": "truncated", "a program in the reasoning alone": "program_missing",
    }  # fmt: skip
    assert [outcome.text for outcome in found.outcomes if outcome.rewarded] == ["right"]
    assert found.isolation in ("wasm", "namespaces", "jail", "command") and found.isolation in preflight.report(found)


def test_the_hostile_program_would_be_rewarded_where_something_gives_way(engine, tmp_path):
    """Run as it is, without a sandbox, in this test's own process tree: it reads a file that everybody may read."""
    import subprocess
    import sys

    (key,) = engine.generate("tsp", "easy", 1, 3).keys
    instances = engine.instances([key])
    table = preflight._table(engine, key.partition("#")[0] + "*1")
    source = preflight.source("python", "hostile", table).replace(
        'open("/tmp/optgap-preflight", "w")', f'open("{tmp_path}/x", "w")'
    )
    source = source.replace("yield lambda: os.fork() or os._exit(0)", "").replace(
        "yield lambda: os.kill(os.getppid(), 0)", ""
    )
    done = subprocess.run(
        [sys.executable, "-c", source], input=instances.json[0], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == next(iter(table.values()))


def test_a_hostile_program_that_is_rewarded_fails_and_a_missing_isolation_level_stops(engine, monkeypatch):
    rewarded = {"quality": 1.0, "feasible": 1, "code": "ok", "isolation": "jail"}
    monkeypatch.setattr(preflight, "score", lambda rows, **_: [{**row, **rewarded} for row in rows])
    found = preflight.check(ByteTokenizer(), ["openrlhf"], tasks=["tsp"], count=1, engine=engine)
    assert not found.passed and "REWARDED, and must not be: hostile" in preflight.report(found)
    error = {"error": {"row": 1, "field": "isolation", "rule": "no isolation level"}}
    monkeypatch.setattr(preflight, "score", lambda rows, **_: [error for _ in rows])
    with pytest.raises(optgap.Error, match="no isolation level") as raised:
        preflight.check(ByteTokenizer(), ["openrlhf"], tasks=["tsp"], count=1, engine=engine)
    assert raised.value.status == "sandbox_unavailable"
    with pytest.raises(optgap.Error, match="format"):
        preflight.check(ByteTokenizer(), ["openrlhf"], "boxed", tasks=["tsp"], engine=engine)
