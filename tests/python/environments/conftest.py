"""Tests of frameworks are collected where these are installed; tools/environments_test.sh insists on all of them."""

import pathlib
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / name) for name in ("trainers", ".")]
