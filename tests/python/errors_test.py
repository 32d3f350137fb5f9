"""Misuse raises optgap.Error, which says what and why."""

import pickle

import numpy as np
import pytest

import optgap


class Foreign:
    """A tensor that gives nothing away, on a DLPack device."""

    def __init__(self, device):
        self._device = device

    def __dlpack_device__(self):
        return self._device, 0

    def __dlpack__(self, **options):
        raise RuntimeError("Can't export tensors that require gradient")


def misuses(engine, instances):
    two = instances[:2]
    return {
        "unknown task": (lambda: engine.generate("no_such_task"), "unknown_task", None),
        "unknown version": (lambda: engine.generate("tsp@7"), "unknown_task", None),
        "unknown level": (lambda: engine.generate("tsp", level="huge"), "bad_instance", "level"),
        "unknown split": (lambda: engine.generate("tsp", split="dev"), "bad_instance", "split"),
        "seed past 64 bits": (lambda: engine.generate("tsp", seed=2**64 - 1, count=2), "invalid_argument", "seed"),
        "no key": (lambda: engine.instances(["tsp"]), "bad_instance", "key"),
        "key of other words": (lambda: engine.instances(["tsp@1:train:easy:1#00000000"]), "bad_instance", "key"),
        "explicit key": (lambda: engine.instances(["tsp@1:x:" + "0" * 32]), "bad_instance", "key"),
        "bad instance": (lambda: engine.from_json("tsp", {"distances": [[0]]}), "bad_instance", "distances"),
        "second bad instance": (
            lambda: engine.from_json("knapsack", [instance(engine, "knapsack"), {"capacity": 1}]),
            "bad_instance",
            "row 1, weights",
        ),
        "not JSON": (lambda: engine.from_json("tsp", "{"), "bad_instance", "instance"),
        "a number for a text": (lambda: engine.score(two, ["", 7]), "invalid_argument", "texts"),
        "one text": (lambda: engine.parse("[1, 2]", "tsp"), "invalid_argument", "texts"),
        "three texts for two": (lambda: engine.score(two, ["", "", ""]), "invalid_argument", "instance_of"),
        "no such instance": (lambda: engine.score(two, [""], instance_of=[2]), "invalid_argument", "instance_of"),
        "fractions for rows": (lambda: engine.score(two, [""], instance_of=[0.5]), "invalid_argument", "instance_of"),
        "groups too few": (lambda: engine.score(two, ["", ""], group=[1]), "invalid_argument", "group"),
        "unknown finish": (lambda: engine.score(two, ["", ""], finish=["stop", "eos"]), "invalid_argument", "finish"),
        "unknown format": (lambda: engine.score(two, ["", ""], format="xml"), "invalid_argument", None),
        "unknown reward": (lambda: engine.score(two, ["", ""], reward="more"), "invalid_argument", None),
        "reward field": (
            lambda: engine.score(two, ["", ""], reward={"shape": "forge", "x": 1}),
            "invalid_argument",
            None,
        ),
        "unknown estimator": (lambda: engine.advantages([1.0], [0], "best"), "invalid_argument", None),
        "two dimensions": (lambda: engine.advantages([[1.0]], [0]), "invalid_argument", "rewards"),
        "records too few": (lambda: engine.baselines(two, [None]), "invalid_argument", "baselines"),
        "a broken record": (lambda: engine.baselines(two, [{"objective": "7"}] * 2), "invalid_argument", "baselines"),
        "style": (lambda: engine.prompts(two, style=99), "invalid_argument", None),
        "threads": (lambda: optgap.Engine(threads=0), "invalid_argument", "threads"),
        "device": (lambda: optgap.Engine(device="tpu"), "invalid_argument", "device"),
        "a number for a task": (lambda: engine.generate(5), "invalid_argument", "task"),
        "a number among tasks": (lambda: engine.generate(["tsp", 5]), "invalid_argument", "task"),
        "a lone surrogate": (lambda: engine.generate("ts\ud800p"), "invalid_argument", "task"),
        "a fraction for a level": (lambda: engine.generate("tsp", level=3.0), "invalid_argument", "level"),
        "a fraction for a count": (lambda: engine.generate("tsp", count=3.5), "invalid_argument", "count"),
        "a text for a seed": (lambda: engine.generate("tsp", seed="a"), "invalid_argument", "seed"),
        "a style past int32": (lambda: engine.generate("tsp", style=2**40), "invalid_argument", "style"),
        "a task that is none": (lambda: engine.generate_rows([99], [0], [0], [1], [0]), "invalid_argument", None),
        "a level that is none": (lambda: engine.generate_rows([0], [-9], [0], [1], [0]), "invalid_argument", None),
        "a split that is none": (lambda: engine.generate_rows([0], [0], [7], [1], [0]), "invalid_argument", "split"),
        "a seed below 0": (lambda: engine.generate_rows([0], [0], [0], [-1], [0]), "invalid_argument", "seed"),
        "one key": (lambda: engine.instances(two.keys[0]), "invalid_argument", "keys"),
        "no texts": (lambda: engine.score(two, None), "invalid_argument", "texts"),
        "a generator": (lambda: engine.parse((text for text in "ab"), "tsp"), "invalid_argument", "texts"),
        "a number for a format": (lambda: engine.prompts(two, format=3), "invalid_argument", "format"),
        "a spec that is no JSON": (
            lambda: engine.score(two, ["", ""], reward={"x": object()}),
            "invalid_argument",
            "reward",
        ),
        "groups without names": (lambda: engine.score(two, ["", ""], group=[[], []]), "invalid_argument", "group"),
        "groups past int32": (
            lambda: engine.score(two, [""] * 2, group=np.int64([2**40, 1])),
            "invalid_argument",
            "group",
        ),
        "not a number for a row": (
            lambda: engine.score(two, [""], instance_of=[np.nan]),
            "invalid_argument",
            "instance_of",
        ),
        "memory of a device": (lambda: engine.advantages(Foreign(2), [0]), "invalid_argument", "rewards"),
        "a tensor with a gradient": (lambda: engine.advantages(Foreign(1), [0]), "invalid_argument", "rewards"),
        "texts for scores": (lambda: engine.advantages([1.0], [0], scores=["a"]), "invalid_argument", "scores"),
        "steps past int64": (lambda: engine.improve(two, engine.greedy(two), 2**70), "invalid_argument", "steps"),
        "budget": (lambda: engine.solve(two, budget=-2), "invalid_argument", "budget"),
        "a fraction of a thread": (lambda: optgap.Engine(threads=1.5), "invalid_argument", "threads"),
        "memory past int64": (lambda: optgap.Engine("cpu", memory_limit=2**70), "invalid_argument", "memory_limit"),
        "a number for a key": (lambda: optgap.Key.parse(3), "invalid_argument", "key"),
        "steps": (lambda: engine.improve(two, engine.greedy(two), -1), "invalid_argument", "steps"),
    }


