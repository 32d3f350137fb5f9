"""A mixed run that is killed and resumed: python -m optgap.examples.train_mixed

TRL's own GRPOTrainer trains a random decoder of a few thousand parameters on tours (optgap's own), on isomorphic strings
(reasoning-gym's) and on the toy environment of even_sum.py, at the levels that an adaptive curriculum draws. The same run is made a
second time, killed between two checkpoints and resumed. The problems drawn and the curriculum's last state must be the same.

Its whole answers are single tokens, so that chance finds good ones. Needs torch, transformers, trl, datasets and
reasoning-gym. Nothing is downloaded.
"""

from __future__ import annotations

import argparse
import functools
import json
import logging
import multiprocessing
import os
import pathlib
import signal
import sys
import tempfile
import warnings
from typing import Any

import torch
import transformers
from transformers import GPT2LMHeadModel, PreTrainedTokenizerFast, TrainerCallback
from trl import GRPOConfig, GRPOTrainer

from optgap.core.files.run_folder import replace
from optgap.examples.tiny_model import byte_tokenizer, random_model
from optgap.rows import external
from optgap.trainers.common.stream import CurriculumRows, Row, key_of
from optgap.trainers.trl import reward as trl
from optgap.trainers.trl.curriculum import CurriculumStream

TASKS = ("tsp", "rg/isomorphic_strings", "toy/even_sum")
GROUP = 4
PROMPTS = 8
"""Problems a step, GROUP rollouts each."""
_POLICY = {"policy": "adaptive", "rollouts": GROUP, "up": 0.2, "z": 1.0}
"""So quick that levels move within a few steps."""
_SAVED_EVERY = 2
_PROMPT_BYTES = 96
_TOURS = ("[0,1,2,3,4]", "[0,1,3,2,4]", "[0,2,1,3,4]", "[0,2,4,1,3]", "[0,3,1,2,4]")
ANSWERS = [f"<think>.</think><answer>{text}</answer>" for text in ("True", "False", *_TOURS)]


class _Recorded(CurriculumRows):
    """Writes down what is handed out."""

    drawn: pathlib.Path

    def rows(self, count: int) -> list[Row]:
        """The same rows, their keys in a file."""
        rows = super().rows(count)
        with self.drawn.open("a") as file:
            file.writelines(key_of(row["ground_truth"]) + "\n" for row in rows)
        return rows


class _Kill(TrainerCallback):
    """Ends the process as the kernel would, when memory runs out."""

    def __init__(self, step: int) -> None:
        self._step = step

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        if state.global_step == self._step:
            os.kill(os.getpid(), signal.SIGKILL)


def _decoder(seed: int) -> tuple[GPT2LMHeadModel, PreTrainedTokenizerFast]:
    tokenizer = byte_tokenizer()
    tokenizer.add_tokens(ANSWERS)
    return random_model(tokenizer, seed, _PROMPT_BYTES + 1), tokenizer


def _asked(row: Row) -> str:
    """As much of the prompt's head as the decoder has places for; all texts have one length, so none is padded."""
    text = f"{row['data_source']} {row['prompt']}".encode("ascii", "replace").decode()
    return text[:_PROMPT_BYTES].ljust(_PROMPT_BYTES)


