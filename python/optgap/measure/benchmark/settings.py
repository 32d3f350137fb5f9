"""What a run depends on, in its folder: a run goes on only under the settings it began with."""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any

from ...core.errors import misuse
from ...core.files.run_folder import contents, replace

FILE = "settings.json"


def refuse_taken(folder: str, resume: bool) -> None:
    """Raises Error for a folder that holds something, unless its run is to go on."""
    if not resume and contents(folder):
        raise misuse("out", f"{folder} is there already: add --resume to go on with its run, or name another folder")


def begin(folder: str, settings: dict[str, Any]) -> None:
    """Writes the settings of a new run, or holds them against those of the run in `folder`: Error names what
    differs."""
    before = saved(folder)
    if before is None:
        if contents(folder):
            raise misuse("resume", f"{folder} holds no {FILE}: it is no run of bench-model")
        replace(os.path.join(folder, FILE), json.dumps(settings, indent=2, ensure_ascii=False) + "\n")
        return
    changed = [
        f"{name} was {json.dumps(before.get(name))}, now {json.dumps(settings.get(name))}"
        for name in sorted({*before, *settings})
        if before.get(name) != settings.get(name)
    ]
    if changed:
        raise misuse("resume", f"{folder} is a run with other settings: {'; '.join(changed)}")


def saved(folder: str) -> dict[str, Any] | None:
    """The settings of the run in a folder, or None."""
    path = pathlib.Path(folder) / FILE
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (ValueError, RecursionError) as wrong:
        raise misuse("resume", f"{path} cannot be read: {wrong}; expected the settings of a run, as JSON") from None
    if not isinstance(found, dict):
        raise misuse("resume", f"{path} holds no settings; expected those of a run, as a JSON object")
    return found
