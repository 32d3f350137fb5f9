"""The former name of optgap.trainers.verl.roles."""

from optgap.trainers.verl.roles import *  # noqa: F403
