"""Adapters between optgap and trainers: `verl`, `trl`, `slime`, `openrlhf`. None imports its trainer before it has to.

All of them score through one function, `optgap.integrations.evaluation.evaluate`, so a rollout earns the same in each.
"""
