"""Imports of packages that need a GPU to be built, replaced by modules that hold nothing."""

import contextlib
import importlib.abc
import importlib.machinery
import sys
import types
from unittest import mock

NAMES = ("deepspeed", "flash_attn", "vllm")


class _Empty(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return mock.MagicMock(name=f"{self.__name__}.{name}")


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in NAMES:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return _Empty(spec.name)

    def exec_module(self, module):
        pass


@contextlib.contextmanager
def stand_ins():
    """While this is open, NAMES can be imported; modules imported then keep what they got."""
    finder = _Finder()
    sys.meta_path.append(finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if name.partition(".")[0] in NAMES]:
            del sys.modules[name]
