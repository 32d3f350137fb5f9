"""The entry point of the group `verl.plugins`, which verl imports in every process: registers names and no more. The
native library is loaded with the first score."""

from optgap.integrations.verl_estimators import register

register()
