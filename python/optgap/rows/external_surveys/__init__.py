"""Whole sources of environments, or samples of them, tried out (docs/external.md)."""
