"""Attacks in the chat templates that TRL ships: none is rewarded falsely, in the format that preflight picks."""

import optgap
from optgap.measure import attacks
from optgap.measure.audit import questions, running, subjects, templates


def test_no_template_of_trl_is_rewarded_falsely():
    writings = templates.of_trl()
    assert len({writing.name.removesuffix(" plain") for writing in writings}) >= 41
    assert {"forge", "forge_prefilled", "answer_only", "harmony", "gemma4"} <= {writing.format for writing in writings}
    asked = questions.of_tasks(optgap.Engine("cpu", threads=2), ["tsp", "knapsack"], "easy", 1, 0)
    everything = running.audit(subjects.Ours(), writings, asked, attacks.attacks()).sum
    assert everything.findings == [] and everything.false_reward.tried > 100 * len(writings)
