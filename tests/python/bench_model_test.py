"""`optgap bench-model` against a stand-in server: numbers known in advance, whatever the server does."""

import json
import os
import re
import signal
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import pytest
from in_process import main
from known_model import KnownModel
from stand_in_server import Reply, StandIn, as_reply, error

from optgap.measure.benchmark import questions
from optgap.measure.benchmark.sampling import seed_of

ENTRY = Path(sysconfig.get_path("scripts")) / "optgap"
TASKS = ["knapsack", "tsp"]
KEY = "sk-a-secret-that-stays-here"


@pytest.fixture(scope="module")
def model(engine):
    return KnownModel(engine, TASKS)


def arguments(server, out, *more, tasks=TASKS, count=8, samples=2, twins=0, format="forge"):
    chosen = ["--tasks", ",".join(tasks), "--count", str(count)] if "--set" not in more else []
    level = ["--level", "easy"] if "--set" not in more else []
    return ["bench-model", "--base-url", server.base_url, "--model", "stand-in", "--out", str(out), "--device", "cpu",
            "--samples", str(samples), "--twins", str(twins), "--format", format, "--quiet",
            *chosen, *level, *more]  # fmt: skip


def bench(server, out, *more, **options):
    """The exit code."""
    return main(arguments(server, out, *more, **options))


def report_of(out):
    return json.loads((out / "report.json").read_text(encoding="utf-8"))


def rows_of(path):
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def has_known_rates(report, model, samples=2):
    whole = report["all"]
    rows = len(model.quality)
    assert whole["rollouts"] == rows * samples and whole["errors"] == 0
    assert whole["sr"] == 0.5 and whole["optimal"] >= 0.25
    assert whole["qr"] == pytest.approx(sum(model.quality) / rows, abs=1e-7)
    for task in TASKS:
        qualities = [q for q, name in zip(model.quality, model.questions.tasks) if name == task]
        assert report["tasks"][task]["qr"] == pytest.approx(sum(qualities) / len(qualities), abs=1e-7)
        assert report["tasks"][task]["sr"] == 0.5 and report["tasks"][task]["rollouts"] == 8 * samples
    return True


@pytest.mark.parametrize("mode", ["instant", "slow", "failing_500", "failing_429", "dropped", "dropped_in_the_middle",
                                  "garbage", "truncated", "tool_calls", "streaming", "wrong_model",
                                  "no_usage"])  # fmt: skip
def test_rates_are_those_known_in_advance(model, tmp_path, mode):
    with StandIn(model.answer, mode) as server:
        assert bench(server, tmp_path / "run") == 0
        failed = sum(request.attempt == 0 for request in server.requests)
        assert len(server.requests) == 32 + (failed if mode in ("failing_500", "failing_429", "dropped", "garbage",
                                                                "dropped_in_the_middle") else 0)  # fmt: skip
    report = report_of(tmp_path / "run")
    assert has_known_rates(report, model)
    assert report["models"] == {"some-other-model" if mode == "wrong_model" else "stand-in": 32}
    assert report["all"]["truncated"] == (32 if mode == "truncated" else 0)
    assert report["all"]["tokens_mean"] == (None if mode == "no_usage" else 5.0)
    assert report["lengths"]["unit"] == ("characters" if mode == "no_usage" else "tokens")


@pytest.mark.parametrize("mode", ["reasoning_content", "reasoning"])
def test_reasoning_apart_is_put_before_the_answer(engine, tmp_path, mode):
    model = KnownModel(engine, TASKS, format="answer_only")
    with StandIn(lambda request: re.sub(r"^<think>hm(</think>)?", "", model.answer(request)), mode) as server:
        assert bench(server, tmp_path / "run", format="answer_only") == 0
    report = report_of(tmp_path / "run")
    assert report["all"]["sr"] == 0.75  # what breaks `forge` here has no reasoning of its own any more
    row = rows_of(tmp_path / "run/rollouts.jsonl")[0]
    assert row["completion"].startswith(f"<think>{row['reasoning']}</think><answer>") and "draft" in row["reasoning"]


def test_an_answer_without_content_is_infeasible_and_counted(model, tmp_path):
    with StandIn(model.answer, "null_content") as server:
        assert bench(server, tmp_path / "run") == 0
    whole = report_of(tmp_path / "run")["all"]
    assert (whole["sr"], whole["qr"], whole["rollouts"]) == (0.0, 0.0, 32)
    assert whole["codes"] == {"format_missing_reasoning": 32} and whole["format_broken"] == 32


