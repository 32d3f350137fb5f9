"""An environment that does whatever its answer says: the worst that a row can bring."""

import contextlib
import ctypes
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

HELD = []


class Hostile:
    version = "1"

    def generate(self, level, seed):
        if level == 99:
            time.sleep(1000)
        if level == 98:
            return {"huge": "x" * (2 << 20)}, "too much"
        if level == 97:
            return {"object": object()}, "no JSON"
        if level == 96:
            return "no pair"
        return {"seed": seed, "kept": [1, 2]}, "Say something."

    def verify(self, problem, text):
        deed, _, argument = text.partition(" ")
        if deed == "mutate":
            problem["kept"].append(3)
            return {"reward": 1.0}
        assert problem["kept"] == [1, 2], "somebody changed the problem"
        return getattr(self, deed)(argument)

    def good(self, argument):
        return {"reward": 1.0}

    def bad(self, argument):
        return {"reward": -1}

    def half(self, argument):
        return {"reward": 0.0, "correct": False}

    def hang(self, argument):
        while True:
            pass

    def sleep_uninterrupted(self, argument):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(1000)

    def exit(self, argument):
        os._exit(0)

    def sysexit(self, argument):
        sys.exit(3)

    def segfault(self, argument):
        ctypes.string_at(0)

    def leak(self, argument):
        while True:
            HELD.append(bytes(128 << 20))  # not touched: the limit is of addresses, and must come before the clock

    def hold(self, argument):
        HELD.append(b"x" * (int(argument) << 20))
        return {"reward": 1.0}

    def flood(self, argument):
        for _ in range(200):
            os.write(1, b"x" * (1 << 16))
            os.write(2, b"x" * (1 << 16))
        return {"reward": 1.0}

    def fork(self, argument):
        if os.fork() == 0:
            os.setsid()
            time.sleep(1000)
        return {"reward": 1.0}

    def fork_and_die(self, argument):
        if os.fork() == 0:
            os.setsid()
            time.sleep(1000)
        os._exit(1)

    def fork_twice(self, argument):
        os.fork()
        return {"reward": 1.0}

    def spawn(self, argument):
        subprocess.Popen(["sleep", "1000"], start_new_session=True)
        time.sleep(1000)

    def nan(self, argument):
        return {"reward": float("nan")}

    def infinite(self, argument):
        return {"reward": float("inf")}

    def large(self, argument):
        return {"objective": 10**400, "sense": "maximise"}

    def larger(self, argument):
        return {"reward": 10**5000}

    def seven(self, argument):
        return {"reward": 7}

    def text(self, argument):
        return "right"

    def nothing(self, argument):
        return None

    def true(self, argument):
        return {"reward": True}

    def unknown(self, argument):
        return {"reward": 1, "bonus": 2}

    def both(self, argument):
        return {"reward": 1, "objective": 2}

    def objective(self, argument):
        return {"objective": 3, "sense": "minimise"}

    def huge(self, argument):
        return {"reward": 1.0, "code": "x" * (8 << 20)}

    def deep(self, argument):
        nested = []
        for _ in range(100_000):
            nested = [nested]
        return {"reward": 1.0, "code": nested}

    def unsayable(self, argument):
        return {"reward": object()}

    def raises(self, argument):
        raise RuntimeError("no such answer")

    def raises_more(self, argument):
        class Vile(Exception):
            def __str__(self):
                raise self

        raise Vile

    def close(self, argument):
        os.closerange(3, 64)
        return {"reward": 1.0}

    def babble(self, argument):
        for descriptor in range(3, 64):
            with contextlib.suppress(OSError):
                os.write(descriptor, b"\xff" * 64)
        time.sleep(1000)

    def forge_reply(self, argument):
        reply = json.dumps({"id": int(argument), "value": [{"reward": 1.0}, None]}).encode()
        for descriptor in range(3, 64):
            with contextlib.suppress(OSError):
                os.write(descriptor, len(reply).to_bytes(8, "big") + reply)
        return {"reward": -1.0}

    def network(self, argument):
        import socket

        socket.create_connection(("127.0.0.1", int(argument)), timeout=1).close()
        return {"reward": 1.0}

    def write(self, argument):
        with open(argument, "w") as file:
            file.write("I was here")
        return {"reward": 1.0}

    def random_device(self, argument):
        with open("/dev/urandom", "rb", buffering=0) as device:
            return {"reward": 1.0 if len(device.read(8)) == 8 else -1}

    def read(self, argument):
        with open(argument) as file:
            file.read(1)
        return {"reward": 1.0}

    def thread(self, argument):
        one = threading.Thread(target=HELD.append, args=("by a thread",))
        one.start()
        one.join()
        return {"reward": 1.0 if HELD.pop() == "by a thread" else -1.0}

    def temporary(self, argument):
        with tempfile.NamedTemporaryFile(delete=False) as file:
            for _ in range(int(argument)):
                file.write(bytes(1 << 20))
        return {"reward": 1.0}

    def process(self, argument):
        return {"reward": 1.0, "code": f"{os.getpid()} {id(HELD)}"}

    def environment(self, argument):
        return {"reward": 1.0 if argument in os.environ else -1.0}

    def random(self, argument):
        return {"reward": random.random()}
