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
        if self.module.startswith(f"{package}.") and package not in sys.modules:
            bare = types.ModuleType(package)
            bare.__path__ = [str(self.folder)]
            sys.modules[package] = bare
        return getattr(importlib.import_module(self.module), self.name)


@functools.lru_cache(maxsize=8)
def classes_of(gym: pathlib.Path, package: str, table: str) -> dict[str, ClassPath]:
    """Identifier to class: the mapping `table` that the package's `__init__` writes out, and the modules that it imports the
    classes from. Raises ValueError where it is written in another way."""
    single = gym / f"{package}.py"
    source = single if single.exists() else gym / package / "__init__.py"
    modules: dict[str, str] = {}
    found: dict[str, str] | None = None
    for node in ast.parse(source.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            modules.update({alias.asname or alias.name: node.module for alias in node.names})
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict):
            if any(isinstance(target, ast.Name) and target.id == table for target in node.targets):
                pairs = zip(node.value.keys, node.value.values)
                found = {
                    str(key.value): value.id
                    for key, value in pairs
                    if isinstance(key, ast.Constant) and isinstance(value, ast.Name)
                }
    if not found:
        raise ValueError(f"{source} has no mapping {table} of names to classes")
    here = f"Gym.{package}"
    return {name: ClassPath(gym / package, modules.get(class_name, here), class_name) for name, class_name in found.items()}
