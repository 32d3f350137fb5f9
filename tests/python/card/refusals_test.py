"""What a store refuses of torch's tensors is refused by name, before anything is queued; what only the GPU can see is named later."""

import numpy as np
import pytest

import optgap


def test_tensors_of_the_cpu_are_refused_by_name(torch, store, chain):
    calls = store.status()["calls"]
    for name in ("words", "offsets", "instance_of", "verdicts"):
        column = getattr(chain, name)
        setattr(chain, name, column.cpu())
        field = "out" if name == "verdicts" else name
        with pytest.raises(optgap.Error, match=f"^{field}: is not on GPU {store.gpu}, where the store is") as told:
            chain.verify()
        assert told.value.status == "invalid_argument"
        setattr(chain, name, column)
    assert store.status()["calls"] == calls and store.status()["held"] == 0


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("words", lambda t: t.long(), "words: expected int32"),
        ("offsets", lambda t: t[:-1], r"offsets: expected the shape \(\d+,\)"),
        ("offsets", lambda t: t.int(), "offsets: expected int64"),
        ("instance_of", lambda t: t.repeat_interleave(2)[::2], "instance_of: has gaps between its rows"),
        ("verdicts", lambda t: t.double(), "out: expected int64"),
        ("verdicts", lambda t: t.t().contiguous().t(), "out: has gaps between its rows"),
        ("verdicts", lambda t: t[:, :3].contiguous(), r"out: expected the shape \(\d+, 4\)"),
        ("words", lambda t: t.to_sparse(), "words: cannot be lent: "),
        ("words", lambda t: t.tolist(), "words: is list, expected an array with __dlpack__"),
        ("words", lambda t: t.cpu().numpy(), "words: is not on GPU"),
    ],
)
def test_what_does_not_fit_is_named(chain, name, change, message):
    setattr(chain, name, change(getattr(chain, name)))
    with pytest.raises(optgap.Error, match=f"^{message}"):
        chain.verify()


def test_a_tensor_that_needs_a_gradient_is_refused_and_its_values_are_not(store, case, chain):
    chain.verify()
    chain.reward()
    chain.rewards.requires_grad_(True)
    with pytest.raises(optgap.Error, match="^rewards: cannot be lent: .*requires? grad"):
        chain.compare()
    chain.rewards = chain.rewards.detach()
    chain.compare()
    store.wait()
    expected = case.cpu.advantages(case.forge.reward, case.instance_of)
    assert chain.advantages.cpu().numpy().tobytes() == expected.tobytes()


def test_rows_that_only_the_gpu_can_see_are_named_by_the_next_verb(torch, store, case, chain):
    chain.instance_of[5] = -1
    torch.cuda._sleep(60_000_000)  # 30 ms: both are queued before the GPU can say anything
    chain.verify()
    chain.reward()
    found, rewarded = chain.verdicts.cpu().numpy(), chain.rewards.cpu().numpy()
    assert found[5, 1:].tolist() == [0, 1, 1] and np.isnan(rewarded[5])
    with pytest.raises(optgap.Error, match="^instance_of: row 5 of an earlier call names no instance of its set"):
        chain.verify()
    others = np.arange(len(rewarded)) != 5
    assert (rewarded[others] == case.forge.reward[others]).all()
    store.wait()  # it was said once


def test_an_estimator_that_reads_more_than_rewards_is_refused(chain):
    with pytest.raises(optgap.Error, match="^advantage: "):
        chain.compare(advantage="gpg")


def test_a_store_needs_a_gpu(engine):
    from optgap.core.device import DeviceStore

    with pytest.raises(optgap.Error, match="has no GPU") as told:
        DeviceStore(engine)
    assert told.value.status == "device_unavailable"
