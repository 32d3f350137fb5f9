"""Adapters of trainers: a folder each, whose `ADAPTER` says what it does (docs/trainers.md). They import their trainer no sooner
than they have to.

All of them score through one function, `optgap.trainers.common.evaluation.evaluate`, so a rollout earns the same in each.
"""
