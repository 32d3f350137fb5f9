"""The former name of optgap.measure.evaluators.inspect_ai."""

from optgap.measure.evaluators.inspect_ai import *  # noqa: F403
