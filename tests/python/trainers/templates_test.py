"""Preflight over every chat template that TRL ships: the format it picks is rewarded by each trainer's path, drafts are not."""

import pathlib
import re

import pytest
import trl
from tiny_model import byte_tokenizer

import optgap
from optgap.commands import preflight
from optgap.trainers.common.turns import ends

FOLDER = pathlib.Path(trl.__file__).parent / "chat_templates"
NAMES = sorted(path.stem for path in FOLDER.glob("*.jinja") if not path.stem.endswith("_training"))
FAMILIES = {"gptoss": "harmony", "gemma4": "gemma4", "gemma4_v2": "gemma4", "gemma4_v3": "gemma4", "gemma4_v4": "gemma4",
            "gemma4_v5": "gemma4"}  # fmt: skip
CHANNEL = "<|channel>"
"""Gemma 4's; where a decoder drops it as a special token nothing tells the reasoning from the answer."""
TAG = re.compile(r"<\|[A-Za-z_]+\|?>|<[a-z_]+\|>|<(?:start|end)_of_(?:turn|image)>|</?think>|<｜[^｜]+｜>")


@pytest.fixture(scope="module")
def engine():
    return optgap.Engine("cpu", threads=2)


def tokenizer_of(name):
    """Bytes, and the template's own control tokens as one token each; special where the families have them so."""
    template = (FOLDER / f"{name}.jinja").read_text(encoding="utf-8")
    tags = sorted(set(TAG.findall(template)))
    end = next((end for end in ends() if end in template), "<|im_end|>")
    plain = [tag for tag in tags if "think" in tag or (CHANNEL in template and "channel" in tag)]
    special = [tag for tag in tags if tag not in plain and tag != end]
    tokenizer = byte_tokenizer(template, special=special, plain=plain, eos=end)
    tokenizer.bos_token = "<|im_start|>"
    return tokenizer


@pytest.mark.parametrize("thinking", [True, False], ids=["thinking", "plain"])
@pytest.mark.parametrize("name", NAMES)
def test_what_preflight_picks_is_rewarded_by_every_trainer(engine, name, thinking):
    found = preflight.check(
        tokenizer_of(name), tasks=["tsp"], levels=("easy",), count=1, engine=engine,
        template_options={"enable_thinking": thinking},
    )  # fmt: skip
    assert found.has_template and found.passed, preflight.report(found)
    if name in FAMILIES:
        assert found.format == FAMILIES[name]


def test_paths_that_drop_the_only_marks_of_reasoning_are_named(engine):
    tokenizer = tokenizer_of("gemma4")
    lost = byte_tokenizer(tokenizer.chat_template, special=[CHANNEL, "<channel|>"], eos="<turn|>")
    lost.bos_token = "<|im_start|>"
    found = preflight.check(lost, tasks=["tsp"], levels=("easy",), count=1, engine=engine)
    wrong = {(outcome.trainer, outcome.text) for outcome in found.outcomes if not outcome.right}
    assert wrong == {(trainer, text) for trainer in ("verl", "trl") for text in ("draft", "quoted")}
    assert "use the reward manager optgap" in preflight.report(found)


def test_none_is_missing():
    assert len(NAMES) >= 41
