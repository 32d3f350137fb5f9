"""The former name of optgap.trainers.verl.roles_data."""

from optgap.trainers.verl.roles_data import *  # noqa: F403
