"""Kinds of rows of your own, in Python (docs/kinds.md).

A package has a class and a `kind.json` beside it. Only the workers that `--kinds NAME` starts import it:

    class Sums(Kind):
        def grade(self, rows):
            return [Grade(1.0) if int(row.completion) == sum(row["numbers"]) else Grade(0.0, "wrong_sum") for row in rows]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Answer", "Grade", "Kind", "Refusal", "Row"]


@dataclass(frozen=True)
class Answer:
    """What a row that was asked for has got.

    Attributes:
        reward: Its reward.
        quality: From 0 to 1.
        feasible: Whether it breaks no rule.
        objective: Of a feasible answer; None: it has none.
        code: The code's name, "ok" for a right one.
        error: None, or why the row could not be graded: (field, rule). All else is then as it stands here.
    """

    reward: float = 0.0
    quality: float = 0.0
    feasible: bool = False
    objective: int | None = None
    code: str = ""
    error: tuple[str, str] | None = None


@dataclass(frozen=True)
class Row:
    """One row, as far as kind.json declares it.

    Attributes:
        columns: The columns that `reads` declares, as JSON's values; `row["numbers"]` is one of them. One that is
            optional and absent is not among them.
        completion: What the model wrote.
        answers: One for each row that `asks` gave, in its order.
    """

    columns: Mapping[str, Any]
    completion: str
    answers: tuple[Answer, ...] = ()

    def __getitem__(self, name: str) -> Any:
        return self.columns[name]

    def get(self, name: str, default: Any = None) -> Any:
        """The column, or the default where the row has none."""
        return self.columns.get(name, default)


@dataclass
class Grade:
    """What a row gets.

    Attributes:
        reward: A finite number.
        code: "ok", or the first code of kind.json that applies.
        quality: From 0 to 1; None: 1 for "ok", else 0.
        format: Whether the completion has the form that was asked for.
        feasible: Whether it breaks no rule; None: where the code is "ok".
        objective: Of a feasible answer, a 64-bit integer.
        score: What estimators of ranks compare; None: the reward.
        group: Rows with equal names are compared, unless they bring a `group`; None: rows with equal columns are.
        task: Where tables count the row; None: the kind's name.
        columns: Values of the columns that `adds` declares, by name; those that are absent are null.
        kept: Anything that JSON holds, for `settle` and `explain`; not written.
    """

    reward: float
    code: str = "ok"
    quality: float | None = None
    format: bool = True
    feasible: bool | None = None
    objective: int | None = None
    score: float | None = None
    group: str | None = None
    task: str | None = None
    columns: dict[str, Any] = field(default_factory=dict)
    kept: Any = None


@dataclass(frozen=True)
class Refusal:
    """In place of a grade: the row is no row of this kind. It becomes an error row.

    Attributes:
        field: The column that breaks a rule.
        rule: What was expected, after the column's name: "must hold integers alone".
    """

    field: str
    rule: str


class Kind:
    """A kind of rows. A worker makes one for each set of options and keeps it; rows come in batches of any size.

    A method that raises costs the rows of its batch nothing but the one that it raises for: they are asked about again in
    halves. So is a batch that the worker dies of, or that takes longer than `limits` of kind.json.

    Attributes:
        options: By name, with `_` for `-`; each that kind.json declares is there.
    """

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.options = options

    def asks(self, rows: Sequence[Row]) -> Sequence[Sequence[Mapping[str, Any]]]:
        """Other rows, of any kind, that have to be graded first.

        Args:
            rows: Of this kind.

        Returns:
            For each row those that it needs, perhaps none. `grade` finds what they got in `Row.answers`.
        """
        raise NotImplementedError

    def grade(self, rows: Sequence[Row]) -> Sequence[Grade | Refusal]:
        """Grades rows. The result of a row must depend on it alone, and be the same whenever it is asked for.

        Args:
            rows: Of this kind.

        Returns:
            One for each row.
        """
        raise NotImplementedError

    def settle(self, grades: Sequence[Grade]) -> None:
        """Changes the grades of a group's rows, once all of them are known: what they share, how they rank.

        Args:
            grades: Of one group, in the order of the run's rows. `group` and `task` are not set, and not read again.
        """
        raise NotImplementedError

    def explain(self, row: Row, grade: Grade) -> Sequence[str]:
        """Sentences for people about one row, for `optgap explain`.

        Args:
            row: As `grade` got it, without answers.
            grade: As it is after `settle`.

        Returns:
            A line each.
        """
        raise NotImplementedError
