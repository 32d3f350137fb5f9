"""A store's verbs under torch.cuda.graph: launched again, the graph gives the bytes of calls on whatever its columns then hold."""

import pytest
from cases import Chain
from libraries import Torch

import optgap


@pytest.fixture
def captured(torch, store, chain):
    graph = torch.cuda.CUDAGraph()
    calls = store.status()["calls"]
    with torch.cuda.graph(graph):
        assert chain.queue() == [0] * 5, "recorded, not called"
    assert store.status()["calls"] == calls
    assert (chain.verdicts == -7).all(), "nothing has run yet"
    return graph


def fill(chain, case):
    """Other rows where the graph reads them; nothing left of what it wrote before."""
    by = Torch()
    chain.words.copy_(by.put(case.answers.words))
    chain.offsets.copy_(by.put(case.answers.offsets))
    chain.instance_of.copy_(by.put(case.instance_of))
    for column in (
        chain.verdicts,
        chain.found,
        chain.rewarded,
        chain.rewards,
        chain.advantages,
        chain.ends,
        chain.searched,
    ):
        column.fill_(-7)


def test_a_graph_gives_the_bytes_of_the_calls_on_what_its_columns_hold(torch, store, chain, captured, case, turned):
    for one in (case, turned, turned, case):
        fill(chain, one)
        captured.replay()
        torch.cuda.current_stream().synchronize()
        chain.expect(one)
    store.wait()


def test_launches_on_other_streams_and_calls_between_them_follow_each_other(
    torch, store, chain, captured, case, turned
):
    beside = Chain(Torch(), store, turned)
    side = torch.cuda.Stream()
    torch.cuda.synchronize()
    for _ in range(3):
        captured.replay()
        beside.queue(stream=side)
        with torch.cuda.stream(side):
            captured.replay()
        beside.verify()
    torch.cuda.synchronize()
    chain.expect(case)
    beside.expect(turned)
    store.wait()


def test_a_row_that_a_replay_finds_wrong_is_named(torch, store, chain, captured, case):
    store.wait()  # nothing has run: nothing is wrong
    chain.instance_of[3] = len(case.made)
    captured.replay()
    with pytest.raises(optgap.Error, match="instance_of: row 3 of an earlier call names no instance of its set"):
        store.wait()
    fill(chain, case)
    captured.replay()
    store.wait()
    chain.expect(case)


def test_torch_s_own_work_lies_between_verbs_of_one_graph(torch, store, chain, case):
    graph = torch.cuda.CUDAGraph()
    chain.rewards.mul_(2)  # so that its code is loaded
    with torch.cuda.graph(graph):
        chain.verify()
        chain.reward()
        chain.rewards.mul_(2)
        chain.compare()
    graph.replay()
    doubled = chain.rewards.cpu().numpy()
    assert (doubled == 2 * case.forge.reward).all()
    expected = case.cpu.advantages(doubled, case.instance_of)
    assert chain.advantages.cpu().numpy().tobytes() == expected.tobytes()
    store.wait()
