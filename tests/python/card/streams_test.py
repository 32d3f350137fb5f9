"""A store's verbs beside torch's streams and its allocator: each runs behind what made its columns, whichever stream that was on,
the host waits for nothing, and no memory is given to somebody else before the verb has run."""

import numpy as np
import pytest
from cases import Chain
from libraries import Torch

CYCLES = 60_000_000  # some 30 ms: a host that does not wait is through long before


def late(torch, column):
    """Its values come only after a while, on torch's current stream; until then they are no answers."""
    values = column.clone()
    column.zero_()
    torch.cuda.synchronize()
    torch.cuda._sleep(CYCLES)
    column.copy_(values)


def test_a_verb_s_stream_is_torch_s_current_one(torch, store, case, chain):
    for stream in (torch.cuda.default_stream(), torch.cuda.Stream(), torch.cuda.Stream(priority=-1)):
        chain.verdicts.fill_(-7)
        with torch.cuda.stream(stream):
            late(torch, chain.words)
            before = chain.queue()
            marked = torch.cuda.Event()
            marked.record()
            assert not marked.query(), "the host has waited"
            assert store.ended() < before[0]
        stream.synchronize()  # all of it is on this stream: nothing else is to be waited for
        chain.expect(case)
        assert store.ended() == before[-1]
    store.wait()


def test_columns_made_on_another_stream_are_waited_for(torch, store, case, chain):
    side = torch.cuda.Stream()
    for given in (side, side.cuda_stream):
        chain.verdicts.fill_(-7)
        late(torch, chain.words)  # on the current one
        chain.verify(stream=given)
        side.synchronize()
        chain.expect_verdicts(case)
    late(torch, chain.words)
    with torch.cuda.stream(side):
        side.wait_stream(torch.cuda.default_stream())
        chain.verify(stream=1)  # the legacy default stream
    torch.cuda.default_stream().synchronize()
    chain.expect_verdicts(case)
    store.wait()


def test_verbs_on_two_streams_follow_each_other(torch, store, case, turned):
    """They share the store's working memory, and say so to each other on the GPU."""
    chains = [Chain(Torch(), store, one) for one in (case, turned)]
    torch.cuda.synchronize()
    streams = [torch.cuda.Stream(), torch.cuda.Stream()]
    for _ in range(3):
        for stream, chain in zip(streams, chains):
            with torch.cuda.stream(stream):
                chain.queue()
    torch.cuda.synchronize()
    for chain, one in zip(chains, (case, turned)):
        chain.expect(one)
    store.wait()


def test_tensors_that_are_gone_keep_their_memory_until_the_verb_has_run(torch, store, case, chain):
    held = torch.cuda.memory_allocated()
    side = torch.cuda.Stream()
    words = chain.words.clone()
    at = words.data_ptr()
    torch.cuda.synchronize()
    with torch.cuda.stream(side):
        torch.cuda._sleep(CYCLES)
    call = store.verify(chain.kept, words, chain.offsets, chain.verdicts, instance_of=chain.instance_of, stream=side)
    del words
    assert store.status()["held"] == 4 and store.ended() < call
    others = [
        torch.full_like(chain.words, -1) for _ in range(8)
    ]  # the allocator would have given it to the first of them
    assert at not in [one.data_ptr() for one in others]
    assert store.ended() < call, "it ran before anything was asked for"
    side.synchronize()
    chain.expect_verdicts(case)
    store.wait()
    del others
    assert store.status()["held"] == 0 and torch.cuda.memory_allocated() == held


def test_many_short_lived_columns_on_alternating_streams(torch, store, case, chain):
    streams = [torch.cuda.current_stream(), torch.cuda.Stream(), torch.cuda.Stream()]
    found = []
    for turn in range(120):
        with torch.cuda.stream(streams[turn % 3]):
            columns = [column.clone() for column in (chain.words, chain.offsets, chain.instance_of)]
            out = torch.full_like(chain.verdicts, -7)
            words, offsets, of = columns
            store.verify(chain.kept, words, offsets, out, instance_of=of, stream=streams[(turn // 3) % 3])
            found.append(out)
            del columns, words, offsets, of
    store.wait()
    chain.verify()
    chain.expect_verdicts(case)
    expected = chain.verdicts.cpu().numpy().tobytes()
    wrong = [turn for turn, out in enumerate(found) if out.cpu().numpy().tobytes() != expected]
    assert wrong == [] and store.status()["held"] <= 4


def test_a_store_s_memory_is_not_torch_s(torch, gpu, case):
    """It goes back when the store and its sets do, and torch's count of its own never knew of it."""
    from optgap.core.device import DeviceStore

    torch.cuda.synchronize()
    before = torch.cuda.memory_allocated()
    free, _ = torch.cuda.mem_get_info()
    store = DeviceStore(gpu, memory=1 << 30)
    kept = store.keep(case.made)
    assert torch.cuda.memory_allocated() == before
    assert free - torch.cuda.mem_get_info()[0] >= 1 << 30
    del store, kept
    assert free - torch.cuda.mem_get_info()[0] < 1 << 29


def test_the_numbers_of_calls_grow(store, chain):
    numbers = [chain.verify() for _ in range(5)]
    assert np.diff(numbers).tolist() == [1] * 4
    store.wait()
    assert store.ended() == numbers[-1]


@pytest.mark.parametrize("stream", [0, 2])
def test_a_stream_that_torch_cannot_follow_is_refused(chain, stream):
    """0 may be either default stream; of the thread's own, which is 2, torch's tensors know nothing."""
    import optgap

    with pytest.raises(optgap.Error, match="per-thread" if stream else "stream: is 0"):
        chain.verify(stream=stream)
