"""TRL: reward functions, advantages, a stream of problems."""

from __future__ import annotations

from typing import Any

from optgap.trainers.adapter import Adapter, Item, Refusal


def _row(item: Item) -> dict[str, Any]:
    return {"prompt": item.prompt, "data_source": item.data_source, "ground_truth": item.ground_truth}


ADAPTER = Adapter(
    title="TRL",
    versions="1.16.0, its own trainers take steps",
    reward="reward functions",
    advantages="`GroupAdvantage`; refused where a rank holds parts of groups",
    filters="–",
    other_data="`None` for rows that are not ours",
    data="`CurriculumStream`",
    curriculum="`CurriculumStream`",
    roles="`RolesStream`, also on several ranks",
    environment="trainer process",
    refused=(
        Refusal("`GroupAdvantage` where a rank holds parts of groups", "it compares the rollouts of one prompt"),
        Refusal(
            "`truncated` without the tokenizer or `max_completion_length`",
            "TRL does not say which completions were cut off",
        ),
        Refusal(
            "`dataloader_num_workers` above 0 or `shuffle_dataset` with a stream",
            "a copy sees no outcomes, and shuffling reads ahead of the curriculum",
        ),
    ),
    row=_row,
    readers={"trl": "optgap.trainers.trl.reading:read_as_trl"},
)
