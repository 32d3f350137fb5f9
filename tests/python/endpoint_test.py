"""The client of OpenAI-compatible servers, against the stand-in."""

import json
import os
import socket
import threading
import time

import pytest
from stand_in_server import TEXT, Reply, StandIn, error

import optgap
from optgap.measure.endpoint import Endpoint, Refused, RequestFailed, Unreachable, completion_of
from optgap.measure.endpoint.messages import text_of
from optgap.measure.endpoint.replies import Reply as ReplyRead, reply_of

HELLO = [{"role": "user", "content": "hello"}]
KEY = "sk-a-secret-that-stays-here"


def asked(answer=lambda request: TEXT, mode="instant", **options):
    """The reply to one request, and the server that gave it."""
    with StandIn(answer, mode) as server, Endpoint(server.base_url, "stand-in", pause=0.01, **options) as client:
        return client.chat(HELLO), server


@pytest.mark.parametrize("mode", ["instant", "slow", "streaming", "failing_500", "failing_429", "dropped", "garbage",
                                  "dropped_in_the_middle", "wrong_model", "no_usage"])  # fmt: skip
def test_in_every_mode_that_ends_well_the_text_arrives_whole(mode):
    reply, server = asked(mode=mode)
    assert (reply.text, reply.reasoning, reply.finish) == (TEXT, None, "stop")
    assert reply.usage == ({} if mode == "no_usage" else {"prompt_tokens": 10, "completion_tokens": 5})
    assert reply.model == ("some-other-model" if mode == "wrong_model" else "stand-in")
    again = mode.startswith(("failing", "dropped", "garbage"))
    assert len(server.requests) == reply.attempts == (2 if again else 1)


def test_fields_are_sent_and_none_leaves_one_out():
    with StandIn() as server, Endpoint(server.base_url, "m", body={"max_tokens": 7, "top_p": 0.5}) as client:
        client.chat(HELLO, seed=3, top_p=None)
        assert server.requests[0].body == {
            "model": "m", "messages": HELLO, "stream": False, "max_tokens": 7, "seed": 3,
        }  # fmt: skip


@pytest.mark.parametrize("mode", ["truncated", "tool_calls", "null_content"])
def test_ways_to_finish(mode):
    reply, _ = asked(mode=mode)
    assert reply.finish == ("length" if mode == "truncated" else "stop")
    assert reply.text == ("" if mode == "null_content" else TEXT)


@pytest.mark.parametrize("name", ["max_tokens", "max_completion_tokens"])
def test_a_reply_that_used_up_its_limit_was_cut_off_whatever_the_server_says(name):
    for limit, finish, found in (
        (5, "stop", "length"),
        (6, "stop", "stop"),
        (4, None, "length"),
        (5, "content_filter", "abort"),
    ):
        reply, _ = asked(lambda request, finish=finish: Reply(finish=finish), body={name: limit})
        assert reply.finish == found, (limit, finish)
    reply, _ = asked(mode="no_usage", body={name: 1})
    assert reply.finish == "stop"


def test_content_in_parts_and_refusals_are_read():
    parts = [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "[1]"}]
    for message, wanted in (
        ({"content": parts}, ("[1]", "hm")),
        ({"content": None, "refusal": "I would rather not"}, ("I would rather not", None)),
        ({"content": 7, "reasoning": "a", "reasoning_content": None}, ("", "a")),
    ):
        raw = json.dumps({"choices": [{"message": message, "finish_reason": "eos"}], "usage": {"prompt_tokens": -1}})
        reply, _ = asked(lambda request, raw=raw: Reply(raw=raw.encode()))
        assert (reply.text, reply.reasoning) == wanted and reply.finish == "stop" and reply.usage == {}


@pytest.mark.parametrize("format", [name for name in optgap.formats() if name.split("_")[-1] not in ("boxed", "line")])
@pytest.mark.parametrize("mode", ["reasoning_content", "reasoning", "streaming"])
def test_reasoning_stands_before_the_answer_and_is_never_read_for_one(engine, format, mode):
    instances = engine.generate("tsp", "d0")
    draft, best = [0, 1, 2, 3, 4], engine.solve(instances).answers.tolist()[0]
    held = Reply(f"<answer>{best}</answer>", f"perhaps <answer>{draft}</answer>, no")
    reply, _ = asked(lambda request: held, mode)
    scores = engine.score(instances, [completion_of(reply, format)], format=format)
    assert scores.optimal[0] and scores.answers.tolist() == [best]
    reply, _ = asked(lambda request: Reply(None, f"it is <answer>{best}</answer>", finish="length"))
    scores = engine.score(instances, [completion_of(reply, format)], format=format, finish=[reply.finish])
    assert scores.codes == ["truncated"] and completion_of(reply, format).endswith("</answer>")  # its reasoning is open


