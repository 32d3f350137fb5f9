"""TRL (GRPOTrainer, RLOOTrainer): one model poses problems, solves them and judges answers, paid by proof.

    roles = optgap.Roles(engine, optgap.Pool("pool.db", seed=7), tasks=["tsp"])
    stream = RolesStream(roles, proposals=4, judges=2)
    trainer = GRPOTrainer(
        reward_funcs=[stream.reward()],
        train_dataset=stream.dataset(),
        callbacks=[stream.callback()],
        args=GRPOConfig(shuffle_dataset=False, max_steps=500, …),
        …
    )

The adapter draws from the pool, pays all three roles, and observes: a generation batch is a step of the pool.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch
from datasets import IterableDataset
from transformers import TrainerCallback
from transformers.trainer_callback import ExportableState

from optgap import arguments
from optgap.integrations.evaluation import refuse
from optgap.integrations.roles.rows import Model, RoleRows, Row, measures
from optgap.integrations.trl import RewardFunction, Rewards, text_of
from optgap.integrations.turns import end_tokens, generation_config_of, last_texts, last_tokens, without_end
from optgap.roles import Roles


class RolesStream:
    """What one trainer needs of roles: a data set, a reward function, a callback. One per trainer, in one process.

    Args:
        roles: Around the run's pool.
        proposals, judges: Rows of a generation batch that are a proposer's, and that judge answers of the batch before; all
            others are solvers'. A row is answered `num_generations` times.
        solve: Answers what was posed, so that a proposal is paid in its own batch; None: the trained model itself, sampled as
            the trainer samples.
        prompt: Makes a row's prompt of its `prompt` and `role`, a text or messages; None: one message of a user.
        evaluation: Pays rows without tickets, such as those of an `eval_dataset`; None: they get no reward.
    """

    def __init__(
        self,
        roles: Roles,
        *,
        proposals: int,
        judges: int = 0,
        solve: Model | None = None,
        prompt: Callable[[Row], Any] | None = None,
        evaluation: RewardFunction | None = None,
    ) -> None:
        self._prompt = prompt or (lambda row: [{"role": "user", "content": row["prompt"]}])
        self.roles, self.policy, self.evaluation = roles, Policy(self._prompt), evaluation
        self.solve: Model = self.policy if solve is None else solve
        self._shares = {
            "proposals": arguments.integer(proposals, "proposals", 0, 2**20),
            "judges": arguments.integer(judges, "judges", 0, 2**20),
        }
        self._rows: RoleRows | None = None

    def __getstate__(self) -> str:
        """datasets pickles a generator to name its stream; that is all this is for."""
        return f"{self.roles.pool!r} {self._shares}"

    @property
    def rows(self) -> RoleRows:
        """Error where the trainer lacks the callback."""
        if self._rows is None:
            raise refuse("callbacks", "lack the stream's: give the trainer callbacks=[stream.callback()]")
        return self._rows

    def dataset(self) -> IterableDataset:
        """The rows, without end, made when they are read."""
        return IterableDataset.from_generator(self._examples)

    def reward(self) -> RolesReward:
        """The reward function: it pays a whole generation batch, and the pool's step ends with it."""
        return RolesReward(self)

    def callback(self) -> RolesCallback:
        """Checks the trainer's settings, and keeps the roles' state in checkpoints."""
        return RolesCallback(self)

    def watch(self, prompts: int, group: int) -> None:
        """The trainer reads `prompts` rows at a time, and answers each `group` times."""
        self._rows = RoleRows(self.roles, prompts=prompts, group=group, **self._shares)

    def _examples(self) -> Iterator[Row]:
        if torch.utils.data.get_worker_info() is not None:
            raise refuse("dataloader_num_workers", "a worker's copy of the pool would see no outcomes: set it to 0")
        if self._rows is None:  # a glance at the columns
            shape: Row = {"prompt": "", "role": "solver", "task": "", "data_source": "", "tickets": [0]}
            yield {**shape, "prompt": self._prompt(shape)}
        known = self.rows.pending  # of a reader before this one
        while True:
            batch = known or self.rows.rows()
            known = []
            yield from ({**row, "prompt": self._prompt(row)} for row in batch)


class RolesReward:
    """TRL calls it with a generation batch; rows without a reward get None, as do rows that are not the stream's."""

    __name__ = "optgap_roles"

    def __init__(self, stream: RolesStream) -> None:
        self._stream = stream

    def __call__(self, prompts: Sequence[Any], completions: Sequence[Any], **columns: Any) -> Rewards:
        tickets = columns.get("tickets")
        if tickets is None:
            other = self._stream.evaluation
            return [None] * len(completions) if other is None else other(prompts, completions, **columns)
        policy, met = self._stream.policy, Counter[int]()
        texts: dict[int, str] = {}
        finish: dict[int, str] = {}
        place: dict[int, int] = {}
        ids = columns.get("completion_ids")
        for row, (own, completion) in enumerate(zip(tickets, completions)):
            ticket = int(own[met[own[0]]])
            met[own[0]] += 1
            texts[ticket] = policy.own_text(text_of(completion))
            finish[ticket] = "unknown" if ids is None else policy.finish(ids[row])
            place[ticket] = row
        paid = self._stream.rows.pay(texts, self._stream.solve, finish)
        values: Rewards = [None] * len(completions)
        for ticket, row in place.items():
            if ticket in paid and paid[ticket].reward == paid[ticket].reward:
                values[row] = paid[ticket].reward
        log_metric: Callable[[str, float], None] | None = columns.get("log_metric")
        if log_metric is not None:
            for name, value in measures(list(paid.values())).items():
                log_metric(name, value)
        return values


