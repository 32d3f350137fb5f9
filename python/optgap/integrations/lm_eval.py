"""The former name of optgap.measure.evaluators.lm_eval."""

from optgap.measure.evaluators.lm_eval import *  # noqa: F403
