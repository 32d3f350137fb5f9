"""Adapters between optgap and trainers (`verl`, `trl`, `slime`, `openrlhf`) and what evaluators use (`inspect_ai`, `lm_eval`,
`huggingface`, `reasoning_gym`). Those of trainers import their trainer no sooner than they have to.

All of them score through one function, `optgap.integrations.evaluation.evaluate`, so a rollout earns the same in each.
"""
