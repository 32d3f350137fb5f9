"""Bounds of shares, for checks that run without the package. Loads its `optgap.measure.audit.rates`, which needs only the
standard library, by path. No other code here computes a bound."""

import importlib.util
import pathlib
import sys

_PATH = pathlib.Path(__file__).resolve().parents[2] / "python/optgap/measure/audit/rates.py"
_spec = importlib.util.spec_from_file_location("optgap_rates", _PATH)
_module = importlib.util.module_from_spec(_spec)
sys.modules[_spec.name] = _module  # dataclasses look up their module
_spec.loader.exec_module(_module)

Rate = _module.Rate
