"""verl: a function or a reward manager, estimators, a data set."""

from __future__ import annotations

from typing import Any

from optgap.trainers.adapter import Adapter, Item, Refusal


def _row(item: Item) -> dict[str, Any]:
    return {
        "data_source": item.data_source,
        "prompt": item.prompt,
        "ability": item.category,
        "reward_model": {"style": "rule", "ground_truth": item.ground_truth},
        "extra_info": item.origin,
    }


ADAPTER = Adapter(
    title="verl",
    versions="0.9.1, its own reward loop, managers and trainer functions",
    reward="`compute_score`, manager",
    advantages="`algorithm.adv_estimator=optgap_…`",
    filters="`filter_groups`, any key below",
    other_data="`route(fallback=…)`",
    data="`CurriculumDataset`",
    curriculum="`CurriculumDataset`",
    roles="`RolesDataset`, manager, `optgap_roles`",
    environment="CPU workers",
    refused=(
        Refusal("`truncated: exclude`", "verl has no row without a reward"),
        Refusal(
            "a length penalty or `truncated` in `compute_score`",
            "verl hands it the text alone; the manager sees the tokens",
        ),
        Refusal(
            "`dataloader_num_workers` above 0 with a curriculum", "workers would draw ahead of what the model learns"
        ),
        Refusal(
            "a ranking under `algorithm.use_kl_in_reward`", "it moves rewards below what tells feasible answers apart"
        ),
    ),
    row=_row,
    readers={
        "verl": "optgap.trainers.verl.reading:read_as_text",
        "verl-manager": "optgap.trainers.verl.reading:read_as_manager",
    },
    blind=("verl",),
)
