"""TRL's data from a curriculum: ranks agree, and a run that could not be resumed is refused when it starts. The run itself,
killed and resumed, is train_mixed_test.py's."""

import multiprocessing

import pytest
import torch
from tiny_trainer import GROUP, trainer

import optgap
from optgap.trainers.common.stream import CurriculumRows
from optgap.trainers.trl import reward as trl
from optgap.trainers.trl.curriculum import CurriculumStream


def rows(seed=3):
    return CurriculumRows("adaptive", ["tsp", "knapsack"], seed)


def verdicts(batch):
    """A right and a wrong rollout of each problem."""
    truths = [row["ground_truth"] for row in batch for _ in range(2)]
    values = [{"feasible": 1.0, "quality": float(place % 2), "truncated": 0, "code": 0,
               "data_source": batch[place // 2]["data_source"]} for place in range(len(truths))]  # fmt: skip
    return truths, values


def of_rank(rank, ranks, folder, seeds, said):
    """Two steps of a rank that sees its part of the rollouts, an evaluation between them, in a process of its own."""
    torch.distributed.init_process_group("gloo", init_method=f"file://{folder}/store", rank=rank, world_size=ranks)
    stream = CurriculumStream(rows(seeds[rank]))
    stream.watch(4)
    try:
        for _ in range(2):
            truths, values = verdicts(stream.rows.rows(4))
            part = slice(rank * len(truths) // ranks, (rank + 1) * len(truths) // ranks)
            stream.ended(truths[part], values[part])
            stream.ended(["tsp@1:val:easy:1"], [{**values[0], "data_source": "optgap/tsp/easy"}])
        said.put((rank, stream.rows.state_dict()))
    except optgap.Error as refused:
        said.put((rank, str(refused)))


def in_ranks(folder, seeds):
    context = multiprocessing.get_context("fork")
    said = context.Queue()
    ranks = [
        context.Process(target=of_rank, args=(rank, len(seeds), folder, seeds, said)) for rank in range(len(seeds))
    ]
    for rank in ranks:
        rank.start()
    found = dict(said.get(timeout=120) for _ in ranks)
    for rank in ranks:
        rank.join(timeout=60)
    return [found[rank] for rank in range(len(seeds))]


def test_ranks_end_with_the_state_of_one_process(tmp_path):
    alone = rows()
    for _ in range(2):
        truths, values = verdicts(alone.rows(4))
        alone.observe(truths, values, truths)
        alone.merge(alone.delta())
        alone.step()
    states = in_ranks(tmp_path, [3, 3, 3])
    assert states == [alone.state_dict()] * 3 and '"totals":[[' in states[0]


def test_ranks_with_different_problems_are_refused(tmp_path):
    assert all("hold different problems" in said for said in in_ranks(tmp_path, [3, 4]))


def run(problems, folder, stream, callbacks=None, **options):
    rewarded = trl.reward_functions("reward")
    settings = {"shuffle_dataset": False, "per_device_train_batch_size": GROUP, "max_steps": 1, **options}
    made = trainer(problems, folder, [*rewarded, stream.observer(rewarded[0])], stream.dataset(), **settings)
    for callback in [stream.callback()] if callbacks is None else callbacks:
        made.add_callback(callback)
        callback.on_init_end(made.args, made.state, made.control)
    return made


@pytest.mark.parametrize("options, field", [
    ({"shuffle_dataset": True}, "shuffle_dataset"),
    ({"restore_callback_states_from_checkpoint": True}, "restore_callback_states_from_checkpoint"),
])  # fmt: skip
def test_settings_under_which_nothing_fits_are_refused(problems, tmp_path, options, field):
    with pytest.raises(optgap.Error, match=field):
        run(problems, tmp_path, CurriculumStream(rows()), **options)


def test_checkpoints_within_a_generation_are_refused(problems, tmp_path):
    made = run(problems, tmp_path, CurriculumStream(rows()), num_iterations=2, save_strategy="steps", save_steps=3)
    with pytest.raises(optgap.Error, match="save_steps: 3 .* multiple of 2"):
        made.train()


def test_a_missing_callback_is_refused_at_the_first_batch(problems, tmp_path):
    with pytest.raises(optgap.Error, match="callbacks"):
        run(problems, tmp_path, CurriculumStream(rows()), callbacks=[]).train()


def test_a_checkpoint_without_a_curriculum_is_refused(problems, tmp_path):
    made = run(problems, tmp_path, CurriculumStream(rows()))
    made.state.global_step = 2
    with pytest.raises(optgap.Error, match="resume_from_checkpoint"):
        made.callback_handler.on_train_begin(made.args, made.state, made.control)