def test_eval_of_the_rollouts_gives_the_same_numbers_to_the_digit(model, tmp_path, run_native):
    with StandIn(model.answer) as server:
        assert bench(server, tmp_path / "run") == 0
    report = report_of(tmp_path / "run")
    seen = {}
    for correct in ("0", "1"):
        lines = run_native("eval", str(tmp_path / "run/rollouts.jsonl"), "--json", "--k", "1,2", "--correct", correct)
        seen[correct] = json.loads("\n".join(lines))
    for cell in seen["1"]["summaries"]:
        ours = report["tasks"].get(cell["task"], report["all"])
        assert [ours[name] for name in ("sr", "qr", "normalized")] == [cell[n] for n in ("sr", "qr", "normalized_qr")]
        assert [of["pass_optimal"] for of in ours["at"]] == [of["pass"] for of in cell["at"]]
        assert [of["best"] for of in ours["at"]] == [of["best"] for of in cell["at"]]
    for cell in seen["0"]["summaries"]:
        ours = report["tasks"].get(cell["task"], report["all"])
        assert [of["pass_feasible"] for of in ours["at"]] == [of["pass"] for of in cell["at"]]
    for cell in seen["1"]["categories"]:
        assert report["categories"][cell["category"]]["qr"] == cell["qr"]
    assert len(seen["1"]["summaries"]) == 3


def test_requests_that_fail_for_good_are_counted_and_asked_again(model, tmp_path, capsys):
    wrong = set(model.prompts[::4])  # the optimal ones

    def answer(request):
        return error(400, "too long for me") if request.prompt in wrong else model.answer(request)

    out = tmp_path / "run"
    with StandIn(answer) as server:
        assert bench(server, out, "--concurrency", "4") == 1
        assert "8 requests failed for good" in capsys.readouterr().err
        whole = report_of(out)["all"]
        assert (whole["errors"], whole["rollouts"], whole["sr"]) == (8, 24, pytest.approx(1 / 3))
        assert sum("too long for me" in row.get("error", "") for row in rows_of(out / "rollouts.jsonl")) == 8
        server.answer = model.answer
        asked = len(server.requests)
        assert bench(server, out, "--resume", "--concurrency", "4") == 0
        assert len(server.requests) - asked == 8 and {r.prompt for r in server.requests[asked:]} == wrong
    assert has_known_rates(report_of(out), model)


@pytest.mark.parametrize("mode, code, words", [("unauthorised", 2, "--api-key-env"), ("always_500", 3, "in a row"),
                                               ("always_garbage", 3, "in a row")])  # fmt: skip
def test_a_server_that_never_answers_ends_the_run_with_a_sentence(model, tmp_path, capsys, mode, code, words):
    with StandIn(model.answer, mode) as server:
        assert bench(server, tmp_path / "run", "--attempts", "1", "--concurrency", "2") == code
        assert len(server.requests) < 20
    said = capsys.readouterr().err
    assert words in said and "--resume" in said and not (tmp_path / "run/report.json").exists()


def started(server, out, *more, samples=4):
    words = arguments(server, out, "--request-seed", "1", "--concurrency", "4", *more, samples=samples)
    return subprocess.Popen([ENTRY, *words], stderr=subprocess.PIPE, text=True)


def until(true, seconds=20.0):
    ends = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < ends
        time.sleep(0.01)


def settled(server):
    """How many requests came, once none has come for a while: a killed run's last ones may still be on their way."""
    count = -1
    while count != len(server.requests):
        count = len(server.requests)
        time.sleep(0.3)
    return count


def without_seconds(path):
    return [{**row, "seconds": 0} for row in rows_of(path)]


