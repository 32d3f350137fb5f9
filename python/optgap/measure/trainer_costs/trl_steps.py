"""`optgap bench trainer --trainer trl`: what optgap's reward adds to a step of a real trainer.

TRL's GRPOTrainer takes the same steps with optgap's reward and with a random one, in turns. Its policy is a tiny random
model whose vocabulary holds whole completions, so a step has texts of real size and decodes one token each: nothing that
is proven or scored meanwhile finds a longer time of decoding than that. Data come as a stream: a step's problems are issued when
the trainer reads them, with no baseline in their rows.
"""

from __future__ import annotations

import functools
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from types import SimpleNamespace as Options
from typing import Any

from ...core.engine import Engine
from .rewards import Step, make_step

RLVRR_STEP_S = 122.42
"""A step of RLVRR on 8 A800; with a random reward it takes 121.56 s, 0.71 % less (its tables 6 and 11)."""
ARMS = ("random", "optgap")
MEASURES = ("step_s", "cpu_s", "call_s")


def measured(engine: Engine, options: Options) -> dict[str, dict[str, list[float]]]:
    """Per arm: seconds of each step, of the reward call within it, and of this process's CPU time in the step, which does not
    suffer from what else the machine does. Rounds take turns; a round's first step is not counted."""
    from optgap.trainers.common.ground_truth import configure

    configure("cpu", options.threads)
    texts = make_step(engine, options.level, min(options.groups, 8 * len(engine.tasks)), 4, options.text_bytes)
    samples: dict[str, dict[str, list[float]]] = {arm: {name: [] for name in MEASURES} for arm in ARMS}
    for round_ in range(options.rounds):
        for arm in ARMS if round_ % 2 == 0 else reversed(ARMS):
            for name, values in _train(engine, arm, round_, texts, options).items():
                samples[arm][name] += values
    return samples


def _train(engine: Engine, arm: str, round_: int, texts: Step, options: Options) -> dict[str, list[float]]:
    """MEASURES of a run's steps."""
    import torch
    from datasets import IterableDataset
    from tokenizers import AddedToken
    from transformers import PrinterCallback, TrainerCallback
    from trl import GRPOConfig, GRPOTrainer

    from optgap.trainers.trl import reward as trl

    from ...examples.tiny_model import byte_tokenizer, random_model

    timed = _Timed(trl.reward if arm == "optgap" else _random_reward)

    class Clock(TrainerCallback):
        ends: list[tuple[float, float]] = []

        def on_step_end(self, *_: Any, **__: Any) -> None:
            self.ends.append((time.perf_counter(), time.process_time()))
            timed.ended()

    tokenizer = byte_tokenizer()
    tokenizer.add_tokens([AddedToken(text, special=False, normalized=False) for text in dict.fromkeys(texts.texts)])
    ids = tokenizer.convert_tokens_to_ids(texts.texts)
    model = random_model(tokenizer, round_, 64)

    def own_texts(_: int, prompt: Any) -> list[int]:
        """A row is answered by a text that was written for its task: any other would be infeasible in nearly every row."""
        group = int(tokenizer.decode(prompt, skip_special_tokens=True)) % len(texts.instances)
        return ids[group * texts.group : (group + 1) * texts.group]

    model.generate = functools.partial(model.generate, prefix_allowed_tokens_fn=own_texts)
    batch = options.groups * options.group
    torch.manual_seed(round_)
    with tempfile.TemporaryDirectory() as folder:
        trainer = GRPOTrainer(
            model=model,
            processing_class=tokenizer,
            reward_funcs=[timed],
            train_dataset=IterableDataset.from_generator(
                _rows, gen_kwargs={"engine": engine, "arm": arm, "round_": round_, "options": options}
            ),
            args=GRPOConfig(
                output_dir=folder, use_cpu=True, bf16=False, report_to=[], save_strategy="no", disable_tqdm=True,
                logging_strategy="no", beta=0.0, max_steps=options.steps + 1, num_generations=options.group,
                per_device_train_batch_size=batch, max_completion_length=1, gradient_checkpointing=False,
                seed=round_,
            ),
            callbacks=[Clock],
        )  # fmt: skip
        trainer.remove_callback(PrinterCallback)
        trainer.train()
    step_s, cpu_s = ([after - before for before, after in zip(column, column[1:])] for column in zip(*Clock.ends))
    return {"step_s": step_s, "cpu_s": cpu_s, "call_s": timed.steps[1:]}


