"""Work in a forked child."""

import os
import time

import pytest


def in_child(work):
    """What `work` returns in a forked child, as text; a child that hangs is ended."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.write(writer, str(work()).encode())
            status = 0
        finally:
            os._exit(status)
    os.close(writer)
    deadline = time.monotonic() + 60
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        if time.monotonic() > deadline:
            os.kill(child, 9)
            os.waitpid(child, 0)
            pytest.fail("the child hangs")
        time.sleep(0.01)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    assert status == 0
    return text
