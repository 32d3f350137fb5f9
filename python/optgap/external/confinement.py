"""How far a worker may reach: nowhere but its own memory, by bubblewrap, or as far as this user, who said `trusted`."""

from __future__ import annotations

import functools
import os
import shutil
import signal
import subprocess
import sys

from ..errors import misuse

_CONFINED = ("--unshare-all", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--cap-drop", "ALL",
             "--setenv", "TMPDIR", "/dev/shm")  # fmt: skip
"""No network, no writes but to memory, no process of others; reads stay."""

_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "PYTHONPATH", "VIRTUAL_ENV", "LD_LIBRARY_PATH", "PYTHONDONTWRITEBYTECODE",
         "OPTGAP_RLVE_VERSION")  # fmt: skip
"""What a confined worker sees of the environment: nobody's tokens."""


@functools.lru_cache(maxsize=1)
def bubblewrap() -> tuple[str | None, str]:
    """Path of a bubblewrap that works here, or None and why."""
    path = shutil.which("bwrap")
    if path is None:
        return None, "bwrap is not installed"
    try:
        tried = subprocess.run(
            [path, *_CONFINED, sys.executable, "-c", "pass"], capture_output=True, timeout=30, check=False, text=True
        )
    except (OSError, subprocess.TimeoutExpired) as why:
        return None, f"bwrap does not work here: {why}"
    if tried.returncode != 0:
        return None, f"bwrap does not work here: {tried.stderr.strip()[:200]}"
    return path, ""


def require_confined(trusted: bool) -> None:
    """Raises Error where a worker is neither trusted nor can be confined."""
    path, why = (None, "") if trusted else bubblewrap()
    if path is None and not trusted:
        raise misuse(
            "trusted",
            f"{why}, so an environment's code cannot be confined: install bubblewrap (Debian: apt-get install bubblewrap) "
            "where user namespaces are allowed, or say trusted: true to run it as this user, with network and files",
        )


def command(trusted: bool, program: list[str]) -> list[str]:
    """The program as it is started."""
    require_confined(trusted)
    return program if trusted else [str(bubblewrap()[0]), *_CONFINED, *program]


def environment(trusted: bool, token: str) -> dict[str, str]:
    """Variables of a worker; `token` marks it and all that it forks."""
    given = dict(os.environ) if trusted else {name: os.environ[name] for name in _KEPT if name in os.environ}
    # An environment that walks over a set makes the same problem of a seed in every process.
    return {**given, "PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "OPTGAP_EXTERNAL_WORKER": token}


def end(process: subprocess.Popen[bytes], token: str | None) -> None:
    """Kills the worker's process group and whatever it left in other sessions, which still carries the token. Without one: a
    confined worker, whose processes all end with its first."""
    for _ in range(2 if token else 1):  # once more for what was forked meanwhile
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        for pid in _marked(token) if token else ():
            try:
                os.kill(pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                pass
    process.wait()


def _marked(token: str) -> list[int]:
    mark, found = f"OPTGAP_EXTERNAL_WORKER={token}".encode(), []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/environ", "rb") as variables:
                    if mark in variables.read():
                        found.append(int(name))
            except OSError:  # another user's, or gone
                pass
    return found
