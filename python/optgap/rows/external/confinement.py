"""How far a worker may reach: what an isolation level leaves it (docs/sandbox.md), or as far as this user, who said `trusted`."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

from ...core.errors import Error, misuse
from .settings import ISOLATION_LEVELS, Settings

_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "PYTHONPATH", "VIRTUAL_ENV", "LD_LIBRARY_PATH", "PYTHONDONTWRITEBYTECODE",
         "OPTGAP_RLVE_VERSION")  # fmt: skip
"""What a confined worker sees of the environment: nobody's tokens."""

_SYSTEM = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/etc/localtime",
           "/usr/share/zoneinfo", "/dev/urandom", "/dev/null")  # fmt: skip
"""Of the machine. Libraries such as torch read the last but one, and write to the last one, when they are imported."""
_LOADERS = ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1")

_SELF_TEST = """
import json, os, socket, sys, threading
asked = json.loads(sys.argv[2])
def reads(path):
    with open(path, "rb") as file:
        file.read(1)
def writes(path):
    with open(path, "wb"):
        pass
def forks():
    if os.fork() == 0:
        os._exit(0)
writes(os.path.join(asked["folder"], "own"))
ways = {"a socket": socket.socket, "a process": forks, "a signal": lambda: os.kill(asked["parent"], 0),
        "another's memory": lambda: reads("/proc/%d/environ" % asked["parent"]),
        "a file": lambda: reads(asked["file"]), "a new file": lambda: writes(asked["file"] + ".new")}
open_ways = []
for name, way in ways.items():
    if name == "a file" and not asked["hidden"]:
        continue
    try:
        way()
        open_ways.append(name)
    except OSError:
        pass
thread = threading.Thread(target=int)
thread.start()
thread.join()
pipe = socket.socket(fileno=int(sys.argv[1]))
pipe.sendall(json.dumps(open_ways).encode())
try:
    os.execv("/bin/true", ["true"])
except OSError:
    pipe.sendall(b".")
"""
"""What must be refused to a worker, and what must not; tried at every isolation level before it is believed. Without the full stop
another program has taken its place."""


def isolation_level(settings: Settings) -> str:
    """ "trusted", or the isolation level that holds these workers. Raises Error where none does: what each lacks."""
    if settings.trusted:
        return "trusted"
    found, why = _held(settings.isolation, _opened(settings))
    if found is None:
        raise Error(
            f"isolation: no isolation level holds an environment's code here, and it is not trusted. {why}. Either mend that "
            "(docs/sandbox.md), or say trusted: true to run it as this user, with network and files",
            "sandbox_unavailable", "isolation", why,
        )  # fmt: skip
    return found


def command(settings: Settings, program: list[str], kept: int, folder: str | None) -> list[str]:
    """The program as it is started; `kept`: the descriptor of its socket; `folder`: for its temporary files, None where trusted."""
    where = isolation_level(settings)
    return (
        program if folder is None else _holding(where, _opened(settings), settings.memory_mib, kept, folder) + program
    )


def _opened(settings: Settings) -> tuple[str, ...]:
    return (*settings.reads, *settings.files)


def environment(token: str, folder: str | None) -> dict[str, str]:
    """Variables of a worker; `token` marks it and all that it forks."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    given = dict(os.environ) if folder is None else {**kept, "TMPDIR": folder}
    # An environment that walks over a set makes the same problem of a seed in every process.
    return {**given, "PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1", "OPTGAP_EXTERNAL_WORKER": token}


@functools.lru_cache(maxsize=64)
def _held(isolation: str, reads: tuple[str, ...]) -> tuple[str | None, str]:
    """The first isolation level that passes the self-test, or None and what each lacks."""
    said = []
    for name in ISOLATION_LEVELS if isolation == "auto" else (isolation,):
        why = _tried(name, reads)
        if not why:
            return name, ""
        said.append(f"{name}: {why}")
    return None, "; ".join(said)


def broker() -> str | None:
    """optgap-broker: OPTGAP_BROKER, else the package's own."""
    named = os.environ.get("OPTGAP_BROKER") or str(
        pathlib.Path(__file__).resolve().parents[2] / "lib" / "optgap-broker"
    )
    return named if os.access(named, os.X_OK) else None


def _holding(where: str, reads: tuple[str, ...], memory_mib: int, kept: int, folder: str) -> list[str]:
    bubblewrap = [f"bubblewrap={shutil.which('bwrap')}"] if where == "namespaces" else []
    executes = [os.path.realpath(sys.executable), *(loader for loader in _LOADERS if os.path.exists(loader))]
    return [str(broker()), "hold", *bubblewrap, *(f"read={path}" for path in readable(reads)),
            *(f"execute={path}" for path in executes), f"write={folder}", f"keep={kept}", f"memory_mb={memory_mib}", "--"]  # fmt: skip