def train(folder: pathlib.Path, steps: int, seed: int, kill_at: int | None = None, resume: bool = False) -> None:
    """One run, or what is left of it, with its checkpoints, `drawn.txt` and `state.json` in `folder`."""
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    logging.getLogger("trl").setLevel(logging.ERROR)
    warnings.filterwarnings("ignore")
    external.configure(tasks={"toy/even_sum": "optgap.examples.even_sum:EvenSum"}, trusted=True, workers=1)
    rows = _Recorded(_POLICY, TASKS, seed)
    folder.mkdir(parents=True, exist_ok=True)
    rows.drawn = folder / ("resumed.txt" if resume else "drawn.txt")
    stream = CurriculumStream(rows, _asked)
    rewarded = trl.reward_functions("reward", "accuracy")
    model, tokenizer = _decoder(seed)
    answers = {tokenizer.convert_tokens_to_ids(text) for text in ANSWERS}
    trainer = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        reward_funcs=[*rewarded, stream.observer(rewarded[0])],
        train_dataset=stream.dataset(),
        args=GRPOConfig(
            output_dir=str(folder),
            max_steps=steps,
            seed=seed,
            learning_rate=5e-3,
            per_device_train_batch_size=PROMPTS * GROUP,
            num_generations=GROUP,
            max_completion_length=1,
            generation_kwargs={"suppress_tokens": [each for each in range(len(tokenizer)) if each not in answers]},
            reward_weights=[1.0, 0.0, 0.0],
            shuffle_dataset=False,
            save_steps=_SAVED_EVERY,
            beta=0.0,
            logging_steps=max(1, steps // 10),
            use_cpu=True,
            bf16=False,
            gradient_checkpointing=False,
            report_to=[],
            disable_tqdm=True,
        ),
        callbacks=[stream.callback(), *([] if kill_at is None else [_Kill(kill_at)])],
    )
    trainer.train(resume_from_checkpoint=resume or None)
    replace(folder / "state.json", rows.state_dict())


def _in_a_process(*arguments: Any, **named: Any) -> int:
    """The exit code of `train` in a process of its own; forked, so that the imports are paid once."""
    process = multiprocessing.get_context("fork").Process(target=functools.partial(train, *arguments, **named))
    process.start()
    process.join()
    assert process.exitcode is not None
    return process.exitcode


def compare(folder: pathlib.Path, steps: int, seed: int) -> list[str]:
    """Makes the three runs; what is wrong with them."""
    whole, broken = folder / "whole", folder / "broken"
    kill_at = (steps - 1) // _SAVED_EVERY * _SAVED_EVERY - 1
    if _in_a_process(whole, steps, seed) != 0:
        return ["the undisturbed run failed"]
    if _in_a_process(broken, steps, seed, kill_at=kill_at) != -signal.SIGKILL or (broken / "state.json").exists():
        return [f"the second run was not killed at step {kill_at}"]
    if _in_a_process(broken, steps, seed, resume=True) != 0:
        return ["the killed run did not resume"]
    drawn, before, after = (path.read_text().splitlines()
                            for path in (whole / "drawn.txt", broken / "drawn.txt", broken / "resumed.txt"))  # fmt: skip
    done = kill_at // _SAVED_EVERY * _SAVED_EVERY * PROMPTS
    states = [(run / "state.json").read_text() for run in (whole, broken)]
    faults = []
    if drawn[: len(before)] != before or drawn[done:] != after:
        faults.append("the resumed run drew other problems")
    if states[0] != states[1]:
        faults.append("the resumed run ended with another state")
    if len(set(drawn)) != len(drawn) or {key.partition("@")[0] for key in drawn} != set(TASKS):
        faults.append("a problem came twice, or a task never")
    state = json.loads(states[0])["curriculum"]
    if not any(task["low"] for task in state["tasks"]):
        faults.append("no level moved")
    print(
        f"{len(drawn)} problems in {state['step']} steps, killed in step {kill_at + 1}, resumed after {done // PROMPTS}"
    )
    for task in state["tasks"]:
        print(f"  {task['name']:22} d{task['low']} to d{task['high']}")
    return faults


def main(arguments: list[str] | None = None) -> int:
    """Exit code 1 when the runs differ."""
    parser = argparse.ArgumentParser("python -m optgap.examples.train_mixed", description=__doc__.split("\n\n")[1])
    parser.add_argument("--steps", type=int, default=60, help="default: 60; at least 6")
    parser.add_argument("--seed", type=int, default=1, help="default: 1")
    parser.add_argument("--out", type=pathlib.Path, metavar="DIR", help="keeps checkpoints and states there")
    options = parser.parse_args(arguments)
    if options.steps < 6:
        parser.error("--steps: a run that is killed between two checkpoints has 6 or more")
    with tempfile.TemporaryDirectory() as folder:
        faults = compare(options.out or pathlib.Path(folder), options.steps, options.seed)
    print("\n".join(faults) or "the same problems, the same state", file=sys.stderr if faults else sys.stdout)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