@pytest.mark.parametrize(
    ("content", "reasoning"),
    [
        ("{part}", "It is short."),
        ("{part}", "<think>It is short.</think>"),  # a parser that leaves the markers
        ("</think>\n{part}", "It is short."),  # one that leaves the closing marker
        ("<think>It is\nshort.</think>{part}", " It is short. "),  # said twice, wrapped otherwise
        ("<think>It is short.</think>{part}", "It is short."),  # said twice
        ("\n<think>It is short.</think>{part}", ""),
    ],
)
@pytest.mark.parametrize("format", ["forge", "forge_prefilled", "answer_only"])
def test_reasoning_that_arrives_twice_or_half_is_one_part(engine, content, reasoning, format):
    instances = engine.generate("tsp", "d0")
    best = engine.solve(instances).answers.tolist()[0]
    said = ReplyRead(content.format(part=f"<answer>{best}</answer>"), reasoning, "stop")
    completion = completion_of(said, format)
    assert engine.score(instances, [completion], format=format).codes == ["ok"], completion


@pytest.mark.parametrize(
    "written",
    ["<think>One.</think><think>Two.</think>{part}", "<think>A closing </think> in it.</think>{part}"],
)
@pytest.mark.parametrize("format", ["forge", "forge_prefilled"])
def test_what_a_server_took_apart_is_judged_as_it_was_written(engine, written, format):
    instances = engine.generate("tsp", "d0")
    best = engine.solve(instances).answers.tolist()[0]
    whole = written.format(part=f"<answer>{best}</answer>")
    head, _, content = whole.removeprefix("<think>").partition("</think>")
    completion = completion_of(ReplyRead(content, head, "stop"), format)
    if format == "forge_prefilled":
        whole = whole.removeprefix("<think>")
    assert completion == whole
    assert engine.score(instances, [completion], format=format).codes != ["ok"]


@pytest.mark.parametrize("format", ["answer_only", "boxed", "answer_line"])
def test_a_call_of_a_tool_that_is_named_for_an_answer_is_one(engine, format):
    instances = engine.generate("tsp", "d0")
    best = json.dumps(engine.solve(instances).answers.tolist()[0])
    call = {"type": "function", "function": {"name": "submit_answer", "arguments": json.dumps({"answer": best})}}
    for calls, code in (
        ([call], "ok"),
        ([call, call], "missing_answer"),
        ([{**call, "function": {"name": "search"}}], "missing_answer"),
    ):
        message = {"role": "assistant", "content": None, "tool_calls": calls}
        body = json.dumps({"choices": [{"message": message, "finish_reason": "tool_calls"}]}).encode()
        completion = completion_of(reply_of(body), format)
        assert engine.score(instances, [completion], format=format).codes[0].endswith(code), completion
        assert text_of([message], format) == completion


def test_a_text_without_a_format_is_what_stands_behind_the_reasoning():
    said = {"role": "assistant", "content": "The Moon pulls.", "reasoning_content": "so"}
    call = {"type": "function", "function": {"name": "submit_answer", "arguments": '{"answer": "[0]"}'}}
    assert text_of([{"role": "user", "content": "Why?"}, said], "") == "The Moon pulls."
    assert text_of([{"role": "assistant", "content": None, "tool_calls": [call]}], "") == ""


def test_a_format_without_reasoning_gets_the_content_alone():
    reply, _ = asked(mode="reasoning")
    assert completion_of(reply, {"format": "answer_only", "reasoning": "none"}) == TEXT


@pytest.mark.parametrize("status, words", [(401, "--api-key-env"), (403, "--api-key-env"), (404, "it serves stand-in"),
                                           (402, "nothing left"), (307, "--base-url")])  # fmt: skip
def test_what_will_not_get_better_ends_the_run_with_the_fix(status, words):
    with pytest.raises(Refused, match=words) as caught:
        asked(lambda request: error(status, "no luck"))
    assert status == 307 or "no luck" in str(caught.value)


def test_a_bad_request_fails_alone_with_the_servers_sentence():
    with pytest.raises(RequestFailed, match="the server says 400: the prompt is too long") as caught:
        asked(lambda request: error(400, "the prompt is too long"))
    assert caught.value.http_status == 400


@pytest.mark.parametrize("mode, words", [("always_500", "500: out of luck for good"), ("always_garbage", "no message")])
def test_what_never_gets_better_fails_after_as_many_attempts(mode, words):
    with pytest.raises(RequestFailed, match=words) as caught:
        asked(mode=mode, attempts=3)
    assert "after 3 attempts" in str(caught.value)


def test_retry_after_is_waited_for():
    def answer(request):
        return error(503, "wait", **{"Retry-After": "0.3"}) if request.attempt == 0 else TEXT

    began = time.monotonic()
    asked(answer)
    assert 0.3 <= time.monotonic() - began < 5


def test_a_rate_limit_has_a_count_of_its_own():
    reply, _ = asked(
        lambda request: error(429, "slowly", **{"Retry-After": "0"}) if request.attempt < 5 else TEXT, attempts=2
    )
    assert reply.attempts == 6


def test_nobody_there():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with (
        Endpoint(f"http://127.0.0.1:{port}/v1", "m", pause=0.01) as client,
        pytest.raises(Unreachable, match="no server"),
    ):
        client.chat(HELLO)


