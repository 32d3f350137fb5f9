"""Which GPU an engine takes: the one that is named, else torch's, else the one of this rank on its node."""

import types

import pytest

import optgap
from optgap.core import arguments


@pytest.fixture
def nothing_known(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    for variable in ("LOCAL_RANK", "CUDA_VISIBLE_DEVICES"):
        monkeypatch.delenv(variable, raising=False)
    return monkeypatch


def with_torch(monkeypatch, started, current):
    cuda = types.SimpleNamespace(is_initialized=lambda: started, current_device=lambda: current)
    monkeypatch.setitem(__import__("sys").modules, "torch", types.SimpleNamespace(cuda=cuda))


def test_nobody_knows_better_than_the_caller(nothing_known):
    assert arguments.device("auto") == "auto"
    nothing_known.setenv("LOCAL_RANK", "5")
    with_torch(nothing_known, True, 3)
    for named in ("cpu", "cuda:0", "auto:7"):
        assert arguments.device(named) == named


def test_torch_is_asked_once_it_has_started_cuda(nothing_known):
    nothing_known.setenv("LOCAL_RANK", "5")
    with_torch(nothing_known, True, 3)
    assert arguments.device("cuda") == "cuda:3"
    with_torch(nothing_known, False, 3)
    assert arguments.device("auto") == "auto:5"


@pytest.mark.parametrize(
    ("rank", "visible", "device"),
    [("5", "0,1,2,3,4,5", "cuda:5"), ("5", "5", "cuda"), ("1", "", "cuda"), ("0", "6", "cuda:0"), ("x", None, "cuda"),
     ("-1", None, "cuda"), ("²", None, "cuda")],
)  # fmt: skip
def test_a_rank_chooses_among_the_gpus_that_its_process_sees(nothing_known, rank, visible, device):
    nothing_known.setenv("LOCAL_RANK", rank)
    if visible is not None:
        nothing_known.setenv("CUDA_VISIBLE_DEVICES", visible)
    assert arguments.device("cuda") == device


def test_a_rank_does_not_keep_an_engine_from_starting(nothing_known):
    nothing_known.setenv("LOCAL_RANK", "5")
    assert optgap.Engine("auto:1", threads=1).device in ("cpu", "cuda")
    assert optgap.Engine("auto", threads=1).tasks


@pytest.mark.parametrize("named", ["gpu", "cuda:", "cuda:-1", "cuda:1x", "cpu:0", "auto:99999999999", "CUDA", ""])
def test_another_name_is_refused_with_what_is_expected(named):
    with pytest.raises(optgap.Error, match="expected auto, cpu, cuda, or cuda:N or auto:N for GPU N"):
        optgap.Engine(named)
