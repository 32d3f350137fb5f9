"""The former name of optgap.measure.evaluators.reasoning_gym."""

from optgap.measure.evaluators.reasoning_gym import *  # noqa: F403
