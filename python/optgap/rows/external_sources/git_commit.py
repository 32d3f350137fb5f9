"""The commit of a clone of git, from its files: a held worker starts no program."""

from __future__ import annotations

import pathlib
import re


def commit_of(folder: pathlib.Path) -> str | None:
    """Forty hex digits of what is checked out, or None where the folder is no clone. Changes since then are not seen."""
    try:
        git = folder / ".git"
        if git.is_file():  # a worktree
            git = folder / git.read_text(encoding="utf-8").removeprefix("gitdir:").strip()
        head = (git / "HEAD").read_text(encoding="utf-8").strip()
        if not head.startswith("ref:"):
            return _commit(head)
        name = head.removeprefix("ref:").strip()
        common = git / "commondir"
        root = git / common.read_text(encoding="utf-8").strip() if common.exists() else git
        for place in (git / name, root / name):
            if place.exists():
                return _commit(place.read_text(encoding="utf-8").strip())
        packed = (root / "packed-refs").read_text(encoding="utf-8")
        found = re.search(rf"^([0-9a-f]{{40}}) {re.escape(name)}$", packed, re.M)
        return found[1] if found else None
    except OSError:
        return None


def _commit(text: str) -> str | None:
    return text if re.fullmatch("[0-9a-f]{40}", text) else None