def readable(reads: tuple[str, ...]) -> list[str]:
    """Files and folders that a confined worker reads: Python's, its path's, shared libraries' and those of the settings. A
    path's entry that holds the home folder would open all of it, so it is left out."""
    for path in reads:
        if not os.path.exists(path):
            raise misuse("reads", f"{path} does not exist")
    home = os.path.realpath(os.path.expanduser("~")) + "/"
    entries = [os.path.abspath(entry) for entry in sys.path]
    entries = [entry for entry in entries if not home.startswith(os.path.realpath(entry).rstrip("/") + "/")]
    libraries = [entry for entry in os.environ.get("LD_LIBRARY_PATH", "").split(":") if entry.startswith("/")]
    wanted = [
        sys.prefix,
        sys.base_prefix,
        sys.exec_prefix,
        str(pathlib.Path(__file__).parent),
        *entries,
        *libraries,
        *_SYSTEM,
        *reads,
    ]
    found = {each for one in wanted if os.path.exists(one) for each in (one.rstrip("/") or "/", os.path.realpath(one))}
    return sorted(found)


def _tried(name: str, reads: tuple[str, ...]) -> str:
    """Why this isolation level does not hold, else nothing."""
    import socket

    if broker() is None:
        return "there is no optgap-broker: it is built where libseccomp-dev is installed"
    if name == "namespaces" and shutil.which("bwrap") is None:
        return "bwrap is not installed (Debian: apt-get install bubblewrap)"
    ours, theirs = socket.socketpair()
    folder, another = own_folder(), own_folder()
    try:
        hidden = os.path.join(another, "hidden")
        pathlib.Path(hidden).write_text("not for a worker")
        opened = any(hidden.startswith(path.rstrip("/") + "/") for path in readable(reads))
        asked = {"parent": os.getpid(), "file": hidden, "hidden": not opened, "folder": folder}
        program = [sys.executable, "-I", "-S", "-c", _SELF_TEST, str(theirs.fileno()), json.dumps(asked)]
        done = subprocess.run(
            [*_holding(name, reads, 1024, theirs.fileno(), folder), *program],
            stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False, text=True,
            pass_fds=(theirs.fileno(),), env=environment("", folder),
        )  # fmt: skip
        theirs.close()
        answer = ours.recv(4096).decode()
    except (OSError, subprocess.TimeoutExpired) as why:
        return str(why)
    finally:
        ours.close()
        theirs.close()
        remove(folder)
        remove(another)
    if not answer:
        return done.stderr.strip()[-200:] or f"its self-test ended with {done.returncode}"
    open_ways = json.loads(answer.rstrip(".")) + ([] if answer.endswith(".") else ["another program"])
    return f"its self-test found open: {', '.join(open_ways)}" if open_ways else ""


_FOLDER = "optgap-worker-"


@functools.lru_cache(maxsize=1)
def _sweep(process: int) -> None:
    """Removes what workers of processes that are gone have left."""
    root = tempfile.gettempdir()
    for name in os.listdir(root):
        number = name[len(_FOLDER) :].partition("-")[0]
        if name.startswith(_FOLDER) and number.isdigit() and not os.path.exists(f"/proc/{number}"):
            remove(os.path.join(root, name))


def own_folder() -> str:
    """A fresh one for a confined worker's temporary files, of a name that later processes know; `remove` it."""
    _sweep(os.getpid())
    return tempfile.mkdtemp(prefix=f"{_FOLDER}{os.getpid()}-")


def remove(folder: str) -> None:
    """With all beneath, however deep it is."""
    try:
        shutil.rmtree(folder, ignore_errors=True)
    except RecursionError:
        subprocess.run(["rm", "-rf", "--", folder], check=False)


def written(folder: str) -> int:
    """Bytes beneath it; a thousand entries count as more than anybody may write."""
    total, entries, folders = 0, 0, [folder]
    while folders and entries < 1000:
        try:
            with os.scandir(folders.pop()) as found:
                for one in found:
                    entries += 1
                    folders += [one.path] if one.is_dir(follow_symlinks=False) else []
                    total += one.stat(follow_symlinks=False).st_size
        except OSError:  # gone meanwhile
            pass
    return total if entries < 1000 else 1 << 62


def end(process: subprocess.Popen[bytes], token: str | None) -> None:
    """Kills the worker's process group and whatever it left in other sessions, which still carries the token. Without one: a
    confined worker, whose processes all end with its first."""
    for _ in range(2 if token else 1):  # once more for what was forked meanwhile
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        for pid in _marked(token) if token else ():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
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
