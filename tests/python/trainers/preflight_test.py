"""Preflight against chat templates as models in the field have them, on tokenizers built here."""

import json
import subprocess
import sys
from types import SimpleNamespace

import pytest
from in_process import main, options_of
from tiny_model import CHATML, byte_tokenizer

import optgap
from optgap.commands import preflight
from optgap.measure.preflight.readers import READERS

TAGS = ("<think>", "</think>")

TURNS = (
    "{% for m in messages %}{% if m['role'] == 'user' %}USER{{ m['content'] }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}ASSISTANT{% endif %}"
)


def template(user, assistant):
    return TURNS.replace("USER", user).replace("ASSISTANT", assistant)


OPENED = template("<｜User｜>", "<｜Assistant｜><think>\n")
LONE = template("<｜User｜>", "<｜Assistant｜></think>")
"""DeepSeek-V3.1's, when it is not to think."""
GRANITE = CHATML + "{# think between <think></think>, then answer between <response></response> #}"
HEADERS = template(
    "<|start_header_id|>user<|end_header_id|>\n\n", "<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n"
)
TURN_NAMES = template("<start_of_turn>user\n", "<end_of_turn>\n<start_of_turn>model\n")
CHANNELS = template("<|start|>user<|message|>", "<|end|><|start|>assistant") + "{# <|channel|>analysis #}"
SWITCHED = (
    CHATML.removesuffix("{% endif %}")
    + "{% if enable_thinking is defined and enable_thinking is false %}<think>\n\n</think>\n\n{% endif %}{% endif %}"
)
SPLIT = {
    "type": "object",
    "properties": {
        "role": {"const": "assistant"},
        "reasoning_content": {"type": "string", "x-regex": r"<think>(.*?)</think>"},
        "content": {"type": "string", "x-regex": r"(?:<think>.*?</think>\s*)?(.*?)(?:<\|im_end\|>|$)"},
    },
}
"""A response schema that moves the reasoning to a field of its own."""


@pytest.fixture(scope="module")
def engine():
    return optgap.Engine("cpu", threads=2)


@pytest.fixture(scope="module")
def check(engine):
    def run(tokenizer, **options):
        given = {"tasks": ["tsp", "coloring"], "levels": ("easy",), "count": 2, "engine": engine, **options}
        return preflight.check(tokenizer, **given)

    return run


def rewarded(found):
    return {outcome.trainer: outcome.rewarded for outcome in found.outcomes if outcome.text == "perfect"}


def wrong(found):
    return {(outcome.trainer, outcome.text) for outcome in found.outcomes if not outcome.right}


EVERYONE = dict.fromkeys(preflight.TRAINERS, True)


@pytest.mark.parametrize(
    ("tokenizer", "options", "expected"),
    [
        (byte_tokenizer(), {}, "forge"),
        (byte_tokenizer(HEADERS, eos="<|eot_id|>"), {}, "forge"),
        (byte_tokenizer(TURN_NAMES, eos="<end_of_turn>"), {}, "forge"),
        (byte_tokenizer(OPENED, plain=TAGS, eos="<｜end▁of▁sentence｜>"), {}, "forge_prefilled"),
        (byte_tokenizer(SWITCHED, plain=TAGS), {}, "forge"),
        (byte_tokenizer(SWITCHED, plain=TAGS), {"enable_thinking": False}, "answer_only"),
        (byte_tokenizer(CHANNELS, special=("<|channel|>", "<|message|>"), eos="<|return|>"), {}, "harmony"),
        (byte_tokenizer(None), {}, "forge"),
        (byte_tokenizer(LONE, plain=TAGS, eos="<｜end▁of▁sentence｜>"), {}, "answer_only"),
    ],
    ids=["no tags", "headers", "turns", "opened tag", "switch on", "empty pair", "channels", "no template", "lone tag"],
)
def test_the_format_that_fits_is_found_and_rewarded_everywhere(check, tokenizer, options, expected):
    found = check(tokenizer, template_options=options)
    assert found.format == expected and found.why and found.round_trip
    assert rewarded(found) == EVERYONE and found.passed, preflight.report(found)
    assert found.has_template == (tokenizer.chat_template is not None)


