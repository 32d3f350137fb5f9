"""The file in which slime's data source survives: a counter, the groups that came back, the curriculum's state."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from optgap.core.files.run_folder import replace
from optgap.trainers.common.evaluation import refuse

_VERSION = 1


class State(NamedTuple):
    """What a file holds. `next`: groups drawn so far; `returned`: groups of samples; `curriculum`: None without one."""

    next: int
    metadata: dict[str, Any]
    returned: list[list[Any]]
    curriculum: str | None


def write(path: Path, next: int, metadata: dict[str, Any], returned: list[list[Any]], curriculum: str | None) -> None:
    """Writes the file in one move: a run killed meanwhile leaves the old one, or none. Equal states are equal bytes."""
    groups = [
        [_fields(f"returned[{place}][{at}]", sample) for at, sample in enumerate(group)]
        for place, group in enumerate(returned)
    ]
    _require_json("metadata", metadata)
    state = {
        "optgap_data_source": _VERSION,
        "next": next,
        "metadata": metadata,
        "returned": groups,
        "curriculum": None if curriculum is None else json.loads(curriculum),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    replace(path, json.dumps(state, ensure_ascii=False, separators=(",", ":")))


def read(path: Path) -> State:
    """What `write` wrote; Error with file, place and rule where the file holds something else."""

    def require(holds: bool, place: str, rule: str) -> None:
        if not holds:
            raise refuse(f"{path}: {place}", rule)

    try:
        state = json.loads(path.read_text(encoding="utf-8"), object_hook=_array)
    except (OSError, TypeError, ValueError) as broken:
        raise refuse(str(path), f"is no state of a data source: {broken}") from None
    require(
        isinstance(state, dict) and state.get("optgap_data_source") == _VERSION,
        "optgap_data_source", f"is not {_VERSION}: the file is not one of optgap's data source, or of another version",
    )  # fmt: skip
    count, metadata, groups = (state.get(name) for name in ("next", "metadata", "returned"))
    require(
        isinstance(count, int) and not isinstance(count, bool) and count >= 0,
        "next",
        f"{count!r} is no count of groups",
    )
    require(isinstance(metadata, dict), "metadata", "is no object")
    require(isinstance(groups, list), "returned", "is no list of groups")
    returned = []
    for place, group in enumerate(groups):
        require(isinstance(group, list), f"returned[{place}]", "is no list of samples")
        returned.append([_sample(path, f"returned[{place}][{at}]", fields) for at, fields in enumerate(group)])
    curriculum = state.get("curriculum")
    require(curriculum is None or isinstance(curriculum, dict), "curriculum", "is no state of a curriculum")
    text = None if curriculum is None else json.dumps(curriculum, ensure_ascii=False, separators=(",", ":"))
    return State(count, metadata, returned, text)


def _sample(path: Path, place: str, fields: Any) -> Any:
    from slime.utils.types import Sample

    try:
        return Sample.from_dict(fields)
    except Exception as broken:
        raise refuse(f"{path}: {place}", f"is no sample of slime's: {type(broken).__name__}: {broken}") from None


def _fields(place: str, sample: Any) -> dict[str, Any]:
    """A sample's own fields as JSON has them; arrays (routed experts) as their bytes."""
    fields = {name: _plain(value) for name, value in sample.to_dict().items()}
    for name, value in fields.items():
        _require_json(f"{place}.{name}", value)
    return fields


def _plain(value: Any) -> Any:
    if hasattr(value, "detach"):  # a tensor
        value = value.detach().cpu().numpy()
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        data = base64.b64encode(np.ascontiguousarray(value).tobytes()).decode("ascii")
        return {"optgap_array": [value.dtype.str, list(value.shape), data]}
    return value


def _array(given: dict[str, Any]) -> Any:
    if given.keys() != {"optgap_array"}:
        return given
    kind, shape, data = given["optgap_array"]
    return np.frombuffer(base64.b64decode(data), np.dtype(kind)).reshape(shape).copy()


def _require_json(place: str, value: Any) -> None:
    try:
        json.dumps(value)
    except (TypeError, ValueError) as broken:
        raise refuse(place, f"cannot be saved: {broken}") from None
