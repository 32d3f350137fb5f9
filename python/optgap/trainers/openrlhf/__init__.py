"""OpenRLHF: a remote reward function."""

from __future__ import annotations

from typing import Any

from optgap.trainers.adapter import Adapter, Item, Refusal


def _row(item: Item) -> dict[str, Any]:
    return {"input": item.prompt, "label": item.ground_truth, "datasource": item.data_source}


ADAPTER = Adapter(
    title="OpenRLHF",
    versions="0.11.2, its own executor and advantage code, with vLLM, DeepSpeed and FlashAttention left empty",
    reward="`reward_func`",
    advantages="–",
    filters="`scores` lie in [0, 1]",
    other_data="`configured(fallback=…)`",
    data="–",
    curriculum="refused: it trains from a file",
    roles="–",
    environment="vLLM actor",
    refused=(
        Refusal(
            "`curriculum`",
            "it reads its prompts from a file before the run, and tells a reward function neither the step nor the group",
        ),
        Refusal("`truncated: exclude`", "OpenRLHF has no row without a reward"),
        Refusal("a length penalty without `model`", "it hands over no token counts"),
    ),
    row=_row,
    readers={"openrlhf": "optgap.trainers.openrlhf.reading:read_as_openrlhf"},
)
