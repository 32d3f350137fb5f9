"""What the FORGE paper reports, for a glance beside one's own run."""

from ...data.benchmark_set import FORGE_TASKS

SOURCE = "FORGE, tables 2 and 3"
REMARK = (
    "Published figures are ratios to a heuristic's objective, on other instances, with sampling settings that are not "
    "stated: they are no baseline for this table. QR here is the ratio to the proven optimum."
)
RATES = (
    ("GPT-4o", 0.621, 0.362),
    ("Qwen2.5-7B-Instruct-1M", 0.296, 0.146),
    ("the same, supervised on 10,000 traces", 0.568, 0.430),
    ("the same, trained on FORGE's ten tasks (GRPO)", 0.931, 0.466),
)
"""Model, success rate, quality ratio: means over FORGE's ten tasks."""

TASKS = frozenset(FORGE_TASKS)
