"""Conversions of a call's arguments to those of the native module; Error names the one that does not fit."""

from __future__ import annotations

import functools
import json
import numbers
import operator
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _native
from .errors import misuse

Text = str | bytes
Spec = str | Mapping[str, Any]
"""A name, JSON text, or a mapping of the fields that docs/rewards.md, docs/advantages.md and docs/formats.md list."""

Tickets = int | npt.NDArray[np.uint64] | Sequence[int]

_ENDLESS = -1.0
_ON_THE_CPU = 1  # DLPack's kDLCPU
FINISHES = {name: number for number, name in enumerate(_native.finish_names())}
"""The ways in which a rollout may have ended, with their numbers."""


def integer(value: Any, field: str, low: int, high: int) -> int:
    """`value` (an int, or what has __index__, such as NumPy's) within low ... high."""
    try:
        number = operator.index(value)
    except TypeError:
        raise misuse(field, f"is {value!r}, expected an int") from None
    if number < low:
        raise misuse(field, f"is {number}, expected {low} or more")
    if number > high:
        raise misuse(field, f"is {number}, expected {high} or less")
    return number


def path(value: Any, field: str) -> str:
    """A path's text."""
    text = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not isinstance(text, str) or not text:
        raise misuse(field, f"is {value!r}, expected a path")
    return text


def name(value: Any, field: str) -> str:
    """`value` as the str it must be, without lone surrogates."""
    if not isinstance(value, str):
        raise misuse(field, f"is {value!r}, expected a str")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise misuse(field, f"is {value!r}, which is no valid text") from None
    return value


def device(value: Any) -> str:
    """A device's name, with the GPU that this process works on where the caller names none and something else does."""
    named = name(value, "device")
    if named not in ("auto", "cuda"):
        return named
    torch: Any = sys.modules.get("torch")  # never imported for this: it takes seconds
    if torch is not None and hasattr(torch, "cuda") and torch.cuda.is_initialized():
        return f"{named}:{torch.cuda.current_device()}"
    rank = os.environ.get("LOCAL_RANK", "")
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if not (rank.isascii() and rank.isdigit()) or (visible is not None and int(rank) >= len(visible.split(","))):
        return named
    return f"{named}:{int(rank)}"


def rows_of(values: Any, field: str) -> int:
    """Length of a sequence with one entry a row."""
    if isinstance(values, (str, bytes)) or not hasattr(values, "__len__"):
        raise misuse(field, f"expected a sequence, got one {type(values).__name__}")
    return len(values)


def column(values: Any, dtype: npt.DTypeLike, field: str, rows: int | None = None) -> npt.NDArray[Any]:
    """`values` (NumPy, DLPack on the CPU, or a sequence) as a contiguous array of one dimension.

    NumPy arrays and DLPack tensors of this dtype are borrowed, others converted where every value keeps its meaning.
    """
    out = array(values, dtype, field)
    if out.ndim != 1:
        raise misuse(field, f"expected one dimension, got {out.ndim}")
    if rows is not None and len(out) != rows:
        raise misuse(field, f"expected {rows} entries, got {len(out)}")
    return out


def array(values: Any, dtype: npt.DTypeLike, field: str) -> npt.NDArray[Any]:
    """As `column`, of any shape."""
    wanted = np.dtype(dtype)
    try:
        if not isinstance(values, np.ndarray) and hasattr(values, "__dlpack_device__"):
            if int(values.__dlpack_device__()[0]) != _ON_THE_CPU:
                raise misuse(field, "is on a device; expected memory of the host")
            values = np.from_dlpack(values)
        given = np.asarray(values)
        with np.errstate(invalid="ignore"):  # NaN for an int: told below
            out = np.ascontiguousarray(given, dtype=wanted)
    except (TypeError, ValueError, OverflowError, BufferError, RuntimeError) as why:
        raise misuse(field, f"expected an array of {wanted.name}: {why}") from None
    whole = given.dtype == out.dtype or wanted.kind not in "iu" or np.array_equal(given, out)
    if not whole:
        raise misuse(field, f"has values that {wanted.name} cannot hold")
    return out.reshape(given.shape)


def spec(given: Spec, field: str) -> str:
    """A spec as the text that the library reads."""
    if isinstance(given, str):
        return name(given, field)
    try:
        return json.dumps(given, allow_nan=False)
    except (TypeError, ValueError) as why:
        raise misuse(field, f"expected a name, JSON or a mapping: {why}") from None


def instance_rows(given: npt.ArrayLike | None, instances: int, rows: int) -> npt.NDArray[np.int32]:
    """The instance of each row. None: as many consecutive rows for each."""
    if given is None:
        each, left = divmod(rows, max(1, instances))
        if left or (rows and not instances):
            raise misuse("instance_of", f"{rows} rows are not as many for each of {instances} instances")
        return np.repeat(np.arange(instances, dtype=np.int32), each)
    of = column(given, np.int32, "instance_of", rows)
    if rows and (of.min() < 0 or of.max() >= instances):
        raise misuse("instance_of", f"expected rows of the {instances} instances")
    return of


