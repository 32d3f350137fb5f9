"""`optgap bench-model` by batch files: the report of a server, whatever order, errors and third parties the replies have."""

import json
import random

import pytest
from in_process import main
from known_model import KnownModel
from stand_in_server import Request, StandIn

from optgap.measure.benchmark.batch_files import custom_id, said_in
from optgap.measure.endpoint import Reply

TASKS = ["knapsack", "tsp"]


@pytest.fixture(scope="module")
def model(engine):
    return KnownModel(engine, TASKS)


def arguments(out, *more, twins="0", samples="2"):
    return ["bench-model", "--model", "stand-in", "--out", str(out), "--device", "cpu", "--samples", samples, "--quiet",
            "--twins", twins, "--tasks", ",".join(TASKS), "--level", "easy", "--count", "8", "--format", "forge", *more]  # fmt: skip


def rows_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def written(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def answered(model, request):
    """A line as `vllm run-batch` and OpenAI's batches write it."""
    prompt = request["body"]["messages"][-1]["content"]
    text = model.answer(Request("", {}, {}, prompt, 0, 0)) if isinstance(model, KnownModel) else model
    body = {
        "object": "chat.completion", "model": "stand-in", "usage": {"prompt_tokens": 10, "completion_tokens": 5},
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
    }  # fmt: skip
    response = {"status_code": 200, "request_id": "r", "body": body}
    return {"id": "b", "custom_id": request["custom_id"], "response": response, "error": None}


def refused(request, status=400):
    body = {"error": {"message": "too long for me", "code": "context_length"}}
    return {"custom_id": request["custom_id"], "response": {"status_code": status, "body": body}, "error": None}


def expired(request):
    return {
        "custom_id": request["custom_id"],
        "response": None,
        "error": {"code": "batch_expired", "message": "too late"},
    }


def requests_of(tmp_path, *more, **options):
    file = tmp_path / "requests.jsonl"
    assert main(arguments(tmp_path / "run", "--write-requests", str(file), *more, **options)) == 0
    return rows_of(file)


def read(tmp_path, *files, **options):
    return main(arguments(tmp_path / "run", "--resume", "--read-replies", *files, **options))


def test_the_report_is_that_of_a_server_to_the_byte(model, tmp_path):
    requests = requests_of(tmp_path)
    replies = [answered(model, request) for request in requests]
    random.Random(1).shuffle(replies)
    assert read(tmp_path, written(tmp_path / "a.jsonl", replies[:7]), written(tmp_path / "b.jsonl", replies[7:])) == 0
    with StandIn(model.answer) as server:
        assert main(arguments(tmp_path / "served", "--base-url", server.base_url)) == 0
        sent = sorted(
            json.dumps({k: v for k, v in request.body.items() if k != "stream"}) for request in server.requests
        )
    assert sorted(json.dumps(request["body"]) for request in requests) == sent
    assert (tmp_path / "run/report.json").read_bytes() == (tmp_path / "served/report.json").read_bytes()


def test_requests_have_the_form_of_a_batch_and_names_of_their_own(model, tmp_path):
    requests = requests_of(tmp_path, "--extra-body", '{"max_tokens": null, "top_k": 5}', "--system", "be brief", "--request-seed",
                           "3", twins="0.5")  # fmt: skip
    names = [request["custom_id"] for request in requests]
    assert len(set(names)) == len(names) == 2 * (16 + 8)
    assert all(len(name) < 64 and set(name) <= set("0123456789abcdef-") for name in names)
    for request in requests:
        assert (request["method"], request["url"]) == ("POST", "/v1/chat/completions")
        body = request["body"]
        assert (body["model"], body["top_k"], body["messages"][0]["content"]) == ("stand-in", 5, "be brief")
        assert "max_tokens" not in body and "stream" not in body
    seeds = [request["body"]["seed"] for request in requests]
    assert len(set(seeds)) == len(seeds)


def test_what_failed_or_never_came_is_counted_and_written_again(model, tmp_path, capsys):
    requests = requests_of(tmp_path)
    replies = [answered(model, request) for request in requests]
    replies[0], replies[5], replies[9] = (
        refused(requests[0]),
        expired(requests[5]),
        {"custom_id": requests[9]["custom_id"]},
    )
    assert read(tmp_path, written(tmp_path / "some.jsonl", replies[:-4])) == 1
    whole = json.loads((tmp_path / "run/report.json").read_text())["all"]
    assert (whole["rollouts"], whole["errors"]) == (len(requests) - 7, 3)
    errors = [row["error"] for row in rows_of(tmp_path / "run/rollouts.jsonl") if "error" in row]
    assert [error.partition(", ")[2] for error in errors] == ["line 1: status 400: too long for me", "line 6: too late",
                                                              "line 10: no response"]  # fmt: skip
    assert "3 requests failed for good" in capsys.readouterr().err
    left = requests_of(tmp_path, "--resume")
    assert {row["custom_id"] for row in left} == {requests[n]["custom_id"] for n in (0, 5, 9, 28, 29, 30, 31)}
    assert read(tmp_path, written(tmp_path / "rest.jsonl", [answered(model, request) for request in left])) == 0
    assert json.loads((tmp_path / "run/report.json").read_text())["all"]["rollouts"] == len(requests)


def test_an_error_beside_an_answer_and_a_second_answer_count_nothing(model, tmp_path):
    requests = requests_of(tmp_path)
    replies = [answered(model, request) for request in requests]
    again = [answered("<think>x</think><answer>[999]</answer>", request) for request in requests]
    assert read(tmp_path, written(tmp_path / "all.jsonl", [*map(refused, requests), *replies, *again])) == 0
    whole = json.loads((tmp_path / "run/report.json").read_text())["all"]
    assert (whole["sr"], whole["errors"]) == (0.5, 0)


def test_foreign_and_broken_replies_are_told_and_lose_nothing(model, tmp_path, capsys):
    requests = requests_of(tmp_path)
    lines = [json.dumps(answered(model, request)) for request in requests]
    hostile = [
        "",
        "{",
        "[" * 100000,
        "3",
        json.dumps({"custom_id": ["x"]}),
        json.dumps({"custom_id": "0-0-0-0"}),
        "\x00",
    ]
    file = tmp_path / "mixed.jsonl"
    file.write_bytes("\n".join([*hostile, *lines]).encode() + b"\n\xff\xfe\n")
    loud = [word for word in arguments(tmp_path / "run", "--resume", "--read-replies", str(file)) if word != "--quiet"]
    assert main(loud) == 1
    said = capsys.readouterr().err
    assert (
        "2 lines answer no open question" in said
        and "5 lines cannot be read, the first: " + str(file) + ", line 2" in said
    )
    assert json.loads((tmp_path / "run/report.json").read_text())["all"]["rollouts"] == len(requests)


def test_replies_of_other_questions_are_refused(model, tmp_path, capsys):
    foreign = [
        answered(model, {**request, "custom_id": request["custom_id"][:-1] + "x"}) for request in requests_of(tmp_path)
    ]
    assert read(tmp_path, written(tmp_path / "foreign.jsonl", foreign)) == 2
    assert "none of the 32 replies" in capsys.readouterr().err
    assert read(tmp_path, str(tmp_path / "absent.jsonl")) == 2
    assert "cannot be opened" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ((), "expected one of --base-url, --write-requests and --read-replies"),
        (("--base-url", "http://localhost:1/v1", "--write-requests", "r"), "expected one of"),
        (("--write-requests", "r", "--concurrency", "4"), "has no effect without --base-url"),
        (("--write-requests", "r", "--calibrate"), "expected --base-url"),
        (("--write-requests", "r", "--format", "auto"), "auto, which asks a server"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path, capsys, more, said):
    words = ["bench-model", "--model", "m", "--out", str(tmp_path / "run"), "--tasks", "tsp", *more]
    assert main(words) == 2
    assert said in capsys.readouterr().err and not (tmp_path / "run").exists()


def test_a_reply_may_stand_without_a_status():
    body = {"choices": [{"message": {"content": "yes"}, "finish_reason": "length"}]}
    assert said_in({"response": body}, "here") == Reply("yes", finish="length")
    assert "cannot be read" in str(said_in({"response": {"body": {"choices": []}}}, "here"))


def test_vllm_says_what_went_wrong_beside_a_body_of_null():
    row = {"response": {"status_code": 400, "request_id": "r", "body": None}, "error": "the prompt is too long"}
    assert str(said_in(row, "here")) == "here: status 400: the prompt is too long"
    assert str(said_in({**row, "error": {"message": "no room", "code": 400}}, "here")).endswith("no room")
    assert "cannot be read" in str(said_in({"response": {"status_code": 200, "body": None}, "error": None}, "here"))


def test_a_name_depends_on_all_that_is_asked():
    asked = [{"role": "user", "content": "a"}]
    names = [custom_id((0, (0, 0)), asked), custom_id((1, (0, 0)), asked), custom_id((0, (1, 0)), asked),
             custom_id((0, (0, 1)), asked), custom_id((0, (0, 0)), [{"role": "user", "content": "b"}])]  # fmt: skip
    assert len(set(names)) == 5
