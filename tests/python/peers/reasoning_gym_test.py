"""What reasoning-gym's own tests ask of a data set, of all of ours; and its curricula, composites and worker processes."""

import concurrent.futures
import json
import multiprocessing

import pytest
import reasoning_gym
from known import blocks
from reasoning_gym.composite import CompositeConfig, CompositeDataset, DatasetSpec
from reasoning_gym.dataset import ReseedingDataset
from reasoning_gym.factory import create_curriculum, get_score_answer_fn
from reasoning_gym.utils import extract_answer

import optgap
from optgap.measure.evaluators.reasoning_gym import NAMES, STEPS, register

LEVELS = ("easy", "benchmark", "d3", 0)


def test_the_block_on_the_page_runs():
    (block,) = blocks("reasoning-gym", "python")
    exec(compile(block, "docs/evaluators.md", "exec"), {})


def test_every_task_is_registered_once():
    assert NAMES == [f"optgap_{task.name}" for task in optgap.tasks() if task.direct] == register()


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", NAMES)
def test_a_data_set_keeps_the_contract(name, level):
    first, second = (reasoning_gym.create_dataset(name, size=4, seed=7, level=level) for _ in range(2))
    assert len(first) == 4 and list(first) == list(second) == [second[place] for place in range(4)]
    other = reasoning_gym.create_dataset(name, size=4, seed=8, level=level)
    assert not {item["metadata"]["key"] for item in first} & {item["metadata"]["key"] for item in other}
    score = get_score_answer_fn(name)
    for place, item in enumerate(first):
        json.dumps(item)
        assert isinstance(item["question"], str) and isinstance(item["answer"], str)
        assert item["metadata"]["source_dataset"] == name and item["metadata"]["source_index"] == place
        whole = f"<think>[0] is a draft</think>\n<answer> {item['answer']} </answer>"
        for answer in (item["answer"], extract_answer(whole), whole):
            assert first.score_answer(answer, item) == score(answer, item) == 1.0
        twice = f"{item['answer']}</answer> or <answer>[0]"
        for answer in (None, "", "no idea", "[-1]", "<answer>", "</answer>", twice, "\x00" * 99):
            assert first.score_answer(answer, item) == 0.0


def test_quality_is_the_engines():
    engine = optgap.Engine("cpu", threads=1)
    for name in NAMES:
        sets = {score: reasoning_gym.create_dataset(name, size=4, seed=1, level="hard", score=score)
                for score in ("quality", "normalized", "optimal")}  # fmt: skip
        for item in sets["quality"]:
            instances = engine.instances([item["metadata"]["key"]])
            (greedy,) = engine.greedy(instances).tolist()
            text = greedy if isinstance(greedy, str) else json.dumps(greedy)
            scores = engine.score(instances, [f"<answer>{text}</answer>"], format="answer_only")
            wanted = (scores.quality[0], max(0, scores.normalized[0]), scores.quality[0] == 1)
            assert [of.score_answer(text, item) for of in sets.values()] == [float(value) for value in wanted]


def test_wrong_fields_are_refused_by_name():
    for wrong in ({"level": "silly"}, {"split": "dev"}, {"style": 99}, {"score": "fame"}, {"size": 0}, {"seed": -1}):
        (field,) = wrong
        with pytest.raises(optgap.Error, match=field):
            reasoning_gym.create_dataset("optgap_tsp", **wrong)


def test_a_curriculum_climbs_the_scale():
    curriculum = create_curriculum("optgap_tsp")
    levels = []
    while True:
        config = curriculum.generate_configuration({"seed": 1, "size": 2})
        levels.append(config.level)
        if not curriculum.increment_attr_level("level"):
            break
    assert levels == list(STEPS)
    data = reasoning_gym.create_dataset("optgap_tsp", seed=1, size=2, level=levels[-1])
    assert data[0]["metadata"]["difficulty"] == {"level": STEPS[-1]}


def test_their_wrappers_take_ours():
    specs = [DatasetSpec(name=name, weight=1, config={"level": "easy"}) for name in ("optgap_tsp", "optgap_clique")]
    mixed = CompositeDataset(CompositeConfig(size=20, seed=3, datasets=specs))
    items = list(mixed)
    assert {item["metadata"]["source_dataset"] for item in items} == {"optgap_tsp", "optgap_clique"}
    assert all(mixed.score_answer(item["answer"], item) == 1.0 for item in items)
    endless = ReseedingDataset(reasoning_gym.create_dataset("optgap_tsp", size=5, seed=1), chunk_size=5)
    keys = [item["metadata"]["key"] for item, _ in zip(iter(endless), range(20))]
    assert len(set(keys)) == 20


def _third(data):
    return data[3]


def test_a_worker_process_makes_the_same_item():
    data = reasoning_gym.create_dataset("optgap_knapsack", size=5, seed=1)
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(_third, data).result() == data[3]
