"""The stand-in server speaks the protocol: what other tests rely on."""

import http.client
import json

import pytest
from stand_in_server import MODES, TEXT, Reply, StandIn


def post(server, path="chat/completions", **fields):
    body = {"model": "stand-in", "messages": [{"role": "user", "content": "hello"}], **fields}
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.request("POST", f"/v1/{path}", json.dumps(body))
    answer = connection.getresponse()
    try:
        return answer.status, answer.read()
    finally:
        connection.close()


def test_it_answers_by_the_prompt_and_remembers_what_was_asked():
    with StandIn(lambda request: request.prompt[::-1]) as server:
        status, body = post(server)
        assert status == 200 and json.loads(body)["choices"][0]["message"]["content"] == "olleh"
        status, body = post(server, "completions", messages=None, prompt="abc")
        assert status == 200 and json.loads(body)["choices"][0]["text"] == "cba"
        assert [request.prompt for request in server.requests] == ["hello", "abc"]


def test_a_model_that_is_not_served_is_an_error():
    with StandIn(models=["only"]) as server:
        assert post(server)[0] == 404 and post(server, model="only")[0] == 200


@pytest.mark.parametrize("mode", ["failing_500", "failing_429", "garbage"])
def test_what_fails_at_first_is_answered_later(mode):
    with StandIn(mode=mode) as server:
        first, second = post(server), post(server)
        assert TEXT.encode() not in first[1] and json.loads(second[1])["choices"][0]["message"]["content"] == TEXT
        assert [request.attempt for request in server.requests] == [0, 1]


def test_connections_are_dropped():
    with StandIn(mode="dropped") as server, pytest.raises(http.client.RemoteDisconnected):
        post(server)
    with StandIn(mode="dropped_in_the_middle") as server, pytest.raises(http.client.IncompleteRead):
        post(server)


def test_events_add_up_to_the_text():
    with StandIn(lambda request: Reply(text="abcdefgh", reasoning="hm"), mode="streaming") as server:
        lines = [line[6:] for line in post(server)[1].decode().split("\n\n") if line.startswith("data: ")]
        assert lines.pop() == "[DONE]"
        deltas = [part["delta"] for line in lines for part in json.loads(line)["choices"]]
        assert "".join(delta.get("content", "") for delta in deltas) == "abcdefgh"
        assert "".join(delta.get("reasoning_content", "") for delta in deltas) == "hm"


def test_every_mode_can_be_had_by_name():
    for mode in MODES:
        with StandIn(mode=mode) as server:
            assert server.port > 0
