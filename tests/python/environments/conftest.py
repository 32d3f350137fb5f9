"""Tests of frameworks are collected where these are installed; tools/environments_test.sh insists on all of them."""

import importlib.util
import os
import pathlib
import sys

sys.path[:0] = [
    str(pathlib.Path(__file__).resolve().parents[1] / name) for name in ("trainers", "integrations", "external", ".")
]

_NEED = {"verifiers_test.py": "verifiers", "mcp_test.py": "mcp", "trl_environment_test.py": "trl",
         "turns_tiny_test.py": "trl"}  # fmt: skip
collect_ignore = [file for file, package in _NEED.items() if importlib.util.find_spec(package) is None]


def pytest_collection_modifyitems(config, items):
    """Tests marked `long` run with OPTGAP_LONG=1 alone."""
    if os.environ.get("OPTGAP_LONG") == "1":
        return
    left_out = [item for item in items if item.get_closest_marker("long")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
