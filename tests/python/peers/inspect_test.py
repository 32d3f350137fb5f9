"""Inspect's own command on our tasks: every number is the engine's of the same texts."""

import asyncio
import json

import numpy as np
import pytest
from inspect_ai.model import ChatMessageAssistant, ContentReasoning, ContentText, ModelOutput
from inspect_ai.scorer import Target
from inspect_ai.solver import TaskState
from known import VALUES, Known, blocks, means, of_task

from optgap.data.benchmark_set import benchmark_set
from optgap.measure.evaluators import inspect_ai as adapter

(BLOCK,) = blocks("Inspect", "console")
SETTINGS, FORGE, ANY = BLOCK.replace("\\\n", " ").splitlines()


def log_of(folder):
    (path,) = (folder / "logs").glob("*.json")
    return json.loads(path.read_text(encoding="utf-8"))


def check(log, known, scored, epochs=1):
    assert log["status"] == "success" and len(log["samples"]) == epochs * len(known.rows)
    for sample in log["samples"]:
        assert sample["scores"]["verdict"]["value"] == scored[sample["id"]]
    assert 0 < means(scored)["sr"] < 1, "rows that are all right or all wrong show little"
    for score in log["results"]["scores"]:
        name, metrics = score["name"], {key: of["value"] for key, of in score["metrics"].items()}
        assert metrics["mean"] == means(scored)[name]
        values = [of[name] for of in scored.values()]
        assert metrics["stderr"] == pytest.approx(np.std(values, ddof=1) / np.sqrt(len(values)), abs=1e-15)
        for task in {key.split("@")[0] for key in scored}:
            assert metrics[f"optgap/by_task_{task}"] == means(of_task(scored, task))[name]
            assert f"optgap/by_task_{task}_stderr" in metrics
    assert [score["name"] for score in log["results"]["scores"]] == list(VALUES)


def test_the_benchmark_has_the_engines_numbers(run, server, tmp_path):
    known = Known("forge")
    server.replies.update(known.replies)
    printed = run(f"{SETTINGS}\n{FORGE}", [("forge_bench", "forge_bench -T count=10 -T tasks=tsp,knapsack,set_cover")])
    log = log_of(tmp_path)
    check(log, known, known.scored(known.texts, known.finish))
    assert "sr" in printed and len(server.requests) == len(known.rows)
    sample = next(sample for sample in log["samples"] if sample["id"] == known.rows[0]["key"])
    assert {"key", "task", "level", "format", "objective", "bound", "proven"} <= sample["metadata"].keys()
    said = sample["scores"]["verdict"]["metadata"]
    assert said["finish"] == "stop" and said["code"] == 0
    assert len(said["fingerprint"]) == 16 and said["fingerprint"] == log["eval"]["metadata"]["fingerprint"]


def test_any_tasks_level_and_format_with_several_samples(run, server, tmp_path):
    known = Known("answer_only", "hard", 10, ("tsp", "knapsack"))
    server.replies.update(known.replies)
    run(f"{SETTINGS}\n{ANY}", [("count=50", "count=10"), ("samples=4", "samples=2")])
    check(log_of(tmp_path), known, known.scored(known.texts, known.finish), epochs=2)
    assert {request.body["temperature"] for request in server.requests} == {0.6}
    assert len(server.requests) == 2 * len(known.rows)


def scored_by_inspect(row, output):
    """The adapter's scorer on what a provider returned, as (sr, how it finished, the text that was read)."""
    sample = adapter._sample(row)
    state = TaskState(
        model="local/fake", sample_id=sample.id, epoch=1, input=sample.input, messages=[], output=output,
        metadata=sample.metadata,
    )  # fmt: skip
    score = asyncio.run(adapter.verdict()(state, Target(sample.target)))
    return score.value["sr"], score.metadata["finish"], score.answer


def test_how_generation_ended_counts():
    (row,) = benchmark_set("tsp", "easy", 1, format="boxed")["tsp"]
    text = f"\\boxed{{{json.dumps(row['answer'])}}} is what I take"
    for reason, finish, sr in (("stop", "stop", 1), ("max_tokens", "length", 0), ("model_length", "length", 0),
                               ("content_filter", "unknown", 1)):  # fmt: skip
        assert scored_by_inspect(row, ModelOutput.from_content("fake", text, stop_reason=reason)) == (sr, finish, text)
    assert scored_by_inspect(row, ModelOutput(model="fake")) == (0, "unknown", "")


def test_a_text_that_used_up_its_tokens_was_cut_off():
    from inspect_ai.model import ModelUsage
    from inspect_ai.model._generate_config import GenerateConfig, set_active_generate_config

    (row,) = benchmark_set("tsp", "easy", 1, format="boxed")["tsp"]
    text = f"\\boxed{{{json.dumps(row['answer'])}}} is what I take"
    output = ModelOutput.from_content("fake", text, stop_reason="stop")
    output.usage = ModelUsage(output_tokens=5)
    for limit, finish, sr in ((None, "stop", 1), (6, "stop", 1), (5, "length", 0), (4, "length", 0)):
        set_active_generate_config(GenerateConfig(max_tokens=limit))
        assert scored_by_inspect(row, output) == (sr, finish, text)
    set_active_generate_config(GenerateConfig())


def test_reasoning_stands_in_front_where_the_format_requires_it():
    for format, put_back in (("forge", "<think>hm</think>"), ("answer_only", "")):
        (row,) = benchmark_set("tsp", "easy", 1, format=format)["tsp"]
        answer = f"<answer>{json.dumps(row['answer'])}</answer>"
        parts = [ContentReasoning(reasoning="hm"), ContentText(text=answer)]
        message = ModelOutput.from_message(ChatMessageAssistant(content=parts))
        assert scored_by_inspect(row, message) == (1, "stop", put_back + answer)


def test_the_tasks_are_the_papers_ten_and_any():
    ten = adapter.forge_bench(count=1)
    assert len(ten.dataset) == 10 and {sample.metadata["level"] for sample in ten.dataset} == {"benchmark"}
    assert len(adapter.tasks(count=1, level="easy").dataset) > 10
    with pytest.raises(Exception, match="no task is named 'tps'"):
        adapter.tasks(tasks="tps")