class Policy:
    """The model that is trained, as one that answers prompts. The stream's callback gives it model and tokenizer."""

    def __init__(self, prompt: Callable[[Row], Any]) -> None:
        self._prompt = prompt
        self._model: Any = None
        self._tokenizer: Any = None
        self._how: dict[str, Any] = {}
        self._space: int | None = None
        self._chunk = 1
        self._last: tuple[str, ...] = ()
        self._ends: frozenset[int] = frozenset()

    def is_of(self, model: Any, tokenizer: Any, args: Any) -> None:
        """What TRL hands to callbacks."""
        self._model, self._tokenizer, self._space = model, tokenizer, args.max_completion_length
        self._chunk = args.per_device_train_batch_size
        stops = getattr(model, "generation_config", None) or generation_config_of(getattr(tokenizer, "name_or_path", None))
        self._ends, self._last = last_tokens(tokenizer, stops), last_texts(tokenizer, stops)
        self._how = {
            "max_new_tokens": args.max_completion_length, "do_sample": True, "temperature": args.temperature,
            "top_p": args.top_p, "pad_token_id": tokenizer.pad_token_id, "eos_token_id": sorted(end_tokens(tokenizer, stops)),
            **(args.generation_kwargs or {}),
        }  # fmt: skip
        if args.top_k:
            self._how["top_k"] = args.top_k

    def own_text(self, text: str) -> str:
        """Without what ends a turn."""
        return without_end(text, self._last) if self._last else text

    def finish(self, ids: Sequence[int]) -> str:
        """Of a completion's tokens."""
        if len(ids) and int(ids[-1]) in self._ends:
            return "stop"
        return "length" if self._space is not None and len(ids) >= self._space else "stop"

    def __call__(self, prompts: Sequence[str]) -> list[str]:
        """One sampled text a prompt, as many at once as the trainer has on a device."""
        was_training = self._model.training
        self._model.eval()
        texts: list[str] = []
        for first in range(0, len(prompts), self._chunk):
            texts += self._sampled([self._rendered(prompt) for prompt in prompts[first : first + self._chunk]])
        self._model.train(was_training)
        return texts

    def _rendered(self, prompt: str) -> str:
        asked = self._prompt({"prompt": prompt, "role": "solver"})
        if isinstance(asked, str):
            return asked
        text: str = self._tokenizer.apply_chat_template(asked, tokenize=False, add_generation_prompt=True)
        return text

    def _sampled(self, asked: Sequence[str]) -> list[str]:
        given = self._tokenizer(asked, return_tensors="pt", padding=True, padding_side="left", add_special_tokens=False)
        ids, mask = (given[name].to(self._model.device) for name in ("input_ids", "attention_mask"))
        with torch.no_grad():
            tokens = self._model.generate(input_ids=ids, attention_mask=mask, **self._how)
        texts = self._tokenizer.batch_decode(tokens[:, ids.shape[1] :], skip_special_tokens=True)
        return [self.own_text(text) for text in texts]


class RolesCallback(TrainerCallback, ExportableState):
    """Keeps the roles' state in a checkpoint's trainer_state.json, beside the pool's step that it belongs to."""

    def __init__(self, stream: RolesStream) -> None:
        self._stream = stream

    def state(self) -> dict[str, Any]:
        """For transformers, which writes it into a checkpoint."""
        roles = self._stream.roles
        return {"args": {}, "attributes": {"roles": roles.state, "pool": [roles.pool.steps, roles.pool.hash]}}

    def on_init_end(self, args: Any, state: Any, control: Any, model: Any = None, processing_class: Any = None, **_: Any) -> None:
        """Refuses settings under which rows and rewards would not fit."""
        if getattr(args, "steps_per_generation", None) is None:
            raise refuse("trainer", f"{type(args).__name__} has no generation batches: take GRPOTrainer or RLOOTrainer")
        if getattr(args, "shuffle_dataset", False):
            raise refuse("shuffle_dataset", "reads 1000 rows ahead of the pool, whose draws are random already: set it to False")
        if args.world_size > 1:
            raise refuse("ranks", f"are {args.world_size}, and one process writes the pool: train on one")
        if args.restore_callback_states_from_checkpoint:
            raise refuse("restore_callback_states_from_checkpoint", "would replace the roles' callback by one without a "
                         "stream, and the callback restores itself: set it to False")  # fmt: skip
        self._stream.watch(args.generation_batch_size // args.num_generations, args.num_generations)
        if model is not None:
            self._stream.policy.is_of(model, processing_class, args)

    def on_train_begin(
        self, args: Any, state: Any, control: Any, model: Any = None, processing_class: Any = None, **_: Any
    ) -> None:
        """Takes the state of the checkpoint that is resumed."""
        self._stream.policy.is_of(model, processing_class, args)
        if state.global_step == 0:
            return
        saved: Mapping[str, Any] | None = state.stateful_callbacks.get(type(self).__name__)
        if saved is None:
            raise refuse("resume_from_checkpoint", "is of a run without these roles: its trainer_state.json has no state")
        if not args.ignore_data_skip:
            raise refuse("ignore_data_skip", "must be True: what came before cannot be read once more from a pool that went on")
        steps, digits = saved["attributes"]["pool"]
        pool = self._stream.roles.pool
        if [pool.steps, pool.hash] != [steps, digits]:
            raise refuse("resume_from_checkpoint", f"was written with {pool.path} at step {steps}, which is at {pool.steps}: "
                         "give it the file that was kept with the checkpoint")  # fmt: skip
        self._stream.roles.state = saved["attributes"]["roles"]
