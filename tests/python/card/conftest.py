"""Tests on a GPU of columns that torch, CuPy and JAX own. Where there is none, or no torch, each is skipped with the reason, and
fails instead under OPTGAP_REQUIRE=cuda. They need nothing but the package with its CUDA part, pytest and torch:

    PYTHONPATH=FOLDER OPTGAP_REQUIRE=cuda python3 -m pytest -q -p no:cacheprovider tests/python/card

FOLDER is what tools/device/package.sh wrote.
"""

import os

import numpy as np
import pytest
from cases import Case, Chain
from libraries import Torch

import optgap
from optgap.core.device import DeviceStore


def lacks(why):
    if "cuda" in os.environ.get("OPTGAP_REQUIRE", "").split():
        pytest.fail(f"OPTGAP_REQUIRE=cuda, but: {why}")
    pytest.skip(f"SKIPPED, no GPU: {why}")


@pytest.fixture(scope="session")
def torch():
    try:
        import torch
    except ImportError as why:
        lacks(why)
    if not torch.cuda.is_available():
        lacks("torch sees none")
    return torch


@pytest.fixture(scope="session")
def gpu(torch):
    torch.cuda.init()  # the engine takes torch's GPU
    try:
        return optgap.Engine(device="cuda")
    except optgap.Error as why:
        lacks(why)


@pytest.fixture(scope="session")
def case(engine):
    """Rows of all tasks: small, for a test is to take milliseconds."""
    return Case.drawn(engine, "easy", count=2, seed=11)


@pytest.fixture(scope="session")
def store(gpu, case):
    """One that has met every kernel: a first launch loads code, which may wait for the device."""
    store = DeviceStore(gpu)
    chain = Chain(Torch(), store, case)
    chain.queue()
    store.wait()
    return store


@pytest.fixture
def chain(store, case, torch):
    """The case's rows on the GPU, and room for what is found; nothing is under way."""
    store.wait()
    chain = Chain(Torch(), store, case)
    torch.cuda.synchronize()
    return chain


@pytest.fixture(scope="session")
def turned(case):
    """The same rows in another order."""
    return case.rows(np.random.default_rng(2).permutation(len(case.instance_of)))
