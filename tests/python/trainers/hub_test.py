"""Preflight by a model's id on the hub: families' templates from TRL with the stops that the table of families names."""

import json
import os
import pathlib
import subprocess
import sys

import pytest
from hub import serving
from templates_test import FOLDER, TAG
from tiny_model import byte_tokenizer

from optgap.measure import attacks

MODELS = {"Qwen/Qwen3-8B": ("Qwen", "qwen3"), "zai-org/GLM-4.5": ("GLM", "glm4moe"), "openai/gpt-oss-20b": ("gpt-oss", "gptoss"),
          "meta-llama/Llama-3.1-8B-Instruct": ("Llama 3", "llama3_1"), "google/gemma-4-E2B-it": ("Gemma 4", "gemma4")}  # fmt: skip
"""Ids, the family's name in the table, and its template in TRL. The vocabulary is bytes: nothing of the models is here."""

RUN = """
import json, sys
sys.path.insert(0, sys.argv.pop(1))
from in_process import main
codes = {}
for model in sys.argv[1:]:
    codes[model] = main(["preflight", "--model", model, "--task", "tsp", "--levels", "easy", "--count", "1"])
print(json.dumps(codes), file=sys.stderr)
"""


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    root = tmp_path_factory.mktemp("hub")
    for model, (family, name) in MODELS.items():
        (known,) = [each for each in attacks.families() if each.family.startswith(family)]
        template = (FOLDER / f"{name}.jinja").read_text(encoding="utf-8")
        tags = {*TAG.findall(template), *known.stops}
        plain = sorted(tag for tag in tags if "think" in tag or ("gemma4" in name and "channel" in tag))
        own = known.stops[0]
        tokenizer = byte_tokenizer(template, special=sorted(tags - {own, *plain}), plain=plain, eos=own)
        tokenizer.bos_token = "<|im_start|>"
        tokenizer.save_pretrained(root / model)
        stops = [tokenizer.convert_tokens_to_ids(stop) for stop in known.stops]
        assert None not in stops
        (root / model / "generation_config.json").write_text(json.dumps({"eos_token_id": stops}))
    return root


def test_families_are_rewarded_by_their_ids(hub, tmp_path):
    with serving(hub) as (address, asked):
        environment = {**os.environ, "HF_ENDPOINT": address, "HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "0",
                       "HF_HUB_DISABLE_TELEMETRY": "1", "HF_HUB_DISABLE_XET": "1"}  # fmt: skip
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", RUN, pathlib.Path(__file__).parents[1], *MODELS], env=environment,
            capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    codes = json.loads(done.stderr.splitlines()[-1])
    assert codes == dict.fromkeys(MODELS, 0), done.stdout[-4000:]
    for model in MODELS:
        assert {f"{model}/tokenizer_config.json", f"{model}/generation_config.json"} <= asked
