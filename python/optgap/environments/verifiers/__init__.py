"""verifiers (version 1 of its interface, which prime-rl runs): a taskset, and an environment of several turns."""

from optgap.environments.adapter import EnvironmentAdapter

ADAPTER = EnvironmentAdapter(
    title="verifiers, prime-rl",
    interface="`Taskset`, `Env`: `verifiers.taskset.OptgapTaskset`, `OptgapEnv`",
    turn="the assistant's message, its reasoning put back; cut off by the call's `finish_reason`",
    tested="0.4.0: `vf-validate`, `vf-eval` over a server on this machine; "
    "prime-rl, which loads the same taskset: not run (pip: “No matching distribution found for prime-rl”)",
    readers={"verifiers": "optgap.environments.reading:read_served"},
)
