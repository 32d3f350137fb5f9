"""Processes and files of the sandbox, found through /proc for its tests."""

import os
import pathlib
import time

USERS = range(61184, 61184 + 4096)  # users of the runs, where the test is root


def processes_left():
    """Orphaned processes of the runs' users, and brokers. Other tests may be running programs at the same time."""
    left = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                if parent_of(entry) == 1 and (entry.stat().st_uid in USERS or words[0].endswith(b"optgap-broker")):
                    left.append((entry.name, words[:2]))
            except OSError:
                pass
    return left


def parent_of(entry):
    return int((entry / "stat").read_text().rpartition(")")[2].split()[1])


def brokers_of(process):
    return [
        int(entry.name)
        for entry in pathlib.Path("/proc").iterdir()
        if entry.name.isdigit() and alive_parent(entry) == process and b"optgap-broker" in line_of(entry)
    ]


def line_of(entry):
    try:
        return (entry / "cmdline").read_bytes()
    except OSError:  # it has ended meanwhile
        return b""


def alive_parent(entry):
    try:
        return parent_of(entry)
    except OSError:
        return None


def eventually(holds, seconds=10):
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def files_left():
    """Files that programs wrote, and folders of compilations whose engine has died."""
    cache = pathlib.Path(os.environ.get("OPTGAP_SANDBOX_CACHE", f"/var/tmp/optgap-sandbox-{os.geteuid()}"))
    scratch = [
        path for path in cache.glob("scratch-*/*") if not os.path.exists(f"/proc/{path.parent.name.split('-')[1]}")
    ]
    return scratch + [
        path
        for folder in ("/tmp", "/var/tmp", "/dev/shm", "/run")
        for path in pathlib.Path(folder).glob("optgap-hostile*")
    ]


def descendants_of(process):
    parents = {entry: alive_parent(entry) for entry in pathlib.Path("/proc").iterdir() if entry.name.isdigit()}
    found, fresh = [], {process}
    while fresh:
        here = [entry for entry, parent in parents.items() if parent in fresh]
        found, fresh = found + here, {int(entry.name) for entry in here}
    return found
