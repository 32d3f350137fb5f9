"""OpenRLHF: an agent of several turns."""

from optgap.environments.adapter import EnvironmentAdapter

ADAPTER = EnvironmentAdapter(
    title="OpenRLHF",
    interface="`AgentInstanceBase`: `openrlhf.agent.executor(…)`, for `--agent_func_path`",
    turn="the text; OpenRLHF does not tell a step how it ended",
    tested="0.11.2: `MultiTurnAgentExecutor.execute` with an engine that answers from a list",
    readers={"openrlhf-agent": "optgap.environments.reading:read_kept"},
    blind=("openrlhf-agent",),
)
