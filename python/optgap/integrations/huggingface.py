"""The former name of optgap.measure.evaluators.huggingface."""

from optgap.measure.evaluators.huggingface import *  # noqa: F403
