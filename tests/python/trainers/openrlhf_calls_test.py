"""OpenRLHF's own agent executor calls our reward function and its own code turns the result into an experience. Its
imports of vLLM, DeepSpeed and FlashAttention are empty here; the engine answers with given tokens."""

import asyncio
from types import SimpleNamespace

import peft  # noqa: F401  transformers asks for FlashAttention when this is imported, and is to find none
import pytest
from stand_ins import stand_ins
from tiny_model import byte_tokenizer
from transformers import Qwen2ForCausalLM  # noqa: F401  likewise

from optgap.trainers.common.evaluation import SCALARS

with stand_ins():
    from openrlhf.trainer.ppo_utils.samples_generator import SamplesGenerator
    from openrlhf.utils.agent import SingleTurnAgentExecutor

PLAIN = "from optgap.trainers.openrlhf.reward import reward_func\n"
MIXED = """
from optgap.trainers.openrlhf.reward import configured

def math(queries, prompts, labels):
    return {"rewards": [0.25], "scores": [0.5]}

reward_func = configured({"shape": "binary"}, fallback=math)
"""
SPACE = 8192


@pytest.fixture(scope="module")
def tokenizer():
    return byte_tokenizer(special=("<think>", "</think>"))


def experience(folder, source, tokenizer, prompt, text, label, ended=True, max_tokens=4096):
    """A prompt's way through OpenRLHF to the experience that its trainer sees."""
    (folder / "reward.py").write_text(source)
    rendered = tokenizer.apply_chat_template(
        [{"role": "user", "content": prompt}], tokenize=False, add_generation_prompt=True
    )

    class Engine:
        async def generate(self, prompt_ids, params, multi_modal_data=None):
            ids = tokenizer(text, add_special_tokens=False)["input_ids"] + [tokenizer.eos_token_id] * ended
            reason = "stop" if ended else "length"
            return SimpleNamespace(outputs=[SimpleNamespace(token_ids=ids, finish_reason=reason, logprobs=None)])

    executor = SingleTurnAgentExecutor(str(folder / "reward.py"))
    params = SimpleNamespace(max_tokens=max_tokens, logprobs=None)
    response = asyncio.run(executor.execute(rendered, label, params, SPACE, tokenizer, Engine()))
    return SamplesGenerator._process_response_into_experience(None, response, max_len=SPACE)


def test_an_optimum_is_rewarded(problems, tokenizer, tmp_path):
    row = problems[0]
    found = experience(tmp_path, PLAIN, tokenizer, row["prompt"], row["optimal"], row["ground_truth"])
    assert found.rewards.tolist() == [2.0] and found.scores.tolist() == [1.0]
    assert set(SCALARS) <= set(found.info) and found.info["feasible"].tolist() == [1.0]
    greedy = experience(tmp_path, PLAIN, tokenizer, row["prompt"], row["greedy"], row["ground_truth"])
    assert 0 <= greedy.scores.item() <= 1 and greedy.rewards.item() <= 2


def test_the_prompts_worked_example_is_not_an_answer(problems, tokenizer, tmp_path):
    row = problems[0]
    prompt = row["prompt"] + "\nFor example " + row["optimal"]
    found = experience(tmp_path, PLAIN, tokenizer, prompt, "nothing", row["ground_truth"])
    assert found.rewards.tolist() == [-2.5] and found.scores.tolist() == [0.0]


def test_a_prompt_whose_beginning_was_cut_off(problems, tokenizer, tmp_path):
    row = problems[0]
    found = experience(
        tmp_path, PLAIN, tokenizer, row["prompt"], row["optimal"], row["ground_truth"], max_tokens=SPACE - 200
    )
    assert found.rewards.tolist() == [2.0]


def test_other_data_goes_to_the_fallback(problems, tokenizer, tmp_path):
    found = experience(tmp_path, MIXED, tokenizer, "What is 8 * 9?", "72", "72")
    assert found.rewards.tolist() == [0.25] and found.scores.tolist() == [0.5]
    ours = experience(tmp_path, MIXED, tokenizer, "Go.", problems[0]["optimal"], problems[0]["ground_truth"])
    assert ours.rewards.tolist() == [1.0] and set(ours.info) == set(found.info)


def test_an_unreadable_label_is_a_row(tokenizer, tmp_path):
    found = experience(tmp_path, PLAIN, tokenizer, "Go.", "x", "{broken", ended=False)
    assert found.rewards.tolist() == [0.0] and found.info["code"].tolist() == [-1.0]
