"""docs/problems.md as it stands: its commands take a problem from nothing to two steps of TRL and to a report of a model."""

import json
import math
import pathlib
import re
import runpy
import shlex
import subprocess

from in_process import main
from stand_in_server import StandIn
from tiny_model import byte_tokenizer, random_model

from optgap.__main__ import native_program

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs/problems.md").read_text(encoding="utf-8")
PARCELS = ROOT / "examples/problems/parcels"
BEST = f"```python\n{(PARCELS / 'reference.py').read_text()}```"
PLAIN = f"```python\n{(PARCELS / 'floor.py').read_text()}```"
SHORT = {"use_cpu": True, "bf16": False, "report_to": [], "save_strategy": "no", "disable_tqdm": True,
         "gradient_checkpointing": False, "logging_steps": 1, "max_completion_length": 1}  # fmt: skip


def section(heading):
    return PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]


def test_a_problem_goes_from_its_folder_to_a_step_and_a_report(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = section("From a folder to a trained model")
    (commands,) = re.findall(r"```console\n(.*?)```", text, re.S)
    (script,) = re.findall(r"```python\n(.*?)```", text, re.S)
    (tmp_path / "train.py").write_text(script)
    texts = [BEST, PLAIN, "no program", f"{PLAIN}\n"]
    tokenizer = byte_tokenizer(plain=texts)
    spoken = {tokenizer.convert_tokens_to_ids(each) for each in texts}
    random_model(tokenizer).save_pretrained(tmp_path / "my-model")
    tokenizer.save_pretrained(tmp_path / "my-model")
    ran = []
    with StandIn(lambda request: BEST) as server:
        for line in commands.splitlines():
            words = shlex.split(line.replace("http://localhost:8000/v1", server.base_url))
            if words[0] == "optgap":
                words += ["--instances", "2"] if words[1:3] == ["problem", "check"] else []
                native = words[1] == "problem"
                assert (subprocess.call([native_program(), *words[1:]]) if native else main(words[1:])) == 0, line
            else:
                assert words == ["python3", "train.py"]
                rows = [json.loads(row) for row in (tmp_path / "vans.jsonl").read_text().splitlines()]
                short = "".join(json.dumps({**row, "prompt": f"{place}"}) + "\n" for place, row in enumerate(rows))
                (tmp_path / "vans.jsonl").write_text(short)
                made = runpy.run_path("train.py")["trainer"](
                    generation_kwargs={
                        "suppress_tokens": [each for each in range(len(tokenizer)) if each not in spoken]
                    },
                    **SHORT,
                )
                made.train()
                losses = [entry["loss"] for entry in made.state.log_history if "loss" in entry]
                assert len(losses) == 2 and all(map(math.isfinite, losses))
                spread = [entry["reward_std"] for entry in made.state.log_history if "reward_std" in entry]
                assert max(spread) > 0
            ran.append(words[:2])
    assert len(ran) == 5
    report = json.loads((tmp_path / "bench-vans/report.json").read_text())
    (found,) = report["problems"]
    assert (found["problem"], found["cases"], found["whole"], found["quality"]) == ("vans", 150, 1, 1)
