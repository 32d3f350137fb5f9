"""verl: an agent loop of several turns."""

from optgap.environments.adapter import EnvironmentAdapter

ADAPTER = EnvironmentAdapter(
    title="verl",
    interface="`AgentLoopBase`: `verl.loop.OptgapAgentLoop`, `agent_name` `optgap_agent`",
    turn="the tokens; cut off where the last one ends no turn",
    tested="0.9.1: the loop made by verl's registry and run over its own Continuous Token builder, with a server that answers from a list",
    readers={"verl-loop": "optgap.environments.reading:read_kept"},
)
