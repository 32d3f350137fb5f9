"""TRL (GRPOTrainer, RLOOTrainer): one model poses problems, solves them and judges answers, rewarded by proof.

    stream = RolesStream(lambda: optgap.Roles(engine, optgap.Pool("pool.db", seed=7), tasks=["tsp"]), proposals=4, judges=2)
    trainer = GRPOTrainer(
        reward_funcs=[stream.reward()],
        train_dataset=stream.dataset(),
        callbacks=[stream.callback()],
        args=GRPOConfig(shuffle_dataset=False, max_steps=500, …),
        …
    )

The adapter draws from the pool, rewards all three roles, and observes: a generation batch is a step of the pool. On several
ranks the first one has roles and pool: it tells the others each batch's rows and what their completions earned, and all
sample the answers to what was posed.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch
from accelerate.utils import DistributedType
from datasets import IterableDataset
from transformers import TrainerCallback
from transformers.trainer_callback import ExportableState

from optgap.core import arguments
from optgap.core.errors import Error
from optgap.trainers.common import ranks
from optgap.trainers.common.evaluation import refuse
from optgap.trainers.common.role_rows import Model, RoleRows, Row, measures
from optgap.trainers.common.turns import end_tokens, generation_config_of, last_texts, last_tokens, without_end
from optgap.trainers.roles import RoleRow, Roles, TextRoles
from optgap.trainers.trl.curriculum import require_whole_generations
from optgap.trainers.trl.reward import RewardFunction, Rewards, text_of

_SHARDED = (DistributedType.FSDP, DistributedType.DEEPSPEED, DistributedType.MEGATRON_LM)

_Earned = tuple[list[Rewards], dict[str, float]]
"""Rewards by rank and row, and what the log shows."""


class RolesStream:
    """What one trainer needs of roles: a data set, a reward function, a callback. One per trainer, made alike on all ranks.

    Args:
        roles: Around the run's pool, or what makes them, which the first rank alone calls: one process writes a pool.
        proposals, judges: Rows of a generation batch that are a proposer's, and that judge answers of the batch before; all
            others are solvers'. A row is answered `num_generations` times.
        solve: Answers what was posed, so that a proposal is rewarded in its own batch, called on the first rank; None: the
            trained model itself, sampled as the trainer samples, on all ranks.
        judge: Writes the scores that make rewards of `TextRoles`, such as an EndpointRole; None: what solves.
        prompt: Makes a row's prompt of its `prompt` and `role`, a text or messages; None: one message of a user.
        evaluation: Rewards rows without tickets, such as those of an `eval_dataset`; None: they get no reward.
    """

    def __init__(
        self,
        roles: Roles | TextRoles | Callable[[], Roles | TextRoles],
        *,
        proposals: int,
        judges: int = 0,
        solve: Model | None = None,
        judge: Model | None = None,
        prompt: Callable[[Row], Any] | None = None,
        evaluation: RewardFunction | None = None,
    ) -> None:
        self._prompt = prompt or (lambda row: [{"role": "user", "content": row["prompt"]}])
        self._given = roles
        self._roles = None if callable(roles) else roles
        self.policy, self.evaluation = Policy(self._prompt), evaluation
        self.solve, self.judge = solve, judge
        self._shares = {
            "proposals": arguments.integer(proposals, "proposals", 0, 2**20),
            "judges": arguments.integer(judges, "judges", 0, 2**20),
        }
        self._is_watched = False
        self._rows: RoleRows | None = None
        self._rewarded = 0
        """Rows that were, with those of the runs that this one goes on from."""
        self._skipped = 0
        """Rows that a resumed trainer reads once more and throws away, to come to its place in the data."""

    def __getstate__(self) -> str:
        """datasets pickles a generator to name its stream; that is all this is for."""
        return f"{self._shares}"

    @property
    def roles(self) -> Roles | TextRoles:
        """Error on another rank than the first, which has none."""
        if self._roles is None:
            if not ranks.leads():
                raise refuse("roles", f"are those of the first rank, and this is rank {ranks.rank()}")
            assert callable(self._given)
            self._roles = self._given()
        return self._roles

    def checkpoint(self) -> dict[str, Any]:
        """On the first rank, once the trainer has the callback; empty on the others."""
        return {} if self._rows is None else {**self._rows.checkpoint(), "rewarded": self._rewarded}

    def resume(self, saved: Mapping[str, Any], skips: bool) -> None:
        """Goes on from `checkpoint`'s; all ranks call it, and the first one rewinds the pool. `skips`: the trainer reads what came
        before once more. Error on all ranks where the pool is another run's or has not come so far."""
        if wrong := ranks.told(None if self._rows is None else _continued(self._rows, saved)):
            raise refuse("resume_from_checkpoint", wrong)
        self._rewarded = int(saved.get("rewarded", saved.get("paid", 0)))  # `paid` in checkpoints of former versions
        self._skipped = self._rewarded if skips else 0

    def dataset(self) -> IterableDataset:
        """The rows, without end, made when they are read."""
        return IterableDataset.from_generator(self._examples)

    def reward(self) -> RolesReward:
        """The reward function: it rewards a whole generation batch, and the pool's step ends with it."""
        return RolesReward(self)

    def callback(self) -> RolesCallback:
        """Checks the trainer's settings, and keeps the roles' state in checkpoints."""
        return RolesCallback(self)

    def watch(self, prompts: int, group: int) -> None:
        """The trainer reads `prompts` rows at a time, and answers each `group` times."""
        if ranks.count() > 1 and not callable(self._given):
            raise refuse("roles", f"are made on each of {ranks.count()} ranks, and one process writes the pool: give what makes "
                         "them, RolesStream(lambda: optgap.Roles(…), …)")  # fmt: skip
        if ranks.leads():
            self._rows = RoleRows(self.roles, prompts=prompts, group=group, **self._shares)
        self._is_watched = True

    def require_callback(self) -> None:
        """Error where the trainer lacks it."""
        if not self._is_watched:
            raise refuse("callbacks", "lack the stream's: give the trainer callbacks=[stream.callback()]")

    def reward_rows(self, texts: Mapping[int, str], finish: Mapping[int, str]) -> dict[int, RoleRow]:
        """On the first rank: what a batch earns, by ticket. The others follow meanwhile."""
        assert self._rows is not None
        self._rewarded += self._rows.prompts
        return self._rows.reward_rows(
            texts, self.policy.shared if self.solve is None else self.solve, finish, self.judge
        )

    def _examples(self) -> Iterator[Row]:
        if torch.utils.data.get_worker_info() is not None:
            raise refuse("dataloader_num_workers", "a worker's copy of the pool would see no outcomes: set it to 0")
        if not self._is_watched:  # a glance at the columns
            shape: Row = {"prompt": "", "role": "solver", "task": "", "data_source": "", "tickets": [0]}
            yield {**shape, "prompt": self._prompt(shape)}
        self.require_callback()
        known = [] if self._rows is None else self._rows.pending  # of a reader before this one
        while True:
            batch = ranks.told([] if self._rows is None else known or self._rows.rows())
            known = []
            asked = [{**row, "prompt": self._prompt(row)} for row in batch]
            skipped, self._skipped = self._skipped, 0
            yield from itertools.repeat(asked[0], skipped)
            yield from asked


