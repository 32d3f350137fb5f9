"""TRL (GRPOTrainer, RLOOTrainer): problems from a curriculum, outcomes back into it, saved and resumed with checkpoints.

    stream = CurriculumStream(CurriculumRows("adaptive", ["tsp", "knapsack"], seed=7))
    rewarded = reward_functions("reward", "quality")
    trainer = GRPOTrainer(
        reward_funcs=[*rewarded, stream.observer(rewarded[0])],
        train_dataset=stream.dataset(),
        callbacks=[stream.callback()],
        args=GRPOConfig(shuffle_dataset=False, max_steps=500, …),
        …
    )

Every rank reads a stream of its own; what ranks observed is gathered when a batch is rewarded, so that all draw the same
problems. `trainer.train(resume_from_checkpoint=…)` goes on where the checkpoint was written: same problems, same levels.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch.distributed
from datasets import IterableDataset
from transformers import TrainerCallback
from transformers.trainer_callback import ExportableState

from optgap.trainers.common.evaluation import refuse
from optgap.trainers.common.ranks import gathered, is_distributed
from optgap.trainers.common.stream import CurriculumRows, Row
from optgap.trainers.trl.reward import RewardFunction, Rewards


class CurriculumStream:
    """What one trainer needs of a curriculum: a data set, an observer, a callback. One per trainer.

    Args:
        rows: The curriculum and its problems, the same on all ranks.
        prompt: What is asked in place of a row's own prompt, for models with a prompt of their own: a function of the row
            that gives a text or messages.
    """

    def __init__(self, rows: CurriculumRows, prompt: Callable[[Row], Any] | None = None) -> None:
        self.rows = rows
        self._prompt = prompt
        self._batch = 1
        self._is_watched = False
        self._done = 0
        """Problems with an outcome, with those of the runs that this one goes on from."""
        self._skipped = 0
        """Rows that a resumed trainer reads once more and throws away, to come to its place in the data."""

    def __getstate__(self) -> str:
        """datasets pickles a generator to name its stream; that is all this is for."""
        return self.rows.state_dict()

    def dataset(self) -> IterableDataset:
        """The problems, without end, drawn when they are read. Who reads from the beginning gets what has no outcome yet: a
        glance at the first row takes nothing away."""
        return IterableDataset.from_generator(self._examples)

    def observer(self, function: RewardFunction) -> CurriculumObserver:
        """A reward function that earns nothing: it tells the curriculum what became of a batch. It stands behind `function`,
        whose evaluation it shares; `reward_weights` has an entry for it."""
        return CurriculumObserver(self, function)

    def callback(self) -> CurriculumCallback:
        """Puts the curriculum into every checkpoint, and takes it from there when a run is resumed."""
        return CurriculumCallback(self)

    def watch(self, batch: int) -> None:
        """The trainer reads `batch` problems at a time and has the callback."""
        self._batch, self._is_watched = batch, True

    def ended(
        self, truths: Sequence[str], evaluated: Sequence[Mapping[str, Any]], finish: Sequence[str] | None = None
    ) -> None:
        """Counts a batch's rollouts of this rank, each problem's as one group. Ends the step when a rank had some: in an
        evaluation none has."""
        if not self._is_watched:
            raise refuse(
                "callbacks", "lack the stream's: give the trainer callbacks=[stream.callback()], which saves its state"
            )
        self.rows.observe(truths, evaluated, truths, finish)
        rank = torch.distributed.get_rank() if is_distributed() else 0
        mine = self.rows.delta(rank) if self.rows.has_outcomes else None
        digest = hashlib.sha256("\n".join(self.rows.pending).encode()).hexdigest()
        deltas, digests = zip(*gathered((mine, digest)))
        if len(set(digests)) > 1:
            raise refuse("ranks", "hold different problems: their curricula have different arguments, or an environment made "
                         "a problem on some ranks only")  # fmt: skip
        known, asked = [delta for delta in deltas if delta is not None], len(self.rows.pending)
        for delta in known:
            self.rows.merge(delta)
        if known:
            self._done += asked - len(self.rows.pending)
            self.rows.step()

    def state(self) -> dict[str, Any]:
        """For a checkpoint."""
        return {"done": self._done, "rows": self.rows.state_dict()}

    def resume(self, state: Mapping[str, Any], skips: bool) -> None:
        """Continues from `state`. `skips`: the trainer reads what came before once more."""
        self.rows.load_state_dict(state["rows"])
        self._done = int(state["done"])
        self._skipped = self._done if skips else 0

    def _examples(self) -> Iterator[dict[str, Any]]:
        if torch.utils.data.get_worker_info() is not None:
            raise refuse(
                "dataloader_num_workers", "a worker's copy of the curriculum would see no outcomes: set it to 0"
            )
        self.rows.rewind()
        while True:
            batch = self.rows.rows(min(self.rows.left or self._batch, self._batch))
            asked = [dict(row) if self._prompt is None else {**row, "prompt": self._prompt(row)} for row in batch]
            skipped, self._skipped = self._skipped, 0
            yield from itertools.repeat(asked[0], skipped)
            yield from asked


class CurriculumObserver:
    """TRL calls it like a reward function, and logs nothing of it: every value is None."""

    __name__ = "optgap_curriculum"

    def __init__(self, stream: CurriculumStream, function: RewardFunction) -> None:
        self._stream = stream
        self._function = function

    def __call__(self, prompts: Sequence[Any], completions: Sequence[Any], **columns: Any) -> Rewards:
        self._stream.ended(*self._function.observed(completions, columns))
        return [None] * len(completions)


class CurriculumCallback(TrainerCallback, ExportableState):
    """Keeps the curriculum's state in a checkpoint's trainer_state.json (stateful_callbacks), one file with the step that it
    belongs to: a kill cannot part them."""

    def __init__(self, stream: CurriculumStream) -> None:
        self._stream = stream

    def state(self) -> dict[str, Any]:
        """For transformers, which writes it into a checkpoint."""
        return {"args": {}, "attributes": self._stream.state()}

    def on_init_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Refuses settings under which draws and outcomes would not fit."""
        if getattr(args, "steps_per_generation", None) is None:
            raise refuse("trainer", f"{type(args).__name__} has no generation batches: take GRPOTrainer or RLOOTrainer")
        if getattr(args, "shuffle_dataset", False):
            raise refuse("shuffle_dataset", "reads 1000 problems ahead of the curriculum, whose draws are random already: "
                         "set it to False")  # fmt: skip
        if args.restore_callback_states_from_checkpoint:
            raise refuse("restore_callback_states_from_checkpoint", "would replace the curriculum's callback by one without "
                         "a stream, and the callback restores itself: set it to False")  # fmt: skip
        self._stream.watch(args.generation_batch_size // args.num_generations)

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Takes the state of the checkpoint that is resumed."""
        require_whole_generations(args, state)
        if state.global_step == 0:
            return
        saved = state.stateful_callbacks.get(type(self).__name__)
        if saved is None:
            raise refuse(
                "resume_from_checkpoint", "is of a run without this curriculum: its trainer_state.json has no state"
            )
        self._stream.resume(saved["attributes"], not args.ignore_data_skip)


def require_whole_generations(args: Any, state: Any) -> None:
    """Error where a checkpoint could fall between the steps that share one generation."""
    every = args.steps_per_generation * getattr(args, "num_iterations", 1)
    if args.save_strategy == "steps" and int(state.save_steps) * args.gradient_accumulation_steps % every:
        raise refuse("save_steps", f"{state.save_steps} leaves checkpoints between the steps that share one generation, "
                     "which a resumed run would generate anew: take a multiple of "
                     f"{every // math.gcd(every, args.gradient_accumulation_steps)}")  # fmt: skip
