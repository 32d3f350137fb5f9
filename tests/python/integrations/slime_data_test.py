"""slime's data source: fresh instances, a curriculum, and a state that survives."""

import asyncio
import json
import pathlib
import subprocess
import sys

import numpy as np
import pytest
import slime_stand_in
from slime_stand_in import HOOKS, Sample, answer, arguments, rollout, state_of, with_curriculum

import optgap
from optgap.rows import external
from optgap.trainers.slime import data as slime_data, reward as slime


@pytest.fixture(autouse=True)
def slime_types(monkeypatch):
    for name, module in slime_stand_in.modules().items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(slime_data, "_current", None)


def test_a_data_source_gives_fresh_groups_and_continues_where_it_was(tmp_path):
    args = arguments(save=str(tmp_path), load=str(tmp_path), optgap_levels=("d0", "d1"), optgap_seed=100)
    source = slime.DataSource(args)
    first = source.get_samples(4)
    assert [len(each) for each in first] == [4] * 4
    labels = [each[0].label for each in first]
    assert all(sample.label == each[0].label for each in first for sample in each)
    assert [sample.index for each in first for sample in each] == list(range(16))
    keys = [json.loads(label)["key"].split("#")[0] for label in labels]
    assert keys == ["tsp@1:train:d0:100", "knapsack@1:train:d0:101", "tsp@1:train:d1:102", "knapsack@1:train:d1:103"]
    source.save(3)
    resumed = slime.DataSource(args)
    resumed.load(3)
    assert [each[0].label for each in resumed.get_samples(2)] == [each[0].label for each in source.get_samples(2)]
    source.add_samples(first[:1])
    source.save(4)
    resumed.load(4)
    assert resumed.get_buffer_length() == 1 and resumed.get_samples(1) == first[:1]
    assert source.get_buffer_length() == 1 and source.get_samples(1) == first[:1]
    assert [each[0].label for each in resumed.get_samples(2)] == [each[0].label for each in source.get_samples(2)]


def test_a_data_sources_samples_are_scored():
    args = arguments()
    (samples,) = slime.DataSource(args).get_samples(1)
    for sample in samples:
        sample.response = "<think>x</think><answer>[0]</answer>"
    found = asyncio.run(slime.rm(args, samples))
    assert all(row["format"] == 1 and row["code"] > 0 for row in found)


def curriculum_of(folder, rollout_id):
    return json.loads(state_of(folder, rollout_id))["curriculum"]


def test_a_curriculum_moves_by_what_post_processing_and_the_filter_see(tmp_path):
    args = with_curriculum(tmp_path)
    source = slime.DataSource(args)
    counted = sum(4 * (4 + rollout(args, source, number)[1]) for number in range(4))
    state = curriculum_of(tmp_path, 3)["curriculum"]
    assert state["step"] == 4 and sum(row[2] for row in state["totals"]) == counted
    assert any(task["low"] > 0 for task in state["tasks"])
    source.get_samples(source.get_buffer_length())
    keys = [optgap.Key.parse(json.loads(sample.label)["key"]) for sample, *_ in source.get_samples(20)]
    for task in state["tasks"]:
        assert max(int(key.level[1:]) for key in keys if key.task == task["name"]) == task["high"]


