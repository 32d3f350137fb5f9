"""A shard's file: whether it is finished, and how it is made on a node. Nothing here knows Ray."""

from __future__ import annotations

import contextlib
import ctypes
import os
import pathlib
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile

from ...__main__ import native_program
from ...core.errors import misuse

_PR_SET_PDEATHSIG = 1


def path_of(folder: pathlib.Path, shard: int, shards: int) -> pathlib.Path:
    """The file that `optgap recompute --shard` writes."""
    return folder / f"{shard:04}-of-{shards:04}.db"


def asked(spec: str, budget: int) -> str:
    """What a run of `optgap recompute` notes in its file."""
    return spec if budget < 0 else f"{spec} --budget {budget}"


def check_division(folder: pathlib.Path, shards: int) -> None:
    """Raises Error where the folder holds shards of another division."""
    for path in folder.glob("*-of-*.db"):
        found = re.fullmatch(r"\d+-of-0*(\d+)\.db", path.name)
        if found and int(found[1]) != shards:
            raise misuse("shards", f"is {shards}, but {path} is one of {found[1]}: expected one division of a folder")


def is_finished(path: pathlib.Path, wanted: str) -> bool:
    """Whether the file has all that was asked for. A file that cannot be read has not; the run over it says what is wrong."""
    if not path.is_file():
        return False
    try:
        with contextlib.closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=30)) as base:
            found: tuple[int] | None = base.execute("SELECT finished FROM runs WHERE asked=?", (wanted,)).fetchone()
            return found == (1,)
    except sqlite3.Error:
        return False


def make(
    spec: str, budget: int, folder: str, shard: int, shards: int, cpus: int, local: str | None
) -> tuple[int, str] | None:
    """Makes a shard on this node's disk, from what the folder has of it, and puts it into the folder whole. Returns
    None, or the exit code and what the program said."""
    with tempfile.TemporaryDirectory(prefix="optgap-recompute-", dir=local) as scratch:
        target = path_of(pathlib.Path(folder), shard, shards)
        own = path_of(pathlib.Path(scratch), shard, shards)
        if target.is_file():
            shutil.copyfile(target, own)
        done = subprocess.run(
            [str(native_program()), "recompute", "--store", scratch, "--spec", spec, "--budget", str(budget), "--shard",
             f"{shard}/{shards}", "--threads", str(cpus), "--device", "cpu", "--quiet"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False,
            preexec_fn=_end_with_the_parent,
        )  # fmt: skip
        if done.returncode != 0:
            return done.returncode, (done.stderr.strip() or f"ended with code {done.returncode}").removeprefix(
                "optgap: "
            )
        _put(own, target)
        if not is_finished(target, asked(spec, budget)):  # a signal to the whole group
            return 3, "was stopped before its end; what it has is kept, and the same call goes on"
    return None


def _end_with_the_parent() -> None:
    """A worker that is killed takes its program along: Ray starts the shard again elsewhere."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _put(own: pathlib.Path, target: pathlib.Path) -> None:
    """Copies, synchronises, renames. Two that make the same shard each have a name of their own, and either file is
    whole."""
    part = target.with_name(f".{target.name}.{socket.gethostname()}.{os.getpid()}.part")
    try:
        with open(own, "rb") as source, open(part, "wb") as out:
            shutil.copyfileobj(source, out, 1 << 20)
            out.flush()
            os.fsync(out.fileno())
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