class _Timed:
    """A reward function and how long it was called in each step."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.__name__ = getattr(function, "__name__", "reward")
        self.steps: list[float] = []
        self._function = function
        self._seconds = 0.0

    def __call__(self, *args: Any, **columns: Any) -> Any:
        start = time.perf_counter()
        found = self._function(*args, **columns)
        self._seconds += time.perf_counter() - start
        return found

    def ended(self) -> None:
        self.steps.append(self._seconds)
        self._seconds = 0.0


def _random_reward(completions: Sequence[Any], **_: Any) -> list[float]:
    return [random.random() for _ in completions]


def _rows(engine: Engine, arm: str, round_: int, options: Options) -> Iterator[dict[str, str]]:
    """Fresh problems of all tasks in turn, a step's after another's. The random arm's data have the same shape, and nothing
    is made for them. The model sees a number in place of the prompt: reading it is the trainer's cost, not the reward's."""
    from optgap.trainers.common import overlapped

    names = [task.name for task in engine.tasks if task.direct]
    tasks = [names[place % len(names)] for place in range(options.groups)]
    step = 0
    while True:
        first = (round_ << 40) + step * options.groups
        seeds = [first + place for place in range(options.groups)]
        if arm == "optgap":
            _, keys = overlapped.issue(tasks, [options.level] * len(tasks), seeds)
        else:
            keys = [f"{task}@1:train:{options.level}:{seed}#00000000" for task, seed in zip(tasks, seeds)]
        for place, (task, key) in enumerate(zip(tasks, keys)):
            yield {"prompt": f"{place}", "data_source": f"optgap/{task}/{options.level}", "ground_truth": key}
        step += 1


def summary(samples: dict[str, dict[str, list[float]]]) -> dict[str, Any]:
    """Medians; `added`, optgap's less the random reward's, which may be noise and negative; and that as shares of optgap's
    step (CPU time of its CPU time) and of RLVRR's step. What is added to `step_s` is exposed."""
    median = {name: {arm: statistics.median(samples[arm][name]) for arm in ARMS} for name in MEASURES}
    added = {name: of["optgap"] - of["random"] for name, of in median.items()}
    whole = {**{name: of["optgap"] for name, of in median.items()}, "call_s": median["step_s"]["optgap"]}
    return {
        "median": median,
        "added": added,
        "share": {name: value / whole[name] for name, value in added.items()},
        "share_of_rlvrr_step": {name: value / RLVRR_STEP_S for name, value in added.items()},
    }


def table(report: dict[str, Any]) -> str:
    """A row per arm, and what the reward adds."""
    found = report["summary"]
    lines = [["reward", "step s, median (least-most)", "its CPU s", "reward call s"]]
    for arm in ARMS:
        lines.append([arm])
        for name in MEASURES:
            seconds = report["samples"][arm][name]
            lines[-1].append(f"{found['median'][name][arm]:.3f} ({min(seconds):.3f}-{max(seconds):.3f})")
    lines += [
        ["added by optgap", *(f"{found['added'][name]:.3f}" for name in MEASURES)],
        ["share of its step", *(f"{100 * found['share'][name]:.2f} %" for name in MEASURES)],
        [f"share of RLVRR's {RLVRR_STEP_S} s (its own: 0.71 %)",
         *(f"{100 * found['share_of_rlvrr_step'][name]:.2f} %" for name in MEASURES)],
    ]  # fmt: skip
    widths = [max(len(line[column]) for line in lines) for column in range(4)]
    return "\n".join(
        line[0].ljust(widths[0]) + "".join(f"  {cell:>{width}}" for cell, width in zip(line[1:], widths[1:]))
        for line in lines
    )
