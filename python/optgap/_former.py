"""Former names of modules and of what is in them (docs/migration.md). Each works for one version, with a DeprecationWarning."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import sys
import warnings
from collections.abc import Callable, Mapping
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType
from typing import Any, TypeVar

_MOVED = {
    "core": "answering arguments awaiting columns curriculum device engine errors files keys problem results scheduler tickets twins",
    "data": "benchmark_set dataset parquet_rows ray rubrics suites supervised",
    "measure": "attacks audit benchmark comparison curves endpoint filling report statistics stats_folder stats_lines",
    "rows": "external programs",
    "trainers": "pool roles",
}
MODULES = {
    **{f"optgap.{name}": f"optgap.{room}.{name}" for room, names in _MOVED.items() for name in names.split()},
    "optgap.chains": "optgap.data.rubrics",
    "optgap.external.sources": "optgap.rows.external_sources",
    "optgap.integrations.evaluation": "optgap.trainers.common.evaluation",
    "optgap.integrations.ground_truth": "optgap.trainers.common.ground_truth",
    "optgap.integrations.huggingface": "optgap.measure.evaluators.huggingface",
    "optgap.integrations.inspect_ai": "optgap.measure.evaluators.inspect_ai",
    "optgap.integrations.lm_eval": "optgap.measure.evaluators.lm_eval",
    "optgap.integrations.openrlhf": "optgap.trainers.openrlhf.reward",
    "optgap.integrations.reasoning_gym": "optgap.measure.evaluators.reasoning_gym",
    "optgap.integrations.reward_rules": "optgap.trainers.common.reward_rules",
    "optgap.integrations.roles": "",
    "optgap.integrations.roles.ranks": "optgap.trainers.common.ranks",
    "optgap.integrations.roles.rows": "optgap.trainers.common.role_rows",
    "optgap.integrations.roles.trl": "optgap.trainers.trl.roles",
    "optgap.integrations.roles.verl": "optgap.trainers.verl.roles",
    "optgap.integrations.roles.verl_data": "optgap.trainers.verl.roles_data",
    "optgap.integrations.shadow": "optgap.trainers.common.overlapped",
    "optgap.integrations.slime": "optgap.trainers.slime.reward",
    "optgap.integrations.slime_data": "optgap.trainers.slime.data",
    "optgap.integrations.slime_options": "optgap.trainers.slime.options",
    "optgap.integrations.slime_state": "optgap.trainers.slime.state",
    "optgap.integrations.stream": "optgap.trainers.common.stream",
    "optgap.integrations.trl": "optgap.trainers.trl.reward",
    "optgap.integrations.trl_curriculum": "optgap.trainers.trl.curriculum",
    "optgap.integrations.turns": "optgap.trainers.common.turns",
    "optgap.integrations.verl": "optgap.trainers.verl.reward",
    "optgap.integrations.verl_curriculum": "optgap.trainers.verl.curriculum",
    "optgap.integrations.verl_data": "optgap.trainers.verl.data",
    "optgap.integrations.verl_estimators": "optgap.trainers.verl.estimators",
    "optgap.integrations.verl_plugin": "optgap.trainers.verl.plugin",
    "optgap.integrations.verl_roles": "optgap.trainers.verl.role_rewards",
}
"""The present name of each module, or of the package that a module was in; "": a package that held nothing but modules."""

_Function = TypeVar("_Function", bound=Callable[..., Any])


def current(name: str) -> str | None:
    """The present name of the module `name`, None where it is one."""
    head, tail = name, ""
    while head not in MODULES:
        head, dot, last = head.rpartition(".")
        if not dot:
            return None
        tail = f".{last}{tail}"
    return MODULES[head] + tail


def attributes(module: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """`module`'s function `__getattr__`, for names in it that have others now."""

    def find(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        _warn(f"{module}.{name}", f"{module}.{names[name]}")
        return getattr(sys.modules[module], names[name])

    return find


def keywords(**names: str) -> Callable[[_Function], _Function]:
    """Lets a function take keywords by their former names: former="current"."""

    def decorate(function: _Function) -> _Function:
        @functools.wraps(function)
        def call(*given: Any, **named: Any) -> Any:
            for former, now in names.items():
                if former not in named:
                    continue
                if now in named:
                    raise TypeError(f"{function.__qualname__}() got both {now} and {former}, its former name")
                _warn(f"{function.__qualname__}({former}=…)", f"{now}=…")
                named[now] = named.pop(former)
            return function(*given, **named)

        return call  # type: ignore[return-value]

    return decorate


def word(setting: str, given: str, names: Mapping[str, str]) -> str:
    """The present spelling of a setting's value."""
    if given not in names:
        return given
    _warn(f"{setting} {given!r}", repr(names[given]))
    return names[given]


def find_spec(name: str) -> ModuleSpec | None:
    """For the import of `name`; None where it is the present one."""
    now = current(name)
    if now is None:
        return None
    return ModuleSpec(name, _Alias(now), is_package=not now)  # type: ignore[arg-type]


class _Alias:
    """Loads the module `now` under a former name, as the same object."""

    def __init__(self, now: str) -> None:
        self._now = now

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        if self._now:
            _warn(module.__name__, self._now)
            sys.modules[module.__name__] = importlib.import_module(self._now)

    def get_code(self, name: str) -> CodeType | None:
        """For `python -m NAME`."""
        _warn(name, self._now)
        spec = importlib.util.find_spec(self._now)
        return spec.loader.get_code(self._now) if spec and spec.loader else None  # type: ignore[attr-defined]


def _warn(former: str, now: str) -> None:
    warnings.warn(f"{former} is {now} now", DeprecationWarning, stacklevel=3)
