"""Rubrics compiled, and scores as arrays."""

from __future__ import annotations

import atexit
import json
import os
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import _native
from ...core import arguments
from ...core.errors import Error, misuse
from ...rows.programs.settings import ISOLATION_LEVELS

__all__ = ["Rubrics", "TextScores", "gates", "presets"]


def _sandbox(isolation: str | None, slots: int, wanted: bool) -> _native.CodeSandbox | None:
    """Where this process's checks in Python run: opened once for each setting, and not before some are `wanted`. Raises Error where
    nothing here holds Python."""
    if isolation is not None and isolation not in ISOLATION_LEVELS:
        raise misuse("isolation", f"is {isolation!r}, expected one of {', '.join(ISOLATION_LEVELS)}")
    if isolation is None or not wanted:
        return None
    number = arguments.integer(slots, "slots", 0, 4096)
    here = _process
    with here.lock:
        if (isolation, number) not in here.open:
            here.open[isolation, number] = _native.CodeSandbox(isolation, number)
        return here.open[isolation, number]


class _Process:
    """What belongs to one process: a fork starts with a fresh one."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.open: dict[tuple[str, int], _native.CodeSandbox] = {}


_process = _Process()


def _renew() -> None:
    global _process
    _process = _Process()


os.register_at_fork(after_in_child=_renew)
atexit.register(_renew)


def presets() -> tuple[str, ...]:
    """The names of presets: whose arithmetic scores a rubric."""
    return tuple(_native.rubric_presets())


def gates() -> tuple[str, ...]:
    """The names of gates, in the order of `TextScores.gate_factor`'s columns."""
    return tuple(_native.rubric_gates())


@dataclass(frozen=True)
class TextScores:
    """Scores of n texts. Points and checks are ragged: those of text i are `[offsets[i]:offsets[i + 1]]`."""

    content: NDArray[np.float64]
    """[n], after the gates."""
    style: NDArray[np.float64]
    """[n], after the gates."""
    total: NDArray[np.float64]
    """[n], what content and style add up to."""
    normalized: NDArray[np.float64]
    """[n], total between the rubric's floor (0) and its reference (1), within [-1, 1]."""
    reward: NDArray[np.float32]
    """[n], total as a trainer takes it; NaN where a text that was cut off is excluded."""
    has_text: NDArray[np.bool_]
    """[n], False where nothing is left to score, such as reasoning without an answer."""
    factor: NDArray[np.int32]
    """[n], the smallest gate's factor, of 1024."""
    point_numerator: NDArray[np.int32]
    """[all points], of the best reference."""
    point_denominator: NDArray[np.int32]
    """[all points]."""
    point_reference: NDArray[np.int32]
    """[all points], which reference that is; -1: none scores."""
    point_offsets: NDArray[np.int64]
    """[n + 1]."""
    check: NDArray[np.int32]
    """[all checks], 1 passed, 0 failed, -1 without the number from outside that it reads."""
    check_offsets: NDArray[np.int64]
    """[n + 1]."""
    check_reasons: dict[int, str]
    """By place in `check`: why a check in Python failed for another reason than its answer, as "run_time"."""
    gate_value: NDArray[np.int64]
    """[n, 5], in words or thousandths; -1 where the rubric lacks the gate."""
    gate_factor: NDArray[np.int32]
    """[n, 5], of 1024; -1 where the rubric lacks the gate."""

    def __len__(self) -> int:
        return len(self.total)


