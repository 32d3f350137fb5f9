"""Drawing until a batch is full of groups that give a gradient, and what that leaves out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core import arguments
from ..core.arguments import column
from ..core.errors import misuse
from ..core.results import Bool
from .statistics import filter_groups

_PRIOR_GROUPS = 8
"""The weight of `ratio` before groups were seen."""


class FillingPlace(NamedTuple):
    """The groups of one task at one level, by how they ended."""

    task: str
    level: str
    drawn: int
    kept: int
    drawn_share: float
    """The share of all groups that were drawn."""
    batch_share: float
    """The share of the groups in the batch; above drawn_share where the filter favours this place."""


@dataclass(frozen=True)
class FillingBias:
    """The difference between the batch and what was drawn. Means are NaN where there is nothing to count."""

    rounds: int
    drawn: int
    kept: int
    """Groups whose rewards differ, with or without a place in the batch."""
    spare: int
    """The number of these that came when the batch was full."""
    effective_prompt_ratio: float
    reward_kept: float
    """Mean reward of rows in the batch."""
    reward_dropped: float
    """The number of rows whose group's rewards are all equal."""
    length_kept: float
    length_dropped: float
    length_drawn: float
    places: tuple[FillingPlace, ...]
    """The places, by the distance of the two shares, the widest first."""

    def text(self, top: int = 10) -> str:
        """The `top` places and the others as one line, with the means below."""
        shown, others = self.places[:top], self.places[top:]
        lines: list[tuple[str, ...]] = [("task", "level", "drawn", "kept", "ratio %", "drawn %", "batch %")]
        lines += [_words(place) for place in shown]
        if others:
            sums = [sum(column) for column in zip(*(place[2:] for place in others))]
            lines.append(
                _words(FillingPlace(f"{len(others)} others", "", int(sums[0]), int(sums[1]), sums[2], sums[3]))
            )
        widths = [max(len(line[at]) for line in lines) for at in range(7)]
        table = [
            "  ".join(
                word.ljust(width) if at < 2 else word.rjust(width) for at, (word, width) in enumerate(zip(line, widths))
            )
            for line in lines
        ]
        return "\n".join([
            *(line.rstrip() for line in table),
            f"{self.kept} of {self.drawn} groups kept in {self.rounds} rounds, {self.spare} without a place",
            f"mean reward {self.reward_kept:.3f} kept, {self.reward_dropped:.3f} dropped",
            f"mean length {self.length_kept:.1f} kept, {self.length_dropped:.1f} dropped, {self.length_drawn:.1f} drawn",
        ]) + "\n"  # fmt: skip