def test_a_killed_and_resumed_run_is_the_undisturbed_one(tmp_path):
    program = [sys.executable, slime_stand_in.__file__]

    def run(folder, *more, code=0):
        done = subprocess.run([*program, str(tmp_path / folder), *more], capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    undisturbed = run("whole", "5")
    before = run("cut", "5", "3", code=-9)
    assert undisturbed == before + run("cut", "5")
    assert [each[0] for each in before] == [0, 1, 2] and any(dropped for _, _, dropped in undisturbed)
    for rollout_id in range(5):
        assert state_of(tmp_path / "whole", rollout_id) == state_of(tmp_path / "cut", rollout_id)
    state = json.loads(state_of(tmp_path / "whole", 4))
    assert state["returned"] and any(task["low"] > 0 for task in state["curriculum"]["curriculum"]["tasks"])


def test_returned_groups_survive_whole(tmp_path):
    args = with_curriculum(tmp_path)
    source = slime.DataSource(args)
    number = 0
    while rollout(args, source, number) and source.get_buffer_length() == 0:
        number += 1
    resumed = slime.DataSource(args)
    resumed.load(number)
    for mine, theirs in zip(source.get_samples(6), resumed.get_samples(6), strict=True):
        for one, other in zip(mine, theirs, strict=True):
            assert np.array_equal(one.rollout_routed_experts, other.rollout_routed_experts)
            one.rollout_routed_experts = other.rollout_routed_experts = None
            assert one == other and one.label == mine[0].label
    source.add_samples([[Sample(metadata={"tool": object()})]])
    with pytest.raises(optgap.Error, match=r"returned\[0\]\[0\]\.metadata: cannot be saved"):
        source.save(99)
    assert not list(pathlib.Path(tmp_path).rglob("*_99.json*"))


def test_late_and_cut_off_groups_are_counted_apart(tmp_path):
    args = with_curriculum(tmp_path)
    source = slime.DataSource(args)
    early, late = source.get_samples(2)
    ends = (Sample.Status.COMPLETED, Sample.Status.TRUNCATED, Sample.Status.ABORTED, Sample.Status.FAILED)
    source.add_samples([late])
    for group in (early, late):
        for sample, status in zip(group, ends):
            sample.response, sample.status = "x", status
            sample.reward = asyncio.run(slime.rm(args, sample))
        slime.post_process(args, group)  # two rollouts: the late group comes in the second
        source.get_samples(1)
    source.save(0)
    state = curriculum_of(tmp_path, 0)["curriculum"]
    assert state["step"] == 2 and sum(np.array([row[2:] for row in state["totals"]])).tolist() == [2, 0, 2, 4]


def test_an_environment_of_ones_own_shares_the_curriculum(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(pathlib.Path(__file__).parents[1] / "external")
    external.configure(tasks={"mine/toy": "toys:Toy"}, trusted=True)
    try:
        args = with_curriculum(tmp_path, optgap_tasks=["tsp", "mine/toy"])
        source = slime.DataSource(args)
        groups = source.get_samples(8)
        for sample in (one for group in groups for one in group):
            problem = json.loads(sample.label).get("problem")
            total = problem and f"<think>hm</think><answer>{sum(problem['numbers'])}</answer>"
            sample.response = total or answer(sample)
            sample.reward = asyncio.run(slime.rm(args, sample))
        slime.post_process(args, groups)
        source.save(0)
    finally:
        external.configure()
    totals = curriculum_of(tmp_path, 0)["curriculum"]["totals"]
    assert sum(row[2] for row in totals if row[0] == 1) == sum(row[3] for row in totals if row[0] == 1) > 0
    assert sum(row[2] for row in totals) == 32


def test_what_a_fully_asynchronous_rollout_had_in_flight_is_drawn_again(tmp_path):
    args = with_curriculum(
        tmp_path, rollout_function_path="slime.rollout.fully_async_rollout.generate_rollout_fully_async"
    )
    source = slime.DataSource(args)
    done, back, *under_way = source.get_samples(5)
    for sample in done:
        sample.response = answer(sample)
        sample.reward = asyncio.run(slime.rm(args, sample))
    slime.post_process(args, done)
    source.add_samples([back])
    source.save(0)
    resumed = slime.DataSource(args)
    resumed.load(0)
    assert [group[0].label for group in resumed.get_samples(4)] == [group[0].label for group in (back, *under_way)]
    assert [group[0].label for group in resumed.get_samples(2)] == [
        group[0].label for group in source.get_samples(3)[1:]
    ]


@pytest.mark.parametrize(("options", "sentence"), [
    ({"optgap_levels": ["easy"]}, "optgap_levels: has no effect beside optgap_curriculum"),
    ({"custom_reward_post_process_path": None}, "optgap_curriculum: sees outcomes in --custom-reward-post-process-path"),
    ({"dynamic_sampling_filter_path": "my.filter"}, "would miss the groups that .*my.filter drops"),
    ({"debug_rollout_only": True}, "sees no outcomes under --debug-rollout-only"),
    ({"custom_convert_samples_to_train_data_path": "my.convert"}, "--custom-convert-samples-to-train-data-path"),
    ({"optgap_curriculum": "adaptiv"}, "adaptiv"),
])  # fmt: skip
def test_settings_that_cannot_work_are_refused(tmp_path, options, sentence):
    args = with_curriculum(tmp_path)
    args.__dict__.update(options)
    with pytest.raises(optgap.Error, match=sentence):
        slime.DataSource(args)


def test_outcomes_that_do_not_reach_the_source_are_refused(rows, tmp_path):
    args = with_curriculum(tmp_path)
    with pytest.raises(optgap.Error, match=f"has no data source in this process: give --data-source-path {HOOKS}"):
        asyncio.run(slime.rm(args, [Sample(label=rows.ground_truths[0], response="x")]))
    source = slime.DataSource(args)
    source.get_samples(1)
    with pytest.raises(optgap.Error, match="drew 1 groups and saw no outcome"):
        source.save(0)
    with pytest.raises(optgap.Error, match="optgap_prompt_chars: has no effect without"):
        slime.DataSource(arguments(optgap_prompt_chars={"tsp": {"d0": 100}}))


def spoiled(state, **fields):
    return json.dumps({**json.loads(state), **fields})


@pytest.mark.parametrize(("spoil", "sentence"), [
    (lambda text: text[:-9], "json: is no state of a data source: "),
    (lambda text: "[]", "json: optgap_data_source: is not 1"),
    (lambda text: '{"optgap_array": ["<i4", [3], "AAAA"]}', "json: is no state of a data source"),
    (lambda text: spoiled(text, next=-1), "json: next: -1 is no count"),
    (lambda text: spoiled(text, returned=[[{"status": "gone"}]]), r"json: returned\[0\]\[0\]: is no sample of slime's"),
    (lambda text: spoiled(text, curriculum=None), "json: curriculum: is of a run without optgap_curriculum"),
    (lambda text: text.replace('"seed":7', '"seed":8'), "json: curriculum: .*seed"),
    (lambda text: text.replace('"low":0', '"low":-4', 1), "json: curriculum: .*low"),
])  # fmt: skip
def test_a_broken_or_foreign_state_is_refused_with_its_place(tmp_path, spoil, sentence):
    args = with_curriculum(tmp_path)
    rollout(args, slime.DataSource(args), 0)
    path = tmp_path / "rollout/optgap_data_source_0.json"
    path.write_text(spoil(path.read_text()))
    source = slime.DataSource(args)
    with pytest.raises(optgap.Error, match=sentence):
        source.load(0)
    assert source.get_buffer_length() == 0
