"""What evaluators' programs use: Inspect, lm-evaluation-harness, `datasets`, reasoning-gym (docs/evaluators.md)."""
