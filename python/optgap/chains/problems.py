"""Ground truths that are chains. Importing this loads nothing native: adapters do it."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from optgap.chains.scoring import Chains


class ChainProblem(NamedTuple):
    """One ground truth, read."""

    chains: Chains
    """One chain."""
    key: str
    preset: str
    format: str
    """Empty: all behind the reasoning."""

    @property
    def data_source(self) -> str:
        """`optgap/chain/<preset>`."""
        return f"optgap/chain/{self.preset}"

    @property
    def maximise(self) -> bool:
        """Totals rise."""
        return True

    @property
    def cohort(self) -> int:
        """A number for the task, above those of optgap's own."""
        return 1 << 30 | zlib.crc32(self.data_source.encode()) >> 2


class ChainPaid(NamedTuple):
    """One row."""

    reward: float
    content: float
    style: float
    total: float
    normalized: float
    has_text: bool


def is_record(record: Mapping[str, Any]) -> bool:
    """Is this ground truth a chain's?"""
    return "chain" in record


def read(record: Mapping[str, Any]) -> ChainProblem:
    """A ground truth {chain[, prompt, chain_preset, format]}. Raises Error, which says what is wrong with it."""
    from optgap.chains.scoring import Chains
    from optgap.keys import format_fields

    chains = Chains.compile([record], record.get("chain_preset"))
    form = record.get("format") or ""
    if form:
        format_fields(form)  # raises Error for one that is none
    return ChainProblem(chains, chains.keys[0], chains.presets[0], form if isinstance(form, str) else json.dumps(form))


def pay(
    asked: Sequence[ChainProblem], texts: Sequence[str | bytes], *, finish: Sequence[str] | None = None,
    reward: str = "forge",
) -> list[ChainPaid]:  # fmt: skip
    """Scores completions, row by row. Of `reward` only `truncated` counts. Checks in Python run under the rung that OPTGAP_PROGRAMS
    names, auto without it; raises Error where nothing here holds Python."""
    from optgap.chains.scoring import Chains
    from optgap.programs.settings import settings

    if not texts:
        return []
    distinct = {id(problem): problem for problem in asked}
    place = {known: index for index, known in enumerate(distinct)}
    found = Chains.joined(problem.chains for problem in distinct.values()).score(
        texts, [place[id(problem)] for problem in asked], formats=[problem.format for problem in asked], finish=finish,
        reward=reward, isolation=settings().isolation, slots=settings().slots,
    )  # fmt: skip
    columns = (found.reward, found.content, found.style, found.total, found.normalized, found.has_text)
    return [ChainPaid(*row) for row in zip(*(column.tolist() for column in columns))]