def instance(engine, task):
    return engine.generate(task).json[0]


NAMES = list(misuses(None, optgap.Engine("cpu", threads=1).generate("tsp", count=2)))


@pytest.mark.parametrize("name", NAMES)
def test_misuse(engine, instances, name):
    call, status, field = misuses(engine, instances)[name]
    with pytest.raises(optgap.Error) as caught:
        call()
    assert caught.value.status == status and caught.value.field == field
    assert (caught.value.rule is None) == (field is None) and str(caught.value)


def test_errors_pickle():
    error = pickle.loads(pickle.dumps(optgap.Error("a: b", "bad_instance", "a", "b")))
    assert (str(error), error.status, error.field, error.rule) == ("a: b", "bad_instance", "a", "b")


def test_arrays_that_lie_are_refused(engine, instances, solved):
    native = engine._native
    short = instances.offsets[:-1]
    for offsets in (short, instances.offsets[::-1].copy(), np.zeros(0, np.int64)):
        with pytest.raises(optgap.Error):
            native.solve(instances.task, instances.words, offsets, 0)
    wrong = np.full_like(instances.task, 99)
    with pytest.raises(optgap.Error):
        native.solve(wrong, instances.words, instances.offsets, 0)
    for block in ([3, 1], [-2], [2, 1, -1], [-7]):
        answers = optgap.Answers(
            np.zeros(1, np.int32),
            np.zeros(1, np.int32),
            np.zeros(1, np.int32),
            np.int32(block),
            np.int64([0, len(block)]),
        )
        with pytest.raises(optgap.Error):
            engine.verify(instances[:1], answers)


def test_a_device_that_is_not_there_is_named(engine):
    if engine.device == "cuda":
        pytest.skip("there is a GPU")
    try:
        optgap.Engine(device="cuda")
    except optgap.Error as error:
        assert error.status == "device_unavailable"
    else:
        pytest.skip("there is a GPU")
