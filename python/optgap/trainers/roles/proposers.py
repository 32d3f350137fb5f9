"""What proposers earn, over arrays."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ... import _native
from ...core import arguments
from ...core.arguments import Text
from ...core.errors import misuse

UNIT = 1 << 20
"""Qualities, gaps and rewards are whole numbers in units of 2^-20."""

_COLUMNS = (
    "code", "kind", "rows", "feasible", "solved", "sum", "sum_sq", "before", "equal", "greedy_gap", "reference_gap",
    "prompt", "prompt_target", "prompt_limit", "quality", "form", "cluster", "batch",
)  # fmt: skip


def reward_proposers(reward: str, columns: Mapping[str, npt.ArrayLike]) -> dict[str, npt.NDArray[Any]]:
    """reward, signal, novelty, hardness and price of proposals in units of 2^-20, and `excluded`: rows without a reward.

    Args:
        reward: "proof", "mae_paper", "mae_repo", "azr", "r_zero", "r_zero_paper", "sqlm" or "regret".
        columns: One number a row each: code (of the gates: 0 ok), kind (1 spec, 2 instance, 3 edit, 4 constrain); of
            its group of answers rows, feasible, solved (proven optimal), sum and sum_sq (of quality in units, and of its
            square in units of 2^-40); before (entries of its cell), equal (proposals of its canonical form), greedy_gap,
            reference_gap, prompt, prompt_target, prompt_limit (characters), quality (a judge's, -1: the gates'), form,
            cluster, batch. A column that is not given has the usual value.
    """
    for name in columns:
        if name not in _COLUMNS:
            raise misuse("columns", f"{name!r} is none of {', '.join(_COLUMNS)}")
    if not columns:
        raise misuse("columns", "expected at least one")
    given = {name: arguments.column(values, np.int64, name) for name, values in columns.items()}
    return _native.reward_proposers(arguments.name(reward, "reward"), given)


def cluster_questions(texts: Sequence[Text], threshold: float = 0.5) -> npt.NDArray[np.int32]:
    """R-Zero's clusters of the questions of a batch, one number a text, from 0 on in the order of their first texts.

    The distance of two texts is 1 less the BLEU of the earlier one against the later one (four words, NLTK's smoothing
    method1, words parted by ASCII white space), to the nearest 2^-20. Clusters are joined by average linkage, of equally near
    ones those that begin first. Error for more than 4,096 texts.

    Args:
        texts: Questions, as str or bytes.
        threshold: Mean distance from which on clusters stay apart, 0 to 1.
    """
    arguments.rows_of(texts, "texts")
    if not isinstance(threshold, (int, float)) or not 0 <= threshold <= 1:
        raise misuse("threshold", f"is {threshold!r}, expected a number from 0 to 1")
    return _native.bleu_clusters(texts, round(threshold * UNIT))


def words_of_question(text: str) -> str:
    """Names and numbers of a problem in JSON with blanks between them, as words to compare."""
    return " ".join(re.findall(r"-?[0-9]+(?:\.[0-9]+)?|\w+", text))
