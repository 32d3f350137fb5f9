"""Tests of frameworks are collected where these are installed; tools/environments_test.sh insists on all of them."""

import importlib.util
import pathlib
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / name) for name in ("trainers", ".")]

_NEED = {"verifiers_test.py": "verifiers", "mcp_test.py": "mcp", "trl_environment_test.py": "trl"}
collect_ignore = [file for file, package in _NEED.items() if importlib.util.find_spec(package) is None]
