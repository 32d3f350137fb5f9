"""Everything that docs/bench_model.md shows runs, in its order and in one folder, against the stand-in server."""

import os
import pathlib
import re
import subprocess
import sys
import sysconfig

from stand_in_server import StandIn

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "bench_model.md"

VLLM = """#!{python}
import json, sys, urllib.request

requests, replies = (sys.argv[sys.argv.index(option) + 1] for option in ("-i", "-o"))
assert sys.argv[1] == "run-batch" and "--model" in sys.argv
with open(requests) as lines, open(replies, "w") as out:
    for line in map(json.loads, lines):
        sent = urllib.request.Request("{url}/chat/completions", json.dumps(line["body"]).encode(), {{"Content-Type": "x"}})
        body = json.loads(urllib.request.urlopen(sent).read())
        row = {{"custom_id": line["custom_id"], "response": {{"status_code": 200, "body": body}}, "error": None}}
        out.write(json.dumps(row) + "\\n")
"""
"""Stands in for vLLM's command: asks the stand-in server line by line."""


def test_everything_on_the_page_runs(tmp_path, monkeypatch):
    page = PAGE.read_text(encoding="utf-8")
    blocks = re.findall(r"^```(console|python)\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) > 5 and "```sh" not in page
    environment = {
        **os.environ, "PATH": f"{sysconfig.get_path('scripts')}:{tmp_path}/bin:/usr/bin:/bin", "EXAMPLE_KEY": "sk-example",
    }  # fmt: skip
    monkeypatch.chdir(tmp_path)
    with StandIn() as server:
        vllm = tmp_path / "bin" / "vllm"
        vllm.parent.mkdir()
        vllm.write_text(VLLM.format(python=sys.executable, url=server.base_url), encoding="utf-8")
        vllm.chmod(0o755)
        for kind, text in blocks:
            text = re.sub(r"https?://(localhost:\d+|api\.example\.com)/v1", server.base_url, text)
            if kind == "python":
                exec(compile(text, PAGE.name, "exec"), {"__name__": "docs"})
                continue
            for command in re.findall(r"^\$ (.*)$", text.replace("\\\n", " "), re.MULTILINE):
                done = subprocess.run(
                    ["/bin/sh", "-ec", command], env=environment, capture_output=True, text=True, check=False
                )
                assert done.returncode == 0, f"{command}: {done.stderr}"
        assert any(request.headers.get("Authorization") == "Bearer sk-example" for request in server.requests)
