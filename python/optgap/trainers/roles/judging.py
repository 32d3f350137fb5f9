"""Judgements: scores from 1 to 10 read out of texts, and what they earn by what is proven."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ... import _native
from ...core import arguments
from ...core.arguments import Text

_CODES = {0: "ok", 11000: "no_score", 11001: "several", 11002: "out_of_range"}

Float64 = npt.NDArray[np.float64]
Int32 = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Judgements:
    """What texts say, one a row."""

    code: list[str]
    """"ok", "no_score", "several" or "out_of_range"."""
    value: Float64
    """(score - 1) / 9; NaN where there is none."""
    form: Float64
    """1 for one pair of tags, 1/2 for several that match in number, else 0."""

    @property
    def score(self) -> list[int | None]:
        """1 to 10; None where there is none."""
        return [None if np.isnan(value) else int(round(1 + 9 * value)) for value in self.value]


@dataclass(frozen=True)
class JudgeReport:
    """How judgements agree with what is proven."""

    rows: int
    unreadable: int
    unproven: int
    """Of which nothing is proven; in no number below."""
    confusion: list[list[int]]
    """confusion[truth][said] by bands 1 to 3, 4 to 7, 8 to 10."""
    kappa: float
    """With quadratic weights; NaN where chance alone agrees."""
    auc: float
    """Chance that of two rows of different bands the better one has the higher score, ties one half."""
    calibration: list[float]
    """Mean truth of rows with score 1, 2, ... 10; NaN without such."""


def read_judgements(texts: Sequence[Text], parser: str = "strict") -> Judgements:
    """Reads each text's score.

    Args:
        texts: Completions of judges.
        parser: "strict", or "mae_repo" as the code of Multi-Agent Evolve reads them.
    """
    arguments.rows_of(texts, "texts")
    code, value, form, _, _ = _native.read_judgements(texts, arguments.name(parser, "parser"))
    return Judgements([_CODES[of] for of in code.tolist()], value, form)


def reward_judges(
    said: Judgements, band: npt.ArrayLike, truth: npt.ArrayLike, group: npt.ArrayLike, reward: str = "band"
) -> npt.NDArray[np.float32]:
    """What judgements earn; NaN where nothing is proven, and by "pairs" where a row has nothing to be compared with.

    Args:
        said: From `read_judgements`.
        band: What should have been said: 0, 1, 2 for scores 1 to 3, 4 to 7, 8 to 10; -1 where nothing is proven.
        truth: The same as a number from 0 to 1.
        group: Judgements of one question have one number.
        reward: "format", "band", "brier" or "pairs"; all but the first less what the best constant judge earns.
    """
    rows = len(said.value)
    return _native.reward_judges(
        arguments.name(reward, "reward"), said.value, said.form, arguments.column(band, np.int32, "band", rows),
        arguments.column(truth, np.float64, "truth", rows), arguments.group_rows(group, rows),
    )  # fmt: skip


def judge_report(said: Judgements, band: npt.ArrayLike, truth: npt.ArrayLike) -> JudgeReport:
    """How judgements agree with what is proven; arguments as in `reward_judges`."""
    rows = len(said.value)
    return JudgeReport(
        **_native.judge_report(
            said.value, said.form, arguments.column(band, np.int32, "band", rows),
            arguments.column(truth, np.float64, "truth", rows), np.zeros(rows, np.int32),
        )
    )  # fmt: skip
