"""Tinker: an environment of messages."""

from optgap.environments.adapter import EnvironmentAdapter

ADAPTER = EnvironmentAdapter(
    title="Tinker",
    interface="`MessageEnv`: `tinker.environment.OptgapMessageEnv`; `tinker.environment.env(…)` with a renderer",
    turn="the assistant's message, its thinking put back; cut-off texts and what cannot be parsed earn what an empty text earns",
    tested="tinker-cookbook 0.6.1: steps of `MessageEnv`, cut-off texts by `EnvFromMessageEnv` with a stand-in renderer; the service is not called",
    readers={"tinker": "optgap.environments.reading:read_kept"},
)