@pytest.mark.parametrize("chat", [CHATML, OPENED, GRANITE], ids=["no tags", "opened tag", "wrapper"])
def test_adapters_of_environments_read_texts_as_they_must(check, chat):
    names = tuple(name for name in READERS if name not in preflight.TRAINERS)
    assert len(names) == 10 and {"skyrl", "nemo-gym", "areal", "tinker", "verifiers", "openenv"} <= set(names)
    found = check(byte_tokenizer(chat, plain=TAGS), trainers=names)
    assert found.passed and rewarded(found) == dict.fromkeys(names, True), preflight.report(found)


def test_a_server_that_drops_special_tags_is_found_out(check):
    found = check(byte_tokenizer(special=TAGS), trainers=("areal", "verifiers"))
    assert rewarded(found) == {"areal": True, "verifiers": False}


def test_granites_wrapper_is_read_as_the_end_of_a_turn(check):
    found = check(byte_tokenizer(GRANITE, plain=TAGS))
    assert json.loads(found.format)["format"] == "forge" and "</response>" in json.loads(found.format)["ends"]
    perfect = [outcome for outcome in found.outcomes if outcome.text == "perfect"]
    assert all("<response><answer>" in outcome.sent and "</answer></response>" in outcome.sent for outcome in perfect)
    assert found.passed and rewarded(found) == EVERYONE, preflight.report(found)
    bare = check(byte_tokenizer(GRANITE.replace("<response>", "<x>"), plain=TAGS))
    assert bare.format == "forge"


def test_a_format_that_does_not_fit_the_template_is_not_rewarded_and_others_are_named(check):
    found = check(byte_tokenizer(OPENED, plain=TAGS), format="forge")
    assert not any(rewarded(found).values())
    others = {"forge_prefilled", "answer_only", "boxed", "answer_line"}
    assert all(others <= set(outcome.others) for outcome in found.outcomes if outcome.text == "perfect")
    assert check(byte_tokenizer(SWITCHED, plain=TAGS), format="boxed").passed


def test_tags_that_are_special_tokens_stop_a_run_where_they_are_dropped(check):
    found = check(byte_tokenizer(special=TAGS))
    assert rewarded(found) == {"verl": False, "verl-manager": True, "trl": False, "slime": True, "openrlhf": True}
    assert not found.passed
    lost = next(outcome for outcome in found.outcomes if outcome.trainer == "verl")
    assert lost.code == "format_missing_reasoning" and "<think>" in lost.sent and "<think>" not in lost.received
    text = preflight.report(found)
    assert "NOT REWARDED: perfect: format_missing_reasoning" in text and "use the reward manager optgap" in text
    assert "answer_only" in text


STOPS = ("<|endoftext|>", "<|user|>", "<|observation|>")


def stopping_on(*texts):
    """A tokenizer that knows these special tokens, and the configuration that stops on them."""
    tokenizer = byte_tokenizer(special=texts, eos=texts[0])
    return tokenizer, SimpleNamespace(eos_token_id=tokenizer.convert_tokens_to_ids(list(texts)))


def test_every_token_that_generation_stops_on_may_end_a_right_answer(check):
    tokenizer, generation = stopping_on(*STOPS)
    found = check(tokenizer, generation_config=generation)
    assert found.passed, preflight.report(found)
    tried = [outcome.text for outcome in found.outcomes if outcome.trainer == "slime"]
    assert tried == ["perfect", "draft", "quoted", *(f"stop {text}" for text in STOPS), "trailing", "cut_off"]
    tokenizer, generation = stopping_on("<|im_end|>", "<|nobody_knows|>")
    found = check(tokenizer, generation_config=generation)
    assert wrong(found) == {("openrlhf", "stop <|nobody_knows|>")}
    assert "NOT REWARDED: stop <|nobody_knows|>: format_trailing" in preflight.report(found)
    assert "configured(model=...)" in preflight.report(found)


