"""The version of what was built, from git where this is a checkout; a device folder keeps it beside its programs."""

from __future__ import annotations

import hashlib
import json
import pathlib
import subprocess

SOURCES = ("kernels", "host", "include", "bench")


def git(root: pathlib.Path, *arguments: str) -> bytes | None:
    run = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, check=False)
    return run.stdout if run.returncode == 0 else None


def of(root: pathlib.Path) -> dict[str, object]:
    head = git(root, "rev-parse", "HEAD")
    listed = git(root, "ls-files", "-s", "kernels")
    changed = git(root, "status", "--porcelain", "--", *SOURCES, ":!bench/results")
    if head is None or listed is None or changed is None:
        return {"commit": None, "kernel_sources": None, "modified": None}
    return {
        "commit": head.decode().strip(),
        "kernel_sources": hashlib.sha256(listed).hexdigest(),
        "modified": bool(changed.strip()),
    }


def text(root: pathlib.Path) -> str:
    return json.dumps(of(root))


def of_folder(folder: pathlib.Path | None, root: pathlib.Path) -> dict[str, object]:
    kept = folder / "provenance.json" if folder else None
    return json.loads(kept.read_text()) if kept and kept.exists() else of(root)
