"""slime: its hooks, and a data source."""

from optgap.trainers.adapter import Adapter, Refusal

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
)