class RolesReward:
    """TRL calls it with a rank's part of a generation batch, on all ranks at once; rows without a reward get None, as do rows
    that are not the stream's."""

    __name__ = "optgap_roles"

    def __init__(self, stream: RolesStream) -> None:
        self._stream = stream

    def __call__(self, prompts: Sequence[Any], completions: Sequence[Any], **columns: Any) -> Rewards:
        tickets = columns.get("tickets")
        if tickets is None:
            other = self._stream.evaluation
            return [None] * len(completions) if other is None else other(prompts, completions, **columns)
        self._stream.require_callback()
        policy, ids = self._stream.policy, columns.get("completion_ids")
        mine = [
            (own, policy.own_text(text_of(completion)), "unknown" if ids is None else policy.finish(ids[row]))
            for row, (own, completion) in enumerate(zip(tickets, completions))
        ]
        everybody = ranks.gathered(mine)
        values, shown = self._led(everybody) if ranks.leads() else self._followed()
        log_metric: Callable[[str, float], None] | None = columns.get("log_metric")
        if log_metric is not None:
            for name, value in shown.items():
                log_metric(name, value)
        return values[ranks.rank()]

    def _led(self, everybody: Sequence[Sequence[tuple[Sequence[int], str, str]]]) -> _Earned:
        """On the first rank: a row's texts take its tickets in the order of ranks."""
        met = Counter[int]()
        texts: dict[int, str] = {}
        finish: dict[int, str] = {}
        places: list[list[int]] = []
        for rows in everybody:
            places.append([])
            for own, text, how in rows:
                ticket = int(own[met[own[0]]])
                met[own[0]] += 1
                texts[ticket], finish[ticket] = text, how
                places[-1].append(ticket)
        try:
            rewarded = self._stream.reward_rows(texts, finish)
        except BaseException as broken:
            ranks.told(("failed", str(broken)))
            raise
        reward = {ticket: row.reward for ticket, row in rewarded.items() if row.reward == row.reward}
        earned = [[reward.get(ticket) for ticket in rows] for rows in places], measures(list(rewarded.values()))
        ranks.told(("earned", earned))
        return earned

    def _followed(self) -> _Earned:
        """On the others: samples when the first rank asks, until it says what was earned."""
        while True:
            what, said = ranks.told(("", None))
            if what == "solve":
                self._stream.policy.sample_share(said)
            elif what == "failed":
                raise refuse("ranks", f"stop, since the first one does: {said}")
            else:
                return said  # type: ignore[no-any-return]


