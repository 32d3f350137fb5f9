"""Supervised steps on optimal answers, then TRL's own GRPOTrainer on problems that a curriculum draws."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from datasets import IterableDataset
from transformers import GPT2LMHeadModel, PreTrainedTokenizerFast, PrinterCallback, TrainerCallback
from trl import GRPOConfig, GRPOTrainer

import optgap
from optgap.examples.tiny_problem import COMPLETION_TOKENS, FORMAT, LEVELS, PROMPT_BYTES, TASK, Problems, drawn, solved
from optgap.examples.tiny_model import END
from optgap.integrations import trl
from optgap.integrations.ground_truth import Problem, joined, problems

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
"""Levels that are not listed are never given: the ladder ends at the last of LEVELS."""


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


class Ladder:
    """Problems from a curriculum for TRL's stream, and the rollouts' outcomes back into it."""

    __name__ = "optgap_curriculum"

    def __init__(self, engine: optgap.Engine, seed: int) -> None:
        self.plan = optgap.Curriculum(_POLICY, TASK, seed, _SIZES)
        self.seen = optgap.InstanceSet()
        self._engine = engine

    def __getstate__(self) -> str:
        """datasets pickles a generator to name its stream; that is all this is for."""
        return self.plan.state_dict()

    def rows(self) -> Iterator[dict[str, Any]]:
        """A step's problems after another's. Loaders read ahead, so the next step's first ones may come from this one's
        levels; they are other problems in any case."""
        step, first = 0, -PROMPTS
        while True:
            step, first = (step, first + PROMPTS) if step == self.plan.steps else (self.plan.steps, 0)
            asked = solved(self._engine, self.plan.instances(self._engine, PROMPTS, first))
            self.seen.add(asked.instances)
            for prompt, key, baseline in zip(asked.prompts, asked.instances.keys, asked.baselines.records()):
                truth = {"key": key, "baseline": baseline, "format": FORMAT}
                yield {"prompt": prompt, "data_source": f"optgap/{TASK}", "ground_truth": json.dumps(truth)}

    def __call__(
        self, prompts: Sequence[Any], completions: Sequence[str], ground_truth: Sequence[str], **_: Any
    ) -> list[float | None]:
        """As a reward function it earns nothing: it tells the curriculum how the step went, and ends it."""
        distinct = dict.fromkeys(ground_truth)
        place = {truth: row for row, truth in enumerate(distinct)}
        instances, baselines = joined([known for known in problems(list(distinct)) if isinstance(known, Problem)])
        instance_of = [place[truth] for truth in ground_truth]
        scores = self._engine.score(instances, completions, baselines, instance_of=instance_of, format=FORMAT)
        self.plan.observe(instances, scores, instance_of)
        self.plan.merge(self.plan.delta())
        self.plan.step()
        return [None] * len(completions)

    @property
    def top(self) -> int:
        """The highest step of the window."""
        return int(self.plan.state["tasks"][0]["high"])


class _Log(TrainerCallback):
    """Hands TRL's metrics of every `every` steps on."""

    def __init__(self, report: Callable[[int, dict[str, float]], None]) -> None:
        self._report = report

    def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, Any] | None = None, **_: Any) -> None:
        if logs and "reward" in logs:
            self._report(state.global_step, {name: value for name, value in logs.items() if value is not None})


def reinforce(
    model: GPT2LMHeadModel, tokenizer: PreTrainedTokenizerFast, ladder: Ladder, spec: str, steps: int, seed: int,
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
        logging_steps=every,
        use_cpu=use_cpu,
        bf16=False,
        gradient_checkpointing=False,
        save_strategy="no",
        report_to=[],
        disable_tqdm=True,
    )
    trainer = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        reward_funcs=[*trl.reward_functions("reward", "normalized", spec=spec), ladder],
        train_dataset=IterableDataset.from_generator(ladder.rows),
        args=settings,
        callbacks=[_Log(report)],
    )
    trainer.remove_callback(PrinterCallback)
    trainer.train()
