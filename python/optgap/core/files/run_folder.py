"""The folder of a run: one writer, files that are the old one or the new one whole, and lines that a kill tears in one place only.

    with one_writer("run"):
        replace("run/settings.json", text)
        answers = Lines("run/answers.jsonl")
        known = [line.row for line in answers.read()]
        answers.append({"answer": 7})

What goes wrong is an OSError; a line that cannot be read is a ValueError with path and line number.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import socket
import time
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO, NamedTuple

WRITER = "writer"
"""Who writes a folder, as a file in it: the lock is the kernel's, so what a killed writer leaves means nothing."""
_UNFINISHED = ".unfinished"


class Busy(OSError):
    """Another process writes here."""


@contextlib.contextmanager
def one_writer(folder: str | os.PathLike[str]) -> Iterator[None]:
    """Makes the folder and holds it for this process. An empty one that it made goes with the block.

    Raises:
        Busy: Another process holds it; the sentence names its host, its pid and since when.
    """
    path = os.fspath(folder)
    made = not os.path.isdir(path)
    if made and os.path.lexists(path):
        raise OSError(f"{path} is there and no folder; expected a folder, or a name that is free")
    os.makedirs(path, exist_ok=True)
    lock = os.path.join(path, WRITER)
    file = _locked(lock, path, "folder")
    try:
        since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        with contextlib.suppress(OSError):  # a full disk must not prevent locking: the name is a courtesy
            os.ftruncate(file, 0)
            os.pwrite(file, f"host {socket.gethostname()}, pid {os.getpid()}, since {since}\n".encode(), 0)
        yield
    finally:
        with contextlib.suppress(OSError):
            os.unlink(lock)
        os.close(file)
        if made:
            with contextlib.suppress(OSError):  # holds something
                os.rmdir(path)


def contents(folder: str | os.PathLike[str]) -> list[str]:
    """The files of a run's folder, which need not exist."""
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return []
    return sorted(name for name in names if name != WRITER and not name.endswith(_UNFINISHED))


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file that appears under its name when it is whole and on the disk; until then the old one stands. Two processes
    never write into one: the second is Busy."""
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        raise OSError(f"{os.fspath(path)} is there and no file; expected a file, or a name that is free")
    unfinished = target + _UNFINISHED
    try:
        with os.fdopen(_locked(unfinished, os.fspath(path), "file"), "r+b") as file:
            try:
                file.truncate(0)
                yield file
                file.flush()
                os.fsync(file.fileno())
                os.replace(unfinished, target)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(unfinished)
                raise
    except OSError as failed:
        if failed.filename is None and failed.strerror is not None:
            raise OSError(failed.errno, failed.strerror, os.fspath(path)) from None
        raise
    _synchronise(os.path.dirname(target))


def replace(path: str | os.PathLike[str], text: str) -> None:
    """Writes a file as `replacing` does."""
    with replacing(path) as file:
        file.write(text.encode())


class Line(NamedTuple):
    """An object, and where it stands."""

    number: int
    start: int
    size: int
    row: dict[str, Any]


class Lines:
    """A file of JSON objects, a line each, that its run appends to."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self._file: int | None = None
        self._end = 0

    def read(self) -> Iterator[Line]:
        """All lines but half a last one, which `append` cuts off: its row was never done. Raises ValueError for any other
        line that is no object."""
        try:
            lines = open(self.path, "rb")  # noqa: SIM115  closed below
        except FileNotFoundError:
            return
        start = 0
        with lines:
            for number, text in enumerate(lines, 1):
                if not text.endswith(b"\n"):
                    return
                yield Line(number, start, len(text), self._row(number, text))
                start += len(text)

    def _row(self, number: int, text: bytes) -> dict[str, Any]:
        try:
            row = json.loads(text)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            raise self.damaged(number)
        return row

    def damaged(self, number: int, what: str = "JSON object") -> ValueError:
        """The error that `read` raises, for callers who find a row wrong that is sound JSON."""
        return ValueError(
            f"{self.path}, line {number} is no {what}: restore the line, or take it out and its row is done again"
        )

    def append(self, row: Mapping[str, Any]) -> tuple[int, int]:
        """Hands a row to the system, whole or, where there is no room, not at all. Where it stands: start and size."""
        if self._file is None:
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
            self._end = _end_of_lines(self._file)
            os.ftruncate(self._file, self._end)
        text = json.dumps(row, ensure_ascii=False).encode() + b"\n"
        try:
            append_whole(self._file, text, self._end)
        except OSError as failed:
            raise OSError(failed.errno, failed.strerror, self.path) from None
        place = self._end, len(text)
        self._end += len(text)
        return place

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


def append_whole(file: int, text: bytes, end: int) -> None:
    """Writes behind `end`, where the file ends; where that fails no part of the text stays."""
    left = memoryview(text)
    try:
        while left:
            left = left[os.write(file, left) :]
    except OSError:
        with contextlib.suppress(OSError):
            os.ftruncate(file, end)
        raise


def _end_of_lines(file: int) -> int:
    """The end of the last whole line."""
    end = os.fstat(file).st_size
    while end:
        start = max(0, end - (1 << 16))
        found = os.pread(file, end - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0


def _locked(path: str, of: str, kind: str) -> int:
    """A file under this name, opened and locked; as host/sqlite/writer_lock.cpp does it. `of` is the folder or the file that
    is held by it."""
    # Another writer may end, and take its file away, between our opening and our lock: then there is a new one to lock.
    while True:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(file), os.stat(path)):
                return file
        except FileNotFoundError:
            pass
        except BlockingIOError:
            said = os.pread(file, 400, 0).decode(errors="replace").rstrip("\n") if kind == "folder" else ""
            os.close(file)
            raise Busy(
                f"{of}: is being written by {said or 'someone who has not said who'}; expected one writer a {kind}"
            ) from None
        except OSError as failed:
            if kind == "file":  # a file system without flock: what is written here is renamed whole all the same
                return file
            os.close(file)
            raise OSError(f"{path}: cannot be locked: {failed.strerror}; expected a file system with flock") from None
        os.close(file)


def _synchronise(folder: str) -> None:
    """So that a name survives the power, too; not every file system can."""
    with contextlib.suppress(OSError):
        file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(file)
        finally:
            os.close(file)