class Policy:
    """The model that is trained, as one that answers prompts. The stream's callback gives it model and tokenizer."""

    def __init__(self, prompt: Callable[[Row], Any]) -> None:
        self._prompt = prompt
        self._model: Any = None
        self._tokenizer: Any = None
        self._sampling: dict[str, Any] = {}
        self._space: int | None = None
        self._chunk = 1
        self._last: tuple[str, ...] = ()
        self._ends: frozenset[int] = frozenset()

    def is_of(self, model: Any, tokenizer: Any, args: Any) -> None:
        """What TRL hands to callbacks."""
        self._model, self._tokenizer, self._space = model, tokenizer, args.max_completion_length
        self._chunk = args.per_device_train_batch_size
        stops = getattr(model, "generation_config", None) or generation_config_of(
            getattr(tokenizer, "name_or_path", None)
        )
        self._ends, self._last = last_tokens(tokenizer, stops), last_texts(tokenizer, stops)
        self._sampling = {
            "max_new_tokens": args.max_completion_length, "do_sample": True, "temperature": args.temperature,
            "top_p": args.top_p, "pad_token_id": tokenizer.pad_token_id, "eos_token_id": sorted(end_tokens(tokenizer, stops)),
            **(args.generation_kwargs or {}),
        }  # fmt: skip
        if args.top_k:
            self._sampling["top_k"] = args.top_k

    def own_text(self, text: str) -> str:
        """Without what ends a turn."""
        return without_end(text, self._last) if self._last else text

    def finish(self, ids: Sequence[int]) -> str:
        """Of a completion's tokens."""
        if len(ids) and int(ids[-1]) in self._ends:
            return "stop"
        return "length" if self._space is not None and len(ids) >= self._space else "stop"

    def shared(self, prompts: Sequence[str]) -> list[str]:
        """One sampled text a prompt, of all ranks; the first one calls it, and the others `sample_share`."""
        ranks.told(("solve", list(prompts)))
        return self.sample_share(prompts)

    def sample_share(self, prompts: Sequence[str]) -> list[str]:
        """This rank's share of the prompts, as many as any other's, since ranks may have to step together; all texts, in order."""
        most = -(-len(prompts) // ranks.count())
        own = [prompts[(ranks.rank() + turn * ranks.count()) % len(prompts)] for turn in range(most)]
        said: list[str] | str
        try:
            said = self(own)
        except Exception as broken:
            said = f"rank {ranks.rank()} cannot sample: {broken}"
        shares = ranks.gathered(said)
        for share in shares:
            if isinstance(share, str):
                raise refuse("solve", share)
        return [shares[place % ranks.count()][place // ranks.count()] for place in range(len(prompts))]

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
            tokens = self._model.generate(input_ids=ids, attention_mask=mask, **self._sampling)
        texts = self._tokenizer.batch_decode(tokens[:, ids.shape[1] :], skip_special_tokens=True)
        return [self.own_text(text) for text in texts]


class RolesCallback(TrainerCallback, ExportableState):
    """Keeps the roles' state in a checkpoint's trainer_state.json, with the pool's step and hash that it belongs to: a run that
    is resumed goes on with the pool as it was then."""

    def __init__(self, stream: RolesStream) -> None:
        self._stream = stream

    def state(self) -> dict[str, Any]:
        """For transformers, which writes it into a checkpoint; empty where this rank has no roles."""
        return {"args": {}, "attributes": self._stream.checkpoint()}

    def on_init_end(
        self, args: Any, state: Any, control: Any, model: Any = None, processing_class: Any = None, **_: Any
    ) -> None:
        """Refuses settings under which rows and rewards would not fit."""
        if getattr(args, "steps_per_generation", None) is None:
            raise refuse("trainer", f"{type(args).__name__} has no generation batches: take GRPOTrainer or RLOOTrainer")
        if getattr(args, "shuffle_dataset", False):
            raise refuse(
                "shuffle_dataset", "reads 1000 rows ahead of the pool, whose draws are random already: set it to False"
            )
        if self._stream.solve is None and args.distributed_state.distributed_type in _SHARDED:
            raise refuse("solve", "is None, and the model's parameters lie in parts on the ranks: give a server, such as "
                         "solve=EndpointRole(…)")  # fmt: skip
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
        require_whole_generations(args, state)
        if state.global_step == 0:
            return
        saved: Mapping[str, Any] | None = state.stateful_callbacks.get(type(self).__name__)
        if saved is None:
            raise refuse(
                "resume_from_checkpoint", "is of a run without these roles: its trainer_state.json has no state"
            )
        if not {"rewarded", "paid"} & set(saved["attributes"]) and not args.ignore_data_skip:
            raise refuse("ignore_data_skip", "must be True: this checkpoint does not say how many rows came before")
        self._stream.resume(saved["attributes"], not args.ignore_data_skip)


def _continued(rows: RoleRows, saved: Mapping[str, Any]) -> str | None:
    """Takes the state, with the pool as it was then, or says why it does not fit."""
    try:
        rows.resume(saved)
    except Error as broken:
        steps, pool = saved["pool"][0], rows.roles.pool
        return f"was written with {pool.path} at step {steps}, and cannot go on with that file: {broken}"
    return None
