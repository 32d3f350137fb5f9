"""verl: a data set of fresh problems, at the levels that a curriculum chooses.

data.custom_cls.path=pkg://optgap.trainers.verl.data data.custom_cls.name=CurriculumDataset
data.train_files=optgap data.dataloader_num_workers=0
+data.optgap.policy=adaptive '+data.optgap.tasks=[tsp,knapsack]' +data.optgap.seed=1 +data.optgap.length=20000
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import ray
from omegaconf import OmegaConf
from verl.utils.dataset.rl_dataset import RLHFDataset

from optgap.core.curriculum import Curriculum
from optgap.trainers.common.evaluation import refuse
from optgap.trainers.common.ground_truth import PREFIX
from optgap.trainers.common.stream import Row, key_of
from optgap.trainers.verl.curriculum import NAME, CurriculumOwner

FRESH = "optgap"
"""In place of a file's name in data.train_files."""

SETTINGS = {
    "policy": "adaptive",
    "tasks": "all",
    "seed": 0,
    "length": None,
    "format": "forge",
    "style": 0,
    "prompt_chars": None,
}
"""Of data.optgap, and what they are when absent. `length`: problems an epoch, which has no other end."""


class CurriculumDataset(RLHFDataset):
    """For data.custom_cls: fresh problems where the file is called `optgap`, else verl's own data set of that file, as
    data.val_files needs it. Its state is the curriculum's and stands in verl's data.pt."""

    name, keeper = NAME, "curriculum"
    """Of the actor that owns what is drawn from: its name, which is its state's key, too; and in words."""

    def __init__(
        self, data_files: Any, tokenizer: Any, config: Any, processor: Any = None, max_samples: int = -1
    ) -> None:
        files = _files(data_files)
        self._fresh = files == [FRESH]
        if FRESH in _files(config.get("val_files")):
            raise refuse(
                "data.val_files", "must be a file, as `optgap dataset --split val` writes it: validation is fixed"
            )
        if FRESH in files and not self._fresh:
            raise refuse("data.train_files", f"{FRESH!r} stands beside files; a curriculum draws all problems itself")
        if config.get("optgap") is not None and _files(config.get("train_files")) != [FRESH]:
            raise refuse("data.optgap", f"has no effect: data.train_files is not {FRESH!r}")
        if self._fresh and max_samples > 0:
            raise refuse("data.train_max_samples", "has no effect on fresh problems: give data.optgap.length")
        self._owner: Any = None
        self._length = 0
        super().__init__(data_files, tokenizer, config, processor, max_samples)

    def _download(self, use_origin_parquet: bool = False) -> None:
        if not self._fresh:
            super()._download(use_origin_parquet)

    def _read_files_and_tokenize(self) -> None:
        if not self._fresh:
            super()._read_files_and_tokenize()
            return
        settings = self._settings()
        if self.config.get("dataloader_num_workers", 0) != 0:
            raise refuse("data.dataloader_num_workers", "must be 0: workers would draw ahead of what the model learns")
        self._length = settings.pop("length")
        if not ray.is_initialized():
            raise refuse("data.custom_cls", "needs verl's Ray, which is not running")
        self._owner = self._made_owner(settings)
        self.dataframe: Any = []

    def _settings(self) -> dict[str, Any]:
        """Of data.optgap; refuses here what would be an actor that dies."""
        settings = settings_of(self.config)
        Curriculum(settings["policy"], settings["tasks"], settings["seed"], settings["prompt_chars"])
        return settings

    def _made_owner(self, settings: dict[str, Any]) -> Any:
        owner = ray.remote(CurriculumOwner).options(name=self.name, num_cpus=0)
        return owner.remote(batch=int(self.config.train_batch_size), **settings)

    def _as_in_a_file(self, row: Row) -> dict[str, Any]:
        return _as_in_a_file(row)

    def __len__(self) -> int:
        return self._length if self._fresh else super().__len__()

    def __getitem__(self, item: int) -> dict[str, Any]:
        return self.__getitems__([item])[0] if self._fresh else super().__getitem__(item)

    def __getitems__(self, items: Sequence[int]) -> list[dict[str, Any]]:
        """Of fresh problems the next len(items), whatever their places: in one call, for the draws of a batch belong to
        one step."""
        if not self._fresh:
            return [super(CurriculumDataset, self).__getitem__(item) for item in items]
        rows = ray.get(self._owner.rows.remote(len(items)))
        self.dataframe = [self._fitting(self._as_in_a_file(row)) for row in rows]
        return [super(CurriculumDataset, self).__getitem__(place) for place in range(len(rows))]

    def state_dict(self) -> dict[str, Any]:
        return {self.name: ray.get(self._owner.state_dict.remote())} if self._fresh else {}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        if self._fresh != (self.name in state):
            there = "no" if self._fresh else "a"
            raise refuse("data.pt", f"holds {there} {self.keeper}'s state, unlike this run")
        if self._fresh:
            ray.get(self._owner.load_state_dict.remote(state[self.name]))

    def _fitting(self, row: dict[str, Any]) -> dict[str, Any]:
        """Refuses a prompt whose beginning verl would cut off without stopping."""
        options = dict(self.apply_chat_template_kwargs)
        text = self.tokenizer.apply_chat_template(row["prompt"], add_generation_prompt=True, tokenize=False, **options)
        tokens = len(self.tokenizer(text, add_special_tokens=False)["input_ids"])
        if tokens > self.max_prompt_length:
            raise refuse(
                "data.max_prompt_length",
                f"is {self.max_prompt_length}, a prompt of {row['data_source']} has {tokens} tokens: raise it, or give "
                "data.optgap.policy a max_prompt_chars, and data.optgap.prompt_chars",
            )
        return row


def settings_of(config: Any, known: Mapping[str, Any] = SETTINGS) -> dict[str, Any]:
    """What data.optgap says, with what is absent filled in."""
    given = OmegaConf.to_container(config.optgap, resolve=True) if config.get("optgap") is not None else {}
    if not isinstance(given, dict) or not given.keys() <= known.keys():
        raise refuse("data.optgap", f"knows {', '.join(known)}")
    settings = {**known, **given}
    length, batch = settings["length"], config.train_batch_size
    if not isinstance(length, int) or length < batch:
        raise refuse("data.optgap.length", f"is {length!r}: give the problems of an epoch, at least a batch ({batch})")
    return settings


def _files(given: Any) -> list[str]:
    return [] if given is None else [given] if isinstance(given, str) else list(given)


def _as_in_a_file(row: Row) -> dict[str, Any]:
    """A row as `optgap dataset --trainer verl` writes it."""
    task, _, level = row["data_source"].removeprefix(PREFIX).rpartition("/")
    key = key_of(row["ground_truth"])
    return {
        "data_source": row["data_source"],
        "prompt": [{"role": "user", "content": row["prompt"]}],
        "ability": "optimisation",
        "reward_model": {"style": "rule", "ground_truth": row["ground_truth"]},
        "extra_info": {"split": "train", "index": 0, "task": task, "level": level, "key": key},
    }
