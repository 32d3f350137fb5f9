"""Shapes, types and names of what the engine returns."""

import pickle
import typing

import numpy as np
import pytest

import optgap


def dtypes_of(hint):
    """The element types that an array's type allows; an optional one has None beside it."""
    if typing.get_origin(hint) is np.ndarray:
        return {np.dtype(typing.get_args(typing.get_args(hint)[1])[0])}
    return set().union(*(dtypes_of(part) for part in typing.get_args(hint)))


def test_columns_have_one_entry_per_row_and_their_types(engine, instances, solved, completions):
    scores = engine.score(instances, completions, solved)
    results = [
        instances,
        solved,
        scores,
        solved.answers,
        engine.verify(instances, solved.answers),
        engine.parse(completions, instances),
        engine.improve(instances, engine.greedy(instances), 10),
    ]
    for result in results:
        hints = typing.get_type_hints(type(result))
        for name in result.columns:
            column = getattr(result, name)
            assert column.shape == (len(instances),), name
            assert column.dtype in dtypes_of(hints[name]), name
    assert scores.reward.dtype == np.float32 and scores.feasible.dtype == bool and scores.objective.dtype == np.int64


def test_arrays_own_the_memory_of_the_engine(engine, instances, solved):
    assert not instances.words.flags.owndata and not solved.objective.flags.owndata
    objective = engine.solve(instances).objective
    kept = objective.copy()
    for _ in range(20):
        engine.solve(instances[:4])
    assert (objective == kept).all()


def test_the_optimum_is_rewarded(engine, instances, solved, completions):
    scores = engine.score(instances, completions, solved)
    assert (
        (scores.optimal == solved.proven).all()
        and (scores.reward == 2).all()
        and scores.codes == ["ok"] * len(instances)
    )
    assert list(scores.baselines.objective) == list(scores.objective)


def test_consecutive_texts_belong_to_an_instance(engine, instances, solved, completions):
    texts = [text for text in completions for _ in range(3)]
    by_default = engine.score(instances, texts, solved)
    said = engine.score(instances, texts, solved, instance_of=np.repeat(np.arange(len(instances)), 3))
    assert (by_default.reward == said.reward).all() and len(by_default) == 3 * len(instances)


def test_groups_are_any_values(engine, instances, completions, solved):
    texts = completions[:2] + ["", ""]
    two = instances[[0, 1, 0, 1]]
    ids = engine.score(two, texts, solved.records()[:2] * 2, group=[7, 7, 7, 9]).advantage
    names = engine.score(two, texts, solved.records()[:2] * 2, group=["a", "a", "a", "b"]).advantage
    assert (ids == names).all() and ids[3] == 0 and ids[0] > 0


def test_reward_and_advantage_are_text_or_mapping(engine, instances, completions, solved):
    by_text = engine.score(instances, completions, solved, reward='{"shape": "power", "exponent": 2}', advantage="rloo")
    by_dict = engine.score(
        instances, completions, solved, reward={"shape": "power", "exponent": 2}, advantage={"estimator": "rloo"}
    )
    assert (by_text.reward == by_dict.reward).all()


def test_keys_name_instances(engine, instances):
    again = engine.instances(instances.keys)
    assert (again.words == instances.words).all() and again.keys == instances.keys
    key = optgap.Key.parse("tsp@1:val:d3:7:s2#0123abcd")
    assert (key.task, key.split, key.level, key.seed, key.style, key.hash) == ("tsp", "val", "d3", 7, 2, "0123abcd")
    assert str(key) == "tsp@1:val:d3:7:s2#0123abcd"
    assert key.short == "tsp d3 7 val" and optgap.Key.parse(instances.keys[0]).short == f"{engine.tasks[0].name} easy 5"


def test_explicit_instances_go_in_and_out_as_json(engine, instances):
    for row in range(len(instances)):
        text = instances.json[row]
        task = engine.tasks[instances.task[row]].name
        back = engine.from_json(task, text)
        assert back.json == [text] and back.hashes == [instances.hashes[row]]
        assert back.keys == [f"{task}@1:x:{back.hashes[0]}"]


def test_instances_are_taken_and_joined(instances):
    joined = optgap.Instances.concat([instances[3:], instances[:3]])
    order = [*range(3, len(instances)), 0, 1, 2]
    assert joined.keys == [instances.keys[row] for row in order] == instances[order].keys
    assert len(instances[np.zeros(len(instances), bool)]) == 0
    assert instances[-1].keys == instances.keys[-1:]


