"""GRPOTrainer calls the tools of our class in its own loop, with a model whose calls are known."""

import json

import pytest

pytest.importorskip("trl")
pytest.importorskip("torch")
from datasets import Dataset  # noqa: E402
from drivers import OPTIMUM, PROMPT, TRUTH  # noqa: E402
from tiny_model import byte_tokenizer, random_model  # noqa: E402
from trl import GRPOConfig, GRPOTrainer  # noqa: E402
from trl.chat_template_utils import add_response_schema, qwen3_chat_template  # noqa: E402

from optgap.environments.trl.environment import environment  # noqa: E402


def call(name, **arguments):
    return f"<tool_call>\n{json.dumps({'name': name, 'arguments': arguments})}\n</tool_call>"


@pytest.mark.parametrize(
    ("said", "reward"),
    [((call("submit", answer=str(OPTIMUM)), "Done."), 2.0),
     ((call("submit", answer="[0, 1, 1]"), call("submit", answer=str(OPTIMUM)), "Done."), 2.0),
     ((call("submit", answer=str(OPTIMUM)), call("submit", answer="[0]"), "Done."), -0.5),
     ((f"<answer>{OPTIMUM}</answer>",), -2.5)],
)  # fmt: skip
def test_the_trainers_tool_loop_earns_what_the_answers_are_worth(tmp_path, said, reward):
    tokenizer = add_response_schema(
        byte_tokenizer(qwen3_chat_template, plain=["<tool_call>", "</tool_call>", "<think>", "</think>"])
    )
    config = GRPOConfig(
        output_dir=str(tmp_path), per_device_train_batch_size=2, num_generations=2, max_completion_length=3000, max_steps=1,
        report_to=[], use_cpu=True, bf16=False, logging_steps=1, save_strategy="no", disable_tqdm=True,
    )  # fmt: skip
    rows = [{"prompt": PROMPT, "ground_truth": TRUTH, "data_source": "optgap/tsp/easy"}]
    trainer = GRPOTrainer(
        random_model(tokenizer), args=config, train_dataset=Dataset.from_list(rows), processing_class=tokenizer,
        environment_factory=environment(turns=2),
    )  # fmt: skip
    seen = []

    def single(prompt_ids, *_, **__):
        seen.extend(tokenizer.decode(ids) for ids in prompt_ids)
        turn = len(seen) // 2 - 1
        ids = tokenizer(said[turn] + tokenizer.eos_token, add_special_tokens=False)["input_ids"]
        return [list(ids) for _ in prompt_ids], None

    trainer._generate_single_turn = single
    trainer.train()
    assert "Hand in your answer by the tool `submit`" in seen[0] and '"name": "submit"' in seen[0]
    assert len(seen) == 2 * len(said)
    logged = [line for line in trainer.state.log_history if "reward" in line]
    assert [line["reward"] for line in logged] == [reward]
