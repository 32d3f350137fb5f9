"""Everything that docs/bench_model.md shows runs, in its order and in one folder, against the stand-in server."""

import os
import pathlib
import re
import subprocess
import sysconfig

from stand_in_server import StandIn

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "bench_model.md"


def test_everything_on_the_page_runs(tmp_path, monkeypatch):
    page = PAGE.read_text(encoding="utf-8")
    blocks = re.findall(r"^```(console|python)\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) > 5 and "```sh" not in page
    environment = {
        **os.environ, "PATH": f"{sysconfig.get_path('scripts')}:/usr/bin:/bin", "EXAMPLE_KEY": "sk-example",
    }  # fmt: skip
    monkeypatch.chdir(tmp_path)
    with StandIn() as server:
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
