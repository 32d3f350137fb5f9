"""A headless Chromium over its debugging pipe (file descriptors 3 and 4, messages end in a zero byte): no package needed.

with Chromium(folder) as browser:
    browser.show(path, 400, "dark")
    browser.value("document.title")
"""

import base64
import itertools
import json
import os
import select
import shutil
import subprocess
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PROGRAM = next(filter(None, map(shutil.which, NAMES)), None)
LOUD = {"error", "warning", "assert"}


class Chromium:
    """One page in one process. `complaints` are console errors and exceptions, `requests` the requested addresses."""

    def __init__(self, folder):
        self.numbers = itertools.count(1)
        self.complaints, self.requests, self.ended = [], [], set()
        theirs_in, self.out = os.pipe()
        self.input, theirs_out = os.pipe()
        self.buffer = b""

        def connect():
            ends = [os.dup(theirs_in), os.dup(theirs_out)]  # 3 and 4 may be in use already
            for place, end in enumerate(ends, 3):
                os.dup2(end, place)

        # As root, as in containers, Chromium has no sandbox of its own. It loads only the project's own pages.
        self.process = subprocess.Popen(
            [
                PROGRAM,
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--hide-scrollbars",
                f"--user-data-dir={folder}",
                "--remote-debugging-pipe",
                "about:blank",
            ],
            preexec_fn=connect,
            close_fds=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self.session = None
        self.session = self.call("Target.attachToTarget", targetId=self._page(), flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.process.kill()
        self.process.wait()
        os.close(self.out)
        os.close(self.input)

    def call(self, method, **parameters):
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            found = self._message()
            if found.get("id") == number:
                if "error" in found:
                    raise RuntimeError(f"{method}: {found['error']['message']}")
                return found["result"]

    def _page(self, limit_s=60):
        """The first page's name. On a busy machine Chromium may answer before it has one."""
        end = time.monotonic() + limit_s
        while time.monotonic() < end:
            for one in self.call("Target.getTargets")["targetInfos"]:
                if one["type"] == "page":
                    return one["targetId"]
            time.sleep(0.05)
        raise TimeoutError("Chromium opens no page")

    def _message(self, limit_s=60):
        end = time.monotonic() + limit_s
        while b"\0" not in self.buffer:
            if not select.select([self.input], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError("Chromium does not answer")
            piece = os.read(self.input, 1 << 20)
            if not piece:
                raise RuntimeError("Chromium has ended")
            self.buffer += piece
        text, _, self.buffer = self.buffer.partition(b"\0")
        found = json.loads(text)
        self._note(found.get("method"), found.get("params", {}))
        return found

    def _note(self, method, of):
        if method == "Runtime.consoleAPICalled" and of["type"] in LOUD:
            self.complaints.append(json.dumps(of["args"]))
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(of["exceptionDetails"]["text"])
        elif method == "Log.entryAdded" and of["entry"]["level"] in LOUD:
            self.complaints.append(of["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(of["request"]["url"])
        elif method == "Page.loadEventFired":
            self.ended.add("load")

    def show(self, path, width, scheme):
        """Opens a file at a width, in light or dark mode; `complaints` and `requests` are reset."""
        self.complaints, self.requests = [], []
        self.ended.discard("load")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Page.navigate", url=f"file://{path}")
        while "load" not in self.ended:
            self._message()

    def value(self, expression):
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in found:
            raise RuntimeError(json.dumps(found["exceptionDetails"]))
        return found["result"].get("value")

    def screenshot(self, path):
        """A screenshot of the whole page."""
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=True)
        with open(path, "wb") as file:
            file.write(base64.b64decode(shot["data"]))