def format_text(given: Spec) -> str:
    """An answer format as the text that the library reads."""
    if not isinstance(given, (str, Mapping)):
        raise misuse("format", f"is {given!r}, expected a name, JSON or a mapping")
    return spec(given, "format")


_format_index = functools.lru_cache(256)(_native.format_index)


def format_code(given: Spec) -> int:
    """Index of an answer format."""
    return _format_index(given if isinstance(given, str) and given.isascii() else format_text(given))


def format_codes(given: Spec | Sequence[Spec], rows: int) -> list[int]:
    """Index of each row's answer format."""
    if isinstance(given, (str, Mapping)):
        return [format_code(given)] * rows
    if rows_of(given, "format") != rows:
        raise misuse("format", f"expected {rows} entries, got {len(given)}")
    return [format_code(one) for one in given]


def format_rows(given: Spec | Sequence[Spec], rows: int) -> npt.NDArray[np.int32]:
    """`format_codes` as an array."""
    return np.array(format_codes(given, rows), np.int32)


def group_rows(given: Any, rows: int) -> npt.NDArray[np.int32]:
    """A number per group: ints as they are, other values numbered as they first come."""
    if _is_array_of_numbers(given):
        return column(given, np.int32, "group", rows)
    rows_of(given, "group")
    ids: dict[Any, int] = {}
    try:
        return column([ids.setdefault(value, len(ids)) for value in given], np.int32, "group", rows)
    except TypeError as why:
        raise misuse("group", f"expected values that can be told apart: {why}") from None


def finish_codes(given: Any, rows: int) -> list[int]:
    """The code of how each row finished."""
    if _is_array_of_numbers(given):
        codes: list[int] = column(given, np.int32, "finish", rows).tolist()
        return codes
    if rows_of(given, "finish") != rows:
        raise misuse("finish", f"expected {rows} entries, got {len(given)}")
    return [finish_code(finish) for finish in given]


def finish_code(finish: Any) -> int:
    """The code of finish one row finished."""
    code = FINISHES.get(finish) if isinstance(finish, str) else None
    if code is None:
        raise misuse("finish", f"is {finish!r}, expected one of {', '.join(FINISHES)}")
    return code


def finish_rows(given: Any, rows: int) -> npt.NDArray[np.int32] | None:
    """`finish_codes` as an array; None stays."""
    return None if given is None else np.array(finish_codes(given, rows), np.int32)


def _is_array_of_numbers(given: Any) -> bool:
    return given.dtype.kind in "iuf" if isinstance(given, np.ndarray) else hasattr(given, "__dlpack__")


def optional(values: npt.ArrayLike | None, dtype: npt.DTypeLike, field: str, rows: int) -> npt.NDArray[Any] | None:
    """A column that may be left out."""
    return None if values is None else column(values, dtype, field, rows)


def tickets_of(given: Tickets) -> npt.NDArray[np.uint64]:
    """One or several."""
    return column([given] if isinstance(given, (int, np.integer)) else given, np.uint64, "tickets")


def finishes(given: Any, rows: int) -> list[int]:
    """Codes of how rows ended; none where nothing is said, as below."""
    return [] if given is None else finish_codes(given, rows)


def formats(given: Spec | Sequence[Spec] | None, rows: int) -> list[int]:
    """Indices of formats."""
    return [] if given is None else format_codes(given, rows)


def lengths(given: npt.ArrayLike | None, rows: int) -> list[int]:
    """Tokens."""
    return [] if given is None else column(given, np.int32, "length", rows).tolist()


def reward(given: Spec | None) -> str | None:
    """A rule's text; None where nothing is said."""
    return given if given is None or isinstance(given, str) and given.isascii() else spec(given, "reward")


def seconds_until(given: float | None, field: str = "deadline") -> float:
    """Negative for None: without end."""
    if given is None:
        return _ENDLESS
    if not isinstance(given, numbers.Real) or not given >= 0:
        raise misuse(field, f"is {given!r}, expected seconds, 0 or more")
    return float(given)


def advantage_columns(
    rewards: npt.ArrayLike,
    group: npt.ArrayLike | Sequence[Any],
    advantage: Spec,
    cohort: npt.ArrayLike | None,
    length: npt.ArrayLike | None,
    components: Sequence[npt.ArrayLike] | None,
    scores: npt.ArrayLike | None,
    maximise: npt.ArrayLike | None,
) -> tuple[Any, ...]:
    """The arguments of `Engine.advantages`, checked, as the native verb takes them."""
    given = column(rewards, np.float32, "rewards")
    rows = len(given)
    table = None if scores is None else array(scores, np.float64, "scores")
    if table is not None and (table.ndim not in (1, 2) or len(table) != rows):
        raise misuse("scores", f"expected {rows} rows of one or two dimensions")
    return (
        given,
        group_rows(group, rows),
        spec(advantage, "advantage"),
        optional(cohort, np.int32, "cohort", rows),
        optional(length, np.int32, "length", rows),
        None if components is None else [column(one, np.float32, "components", rows) for one in components],
        None if table is None else table.reshape(-1),
        1 if table is None or table.ndim == 1 else table.shape[1],
        optional(maximise, np.int32, "maximise", rows),
    )