def test_bytes_that_dribble_in_do_not_stretch_the_time_limit():
    """A server that sends a header's letter now and then never lets a socket time out."""
    listening = socket.create_server(("127.0.0.1", 0))
    ended = threading.Event()

    def dribble():
        while not ended.is_set():
            held, _ = listening.accept()
            threading.Thread(target=letters, args=(held,), daemon=True).start()

    def letters(held):
        with held:
            try:
                held.recv(1 << 16)
                held.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
                for _ in range(60):
                    if ended.wait(0.05):
                        break
                    held.sendall(b"x")
            except OSError:
                pass

    threading.Thread(target=dribble, daemon=True).start()
    began = time.monotonic()
    address = f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
    with Endpoint(address, "m", timeout=0.4, pause=0.01) as client, pytest.raises(RequestFailed, match="within 0.4 s"):
        client.chat(HELLO)
    ended.set()
    assert time.monotonic() - began < 5


def test_a_body_without_end_is_refused(monkeypatch):
    monkeypatch.setattr("optgap.measure.endpoint.connection.LARGEST_BODY", 1000)
    with pytest.raises(RequestFailed, match="longer than"):
        asked(lambda request: "x" * 2000, attempts=2)


def test_the_key_is_sent_and_never_said(monkeypatch):
    monkeypatch.setenv("A_KEY", KEY)
    reply, server = asked(lambda request: Reply(f"you are {KEY}", f"{KEY}", model=KEY), api_key_env="A_KEY")
    assert server.requests[0].headers["Authorization"] == f"Bearer {KEY}" and KEY not in repr(reply)
    with pytest.raises(Refused) as caught:
        asked(lambda request: error(401, f"wrong key {KEY}"), api_key_env="A_KEY")
    assert KEY not in str(caught.value) and "A_KEY" in str(caught.value)


def test_wrong_options_are_refused_by_name(monkeypatch):
    monkeypatch.delenv("NO_KEY", raising=False)
    for address, words in (
        ("localhost:8000", "http://HOST"),
        ("http://u:p@h/v1", "password"),
        ("http://h:x/v1", "ort"),
    ):
        with pytest.raises(optgap.Error, match=words):
            Endpoint(address, "m")
    with pytest.raises(optgap.Error, match="NO_KEY is not set"):
        Endpoint("http://h/v1", "m", api_key_env="NO_KEY")


def test_many_are_asked_at_a_time_over_connections_that_stay_open():
    with StandIn(lambda request: Reply(request.prompt, delay=0.005)) as server:
        with Endpoint(server.base_url, "m", concurrency=8) as client:
            requests = [(row, [{"role": "user", "content": str(row)}], {"seed": row}) for row in range(100)]
            replies = dict(client.ask(iter(requests)))
            assert {row: reply.text for row, reply in replies.items()} == {row: str(row) for row in range(100)}
            again = dict(client.ask(requests[:8]))
        assert len(again) == 8 and 4 < server.max_at_once <= 8 and server.connections <= 8


def test_a_failure_is_a_row_and_a_refusal_the_end():
    by = StandIn(lambda request: error(400, "not this") if request.prompt == "3" else TEXT)
    with by as server, Endpoint(server.base_url, "m", concurrency=3) as client:
        said = dict(client.ask((row, [{"role": "user", "content": str(row)}]) for row in range(6)))
    assert [row for row, reply in said.items() if isinstance(reply, RequestFailed)] == [3]
    with StandIn(mode="unauthorised") as server, Endpoint(server.base_url, "m") as client, pytest.raises(Refused):
        dict(client.ask((row, HELLO) for row in range(1000)))


def test_ending_early_does_not_wait_for_the_server():
    with StandIn(lambda request: Reply(delay=0.0 if request.prompt == "0" else 30.0)) as server:
        client = Endpoint(server.base_url, "m", concurrency=4)
        began = time.monotonic()
        for row, _ in client.ask((row, [{"role": "user", "content": str(row)}]) for row in range(10)):
            assert row == 0
            break
        client.close()
        assert time.monotonic() - began < 5


def test_proxies_of_the_environment_are_used_but_not_for_this_machine(monkeypatch):
    with StandIn() as proxy, StandIn() as server:
        monkeypatch.setenv("http_proxy", f"http://name:word@127.0.0.1:{proxy.port}")
        monkeypatch.delenv("no_proxy", raising=False)
        for host in ("127.0.0.1", "localhost"):
            with Endpoint(f"http://{host}:{server.port}/v1", "m") as client:
                client.chat(HELLO)
        with Endpoint("http://model.invalid/v1", "m") as client:
            client.chat(HELLO)
        assert len(server.requests) == 2 and len(proxy.requests) == 1
        assert proxy.requests[0].path == "http://model.invalid/v1/chat/completions"
        assert proxy.requests[0].headers["Proxy-Authorization"].startswith("Basic ")
    assert "http_proxy" in os.environ