def test_a_killed_run_goes_on_where_it_was(model, tmp_path):
    """No answer is asked for twice, and the report has the bytes of a run that nothing disturbed."""
    whole, out = tmp_path / "whole", tmp_path / "killed"
    with StandIn(lambda request: Reply(model.answer(request), delay=0.02)) as server:
        assert bench(server, whole, "--request-seed", "1", samples=4) == 0
        before = len(server.requests)
        run = started(server, out)
        until(lambda: len(server.requests) > before + 25)
        run.kill()
        run.wait()
        run.stderr.close()
        asked = settled(server) - before
        kept = (out / "rollouts.jsonl").read_text(encoding="utf-8")
        torn = kept[: len(kept) - 30]  # as if the last line had been on its way
        (out / "rollouts.jsonl").write_text(torn, encoding="utf-8")
        answered = [json.loads(line) for line in torn.splitlines()[:-1]]
        assert asked - 20 <= len(answered) < asked < 60 and not (out / "report.json").exists()
        place = len(server.requests)
        assert bench(server, out, "--request-seed", "1", "--resume", samples=4) == 0
        again = [(request.prompt, request.body["seed"]) for request in server.requests[place:]]
        assert len(again) == len(set(again)) == 64 - len(answered)
        prompt_of = dict(zip(model.questions.keys, model.prompts))
        done = {(prompt_of[row["key"]], seed_of(1, row["key"], row["sample"])) for row in answered}
        everything = {(prompt, seed_of(1, key, n)) for key, prompt in prompt_of.items() for n in range(4)}
        assert set(again) == everything - done
        place = len(server.requests)
        assert bench(server, out, "--request-seed", "1", "--resume", samples=4) == 0
        assert len(server.requests) == place  # nothing was missing
    for name in ("report.json", "report.md", "report.html", "settings.json"):
        assert (out / name).read_bytes() == (whole / name).read_bytes()
    assert without_seconds(out / "rollouts.jsonl") == without_seconds(whole / "rollouts.jsonl")


def test_an_interrupted_run_says_how_to_go_on(model, tmp_path):
    with StandIn(lambda request: Reply(model.answer(request), delay=0.05)) as server:
        run = started(server, tmp_path / "run")
        until(lambda: len(server.requests) > 10)
        run.send_signal(signal.SIGINT)
        said = run.communicate(timeout=10)[1]
    assert run.returncode == 130 and "--resume" in said and "Traceback" not in said
    assert len(rows_of(tmp_path / "run/rollouts.jsonl")) >= 4


def test_a_run_goes_on_under_its_own_settings_alone(model, tmp_path, capsys):
    out = tmp_path / "run"
    with StandIn(model.answer) as server:
        assert bench(server, out) == 0
        for more, words in (
            ([], "is there already"), (["--resume", "--temperature", "1"], "temperature was 0.6, now 1.0"),
            (["--resume", "--max-tokens", "5", "--top-p", "1"], "max_tokens was 16384, now 5; top_p was 0.95, now 1.0"),
        ):  # fmt: skip
            assert bench(server, out, *more) == 2
            assert words in capsys.readouterr().err
        assert bench(server, tmp_path, "--resume") == 2 and "no run of bench-model" in capsys.readouterr().err
        with open(out / "rollouts.jsonl", "a", encoding="utf-8") as file:
            file.write('{"key": "tsp@1:test:easy:999", "sample": 0, "completion": ""}\n')
        assert bench(server, out, "--resume") == 2 and "line 33 is no row of this run" in capsys.readouterr().err
        assert len(server.requests) == 32


