"""Which module of RLVE holds which environment, read from its sources, so that a worker imports one of them and not all 400."""

from __future__ import annotations

import ast
import functools
import importlib
import pathlib
import sys
import types
from typing import Any, NamedTuple


class ClassPath(NamedTuple):
    """A class of RLVE that is not imported yet."""

    folder: pathlib.Path
    """Of its package: environments or parameter_controllers."""
    module: str
    name: str

    def load(self) -> Any:
        """Imports its module without its package's `__init__`, which would import every other one."""
        package = f"Gym.{self.folder.name}"
        if package not in sys.modules:
            bare = types.ModuleType(package)
            bare.__path__ = [str(self.folder)]
            sys.modules[package] = bare
        return getattr(importlib.import_module(self.module), self.name)


@functools.lru_cache(maxsize=8)
def classes_of(gym: pathlib.Path, package: str, table: str) -> dict[str, ClassPath]:
    """Identifier to class: the mapping `table` that the package's `__init__` writes out, and the modules that it imports the
    classes from. Raises ValueError where it is written in another way."""
    source = gym / package / "__init__.py"
    modules: dict[str, str] = {}
    found: dict[str, str] | None = None
    for node in ast.parse(source.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            module = f"Gym.{package}.{node.module}" if node.level else str(node.module)
            modules.update({alias.asname or alias.name: module for alias in node.names})
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict) and _is_named(node.targets, table):
            pairs = zip(node.value.keys, node.value.values)
            found = {str(k.value): v.id for k, v in pairs if isinstance(k, ast.Constant) and isinstance(v, ast.Name)}
    if not found:
        raise ValueError(f"{source} has no mapping {table} of names to classes")
    return {name: ClassPath(gym / package, modules[kind], kind) for name, kind in found.items() if kind in modules}


def _is_named(targets: list[ast.expr], name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in targets)
