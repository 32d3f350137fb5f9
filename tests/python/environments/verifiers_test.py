"""verifiers' own programs on the example's taskset, over a server on this machine whose texts are known."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("verifiers")
from drivers import BEST, BROKEN, NOTHING  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "tests/python"))
from stand_in_server import Reply, StandIn  # noqa: E402

USAGE = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}


def run(tmp_path, program, *options):
    command = [
        str(pathlib.Path(sys.executable).parent / program),
        "optgap-env",
        "--select.include.idx",
        "1:2",
        *options,
    ]
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT / "examples/environments"),
        "HOME": str(tmp_path),
        "PRIME_API_KEY": "",
    }
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_the_gold_check_holds(tmp_path):
    said = run(tmp_path, "vf-validate", "--runtime.type", "subprocess")
    assert '"valid": 1' in said and '"invalid": 0' in said


@pytest.mark.parametrize(
    ("texts", "shape", "reward"),
    [((NOTHING, BROKEN, BEST), "improve", 2.0),
     *(pytest.param(*one, marks=pytest.mark.long) for one in (
         ((BEST,), "last", 2.0), ((NOTHING,), "last", -2.5), ((BROKEN, BEST), "last", 2.0), ((BROKEN, BEST), "first", -0.5)))],
)  # fmt: skip
def test_an_evaluation_earns_what_the_texts_are_worth(tmp_path, texts, shape, reward):
    said = []

    def answer(request):
        said.append(request.body["messages"])
        return Reply(text=texts[len(said) - 1], usage=USAGE, stream=True)

    with StandIn(answer) as server:
        run(
            tmp_path, "vf-eval", "--env.taskset.turns", str(len(texts)), "--env.taskset.reward-shape", shape,
            "--env.agent.runtime.type", "subprocess", "--env.agent.harness.id", "null", "--client.base-url", server.base_url,
            "-m", "stand-in", "--no-push",
        )  # fmt: skip
    assert [len(messages) for messages in said] == [1 + 2 * at for at in range(len(texts))]
    if len(texts) > 1:
        assert "Answer again" in said[-1][-1]["content"]
    (path,) = tmp_path.rglob("traces.jsonl")
    (episode,) = map(json.loads, path.read_text().splitlines())
    (trace,) = episode["traces"]
    assert trace["rewards"]["optgap"]["score"] == reward and trace["metrics"]["turns"] == len(texts)
    assert trace["task"]["key"].startswith("tsp@1:train:easy:1#") and trace["task"]["data"]["name"] == "tsp easy 1"
