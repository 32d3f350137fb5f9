"""The base of all results: equally long columns with names, and spans of texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from .. import _native

if TYPE_CHECKING:
    import pyarrow

NO_OBJECTIVE: int = _native.no_objective
"""An objective that does not exist: the answer is infeasible, or nothing is known."""

_SHOWN_ROWS = 5


class Columns:
    """A struct of arrays of one length. `columns` names them in their order, len() is their length, repr() shows the
    first rows. The arrays are writable and own, or share, the memory that the engine filled."""

    columns: ClassVar[tuple[str, ...]]
    objectives: ClassVar[tuple[str, ...]] = ()
    """Columns in which NO_OBJECTIVE stands for nothing; null in Arrow, None in records."""

    __slots__ = ()

    def __len__(self) -> int:
        return len(getattr(self, self.columns[0]))

    def records(self) -> list[dict[str, Any]]:
        """One dict a row, of Python values; None where there is no objective."""
        values = [self._values(name) for name in self.columns]
        return [dict(zip(self.columns, row)) for row in zip(*values)]

    def to_arrow(self) -> pyarrow.Table:
        """A pyarrow.Table of the columns; null where there is no objective. Needs pyarrow (`optgap[dataset]`)."""
        import pyarrow

        arrays = []
        for name in self.columns:
            column = getattr(self, name)
            absent = column == NO_OBJECTIVE if name in self.objectives else None
            arrays.append(pyarrow.array(np.ascontiguousarray(column), mask=absent))
        return pyarrow.table(arrays, names=list(self.columns))

    def __repr__(self) -> str:
        shown = [name for name in self.columns if getattr(self, name) is not None]
        cells = [shown] + [[self._cell(name, row) for name in shown] for row in range(min(len(self), _SHOWN_ROWS))]
        widths = [max(map(len, column)) for column in zip(*cells)]
        lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths)) for row in cells]
        more = [] if len(self) <= _SHOWN_ROWS else [f"... {len(self) - _SHOWN_ROWS} more"]
        return "\n".join([f"{type(self).__name__}: {len(self)} rows", *lines, *more])

    def _values(self, name: str) -> list[Any]:
        values = getattr(self, name).tolist()
        return [None if value == NO_OBJECTIVE else value for value in values] if name in self.objectives else values

    def _cell(self, name: str, row: int) -> str:
        value = getattr(self, name)[row]
        if name in self.objectives and value == NO_OBJECTIVE:
            return "-"
        return f"{value:.4f}" if isinstance(value, np.floating) else str(value)


def by_name(table: Columns) -> dict[str, npt.NDArray[Any]]:
    """The columns as the native module takes them."""
    return {name: getattr(table, name) for name in table.columns}


def str_span(text: str, begin: int, end: int) -> tuple[int, int]:
    """A span of UTF-8 bytes, as results carry it, as indices into the str: text[i:j] is what was read.

    The same numbers for ASCII texts. Lone surrogates count three bytes each.
    """
    if text.isascii():
        return begin, end
    data = text.encode("utf-8", "surrogatepass")
    before = len(data[:begin].decode("utf-8", "surrogatepass"))
    return before, before + len(data[begin:end].decode("utf-8", "surrogatepass"))