def test_records_of_baselines_go_round(engine, instances, solved):
    back = engine.baselines(instances, solved.records())
    for name in ("objective", "bound", "floor", "greedy", "status"):
        assert (getattr(back, name) == getattr(solved, name)).all()
    partly = [None if row % 2 else record for row, record in enumerate(solved.records())]
    assert (engine.baselines(instances, partly).objective == solved.objective).all()


def test_arrow_has_nulls_where_there_is_no_objective(engine, instances):
    table = engine.verify(instances, [[]] * len(instances)).to_arrow()
    feasible, objective = table["feasible"].to_pylist(), table["objective"].to_pylist()
    assert not all(feasible)
    assert [value is not None for value in objective] == feasible


def test_dlpack_goes_in_and_out(engine, instances, completions, solved):
    class Foreign:
        def __init__(self, array):
            self._array = array

        def __dlpack__(self, **options):
            return self._array.__dlpack__(**options)

        def __dlpack_device__(self):
            return self._array.__dlpack_device__()

    rewards = np.float32([0, 1, 2, 3])
    group = Foreign(np.zeros(4, np.int32))
    assert (engine.advantages(Foreign(rewards), group) == engine.advantages(rewards, [0] * 4)).all()
    out = engine.score(instances, completions, solved)
    assert np.shares_memory(np.from_dlpack(out.quality), out.quality)


def test_repr_shows_rows(instances, solved):
    shown = repr(instances)
    assert shown.startswith(f"Instances: {len(instances)} rows\n") and f"{len(instances) - 5} more" in shown
    assert "objective" in repr(solved) and "..." not in repr(solved.answers).splitlines()[0]


def test_empty_batches(engine, instances):
    none = instances[:0]
    assert len(engine.solve(none)) == 0 and engine.prompts(none) == [] and none.keys == []
    scores = engine.score(none, [])
    assert len(scores) == 0 and scores.codes == [] and repr(scores) and scores.to_arrow().num_rows == 0
    assert len(engine.verify(none, [])) == 0 and len(engine.parse([], "tsp")) == 0
    assert len(engine.generate([], count=3)) == 0 and len(engine.instances([])) == 0


def test_results_and_engines_pickle(engine, instances, solved, completions):
    for result in (instances, solved, engine.score(instances, completions, solved)):
        back = pickle.loads(pickle.dumps(result))
        assert all((getattr(back, name) == getattr(result, name)).all() for name in result.columns)
    copy = pickle.loads(pickle.dumps(optgap.Engine("cpu", threads=3)))
    assert copy.threads == 3 and copy.device == "cpu"
    assert pickle.loads(pickle.dumps(optgap.Key.parse("tsp@1:val:d3:7"))).seed == 7


def test_improve_is_never_worse(engine, instances):
    start = engine.greedy(instances)
    little, much = (engine.improve(instances, start, steps) for steps in (1, 1000))
    up = np.array([engine.tasks[task].sense == "maximise" for task in instances.task])
    gain = np.where(up, 1, -1) * (much.objective - little.objective)
    known = much.objective != optgap.NO_OBJECTIVE
    assert (gain[known] >= 0).all() and known.any()
    assert (engine.verify(instances, much.answers).objective == much.objective).all()


def test_numpy_answers_are_answers(engine, instances, solved):
    rows = [
        np.array(answer) if isinstance(answer, list) and answer and isinstance(answer[0], int) else answer
        for answer in solved.answers.tolist()
    ]
    rows = [list(row) if isinstance(row, np.ndarray) and place % 2 else row for place, row in enumerate(rows)]
    assert (engine.verify(instances, rows).objective == solved.objective).all()


def test_a_word_that_the_task_does_not_have_is_refused_by_name(engine):
    task = [engine.tasks.index(next(one for one in engine.tasks if one.name == "hamiltonian"))]
    block = dict(code=np.zeros(1, np.int32), where=np.zeros(1, np.int32), offsets=np.array([0, 2], np.int64))
    for word in (99, -1):
        strange = optgap.Answers(np.array(task, np.int32), words=np.array([-2, word], np.int32), **block)
        with pytest.raises(optgap.Error, match=f"answers: {word} is no word of hamiltonian"):
            strange.tolist()
