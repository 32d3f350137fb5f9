"""TRL's trainers around a random model whose whole answers are single tokens."""

from datasets import Dataset
from tiny_model import byte_tokenizer, random_model
from trl import GRPOConfig, GRPOTrainer

GROUP = 8


def answers(problems):
    return list(dict.fromkeys([row[kind] for row in problems for kind in ("optimal", "greedy")] + ["no answer"]))


def dataset(problems, foreign=0, chat=True):
    def prompt(text):
        return [{"role": "user", "content": text}] if chat else text

    # Short prompts keep steps short: what is asked is in the ground truth.
    ours = [{"prompt": prompt(f"{place}"), "data_source": row["data_source"], "ground_truth": row["ground_truth"]}
            for place, row in enumerate(problems)]  # fmt: skip
    others = [{"prompt": prompt(f"{place} + 1"), "data_source": "openai/gsm8k", "ground_truth": str(place + 1)}
              for place in range(foreign)]  # fmt: skip
    return Dataset.from_list([row for pair in zip(ours, others) for row in pair] if foreign else ours)


def trainer(problems, folder, reward_funcs, rows, kind=GRPOTrainer, config=GRPOConfig, texts=None, **options):
    """A trainer that samples one token of `texts` as a completion."""
    tokenizer = byte_tokenizer(plain=answers(problems))
    wanted = {tokenizer.convert_tokens_to_ids(text) for text in texts or answers(problems)}
    settings = {
        "output_dir": str(folder), "use_cpu": True, "bf16": False, "report_to": [], "save_strategy": "no",
        "logging_steps": 1, "disable_tqdm": True, "seed": 3, "lr_scheduler_type": "constant", "learning_rate": 1e-2,
        "beta": 0.0, "max_steps": 2,
        "per_device_train_batch_size": GROUP * (len(rows) if hasattr(rows, "__len__") else 1), "num_generations": GROUP, "max_completion_length": 1,
        "gradient_checkpointing": False,
        "generation_kwargs": {"suppress_tokens": [each for each in range(len(tokenizer)) if each not in wanted]},
    }  # fmt: skip
    return kind(
        model=random_model(tokenizer), processing_class=tokenizer, reward_funcs=reward_funcs, train_dataset=rows,
        args=config(**{**settings, **options}),
    )  # fmt: skip


def logged(run, name):
    return [entry[name] for entry in run.state.log_history if name in entry]