class Rubrics:
    """Rubrics, compiled once."""

    def __init__(self, compiled: Sequence[_native.TextRubric], prompts: Sequence[str]) -> None:
        self._compiled = list(compiled)
        self._prompts = list(prompts)

    @classmethod
    def compile(cls, rows: Iterable[Mapping[str, Any] | str], preset: str | None = None) -> Rubrics:
        """Reads a rubric a row.

        Args:
            rows: Rows with a `rubric` and perhaps a `prompt`, or rubrics as JSON text.
            preset: Whose arithmetic, instead of the preset that each rubric names.

        Raises:
            optgap.Error: Names the row, the field and its rule.
        """
        compiled, prompts = [], []
        for place, row in enumerate(rows):
            if isinstance(row, str):
                rubric, prompt = row, ""
            else:
                rubric = row.get("rubric", row.get("chain"))  # by its former name in older files
                if rubric is None:
                    raise Error(f"row {place}: rubric: missing", "invalid_argument", "rubric", "missing")
                rubric = rubric if isinstance(rubric, str) else json.dumps(rubric, ensure_ascii=False)
                prompt = row.get("prompt") or ""
            try:
                compiled.append(_native.TextRubric(rubric, preset))
            except Error as refused:
                raise Error(f"row {place}: {refused}", refused.status, refused.field, refused.rule) from None
            prompts.append(prompt if isinstance(prompt, str) else "")
        return cls(compiled, prompts)

    @classmethod
    def joined(cls, several: Iterable[Rubrics]) -> Rubrics:
        """The rubrics of several, in order."""
        all_of_them = list(several)
        return cls(
            [rubric for each in all_of_them for rubric in each._compiled],
            [prompt for each in all_of_them for prompt in each._prompts],
        )

    def __len__(self) -> int:
        return len(self._compiled)

    @property
    def keys(self) -> list[str]:
        """`rubric:` and 32 digits each."""
        return [rubric.key for rubric in self._compiled]

    @property
    def presets(self) -> list[str]:
        """Whose arithmetic scores each."""
        return [rubric.preset for rubric in self._compiled]

    def to_json(self, rubric: int, texts: bool = True) -> str:
        """A rubric with its sequences and every default; without the references' texts unless `texts`."""
        return self._compiled[rubric].to_json(texts)

    @property
    def codes(self) -> list[int]:
        """How many different checks in Python each has."""
        return [rubric.codes for rubric in self._compiled]

    def floors(self, rubric: int, other: str = "", *, isolation: str | None = None, slots: int = 0) -> dict[str, float]:
        """What constant answers and cheats earn, by name; `other`: another row's reference; `isolation`, `slots`: as of `score`."""
        codes = _sandbox(isolation, slots, self._compiled[rubric].codes > 0)
        return dict(self._compiled[rubric].floors(self._prompts[rubric], other, codes))

    def score(
        self,
        texts: Sequence[str | bytes],
        rubric_of: Sequence[int] | None = None,
        *,
        prompts: Sequence[str] | None = None,
        formats: Sequence[str] | None = None,
        external: Sequence[Mapping[str, float]] | None = None,
        finish: Sequence[str] | None = None,
        reward: str = "forge",
        threads: int = 1,
        isolation: str | None = None,
        slots: int = 0,
    ) -> TextScores:
        """Scores texts, row by row.

        Args:
            texts: Completions.
            rubric_of: Which rubric each answers; None where there is one a text.
            prompts: What each answers, instead of its row's own prompt.
            formats: Where the answer stands in each (docs/formats.md); None: all behind the reasoning.
            external: Numbers from outside, by the names that checks of kind `external` give.
            finish: "stop", "length", "abort" or "unknown" each.
            reward: The spec whose `truncated` says what texts earn that were cut off. Nothing else of it counts here, and
                `length` is refused.
            threads: 0: what the machine and its cgroup allow.
            isolation: "auto" or an isolation level of `optgap sandbox`, under which checks in Python run; None: rubrics with some are refused.
            slots: Processes at once for them; 0: the processors less a quarter.

        Raises:
            optgap.Error: For wrong arguments, a rubric with checks in Python without `isolation`, and where nothing here holds
                Python or the machine fails (status "sandbox_unavailable"). What a code does is its check's.
        """
        rows = len(texts)
        if rubric_of is None and len(self) != rows:
            raise Error(f"rubric_of: {rows} texts and {len(self)} rubrics", "invalid_argument", "rubric_of", "missing")
        which = np.asarray(range(rows) if rubric_of is None else rubric_of, np.int32)
        if len(which) != rows or (rows and not 0 <= which.min() <= which.max() < len(self)):
            raise Error("rubric_of: names a rubric for each text", "invalid_argument", "rubric_of", "out of range")
        asked = [self._prompts[at] for at in which] if prompts is None else list(prompts)
        codes = _sandbox(isolation, slots, any(self._compiled[at].codes for at in set(which.tolist())))
        columns = _native.score_rubrics(
            self._compiled, texts, which, asked, list(formats or []),
            [[(name, float(value)) for name, value in row.items()] for row in external or []],
            arguments.finish_rows(finish, rows), reward, threads, codes,
        )  # fmt: skip
        for name in ("gate_value", "gate_factor"):
            columns[name] = columns[name].reshape(rows, len(gates()))
        return TextScores(**columns)
