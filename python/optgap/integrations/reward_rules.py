"""The former name of optgap.trainers.common.reward_rules."""

from optgap.trainers.common.reward_rules import *  # noqa: F403
