"""Environments of other projects as external tasks, a file each."""