def test_the_key_is_nowhere_on_disk_and_nowhere_said(model, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("A_KEY", KEY)

    def answer(request):
        key = request.headers["Authorization"].split()[1]
        said = as_reply(model.answer(request)).text
        return Reply(f"{said}", reasoning=f"the key is {key}", model=key) if request.attempt else error(400, f"{key}!")

    with StandIn(answer) as server:
        assert bench(server, tmp_path / "run", "--api-key-env", "A_KEY", samples=4) == 1
    said = capsys.readouterr()
    texts = [path.read_text(encoding="utf-8") for path in (tmp_path / "run").iterdir()]
    assert len(texts) == 5 and not any(KEY in text for text in [*texts, said.out, said.err])
    assert any("[api key]" in text for text in texts)


def test_what_a_hostile_model_says_is_kept_as_it_is_and_costs_it_alone(model, tmp_path, run_native):
    texts = ["\x00\ud800\U0001f98a", "<answer>" * 3000, "[" * 50_000, '{"error": 1}\n{"key": 2}', "\u2028\r\n", "",
             "<think></think><answer>[" + "9" * 10_000 + "]</answer>"]  # fmt: skip
    with StandIn(lambda request: texts[request.number % len(texts)]) as server:
        assert bench(server, tmp_path / "run") == 0
    whole = report_of(tmp_path / "run")["all"]
    assert (whole["sr"], whole["rollouts"], whole["errors"]) == (0.0, 32, 0)
    lines = (tmp_path / "run/rollouts.jsonl").read_bytes().splitlines()
    assert len(lines) == 32 and "\x00\ufffd\U0001f98a" in {json.loads(line)["completion"] for line in lines}
    assert json.loads("\n".join(run_native("eval", str(tmp_path / "run/rollouts.jsonl"), "--json")))["rejected"] == 0


def test_nothing_leaves_this_machine(model, tmp_path):
    script = """
import sys
seen = []
outward = ("socket.connect", "socket.sendto")
sys.addaudithook(lambda event, given: seen.append(str(given[-1])) if event in outward else None)
sys.path.insert(0, sys.argv.pop(1))
from in_process import main
assert main(sys.argv[1:]) == 0
assert len(seen) > 0 and all("'127.0.0.1'" in where for where in seen), seen
"""
    with StandIn(model.answer) as server:
        words = arguments(server, tmp_path / "run", "--concurrency", "3")
        subprocess.run([sys.executable, "-c", script, Path(__file__).parent, *words], check=True, timeout=60)


def test_a_set_is_asked_as_it_was_written(model, tmp_path, run_native, capsys):
    folder = tmp_path / "set"
    run_native("bench-set", "--out", str(folder), *TASKS, "--level", "easy", "--count", "8", "--signal-count", "1")
    with StandIn(model.answer) as server:
        assert bench(server, tmp_path / "ours", "--set", str(folder), format="auto") == 0
        assert bench(server, tmp_path / "theirs") == 0
        assert len(server.requests) == 64
        assert bench(server, tmp_path / "other", "--set", str(folder), format="boxed") == 2
        assert "bench-set --format" in capsys.readouterr().err
    ours, theirs = (report_of(tmp_path / name) for name in ("ours", "theirs"))
    assert [row["key"] for row in rows_of(tmp_path / "ours/rollouts.jsonl")] == [
        row["key"] for row in rows_of(tmp_path / "theirs/rollouts.jsonl")
    ]
    assert ours["all"] == theirs["all"] and ours["settings"]["questions"] == theirs["settings"]["questions"]


def test_the_format_can_be_chosen_by_the_models_first_answer(model, tmp_path):
    def answer(request):
        return model.answer(request) if request.prompt in model.prompts else "plain text"

    with StandIn(answer) as server:
        assert bench(server, tmp_path / "plain", format="auto") == 0
        assert len(server.requests) == 33
        assert bench(server, tmp_path / "plain", "--resume", format="auto") == 0
        assert len(server.requests) == 33
    assert report_of(tmp_path / "plain")["settings"]["format"] == "forge"
    with StandIn(
        lambda request: model.answer(request) if request.prompt in model.prompts else error(400, "no")
    ) as server:
        assert bench(server, tmp_path / "unasked", format="auto") == 0
    assert report_of(tmp_path / "unasked")["settings"]["format"] == "forge"
    with StandIn(lambda request: Reply("<answer>[]</answer>", reasoning="hm")) as server:
        assert bench(server, tmp_path / "reasons", format="auto") == 0
    assert report_of(tmp_path / "reasons")["settings"]["format"] == "answer_only"


def test_requests_are_as_asked_for(model, tmp_path):
    with StandIn(lambda request: "") as server:
        more = ["--system", "Be brief.", "--temperature", "0", "--max-tokens", "9", "--request-seed", "5",
                "--extra-body", '{"top_p": null, "chat_template_kwargs": {"enable_thinking": false}}']  # fmt: skip
        assert bench(server, tmp_path / "run", *more, count=1, samples=3, tasks=["tsp"]) == 0
        bodies = [request.body for request in server.requests]
    assert len({body.pop("seed") for body in bodies}) == 3
    prompt = {"role": "user", "content": next(p for p, t in zip(model.prompts, model.questions.tasks) if t == "tsp")}
    assert bodies[0] == bodies[1] == {
        "model": "stand-in", "stream": False, "temperature": 0.0, "max_tokens": 9,
        "messages": [{"role": "system", "content": "Be brief."}, prompt],
        "chat_template_kwargs": {"enable_thinking": False},
    }  # fmt: skip


def twin_answers(engine, model, share):
    """Prompts of the twins, each with the answer that is as good as the model's to the original."""
    asked = questions.twins_of(engine, model.questions, share, 1)
    rows = [model.questions.keys.index(key) for key in asked.originals]
    said = [model.answer_text(row) for row in rows]
    moved = (
        engine.relabel(model.questions[rows].instances, seed=1).answers([model.answers[row] for row in rows]).tolist()
    )
    return {prompt: text.replace(json.dumps(model.answers[row]), json.dumps(answer))
            for prompt, text, row, answer in zip(asked.prompts, said, rows, moved)}  # fmt: skip


def test_a_model_that_does_not_mind_numbers_loses_nothing_on_twins(model, engine, tmp_path):
    also = twin_answers(engine, model, 0.5)
    with StandIn(lambda request: also[request.prompt] if request.prompt in also else model.answer(request)) as server:
        assert bench(server, tmp_path / "run", twins=0.5) == 0
        assert len(server.requests) == 32 + 16
    report = report_of(tmp_path / "run")
    assert has_known_rates(report, model)
    assert report["twins"]["all"]["pairs"] == 8 and report["twins"]["tsp"]["pairs"] == 4
    for rate in ("sr", "qr", "optimal"):
        assert report["twins"]["all"][rate] == {"change": 0.0, "interval": [0.0, 0.0]}
    rows = rows_of(tmp_path / "run/twins.jsonl")
    assert len(rows) == 16 and all(":x:" in row["key"] and row["twin_of"] in model.questions.keys for row in rows)
    assert engine.from_json(rows[0]["task"], rows[0]["instance"]).keys == [rows[0]["key"]]


def test_a_model_that_knows_its_instances_by_heart_is_found_out_by_twins(model, tmp_path):
    with StandIn(lambda request: model.answer(request) if request.prompt in model.prompts else "no idea") as server:
        assert bench(server, tmp_path / "run", twins=0.25) == 0
    report = report_of(tmp_path / "run")
    assert has_known_rates(report, model) and report["twins"]["all"]["pairs"] == 4
    assert report["twins"]["all"]["sr"] == {"change": -1.0, "interval": [-1.0, -1.0]}
    quality = sum(q for row, q in enumerate(model.quality) if row % 8 in (0, 1)) / 4
    assert report["twins"]["all"]["qr"]["change"] == pytest.approx(-quality, abs=1e-7)


def test_twins_survive_a_kill_as_the_others_do(model, engine, tmp_path):
    whole, out = tmp_path / "whole", tmp_path / "cut"
    also = twin_answers(engine, model, 0.5)
    with StandIn(lambda request: also[request.prompt] if request.prompt in also else model.answer(request)) as server:
        for run in (whole, out):
            assert bench(server, run, twins=0.5) == 0
        for name in ("rollouts.jsonl", "twins.jsonl"):
            lines = (out / name).read_bytes().splitlines(keepends=True)
            (out / name).write_bytes(b"".join(lines[5:-1]) + lines[-1][:20])
        asked = len(server.requests)
        assert bench(server, out, "--resume", twins=0.5) == 0
        assert len(server.requests) - asked == 6 + 6
    assert (out / "report.json").read_bytes() == (whole / "report.json").read_bytes()


@pytest.mark.parametrize("more, words", [
    (["--count", "0"], "count: is 0"), (["--samples", "-1"], "samples: is -1"), (["--tasks", "chess"], "chess"),
    (["--level", "silly"], "silly"), (["--format", "none"], "none"), (["--concurrency", "0"], "concurrency"),
    (["--max-prompt-chars", "9"], "no effect without --calibrate"), (["--twins", "2"], "twins"),
    (["--calibrate", "--level", "easy"], "no effect beside --calibrate"), (["--set", "/none"], "none"),
    (["--base-url", "ftp://x"], "http://HOST"), (["--api-key-env", "NOT_THERE"], "NOT_THERE is not set"),
])  # fmt: skip
def test_wrong_options_are_refused_by_name(tmp_path, monkeypatch, capsys, more, words):
    monkeypatch.chdir(tmp_path)
    code = main(["bench-model", "--base-url", "http://127.0.0.1:9/v1", "--model", "m", "--format", "forge", *more])
    assert code in (2, 3) and words in capsys.readouterr().err and os.listdir(tmp_path) == []


def test_the_name_has_a_dash_and_help_has_examples():
    done = subprocess.run([ENTRY, "bench-model", "--help"], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "Usage: optgap bench-model" in done.stdout and "Examples:" in done.stdout
    assert subprocess.run([ENTRY, "bench-nothing"], capture_output=True, check=False).returncode == 2
