"""Adapters of runs in which one model poses problems, solves them and judges answers (docs/coevolution.md)."""