def test_a_path_that_rewards_a_cut_off_draft_is_named(check):
    plain = {"format": "boxed", "reasoning": "none"}
    found = check(byte_tokenizer(), format=json.dumps(plain))
    assert ("verl", "cut_off") in wrong(found) and ("verl-manager", "cut_off") not in wrong(found)
    assert "REWARDED, and must not be: cut_off" in preflight.report(found)


@pytest.mark.parametrize(("chat", "expected"), [(CHATML, "forge"), (OPENED, "forge_prefilled")])
def test_reasoning_in_a_field_of_its_own_is_put_back(check, chat, expected):
    tokenizer = byte_tokenizer(chat, plain=TAGS)
    tokenizer.response_schema = SPLIT
    if expected == "forge_prefilled":
        tokenizer.response_schema = json.loads(json.dumps(SPLIT).replace("<think>", "^"))
    found = check(tokenizer, trainers=("trl",))
    assert found.format == expected and found.passed, found.outcomes


def test_a_tokenizer_that_loses_characters_is_found_out(check):
    found = check(byte_tokenizer(lost=",<"))
    assert not found.round_trip and not any(rewarded(found).values())
    assert "DO NOT DECODE" in preflight.report(found)


def test_prompt_tokens_are_counted_per_task_and_level(check, engine):
    found = check(byte_tokenizer(None), trainers=("trl",), levels=("easy", "medium"), count=3)
    assert [(row.task, row.level) for row in found.prompt_tokens] == [
        (task, level) for level in ("easy", "medium") for task in ("tsp", "coloring")
    ]
    lengths = sorted(len(text.encode()) for text in engine.prompts(engine.generate("tsp", "easy", 3)))
    assert [found.prompt_tokens[0].least, found.prompt_tokens[0].median, found.prompt_tokens[0].most] == lengths
    with pytest.raises(optgap.Error, match="expected one of openrlhf, slime, trl, verl.*skyrl"):
        check(byte_tokenizer(), trainers=("nobody",))


@pytest.mark.parametrize(("special", "code"), [((), 0), (TAGS, 1)])
def test_the_command_says_it_by_its_exit_code(tmp_path, special, code):
    byte_tokenizer(special=special).save_pretrained(tmp_path)
    options = ["--model", tmp_path, "--trainer", "verl", "--task", "tsp", "--levels", "easy", "--count", "2"]
    command = [sys.executable, "-m", "optgap", "preflight", *options]
    done = subprocess.run([*command, "--json"], capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    found = json.loads(done.stdout)
    assert found["passed"] == (code == 0) and found["outcomes"][0]["trainer"] == "verl"
    assert found["prompt_tokens"][0]["least"] > 0
    assert main(["preflight", *map(str, options)]) == code


@pytest.mark.parametrize("candidate", ["proposal", "judgement"])
def test_the_command_checks_proposers_and_judges(tmp_path, capsys, candidate):
    byte_tokenizer().save_pretrained(tmp_path)
    options = [
        "--model",
        str(tmp_path),
        "--trainer",
        "trl",
        "--trainer",
        "verl-manager",
        "--task",
        "tsp",
        "--candidate",
        candidate,
    ]
    assert main(["preflight", *options, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["passed"] and found["has_template"] and found["prompt_tail"].endswith("assistant\n")
    assert {outcome["trainer"] for outcome in found["outcomes"] if outcome["rewarded"]} == {"trl", "verl-manager"}
    assert main(["preflight", *options]) == 0 and "texts as they must be: right" in capsys.readouterr().out


def test_a_judge_has_no_format_to_choose(tmp_path):
    with pytest.raises(optgap.Error, match="format: has no effect with --candidate judgement"):
        preflight.run(
            options_of("preflight", "--model", str(tmp_path), "--candidate", "judgement", "--format", "boxed")
        )


def test_a_folder_without_a_tokenizer_is_a_mistake(tmp_path):
    done = subprocess.run([sys.executable, "-m", "optgap", "preflight", "--model", tmp_path / "none"],
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode in (2, 3) and done.stderr.startswith("optgap: ")
