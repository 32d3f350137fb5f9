"""RLVE's own sources for tests: OPTGAP_RLVE, a folder that holds `Gym`, or the archive in the folder beside the repository."""

import functools
import os
import pathlib
import tarfile
import tempfile

import pytest

COMMIT = "73cccd9"
_ARCHIVE = pathlib.Path(__file__).resolve().parents[4] / f"shared/third_party/rlve-{COMMIT}.tar.xz"


@functools.lru_cache(maxsize=1)
def _unpacked():
    if named := os.environ.get("OPTGAP_RLVE"):
        return pathlib.Path(named), None
    if not _ARCHIVE.exists():
        return None, None
    folder = tempfile.TemporaryDirectory(prefix="optgap-rlve-")
    with tarfile.open(_ARCHIVE) as archive:
        archive.extractall(folder.name, filter="data")
    return pathlib.Path(folder.name), folder


def folder():
    """The folder to put on Python's path; skips the test where there is none."""
    found, _ = _unpacked()
    if found is None:
        pytest.skip("RLVE's sources are absent: set OPTGAP_RLVE")
    return found
