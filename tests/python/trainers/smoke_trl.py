"""What every version of TRL must do with our rewards: a step. Run by tools/trainers_test.sh, also on older versions."""

import math

from tiny_trainer import GROUP, dataset, logged, trainer

from optgap.trainers.trl import reward as ours


def test_a_mixed_batch_takes_a_step(problems, tmp_path):
    def other(completions, data_source, **_):
        return [None if source.startswith("optgap/") else 1.0 for source in data_source]

    functions = [*ours.reward_functions("reward", "quality"), other]
    rows = dataset(problems[:2], foreign=2, chat=False)
    run = trainer(problems, tmp_path, functions, rows, max_steps=1, reward_weights=[1.0, 0.0, 1.0])
    run.train()
    (rewarded,) = logged(run, "rewards/optgap_reward/mean")
    assert -2.5 <= rewarded <= 2 and math.isfinite(logged(run, "reward")[0])
    if hasattr(run, "_log_metric"):  # from 1.0
        assert math.isfinite(logged(run, "optgap/tsp/qr")[0])
        assert list(run._logs["extra"]["optgap_fingerprint"]) == [functions[0].fingerprint] * 4 * GROUP


def test_an_estimator_takes_the_place_of_rewards(problems, tmp_path):
    functions = [ours.GroupAdvantage("rank_uniform", num_generations=GROUP)]
    run = trainer(problems, tmp_path, functions, dataset(problems[:1]), max_steps=1, scale_rewards="none")
    run.train()
    assert logged(run, "rewards/optgap_rank_uniform/std")
