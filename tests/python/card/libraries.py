"""Arrays on the GPU by those who own them there: how each is made, and read back."""

import importlib
import os

import numpy as np
import pytest


class Torch:
    writes = True

    def __init__(self):
        self.torch = importlib.import_module("torch")

    def put(self, values):
        return self.torch.from_numpy(np.array(values)).to("cuda")

    def back(self, column):
        return column.cpu().numpy()


class CuPy:
    writes = True

    def __init__(self):
        self.cupy = importlib.import_module("cupy")

    def put(self, values):
        return self.cupy.asarray(np.array(values))

    def back(self, column):
        return self.cupy.asnumpy(column)


class Jax:
    """Its arrays are constants: they are lent to be read, and never to be written."""

    writes = False

    def __init__(self):
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # else it takes three quarters of the GPU
        self.jax = importlib.import_module("jax")
        self.jax.config.update("jax_enable_x64", True)  # else there are no int64
        self.on = self.jax.devices("gpu")[0]

    def put(self, values):
        return self.jax.device_put(np.array(values), self.on)

    def back(self, column):
        return np.asarray(column)


LIBRARIES = {"torch": Torch, "cupy": CuPy, "jax": Jax}


def library(name):
    """One of them; skipped where it is not installed, or does not see the GPU."""
    pytest.importorskip(name, reason=f"SKIPPED: no {name}")
    try:
        return LIBRARIES[name]()
    except RuntimeError as why:  # jax without its CUDA plugin
        pytest.skip(f"SKIPPED: {name}: {why}")
