"""The former name of optgap.trainers.common.role_rows."""

from optgap.trainers.common.role_rows import *  # noqa: F403
