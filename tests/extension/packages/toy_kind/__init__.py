"""A user's own kind of rows: sums. {"addends": [1, 2, 3], "completion": "6"}, possibly with a row of any kind as `beside`, whose
reward is subtracted. Right rows of a group share one reward. Nothing of this repository names it (docs/kinds.md)."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import Any

from optgap.kinds import Grade, Kind, Refusal, Row


class Sums(Kind):
    """Three completions stand for what may go wrong in a worker: "die", "raise" and "hang"."""

    def asks(self, rows: Sequence[Row]) -> list[list[dict[str, Any]]]:
        return [[row["beside"]] if "beside" in row.columns else [] for row in rows]

    def grade(self, rows: Sequence[Row]) -> list[Grade | Refusal]:
        time.sleep(0.01)  # a model that is asked, a program that is compiled
        return [self._grade(row) for row in rows]

    def settle(self, grades: Sequence[Grade]) -> None:
        right = [one for one in grades if one.code == "ok"]
        for one in right:
            one.reward = one.kept["earned"] / len(right) - one.kept["beside"]
            one.columns["sharers"] = len(right)

    def explain(self, row: Row, grade: Grade) -> list[str]:
        return [
            " + ".join(map(str, row["addends"]))
            + f" = {grade.columns['sum']}, and the completion says {row.completion}"
        ]

    def _grade(self, row: Row) -> Grade | Refusal:
        if not isinstance(row["addends"], list) or any(type(one) is not int for one in row["addends"]):
            return Refusal("addends", "must be a list of integers")
        for answer in row.answers:
            if answer.error:
                return Refusal(f"beside.{answer.error[0]}", answer.error[1])
        if row.completion == "die":
            os._exit(7)
        if row.completion == "raise":
            raise RuntimeError("no sum today")
        if row.completion == "hang":
            time.sleep(3600)
        beside = sum(answer.reward for answer in row.answers)
        total = sum(row["addends"])
        try:
            right = int(row.completion) == total
        except ValueError:
            return Grade(-beside, "no_number", format=False, columns={"sum": total}, group=str(total))
        earned = 1 + self.options["toy_sums_bonus"] if right else 0
        return Grade(
            earned - beside,
            "ok" if right else "wrong_sum",
            objective=total if right else None,
            columns={"sum": total},
            group=str(total),
            kept={"earned": earned, "beside": beside},
        )
