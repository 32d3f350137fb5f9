"""The guard of these tests: who leaves the machine is found, also when nobody hears of the failure."""

import pytest


def test_a_connection_that_leaves_this_machine_fails_the_test(run):
    for call in ("socket.create_connection(('example.com', 80), 1)", "socket.socket().connect(('192.0.2.1', 80))"):
        with pytest.raises(AssertionError, match="left this machine: (example.com|192.0.2.1)"):
            run(f'python -c "import contextlib, socket\nwith contextlib.suppress(OSError): {call}"')
        run.log.unlink()


def test_the_server_of_these_tests_may_be_called(run, server):
    server.replies["hello"] = "hi"
    body = '{"model": "m", "messages": [{"role": "user", "content": "hello"}]}'
    call = f"urllib.request.urlopen('http://localhost:8000/v1/chat/completions', b'{body}').read()"
    assert "hi" in run(f"python - <<'END'\nimport urllib.request\nprint({call})\nEND")