class Filling:
    """Draws until a batch is full of groups whose rewards differ (DAPO's dynamic sampling), and says how that bends it.

        filling = optgap.Filling(groups=128, limit=512)
        while count := filling.more():
            instances = plan.instances(engine, count, first=filling.drawn)
            ...                                                       # the model answers, the engine scores
            kept = filling.add(scores.reward, group, task, level, length, scores.length_penalty)   # the rows that are in the batch

    Groups take their places in the order in which `add` gets them. Hand over a round whole: where groups come as they
    finish, short answers fill the batch and long ones become spare.

    Args:
        groups: Places in the batch.
        limit: Groups drawn at most; the batch stays short where it is reached.
        ratio: The share of groups that is expected to be kept, before any was seen, in (0, 1]: the last step's is a good guess.
    """

    def __init__(self, groups: int, limit: int, ratio: float = 0.5) -> None:
        self._groups = arguments.integer(groups, "groups", 1, 2**31 - 1)
        self._limit = arguments.integer(limit, "limit", self._groups, 2**31 - 1)
        if not 0 < ratio <= 1:
            raise misuse("ratio", f"is {ratio}, expected a share above 0 and at most 1")
        self._ratio = float(ratio)
        self._rounds = self._drawn = self._kept = 0
        self._places: dict[tuple[str, str], list[int]] = {}
        # Rows, sum of rewards, rows with a length, sum of lengths: of the batch, and of groups of equal rewards.
        self._batch, self._dropped, self._all = np.zeros(4), np.zeros(4), np.zeros(4)

    def __repr__(self) -> str:
        return f"Filling({self.kept} of {self._groups} groups, {self._drawn} of {self._limit} drawn)"

    @property
    def drawn(self) -> int:
        """Groups that were added, kept or not: the index of the next draw."""
        return self._drawn

    @property
    def kept(self) -> int:
        """Groups in the batch."""
        return min(self._kept, self._groups)

    @property
    def full(self) -> bool:
        return self._kept >= self._groups

    def more(self) -> int:
        """Groups to draw next: as many as fill the batch five times in six at the ratio so far, within the limit. 0: the
        batch is full, or the limit is reached."""
        missing = self._groups - self.kept
        if missing == 0:
            return 0
        ratio = (self._kept + _PRIOR_GROUPS * self._ratio) / (self._drawn + _PRIOR_GROUPS)
        wanted = (missing + math.sqrt(missing * (1 - ratio))) / ratio
        return min(math.ceil(wanted), self._limit - self._drawn)

    def add(
        self,
        rewards: npt.ArrayLike,
        group: npt.ArrayLike | Sequence[Any],
        task: Sequence[str] | None = None,
        level: Sequence[str] | None = None,
        length: npt.ArrayLike | None = None,
        length_penalty: npt.ArrayLike | None = None,
    ) -> Bool:
        """One round's rows; which of them are in the batch. A group whose rewards differ is in it as long as there is a
        place, all rows with a reward (not NaN).

        Args:
            rewards: Of each row.
            group: As in Engine.score; a group belongs into one call.
            task: Of each row, for the report.
            level: Of each row, for the report.
            length: Of each row in any unit, for the report.
            length_penalty: Of each row, where rewards have one: groups that differ by it alone are left out.
        """
        given = column(rewards, np.float32, "rewards")
        rows = len(given)
        for name, words in (("task", task), ("level", level)):
            if words is not None and arguments.rows_of(words, name) != rows:
                raise misuse(name, f"expected {rows} entries, got {len(words)}")
        lengths = None if length is None else column(length, np.float64, "length", rows)
        numbers = arguments.group_rows(group, rows)
        differ = filter_groups(given, numbers, length_penalty).keep
        _, first, of = np.unique(numbers, return_index=True, return_inverse=True)
        alive = np.zeros(len(first), np.bool_)
        alive[of[differ]] = True
        order = np.argsort(first, kind="stable")
        if self._drawn + len(first) > self._limit:
            raise misuse("group", f"{self._drawn + len(first)} groups are more than the limit of {self._limit}")
        taken = np.zeros(len(first), np.bool_)
        taken[order[alive[order]][: self._groups - self.kept]] = True
        kept: Bool = taken[of] & differ
        for one in order.tolist():
            row = int(first[one])
            place = self._places.setdefault(
                (task[row] if task is not None else "", level[row] if level is not None else ""), [0, 0, 0]
            )
            place[0] += 1
            place[1] += int(alive[one])
            place[2] += int(taken[one])
        known = ~np.isnan(given)
        for sums, rows_of in ((self._batch, kept), (self._dropped, known & ~alive[of]), (self._all, known)):
            sums += _sums(given, lengths, rows_of)
        self._rounds += 1
        self._drawn += len(first)
        self._kept += int(alive.sum())
        return kept

    def bias(self) -> FillingBias:
        """The difference between the batch and what was drawn so far."""
        batch = max(1, self.kept)
        places = [
            FillingPlace(task, level, drawn, kept, drawn / self._drawn, taken / batch)
            for (task, level), (drawn, kept, taken) in self._places.items()
        ]
        places.sort(key=lambda place: (-abs(place.batch_share - place.drawn_share), place.task, place.level))
        return FillingBias(
            rounds=self._rounds,
            drawn=self._drawn,
            kept=self._kept,
            spare=self._kept - self.kept,
            effective_prompt_ratio=self._kept / self._drawn if self._drawn else math.nan,
            reward_kept=_mean(self._batch, 0),
            reward_dropped=_mean(self._dropped, 0),
            length_kept=_mean(self._batch, 2),
            length_dropped=_mean(self._dropped, 2),
            length_drawn=_mean(self._all, 2),
            places=tuple(places),
        )


def _sums(rewards: npt.NDArray[Any], lengths: npt.NDArray[Any] | None, rows: Bool) -> npt.NDArray[np.float64]:
    count = float(rows.sum())
    of_lengths = (0.0, 0.0) if lengths is None else (count, float(lengths[rows].sum()))
    return np.asarray([count, float(rewards[rows].sum(dtype=np.float64)), *of_lengths])


def _mean(sums: npt.NDArray[np.float64], at: int) -> float:
    return float(sums[at + 1] / sums[at]) if sums[at] else math.nan


def _words(place: FillingPlace) -> tuple[str, ...]:
    return (
        place.task, place.level, str(place.drawn), str(place.kept), f"{100 * place.kept / place.drawn:.1f}",
        f"{100 * place.drawn_share:.1f}", f"{100 * place.batch_share:.1f}",
    )  # fmt: skip
