"""slime: a generate function of several turns."""

from optgap.environments.adapter import EnvironmentAdapter

ADAPTER = EnvironmentAdapter(
    title="slime",
    interface="`generate`: `--custom-generate-function-path optgap.environments.slime.rollout.generate`",
    turn="what slime's own `generate` appends; cut off by the sample's status",
    tested="not run: PyPI's `slime` is another project (pip: “Could not find a version that satisfies the requirement slime>=0.1 (from versions: "
    "0.0.0)”). Its `generate` and `Sample.append_response_tokens` are held to the "
    "signatures of the repository (November 2026)",
    readers={"slime-generate": "optgap.environments.reading:read_kept"},
)
