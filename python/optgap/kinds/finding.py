"""Where a package of kinds is. Nothing of it is imported here, but the parents of a dotted name."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import pathlib
import sys
from dataclasses import dataclass

GROUP = "optgap.kinds"
"""Entry points by which a distribution names its packages."""


@dataclass(frozen=True)
class Found:
    """Where a package is: its module's name, its kind.json, and the files whose bytes it is made of."""

    module: str
    declaration: pathlib.Path
    files: tuple[pathlib.Path, ...]

    def digest(self) -> str:
        """16 hex digits over names and bytes: a change of the code changes the fingerprint of what it graded."""
        total = hashlib.sha256()
        for path in self.files:
            content = path.read_bytes()
            total.update(f"{path.name} {len(content)}\n".encode() + content)
        return total.hexdigest()[:16]


def find(name: str) -> Found:
    """The package of an entry point of this name, else the module.

    Args:
        name: As `--kinds` gives it.

    Raises:
        LookupError: Where there is none, or none with a kind.json; with the names that were near.
    """
    points = {point.name: point.value for point in importlib.metadata.entry_points(group=GROUP)}
    module = points.get(name, name).partition(":")[0]
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        spec = None
    if spec is None:
        raise LookupError(f"no package {name!r} where Python looks for modules{_near(name, points)}")
    if spec.submodule_search_locations:
        folder = pathlib.Path(next(iter(spec.submodule_search_locations)))
        files = sorted(folder.rglob("*.py"))
    else:
        files = [pathlib.Path(spec.origin or "")]
        folder = files[0].parent
    declaration = folder / "kind.json"
    if not declaration.is_file():
        raise LookupError(f"the package {name!r} has no kind.json: expected {declaration}{_near(name, points)}")
    return Found(module, declaration, (declaration, *files))


def _near(name: str, points: dict[str, str]) -> str:
    """ "; did you mean toy_kind?": of the entry points and the packages with a kind.json."""
    import difflib

    known = set(points)
    for folder in map(pathlib.Path, sys.path):
        known.update(found.parent.name for found in folder.glob("*/kind.json"))
    near = difflib.get_close_matches(name, sorted(known), 1)
    if near:
        return f"; did you mean {near[0]}?"
    return f"; there are {', '.join(sorted(known))}" if known else ""
