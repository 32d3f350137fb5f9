"""verl's configuration, batches and reward workers, as its trainer puts them together."""

import asyncio
import pathlib

import numpy as np
import torch
import verl
from hydra import compose, initialize_config_dir
from tensordict import TensorDict
from verl import DataProto
from verl.experimental.reward_loop import RewardLoopWorker


def configuration(tokenizer, *overrides):
    """verl's own defaults with `key=value` overrides, as its command line makes them."""
    folder = pathlib.Path(verl.__file__).parent / "trainer/config"
    with initialize_config_dir(str(folder), version_base=None):
        model = f"actor_rollout_ref.model.path={tokenizer.name_or_path}"
        return compose("ppo_trainer", [model, "reward.num_workers=2", *overrides])


def batch(tokenizer, rows, texts, turns=2, ended=True, mask=None):
    """What an agent loop sends to a reward worker: padded responses, columns of the data set, no response mask."""
    end = [tokenizer.eos_token_id] if ended else []
    responses = [tokenizer(text, add_special_tokens=False)["input_ids"] + end for text in texts]
    width = max(map(len, responses))
    padded = torch.tensor([ids + [tokenizer.pad_token_id] * (width - len(ids)) for ids in responses])
    held = torch.tensor([[1] * len(ids) + [0] * (width - len(ids)) for ids in responses])
    prompts = torch.zeros((len(texts), 3), dtype=torch.int64)
    tensors = {
        "prompts": prompts,
        "responses": padded,
        "attention_mask": torch.cat([torch.ones_like(prompts), held], 1),
    }
    if mask is not None:
        tensors["response_mask"] = mask

    def column(values):
        made = np.empty(len(texts), dtype=object)
        made[:] = values
        return made

    return DataProto(
        batch=TensorDict(tensors, batch_size=len(texts)),
        non_tensor_batch={
            "data_source": column([row["data_source"] for row in rows]),
            "reward_model": column([{"style": "rule", "ground_truth": row["ground_truth"]} for row in rows]),
            "extra_info": column([{"index": place} for place in range(len(rows))]),
            "__num_turns__": np.array([turns] * len(texts)),
            "uid": column([row["data_source"] for row in rows]),
        },
    )  # fmt: skip


def scored(config, data):
    """Through verl's worker, which resolves function and manager from the configuration."""

    async def main():
        return await RewardLoopWorker(config).compute_score_batch(data)

    return asyncio.run(main())
