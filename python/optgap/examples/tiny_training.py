"""Supervised steps on optimal answers, then TRL's own GRPOTrainer on problems that a curriculum draws."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from transformers import GPT2LMHeadModel, PreTrainedTokenizerFast, PrinterCallback, TrainerCallback
from trl import GRPOConfig, GRPOTrainer

import optgap
from optgap.examples.tiny_model import END
from optgap.examples.tiny_problem import COMPLETION_TOKENS, FORMAT, LEVELS, PROMPT_BYTES, TASK, Problems, drawn, table
from optgap.trainers.common.stream import CurriculumRows, Row, key_of
from optgap.trainers.trl import reward as trl
from optgap.trainers.trl.curriculum import CurriculumStream

GROUP = 8
PROMPTS = 32
"""Problems a step; the batch is PROMPTS groups of GROUP rollouts."""

_POLICY = {
    "policy": "window",
    "accuracy": 0.5,
    "rollouts": GROUP,
    "width": len(LEVELS),
    "max_prompt_chars": PROMPT_BYTES,
}
_SIZES = {TASK: dict.fromkeys(LEVELS, PROMPT_BYTES)}
"""Levels that are not listed are never given: the difficulty scale ends at the last of LEVELS."""


@dataclass(frozen=True)
class Measured:
    """A policy on problems that it never saw: means over rows, where infeasible ones count 0."""

    feasible: float
    normalized: float
    optimal: float


@torch.no_grad()
def measure(
    model: GPT2LMHeadModel, tokenizer: PreTrainedTokenizerFast, asked: Problems, temperature: float = 0.0
) -> Measured:
    """Answers every prompt once, with the likeliest tokens or sampled."""
    prompts = tokenizer(asked.prompts, return_tensors="pt").to(model.device)
    how: dict[str, Any] = {"do_sample": temperature > 0}
    if temperature > 0:
        how |= {"temperature": temperature, "top_k": 0}
    model.eval()
    tokens = model.generate(**prompts, max_new_tokens=COMPLETION_TOKENS, **how)
    texts = tokenizer.batch_decode(tokens[:, prompts.input_ids.shape[1] :], skip_special_tokens=True)
    scores = optgap.Engine("cpu").score(asked.instances, texts, asked.baselines, format=FORMAT)
    return Measured(float(scores.feasible.mean()), float(scores.normalized.mean()), float(scores.optimal.mean()))


def supervise(
    model: GPT2LMHeadModel, tokenizer: PreTrainedTokenizerFast, engine: optgap.Engine, steps: int, seed: int,
    learning_rate: float = 2e-3, rows: int = 64,
) -> None:  # fmt: skip
    """Steps on `rows` optimal answers each, none seen twice, with the loss on the completions alone."""
    each = -(-steps * rows // len(LEVELS))
    known = [drawn(engine, "train", level, each, seed * each) for level in LEVELS]
    prompts = [prompt for part in known for prompt in part.prompts]
    answers = [text + END for part in known for text in part.completions()]
    width = len(tokenizer(prompts[0]).input_ids)
    order = torch.randperm(len(prompts), generator=torch.Generator().manual_seed(seed)).tolist()
    optimiser = torch.optim.AdamW(model.parameters(), lr=learning_rate, weight_decay=0.0)
    warm = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: min(1.0, (step + 1) / 50))
    model.train()
    for step in range(steps):
        chosen = order[step * rows : (step + 1) * rows]
        texts = [prompts[row] + answers[row] for row in chosen]
        batch = tokenizer(texts, return_tensors="pt", padding=True, padding_side="right").to(model.device)
        labels = batch.input_ids.masked_fill(batch.attention_mask == 0, -100)
        labels[:, :width] = -100
        loss = model(**batch, labels=labels).loss
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        warm.step()


class Asked:
    """The prompts of rows: an instance's table in place of its sentences. Remembers what was asked."""

    def __init__(self, engine: optgap.Engine) -> None:
        self.seen = optgap.InstanceSet()
        self._engine = engine

    def __call__(self, row: Row) -> str:
        """A row's prompt."""
        instance = self._engine.instances([key_of(row["ground_truth"])])
        self.seen.add(instance)
        return table(instance.json[0])


def curriculum(seed: int) -> CurriculumRows:
    """That of a run: a window which climbs LEVELS."""
    return CurriculumRows(_POLICY, TASK, seed, format=FORMAT, prompt_chars=_SIZES)


def top(rows: CurriculumRows) -> int:
    """The highest step of the window."""
    return int(rows.plan.state["tasks"][0]["high"])


class Logged(TrainerCallback):
    """Hands TRL's metrics on, whenever it logs rewards."""

    def __init__(self, report: Callable[[int, dict[str, float]], None]) -> None:
        self._report = report

    def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, Any] | None = None, **_: Any) -> None:
        if logs and "reward" in logs:
            self._report(state.global_step, {name: value for name, value in logs.items() if value is not None})


def reinforce(
    model: GPT2LMHeadModel, tokenizer: PreTrainedTokenizerFast, stream: CurriculumStream, spec: str, steps: int, seed: int,
    folder: str, every: int, report: Callable[[int, dict[str, float]], None], use_cpu: bool,
    learning_rate: float = 5e-4,
) -> None:  # fmt: skip
    """`steps` steps of GRPO under the reward `spec`. `report` gets TRL's metrics, means of `every` steps."""
    settings = GRPOConfig(
        output_dir=folder,
        max_steps=steps,
        seed=seed,
        learning_rate=learning_rate,
        lr_scheduler_type="linear",
        per_device_train_batch_size=PROMPTS * GROUP,
        num_generations=GROUP,
        max_completion_length=COMPLETION_TOKENS,
        beta=0.0,
        reward_weights=[1.0, 0.0, 0.0],
        shuffle_dataset=False,
        logging_steps=every,
        use_cpu=use_cpu,
        bf16=False,
        gradient_checkpointing=False,
        save_strategy="no",
        report_to=[],
        disable_tqdm=True,
    )
    rewarded = trl.reward_functions("reward", "normalized", spec=spec)
    trainer = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        reward_funcs=[*rewarded, stream.observer(rewarded[0])],
        train_dataset=stream.dataset(),
        args=settings,
        callbacks=[stream.callback(), Logged(report)],
    )
    trainer.remove_callback(PrinterCallback)
    trainer.train()
