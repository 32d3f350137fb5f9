"""slime: its hooks, and a data source."""

from __future__ import annotations

from typing import Any

from optgap.trainers.adapter import Adapter, Item, Refusal


def _row(item: Item) -> dict[str, Any]:
    metadata = {"data_source": item.data_source, **item.origin}
    return {"prompt": item.prompt, "label": item.ground_truth, "metadata": metadata}


ADAPTER = Adapter(
    title="slime",
    versions="its hooks as its repository calls them (November 2026), from a harness: PyPI has no slime, the package of that name is another project",
    reward="`rm`",
    advantages="`post_process`",
    filters="`keep_group`",
    other_data="`optgap_fallback`",
    data="`DataSource`",
    curriculum="`optgap_curriculum`",
    roles="–",
    environment="rollout event loop, on a thread",
    refused=(
        Refusal("`truncated: exclude`", "slime has no sample without a reward"),
        Refusal("`optgap_curriculum` without `post_process`, or with another dynamic filter", "it would miss outcomes"),
        Refusal("samples without `group_index`", "their group is not known"),
    ),
    row=_row,
    readers={"slime": "optgap.trainers.slime.reading:read_as_slime"},
)
